// SPDX-License-Identifier: Apache-2.0
// From folders to cases. Models are read for the names and kinds of their inputs and outputs only.
#include <headroom/base/error.h>
#include <headroom/base/file.h>
#include <headroom/base/text.h>
#include <headroom/conformance.h>
#include <headroom/model/model.h>

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "base/json.h"

namespace headroom {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kModel = "model.onnx";
constexpr std::string_view kDataSet = "test_data_set_";
constexpr std::string_view kNotes = "case.json";
constexpr std::string_view kSeveral = "several";
/// A hundred times what a case needs to say.
constexpr std::uint64_t kLargestNotes = 1 << 16;

/// Files `PREFIX_0.pb`, `PREFIX_1.pb`, … as far as they go, as values of `ports`.
std::vector<DataFile> numbered(const fs::path& folder, std::string_view prefix, const Graph& graph,
                               const std::vector<ValueId>& ports) {
  std::vector<DataFile> files;
  for (;;) {
    const fs::path path = folder / fmt::format("{}_{}.pb", prefix, files.size());
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) return files;
    if (files.size() == ports.size()) {
      throw Error(ErrorKind::BadInput, fmt::format("'{}' is one more than the {} {}s of the model",
                                                   printable(path.string()), ports.size(), prefix));
    }
    const Value& value = graph.values[ports[files.size()]];
    files.push_back({.name = value.name, .kind = value.type.kind, .path = path.string()});
  }
}

/// In the order of their numbers, not of their names: 10 comes after 9.
std::vector<fs::path> data_sets_in(const fs::path& folder) {
  std::vector<fs::path> sets;
  std::error_code ignored;  // a folder that cannot be read holds no case
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.is_directory(ignored) && entry.path().filename().string().starts_with(kDataSet))
      sets.push_back(entry.path());
  }
  std::sort(sets.begin(), sets.end(), [](const fs::path& a, const fs::path& b) {
    const std::string x = a.filename().string();
    const std::string y = b.filename().string();
    return x.size() != y.size() ? x.size() < y.size() : x < y;
  });
  return sets;
}

void read_notes(const fs::path& path, TestCase& test_case) {
  if (!fs::exists(path)) return;
  const std::string place = printable(path.string());
  const Json json = parse_json(read_text_file(path, kLargestNotes), place);
  JsonReader reader(json, place);
  ConformancePlan& plan = test_case.plan_case.conformance;
  if (reader.has("rtol")) plan.rel_tolerance = reader.number("rtol");
  if (reader.has("atol")) plan.abs_tolerance = reader.number("atol");
  if (reader.has("op")) test_case.op = reader.text("op");
  reader.finish();
  if (plan.rel_tolerance < 0 || plan.abs_tolerance < 0)
    throw Error(ErrorKind::BadInput, fmt::format("{}: a tolerance cannot be negative", place));
}

void fill(const fs::path& folder, TestCase& test_case) {
  read_notes(folder / kNotes, test_case);
  const Model model = load_model(folder / kModel);
  if (test_case.op.empty())
    test_case.op = model.graph.nodes.size() == 1 ? model.graph.nodes.front().op : kSeveral;
  const std::vector<ValueId> inputs = model.graph.required_inputs();
  for (const fs::path& set : data_sets_in(folder)) {
    test_case.plan_case.conformance.data_sets.push_back(
        {.name = set.filename().string(),
         .inputs = numbered(set, "input", model.graph, inputs),
         .outputs = numbered(set, "output", model.graph, model.graph.outputs)});
  }
}

TestCase read_test_case(const fs::path& folder, const fs::path& root) {
  const fs::path place = folder == root ? folder.filename() : folder.lexically_relative(root);
  TestCase test_case{.name = place.generic_string()};
  test_case.plan_case = {.role = Role::Conform, .model = (folder / kModel).string()};
  try {
    fill(folder, test_case);
  } catch (const Error& error) {
    test_case.problem = error.what();
    if (test_case.op.empty()) test_case.op = kSeveral;
  }
  return test_case;
}

bool is_test_case(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / kModel, ignored) && !data_sets_in(folder).empty();
}

/// Links to folders are not followed, so that no folder is met twice.
std::vector<fs::path> folders_below(const fs::path& root) {
  std::vector<fs::path> folders;
  std::error_code error;
  constexpr auto kOptions = fs::directory_options::skip_permission_denied;
  fs::recursive_directory_iterator entry(root, kOptions, error);
  for (; !error && entry != end(entry); entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_directory(ignored)) folders.push_back(entry->path());
  }
  if (error) {
    throw Error(ErrorKind::NotFound, fmt::format("the folders below '{}' cannot be read: {}",
                                                 printable(root.string()), error.message()));
  }
  return folders;
}

}  // namespace

std::vector<TestCase> find_test_cases(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw Error(ErrorKind::NotFound, fmt::format("'{}' is no folder; a folder of test cases is "
                                                 "wanted, or the word standard for ONNX's own",
                                                 printable(folder.string())));
  }
  fs::path root = fs::absolute(folder).lexically_normal();
  if (root.filename().empty()) root = root.parent_path();  // `DIR/`
  std::vector<TestCase> cases;
  if (is_test_case(root)) cases.push_back(read_test_case(root, root));
  for (const fs::path& place : folders_below(root))
    if (is_test_case(place)) cases.push_back(read_test_case(place, root));
  if (cases.empty()) {
    throw Error(ErrorKind::NotFound,
                fmt::format("'{}' holds no test case: a folder with {} and {}0 in it is wanted, "
                            "as the onnx package writes them",
                            printable(root.string()), kModel, kDataSet));
  }
  std::sort(cases.begin(), cases.end(),
            [](const TestCase& a, const TestCase& b) { return a.name < b.name; });
  return cases;
}

}  // namespace headroom
