// SPDX-License-Identifier: Apache-2.0
// Where it was run: the machine, what limits it and what disturbed it.
#include "record/parts.h"

namespace headroom::record {
namespace {

Json caches_to_json(const std::vector<Cache>& caches) {
  Json json = Json::array();
  for (const Cache& cache : caches) {
    json.push_back(
        {{"level", cache.level}, {"size_bytes", cache.size.value}, {"shared_by", cache.shared_by}});
  }
  return json;
}

std::vector<Cache> caches_from_json(const Json& json, const std::string& where) {
  std::vector<Cache> caches;
  for (const Json& entry : json) {
    JsonReader reader(entry, where);
    caches.push_back({.level = small_integer(reader, "level"),
                      .size = Bytes{reader.count("size_bytes")},
                      .shared_by = small_integer(reader, "shared_by")});
    reader.finish();
  }
  return caches;
}

Json facts_to_json(const HostFacts& facts) {
  Json json = {{"hostname", facts.hostname},         {"cpu_vendor", facts.cpu_vendor},
               {"cpu_model", facts.cpu_model},       {"cpu_signature", facts.cpu_signature},
               {"microcode", facts.microcode},       {"isa", facts.isa},
               {"logical_cpus", facts.logical_cpus}, {"physical_cores", facts.physical_cores},
               {"usable_cpus", facts.usable_cpus}};
  put(json, "quota_cpus", facts.quota_cpus);
  json["sockets"] = facts.sockets;
  json["numa_nodes"] = facts.numa_nodes;
  json["caches"] = caches_to_json(facts.caches);
  json["memory_bytes"] = facts.memory.value;
  if (facts.memory_limit) json["memory_limit_bytes"] = facts.memory_limit->value;
  json["kernel"] = facts.kernel;
  json["os"] = facts.os;
  json["hypervisor"] = facts.hypervisor;
  json["libc"] = facts.libc;
  return json;
}

HostFacts facts_from_json(JsonReader reader) {
  HostFacts facts{.hostname = reader.text("hostname"),
                  .cpu_vendor = reader.text("cpu_vendor"),
                  .cpu_model = reader.text("cpu_model"),
                  .cpu_signature = reader.text("cpu_signature"),
                  .microcode = reader.text("microcode"),
                  .isa = reader.texts("isa"),
                  .logical_cpus = small_integer(reader, "logical_cpus"),
                  .physical_cores = small_integer(reader, "physical_cores"),
                  .usable_cpus = small_integer(reader, "usable_cpus"),
                  .quota_cpus = optional_number(reader, "quota_cpus"),
                  .sockets = small_integer(reader, "sockets"),
                  .numa_nodes = small_integer(reader, "numa_nodes"),
                  .caches = caches_from_json(reader.array("caches"), reader.place("caches")),
                  .memory = Bytes{reader.count("memory_bytes")}};
  if (const auto limit = optional_count(reader, "memory_limit_bytes"))
    facts.memory_limit = Bytes{*limit};
  facts.kernel = reader.text("kernel");
  facts.os = reader.text("os");
  facts.hypervisor = reader.text("hypervisor");
  facts.libc = reader.text("libc");
  reader.finish();
  return facts;
}

Json warnings_to_json(const std::vector<HostWarning>& warnings) {
  Json json = Json::array();
  for (const HostWarning& warning : warnings) {
    json.push_back({{"code", warning.code},
                    {"found", warning.found},
                    {"effect", warning.effect},
                    {"remedy", warning.remedy}});
  }
  return json;
}

std::vector<HostWarning> warnings_from_json(const Json& json, const std::string& where) {
  std::vector<HostWarning> warnings;
  for (const Json& entry : json) {
    JsonReader reader(entry, where);
    warnings.push_back({.code = reader.text("code"),
                        .found = reader.text("found"),
                        .effect = reader.text("effect"),
                        .remedy = reader.text("remedy")});
    reader.finish();
  }
  return warnings;
}

}  // namespace

Json host_to_json(const Record& record) {
  Json json = {{"fingerprint", record.fingerprint},
               {"facts", facts_to_json(record.host)},
               {"warnings", warnings_to_json(record.warnings)}};
  if (record.is_quiet) json["quiet"] = *record.is_quiet;
  put(json, "peak_flop_per_s", record.peak_flop_per_s);
  if (!record.peak_absent.empty()) json["peak_absent"] = record.peak_absent;
  return json;
}

void host_from_json(JsonReader reader, Record& record) {
  record.fingerprint = reader.text("fingerprint");
  record.host = facts_from_json(reader.object("facts"));
  record.warnings = warnings_from_json(reader.array("warnings"), reader.place("warnings"));
  if (reader.has("quiet")) record.is_quiet = reader.flag("quiet");
  record.peak_flop_per_s = optional_number(reader, "peak_flop_per_s");
  if (reader.has("peak_absent")) record.peak_absent = reader.text("peak_absent");
  reader.finish();
}

}  // namespace headroom::record
