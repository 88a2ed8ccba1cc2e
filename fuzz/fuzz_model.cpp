// SPDX-License-Identifier: Apache-2.0
// libFuzzer target over the readers of models and stored values, shape inference and counting.
#include <cstddef>
#include <cstdint>
#include <span>

#include "exercise_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  headroom::fuzz::exercise_model(std::as_bytes(std::span(data, size)));
  return 0;
}
