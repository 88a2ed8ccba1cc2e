// SPDX-License-Identifier: Apache-2.0
// What each process did.
#include <fmt/format.h>

#include "record/parts.h"

namespace headroom::record {
namespace {

Json quiet_to_json(const Quietness& quiet) {
  return {{"steal", number(quiet.steal)},
          {"foreign_busy", number(quiet.foreign_busy)},
          {"throttled_ns", quiet.throttled_ns},
          {"is_quiet", quiet.is_quiet}};
}

Quietness quiet_from_json(JsonReader reader) {
  const Quietness quiet{.steal = reader.number("steal"),
                        .foreign_busy = reader.number("foreign_busy"),
                        .throttled_ns = reader.count("throttled_ns"),
                        .is_quiet = reader.flag("is_quiet")};
  reader.finish();
  return quiet;
}

Json launch_to_json(const Launch& launch) {
  Json json = {{"index", launch.index}, {"outcome", outcome_to_json(launch.outcome)}};
  put(json, "read_ns", launch.read_ns);
  put(json, "create_ns", launch.create_ns);
  put(json, "first_run_ns", launch.first_run_ns);
  json["warmup_runs"] = launch.warmup_runs;
  json["warmup_ns"] = launch.warmup_ns;
  json["warmup_ended_by"] = launch.warmup_ended_by;
  json["stopped_by"] = launch.stopped_by;
  put(json, "cpu_ns_per_inference", launch.cpu_ns_per_inference);
  put(json, "memory_before_bytes", launch.memory_before_bytes);
  put(json, "memory_loaded_bytes", launch.memory_loaded_bytes);
  put(json, "peak_memory_bytes", launch.peak_memory_bytes);
  put(json, "sampling_start_ns", launch.sampling_start_ns);
  if (launch.busy_threads) {
    json["busy_threads"] = *launch.busy_threads;
    json["busy_cpus"] = launch.busy_cpus;
  }
  json["involuntary_switches"] = launch.involuntary_switches;
  json["page_faults"] = launch.page_faults;
  json["quiet"] = quiet_to_json(launch.quiet);
  return json;
}

Launch launch_from_json(const Json& json, const std::string& where) {
  JsonReader reader(json, where);
  Launch launch{.index = small_integer(reader, "index"),
                .outcome = outcome_from_json(reader.object("outcome")),
                .read_ns = optional_integer(reader, "read_ns"),
                .create_ns = optional_integer(reader, "create_ns"),
                .first_run_ns = optional_integer(reader, "first_run_ns"),
                .warmup_runs = reader.count("warmup_runs"),
                .warmup_ns = reader.integer("warmup_ns"),
                .warmup_ended_by = reader.text("warmup_ended_by"),
                .stopped_by = reader.text("stopped_by"),
                .cpu_ns_per_inference = optional_number(reader, "cpu_ns_per_inference"),
                .memory_before_bytes = optional_count(reader, "memory_before_bytes"),
                .memory_loaded_bytes = optional_count(reader, "memory_loaded_bytes"),
                .peak_memory_bytes = optional_count(reader, "peak_memory_bytes"),
                .sampling_start_ns = optional_integer(reader, "sampling_start_ns"),
                .busy_threads = optional_count(reader, "busy_threads"),
                .involuntary_switches = reader.count("involuntary_switches"),
                .page_faults = reader.count("page_faults"),
                .quiet = quiet_from_json(reader.object("quiet"))};
  if (launch.busy_threads) {
    for (const std::int64_t cpu : reader.integers("busy_cpus"))
      launch.busy_cpus.push_back(static_cast<int>(cpu));
  }
  reader.finish();
  return launch;
}

}  // namespace

Json launches_to_json(const std::vector<Launch>& launches) {
  Json json = Json::array();
  for (const Launch& launch : launches) json.push_back(launch_to_json(launch));
  return json;
}

std::vector<Launch> launches_from_json(const Json& json) {
  std::vector<Launch> launches;
  launches.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i)
    launches.push_back(launch_from_json(json[i], fmt::format("record.launches[{}]", i)));
  return launches;
}

}  // namespace headroom::record
