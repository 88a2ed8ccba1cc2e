// SPDX-License-Identifier: Apache-2.0
// Loading, binding and running through ONNX Runtime.
#include "engine/onnxruntime/session.h"

#include <headroom/base/error.h>
#include <headroom/base/file.h>
#include <headroom/base/text.h>
#include <headroom/model/model.h>

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "engine/onnxruntime/node_trace.h"
#include "engine/onnxruntime/profile.h"
#include "engine/onnxruntime/values.h"
#include "engine/trace.h"

namespace headroom::onnxruntime {
namespace {

/// Listens to what the engine says while it creates a session. ONNX Runtime offers no call that
/// reads without creating, but it logs a line in between. The lines cost about 1.5 µs each in the
/// creation (0.1 ms for one node, 1 % for larger graphs) and, with the severity of a run set to
/// error, nothing in a run.
struct CreationLog {
  const LoadObserver& observer;
  Stage stage = Stage::Read;
  std::string level{};

  void hear(std::string_view line) {
    const std::string_view shown = level_shown_by(line);
    if (!shown.empty()) level = shown;
    if (stage == Stage::Read && line == "Initializing session.") {
      stage = Stage::Create;
      if (observer) observer(LoadPhase::Read);
    }
  }
};

/// Outlives the session that reports to it. Only the creation is listened to.
struct LogTarget {
  CreationLog* creation = nullptr;
};

void ORT_API_CALL receive(void* target, OrtLoggingLevel /*severity*/, const char* /*category*/,
                          const char* /*id*/, const char* /*place*/, const char* message) {
  CreationLog* creation = static_cast<LogTarget*>(target)->creation;
  if (creation != nullptr) creation->hear(message);
}

std::size_t count_threads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

// From bytes: the file's, and behind them what makes it give out more. External data is found in
// the file's folder as before.
Ort::Session exposing_session(const Ort::Env& env, const ModelSource& source,
                              Ort::SessionOptions& options) {
  std::string bytes;
  {
    const MappedFile file(source.path);
    const std::string_view text(reinterpret_cast<const char*>(file.bytes().data()),
                                file.bytes().size());
    const std::string more = exposing_bytes(source.exposed);
    bytes.reserve(text.size() + more.size());
    bytes.append(text).append(more);
  }
  const std::filesystem::path folder = std::filesystem::absolute(source.path).parent_path();
  options.AddConfigEntry("session.model_external_initializers_file_folder_path", folder.c_str());
  return {env, bytes.data(), bytes.size(), options};
}

class OrtSession final : public Session {
 public:
  OrtSession(const Ort::Env& env, const ModelSource& source, const SessionOptions& options,
             const LoadObserver& observer)
      : options_(options), path_(source.path), place_("'" + source.path.string() + "'") {
    CreationLog log{.observer = observer};
    log_target_->creation = &log;
    const std::size_t threads = count_threads();
    translated(log.stage, place_, [&] {
      Ort::SessionOptions made = make_options(options);
      made.SetLogSeverityLevel(ORT_LOGGING_LEVEL_INFO);
      Ort::ThrowOnError(Ort::GetApi().SetUserLoggingFunction(
          made, receive, static_cast<void*>(log_target_.get())));
      session_ = source.exposed.empty() ? Ort::Session(env, source.path.c_str(), made)
                                        : exposing_session(env, source, made);
    });
    log_target_->creation = nullptr;
    observed_ = {.threads_started = count_threads() - threads, .optimization_level = log.level};
    run_options_.SetRunLogSeverityLevel(ORT_LOGGING_LEVEL_ERROR);
    translated(Stage::Other, place_, [&] { read_ports(); });
    if (observer) observer(LoadPhase::Create);
  }

  const std::vector<Port>& inputs() const override { return inputs_; }
  const std::vector<Port>& outputs() const override { return outputs_; }

  void bind(std::vector<Tensor> inputs) override { bind_values(values_of(std::move(inputs))); }

  void bind_values(std::vector<Datum> inputs) override {
    check_names(inputs);
    translated(Stage::Bind, place_, [&] {
      binding_ = Ort::IoBinding(session_);
      has_run_ = false;
      rebinds_outputs_ = false;
      bound_ = std::move(inputs);
      for (Datum& value : bound_) {
        const ValueType& type = input_type(value.name);
        // An empty optional is given by giving nothing, as the engine's Python binding does: a
        // value without memory ends the process (version 1.32).
        if (value.kind == DatumKind::None && type.kind == TypeKind::Optional) continue;
        binding_.BindInput(value.name.c_str(), value_of(value, type));
      }
      bind_outputs();
    });
  }

  void run() override {
    if (rebinds_outputs_) [[unlikely]] {
      bind_outputs();
    }
    OrtStatus* status = api_.RunWithBinding(session_, run_options_, binding_);
    if (status != nullptr) [[unlikely]] {
      recover(Ort::Status(status));
    }
    has_run_ = true;
  }

  std::vector<Tensor> copy_outputs() const override {
    std::vector<Tensor> outputs;
    copy_each([&](const Ort::Value& value, const std::string& name) {
      outputs.push_back(copy_value(value, name));
    });
    return outputs;
  }

  void visit_values(const std::function<void(Datum)>& visit) const override {
    copy_each(
        [&](const Ort::Value& value, const std::string& name) { visit(copy_datum(value, name)); });
  }

  std::map<std::string, std::string> effective() const override {
    std::map<std::string, std::string> facts = effective_options(options_, observed_);
    if (rebinds_outputs_) {
      facts["outputs"] =
          "bound anew for every run, since the engine said: " + refusal_ + " (observed)";
    }
    return facts;
  }

  ExecutedGraph finish_profile(std::uint64_t skipped_runs) override {
    if (!options_.profile_folder) {
      throw Error(
          ErrorKind::Unsupported,
          "engine 'onnxruntime': this session is not instrumented; load it with a profile folder");
    }
    if (profile_path_.empty()) {
      profile_path_ = translated(Stage::Other, place_, [&] {
        Ort::AllocatorWithDefaultOptions allocator;
        return std::string(session_.EndProfilingAllocated(allocator).get());
      });
    }
    ExecutedGraph traced = traced_nodes();
    add_times(read_profile(profile_path_, skipped_runs), traced);
    return traced;
  }

 private:
  // What the times belong to is worth less than the times: a graph that cannot be read is said so.
  ExecutedGraph traced_nodes() const {
    try {
      const Model file = load_for_trace(path_);
      Model optimized = load_model(take_optimized_graph(*options_.profile_folder));
      infer_shapes(optimized, {});
      return trace_nodes(file.graph, optimized.graph);
    } catch (const Error& error) {
      return {.untraced = error.what()};
    }
  }

  template <class Copy>
  void copy_each(Copy&& copy) const {
    if (!has_run_) {
      throw Error(ErrorKind::Engine,
                  "engine 'onnxruntime': there are no outputs before the first run of " + place_);
    }
    translated(Stage::Other, place_, [&] {
      const std::vector<Ort::Value> values = binding_.GetOutputValues();
      for (std::size_t i = 0; i < values.size(); ++i) copy(values[i], outputs_[i].name);
    });
  }

  const ValueType& input_type(std::string_view name) const {
    return std::find_if(inputs_.begin(), inputs_.end(),
                        [&](const Port& port) { return port.name == name; })
        ->type;
  }

  void read_ports() {
    Ort::AllocatorWithDefaultOptions allocator;
    for (std::size_t i = 0; i < session_.GetInputCount(); ++i) {
      inputs_.push_back({.name = session_.GetInputNameAllocated(i, allocator).get(),
                         .type = value_type_of(session_.GetInputTypeInfo(i))});
    }
    for (std::size_t i = 0; i < session_.GetOutputCount(); ++i) {
      outputs_.push_back({.name = session_.GetOutputNameAllocated(i, allocator).get(),
                          .type = value_type_of(session_.GetOutputTypeInfo(i))});
    }
  }

  // Outputs are the engine's own memory: it allocates them in the first run and keeps them in the
  // binding, which times the same as memory of ours and serves every kind of output.
  void bind_outputs() {
    translated(Stage::Bind, place_, [&] {
      binding_.ClearBoundOutputs();
      for (const Port& port : outputs_) binding_.BindOutput(port.name.c_str(), cpu_memory_);
    });
  }

  // The engine refuses the outputs that it kept when the model declares another shape of an output
  // than it has, or when the shape differs from run to run; then it must allocate them in every
  // run. The messages differ by case and version, so any failure after a success is tried once more
  // with new outputs, and what the engine said is kept for effective().
  void recover(const Ort::Status& failure) {
    if (!has_run_ || rebinds_outputs_) {
      throw make_error(Stage::Run, place_, failure.GetErrorCode(), failure.GetErrorMessage());
    }
    refusal_ = failure.GetErrorMessage();
    rebinds_outputs_ = true;
    run();
  }

  void check_names(const std::vector<Datum>& values) const {
    check_input_names(place_, names_of(values), names_of(inputs_));
  }

  // The order matters: the session reports to the log target until it is gone, and the binding
  // holds views of the bound tensors.
  SessionOptions options_;
  std::filesystem::path path_;
  std::string place_;
  std::unique_ptr<LogTarget> log_target_ = std::make_unique<LogTarget>();
  const OrtApi& api_ = Ort::GetApi();
  Ort::Session session_{nullptr};
  Ort::RunOptions run_options_{};
  std::vector<Datum> bound_{};
  Ort::IoBinding binding_{nullptr};
  Observations observed_{};
  std::vector<Port> inputs_{};
  std::vector<Port> outputs_{};
  std::string profile_path_{};
  std::string refusal_{};  // Why outputs are bound anew.
  Ort::MemoryInfo cpu_memory_ = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
  bool has_run_ = false;
  bool rebinds_outputs_ = false;
};

}  // namespace

std::unique_ptr<Session> create_session(const Ort::Env& env, const ModelSource& source,
                                        const SessionOptions& options,
                                        const LoadObserver& observer) {
  return std::make_unique<OrtSession>(env, source, options, observer);
}

}  // namespace headroom::onnxruntime
