# SPDX-License-Identifier: Apache-2.0
# Installs the program, the public headers and the modules with their export set.
install(TARGETS headroom RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/headroom DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
