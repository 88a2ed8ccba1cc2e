// SPDX-License-Identifier: Apache-2.0
// Metrics from samples, by hand.
#include <headroom/experiment.h>

#include <cmath>

#include <gtest/gtest.h>

#include "experiment/scripted.h"

namespace headroom {
namespace {

using headroom::test::launched;

// Launch i holds the durations `launches[i]`.
Record record_of(const std::vector<std::vector<std::int64_t>>& launches) {
  Record record;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const Record part = launched(launches[i]);
    record.launches.push_back(part.launches[0]);
    record.launches.back().index = static_cast<int>(i);
    for (std::size_t row = 0; row < part.samples.size(); ++row) {
      record.samples.launch.push_back(static_cast<std::int32_t>(i));
      record.samples.start_ns.push_back(part.samples.start_ns[row]);
      record.samples.end_ns.push_back(part.samples.end_ns[row]);
    }
  }
  return record;
}

const Metric& metric(const Record& record, const char* key) {
  return record.metrics.at(key);
}

TEST(Summarize, GivesEveryMetricOfTheTableAValueOrAReason) {
  for (Record record : {record_of({{10, 20, 30}}), Record{}}) {
    summarize(record);
    ASSERT_EQ(record.metrics.size(), metric_table().size());
    for (const MetricInfo& info : metric_table()) {
      const Metric& found = metric(record, std::string(info.key).c_str());
      EXPECT_NE(found.value.has_value(), !found.absent.empty()) << info.key;
    }
  }
}

TEST(Summarize, TakesTheStatisticOfEachLaunchThenTheMedianOverLaunches) {
  // Medians 20, 40, 30; means 20, 50, 30; minima 10, 20, 30.
  Record record = record_of({{30, 10, 20}, {20, 40, 90}, {30, 30, 30}});
  summarize(record);
  EXPECT_EQ(metric(record, "latency_median_ns").value, 30);
  EXPECT_EQ(metric(record, "latency_median_ns").n, 9U);
  EXPECT_EQ(metric(record, "latency_mean_ns").value, 30);
  EXPECT_EQ(metric(record, "latency_min_ns").value, 10);
  EXPECT_DOUBLE_EQ(metric(record, "throughput_per_s").value.value(), 1e9 / 30);
  // Logarithms of 20, 30, 40: mean 3.3623868, s 0.3481185; t(0.975, 2) = 4.302653, so
  // exp(3.3623868 +- 0.8647747), computed with a desk calculator's functions.
  EXPECT_NEAR(metric(record, "latency_median_ns").low.value(), 12.151, 0.01);
  EXPECT_NEAR(metric(record, "latency_median_ns").high.value(), 68.51, 0.05);
}

TEST(Summarize, ExtendsTheIntervalOfTheMinimumToIt) {
  Record record = record_of({{10}, {1000}, {1001}, {1002}, {1003}, {1004}, {1005}, {1006}, {1007}});
  summarize(record);
  EXPECT_EQ(metric(record, "latency_min_ns").value, 10);
  EXPECT_EQ(metric(record, "latency_min_ns").low, 10);
}

TEST(Summarize, HasNoIntervalForOneLaunch) {
  Record record = record_of({{10, 20, 30}});
  summarize(record);
  EXPECT_EQ(metric(record, "latency_median_ns").value, 20);
  EXPECT_FALSE(metric(record, "latency_median_ns").low);
  EXPECT_EQ(record.outcome.status, Status::Ok);
}

TEST(Summarize, RefusesAPercentileByName) {
  std::vector<std::int64_t> durations(99, 5);
  Record record = record_of({durations});
  summarize(record);
  EXPECT_EQ(metric(record, "latency_p90_ns").absent,
            "percentile 90 needs at least 100 samples, there are 99");
  EXPECT_EQ(metric(record, "latency_p99_ns").absent,
            "percentile 99 needs at least 1000 samples, there are 99");
}

TEST(Summarize, TakesAPercentileOfTheSamplesOfAllLaunches) {
  // 1 … 100 in the first launch, 101 … 200 in the second: rank ceil(0.9 * 200) = 180.
  std::vector<std::int64_t> first;
  std::vector<std::int64_t> second;
  for (int i = 1; i <= 100; ++i) {
    first.push_back(i);
    second.push_back(100 + i);
  }
  Record record = record_of({first, second});
  summarize(record);
  EXPECT_EQ(metric(record, "latency_p90_ns").value, 180);
  EXPECT_EQ(metric(record, "latency_p90_ns").n, 200U);
  EXPECT_LE(metric(record, "latency_p90_ns").low.value(), 90);
  EXPECT_GE(metric(record, "latency_p90_ns").high.value(), 190);
}

TEST(Summarize, GathersPhasesAndUsageFromTheLaunches) {
  Record record = record_of({{10}, {10}, {10}});
  record.launches[0].peak_memory_bytes = 70'000'000;
  record.launches[1].create_ns = 10'000'000;
  record.launches[2].create_ns = 9'000'000;
  summarize(record);
  EXPECT_EQ(metric(record, "load_ns").value, 11'000'000);  // 2 + 9 ms
  EXPECT_EQ(metric(record, "load_ns").n, 3U);
  EXPECT_EQ(metric(record, "read_ns").value, 2'000'000);
  EXPECT_EQ(metric(record, "create_ns").value, 9'000'000);
  EXPECT_EQ(metric(record, "first_run_ns").value, 5'000'000);
  EXPECT_EQ(metric(record, "warmup_runs").value, 20);
  EXPECT_EQ(metric(record, "peak_memory_bytes").value, 70'000'000);
  EXPECT_EQ(metric(record, "memory_loaded_bytes").value, 50'000'000);
  EXPECT_EQ(metric(record, "cpu_ns_per_inference").value, 2e6);
}

TEST(Summarize, GivesTheAchievedRateAndItsShareOfThePeak) {
  // 10^6 MACs are 2 * 10^6 FLOP; in 1 ms that is 2 GFLOP/s, a tenth of 20.
  Record record = record_of({{1'000'000}, {1'000'000}});
  record.model.macs = 1'000'000;
  record.peak_flop_per_s = 20e9;
  summarize(record);
  EXPECT_DOUBLE_EQ(metric(record, "achieved_flop_per_s").value.value(), 2e9);
  EXPECT_DOUBLE_EQ(metric(record, "peak_flop_share").value.value(), 0.1);
  EXPECT_EQ(metric(record, "macs").value, 1'000'000);
  EXPECT_EQ(metric(record, "flops").value, 2'000'000);
  EXPECT_EQ(metric(record, "flops").kind, MetricKind::Estimated);
}

TEST(Summarize, SwapsTheEndsOfTheIntervalInARate) {
  Record record = record_of({{1'000'000}, {1'010'000}, {990'000}});
  record.model.macs = 1'000'000;
  summarize(record);
  const Metric& time = metric(record, "latency_median_ns");
  const Metric& rate = metric(record, "achieved_flop_per_s");
  EXPECT_DOUBLE_EQ(rate.low.value(), 2e15 / time.high.value());
  EXPECT_DOUBLE_EQ(rate.high.value(), 2e15 / time.low.value());
}

TEST(Summarize, SaysWhyThereIsNoRate) {
  Record record = record_of({{10}});
  record.model.macs_absent = "2 Foo without a formula";
  summarize(record);
  EXPECT_EQ(metric(record, "macs").absent, "2 Foo without a formula");
  EXPECT_EQ(metric(record, "achieved_flop_per_s").absent, "2 Foo without a formula");
  record.model.macs = 0;
  summarize(record);
  EXPECT_EQ(metric(record, "macs").value, 0);
  EXPECT_EQ(metric(record, "achieved_flop_per_s").absent, "the model has no multiply-adds");
  record.model.macs = 10;
  summarize(record);
  EXPECT_EQ(metric(record, "peak_flop_share").absent, "the peak of this machine was not measured");
}

TEST(Summarize, HandlesTimesBelowTheClocksResolution) {
  Record record = record_of({{0, 0, 0}, {0, 0, 0}});
  record.model.macs = 10;
  summarize(record);
  EXPECT_EQ(metric(record, "latency_median_ns").value, 0);
  EXPECT_EQ(metric(record, "throughput_per_s").absent,
            "the mean time is below the clock's resolution");
  EXPECT_FALSE(metric(record, "achieved_flop_per_s").value);
  EXPECT_EQ(record.outcome.status, Status::Ok);
}

TEST(Summarize, MistrustsARateAboveThePeak) {
  Record record = record_of({{1'000'000}, {1'000'000}});
  record.model.macs = 1'000'000;
  record.peak_flop_per_s = 1e9;
  summarize(record);
  EXPECT_EQ(record.outcome.status, Status::Mistrusted);
  EXPECT_NE(record.outcome.reason.find("2.00 times the measured float32 peak"), std::string::npos);
  record.peak_flop_per_s = 20e9;  // a better peak: judged anew
  summarize(record);
  EXPECT_EQ(record.outcome.status, Status::Ok);
}

TEST(Summarize, CallsAnIntervalWiderThanFivePercentNoisy) {
  // Two launches 0.3 % apart: s of the logarithms 0.00212, half-width 12.706 * 0.0015 = 1.9 %.
  Record narrow = record_of({{1'000'000}, {1'003'000}});
  summarize(narrow);
  EXPECT_EQ(narrow.outcome.status, Status::Ok) << narrow.outcome.reason;
  // 0.5 % apart: half-width 12.706 * 0.002494 = 3.17 %, width 6.35 %.
  Record wide = record_of({{1'000'000}, {1'005'000}});
  summarize(wide);
  EXPECT_EQ(wide.outcome.status, Status::Noisy);
  EXPECT_EQ(wide.outcome.reason, "the 95 % interval of the median is 6.4 % wide, more than 5 %");
  const Outcome once = wide.outcome;
  summarize(wide);
  EXPECT_EQ(wide.outcome.reason, once.reason);
}

TEST(Summarize, LeavesAFailureAsItIs) {
  Record record = record_of({{1}, {2}});
  record.gate.status = GateStatus::Failed;
  record.outcome = {.status = Status::Failed, .reason = "crash", .error_kind = "engine"};
  summarize(record);
  EXPECT_EQ(record.outcome.status, Status::Failed);
  EXPECT_EQ(record.outcome.reason, "crash");
}

TEST(Summarize, KeepsWhatCutAMistrustedRunShort) {
  Record record = record_of({{1}, {2}});
  record.gate = {
      .status = GateStatus::Failed, .reference = "stored outputs", .reason = "y differs"};
  record.outcome = {.status = Status::Partial,
                    .reason = "interrupted; 2 of 5 launches are complete",
                    .error_kind = "interrupted"};
  summarize(record);
  summarize(record);
  EXPECT_EQ(record.outcome.status, Status::Mistrusted);
  EXPECT_EQ(record.outcome.reason,
            "the outputs are wrong against stored outputs: y differs; besides: interrupted; 2 of 5 "
            "launches are complete");
  EXPECT_EQ(record.outcome.error_kind, "interrupted");
}

TEST(Summarize, RelatesTheInstrumentedRunToThePlainOne) {
  Record record = record_of({{1000}});
  record.profile.instrumented_median_ns = 1500;
  summarize(record);
  EXPECT_DOUBLE_EQ(record.profile.instrumented_ratio.value(), 1.5);
}

}  // namespace
}  // namespace headroom
