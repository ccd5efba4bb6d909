# cmake --install BUILD --prefix DIR, then find_package(Polhode) and Polhode::polhode elsewhere.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set_target_properties(polhode PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
install(TARGETS polhode EXPORT PolhodeTargets)

# The kernels are compiled per instruction set with flags of their own; a program outside could not compile them right. The
# others left out are inside matters of assembly, statics and run files, and the only ones with Eigen or HDF5 in them.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/polhode DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
        PATTERN "kernels" EXCLUDE PATTERN "tree/assembler.h" EXCLUDE PATTERN "study/statics.h" EXCLUDE
        PATTERN "format/runs/h5*.h" EXCLUDE)
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
