# `cmake --build build/release --target docs` makes pages of the declarations and README files, in
# build/release/docs/html, with Doxygen (package doxygen; optional).
find_package(Doxygen QUIET)
if(NOT DOXYGEN_FOUND)
  add_custom_target(docs COMMAND ${CMAKE_COMMAND} -E echo "needs Doxygen (package doxygen)"
    COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
  return()
endif()
set(DOXYGEN_PROJECT_NAME "Attention Lab")
set(DOXYGEN_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/docs)
set(DOXYGEN_USE_MDFILE_AS_MAINPAGE ${PROJECT_SOURCE_DIR}/README.md)
set(DOXYGEN_FILE_PATTERNS *.h *.md)
set(DOXYGEN_EXCLUDE_PATTERNS */tests/* */guide/*)
set(DOXYGEN_STRIP_FROM_PATH ${PROJECT_SOURCE_DIR})
set(DOXYGEN_JAVADOC_AUTOBRIEF YES)
set(DOXYGEN_EXTRACT_ALL YES)
set(DOXYGEN_GENERATE_TREEVIEW YES)
set(DOXYGEN_HAVE_DOT NO)
set(DOXYGEN_QUIET YES)
# Comments are plain text with an occasional formula, some of which Doxygen takes for its commands.
set(DOXYGEN_WARNINGS NO)
doxygen_add_docs(docs README.md core app .github WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  COMMENT "Pages of the declarations, in ${CMAKE_BINARY_DIR}/docs/html")
