# Fails unless PAGE is what PROGRAM says of the keys of an experiment file.
execute_process(COMMAND ${PROGRAM} list --reference OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
file(READ ${PAGE} page)
if(NOT page STREQUAL printed)
  message(FATAL_ERROR "${PAGE} is out of date: write it with\n  cmake --build build/release --target reference")
endif()
