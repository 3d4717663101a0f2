# What a desktop needs to show and start the program: its entry, icons, the types of its files, its description.
set(ATTENTION_LAB_SITE "https://example.org/attention-lab" CACHE STRING
  "The address of the program's page, below which its description finds screenshots/")
set(desktop ${PROJECT_SOURCE_DIR}/assets/desktop)
set(icons ${CMAKE_CURRENT_BINARY_DIR}/icons)

configure_file(${desktop}/metainfo.xml.in ${CMAKE_CURRENT_BINARY_DIR}/org.example.attention_lab.metainfo.xml @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/org.example.attention_lab.metainfo.xml
  DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo COMPONENT program)
install(FILES ${desktop}/attention-lab.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT program)
install(FILES ${desktop}/mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages
  RENAME attention-lab.xml COMPONENT program)

# icon(FOLDER NAME SOURCE SIZE...): an icon of the theme hicolor, drawn in these sizes from a file of assets/desktop.
find_program(RSVG_CONVERT_EXECUTABLE rsvg-convert)
set(drawn)
function(icon folder name source)
  foreach(size ${ARGN})
    set(picture ${icons}/${size}/${name}.png)
    add_custom_command(OUTPUT ${picture}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${icons}/${size}
      COMMAND ${RSVG_CONVERT_EXECUTABLE} -w ${size} -h ${size} -o ${picture} ${desktop}/${source}.svg
      DEPENDS ${desktop}/${source}.svg VERBATIM)
    install(FILES ${picture} DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/${size}x${size}/${folder}
      COMPONENT program)
    list(APPEND drawn ${picture})
  endforeach()
  set(drawn ${drawn} PARENT_SCOPE)
endfunction()

set(type_icon application-x-attention-lab-session)
install(FILES ${desktop}/attention-lab.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps
  COMPONENT program)
install(FILES ${desktop}/session.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/mimetypes
  RENAME ${type_icon}.svg COMPONENT program)
# Where the tool is missing, the drawings alone are installed, which desktops scale themselves.
if(RSVG_CONVERT_EXECUTABLE)
  icon(apps attention-lab attention-lab-small 16 22 24)
  icon(apps attention-lab attention-lab 32 48 64 128 256)
  icon(mimetypes ${type_icon} session 16 32 48 64 128 256)
  add_custom_target(package_icons ALL DEPENDS ${drawn})
endif()
