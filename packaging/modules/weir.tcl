#%Module1.0
# Environment module (Tcl). Copy it to MODULEPATH as weir/VERSION and set the prefix that `cmake --install` was given.
set prefix /opt/weir

proc ModulesHelp {} {
    puts stderr "weir: MPI-IO for the MPI you already have"
    puts stderr "  weir run -- mpirun -np 4 ./program     runs a program with weir under it"
    puts stderr "  weir doctor /scratch/me                tells what it finds here"
    puts stderr "  man weir"
}

module-whatis "MPI-IO for the MPI you already have: every MPI_File_* function"
conflict weir

setenv       WEIR_ROOT         $prefix
prepend-path PATH              $prefix/bin
prepend-path MANPATH           $prefix/share/man
prepend-path PKG_CONFIG_PATH   $prefix/lib/pkgconfig
prepend-path CMAKE_PREFIX_PATH $prefix
