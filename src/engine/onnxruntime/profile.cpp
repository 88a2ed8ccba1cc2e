// SPDX-License-Identifier: Apache-2.0
// A streaming reader of ONNX Runtime's profile: an array of events in the order of their ends.
#include "engine/onnxruntime/profile.h"

#include <headroom/base/error.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace headroom::onnxruntime {
namespace {

constexpr std::string_view kKernelSuffix = "_kernel_time";

/// One entry of the profile, times in microseconds.
struct Event {
  std::string category{};
  std::string name{};
  std::string op{};
  std::string provider{};
  std::string precision{};  // In the profile's words.
  std::int64_t thread = 0;
  std::int64_t start = 0;
  std::int64_t duration = 0;
};

// The profile names types as ONNX's type strings do.
std::string our_name(const std::string& type) {
  if (type == "float") return "float32";
  return type == "double" ? "float64" : type;
}

/// Adds events up, each with its own time.
class Sums {
 public:
  explicit Sums(std::uint64_t skipped_runs) : skipped_runs_(skipped_runs) {}

  void add(const Event& event) {
    if (event.category == "Session" && event.name == "model_run") {  // after the run's nodes
      ++ended_runs_;
      open_.clear();
    }
    if (event.category != "Node" || !event.name.ends_with(kKernelSuffix)) return;
    const std::int64_t own = event.duration - inside(event);
    if (ended_runs_ < skipped_runs_) return;
    const std::string node = event.name.substr(0, event.name.size() - kKernelSuffix.size());
    const auto [at, is_new] =
        places_.try_emplace({node, event.op, event.provider}, timings_.size());
    if (is_new) {
      timings_.push_back({.name = node,
                          .op = event.op,
                          .provider = event.provider,
                          .precision = our_name(event.precision)});
    }
    NodeTiming& sum = timings_[at->second];
    ++sum.runs;
    sum.total += std::chrono::microseconds{own};
  }

  std::vector<NodeTiming> take() { return std::move(timings_); }

 private:
  struct Interval {
    std::int64_t start;
    std::int64_t duration;
  };

  // The time of the events inside this one, all of which have ended before it and are consumed
  // here, so that an outer node counts them once.
  std::int64_t inside(const Event& event) {
    std::vector<Interval>& open = open_[event.thread];
    std::int64_t sum = 0;
    while (!open.empty() && open.back().start >= event.start) {
      sum += open.back().duration;
      open.pop_back();
    }
    open.push_back({event.start, event.duration});
    return std::min(sum, event.duration);
  }

  std::vector<NodeTiming> timings_{};
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places_{};
  std::map<std::int64_t, std::vector<Interval>> open_{};
  std::uint64_t skipped_runs_;
  std::uint64_t ended_runs_ = 0;
};

/// Receives the JSON as it is parsed. Depth 1 is the array, 2 an event, 3 its `args`.
class EventReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit EventReader(Sums& sums) : sums_(sums) {}

  const std::string& problem() const { return problem_; }

  bool start_object(std::size_t /*size*/) override {
    if (++depth_ == 2) event_ = {};
    if (depth_ == 3) is_args_ = key_ == "args";
    return true;
  }
  bool end_object() override {
    if (depth_-- == 2) sums_.add(event_);
    return true;
  }
  bool start_array(std::size_t /*size*/) override {
    ++depth_;
    return true;
  }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool key(string_t& name) override {
    // `"output_type_shape" : [{"float" : [1, 2]}, …]`: depth 3 is args, 4 the list, 5 an entry.
    if (depth_ == 3) is_output_ = is_args_ && name == "output_type_shape";
    if (depth_ == 5 && is_output_ && event_.precision.empty()) event_.precision = name;
    key_ = name;
    return true;
  }
  bool string(string_t& text) override {
    if (depth_ == 2 && key_ == "cat") event_.category = text;
    if (depth_ == 2 && key_ == "name") event_.name = text;
    if (depth_ == 3 && is_args_ && key_ == "op_name") event_.op = text;
    if (depth_ == 3 && is_args_ && key_ == "provider") event_.provider = text;
    return true;
  }
  bool number_integer(number_integer_t value) override {
    if (depth_ == 2 && key_ == "ts") event_.start = value;
    if (depth_ == 2 && key_ == "dur") event_.duration = value;
    if (depth_ == 2 && key_ == "tid") event_.thread = value;
    return true;
  }
  bool number_unsigned(number_unsigned_t value) override {
    return number_integer(static_cast<std::int64_t>(value));
  }
  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    problem_ = fmt::format("byte {}: {}", position, error.what());
    return false;
  }

 private:
  Sums& sums_;
  Event event_{};
  std::string key_{};
  std::string problem_{};
  int depth_ = 0;
  bool is_args_ = false;
  bool is_output_ = false;
};

}  // namespace

std::vector<NodeTiming> read_profile(const std::filesystem::path& path,
                                     std::uint64_t skipped_runs) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw Error(ErrorKind::NotFound,
                fmt::format("engine 'onnxruntime' wrote no profile to '{}'", path.string()));
  }
  Sums sums(skipped_runs);
  EventReader reader(sums);
  if (!nlohmann::json::sax_parse(file, &reader)) {
    throw Error(ErrorKind::Engine,
                fmt::format("engine 'onnxruntime' left a profile that is not JSON, "
                            "'{}': {}",
                            path.string(), reader.problem()));
  }
  return sums.take();
}

void add_times(std::vector<NodeTiming> timings, ExecutedGraph& traced) {
  std::map<std::pair<std::string, std::string>, std::size_t> named;
  std::map<std::string, std::vector<std::size_t>> unnamed;  // By operator, in order.
  for (std::size_t i = 0; i < traced.nodes.size(); ++i) {
    const ExecutedNode& node = traced.nodes[i];
    if (node.name.empty()) {
      unnamed[node.op].push_back(i);
    } else {
      named.try_emplace({node.name, node.op}, i);
    }
  }
  std::map<std::string, std::vector<NodeTiming>> others;
  const auto add = [](NodeTiming timing, ExecutedNode& node) {
    node.name = std::move(timing.name);
    node.provider = std::move(timing.provider);
    node.precision = std::move(timing.precision);
    node.runs += timing.runs;
    node.total += timing.total;
  };
  for (NodeTiming& timing : timings) {
    const auto found = named.find({timing.name, timing.op});
    if (found != named.end()) {
      add(std::move(timing), traced.nodes[found->second]);
    } else {
      others[timing.op].push_back(std::move(timing));
    }
  }
  for (auto& [op, left] : others) {
    const std::vector<std::size_t>& places = unnamed[op];
    for (std::size_t i = 0; i < left.size(); ++i) {
      const bool is_told = left.size() == places.size();
      ExecutedNode& node =
          is_told ? traced.nodes[places[i]] : traced.nodes.emplace_back(ExecutedNode{.op = op});
      add(std::move(left[i]), node);
    }
  }
  std::stable_sort(traced.nodes.begin(), traced.nodes.end(),
                   [](const ExecutedNode& a, const ExecutedNode& b) { return a.total > b.total; });
}

}  // namespace headroom::onnxruntime
