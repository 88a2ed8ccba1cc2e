# SPDX-License-Identifier: Apache-2.0
# Finds the headers and the library of ONNX Runtime under ONNXRUNTIME_ROOT (variable or environment),
# else where `./dev setup` puts them. Defines OnnxRuntime::OnnxRuntime.
set(roots ${ONNXRUNTIME_ROOT} $ENV{ONNXRUNTIME_ROOT} ${PROJECT_SOURCE_DIR}/.deps/onnxruntime)
find_path(OnnxRuntime_INCLUDE_DIR onnxruntime_cxx_api.h HINTS ${roots}
          PATH_SUFFIXES include include/onnxruntime include/onnxruntime/core/session)
find_library(OnnxRuntime_LIBRARY NAMES onnxruntime libonnxruntime.so.1 HINTS ${roots}
             PATH_SUFFIXES lib lib64)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OnnxRuntime DEFAULT_MSG OnnxRuntime_LIBRARY
                                  OnnxRuntime_INCLUDE_DIR)
if(OnnxRuntime_FOUND AND NOT TARGET OnnxRuntime::OnnxRuntime)
  add_library(OnnxRuntime::OnnxRuntime SHARED IMPORTED)
  set_target_properties(OnnxRuntime::OnnxRuntime PROPERTIES
    IMPORTED_LOCATION ${OnnxRuntime_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${OnnxRuntime_INCLUDE_DIR}
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${OnnxRuntime_INCLUDE_DIR})
endif()
