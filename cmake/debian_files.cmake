# Run by CPack on what was installed for each package, before it is packed: the copyright and the changelog that every
# package of Debian has, pages compressed, no second licence, the completions of zsh where Debian's looks for them.
find_program(GZIP gzip REQUIRED)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr)
  file(MAKE_DIRECTORY ${root}/share/doc/${package})
  file(READ ${CPACK_SPILLWAY_SOURCE}/CHANGELOG.md changes)
  file(WRITE ${root}/share/doc/${package}/changelog "${changes}")
  file(STRINGS ${CPACK_SPILLWAY_SOURCE}/tb/report/page/dygraphs.licence dygraphs)
  list(TRANSFORM dygraphs REPLACE "^$" ".")
  list(TRANSFORM dygraphs PREPEND " ")
  list(JOIN dygraphs "\n" dygraphs)
  file(WRITE ${root}/share/doc/${package}/copyright
    "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Spillway

Files: *
Copyright: The Spillway developers
License: Apache-2.0
 On Debian systems, the text of this licence is in
 /usr/share/common-licenses/Apache-2.0.

Files: tb/report/page/dygraphs*
Copyright: the authors of dygraphs
License: MIT
${dygraphs}
")
  if(EXISTS ${CPACK_SPILLWAY_BUILD}/fstapi.licence)
    file(STRINGS ${CPACK_SPILLWAY_BUILD}/fstapi.licence fstapi)
    list(TRANSFORM fstapi REPLACE "^ *$" ".")
    list(TRANSFORM fstapi PREPEND " ")
    list(JOIN fstapi "\n" fstapi)
    file(APPEND ${root}/share/doc/${package}/copyright
      "
Files: tb/report/fst_code.cpp
Copyright: the authors of GTKWave's fstapi, of LZ4 and of FastLZ, whose code it includes
License: MIT and BSD-2-Clause
${fstapi}
")
  endif()
  file(REMOVE ${root}/share/doc/spillway/LICENSE)
  if(EXISTS ${root}/share/zsh/site-functions)
    file(RENAME ${root}/share/zsh/site-functions ${root}/share/zsh/vendor-completions)
  endif()
  file(GLOB pages ${root}/share/man/man1/*.1)
  execute_process(COMMAND ${GZIP} -9nf ${pages} ${root}/share/doc/${package}/changelog COMMAND_ERROR_IS_FATAL ANY)
endforeach()
