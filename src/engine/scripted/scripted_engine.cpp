// SPDX-License-Identifier: Apache-2.0
// An engine that follows a script: what measurement, workers and the gate must survive can be
// played. It stands for a vendor's library, so it alone may wait by the clock, crash, hang and
// exit.
#include <headroom/base/error.h>
#include <headroom/base/random.h>
#include <headroom/base/text.h>
#include <headroom/engine.h>
#include <headroom/model/model.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <new>
#include <thread>

#include <fmt/format.h>

#include "engine/adapter.h"
#include "engine/factories.h"
#include "engine/scripted/script.h"

namespace headroom {
namespace {

using Steady = std::chrono::steady_clock;

void compute_for(Nanoseconds time) {
  if (time <= Nanoseconds{}) return;
  const Steady::time_point end = Steady::now() + time;
  while (Steady::now() < end) {
  }
}

bool strikes(const std::optional<Trigger>& trigger, std::uint64_t run) {
  return trigger.has_value() && trigger->run == run;
}

// Run 0 is the load.
void play_failures(const Script& script, std::uint64_t run) {
  const std::string place = run == 0 ? "load" : fmt::format("run {}", run);
  if (strikes(script.crash, run)) {
    std::signal(SIGSEGV, SIG_DFL);
    std::raise(SIGSEGV);
  }
  while (strikes(script.hang, run)) std::this_thread::sleep_for(std::chrono::hours{1});
  if (strikes(script.exit, run)) std::_Exit(3);
  if (strikes(script.fail, run)) {
    throw Error(ErrorKind::Engine, "engine 'scripted' failed in " + place + ", as its script says");
  }
  if (strikes(script.unsupported, run)) {
    throw Error(ErrorKind::Unsupported,
                "engine 'scripted' does not support this model (" + place + " of its script)");
  }
}

// Where nothing can go wrong, the text of the place is not made: run() allocates nothing.
bool can_fail(const Script& script, std::uint64_t run) {
  return strikes(script.crash, run) || strikes(script.hang, run) || strikes(script.exit, run) ||
         strikes(script.fail, run) || strikes(script.unsupported, run);
}

bool has_node(const Graph& graph, const std::string& wanted) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [&](const Node& node) { return node.name == wanted || node.op == wanted; });
}

// Takes the failures out of the script where a node that they need is not in the model.
void spare_other_models(Script& script, const std::filesystem::path& path) {
  if (script.if_nodes.empty()) return;
  const Model model = load_model(path);
  const auto is_there = [&](const std::string& node) { return has_node(model.graph, node); };
  if (std::all_of(script.if_nodes.begin(), script.if_nodes.end(), is_there)) return;
  for (std::optional<Trigger>* trigger :
       {&script.crash, &script.hang, &script.exit, &script.fail, &script.unsupported})
    trigger->reset();
}

void make_wrong(Tensor& tensor) {
  if (tensor.data.bytes().empty()) return;
  tensor.data.bytes().back() ^=
      std::byte{0x40};  // The exponent of a float, the size of an integer.
}

class ScriptedSession final : public Session {
 public:
  ScriptedSession(Script script, const SessionOptions& options)
      : script_(std::move(script)),
        options_(options),
        random_(script_.seed),
        noise_(static_cast<std::uint64_t>(Steady::now().time_since_epoch().count())),
        memory_(script_.allocate.value, std::byte{1}) {
    if (script_.output != ScriptedOutput::Echo) add_output("output", ElementType::Float32, {4});
  }

  const std::vector<Port>& inputs() const override { return inputs_; }
  const std::vector<Port>& outputs() const override { return outputs_; }

  void bind(std::vector<Tensor> inputs) override {
    bound_ = std::move(inputs);
    if (script_.output != ScriptedOutput::Echo) return;
    outputs_.clear();
    for (const Tensor& tensor : bound_) add_output(tensor.name, tensor.type, tensor.shape);
  }

  void run() override {
    const bool is_instrumented = options_.profile_folder.has_value();
    const Steady::time_point start = is_instrumented ? Steady::now() : Steady::time_point{};
    ++runs_;
    check_inputs();
    if (can_fail(script_, runs_)) play_failures(script_, runs_);
    Nanoseconds time = script_.run;
    if (script_.jitter > 0) {
      const double factor = 1 + script_.jitter * (2 * random_.uniform() - 1);
      time = Nanoseconds{static_cast<std::int64_t>(static_cast<double>(time.count()) * factor)};
    }
    if (runs_ <= script_.warmup_runs) time += script_.warmup_extra;
    compute_for(time);
    if (is_instrumented) profiled_.push_back(Steady::now() - start);
  }

  std::vector<Tensor> copy_outputs() const override {
    if (runs_ == 0) {
      throw Error(ErrorKind::Engine,
                  "engine 'scripted': there are no outputs before the first run");
    }
    std::vector<Tensor> outputs;
    if (script_.output == ScriptedOutput::Echo) {
      for (const Tensor& tensor : bound_) outputs.push_back(copy_of(tensor));
    } else {
      outputs.push_back(make_output());
    }
    if (script_.is_wrong_when_optimized && options_.is_optimized && !outputs.empty()) {
      make_wrong(outputs.front());
    }
    return outputs;
  }

  std::map<std::string, std::string> effective() const override {
    std::map<std::string, std::string> facts;
    for (const auto& [key, value] : options_.settings) facts[key] = value + " (observed)";
    facts["threads"] = fmt::format("{} (asked)", options_.threads);
    return facts;
  }

  ExecutedGraph finish_profile(std::uint64_t skipped_runs) override {
    if (!options_.profile_folder) {
      throw Error(
          ErrorKind::Unsupported,
          "engine 'scripted': this session is not instrumented; load it with a profile folder");
    }
    ExecutedNode sum{.name = "script", .op = "Script", .provider = "scripted"};
    for (std::size_t run = skipped_runs; run < profiled_.size(); ++run) {
      ++sum.runs;
      sum.total += profiled_[run];
    }
    return {.nodes = {sum}};
  }

 private:
  void add_output(const std::string& name, ElementType type,
                  const std::vector<std::int64_t>& sizes) {
    Shape shape;
    for (const std::int64_t size : sizes) shape.push_back({.size = size, .symbol = {}});
    outputs_.push_back(
        {.name = name,
         .type = {
             .kind = TypeKind::Tensor, .element = type, .shape = std::move(shape), .inner = {}}});
  }

  void check_inputs() const {
    for (const Tensor& tensor : bound_) {
      const auto& refused = script_.refuse_shape;
      const auto& demanded = script_.accept_dim;
      const bool is_refused =
          refused && refused->input == tensor.name && refused->shape == tensor.shape;
      const bool is_unmet =
          demanded && demanded->input == tensor.name &&
          (demanded->axis >= tensor.shape.size() || tensor.shape[demanded->axis] != demanded->size);
      if (!is_refused && !is_unmet) continue;
      throw Error(ErrorKind::Engine,
                  fmt::format("engine 'scripted' failed in run: node 'script' refuses "
                              "input '{}' of shape {}",
                              tensor.name, shape_text(tensor.shape)));
    }
  }

  Tensor make_output() const {
    Tensor tensor = make_tensor("output", ElementType::Float32, {4});
    auto* values = reinterpret_cast<float*>(tensor.data.bytes().data());
    Random noise(noise_ + runs_);
    for (int i = 0; i < 4; ++i) {
      const bool is_noise = script_.output == ScriptedOutput::Noise;
      values[i] = is_noise ? static_cast<float>(noise.normal()) : 1.0F;
    }
    return tensor;
  }

  Script script_;
  SessionOptions options_;
  Random random_;
  std::uint64_t noise_;
  std::vector<std::byte> memory_;
  std::vector<Port> inputs_{};
  std::vector<Port> outputs_{};
  std::vector<Tensor> bound_{};
  std::uint64_t runs_ = 0;
  std::vector<Nanoseconds> profiled_{};  ///< Time of each run, when instrumented.
};

class ScriptedEngine final : public Engine {
 public:
  std::string_view name() const override { return "scripted"; }
  std::string version() const override { return "1"; }
  std::string build() const override { return "part of headroom"; }

  std::unique_ptr<Session> load(const ModelSource& source, const SessionOptions& options,
                                const LoadObserver& observer) override {
    refuse_exposed(name(), source);
    Script script = parse_script(options.settings);
    spare_other_models(script, source.path);
    compute_for(script.load / 2);
    if (observer) observer(LoadPhase::Read);
    compute_for(script.load - script.load / 2);
    if (can_fail(script, 0)) play_failures(script, 0);
    const Bytes wanted = script.allocate;
    try {
      auto session = std::make_unique<ScriptedSession>(std::move(script), options);
      if (observer) observer(LoadPhase::Create);
      return session;
    } catch (const std::bad_alloc&) {
      throw Error(ErrorKind::Limit, "engine 'scripted': no memory for the " + format_bytes(wanted) +
                                        " that its script allocates");
    }
  }
};

}  // namespace

std::unique_ptr<Engine> make_scripted_engine() {
  return std::make_unique<ScriptedEngine>();
}

}  // namespace headroom
