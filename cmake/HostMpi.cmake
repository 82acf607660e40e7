# Finds the host MPIs side by side, by their compiler wrappers (mpicc.openmpi, mpicc.mpich), and makes for each
# an imported target host_mpi::NAME (headers, library) and the variables
#   HOST_MPI_NAME_CC, _CXX, _FC, _RUN   wrappers and launcher
#   HOST_MPI_NAME_LARGE_COUNTS          true where mpi.h declares the large-count (_c) functions
# HOST_MPIS lists those found. A wrapper called plainly mpicc is used for the MPI it turns out to be.

include(CheckCXXSourceCompiles)

function(host_mpi_flags_of wrapper out)
  foreach(option -showme -show)
    execute_process(COMMAND ${wrapper} ${option} OUTPUT_VARIABLE line ERROR_QUIET RESULT_VARIABLE failed
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT failed)
      separate_arguments(words UNIX_COMMAND "${line}")
      set(${out} "${words}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${out} "" PARENT_SCOPE)
endfunction()

function(host_mpi_find name)
  find_program(HOST_MPI_${name}_CC NAMES mpicc.${name} DOC "C compiler wrapper of ${name}")
  find_program(HOST_MPI_${name}_CXX NAMES mpicxx.${name} mpic++.${name})
  find_program(HOST_MPI_${name}_FC NAMES mpif90.${name} mpifort.${name})
  find_program(HOST_MPI_${name}_RUN NAMES mpirun.${name} mpiexec.${name})
  if(NOT HOST_MPI_${name}_CC OR NOT HOST_MPI_${name}_RUN)
    message(STATUS "${name}: not found, no libweir.so for it")
    return()
  endif()
  host_mpi_flags_of(${HOST_MPI_${name}_CC} words)
  set(includes)
  set(directories)
  foreach(word IN LISTS words)
    if(word MATCHES "^-I(.+)")
      list(APPEND includes ${CMAKE_MATCH_1})
    elseif(word MATCHES "^-L(.+)")
      list(APPEND directories ${CMAKE_MATCH_1})
    elseif(word MATCHES "^-l(mpi|mpich)$")
      set(library ${CMAKE_MATCH_1})
    endif()
  endforeach()
  find_library(HOST_MPI_${name}_LIBRARY NAMES ${library} HINTS ${directories})
  if(NOT HOST_MPI_${name}_LIBRARY)
    message(STATUS "${name}: lib${library} not found, no libweir.so for it")
    return()
  endif()
  add_library(host_mpi::${name} INTERFACE IMPORTED)
  target_include_directories(host_mpi::${name} INTERFACE ${includes})
  target_link_libraries(host_mpi::${name} INTERFACE ${HOST_MPI_${name}_LIBRARY})
  target_compile_definitions(host_mpi::${name} INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)

  set(CMAKE_REQUIRED_INCLUDES ${includes})
  set(CMAKE_REQUIRED_LIBRARIES ${HOST_MPI_${name}_LIBRARY})
  set(CMAKE_REQUIRED_DEFINITIONS -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX)
  check_cxx_source_compiles(
    "#include <mpi.h>\nint main() { return MPI_File_read_c(MPI_FILE_NULL, nullptr, 0, MPI_BYTE, nullptr); }"
    HOST_MPI_${name}_LARGE_COUNTS)
  set(HOST_MPIS ${HOST_MPIS} ${name} PARENT_SCOPE)
  message(STATUS "${name}: ${HOST_MPI_${name}_LIBRARY}")
endfunction()

set(HOST_MPIS)
foreach(name IN LISTS WEIR_MPIS)
  host_mpi_find(${name})
endforeach()
