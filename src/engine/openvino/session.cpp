// SPDX-License-Identifier: Apache-2.0
// Loading, binding and running through OpenVINO.
#include "engine/openvino/session.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/model/model.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <openvino/frontend/manager.hpp>

#include "engine/openvino/node_trace.h"
#include "engine/openvino/profile.h"
#include "engine/openvino/session_options.h"
#include "engine/openvino/status.h"
#include "engine/openvino/string_nodes.h"
#include "engine/openvino/values.h"
#include "engine/trace.h"

namespace headroom::openvino {
namespace {

/// What is known of a file before it is compiled.
struct ReadModel {
  std::shared_ptr<ov::Model> model{};
  std::set<std::string> inputs{};  ///< Of the file, with those that nothing uses.
};

// An input that an operator without work hands on as it is (Dropout, Max of one) takes the name of
// that operator's output. Inputs keep their order, so the file's names are given back by it; where
// an input stands at another place than in the file, nothing is known and nothing renamed.
void restore_input_names(const ov::Model& model, const std::vector<std::string>& in_order,
                         const std::set<std::string>& file_names) {
  const ov::ParameterVector& inputs = model.get_parameters();
  if (inputs.size() != in_order.size()) return;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string& name = inputs[i]->get_friendly_name();
    if (name != in_order[i] && file_names.contains(name)) return;
  }
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!in_order[i].empty()) inputs[i]->set_friendly_name(in_order[i]);
}

// The front end is named, not searched for: of a broken file, the search would load those of the
// other formats and report theirs. It maps the file into memory.
ReadModel read_model(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    throw Error(ErrorKind::NotFound,
                fmt::format("engine 'openvino' finds no file '{}'", path.string()));
  }
  ov::frontend::FrontEndManager manager;
  const ov::frontend::FrontEnd::Ptr front_end = manager.load_by_framework("onnx");
  const ov::frontend::InputModel::Ptr file = front_end->load(path.string());
  if (file == nullptr) throw std::runtime_error("the ONNX front end does not know this file");
  ReadModel read;
  std::vector<std::string> in_order;
  for (const auto& input : file->get_inputs()) {
    const std::vector<std::string> names = input->get_names();
    read.inputs.insert(names.begin(), names.end());
    in_order.push_back(names.empty() ? std::string() : names.front());
  }
  read.model = front_end->convert(file);
  restore_input_names(*read.model, in_order, read.inputs);
  return read;
}

// An input is told by its name in the file, which its node keeps; its tensor's names may be others.
std::string name_of_input(const ov::Output<const ov::Node>& port,
                          const std::set<std::string>& file_names) {
  const std::string& name = port.get_node()->get_friendly_name();
  if (file_names.contains(name)) return name;
  return port.get_names().empty() ? name : port.get_any_name();
}

std::string name_of_output(const ov::Output<const ov::Node>& port) {
  return port.get_names().empty() ? port.get_node()->get_friendly_name() : port.get_any_name();
}

class OpenvinoSession final : public Session {
 public:
  OpenvinoSession(ov::Core& core, const ModelSource& source, const SessionOptions& options,
                  const LoadObserver& observer)
      : options_(options), path_(source.path), place_("'" + source.path.string() + "'") {
    ReadModel read = translated(Stage::Read, place_, [&] { return read_model(path_); });
    if (observer) observer(LoadPhase::Read);
    translated(Stage::Create, place_, [&] {
      compiled_ = core.compile_model(read.model, "CPU", make_properties(options));
      refuse_mangled_strings();
      request_ = compiled_.create_infer_request();
    });
    translated(Stage::Other, place_, [&] { read_ports(read.inputs); });
    if (observer) observer(LoadPhase::Create);
  }

  const std::vector<Port>& inputs() const override { return inputs_; }
  const std::vector<Port>& outputs() const override { return outputs_; }

  void bind(std::vector<Tensor> inputs) override { bind_values(values_of(std::move(inputs))); }

  void bind_values(std::vector<Datum> inputs) override {
    check_names(inputs);
    translated(Stage::Bind, place_, [&] {
      has_run_ = false;
      const std::vector<Datum> before = std::exchange(bound_, std::move(inputs));
      for (Datum& value : bound_) {
        const auto port = find_input(value.name);
        if (port == inputs_.end()) continue;  // the engine has dropped it
        request_.set_tensor(compiled_.input(static_cast<std::size_t>(port - inputs_.begin())),
                            view_of(value));
      }
    });
  }

  void run() override {
    translated(Stage::Run, place_, [&] {
      if (!has_run_) [[unlikely]] {
        run_checked();
      } else {
        request_.infer();
      }
    });
    has_run_ = true;
    if (options_.profile_folder) [[unlikely]] {
      note_times();
    }
  }

  std::vector<Tensor> copy_outputs() const override {
    if (!has_run_) {
      throw Error(ErrorKind::Engine,
                  "engine 'openvino': there are no outputs before the first run of " + place_);
    }
    return translated(Stage::Other, place_, [&] {
      std::vector<Tensor> outputs;
      for (std::size_t i = 0; i < outputs_.size(); ++i)
        outputs.push_back(copy_tensor(request_.get_tensor(compiled_.output(i)), outputs_[i].name));
      return outputs;
    });
  }

  std::map<std::string, std::string> effective() const override {
    std::map<std::string, std::string> facts =
        translated(Stage::Other, place_, [&] { return effective_options(options_, compiled_); });
    if (!dropped_.empty()) {
      facts["inputs_dropped"] =
          join(std::vector<std::string>(dropped_.begin(), dropped_.end()), ", ") + " (observed)";
    }
    return facts;
  }

  ExecutedGraph finish_profile(std::uint64_t skipped_runs) override {
    if (!options_.profile_folder) {
      throw Error(
          ErrorKind::Unsupported,
          "engine 'openvino': this session is not instrumented; load it with a profile folder");
    }
    ExecutedGraph traced = traced_nodes();
    add_times(log_.sums(skipped_runs), traced);
    return traced;
  }

 private:
  void read_ports(const std::set<std::string>& file_inputs) {
    dropped_ = file_inputs;
    for (const auto& port : compiled_.inputs()) {
      inputs_.push_back({.name = name_of_input(port, file_inputs), .type = value_type_of(port)});
      dropped_.erase(inputs_.back().name);
      for (const std::string& name : port.get_names()) dropped_.erase(name);
    }
    for (const auto& port : compiled_.outputs())
      outputs_.push_back({.name = name_of_output(port), .type = value_type_of(port)});
  }

  // With one thread, `infer` drops the exception of a node that fails in its shape inference, and
  // leaves the outputs as they were (version 2026.4; with two threads it throws). The other way to
  // run throws with any number. So the first run on new inputs takes that way, at the price of one
  // change of threads; what it accepts, the further runs on the same inputs meet again.
  void run_checked() {
    request_.start_async();
    request_.wait();
  }

  void refuse_mangled_strings() const {
    const std::string op = op_unfit_for_strings(compiled_);
    if (op.empty()) return;
    throw Error(ErrorKind::Unsupported,
                fmt::format("engine 'openvino' would run {}, but its {} copies strings byte by "
                            "byte, which ends the process when both copies are freed; use another "
                            "engine",
                            place_, printable(op)));
  }

  std::vector<Port>::const_iterator find_input(std::string_view name) const {
    return std::find_if(inputs_.begin(), inputs_.end(),
                        [&](const Port& port) { return port.name == name; });
  }

  void check_names(const std::vector<Datum>& values) const {
    const std::vector<std::string> dropped(dropped_.begin(), dropped_.end());
    check_input_names(place_, names_of(values), names_of(inputs_), dropped);
  }

  void note_times() {
    std::vector<NodeReading> readings;
    for (ov::ProfilingInfo& node : request_.get_profiling_info()) {
      readings.push_back({.name = std::move(node.node_name),
                          .op = std::move(node.node_type),
                          .implementation = std::move(node.exec_type),
                          .mean = node.real_time});
    }
    log_.add(std::move(readings));
  }

  // What the times belong to is worth less than the times: a graph that cannot be read is said so.
  ExecutedGraph traced_nodes() const {
    try {
      const Model file = load_for_trace(path_);
      return translated(Stage::Other, place_,
                        [&] { return trace_nodes(file.graph, *compiled_.get_runtime_model()); });
    } catch (const Error& error) {
      return {.untraced = error.what()};
    }
  }

  SessionOptions options_;
  std::filesystem::path path_;
  std::string place_;
  std::vector<Datum> bound_{};  // Outlive the request, which holds views of them.
  ov::CompiledModel compiled_{};
  mutable ov::InferRequest request_{};  // Its getters are not const.
  std::vector<Port> inputs_{};
  std::vector<Port> outputs_{};
  std::set<std::string> dropped_{};  // Inputs of the file that the compiled model lacks.
  ProfileLog log_{};
  bool has_run_ = false;
};

}  // namespace

std::unique_ptr<Session> create_session(ov::Core& core, const ModelSource& source,
                                        const SessionOptions& options,
                                        const LoadObserver& observer) {
  return std::make_unique<OpenvinoSession>(core, source, options, observer);
}

}  // namespace headroom::openvino
