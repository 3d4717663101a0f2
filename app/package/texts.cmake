# The man page and the completions of the shells, which the program prints from its own table of verbs and options.
set(texts ${CMAKE_CURRENT_BINARY_DIR})
find_program(GZIP_EXECUTABLE gzip REQUIRED)

add_custom_command(OUTPUT ${texts}/attention-lab.1.gz
  COMMAND attention-lab man > attention-lab.1
  COMMAND ${GZIP_EXECUTABLE} -9 -n -k -f attention-lab.1
  DEPENDS attention-lab WORKING_DIRECTORY ${texts} VERBATIM)
install(FILES ${texts}/attention-lab.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)

# completion(SHELL FILE FOLDER): FILE is the name that SHELL looks for in FOLDER.
function(completion shell file folder)
  add_custom_command(OUTPUT ${texts}/${shell}/${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${shell}
    COMMAND attention-lab completions ${shell} > ${shell}/${file}
    DEPENDS attention-lab WORKING_DIRECTORY ${texts} VERBATIM)
  install(FILES ${texts}/${shell}/${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} COMPONENT program)
endfunction()

completion(bash attention-lab bash-completion/completions)
completion(zsh _attention-lab zsh/vendor-completions)
completion(fish attention-lab.fish fish/vendor_completions.d)

add_custom_target(package_texts ALL DEPENDS ${texts}/attention-lab.1.gz ${texts}/bash/attention-lab
  ${texts}/zsh/_attention-lab ${texts}/fish/attention-lab.fish)
