// SPDX-License-Identifier: Apache-2.0
#include "engine/adapter.h"

#include <headroom/base/text.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

namespace headroom {
namespace {

std::string_view doing(Stage stage) {
  switch (stage) {
    case Stage::Read:
      return "could not read";
    case Stage::Create:
      return "could not create a session for";
    case Stage::Bind:
      return "refused the inputs of";
    case Stage::Run:
      return "failed in a run of";
    case Stage::Other:
      break;
  }
  return "failed on";
}

}  // namespace

bool says_any(std::string_view message, std::span<const std::string_view> phrases) {
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](std::string_view phrase) { return message.find(phrase) != message.npos; });
}

std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool is_space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!is_space) line += c;
    if (is_space && !line.empty() && line.back() != ' ') line += ' ';
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

Error refusal(std::string_view engine, ErrorKind kind, Stage stage, std::string_view what,
              std::string_view words) {
  return {kind, fmt::format("engine '{}' {} {}: {}", engine, doing(stage), what, words)};
}

std::vector<Datum> values_of(std::vector<Tensor> tensors) {
  std::vector<Datum> values;
  values.reserve(tensors.size());
  for (Tensor& tensor : tensors) values.push_back(datum_of(std::move(tensor)));
  return values;
}

std::vector<std::string> names_of(const std::vector<Datum>& values) {
  std::vector<std::string> names;
  names.reserve(values.size());
  for (const Datum& value : values) names.push_back(value.name);
  return names;
}

std::vector<std::string> names_of(const std::vector<Port>& ports) {
  std::vector<std::string> names;
  names.reserve(ports.size());
  for (const Port& port : ports) names.push_back(port.name);
  return names;
}

void refuse_exposed(std::string_view engine, const ModelSource& source) {
  if (source.exposed.empty()) return;
  throw Error(ErrorKind::Unsupported,
              fmt::format("engine '{}' gives out the outputs of '{}' only, not its {} intermediate "
                          "values; onnxruntime gives them",
                          engine, printable(source.path.string()), source.exposed.size()));
}

void check_input_names(std::string_view place, std::span<const std::string> given,
                       std::span<const std::string> required,
                       std::span<const std::string> optional) {
  std::vector<std::string> known(required.begin(), required.end());
  known.insert(known.end(), optional.begin(), optional.end());
  for (const std::string& name : given) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = nearest_name(name, known);
    throw Error(
        ErrorKind::Usage,
        fmt::format("{} has no input '{}'; {}it has: {}", place, printable(name),
                    near.empty() ? "" : "did you mean '" + near + "'? ", join(known, ", ")));
  }
  for (const std::string& name : required) {
    const auto count = std::count(given.begin(), given.end(), name);
    if (count == 1) continue;
    throw Error(ErrorKind::Usage,
                fmt::format("input '{}' of {} needs one value, {} were given", name, place, count));
  }
}

}  // namespace headroom
