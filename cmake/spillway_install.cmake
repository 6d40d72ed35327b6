# Installs the libraries of the components that are built, their headers as <spillway/hw/...>, the command with its
# pages and completions, the documentation, and what find_package(spillway) and pkg-config need. Three parts, which
# `cmake --install DIR --component NAME` installs alone: library (what programs need to run), development, command.
include(CMakePackageConfigHelpers)

# The targets that the folder and those below it define.
function(spillway_targets_of folder result)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    spillway_targets_of(${subfolder} more)
    list(APPEND targets ${more})
  endforeach()
  set(${result} ${targets} PARENT_SCOPE)
endfunction()

# The headers of a mechanism that is not linked stay out, too.
set(left_out)
foreach(mechanism IN LISTS SPILLWAY_ALL_MECHANISMS)
  if(NOT mechanism IN_LIST SPILLWAY_MECHANISMS)
    list(APPEND left_out PATTERN ${mechanism} EXCLUDE)
  endif()
endforeach()

set(spillway_installed)
set(SPILLWAY_PC_HW_LIBS)
set(SPILLWAY_PC_LIBS)
foreach(component IN LISTS SPILLWAY_COMPONENTS)
  set(libs SPILLWAY_PC_LIBS)
  if(component STREQUAL hw)
    set(libs SPILLWAY_PC_HW_LIBS)
  endif()
  spillway_targets_of(${PROJECT_SOURCE_DIR}/${component} targets)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(excluded ${target} EXCLUDE_FROM_ALL)
    if(type MATCHES "^(STATIC|SHARED)_LIBRARY$" AND NOT excluded)
      list(APPEND spillway_installed ${target})
      string(APPEND ${libs} " -l${target}")
    endif()
  endforeach()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${component} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/spillway
    COMPONENT development FILES_MATCHING PATTERN "*.hpp" ${left_out})
endforeach()
if(TARGET spillway)
  install(TARGETS spillway spillway-certify RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT command)
  install(FILES ${PROJECT_SOURCE_DIR}/docs/spillway-certify.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
endif()
install(TARGETS ${spillway_installed} EXPORT spillwayTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)

get_property(SPILLWAY_WRITES_FST GLOBAL PROPERTY SPILLWAY_WRITES_FST)
get_property(SPILLWAY_READS_BZIP2 GLOBAL PROPERTY SPILLWAY_READS_BZIP2)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/spillway)
install(EXPORT spillwayTargets NAMESPACE spillway:: DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/spillway-config.cmake.in
  ${PROJECT_BINARY_DIR}/spillway-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/spillway-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/spillway-config.cmake ${PROJECT_BINARY_DIR}/spillway-config-version.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FindSystemC.cmake ${CMAKE_CURRENT_LIST_DIR}/spillway_packages.cmake DESTINATION ${package_dir}
  COMPONENT development)

set(SPILLWAY_PC_COMPRESSION)
if(SPILLWAY_WRITES_FST)
  set(SPILLWAY_PC_COMPRESSION " -lz")
endif()
if(SPILLWAY_READS_BZIP2)
  string(APPEND SPILLWAY_PC_COMPRESSION " -lbz2")
endif()
# From lib/pkgconfig to the prefix: the installed tree can be moved.
file(RELATIVE_PATH SPILLWAY_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
set(packages spillway-hw)
# Accellera's CMake build of SystemC installs no systemc.pc: then its place is written down.
set(SPILLWAY_PC_SYSTEMC "Requires: systemc")
set(SPILLWAY_PC_SYSTEMC_CFLAGS)
set(SPILLWAY_PC_SYSTEMC_LIBS)
if(SystemCLanguage_FOUND)
  set(SPILLWAY_PC_SYSTEMC)
  get_target_property(includes SystemC::systemc INTERFACE_INCLUDE_DIRECTORIES)
  foreach(include IN LISTS includes)
    string(APPEND SPILLWAY_PC_SYSTEMC_CFLAGS " -I${include}")
  endforeach()
  get_target_property(definitions SystemC::systemc INTERFACE_COMPILE_DEFINITIONS)
  string(GENEX_STRIP "${definitions}" definitions)  # those for other systems
  foreach(definition IN LISTS definitions)
    if(definition)
      string(APPEND SPILLWAY_PC_SYSTEMC_CFLAGS " -D${definition}")
    endif()
  endforeach()
  set(SPILLWAY_PC_SYSTEMC_LIBS " -L${SystemCLanguage_LIBDIR} -Wl,-rpath,${SystemCLanguage_LIBDIR} -lsystemc -lpthread")
endif()
if(tb IN_LIST SPILLWAY_COMPONENTS)
  list(APPEND packages spillway)
endif()
foreach(package IN LISTS packages)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${package}.pc.in ${PROJECT_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endforeach()

if(tb IN_LIST SPILLWAY_COMPONENTS)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/yaml/ DESTINATION ${CMAKE_INSTALL_DATADIR}/spillway/yaml COMPONENT command)
  # Quick runs of the reproductions show the verdicts of full size.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/results/ DESTINATION ${CMAKE_INSTALL_DATADIR}/spillway/docs/results
    COMPONENT command)
  # Reports of runs have dygraphs in them.
  install(FILES ${PROJECT_SOURCE_DIR}/tb/report/page/dygraphs.licence DESTINATION ${CMAKE_INSTALL_DOCDIR}
    COMPONENT command)
  if(SPILLWAY_WRITES_FST)
    install(FILES ${PROJECT_BINARY_DIR}/fstapi.licence DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
  endif()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/tb/python/ DESTINATION ${CMAKE_INSTALL_DATADIR}/spillway/python COMPONENT command
    FILES_MATCHING PATTERN "*.py")
endif()

# The pages link to each other, and to the examples beside them, as they do in the sources.
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/LICENSE
  ${PROJECT_SOURCE_DIR}/CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs COMPONENT development
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN results EXCLUDE PATTERN examples EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs COMPONENT development
  PATTERN __pycache__ EXCLUDE)
install(CODE "set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
set(pages ${CMAKE_INSTALL_DOCDIR})
set(headers ${CMAKE_INSTALL_INCLUDEDIR}/spillway)
set(data ${CMAKE_INSTALL_DATADIR}/spillway)" COMPONENT development)
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/installed_links.cmake COMPONENT development)
if(PROJECT_IS_TOP_LEVEL)
  include(spillway_debian)
endif()
