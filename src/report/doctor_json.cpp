// SPDX-License-Identifier: Apache-2.0
// The JSON of `headroom doctor`.
#include <headroom/record.h>
#include <headroom/report/doctor.h>

#include "base/json.h"

namespace headroom {
namespace {

// The member `host` of a record, so that facts and warnings have the same keys everywhere.
Json host_json(const DoctorReport& report) {
  Record record;
  record.host = report.facts;
  record.fingerprint = report.fingerprint;
  record.warnings = report.warnings;
  record.is_quiet = report.quiet.is_quiet;
  return parse_json(to_json(record), "record")["host"];
}

Json engine_json(const EngineStatus& engine) {
  if (!engine.absent.empty()) return {{"name", engine.name}, {"absent", engine.absent}};
  return {{"name", engine.name}, {"version", engine.version}, {"build", engine.build}};
}

Json store_json(const StoreStatus& store) {
  return {{"location", store.location},
          {"records", store.records ? Json(*store.records) : Json{{"absent", store.problem}}}};
}

Json calibration_member(const std::optional<KnownCeilings>& known) {
  if (!known) return {{"absent", "none of this platform is kept"}};
  Json json = parse_json(to_json(known->ceilings), "calibration");
  if (known->age) json["age_s"] = known->age->count();
  return json;
}

}  // namespace

std::string doctor_json(const DoctorReport& report) {
  Json engines = Json::array();
  for (const EngineStatus& engine : report.engines) engines.push_back(engine_json(engine));
  const Quietness& quiet = report.quiet;
  const Json json = {{"version", report.version},
                     {"host", host_json(report)},
                     {"clock",
                      {{"cost_ns", report.clock.cost.count()},
                       {"resolution_ns", report.clock.resolution.count()}}},
                     {"now",
                      {{"observed_ns", report.observed.count()},
                       {"steal", quiet.steal},
                       {"foreign_busy_cpus", quiet.foreign_busy},
                       {"foreign_runnable", quiet.foreign_runnable},
                       {"throttled_ns", quiet.throttled_ns},
                       {"is_quiet", quiet.is_quiet}}},
                     {"engines", std::move(engines)},
                     {"store", store_json(report.store)},
                     {"calibration", calibration_member(report.calibration)}};
  return dump_json(json, 2);
}

}  // namespace headroom
