// SPDX-License-Identifier: Apache-2.0
// Checks of what the user or a test data set gives against what the model declares.
#include "data/given_inputs.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/model/tensor.h>

#include <fmt/format.h>

#include "data/read_file.h"

namespace headroom {
namespace {

constexpr std::string_view kTestData = "test_data_set_0";

bool fits(const Shape& declared, const std::vector<std::int64_t>& shape) {
  if (declared.size() != shape.size()) return false;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (declared[axis].size && *declared[axis].size != shape[axis]) return false;
  }
  return true;
}

// Files `input_0.pb`, `input_1.pb`, … as far as they go.
std::vector<std::string> numbered(const std::filesystem::path& folder, std::string_view prefix) {
  std::vector<std::string> paths;
  for (;;) {
    const auto path = folder / fmt::format("{}_{}.pb", prefix, paths.size());
    if (!std::filesystem::is_regular_file(path)) return paths;
    paths.push_back(std::filesystem::absolute(path).lexically_normal().string());
  }
}

}  // namespace

std::optional<TestData> find_test_data(const std::filesystem::path& model, std::size_t inputs,
                                       std::vector<std::string>& notes) {
  const std::filesystem::path folder = model.parent_path() / kTestData;
  if (inputs == 0 || !std::filesystem::is_directory(folder)) return std::nullopt;
  TestData data{.folder = std::string(kTestData),
                .inputs = numbered(folder, "input"),
                .outputs = numbered(folder, "output")};
  if (data.inputs.size() >= inputs) {
    data.inputs.resize(inputs);
    return data;
  }
  notes.push_back(fmt::format("'{}' is not used: it has {} of the {} inputs (input_K.pb)",
                              printable(folder.string()), data.inputs.size(), inputs));
  return std::nullopt;
}

void give_file(InputFacts& input, const std::filesystem::path& path) {
  const FileTensor found = describe_tensor_file(path);
  if (found.type != input.type || !fits(input.shape, found.shape)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("input '{}' needs {} {}; '{}' holds {} {}", printable(input.name),
                            to_string(input.type), to_string(input.shape), printable(path.string()),
                            to_string(found.type), shape_text(found.shape)));
  }
  if (input.given && *input.given != found.shape) {
    throw Error(ErrorKind::Usage, fmt::format("input '{}': --shape says {}, '{}' holds {}",
                                              printable(input.name), shape_text(*input.given),
                                              printable(path.string()), shape_text(found.shape)));
  }
  input.given = found.shape;
  input.file = std::filesystem::absolute(path).lexically_normal().string();
}

void give_shape(InputFacts& input, const std::vector<std::int64_t>& shape) {
  for (const std::int64_t size : shape) {
    if (size >= 0) continue;
    throw Error(ErrorKind::Usage, fmt::format("input '{}': a size of {} is not possible",
                                              printable(input.name), size));
  }
  if (!fits(input.shape, shape)) {
    throw Error(ErrorKind::Usage,
                fmt::format("input '{}' is declared as {}, so it cannot be {}",
                            printable(input.name), to_string(input.shape), shape_text(shape)));
  }
  input.given = shape;
}

}  // namespace headroom
