// SPDX-License-Identifier: Apache-2.0
// The Record: everything about one measurement, complete enough to repeat and to defend it.
// Immutable once made; statistics in it are recomputed from the samples, never trusted as stored.
// One header, a little long, since it is one schema: who changes a part of it must see the whole.
#pragma once

#include <headroom/host.h>
#include <headroom/plan.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// Version of the JSON form. A change bumps it and brings a migration.
inline constexpr int kRecordSchema = 2;

enum class MetricKind : std::uint8_t { Measured, Estimated, Predicted, Simulated };
std::string_view to_string(MetricKind kind) noexcept;

/// A value with its 95 % interval over launches, or the reason why there is none.
struct Metric {
  std::optional<double> value{};
  std::optional<double> low{};
  std::optional<double> high{};
  std::uint64_t n = 0;  ///< Launches or samples behind it.
  MetricKind kind = MetricKind::Measured;
  std::string absent{};  ///< The reason, when there is no value.
};

/// What a metric means; the one table behind JSON, text, SQL and documentation.
struct MetricInfo {
  std::string_view key;   ///< `latency_median_ns`: the unit is the suffix.
  std::string_view unit;  ///< `ns`, `bytes`, `1/s`, `flop/s`, ``.
  bool is_lower_better;
  std::string_view meaning;
};
std::span<const MetricInfo> metric_table() noexcept;

enum class Status : std::uint8_t { Ok, Partial, Noisy, Mistrusted, Unsupported, Failed, Timeout };
std::string_view to_string(Status status) noexcept;

struct Outcome {
  Status status = Status::Ok;
  std::string reason{};
  /// to_string(ErrorKind) for Failed, Unsupported and Timeout; for Partial what cut it short.
  std::string error_kind{};
  /// `SIGSEGV`, `status 3`: how a process ended that could not say what happened; else empty.
  std::string ended_by{};
};

/// `reason` with the path of its model as `the model`, so that the reasons of two models compare.
std::string reason_without_path(std::string reason, const std::string& path);

/// One process that ran the case.
struct Launch {
  int index = 0;
  Outcome outcome{};
  std::optional<std::int64_t> read_ns{};
  std::optional<std::int64_t> create_ns{};
  std::optional<std::int64_t> first_run_ns{};
  std::uint64_t warmup_runs = 0;
  std::int64_t warmup_ns = 0;
  /// `steady`; `time`: the limit came first; `few_runs`: so early that nothing could be tested;
  /// `interrupt`.
  std::string warmup_ended_by{};
  std::string stopped_by{};                            ///< `time`, `samples`, `interrupt`.
  std::optional<double> cpu_ns_per_inference{};        ///< All threads of the process.
  std::optional<std::uint64_t> memory_before_bytes{};  ///< Resident before the load.
  std::optional<std::uint64_t> memory_loaded_bytes{};  ///< Resident after the load.
  std::optional<std::uint64_t> peak_memory_bytes{};    ///< Largest resident, to the last sample.
  /// Clock reading at the first sample's start; all processes of one boot share this clock.
  std::optional<std::int64_t> sampling_start_ns{};
  /// Threads that had a CPU for at least a tenth of the sampling, and those CPUs at its end; absent
  /// where it was too short to see.
  std::optional<std::uint64_t> busy_threads{};
  std::vector<int> busy_cpus{};
  std::uint64_t involuntary_switches = 0;  ///< During sampling.
  std::uint64_t page_faults = 0;           ///< During sampling, major and minor.
  Quietness quiet{};                       ///< During sampling.
};

/// Raw samples in order, as columns of equal length. Times count from the first sample's start;
/// where a launch does not know its sampling_start_ns, from the first sample of each launch.
struct Samples {
  std::vector<std::int32_t> launch{};
  std::vector<std::int64_t> start_ns{};
  std::vector<std::int64_t> end_ns{};

  std::size_t size() const noexcept { return start_ns.size(); }
};

/// One executed node in the instrumented run. Empty texts: the engine does not tell.
struct NodeTime {
  std::string name{};
  std::string op{};
  std::string provider{};
  std::string implementation{};
  std::string precision{};
  std::string layout{};
  std::string role{};  ///< kept, fused, inserted or untraced; empty where nothing was traced.
  std::vector<std::string> originals{};  ///< Nodes of the file whose work it does.
  std::uint64_t runs = 0;                ///< 0: no time is told.
  double mean_ns = 0;
  double share = 0;  ///< Of the sum over all nodes.
};

/// The instrumented run beside the plain one.
struct Profile {
  Outcome outcome{};
  std::uint64_t runs = 0;
  std::optional<double> instrumented_median_ns{};  ///< Of whole runs with instrumentation on.
  std::optional<double> instrumented_ratio{};      ///< Over the plain median.
  std::vector<NodeTime> nodes{};
  std::vector<std::string> folded{};   ///< Nodes of the file that were computed at load.
  std::vector<std::string> removed{};  ///< Nodes of the file that have no work left.
  std::uint64_t file_nodes = 0;        ///< 0 where nothing was traced.
  std::string untraced{};              ///< Why nothing was traced.
};

struct OutputCheck {
  std::string name{};
  std::string type{};
  std::string shape{};
  bool is_equal = false;  ///< Within the tolerance.
  double max_abs = 0;     ///< Not finite where one side is not; absent in JSON then.
  double max_rel = 0;
  double abs_tolerance = 0;
  double rel_tolerance = 0;
  std::string reason{};  ///< What differs and where, when not equal.
};

enum class GateStatus : std::uint8_t { NotRun, Passed, Failed, Insensitive };
std::string_view to_string(GateStatus status) noexcept;

/// Whether the outputs are right, found in another process than the timed ones.
struct Gate {
  GateStatus status = GateStatus::NotRun;
  std::string reference{};  ///< `stored outputs`, `onnxruntime without graph optimisation`.
  std::string reason{};
  std::vector<OutputCheck> outputs{};
};

/// What one data set of a test case gave.
struct DataSetCheck {
  std::string name{};
  std::vector<OutputCheck> outputs{};
};

/// What a test case gave (role Conform; absent in JSON otherwise).
struct Conformance {
  std::vector<DataSetCheck> data_sets{};  ///< Those that ran to their end.
};

/// What about the elements of a tensor can change how fast it is computed with. Complex and string
/// elements are not looked at.
struct ElementCensus {
  std::uint64_t elements = 0;
  std::uint64_t zeros = 0;
  std::uint64_t denormals = 0;  ///< Of 16 to 64 bits.
  std::uint64_t nans = 0;
  std::uint64_t infinities = 0;
  bool is_constant = false;  ///< More than one element, and all the same.
};

/// A value that a node of the outermost graph made.
struct ObservedValue {
  std::string name{};
  /// Tensor, Sequence, Optional for an empty one, Unknown for what the engine cannot give out.
  TypeKind kind = TypeKind::Unknown;
  ElementType type = ElementType::Undefined;  ///< Of a tensor, as what follows.
  std::vector<std::int64_t> shape{};
  ElementCensus census{};
  /// The elements of bool and integer tensors of at most 64.
  std::optional<std::vector<std::int64_t>> integers{};
};

/// What one run gave (role Observe; absent in JSON otherwise).
struct Observation {
  std::vector<ObservedValue> values{};
};

/// Resident memory of one session that met several shapes (role Shapes; absent in JSON otherwise).
struct ShapeMemory {
  std::uint64_t loaded_bytes = 0;  ///< After the load, before the first run.
  /// After the runs at each shape, in the order of the case's inputs.
  std::vector<std::uint64_t> after_bytes{};
};

/// A port of the model, as text.
struct PortFacts {
  std::string name{};
  std::string type{};
  std::string shape{};
};

struct ModelFacts {
  std::string path{};
  std::string sha256{};
  std::string name{};
  std::int64_t opset = 0;
  std::uint64_t nodes = 0;
  std::uint64_t parameters = 0;
  std::optional<std::uint64_t> macs{};
  std::string macs_absent{};  ///< Why there is no count.
  std::vector<PortFacts> inputs{};
  std::vector<PortFacts> outputs{};
};

struct EngineFacts {
  std::string name{};
  std::string version{};
  std::string build{};
  std::map<std::string, std::string> asked{};
  std::map<std::string, std::string> effective{};
};

struct Record {
  std::string id{};    ///< Sorts by time: `20261130T071500Z-3f9a2c41`.
  std::string time{};  ///< UTC, ISO 8601.
  std::vector<std::string> command{};
  std::string repeat{};  ///< The command line that repeats it.
  std::string headroom_version{};
  ModelFacts model{};
  EngineFacts engine{};
  HostFacts host{};
  std::string fingerprint{};
  std::vector<HostWarning> warnings{};
  std::optional<bool> is_quiet{};           ///< Every launch found the machine quiet.
  std::optional<double> peak_flop_per_s{};  ///< This machine's f32 peak at the case's threads.
  std::string peak_absent{};  ///< Why there is no peak, or why it is no ceiling of this model.
  Case plan_case{};
  std::vector<std::string> notes{};  ///< What was chosen for the user and why.
  Outcome outcome{};
  std::vector<Launch> launches{};
  Samples samples{};
  std::map<std::string, Metric> metrics{};  ///< Every key of metric_table, once summarized.
  Gate gate{};
  Profile profile{};
  Conformance conformance{};
  Observation observation{};
  ShapeMemory shape_memory{};
};

/// A fresh id. Reads the clock and /dev/urandom.
std::string make_record_id();

/// The whole record. Errors: Internal for a number that is not finite.
std::string to_json(const Record& record, int indent = -1);
/// Errors: BadInput naming the member; Unsupported for a newer schema (both numbers named).
Record record_from_json(std::string_view text);

}  // namespace headroom
