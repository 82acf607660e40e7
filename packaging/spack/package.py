# A recipe for Spack. In a repository of your own: packages/weir/package.py, then `spack install weir ^openmpi`.
from spack.package import *


class Weir(CMakePackage):
    """MPI-IO for the MPI you already have: every MPI_File_* function, preloaded under a program or linked ahead of its
    MPI library."""

    homepage = "https://localhost/weir"
    git = "https://localhost/weir.git"  # where your site keeps the sources
    license("BSD-3-Clause")

    version("main", branch="main")

    variant("abi", default=True, description="Also build the library for MPIs with the standard ABI")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("ninja", type="build")
    depends_on("mpi@3:")
    depends_on("fmt@9:")
    depends_on("cli11@2:")
    depends_on("nlohmann-json@3:")
    depends_on("liburing@2:")
    conflicts("%gcc@:11", msg="weir needs C++20 as of g++ 12")

    generator("ninja")

    # The MPIs of the tree that weir has a library for, by the names it uses.
    def host_mpi(self):
        return "openmpi" if self.spec.satisfies("^[virtuals=mpi] openmpi") else "mpich"

    def cmake_args(self):
        mpi = self.host_mpi()
        wrappers = self.spec["mpi"]
        return [
            self.define("WEIR_MPIS", mpi),
            self.define_from_variant("WEIR_ABI", "abi"),
            self.define("WEIR_TESTS", False),
            self.define("WEIR_WERROR", False),
            self.define(f"HOST_MPI_{mpi}_CC", wrappers.mpicc),
            self.define(f"HOST_MPI_{mpi}_CXX", wrappers.mpicxx),
            self.define(f"HOST_MPI_{mpi}_FC", wrappers.mpifc),
            self.define(f"HOST_MPI_{mpi}_RUN", wrappers.prefix.bin.mpiexec),
        ]
