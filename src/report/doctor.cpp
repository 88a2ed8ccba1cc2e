// SPDX-License-Identifier: Apache-2.0
// The text of `headroom doctor`.
#include <headroom/base/text.h>
#include <headroom/report/doctor.h>

#include <ostream>
#include <string>

#include <fmt/format.h>

#include "report/table.h"

namespace headroom {
namespace {

using report::write_heading;
using report::write_wrapped;

constexpr std::size_t kLabel = 17;

std::string plural(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", format_exact(count), count == 1 ? one : many);
}

std::string plural(int count, std::string_view one, std::string_view many) {
  return plural(static_cast<std::uint64_t>(count), one, many);
}

class Lines {
 public:
  Lines(std::ostream& out, const TextStyle& style) : out_(out), style_(style) {}

  void heading(std::string_view text) {
    if (!is_first_) out_ << '\n';
    is_first_ = false;
    write_heading(out_, style_, text);
  }
  void line(std::string_view label, const std::string& text) {
    if (text.empty()) return;
    out_ << fmt::format("  {:<{}}", label, kLabel - 1) << ' ';
    write_wrapped(out_, style_, text, kLabel + 2);
  }

 private:
  std::ostream& out_;
  const TextStyle& style_;
  bool is_first_ = true;
};

std::string processor_text(const HostFacts& facts) {
  std::string text = facts.cpu_model.empty() ? "not told" : facts.cpu_model;
  if (!facts.cpu_signature.empty()) text += fmt::format(" ({})", facts.cpu_signature);
  if (!facts.microcode.empty()) text += fmt::format(", microcode {}", facts.microcode);
  return printable(text);
}

std::string cpus_text(const HostFacts& facts) {
  return fmt::format("{} on {}, {}, {} usable; {}", plural(facts.physical_cores, "core", "cores"),
                     plural(facts.sockets, "socket", "sockets"),
                     plural(facts.logical_cpus, "logical CPU", "logical CPUs"), facts.usable_cpus,
                     plural(facts.numa_nodes, "memory node", "memory nodes"));
}

std::string caches_text(const HostFacts& facts) {
  std::vector<std::string> texts;
  for (const Cache& cache : facts.caches) {
    texts.push_back(
        fmt::format("L{} {}{}", cache.level, format_bytes(cache.size),
                    cache.shared_by > 1 ? fmt::format(" shared by {} CPUs", cache.shared_by) : ""));
  }
  return texts.empty() ? "not told" : join(texts, ", ");
}

std::string limits_text(const HostFacts& facts) {
  std::vector<std::string> texts;
  if (facts.quota_cpus) texts.push_back(fmt::format("{:.2f} CPUs", *facts.quota_cpus));
  if (facts.memory_limit) texts.push_back(format_bytes(*facts.memory_limit) + " of memory");
  return texts.empty() ? "none" : join(texts, ", ");
}

std::string system_text(const HostFacts& facts) {
  std::vector<std::string> texts;
  for (const std::string& text :
       {facts.os, facts.kernel.empty() ? "" : "Linux " + facts.kernel, facts.libc})
    if (!text.empty()) texts.push_back(printable(text));
  return join(texts, ", ");
}

void write_machine(Lines& lines, const DoctorReport& report) {
  const HostFacts& facts = report.facts;
  lines.heading("Machine");
  lines.line("processor", processor_text(facts));
  lines.line("CPUs", cpus_text(facts));
  lines.line("instructions", join(facts.isa, " "));
  lines.line("caches", caches_text(facts));
  lines.line("memory", format_bytes(facts.memory));
  lines.line("group limits", limits_text(facts));
  lines.line("system", system_text(facts));
  lines.line("runs under", facts.hypervisor.empty() ? "" : printable(facts.hypervisor));
  lines.line("platform", report.fingerprint);
  lines.line("clock",
             fmt::format("a reading costs {}, the finest step is {}",
                         format_time(report.clock.cost), format_time(report.clock.resolution)));
}

void write_engines(Lines& lines, const DoctorReport& report) {
  lines.heading("Engines");
  for (const EngineStatus& engine : report.engines) {
    lines.line(engine.name,
               printable(engine.absent.empty()
                             ? engine.version + (engine.build.empty() ? "" : ", " + engine.build)
                             : "absent: " + engine.absent));
  }
}

std::string calibration_text(const std::optional<KnownCeilings>& known) {
  if (!known) return "none of this platform; `headroom calibrate` measures its peaks";
  std::string text = known->ceilings.time;
  if (known->age) text += ", " + format_age(*known->age);
  const Peak* const peak = known->ceilings.best("float32", 1);
  if (peak != nullptr) {
    text += fmt::format("; float32 on one thread: {}FLOP/s ({})",
                        format_count(peak->rate.per_second), peak->isa);
  }
  return printable(text);
}

void write_store(Lines& lines, const DoctorReport& report) {
  const StoreStatus& store = report.store;
  lines.heading("Store");
  lines.line("file", printable(store.location));
  lines.line("records", store.records ? format_exact(*store.records) : printable(store.problem));
  lines.line("calibration", calibration_text(report.calibration));
}

std::string now_text(const DoctorReport& report) {
  const Quietness& quiet = report.quiet;
  for (const HostWarning& warning : report.warnings)
    if (warning.code == "noise_unseen") return "cannot be seen";
  return fmt::format(
      "{} over {}: {:.1f} % stolen by the hypervisor, {:.2f} CPUs busy with other "
      "work, throttled for {}",
      quiet.is_quiet ? "quiet" : "not quiet", format_time(report.observed), 100 * quiet.steal,
      quiet.foreign_busy, format_time(Nanoseconds{static_cast<std::int64_t>(quiet.throttled_ns)}));
}

void write_warnings(Lines& lines, const DoctorReport& report) {
  lines.heading("What disturbs a measurement now");
  lines.line("now", now_text(report));
  for (const HostWarning& warning : report.warnings) {
    lines.line(warning.code, warning.found);
    lines.line("", "effect: " + warning.effect);
    lines.line("", "remedy: " + warning.remedy);
  }
}

}  // namespace

void write_doctor_text(std::ostream& out, const DoctorReport& report, const TextStyle& style) {
  Lines lines(out, style);
  write_machine(lines, report);
  write_engines(lines, report);
  write_store(lines, report);
  write_warnings(lines, report);
}

}  // namespace headroom
