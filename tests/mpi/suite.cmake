# What the tests that run under mpiexec have in common: a harness library per host MPI, with what several suites share, and
# functions that build a program once per MPI and register it once per MPI and rank count.
include_guard(GLOBAL)

set(harness mpi_test.cc mpi_test_main.cc access_ops.cc request_ops.cc type_model.cc random_type.cc view_oracle.cc)
list(TRANSFORM harness PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
foreach(mpi IN LISTS TEST_MPIS)
  add_library(mpi_test_${mpi} STATIC ${harness})
  target_link_libraries(mpi_test_${mpi} PUBLIC weir_flags host_mpi::${mpi} GTest::gtest Threads::Threads
                                               ${CMAKE_DL_LIBS})
  target_include_directories(mpi_test_${mpi} PUBLIC ${CMAKE_CURRENT_LIST_DIR})
  target_compile_options(mpi_test_${mpi} PUBLIC -O1 -g1)
  set_target_properties(mpi_test_${mpi} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_precompile_headers(mpi_test_${mpi} PRIVATE ${WEIR_COMMON_HEADERS} <gtest/gtest.h> <mpi.h>)
endforeach()

# mpi_test_register(NAME MPI RANKS COMMAND PROGRAM [ARGUMENTS...] [TIMEOUT S] [LABELS ...] [ENVIRONMENT N=V...]
#                   [PRELOAD FILES...] [NO_WEIR]): one CTest test, NAME.MPI.RANKS, through the launcher.
# Without a libweir.so for this MPI nothing is registered. NO_WEIR: the program brings weir along itself. For abi_host
# (abi_hosts.cmake) it is one test under each of ABI_HOSTS, in the place of MPI.
function(mpi_test_register name mpi ranks)
  cmake_parse_arguments(ARG "NO_WEIR" "TIMEOUT" "COMMAND;LABELS;ENVIRONMENT;PRELOAD" ${ARGN})
  if(NOT TARGET weir_${mpi})
    return()
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  set(hosts ${mpi})
  if(mpi STREQUAL "abi_host")
    set(hosts ${ABI_HOSTS})
  endif()
  set(settings LAUNCH_IDLE=$<TARGET_FILE:bench_idle> LAUNCH_TIMEOUT=${ARG_TIMEOUT}
               "LAUNCH_PRELOAD=$<JOIN:${ARG_PRELOAD},:>")
  if(NOT ARG_NO_WEIR)
    list(APPEND settings LAUNCH_WEIR=$<TARGET_FILE:weir_${mpi}>)
  endif()
  math(EXPR limit "${ARG_TIMEOUT} + 20")
  set(processors ${ranks})
  if(ranks GREATER 2)
    set(processors 2)
  endif()
  foreach(host IN LISTS hosts)
    set(test ${name}.${host}.${ranks})
    add_test(NAME ${test} COMMAND ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/launch ${host} ${ranks}
                                  ${HOST_MPI_${host}_ENVIRONMENT} ${ARG_ENVIRONMENT} -- ${ARG_COMMAND})
    set_tests_properties(${test} PROPERTIES ENVIRONMENT "${settings};LAUNCH_MPIRUN=${HOST_MPI_${host}_RUN}"
                                            LABELS "mpi;${host};${ARG_LABELS}" TIMEOUT ${limit} PROCESSORS ${processors})
  endforeach()
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
  foreach(mpi IN LISTS TEST_MPIS)
    add_executable(${name}_${mpi} ${SUITE_SOURCES})
    target_link_libraries(${name}_${mpi} PRIVATE mpi_test_${mpi})
    set_target_properties(${name}_${mpi} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_precompile_headers(${name}_${mpi} REUSE_FROM mpi_test_${mpi})
    foreach(ranks IN LISTS SUITE_RANKS)
      mpi_test_register(${name} ${mpi} ${ranks} ${options}
                        COMMAND $<TARGET_FILE:${name}_${mpi}> ${SUITE_ARGUMENTS})
    endforeach()
  endforeach()
endfunction()
