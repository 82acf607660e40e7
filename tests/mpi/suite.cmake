# What the tests that run under mpiexec have in common: a harness library and an idle shim per host MPI, and
# functions that build a program once per MPI and register it once per MPI and rank count.
include_guard(GLOBAL)


foreach(mpi IN LISTS HOST_MPIS)
  add_library(mpi_test_${mpi} STATIC ${CMAKE_CURRENT_LIST_DIR}/mpi_test.cc
                                     ${CMAKE_CURRENT_LIST_DIR}/mpi_test_main.cc)
  target_link_libraries(mpi_test_${mpi} PUBLIC weir_flags host_mpi::${mpi} GTest::gtest Threads::Threads
                                               ${CMAKE_DL_LIBS})
  target_include_directories(mpi_test_${mpi} PUBLIC ${CMAKE_CURRENT_LIST_DIR})
  # Without the warning about string concatenation that GCC 12 gives by mistake (its bug 105651); -O1 for speed.
  target_compile_options(mpi_test_${mpi} PUBLIC $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> -O1)
endforeach()

# mpi_test_register(NAME MPI RANKS COMMAND PROGRAM [ARGUMENTS...] [TIMEOUT S] [LABELS ...] [ENVIRONMENT N=V...]
#                   [PRELOAD FILES...] [NO_WEIR]): one CTest test, NAME.MPI.RANKS, through the launcher.
# Without a libweir.so for this MPI nothing is registered. NO_WEIR: the program brings weir along itself.
function(mpi_test_register name mpi ranks)
  cmake_parse_arguments(ARG "NO_WEIR" "TIMEOUT" "COMMAND;LABELS;ENVIRONMENT;PRELOAD" ${ARGN})
  if(NOT TARGET weir_${mpi})
    return()
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  set(test ${name}.${mpi}.${ranks})
  add_test(NAME ${test} COMMAND ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/launch ${mpi} ${ranks} ${ARG_ENVIRONMENT} -- ${ARG_COMMAND})
  set(settings LAUNCH_IDLE=$<TARGET_FILE:bench_idle> LAUNCH_MPIRUN=${HOST_MPI_${mpi}_RUN}
               LAUNCH_TIMEOUT=${ARG_TIMEOUT} "LAUNCH_PRELOAD=$<JOIN:${ARG_PRELOAD},:>")
  if(NOT ARG_NO_WEIR)
    list(APPEND settings LAUNCH_WEIR=$<TARGET_FILE:weir_${mpi}>)
  endif()
  math(EXPR limit "${ARG_TIMEOUT} + 20")
  set(processors ${ranks})
  if(ranks GREATER 2)
    set(processors 2)
  endif()
  set_tests_properties(${test} PROPERTIES ENVIRONMENT "${settings}" LABELS "mpi;${mpi};${ARG_LABELS}"
                                          TIMEOUT ${limit} PROCESSORS ${processors})
endfunction()

# mpi_test_program(TARGET MPI SOURCES...): a plain MPI program, without GoogleTest.
function(mpi_test_program target mpi)
  add_executable(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE weir_flags host_mpi::${mpi})
endfunction()

# mpi_test_suite(NAME SOURCES... RANKS N... [ARGUMENTS ...] [TIMEOUT S] [LABELS ...] ...): a GoogleTest program
# per host MPI (NAME_MPI), run on each number of ranks. The other options are those of mpi_test_register.
function(mpi_test_suite name)
  cmake_parse_arguments(SUITE "" "TIMEOUT" "SOURCES;RANKS;ARGUMENTS;LABELS;ENVIRONMENT;PRELOAD" ${ARGN})
  set(options)
  foreach(option TIMEOUT LABELS ENVIRONMENT PRELOAD)
    if(SUITE_${option})
      list(APPEND options ${option} ${SUITE_${option}})
    endif()
  endforeach()
  foreach(mpi IN LISTS HOST_MPIS)
    add_executable(${name}_${mpi} ${SUITE_SOURCES})
    target_link_libraries(${name}_${mpi} PRIVATE mpi_test_${mpi})
    foreach(ranks IN LISTS SUITE_RANKS)
      mpi_test_register(${name} ${mpi} ${ranks} ${options}
                        COMMAND $<TARGET_FILE:${name}_${mpi}> ${SUITE_ARGUMENTS})
    endforeach()
  endforeach()
endfunction()
