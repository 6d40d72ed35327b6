# Fails unless PAGE holds the text of PROGRAM, whole, as one ```cpp block.
file(READ ${PAGE} page)
file(READ ${PROGRAM} program)
string(FIND "${page}" "```cpp\n${program}```\n" place)
if(place EQUAL -1)
  message(FATAL_ERROR "${PAGE} does not show the text of ${PROGRAM}")
endif()
