// SPDX-License-Identifier: Apache-2.0
// Gathers what `headroom doctor` shows.
#include <headroom/app/calibrate.h>
#include <headroom/app/doctor.h>
#include <headroom/base/error.h>
#include <headroom/engine.h>
#include <headroom/store.h>

#include <thread>

namespace headroom::app {
namespace {

std::vector<EngineStatus> engine_statuses() {
  std::vector<EngineStatus> statuses;
  for (const std::string& name : engine_names()) {
    EngineStatus status{.name = name};
    try {
      const std::unique_ptr<Engine> engine = make_engine(name);
      status.version = engine->version();
      status.build = engine->build();
    } catch (const Error& error) {
      status.absent = error.what();
    }
    statuses.push_back(std::move(status));
  }
  for (const auto& [name, reason] : absent_engines())
    statuses.push_back({.name = name, .absent = reason});
  return statuses;
}

// The store's place and size; a problem of it is a finding of the doctor's, not his end.
void examine_store(const std::string& url, DoctorReport& report) {
  try {
    report.store.location = store_location(url).string();
    const std::unique_ptr<Store> store = open_store(url, StoreAccess::Read);
    report.store.records = store->size();
    report.calibration = known_ceilings(*store, report.fingerprint, utc_timestamp());
  } catch (const Error& error) {
    report.store.problem = error.what();
  }
}

}  // namespace

DoctorReport examine(const DoctorOptions& options, const Host& host, const Clock& clock) {
  DoctorReport report{.version = options.version, .facts = read_facts(host)};
  report.fingerprint = platform_fingerprint(report.facts);
  report.warnings = find_warnings(host, report.facts);
  report.engines = engine_statuses();
  examine_store(options.store, report);
  report.clock = measure_clock(clock);

  const TimePoint start = clock.now();
  const LoadSnapshot before = take_snapshot(host);
  std::this_thread::sleep_for(options.watched);
  report.quiet = compare(before, take_snapshot(host));
  report.observed = clock.now() - start;
  std::vector<HostWarning> noise = find_noise(report.quiet);
  report.warnings.insert(report.warnings.begin(), noise.begin(), noise.end());
  return report;
}

}  // namespace headroom::app
