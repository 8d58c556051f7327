# genomamba_add_test(NAME SOURCES... LINKS targets... [LABELS labels...]): one Catch2 executable, each TEST_CASE a test.
function(genomamba_add_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINKS} genomamba_test_support)
  target_precompile_headers(${name} REUSE_FROM genomamba_test_support)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)  # as in tests/support: the headers must fit
  genomamba_set_warnings(${name})
  genomamba_set_sanitizers(${name})
  catch_discover_tests(${name} TEST_PREFIX "${name}/" PROPERTIES LABELS "${arg_LABELS}" DISCOVERY_TIMEOUT 60)
endfunction()
