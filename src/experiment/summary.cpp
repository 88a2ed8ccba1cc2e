// SPDX-License-Identifier: Apache-2.0
// The metrics of a record and what they say about its outcome.
#include <headroom/experiment.h>
#include <headroom/stats.h>

#include <algorithm>

#include <fmt/format.h>

#include "experiment/statistics.h"

namespace headroom {
namespace {

using experiment::over_launches;
using experiment::with_point;
using Durations = std::vector<std::vector<double>>;
using Metrics = std::map<std::string, Metric>;

constexpr std::string_view kNoSamples = "no launch gave a sample";

template <class Statistic>
std::vector<double> of_each(const Durations& launches, Statistic&& statistic) {
  std::vector<double> values;
  values.reserve(launches.size());
  for (const auto& durations : launches) values.push_back(statistic(durations));
  return values;
}

std::uint64_t sample_count(const Durations& launches) {
  std::uint64_t count = 0;
  for (const auto& durations : launches) count += durations.size();
  return count;
}

double smallest(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

void add_latency(const Durations& launches, Metrics& metrics) {
  const std::uint64_t n = sample_count(launches);
  const auto means = of_each(launches, stats::mean);
  metrics["latency_median_ns"] = over_launches(of_each(launches, stats::median), n, kNoSamples);
  metrics["latency_mean_ns"] = over_launches(means, n, kNoSamples);
  const auto minima = of_each(launches, smallest);
  metrics["latency_min_ns"] = minima.empty() ? Metric{.absent = std::string(kNoSamples)}
                                             : with_point(smallest(minima), minima, n);
  metrics["latency_p90_ns"] = experiment::percentile(launches, 0.90);
  metrics["latency_p99_ns"] = experiment::percentile(launches, 0.99);
  // One request at a time: the rate is the inverse of the mean, whatever is done between requests.
  std::vector<double> rates;
  for (const double mean : means)
    if (mean > 0) rates.push_back(1e9 / mean);
  metrics["throughput_per_s"] = over_launches(
      rates, n, means.empty() ? kNoSamples : "the mean time is below the clock's resolution");
}

// The values that launches know of one of their facts.
template <class Fact>
std::vector<double> known(const std::vector<Launch>& launches, Fact&& fact) {
  std::vector<double> values;
  for (const Launch& launch : launches)
    if (const auto value = fact(launch)) values.push_back(static_cast<double>(*value));
  return values;
}

Metric of_launches(const std::vector<double>& values, std::string_view reason) {
  return over_launches(values, values.size(), reason);
}

std::optional<std::int64_t> load_of(const Launch& launch) {
  if (!launch.read_ns && !launch.create_ns) return std::nullopt;
  return launch.read_ns.value_or(0) + launch.create_ns.value_or(0);
}

// Warm-up counts in launches that came to sampling or were stopped on the way there.
std::optional<std::uint64_t> warmup_runs_of(const Launch& launch) {
  return launch.warmup_ended_by.empty() ? std::nullopt : std::optional(launch.warmup_runs);
}
std::optional<std::int64_t> warmup_time_of(const Launch& launch) {
  return launch.warmup_ended_by.empty() ? std::nullopt : std::optional(launch.warmup_ns);
}

void add_phases(const std::vector<Launch>& launches, Metrics& metrics) {
  constexpr std::string_view kNotTold = "the engine does not tell this phase";
  constexpr std::string_view kNotReached = "no launch came so far";
  metrics["load_ns"] = of_launches(known(launches, load_of), kNotReached);
  metrics["read_ns"] =
      of_launches(known(launches, [](const Launch& l) { return l.read_ns; }), kNotTold);
  metrics["create_ns"] =
      of_launches(known(launches, [](const Launch& l) { return l.create_ns; }), kNotReached);
  metrics["first_run_ns"] =
      of_launches(known(launches, [](const Launch& l) { return l.first_run_ns; }), kNotReached);
  metrics["warmup_runs"] = of_launches(known(launches, warmup_runs_of), kNotReached);
  metrics["warmup_ns"] = of_launches(known(launches, warmup_time_of), kNotReached);
}

void add_usage(const std::vector<Launch>& launches, Metrics& metrics) {
  constexpr std::string_view kNoFacts = "the system does not tell it";
  metrics["cpu_ns_per_inference"] = of_launches(
      known(launches, [](const Launch& l) { return l.cpu_ns_per_inference; }), kNoFacts);
  metrics["memory_loaded_bytes"] =
      of_launches(known(launches, [](const Launch& l) { return l.memory_loaded_bytes; }), kNoFacts);
  const auto peaks = known(launches, [](const Launch& l) { return l.peak_memory_bytes; });
  metrics["peak_memory_bytes"] =
      peaks.empty()
          ? Metric{.absent = std::string(kNoFacts)}
          : with_point(*std::max_element(peaks.begin(), peaks.end()), peaks, peaks.size());
}

// A rate from a time: the ends of the interval change places.
Metric rate_of(double count, const Metric& time) {
  Metric rate{.value = count * 1e9 / *time.value, .n = time.n};
  if (time.high) rate.low = count * 1e9 / *time.high;
  if (time.low && *time.low > 0) rate.high = count * 1e9 / *time.low;
  return rate;
}

Metric share_of(const Metric& rate, double peak) {
  Metric share{.value = *rate.value / peak, .n = rate.n};
  if (rate.low) share.low = *rate.low / peak;
  if (rate.high) share.high = *rate.high / peak;
  return share;
}

Metric achieved_rate(const ModelFacts& model, const Metric& median) {
  if (!model.macs)
    return {.absent = model.macs_absent.empty() ? "the work was not counted" : model.macs_absent};
  if (*model.macs == 0) return {.absent = "the model has no multiply-adds"};
  if (!median.value) return {.absent = median.absent};
  if (*median.value <= 0) return {.absent = "the median time is below the clock's resolution"};
  return rate_of(2 * static_cast<double>(*model.macs), median);
}

void add_work(const Record& record, Metrics& metrics) {
  const ModelFacts& model = record.model;
  Metric macs{.absent = model.macs_absent.empty() ? "the work was not counted" : model.macs_absent};
  Metric flops = macs;
  if (model.macs) {
    const auto count = static_cast<double>(*model.macs);
    macs = {.value = count, .kind = MetricKind::Estimated};
    flops = {.value = 2 * count, .kind = MetricKind::Estimated};
  }
  const Metric achieved = achieved_rate(model, metrics["latency_median_ns"]);
  Metric share{.absent = achieved.absent};
  if (achieved.value) {
    share = record.peak_flop_per_s && *record.peak_flop_per_s > 0
                ? share_of(achieved, *record.peak_flop_per_s)
                : Metric{.absent = record.peak_absent.empty()
                                       ? "the peak of this machine was not measured"
                                       : record.peak_absent};
  }
  metrics["macs"] = std::move(macs);
  metrics["flops"] = std::move(flops);
  metrics["achieved_flop_per_s"] = achieved;
  metrics["peak_flop_share"] = std::move(share);
}

void add_ratio(Record& record) {
  Profile& profile = record.profile;
  profile.instrumented_ratio.reset();
  const Metric& plain = record.metrics["latency_median_ns"];
  if (profile.instrumented_median_ns && plain.value && *plain.value > 0)
    profile.instrumented_ratio = *profile.instrumented_median_ns / *plain.value;
}

std::string disturbance(const Record& record) {
  double steal = 0;
  double busy = 0;
  for (const Launch& launch : record.launches) {
    steal = std::max(steal, launch.quiet.steal);
    busy = std::max(busy, launch.quiet.foreign_busy);
  }
  if (record.is_quiet.value_or(true)) return {};
  return fmt::format(
      "; the machine was not quiet (in the worst launch {:.1f} % of CPU time was "
      "stolen and others kept {:.1f} CPUs busy)",
      100 * steal, busy);
}

std::optional<Outcome> find_mistrust(const Record& record) {
  if (record.gate.status == GateStatus::Failed) {
    return Outcome{.status = Status::Mistrusted,
                   .reason = fmt::format("the outputs are wrong against {}: {}",
                                         record.gate.reference, record.gate.reason)};
  }
  const Metric& share = record.metrics.at("peak_flop_share");
  if (share.value && *share.value > 1) {
    return Outcome{.status = Status::Mistrusted,
                   .reason = fmt::format(
                       "the achieved rate is {:.2f} times the measured float32 peak: the "
                       "measured peak is suspect (calibrate anew on a quiet machine), or the "
                       "engine needs fewer float32 operations than are counted",
                       *share.value)};
  }
  return std::nullopt;
}

std::optional<Outcome> find_noise(const Record& record) {
  const Metric& median = record.metrics.at("latency_median_ns");
  if (!median.value || !median.low || !median.high || *median.value <= 0) return std::nullopt;
  const double width = (*median.high - *median.low) / *median.value;
  if (width <= kNoisyWidth) return std::nullopt;
  return Outcome{
      .status = Status::Noisy,
      .reason = fmt::format("the 95 % interval of the median is {:.1f} % wide, more than "
                            "{:.0f} %{}",
                            100 * width, 100 * kNoisyWidth, disturbance(record))};
}

void judge(Record& record) {
  const Status status = record.outcome.status;
  if (status == Status::Noisy ||
      status == Status::Mistrusted) {  // judged before: again from the facts
    const bool is_also_partial = !record.outcome.error_kind.empty();
    if (status == Status::Mistrusted && is_also_partial) return;
    record.outcome = {};
  }
  const bool is_partial = record.outcome.status == Status::Partial;
  if (record.outcome.status != Status::Ok && !is_partial) return;
  if (auto mistrust = find_mistrust(record)) {
    if (is_partial) {  // keeps what cut it short
      mistrust->reason += "; besides: " + record.outcome.reason;
      mistrust->error_kind = record.outcome.error_kind;
    }
    record.outcome = std::move(*mistrust);
  } else if (!is_partial) {
    if (auto noise = find_noise(record)) record.outcome = std::move(*noise);
  }
}

}  // namespace

void summarize(Record& record) {
  Metrics metrics;
  const Durations launches = experiment::durations_by_launch(record.samples);
  add_latency(launches, metrics);
  add_phases(record.launches, metrics);
  add_usage(record.launches, metrics);
  add_work(record, metrics);
  record.metrics = std::move(metrics);
  add_ratio(record);
  judge(record);
}

}  // namespace headroom
