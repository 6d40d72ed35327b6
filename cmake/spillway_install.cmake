# Installs every library of hw/, tlm/, platforms/ and tb/, their headers as <spillway/hw/...>, the
# command, and what find_package(spillway) and pkg-config need.
if(NOT SPILLWAY_INSTALL)
  return()
endif()
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

set(spillway_installed)
set(SPILLWAY_PC_LIBS)
foreach(folder IN ITEMS hw tlm platforms tb)
  spillway_targets_of(${PROJECT_SOURCE_DIR}/${folder} targets)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL STATIC_LIBRARY)
      list(APPEND spillway_installed ${target})
      if(NOT folder STREQUAL hw)
        string(APPEND SPILLWAY_PC_LIBS " -l${target}")
      endif()
    endif()
  endforeach()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/spillway
    FILES_MATCHING PATTERN "*.hpp")
endforeach()
if(TARGET spillway)
  install(TARGETS spillway RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(TARGETS ${spillway_installed} EXPORT spillwayTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/spillway)
install(EXPORT spillwayTargets NAMESPACE spillway:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/spillway-config.cmake.in
  ${PROJECT_BINARY_DIR}/spillway-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/spillway-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/spillway-config.cmake ${PROJECT_BINARY_DIR}/spillway-config-version.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FindSystemC.cmake DESTINATION ${package_dir})

# From lib/pkgconfig to the prefix: the installed tree can be moved.
file(RELATIVE_PATH SPILLWAY_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
foreach(package IN ITEMS spillway-hw spillway)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${package}.pc.in ${PROJECT_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

if(EXISTS ${PROJECT_SOURCE_DIR}/yaml)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/yaml/ DESTINATION ${CMAKE_INSTALL_DATADIR}/spillway/yaml)
endif()
