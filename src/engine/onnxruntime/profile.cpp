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
  std::int64_t thread = 0;
  std::int64_t start = 0;
  std::int64_t duration = 0;
};

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
    NodeTiming& sum = sums_[{node, event.op, event.provider}];
    ++sum.runs;
    sum.total += std::chrono::microseconds{own};
  }

  std::vector<NodeTiming> sorted() {
    std::vector<NodeTiming> timings;
    for (auto& [key, sum] : sums_) {
      std::tie(sum.name, sum.op, sum.provider) = key;
      timings.push_back(std::move(sum));
    }
    std::stable_sort(timings.begin(), timings.end(),
                     [](const NodeTiming& a, const NodeTiming& b) { return a.total > b.total; });
    return timings;
  }

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

  std::map<std::tuple<std::string, std::string, std::string>, NodeTiming> sums_{};
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
  return sums.sorted();
}

}  // namespace headroom::onnxruntime
