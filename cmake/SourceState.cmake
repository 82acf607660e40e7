# cmake -DSOURCE=DIRECTORY -DHEADER=FILE -P SourceState.cmake: writes a header that names the state of the sources, as git
# describes it; empty where there is no git. The header is touched only where that changed.
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty OUTPUT_VARIABLE state ERROR_QUIET
                RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE)
if(failed)
  set(state "")
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#pragma once\n#define WEIR_SOURCE_STATE \"@state@\"\n" @ONLY)
