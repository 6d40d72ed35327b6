# Fails unless FILE is what PROGRAM prints for `list OPTION`.
execute_process(COMMAND ${PROGRAM} list ${OPTION} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
file(READ ${FILE} text)
if(NOT text STREQUAL printed)
  message(FATAL_ERROR "${FILE} is out of date: write it with\n  cmake --build build/release --target reference")
endif()
