# SPDX-License-Identifier: Apache-2.0
# How a module, a test and the common compiler options are declared. The link graph is the layer table.

add_library(headroom_options INTERFACE)
target_compile_options(headroom_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wdouble-promotion -Wformat=2
  $<$<BOOL:${HEADROOM_WERROR}>:-Werror>)
if(HEADROOM_SANITIZE)
  add_compile_options(-fsanitize=${HEADROOM_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HEADROOM_SANITIZE})
endif()

# headroom_add_module(NAME SOURCES file... [DEPENDS module...] [PRIVATE library...])
# DEPENDS are modules whose public headers this module's public header or sources include.
function(headroom_add_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS;PRIVATE")
  set(target headroom_${name})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(headroom::${name} ALIAS ${target})
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  foreach(module IN LISTS arg_DEPENDS)
    target_link_libraries(${target} PUBLIC headroom_${module})
  endforeach()
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:headroom_options>)
  foreach(library IN LISTS arg_PRIVATE)
    if(library MATCHES "^(headroom_|nlohmann_json::)")  # Headers only: no business of a consumer.
      target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${library}>)
    else()
      target_link_libraries(${target} PRIVATE ${library})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY HEADROOM_MODULES ${target})
endfunction()

# headroom_add_test(MODULE SOURCES file... [DEPENDS module...] [LABEL unit|engine|golden|slow]
#                   [PRIVATE library...])  makes one test program, tests_MODULE[_LABEL].
function(headroom_add_test module)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL" "SOURCES;DEPENDS;PRIVATE")
  set(target tests_${module})
  if(NOT arg_LABEL)
    set(arg_LABEL unit)
  endif()
  if(NOT arg_LABEL STREQUAL "unit")
    set(target tests_${module}_${arg_LABEL})
  endif()
  add_executable(${target} ${arg_SOURCES})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src
                                               ${PROJECT_SOURCE_DIR}/tests)
  foreach(dependency IN LISTS arg_DEPENDS)
    target_link_libraries(${target} PRIVATE headroom_${dependency})
  endforeach()
  target_link_libraries(${target} PRIVATE headroom_${module} headroom_options GTest::gmock
                                          GTest::gtest_main ${arg_PRIVATE})
  target_compile_definitions(${target} PRIVATE
    HEADROOM_TESTDATA="${PROJECT_SOURCE_DIR}/testdata"
    HEADROOM_CORPUS="${PROJECT_SOURCE_DIR}/.deps/corpus")
  gtest_discover_tests(${target} TEST_PREFIX "${module}." DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${arg_LABEL} TIMEOUT 300)
endfunction()
