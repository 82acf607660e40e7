# The standard ABI of MPI 5.0 as one more host MPI, called abi, for which weir has declarations of its own (src/abi): no MPI
# with this ABI need be installed. Makes the target host_mpi::abi, with an empty stand-in for libmpi_abi.so.1, and
# WEIR_LIBRARIES, which lists all that a libweir.so is made for: HOST_MPIS and abi.

set(WEIR_LIBRARIES ${HOST_MPIS})
if(NOT WEIR_ABI)
  return()
endif()

# The stand-in has the functions that are declared, so that the linker misses what is not.
file(STRINGS ${CMAKE_SOURCE_DIR}/src/abi/functions.h lines REGEX "^int PMPI_")
set(functions)
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^int (PMPI_[A-Za-z_]+).*" "void \\1(void) {}\n" function "${line}")
  string(APPEND functions "${function}")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/mpi_abi_stand_in.c CONTENT "@functions@" @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/abi/functions.h)
add_library(mpi_abi_stand_in SHARED ${CMAKE_BINARY_DIR}/mpi_abi_stand_in.c)
set_target_properties(mpi_abi_stand_in PROPERTIES OUTPUT_NAME mpi_abi SOVERSION 1
                      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/stand_in)

add_library(host_mpi::abi INTERFACE IMPORTED)
target_include_directories(host_mpi::abi INTERFACE ${CMAKE_SOURCE_DIR}/src/abi)
target_link_libraries(host_mpi::abi INTERFACE mpi_abi_stand_in)
list(APPEND WEIR_LIBRARIES abi)
