# Script, run at every build: asks git for the revision and writes build_info.h, but only if something changed, so that
# a build without changes compiles nothing.
#   cmake -DSOURCE=… -DOUTPUT=… -DREPOSE_VERSION=… … -P build_info.cmake
set(REPOSE_REVISION unknown)
find_program(GIT_PROGRAM git)
# A checkout inside somebody else's repository must not report that one's revision: .git has to be ours.
if(GIT_PROGRAM AND EXISTS ${SOURCE}/.git)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env GIT_OPTIONAL_LOCKS=0 ${GIT_PROGRAM} describe --always --abbrev=40 --exclude=* --dirty
    WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
    RESULT_VARIABLE failed)
  if(NOT failed AND revision)
    set(REPOSE_REVISION ${revision})
  endif()
endif()
# Flags as one line of text that can stand in a C string and names no folder of this machine.
string(REGEX REPLACE "/[^ =:;]*" "" REPOSE_FLAGS "${REPOSE_FLAGS}")
string(REGEX REPLACE "[ ;]+" " " REPOSE_FLAGS "${REPOSE_FLAGS}")
string(STRIP "${REPOSE_FLAGS}" REPOSE_FLAGS)
string(REGEX REPLACE "([\"\\\\])" "\\\\\\1" REPOSE_FLAGS "${REPOSE_FLAGS}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/build_info.h.in ${OUTPUT} @ONLY)
