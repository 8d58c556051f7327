# genomamba_add_help_files(): the man page and the completion files of every app, written by the apps from their own
# option definitions, and installed.
function(genomamba_add_help_files)
  if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    message(STATUS "The apps do not run here: no man pages and no shell completion are installed")
    return()
  endif()
  get_property(apps GLOBAL PROPERTY GENOMAMBA_APPS)
  set(files "")
  foreach(app IN LISTS apps)
    # format, folder, file: where each shell and man look for them
    foreach(form
        "man,${CMAKE_INSTALL_MANDIR}/man1,${app}.1"
        "bash,${CMAKE_INSTALL_DATADIR}/bash-completion/completions,${app}"
        "zsh,${CMAKE_INSTALL_DATADIR}/zsh/site-functions,_${app}"
        "fish,${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d,${app}.fish")
      string(REPLACE "," ";" form "${form}")
      list(GET form 0 format)
      list(GET form 1 folder)
      list(GET form 2 name)
      set(file "${PROJECT_BINARY_DIR}/help/${format}/${name}")
      file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/help/${format}")
      add_custom_command(OUTPUT "${file}" COMMAND ${app} --help-as ${format} > "${file}" DEPENDS ${app} VERBATIM)
      install(FILES "${file}" DESTINATION "${folder}")
      list(APPEND files "${file}")
    endforeach()
  endforeach()
  add_custom_target(genomamba_help_files ALL DEPENDS ${files})
endfunction()
