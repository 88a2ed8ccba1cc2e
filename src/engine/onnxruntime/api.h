// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime's C++ interface, its table of functions fetched by the engine and not before main.
#pragma once

#define ORT_API_MANUAL_INIT
#include <onnxruntime_cxx_api.h>
#undef ORT_API_MANUAL_INIT
