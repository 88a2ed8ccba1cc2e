// SPDX-License-Identifier: Apache-2.0
// The metric table against the contract and its own rule for names.
#include <headroom/record.h>

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace headroom {
namespace {

bool is_in_table(std::string_view key) {
  const auto table = metric_table();
  return std::any_of(table.begin(), table.end(),
                     [&](const MetricInfo& info) { return info.key == key; });
}

TEST(MetricTable, HoldsEveryMetricOfTheContract) {
  for (const char* key :
       {"latency_median_ns", "latency_mean_ns", "latency_min_ns", "latency_p90_ns",
        "latency_p99_ns", "throughput_per_s", "cpu_ns_per_inference", "peak_memory_bytes",
        "load_ns", "first_run_ns", "warmup_runs", "macs", "flops", "achieved_flop_per_s"})
    EXPECT_TRUE(is_in_table(key)) << key;
}

TEST(MetricTable, HasAUnitThatFitsTheSuffixOfTheKey) {
  struct Row {
    std::string_view suffix;
    std::string_view unit;
  };
  std::set<std::string_view> keys;
  for (const MetricInfo& info : metric_table()) {
    EXPECT_TRUE(keys.insert(info.key).second) << info.key << " stands twice";
    EXPECT_FALSE(info.meaning.empty()) << info.key;
    for (const Row& row : {Row{"_ns", "ns"}, Row{"_bytes", "bytes"}, Row{"_flop_per_s", "flop/s"}})
      EXPECT_TRUE(!info.key.ends_with(row.suffix) || info.unit == row.unit) << info.key;
  }
}

}  // namespace
}  // namespace headroom
