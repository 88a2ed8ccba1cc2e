// SPDX-License-Identifier: Apache-2.0
// The seam to what executes a model. An adapter adds nothing to a run but the engine's own call.
#pragma once

#include <headroom/base/units.h>
#include <headroom/model/datum.h>
#include <headroom/model/graph.h>
#include <headroom/model/tensor.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// Where the model comes from.
struct ModelSource {
  std::filesystem::path path{};
  /// Intermediate values that are given out too, behind the model's own outputs. An engine that
  /// cannot do it says Unsupported.
  std::vector<std::string> exposed{};
};

/// What is asked of the engine.
struct SessionOptions {
  int threads = 1;
  std::string precision = "f32";
  std::map<std::string, std::string> settings{};  ///< The engine's own options.
  bool is_optimized = true;  ///< false: graph optimisations off, for the gate's reference.
  /// Folder for the engine's own instrumentation; absent: not instrumented.
  std::optional<std::filesystem::path> profile_folder{};
};

/// Points in a load that the caller may want to time.
enum class LoadPhase : std::uint8_t {
  Read,    ///< The file has been read and parsed.
  Create,  ///< The session is ready to run.
};
using LoadObserver = std::function<void(LoadPhase)>;

/// An input or output as the engine sees it.
struct Port {
  std::string name{};
  ValueType type{};
};

/// What a node that the engine executes is to the nodes of the file.
enum class NodeRole : std::uint8_t {
  Untraced,  ///< What it stands for could not be found.
  Kept,      ///< It does the work of one node.
  Fused,     ///< It does the work of several.
  Inserted,  ///< It does the work of none: it converts layout or type between others.
};
std::string_view to_string(NodeRole role) noexcept;

/// A node as the engine executes it, with its time summed over the instrumented runs. A node with
/// bodies (If, Loop, Scan) counts its own time only; the nodes inside have entries of their own.
struct ExecutedNode {
  std::string name{};
  std::string op{};
  std::string provider{};        ///< What executes it; empty where it never ran.
  std::string implementation{};  ///< The kernel, in the engine's words; empty where it is not told.
  /// Element type that it computes in (OpenVINO: runtimePrecision; ONNX Runtime: of its first
  /// output); empty where it is not told.
  std::string precision{};
  std::string layout{};  ///< Of its first output, in the engine's words; empty: as in the file.
  NodeRole role = NodeRole::Untraced;
  std::vector<std::string> originals{};  ///< Labels (`node_labels`) of the file's nodes.
  std::uint64_t runs = 0;                ///< Executions seen; 0 where no time is told.
  Nanoseconds total{};
};

/// What the engine made of the file's graph, and the times of its nodes.
struct ExecutedGraph {
  std::vector<ExecutedNode> nodes{};  ///< The longest first.
  /// Labels of the file's nodes that no run executes: computed at load from what does not change.
  std::vector<std::string> folded{};
  /// Those that have no work left: without effect, merged with an equal one, or never used.
  std::vector<std::string> removed{};
  std::uint64_t file_nodes = 0;  ///< Of the file, those in bodies that are traced among them.
  std::string untraced{};        ///< Why nothing is traced; empty where it is.
};

/// A loaded model with its inputs bound. Used by one thread.
class Session {
 public:
  virtual ~Session() = default;

  virtual const std::vector<Port>& inputs() const = 0;
  virtual const std::vector<Port>& outputs() const = 0;

  /// Binds inputs (by name) and, where shapes are fixed, outputs, once. The session keeps the
  /// tensors. Errors: Usage for a missing or unknown name; Engine when the engine refuses.
  virtual void bind(std::vector<Tensor> inputs) = 0;

  /// One inference: one call of the engine, no allocation of ours.
  /// Errors: Engine with the engine's message.
  virtual void run() = 0;

  /// The outputs of the last run, copied, one for each of outputs(). An output that is not a tensor
  /// (a sequence, a map, an empty optional) has ElementType::Undefined and no data: it can be named
  /// but not compared. Errors: Engine before the first run.
  virtual std::vector<Tensor> copy_outputs() const = 0;

  /// As bind, for values of every kind. An adapter that does not override it takes tensors.
  /// Errors: as bind; Unsupported for a kind or type that the engine cannot be given.
  virtual void bind_values(std::vector<Datum> inputs);
  /// As copy_outputs, for values of every kind; what the engine cannot give out is
  /// DatumKind::Other. An adapter that does not override it gives tensors. Errors: as copy_outputs.
  std::vector<Datum> copy_values() const;
  /// The same one by one, so that no more than one copy exists at a time.
  virtual void visit_values(const std::function<void(Datum)>& visit) const;

  /// What the engine made of each option: `VALUE (observed)` where something outside the request
  /// shows it, `VALUE (asked)` where the engine cannot be asked back; nothing else.
  virtual std::map<std::string, std::string> effective() const = 0;

  /// Ends the instrumentation and gives what was executed with its times, without those of the
  /// first `skipped_runs` runs (warm-up). Errors: Unsupported if the session is not instrumented.
  virtual ExecutedGraph finish_profile(std::uint64_t skipped_runs) = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual std::string_view name() const = 0;
  virtual std::string version() const = 0;
  /// Build facts that the engine tells, as it tells them.
  virtual std::string build() const = 0;

  /// The engine must outlive the session; `observer` may be empty.
  /// Errors: Usage for an unknown setting or value (with the nearest name), Unsupported for a
  /// precision or operator that the engine lacks, BadInput or Engine with the engine's message.
  virtual std::unique_ptr<Session> load(const ModelSource& source, const SessionOptions& options,
                                        const LoadObserver& observer) = 0;
};

/// The engines of this build by name, in order of preference. The only list.
std::vector<std::string> engine_names();
/// Engines that Headroom knows and this build lacks, with the reason.
std::map<std::string, std::string> absent_engines();
/// The engine of this build whose outputs check those of `name`; empty where that is `name` itself
/// without graph optimisation.
std::string reference_engine(std::string_view name);
/// Errors: Usage for an unknown name, Unsupported for one that this build lacks.
std::unique_ptr<Engine> make_engine(std::string_view name);

}  // namespace headroom
