# Debian packages of what `cmake --preset package` builds, by `cpack -G DEB` in its folder: libspillway0.1,
# libspillway-dev and spillway. Static libraries need no package to run with: then there are two.
set(SPILLWAY_PACKAGE_CONTACT "The Spillway developers" CACHE STRING "Maintainer of the packages: NAME <ADDRESS>")
set(interface ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(library libspillway${interface})

set(CPACK_PACKAGE_NAME spillway)
set(CPACK_PACKAGE_VENDOR Spillway)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT ${SPILLWAY_PACKAGE_CONTACT})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL library development)
if(NOT BUILD_SHARED_LIBS)
  set(CPACK_COMPONENTS_ALL development)
endif()
if(TARGET spillway)
  list(APPEND CPACK_COMPONENTS_ALL command)
endif()

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY >=)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(private)  # where the build has our own libraries
foreach(target IN LISTS spillway_installed)
  list(APPEND private $<TARGET_FILE_DIR:${target}>)
endforeach()
list(REMOVE_DUPLICATES private)

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${library})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/triggers)
set(models "SystemC models of switches, routers and network interfaces, cycle by cycle,
and of the networks that are made of them. This package has what programs
that use them")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "${models} need to run.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libspillway-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "${models} are built
with, the pages and the examples.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libsystemc-dev, libboost-dev, libexpat1-dev, libyaml-cpp-dev, libfmt-dev, nlohmann-json3-dev, libcli11-dev")
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME spillway)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMMAND_DESCRIPTION "Runs experiments on interconnection networks that survive hot spots, checks
that they are free of deadlock, draws and compares results, and reproduces
those of papers.")
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "gnuplot-nox, graphviz")
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "gtkwave, python3-pandas, libspillway-dev")
if(BUILD_SHARED_LIBS)
  set(same "${library} (= ${PROJECT_VERSION})")
  string(PREPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${same}, ")
  set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "${same}")
endif()

# What Debian wants in each package, and where it looks for completions of zsh.
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/spillway_debian_private.cmake
  CONTENT "set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS \"${private}\")\n")
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/spillway_debian_private.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_files.cmake)
set(CPACK_SPILLWAY_SOURCE ${PROJECT_SOURCE_DIR})
set(CPACK_SPILLWAY_BUILD ${PROJECT_BINARY_DIR})
include(CPack)
