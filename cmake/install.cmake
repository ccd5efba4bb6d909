# cmake --install BUILD --prefix DIR, then find_package(Polhode) and Polhode::polhode elsewhere.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set_target_properties(polhode PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
install(TARGETS polhode EXPORT PolhodeTargets)

# Public headers only. Which these are is looked up when installing, so that it is always what the headers say then.
install(CODE "set(source ${PROJECT_SOURCE_DIR}/src)
set(destination \${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR})")
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_headers.cmake)
install(FILES ${PROJECT_BINARY_DIR}/src/polhode/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/polhode)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Polhode)
install(EXPORT PolhodeTargets NAMESPACE Polhode:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/PolhodeConfig.cmake.in ${PROJECT_BINARY_DIR}/PolhodeConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/PolhodeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/PolhodeConfig.cmake ${PROJECT_BINARY_DIR}/PolhodeConfigVersion.cmake
        ${CMAKE_CURRENT_LIST_DIR}/FindCVODE.cmake ${CMAKE_CURRENT_LIST_DIR}/FindSerialHDF5.cmake DESTINATION ${package_dir})

if(TARGET polhode_cli)
  install(TARGETS polhode_cli)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/models DESTINATION ${CMAKE_INSTALL_DATADIR}/polhode OPTIONAL
        FILES_MATCHING PATTERN "*.pol")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
