// SPDX-License-Identifier: Apache-2.0
// Measures the ceilings and keeps them by platform.
#include <headroom/app/calibrate.h>
#include <headroom/base/error.h>

#include <chrono>
#include <ctime>

#include <fmt/format.h>

namespace headroom::app {
namespace {

// Seconds since 1970 of `2026-11-30T07:15:00Z`.
std::optional<std::time_t> seconds_of(std::string_view label) {
  const std::string text(label);
  std::tm parts{};
  const char* const end = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return ::timegm(&parts);
}

int threads_of(const CalibrateOptions& options, const HostFacts& facts) {
  const int threads = options.threads.value_or(facts.usable_cpus);
  if (threads >= 1 && threads <= facts.usable_cpus) return threads;
  throw Error(
      ErrorKind::Usage,
      fmt::format("--threads: {} is not possible; this process may use {} CPU{}, so write "
                  "{}",
                  threads, facts.usable_cpus, facts.usable_cpus == 1 ? "" : "s",
                  facts.usable_cpus == 1 ? "1" : fmt::format("1 to {}", facts.usable_cpus)));
}

}  // namespace

std::optional<Seconds> time_between(std::string_view from, std::string_view to) {
  const auto start = seconds_of(from);
  const auto end = seconds_of(to);
  if (!start || !end) return std::nullopt;
  return Seconds{std::difftime(*end, *start)};
}

std::optional<KnownCeilings> known_ceilings(const Store& store, std::string_view fingerprint,
                                            std::string_view now) {
  const std::vector<StoredCalibration> stored = store.calibrations(fingerprint, 1);
  if (stored.empty()) return std::nullopt;
  KnownCeilings known{.ceilings = ceilings_from_json(stored.front().json)};
  known.age = time_between(known.ceilings.time, now);
  return known;
}

bool is_disturbed(const Quietness& quiet) noexcept {
  constexpr double kMostForeign = 0.1;
  constexpr double kMostSteal = 0.02;
  return quiet.foreign_busy > kMostForeign || quiet.steal > kMostSteal;
}

CalibrationReport calibrate(const CalibrateOptions& options, const Host& host, const Clock& clock) {
  const HostFacts facts = read_facts(host);
  const int threads = threads_of(options, facts);
  const std::unique_ptr<Store> store = open_store(options.store);
  CalibrationReport report;
  if (store != nullptr)
    report.previous = known_ceilings(*store, platform_fingerprint(facts), utc_timestamp());
  const LoadSnapshot before = take_snapshot(host);
  report.ceilings = measure_ceilings(clock, facts, threads);
  const Quietness quiet = compare(before, take_snapshot(host));
  if (store == nullptr) {
    report.not_kept = "--store none";
  } else if (is_disturbed(quiet)) {
    report.not_kept = fmt::format(
        "other work kept {:.2f} CPUs busy and {:.1f} % of CPU time was stolen meanwhile, which "
        "holds "
        "a peak down; calibrate again when the machine is quiet",
        quiet.foreign_busy, 100 * quiet.steal);
  } else {
    store->append_calibration(report.ceilings.fingerprint, to_json(report.ceilings));
    report.kept_in = store_location(options.store).string();
  }
  return report;
}

}  // namespace headroom::app
