# Installs the package genomamba (find_package(genomamba) gives genomamba::core ... genomamba::pipeline).
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/genomamba)
install(EXPORT genomambaTargets NAMESPACE genomamba:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/scripts/cmake/genomambaConfig.cmake.in
  ${PROJECT_BINARY_DIR}/genomambaConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/genomambaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/genomambaConfig.cmake ${PROJECT_BINARY_DIR}/genomambaConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/scripts/cmake/FindLibBigWig.cmake
  DESTINATION ${package_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/data/models DESTINATION ${CMAKE_INSTALL_DATADIR}/genomamba)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
