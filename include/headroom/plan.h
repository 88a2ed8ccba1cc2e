// SPDX-License-Identifier: Apache-2.0
// The Case: what exactly one process will run, as a value that travels as JSON. Knows engines by
// name only.
#pragma once

#include <headroom/base/units.h>
#include <headroom/model/element_type.h>
#include <headroom/model/graph.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// What the process does with the model.
enum class Role : std::uint8_t {
  Probe,    ///< Load, run once, end: does the engine accept these inputs?
  Measure,  ///< Load, first run, warm-up, steady samples. The only role whose times count.
  Gate,     ///< Compare the outputs with the reference; test that inputs matter.
  Profile,  ///< Run with the engine's own instrumentation; times by operator.
  Conform,  ///< Run every data set of a test case once and compare its outputs.
  Shapes,   ///< One session is given inputs of other shapes in turn; its memory after each.
  Observe,  ///< Run once with the intermediate values given out; say what they are.
};
std::string_view to_string(Role role) noexcept;

/// How the elements of an input are made.
enum class FillKind : std::uint8_t {
  Normal,    ///< Standard normal, rounded to the type.
  Integers,  ///< Uniform over [low, high].
  Booleans,  ///< Uniform over false and true.
  Zeros,     ///< Zeros; empty strings.
  Ones,      ///< All elements 1.
  Denormal,  ///< Uniform over the denormal numbers of the type, of either sign; 16 to 64 bits.
  Sparse,    ///< As Normal, with a share of zeros.
  Words,     ///< Strings: `text0`, `text1`, … by element.
  File,      ///< From `path`, a `.npy` or a TensorProto `.pb`.
};
std::string_view to_string(FillKind kind) noexcept;

/// What the user wants an input filled with.
struct Fill {
  FillKind kind = FillKind::Normal;  ///< Normal, Zeros, Ones, Denormal or Sparse.
  double zeros = 0;                  ///< For Sparse: the share of zeros, between 0 and 1.
};
/// `random`, `zeros`, `ones`, `denormal`, `sparse:0.5`: as `--fill` has it.
std::string to_string(const Fill& fill);
/// The inverse. Errors: Usage with what is possible.
Fill fill_from(std::string_view text);

/// One input, so completely said that a process can make it without the graph.
struct InputSpec {
  std::string name{};
  ElementType type = ElementType::Undefined;
  std::vector<std::int64_t> shape{};
  FillKind fill = FillKind::Normal;
  std::int64_t low = 0;   ///< For Integers.
  std::int64_t high = 0;  ///< For Integers.
  double zeros = 0;       ///< For Sparse: the share of zeros.
  std::string path{};     ///< For File; absolute.
  std::string
      reason{};  ///< Why this shape and these values, for people: `index into 30522 rows of …`.
};

/// When sampling ends.
struct StopRule {
  std::uint64_t min_samples = 10;
  std::uint64_t max_samples = 1'000'000;
  Nanoseconds max_time{2'000'000'000};  ///< Of steady sampling in this process.
};

/// When warm-up ends at the latest; before that by a test on the data.
struct WarmupRule {
  std::uint64_t min_runs = 3;
  Nanoseconds max_time{2'000'000'000};
};

/// A bound on what the process may use.
struct Limits {
  std::optional<Nanoseconds> time{};  ///< Of the whole process, wall clock.
  std::optional<Bytes> memory{};      ///< Resident.
};

/// A value of a data set: `kind` says how the file is read.
struct DataFile {
  std::string name{};  ///< Of the input or output.
  TypeKind kind = TypeKind::Tensor;
  std::string path{};  ///< Absolute.
};

struct DataSet {
  std::string name{};  ///< `test_data_set_0`.
  std::vector<DataFile> inputs{};
  std::vector<DataFile> outputs{};  ///< In the model's order.
};

/// For Conform: what is fed and what must come out, |actual - expected| <= absolute + relative *
/// |expected|.
struct ConformancePlan {
  std::vector<DataSet> data_sets{};
  double abs_tolerance = 1e-7;
  double rel_tolerance = 1e-3;
};

struct Case {
  Role role = Role::Measure;
  std::string model{};  ///< Absolute path.
  std::string engine{};
  int threads = 1;
  std::string precision = "f32";
  std::map<std::string, std::string> settings{};  ///< The engine's own options (`--set`).
  std::string scenario = "single";
  std::uint64_t seed = 0;
  std::vector<InputSpec> inputs{};
  std::string inputs_from{};             ///< `generated`, `files`, `test_data_set_0`.
  std::vector<std::string> reference{};  ///< TensorProto files of the expected outputs, in order.
  StopRule stop{};
  WarmupRule warmup{};
  Limits limits{};
  ConformancePlan conformance{};  ///< For Conform; absent in JSON otherwise.
  /// For Shapes: what the session is given after `inputs`; absent in JSON otherwise.
  std::vector<std::vector<InputSpec>> later_inputs{};
};

/// All that a case of role Shapes is given, in its order.
std::vector<std::vector<InputSpec>> inputs_in_turn(const Case& plan_case);

std::string to_json(const Case& plan_case);
/// Errors: BadInput naming the member that is missing or wrong.
Case case_from_json(std::string_view text);

}  // namespace headroom
