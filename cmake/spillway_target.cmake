# Headers are included as <spillway/hw/...>. A link in the build folder gives that path without
# putting the repository root on the include path, where <tlm> would find our folder.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include)
file(CREATE_LINK ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/include/spillway SYMBOLIC)

function(spillway_options target)
  target_compile_features(${target} PUBLIC cxx_std_17)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow
    $<$<BOOL:${SPILLWAY_WERROR}>:-Werror>)
  if(SPILLWAY_SANITIZE)
    # g++ takes the code that its sanitizers add for uses of uninitialised variables.
    target_compile_options(${target} PRIVATE -fsanitize=${SPILLWAY_SANITIZE} -fno-omit-frame-pointer
      $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    target_link_options(${target} PUBLIC -fsanitize=${SPILLWAY_SANITIZE})
  endif()
endfunction()

# spillway_library(NAME SOURCES... ): static library spillway_NAME, exported as spillway::NAME
function(spillway_library name)
  add_library(spillway_${name} STATIC ${ARGN})
  add_library(spillway::${name} ALIAS spillway_${name})
  set_target_properties(spillway_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_include_directories(spillway_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  spillway_options(spillway_${name})
endfunction()
