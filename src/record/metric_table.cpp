// SPDX-License-Identifier: Apache-2.0
// The one table of what is measured.
#include <headroom/record.h>

#include <array>

namespace headroom {
namespace {

constexpr std::array kMetrics = {
    MetricInfo{"latency_median_ns", "ns", true,
               "median time of one inference: median of the launches' medians"},
    MetricInfo{"latency_mean_ns", "ns", true,
               "mean time of one inference: median of the launches' means"},
    MetricInfo{"latency_min_ns", "ns", true, "shortest inference of all launches"},
    MetricInfo{"latency_p90_ns", "ns", true,
               "element of rank ceil(0.90 n) of the samples of all launches"},
    MetricInfo{"latency_p99_ns", "ns", true,
               "element of rank ceil(0.99 n) of the samples of all launches"},
    MetricInfo{"throughput_per_s", "1/s", false,
               "inferences per second, one after another: 1 / mean time of a launch"},
    MetricInfo{"cpu_ns_per_inference", "ns", true,
               "processor time of all threads of the process per inference"},
    MetricInfo{"peak_memory_bytes", "bytes", true,
               "largest resident size of a process up to its last sample"},
    MetricInfo{"load_ns", "ns", true, "from the file to a session that can run: read and create"},
    MetricInfo{"first_run_ns", "ns", true, "time of the first inference after the load"},
    MetricInfo{"warmup_runs", "", true, "inferences until the times were steady"},
    MetricInfo{"macs", "", true, "multiply-adds of one inference, counted from the shapes"},
    MetricInfo{"flops", "", true, "twice the multiply-adds"},
    MetricInfo{"achieved_flop_per_s", "flop/s", false, "flops over the median latency"},
    MetricInfo{"peak_flop_share", "", false,
               "achieved rate over this machine's measured float32 peak at the same threads"},
    MetricInfo{"read_ns", "ns", true, "reading and parsing the file, where the engine tells"},
    MetricInfo{"create_ns", "ns", true, "making the session from the parsed file"},
    MetricInfo{"warmup_ns", "ns", true, "time until the times were steady, the first run left out"},
    MetricInfo{"memory_loaded_bytes", "bytes", true, "resident size after the load"},
};

}  // namespace

std::span<const MetricInfo> metric_table() noexcept {
  return kMetrics;
}

}  // namespace headroom
