// SPDX-License-Identifier: Apache-2.0
// Which of OpenVINO's messages mean a bad file, a missing ability, or a failure of the engine.
#include "engine/openvino/status.h"

#include <headroom/base/text.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace headroom::openvino {
namespace {

// What version 2026.4 says of a valid model that it cannot run, seen by loading ONNX's own cases.
// Of a node that it cannot convert it gives the reason in its own graph's terms, whatever the node
// lacks ("the split number is invalid"); a file that breaks the format gets another message.
constexpr std::array<std::string_view, 11> kUnsupportedPhrases = {
    "No conversion rule found",
    "Model wasn't fully converted",
    "Please specify OpenVINO Extensions to support this case",
    "Unsupported ",
    "unsupported ",
    "not supported",
    "n't support",
    "does not support",
    "not implemented",
    "Not Implemented",
    "NotImplemented",
};

// The end of a place such as `src/core/src/node.cpp:43:` that starts at `start`; npos where there
// is none.
std::size_t end_of_place(std::string_view text, std::size_t start) {
  const std::size_t end = text.find_first_of(" \n", start);
  const std::string_view word = text.substr(start, end == text.npos ? text.npos : end - start);
  const bool is_place = word.size() > 2 && word.ends_with(':') &&
                        std::isdigit(static_cast<unsigned char>(word[word.size() - 2])) != 0;
  return is_place ? start + word.size() : text.npos;
}

// Takes out every `introduction` with the place that follows it, and puts `instead` there.
std::string without_places(std::string text, std::string_view introduction,
                           std::string_view instead) {
  std::size_t start = 0;
  while ((start = text.find(introduction, start)) != std::string::npos) {
    const std::size_t end = end_of_place(text, start + introduction.size());
    if (end == std::string::npos) {
      start += introduction.size();
    } else {
      text.replace(start, end - start, instead);
      start += instead.size();
    }
  }
  return text;
}

bool is_bare_check(const std::string& line) {
  return line.starts_with("Check '") && line.ends_with("' failed:");
}

}  // namespace

ErrorKind kind_of(Stage stage, std::string_view message) {
  if (stage != Stage::Read && stage != Stage::Create) return ErrorKind::Engine;
  if (says_any(message, kUnsupportedPhrases)) return ErrorKind::Unsupported;
  return stage == Stage::Read ? ErrorKind::BadInput : ErrorKind::Engine;
}

std::string plain_message(std::string_view message) {
  const std::string text = without_places(
      without_places(std::string(message), "Exception from ", ""), " failed at ", " failed:");
  std::vector<std::string> told;
  std::vector<std::string> all;
  for (const std::string& each : split(text, '\n')) {
    const std::string line = on_one_line(each);
    if (line.empty()) continue;
    all.push_back(line);
    if (!is_bare_check(line)) told.push_back(line);
  }
  return printable(join(told.empty() ? all : told, " "));
}

Error make_error(Stage stage, std::string_view what, std::string_view message) {
  return refusal("openvino", kind_of(stage, message), stage, what, plain_message(message));
}

}  // namespace headroom::openvino
