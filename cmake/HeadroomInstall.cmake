# SPDX-License-Identifier: Apache-2.0
# Installs the program, the public headers and the modules, so that `find_package(headroom)` gives a
# C++ program all that the command line can do.
include(CMakePackageConfigHelpers)

get_property(modules GLOBAL PROPERTY HEADROOM_MODULES)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/headroom)
install(TARGETS headroom RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ${modules} EXPORT headroom ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET headroom_openvino)
  install(TARGETS headroom_openvino LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/headroom)
endif()
install(EXPORT headroom NAMESPACE headroom:: DESTINATION ${package_dir})
install(DIRECTORY include/headroom DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
configure_package_config_file(cmake/headroom-config.cmake.in
  ${CMAKE_BINARY_DIR}/headroom-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/headroom-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/headroom-config.cmake
              ${CMAKE_BINARY_DIR}/headroom-config-version.cmake cmake/FindOnnxRuntime.cmake
        DESTINATION ${package_dir})
