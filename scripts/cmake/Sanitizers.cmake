# genomamba_set_sanitizers(target): instruments a target as GENOMAMBA_SANITIZE asks.
function(genomamba_set_sanitizers target)
  if(GENOMAMBA_SANITIZE)
    string(REPLACE ";" "," list "${GENOMAMBA_SANITIZE}")
    target_compile_options(${target} PRIVATE -fsanitize=${list} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${list})
  endif()
endfunction()
