-- Environment module (Lmod). Copy it to MODULEPATH as weir/VERSION.lua and set the prefix that `cmake --install` was given.
local prefix = "/opt/weir"

help([[
weir: MPI-IO for the MPI you already have
  weir run -- mpirun -np 4 ./program     runs a program with weir under it
  weir doctor /scratch/me                tells what it finds here
  man weir
]])
whatis("MPI-IO for the MPI you already have: every MPI_File_* function")
conflict("weir")

setenv("WEIR_ROOT", prefix)
prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("MANPATH", pathJoin(prefix, "share/man"))
prepend_path("PKG_CONFIG_PATH", pathJoin(prefix, "lib/pkgconfig"))
prepend_path("CMAKE_PREFIX_PATH", prefix)
