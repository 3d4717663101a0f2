# The Debian package: cpack -G DEB. Debian's own tool finds the packages of the libraries that the program is linked with.
set(ATTENTION_LAB_MAINTAINER "Attention Lab <attention-lab@example.org>" CACHE STRING
  "Who makes the Debian package, as its field Maintainer")
set(documents ${CMAKE_CURRENT_BINARY_DIR}/documents)
configure_file(changelog.in ${documents}/changelog @ONLY)
add_custom_command(OUTPUT ${documents}/changelog.gz
  COMMAND ${GZIP_EXECUTABLE} -9 -n -k -f changelog
  DEPENDS ${documents}/changelog WORKING_DIRECTORY ${documents} VERBATIM)

# The notices of what headers and static libraries put into the program, as Debian's packages of them have them.
set(compiled_in libimgui-dev libstb-dev libeigen3-dev nlohmann-json3-dev rapidjson-dev libcli11-dev libexpected-dev
  python3-glad)
set(notices)
foreach(package ${compiled_in})
  set(notice /usr/share/doc/${package}/copyright)
  if(EXISTS ${notice})
    list(APPEND notices ${notice})
  endif()
endforeach()
add_custom_command(OUTPUT ${documents}/compiled-in.gz
  COMMAND ${CMAKE_COMMAND} -E cat ${notices} > compiled-in
  COMMAND ${GZIP_EXECUTABLE} -9 -n -f compiled-in
  DEPENDS ${notices} WORKING_DIRECTORY ${documents} VERBATIM)
add_custom_target(package_documents ALL DEPENDS ${documents}/changelog.gz ${documents}/compiled-in.gz)
install(FILES copyright ${documents}/changelog.gz ${documents}/compiled-in.gz
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME attention-lab)
set(CPACK_PACKAGE_VERSION ${CMAKE_PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "${ATTENTION_LAB_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};attention-lab;program;/")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/variants)
set(CPACK_DEBIAN_PACKAGE_DEPENDS libgl1)  # opened at run time
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "fonts-inter, fonts-jetbrains-mono, fonts-dejavu-core, fonts-dejavu-extra, \
fonts-liberation, fonts-noto-core, fonts-droid-fallback, fonts-noto-color-emoji")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "multi-head attention with real, editable numbers
Attention Lab computes multi-head attention and whole transformers and shows
every number: type a sentence, edit embeddings and weights, and every heat
map follows. Any cell explains its own arithmetic.
.
It opens trained models in safetensors, trains small networks, exports
figures (PDF, SVG, PNG, LaTeX, HTML, animations) and numbers (safetensors,
NumPy, CSV), and has lessons in English and German. Everything works on the
command line too, without a display.")
include(CPack)
