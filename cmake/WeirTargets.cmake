# What every weir target has in common, and the kinds of targets the tree is made of.

add_library(weir_flags INTERFACE)
target_compile_options(weir_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                                            -Wnon-virtual-dtor -Woverloaded-virtual)
# Without what GCC 12 says by mistake of copied strings (its bug 105651), more so from precompiled headers.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(weir_flags INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow
                                              -Wno-stringop-overread)
endif()
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

# Headers that most sources include, compiled once: for the layers by weir_format, for the tests by test_layout.
# Every source includes what it needs all the same; the preset `tidy` compiles without.
set(WEIR_COMMON_HEADERS <algorithm> <array> <atomic> <chrono> <cstdint> <functional> <memory> <mutex> <optional> <span>
                        <string> <string_view> <vector> <fmt/format.h>)

# weir_quick_code(TARGET): compiled quickly, since nobody waits for it to run: half the time where templates are many.
# With sanitizers, the preset says how.
function(weir_quick_code target)
  if(NOT WEIR_SANITIZE)
    target_compile_options(${target} PRIVATE -O1 -g1)
  endif()
endfunction()

# weir_layer(NAME SOURCES... [LINK TARGETS...] [QUICK]): one layer of the house as a static library; QUICK: compiled
# quickly, with headers of its own, since newer GCC takes none that were compiled otherwise.
# Everything is compiled with hidden visibility: libweir.so exports only what its entry points ask for.
function(weir_layer name)
  cmake_parse_arguments(LAYER "QUICK" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${LAYER_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC weir_flags ${LAYER_LINK})
  set_target_properties(${name} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  if(LAYER_QUICK)
    weir_quick_code(${name})
  endif()
  if(name STREQUAL "weir_format" OR LAYER_QUICK)
    target_precompile_headers(${name} PRIVATE ${WEIR_COMMON_HEADERS})
  else()
    target_precompile_headers(${name} REUSE_FROM weir_format)
  endif()
endfunction()

# weir_test_code(TARGET): compiled as tests are: quickly, with GoogleTest at hand.
function(weir_test_code target)
  weir_quick_code(${target})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  if(target STREQUAL "test_layout")
    target_precompile_headers(${target} PRIVATE ${WEIR_COMMON_HEADERS} <gmock/gmock.h> <gtest/gtest.h>)
  else()
    target_precompile_headers(${target} REUSE_FROM test_layout)
  endif()
endfunction()

# weir_test_parts(NAME SOURCES... [LINK TARGETS...]): what several tests share.
function(weir_test_parts name)
  cmake_parse_arguments(PARTS "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${PARTS_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC weir_flags ${PARTS_LINK} GTest::gmock)
  target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR}/tests)
  weir_test_code(${name})
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
  weir_test_code(${name})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${TEST_TIMEOUT} LABELS "unit;${TEST_LABELS}")
  if(TEST_RANKS)
    add_test(NAME ${name}.rendezvous COMMAND ${name})
    set_tests_properties(${name}.rendezvous PROPERTIES TIMEOUT ${TEST_TIMEOUT} LABELS "unit;${TEST_LABELS}"
                         ENVIRONMENT WEIR_TEST_DELIVERY=rendezvous)
  endif()
endfunction()
