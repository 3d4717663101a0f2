# Writes OUTPUT, a C++ source with the parts of the page as string literals, from the files in FOLDER.
file(READ ${FOLDER}/page.html PAGE)
file(READ ${FOLDER}/page.css STYLE)
set(SCRIPT "")
foreach(part numbers colours map page compare events)
  file(READ ${FOLDER}/${part}.js text)
  string(APPEND SCRIPT "${text}")
endforeach()
configure_file(${FOLDER}/page_parts.cpp.in ${OUTPUT} @ONLY)
