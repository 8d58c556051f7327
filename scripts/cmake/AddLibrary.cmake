# genomamba_add_library(NAME SOURCES... [LINKS modules...] [PRIVATE_LINKS third-party targets...])
#
# Makes the static library genomamba_<NAME> with the alias genomamba::<NAME>. It exports lib/<NAME>/include and
# nothing else, so a header of a layer that is not linked cannot be included. LINKS are our own lower layers.
function(genomamba_add_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  set(target genomamba_${name})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(genomamba::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${name}
    POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    CXX_EXTENSIONS OFF)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target}
    PUBLIC
      $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(layer IN LISTS arg_LINKS)
    target_link_libraries(${target} PUBLIC genomamba::${layer})
  endforeach()
  target_link_libraries(${target} PRIVATE ${arg_PRIVATE_LINKS})
  genomamba_set_warnings(${target})
  genomamba_set_sanitizers(${target})
  set_property(GLOBAL APPEND PROPERTY GENOMAMBA_LIBRARIES ${name})
  install(TARGETS ${target} EXPORT genomambaTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endfunction()
