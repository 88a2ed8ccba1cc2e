// SPDX-License-Identifier: Apache-2.0
// Combinations of what may have several values, and their runs.
#include <headroom/app/sweep.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace headroom::app {
namespace {

/// Each of `runs` with each of `values`, the values changing fastest.
template <class Value, class Set>
void combine(std::vector<RunOptions>& runs, const std::vector<Value>& values, Set&& set) {
  if (values.empty()) return;
  std::vector<RunOptions> combined;
  for (const RunOptions& run : runs) {
    for (const Value& value : values) {
      combined.push_back(run);
      set(combined.back(), value);
    }
  }
  runs = std::move(combined);
}

}  // namespace

std::vector<RunOptions> expand(const RunOptions& options, const SweepAxes& axes) {
  std::vector<RunOptions> runs{options};
  combine(runs, axes.shapes,
          [](RunOptions& run, const ShapeOptions& shapes) { run.inputs.shapes = shapes; });
  combine(runs, axes.threads, [](RunOptions& run, int threads) { run.threads = threads; });
  combine(runs, axes.engines,
          [](RunOptions& run, const std::string& engine) { run.engine = engine; });
  return runs;
}

std::vector<RunResult> sweep(std::vector<PreparedRun> runs, const RunContext& context) {
  std::vector<RunResult> results;
  const std::size_t all = runs.size();
  for (PreparedRun& prepared : runs) {
    if (context.stop.load()) break;
    RunContext each = context;
    const std::string number = fmt::format("run {} of {}, ", results.size() + 1, all);
    if (context.progress && all > 1) {
      each.progress = [&](const Progress& step) {
        context.progress({.stage = number + step.stage, .detail = step.detail});
      };
    }
    results.push_back(run(std::move(prepared), each));
  }
  return results;
}

std::vector<Record> shape_memory(std::span<const RunResult> results, const RunContext& context) {
  std::vector<Case> cases;
  for (const RunResult& result : results) {
    const Case& ran = result.record.plan_case;
    const Status status = result.record.outcome.status;
    if (status != Status::Ok && status != Status::Noisy) continue;
    const auto same = std::find_if(cases.begin(), cases.end(), [&](const Case& known) {
      return known.engine == ran.engine && known.threads == ran.threads;
    });
    if (same != cases.end()) {
      same->later_inputs.push_back(ran.inputs);
    } else {
      cases.push_back(ran);
      cases.back().role = Role::Shapes;
    }
  }
  std::vector<Record> records;
  for (const Case& plan_case : cases) {
    if (plan_case.later_inputs.empty() || context.stop.load()) continue;
    if (context.progress)
      context.progress({.stage = "memory", .detail = "one session meets all shapes"});
    records.push_back(context.launcher.launch(plan_case, context.stop));
  }
  return records;
}

int exit_status(std::span<const RunResult> results) noexcept {
  int status = 0;
  for (const RunResult& result : results) {
    const int one = exit_status(result.record.outcome);
    if (one > 1) return one;
    status = std::max(status, one);
  }
  return status;
}

}  // namespace headroom::app
