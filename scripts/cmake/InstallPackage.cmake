# Installs the package genomamba (find_package(genomamba) gives genomamba::core ... genomamba::pipeline; pkg-config
# genomamba all of it), the bundled models, and the licences.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/genomamba)
install(EXPORT genomambaTargets NAMESPACE genomamba:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/scripts/cmake/genomambaConfig.cmake.in
  ${PROJECT_BINARY_DIR}/genomambaConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/genomambaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/genomambaConfig.cmake ${PROJECT_BINARY_DIR}/genomambaConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/scripts/cmake/FindLibBigWig.cmake
  DESTINATION ${package_dir})

# Upper layers first, as the linker reads them.
get_property(libraries GLOBAL PROPERTY GENOMAMBA_LIBRARIES)
list(REVERSE libraries)
list(TRANSFORM libraries PREPEND "-lgenomamba_")
list(JOIN libraries " " library_flags)
file(RELATIVE_PATH relative_prefix "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
configure_file(${PROJECT_SOURCE_DIR}/scripts/cmake/genomamba.pc.in ${PROJECT_BINARY_DIR}/genomamba.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/genomamba.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/data/models DESTINATION ${CMAKE_INSTALL_DATADIR}/genomamba)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/CITATION.cff
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/data/licenses ${PROJECT_SOURCE_DIR}/apps/docs
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
