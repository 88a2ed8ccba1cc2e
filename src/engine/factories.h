// SPDX-License-Identifier: Apache-2.0
// How list.cpp makes each engine. Every engine defines its function in its own folder.
#pragma once

#include <headroom/engine.h>

#include <memory>

namespace headroom {

std::unique_ptr<Engine> make_onnxruntime_engine();
std::unique_ptr<Engine> make_openvino_engine();
std::unique_ptr<Engine> make_null_engine();
std::unique_ptr<Engine> make_scripted_engine();

}  // namespace headroom
