# What every weir target has in common, and the two kinds of targets the tree is made of.

add_library(weir_flags INTERFACE)
target_compile_options(weir_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                            -Wnon-virtual-dtor -Woverloaded-virtual)
if(WEIR_WERROR)
  target_compile_options(weir_flags INTERFACE -Werror)
endif()
if(WEIR_SANITIZE)
  target_compile_options(weir_flags INTERFACE -fsanitize=${WEIR_SANITIZE} -fno-omit-frame-pointer
                                              -fno-sanitize-recover=all)
  target_link_options(weir_flags INTERFACE -fsanitize=${WEIR_SANITIZE})
endif()
target_include_directories(weir_flags INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
# Only the headers of fmt: src/format/ compiles what they declare.
get_target_property(fmt_headers fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
target_include_directories(weir_flags SYSTEM INTERFACE ${fmt_headers})

# weir_layer(NAME SOURCES... [LINK TARGETS...]): one layer of the house as a static library.
# Everything is compiled with hidden visibility: libweir.so exports only what its entry points ask for.
function(weir_layer name)
  cmake_parse_arguments(LAYER "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${LAYER_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC weir_flags ${LAYER_LINK})
  set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# weir_test(NAME SOURCES... [LINK TARGETS...] [LABELS LABELS...] [TIMEOUT SECONDS] [RANKS]): a GoogleTest program
# registered as one CTest test. RANKS: its ranks as threads send messages; NAME.rendezvous runs it once more, with
# messages that move only while both ranks see to it (comm/thread_comm.h).
function(weir_test name)
  cmake_parse_arguments(TEST "RANKS" "TIMEOUT" "LINK;LABELS" ${ARGN})
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 120)
  endif()
  add_executable(${name} ${TEST_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE weir_flags ${TEST_LINK} GTest::gmock GTest::gtest_main Threads::Threads)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${TEST_TIMEOUT} LABELS "unit;${TEST_LABELS}")
  if(TEST_RANKS)
    add_test(NAME ${name}.rendezvous COMMAND ${name})
    set_tests_properties(${name}.rendezvous PROPERTIES TIMEOUT ${TEST_TIMEOUT} LABELS "unit;${TEST_LABELS}"
                         ENVIRONMENT WEIR_TEST_DELIVERY=rendezvous)
  endif()
endfunction()
