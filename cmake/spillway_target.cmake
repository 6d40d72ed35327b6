# Headers are included as <spillway/hw/...>. A link in the build folder gives that path without
# putting the repository root on the include path, where <tlm> would find our folder.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include)
file(CREATE_LINK ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/include/spillway SYMBOLIC)

# What is fuzzed tells the fuzzer which way it went.
if(SPILLWAY_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "SPILLWAY_FUZZ needs clang++, found ${CMAKE_CXX_COMPILER_ID}")
  endif()
  set(SPILLWAY_SANITIZE fuzzer-no-link,address,undefined)
endif()

function(spillway_options target)
  target_compile_features(${target} PUBLIC cxx_std_17)
  # Nobody replaces a function of a library by one of his own: calls within a file may be inlined.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wredundant-decls -fno-semantic-interposition
    $<$<BOOL:${SPILLWAY_WERROR}>:-Werror>)
  if(SPILLWAY_SANITIZE)
    # g++ takes the code that its sanitizers add for uses of uninitialised variables.
    target_compile_options(${target} PRIVATE -fsanitize=${SPILLWAY_SANITIZE} -fno-omit-frame-pointer
      $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    target_link_options(${target} PUBLIC -fsanitize=${SPILLWAY_SANITIZE})
  endif()
endfunction()

# Large networks are millions of small objects: programs with an allocator made for these elaborate them a third faster,
# and begin in two thirds of the time.
add_library(spillway_allocator INTERFACE)
find_package(mimalloc QUIET)
if(mimalloc_FOUND AND NOT SPILLWAY_SANITIZE)
  target_sources(spillway_allocator INTERFACE ${PROJECT_SOURCE_DIR}/tb/command/allocator.cpp)
  target_link_libraries(spillway_allocator INTERFACE mimalloc)
endif()

set(libraries_without_systemc assignment config report reproduce sweep theory)

# Headers of others that many of our sources include, read once. Builds without it tell of an include
# that is missing.
function(spillway_precompile target library)
  set(headers <nlohmann/json.hpp> <algorithm> <deque> <filesystem> <functional> <map> <memory> <optional> <set> <string>
    <variant> <vector>)
  set(name spillway_precompiled)
  if(NOT library IN_LIST libraries_without_systemc)
    list(APPEND headers <systemc> <boost/graph/adjacency_list.hpp>)
    string(APPEND name _systemc)
  endif()
  if(NOT TARGET ${name})
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled.cpp CONTENT "")  # not newer each time CMake runs
    add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/precompiled.cpp)
    target_precompile_headers(${name} PRIVATE ${headers})
    if(name MATCHES systemc)
      target_link_libraries(${name} PRIVATE SystemC::systemc)
    endif()
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    spillway_options(${name})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${name})
endfunction()

# What every library of ours, and every part of it, is compiled with.
function(spillway_code target library)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(SPILLWAY_PRECOMPILE)
    spillway_precompile(${target} ${library})
  endif()
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  spillway_options(${target})
endfunction()

# spillway_library(NAME SOURCES... ): library spillway_NAME, static unless BUILD_SHARED_LIBS, exported as spillway::NAME
function(spillway_library name)
  add_library(spillway_${name} ${ARGN})
  add_library(spillway::${name} ALIAS spillway_${name})
  # One version of a library's interface a minor version. Its objects are those of a static one.
  set_target_properties(spillway_${name} PROPERTIES EXPORT_NAME ${name} DEFINE_SYMBOL ""
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  spillway_code(spillway_${name} ${name})
endfunction()

# spillway_part(LIBRARY NAME SOURCES...): a part of the library, as objects; it sees what the library links. Of the name of a
# mechanism: what the mechanism adds, so that a choice of other mechanisms compiles nothing anew.
function(spillway_part library name)
  set(part spillway_${library}_${name})
  add_library(${part} OBJECT ${ARGN})
  target_link_libraries(${part} PRIVATE $<TARGET_PROPERTY:spillway_${library},LINK_LIBRARIES>)
  spillway_code(${part} ${library})
  if(name IN_LIST SPILLWAY_ALL_MECHANISMS AND NOT name IN_LIST SPILLWAY_MECHANISMS)
    set_target_properties(${part} PROPERTIES EXCLUDE_FROM_ALL ON)
  else()
    target_sources(spillway_${library} PRIVATE $<TARGET_OBJECTS:${part}>)
  endif()
endfunction()

# Adds the folders that the mechanisms have at this level.
function(spillway_mechanism_folders)
  foreach(mechanism IN LISTS SPILLWAY_ALL_MECHANISMS)
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${mechanism}/CMakeLists.txt)
      add_subdirectory(${mechanism})
    endif()
  endforeach()
endfunction()

# Makes the list of the linked mechanisms known to the one file that names them all, as SPILLWAY_HAS_<NAME>.
# Only there, so that a choice of other mechanisms compiles that file alone.
function(spillway_lists_mechanisms file)
  foreach(mechanism IN LISTS SPILLWAY_ALL_MECHANISMS)
    string(TOUPPER ${mechanism} upper)
    if(mechanism IN_LIST SPILLWAY_MECHANISMS)
      set_property(SOURCE ${file} APPEND PROPERTY COMPILE_DEFINITIONS SPILLWAY_HAS_${upper}=1)
    else()
      set_property(SOURCE ${file} APPEND PROPERTY COMPILE_DEFINITIONS SPILLWAY_HAS_${upper}=0)
    endif()
  endforeach()
endfunction()

# --- which mechanisms there are, and which are linked
set(SPILLWAY_ALL_MECHANISMS)
macro(spillway_mechanism name)
  cmake_parse_arguments(SPILLWAY_${name} "" "" NEEDS ${ARGN})
  list(APPEND SPILLWAY_ALL_MECHANISMS ${name})
endmacro()
include(${CMAKE_CURRENT_LIST_DIR}/mechanisms.cmake)

# Not the list itself: a build folder would keep it, and leave out a mechanism that is new.
set(SPILLWAY_MECHANISMS "" CACHE STRING "Mechanisms that are linked; empty: all")
if(NOT SPILLWAY_MECHANISMS)
  set(SPILLWAY_MECHANISMS ${SPILLWAY_ALL_MECHANISMS})
endif()
foreach(mechanism IN LISTS SPILLWAY_MECHANISMS)
  if(NOT mechanism IN_LIST SPILLWAY_ALL_MECHANISMS)
    list(JOIN SPILLWAY_ALL_MECHANISMS ", " known)
    message(FATAL_ERROR "SPILLWAY_MECHANISMS: there is no mechanism '${mechanism}'; there are ${known}")
  endif()
  foreach(needed IN LISTS SPILLWAY_${mechanism}_NEEDS)
    if(NOT needed IN_LIST SPILLWAY_MECHANISMS)
      message(FATAL_ERROR "SPILLWAY_MECHANISMS: ${mechanism} needs ${needed}; add it, or leave out ${mechanism} too")
    endif()
  endforeach()
endforeach()
