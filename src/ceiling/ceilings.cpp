// SPDX-License-Identifier: Apache-2.0
// All peaks of this machine, and their JSON.
#include <headroom/base/error.h>
#include <headroom/ceiling.h>

#include <algorithm>

#include <fmt/format.h>

#include "base/json.h"
#include "ceiling/kernels.h"
#include "ceiling/peak.h"

namespace headroom {
namespace {

constexpr const char* kFloat = "float32";

void require_threads(int threads) {
  if (threads < 1)
    throw Error(ErrorKind::Usage, fmt::format("threads: at least 1 is needed, found {}", threads));
}

// A thread count that the scheduler does not let run at once has no peak, which is a fact and no
// end.
void add_peak(Ceilings& ceilings, const Clock& clock, const FmaKernel& kernel, int threads) {
  try {
    ceilings.peaks.push_back(measure_peak(clock, kernel, threads, {}));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Limit) throw;
    ceilings.absent.push_back(
        {.isa = kernel.isa, .type = kFloat, .threads = threads, .reason = error.what()});
  }
}

Peak peak_from(JsonReader reader) {
  Peak peak;
  peak.isa = reader.text("isa");
  peak.type = reader.text("type");
  peak.threads = static_cast<int>(reader.count("threads"));
  peak.rate = {reader.number("flop_per_s")};
  peak.low = {reader.number("low")};
  peak.high = {reader.number("high")};
  peak.best = {reader.number("best")};
  peak.repetitions = static_cast<int>(reader.count("repetitions"));
  reader.finish();
  return peak;
}

AbsentPeak absent_from(JsonReader reader) {
  AbsentPeak peak{.isa = reader.text("isa"),
                  .type = reader.text("type"),
                  .threads = static_cast<int>(reader.count("threads")),
                  .reason = reader.text("reason")};
  reader.finish();
  return peak;
}

}  // namespace

const Peak* Ceilings::best(std::string_view type, int threads) const {
  const Peak* highest = nullptr;
  for (const Peak& peak : peaks) {
    if (peak.type != type || peak.threads != threads) continue;
    if (highest == nullptr || peak.rate > highest->rate) highest = &peak;
  }
  return highest;
}

Ceilings measure_ceilings(const Clock& clock, const HostFacts& facts, int threads) {
  require_threads(threads);
  const int most = std::min(threads, facts.usable_cpus);
  Ceilings ceilings{.time = utc_timestamp(), .fingerprint = platform_fingerprint(facts)};
  for (const FmaKernel& kernel : fma_kernels()) {
    if (!kernel.is_available()) {
      ceilings.absent.push_back({.isa = kernel.isa,
                                 .type = kFloat,
                                 .threads = 1,
                                 .reason = "this processor lacks the instructions"});
      continue;
    }
    add_peak(ceilings, clock, kernel, 1);
    if (most > 1) add_peak(ceilings, clock, kernel, most);
  }
  if (ceilings.peaks.empty()) {
    throw Error(ErrorKind::Unsupported,
                fmt::format("no kernel measures the peak of this processor ('{}'): AVX2 with FMA, "
                            "or AVX-512, is needed",
                            facts.cpu_model));
  }
  return ceilings;
}

std::string to_json(const Ceilings& ceilings, int indent) {
  Json peaks = Json::array();
  for (const Peak& peak : ceilings.peaks) {
    peaks.push_back({{"isa", peak.isa},
                     {"type", peak.type},
                     {"threads", peak.threads},
                     {"flop_per_s", peak.rate.per_second},
                     {"low", peak.low.per_second},
                     {"high", peak.high.per_second},
                     {"best", peak.best.per_second},
                     {"repetitions", peak.repetitions}});
  }
  Json absent = Json::array();
  for (const AbsentPeak& peak : ceilings.absent) {
    absent.push_back({{"isa", peak.isa},
                      {"type", peak.type},
                      {"threads", peak.threads},
                      {"reason", peak.reason}});
  }
  return dump_json(Json{{"time", ceilings.time},
                        {"fingerprint", ceilings.fingerprint},
                        {"peaks", std::move(peaks)},
                        {"absent", std::move(absent)}},
                   indent);
}

Ceilings ceilings_from_json(std::string_view text) {
  const Json json = parse_json(text, "calibration");
  JsonReader reader(json, "calibration");
  Ceilings ceilings;
  ceilings.time = reader.text("time");
  ceilings.fingerprint = reader.text("fingerprint");
  std::size_t index = 0;
  for (const Json& peak : reader.array("peaks")) {
    ceilings.peaks.push_back(
        peak_from(JsonReader(peak, fmt::format("calibration.peaks[{}]", index++))));
  }
  index = 0;
  for (const Json& peak : reader.array("absent")) {
    ceilings.absent.push_back(
        absent_from(JsonReader(peak, fmt::format("calibration.absent[{}]", index++))));
  }
  reader.finish();
  return ceilings;
}

}  // namespace headroom
