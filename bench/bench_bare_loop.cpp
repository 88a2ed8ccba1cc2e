// SPDX-License-Identifier: Apache-2.0
// Headroom's launches against a loop written by hand on the same model, over pairs of processes in
// random order: the ratio of the medians, or the difference of the peaks of memory.
//
// Usage: bench_bare_loop time|memory MODEL [PAIRS] [SECONDS] [THREADS]
// Both programs, headroom and bare_loop, are taken from the folder of this one.
//
// Memory is compared with glibc's threshold for mapped blocks fixed. By default it grows with the
// blocks that are freed, up to 32 MiB, and twice as much may stay in the heap after a free: then
// the peak of one and the same program jumps by tens of megabytes with the places that its small
// allocations happened to get, and the difference shows that luck, not what is ours.
#include <headroom/base/random.h>
#include <headroom/base/text.h>
#include <headroom/data.h>
#include <headroom/worker.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "interval.h"

namespace {

using namespace headroom;

constexpr double kRatioGoal = 0.05;
constexpr double kMemoryGoal = 20e6;

enum class Subject { Time, Memory };

struct Options {
  Subject subject = Subject::Time;
  std::filesystem::path model{};
  int pairs = 20;
  double seconds = 1;
  int threads = 1;
};

struct Figures {
  double median_ns = 0;
  double peak_bytes = 0;
};

Case make_case(const Options& options) {
  Model model = load_model(options.model);
  inline_functions(model);
  infer_shapes(model, {});
  const InputPlan inputs = plan_inputs(model, {.use_test_data = false});
  const Nanoseconds time{static_cast<std::int64_t>(options.seconds * 1e9)};
  return {.role = Role::Measure,
          .model = std::filesystem::absolute(options.model).string(),
          .engine = "onnxruntime",
          .threads = options.threads,
          .inputs = inputs.inputs,
          .inputs_from = inputs.source,
          .stop = {.max_time = time}};
}

Figures ours(const Case& plan_case) {
  const StopFlag stop{false};
  const Record record =
      ChildLauncher(own_program().parent_path() / "headroom").launch(plan_case, stop);
  if (record.outcome.status != Status::Ok || record.samples.size() == 0) {
    fmt::print(stderr, "headroom: {}\n", record.outcome.reason);
    std::exit(1);
  }
  std::vector<double> durations;
  for (std::size_t i = 0; i < record.samples.size(); ++i)
    durations.push_back(static_cast<double>(record.samples.end_ns[i] - record.samples.start_ns[i]));
  return {stats::median(durations),
          static_cast<double>(record.launches.front().peak_memory_bytes.value_or(0))};
}

Figures by_hand(const Options& options) {
  const std::string command =
      fmt::format("{} {} {} {}", shell_quote((own_program().parent_path() / "bare_loop").string()),
                  shell_quote(options.model.string()), options.threads, options.seconds);
  std::FILE* output = popen(command.c_str(), "r");
  Figures figures;
  const bool is_read = output != nullptr &&
                       std::fscanf(output, "%lf %lf", &figures.median_ns, &figures.peak_bytes) == 2;
  if (output == nullptr || pclose(output) != 0 || !is_read) {
    fmt::print(stderr, "bare_loop failed\n");
    std::exit(1);
  }
  return figures;
}

struct Pairs {
  std::vector<double> our_medians{};
  std::vector<double> their_medians{};
  std::vector<double> ratios{};
  std::vector<double> extra_bytes{};
};

Pairs run_pairs(const Options& options) {
  const Case plan_case = make_case(options);
  Random random(1);
  Pairs pairs;
  for (int i = 0; i < options.pairs; ++i) {
    const bool is_ours_first = random.below(2) == 0;
    Figures mine = is_ours_first ? ours(plan_case) : Figures{};
    const Figures theirs = by_hand(options);
    if (!is_ours_first) mine = ours(plan_case);
    pairs.our_medians.push_back(mine.median_ns);
    pairs.their_medians.push_back(theirs.median_ns);
    pairs.ratios.push_back(mine.median_ns / theirs.median_ns);
    pairs.extra_bytes.push_back(mine.peak_bytes - theirs.peak_bytes);
  }
  return pairs;
}

void print_head(const Options& options) {
  fmt::print("| {}, {} pairs, {} thread(s) | value | 95 % interval |\n| --- | --- | --- |\n",
             options.model.filename().string(), options.pairs, options.threads);
}

// The interval is of ranks: one launch in a slow phase of the machine is an outlier of any size.
bool report_time(const Options& options, const Pairs& pairs) {
  const stats::Interval interval = stats::median_interval(pairs.ratios);
  print_head(options);
  fmt::print("| median by hand | {:.0f} ns | |\n", stats::median(pairs.their_medians));
  fmt::print("| median of Headroom | {:.0f} ns | |\n", stats::median(pairs.our_medians));
  fmt::print("| ratio | {:.3f} | {:.3f} to {:.3f} |\n", stats::median(pairs.ratios), interval.low,
             interval.high);
  const bool is_met = interval.low >= 1 - kRatioGoal && interval.high <= 1 + kRatioGoal;
  fmt::print("\nGoal: ratio within {:.0f} %: {}.\n", 100 * kRatioGoal, is_met ? "met" : "not met");
  return is_met;
}

bool report_memory(const Options& options, const Pairs& pairs) {
  const auto [extra, interval] = bench::estimate(pairs.extra_bytes);
  print_head(options);
  fmt::print("| peak memory beyond the loop by hand | {:.1f} MB | {:.1f} to {:.1f} MB |\n",
             extra / 1e6, interval.low / 1e6, interval.high / 1e6);
  const bool is_met = interval.high <= kMemoryGoal;
  fmt::print("\nGoal: at most {:.0f} MB: {}.\n", kMemoryGoal / 1e6, is_met ? "met" : "not met");
  return is_met;
}

bool run_subject(const Options& options) {
  if (options.subject == Subject::Time) return report_time(options, run_pairs(options));
  setenv("MALLOC_MMAP_THRESHOLD_", "131072", 1);  // glibc's initial value; given, it stays
  return report_memory(options, run_pairs(options));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view subject = argc > 1 ? argv[1] : "";
  if (argc < 3 || argc > 6 || (subject != "time" && subject != "memory")) {
    fmt::print(stderr, "usage: bench_bare_loop time|memory MODEL [PAIRS] [SECONDS] [THREADS]\n");
    return 2;
  }
  Options options{.subject = subject == "time" ? Subject::Time : Subject::Memory, .model = argv[2]};
  if (argc > 3) options.pairs = std::max(2, std::atoi(argv[3]));
  if (argc > 4) options.seconds = std::atof(argv[4]);
  if (argc > 5) options.threads = std::atoi(argv[5]);
  try {
    return run_subject(options) ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_bare_loop: {}\n", error.what());
    return 1;
  }
}
