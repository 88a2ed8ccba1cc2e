// SPDX-License-Identifier: Apache-2.0
// Which of ONNX Runtime's failures mean a bad file, a missing ability, or a failure of the engine.
#include "engine/onnxruntime/status.h"

#include <headroom/base/text.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace headroom::onnxruntime {
namespace {

// What version 1.32 says, seen by loading such models, of a valid model that it cannot run: the
// codes alone do not tell (they are FAIL and INVALID_GRAPH).
constexpr std::array<std::string_view, 8> kUnsupportedPhrases = {
    "is not a registered function/op",
    "No Op registered for",
    "No opset import for domain",
    "Unsupported model IR version",
    "only *guarantees* support",
    "Could not find an implementation",
    "is not supported",
    "are not supported",
};

// `/onnxruntime_src/…/model.cc:256 onnxruntime::Model::Model(…) MESSAGE` keeps MESSAGE only; the
// function's parameters may hold brackets of their own.
std::string without_source_place(std::string text) {
  const std::size_t start = text.find("/onnxruntime_src/");
  if (start == std::string::npos) return text;
  const std::size_t open = text.find('(', start);
  if (open == std::string::npos) return text;
  std::size_t depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) {
      const std::size_t end = text.find_first_not_of(' ', i + 1);
      return text.substr(0, start) + (end == std::string::npos ? "" : text.substr(end));
    }
  }
  return text;
}

}  // namespace

ErrorKind kind_of(Stage stage, OrtErrorCode code, std::string_view message) {
  if (stage != Stage::Read && stage != Stage::Create) return ErrorKind::Engine;
  if (code == ORT_NO_SUCHFILE) return ErrorKind::NotFound;
  if (code == ORT_NOT_IMPLEMENTED || says_any(message, kUnsupportedPhrases))
    return ErrorKind::Unsupported;
  if (code == ORT_INVALID_PROTOBUF || code == ORT_INVALID_GRAPH || code == ORT_NO_MODEL) {
    return ErrorKind::BadInput;
  }
  return stage == Stage::Read ? ErrorKind::BadInput : ErrorKind::Engine;
}

Error make_error(Stage stage, std::string_view what, OrtErrorCode code, std::string_view message) {
  return refusal("onnxruntime", kind_of(stage, code, message), stage, what,
                 printable(on_one_line(without_source_place(std::string(message)))));
}

}  // namespace headroom::onnxruntime
