# Where MPIs with the standard ABI are installed, the tests are built once more, against the header that one of them ships,
# and run under the launchers of all of them, with weir's one library for this ABI. Makes
#   ABI_HOSTS                  abi_openmpi, abi_mpich: those that are here
#   HOST_MPI_abi_NAME_RUN, _ENVIRONMENT    its launcher, and what lets programs find its libmpi_abi.so.1
#   host_mpi::abi_host, weir_abi_host      the header and library to build programs with, and weir's
#   TEST_MPIS                  all that tests are built for: HOST_MPIS and, with such hosts, abi_host
set(ABI_HOSTS)
set(TEST_MPIS ${HOST_MPIS})
option(WEIR_ABI_TESTS "Also run the tests under the MPIs here that have the standard ABI" OFF)
if(NOT WEIR_ABI_TESTS OR NOT TARGET weir_abi)
  return()
endif()

foreach(mpi IN LISTS HOST_MPIS)
  get_target_property(includes host_mpi::${mpi} INTERFACE_INCLUDE_DIRECTORIES)
  get_filename_component(libraries ${HOST_MPI_${mpi}_LIBRARY} DIRECTORY)
  list(TRANSFORM includes APPEND /standard_abi)
  find_path(ABI_${mpi}_HEADERS mpi.h NO_DEFAULT_PATH
            PATHS ${includes} ${libraries}/mpi_abi_${mpi}/include ${libraries}/../../mpi_abi_${mpi}/include)
  find_file(ABI_${mpi}_LIBRARY NAMES libmpi_abi_${mpi}.so.1.0.0 libmpi_abi.so.1 HINTS ${libraries} ${libraries}/../..)
  if(NOT ABI_${mpi}_HEADERS OR NOT ABI_${mpi}_LIBRARY)
    continue()
  endif()
  # The system's libmpi_abi.so.1 can be of one of them only.
  set(directory ${CMAKE_BINARY_DIR}/abi_hosts/${mpi})
  file(MAKE_DIRECTORY ${directory})
  file(CREATE_LINK ${ABI_${mpi}_LIBRARY} ${directory}/libmpi_abi.so.1 SYMBOLIC)
  list(APPEND ABI_HOSTS abi_${mpi})
  set(HOST_MPI_abi_${mpi}_RUN ${HOST_MPI_${mpi}_RUN})
  set(HOST_MPI_abi_${mpi}_ENVIRONMENT LD_LIBRARY_PATH=${directory})
  if(NOT TARGET host_mpi::abi_host)
    add_library(host_mpi::abi_host INTERFACE IMPORTED GLOBAL)
    target_include_directories(host_mpi::abi_host INTERFACE ${ABI_${mpi}_HEADERS})
    target_link_libraries(host_mpi::abi_host INTERFACE ${directory}/libmpi_abi.so.1)
    add_library(weir_abi_host ALIAS weir_abi)
  endif()
endforeach()
if(ABI_HOSTS)
  list(APPEND TEST_MPIS abi_host)
endif()
message(STATUS "tests under the standard ABI: ${ABI_HOSTS}")
