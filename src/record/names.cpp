// SPDX-License-Identifier: Apache-2.0
// One table for each enumeration, used in both directions.
#include "record/names.h"

#include <array>
#include <utility>

#include <fmt/format.h>

namespace headroom {
namespace {

template <class Enum>
using Name = std::pair<Enum, std::string_view>;

constexpr std::array kStatuses = {
    Name<Status>{Status::Ok, "ok"},
    Name<Status>{Status::Partial, "partial"},
    Name<Status>{Status::Noisy, "noisy"},
    Name<Status>{Status::Mistrusted, "mistrusted"},
    Name<Status>{Status::Unsupported, "unsupported"},
    Name<Status>{Status::Failed, "failed"},
    Name<Status>{Status::Timeout, "timeout"},
};
constexpr std::array kGateStatuses = {
    Name<GateStatus>{GateStatus::NotRun, "not_run"},
    Name<GateStatus>{GateStatus::Passed, "passed"},
    Name<GateStatus>{GateStatus::Failed, "failed"},
    Name<GateStatus>{GateStatus::Insensitive, "insensitive"},
};
constexpr std::array kMetricKinds = {
    Name<MetricKind>{MetricKind::Measured, "measured"},
    Name<MetricKind>{MetricKind::Estimated, "estimated"},
    Name<MetricKind>{MetricKind::Predicted, "predicted"},
    Name<MetricKind>{MetricKind::Simulated, "simulated"},
};

template <class Table, class Enum>
std::string_view name_in(const Table& table, Enum value) noexcept {
  for (const auto& [entry, name] : table)
    if (entry == value) return name;
  return "unknown";
}

template <class Table>
auto read_in(const Table& table, JsonReader& reader, std::string_view key) {
  const std::string text = reader.text(key);
  std::string names;
  for (const auto& [entry, name] : table) {
    if (name == text) return entry;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
  }
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: one of {} is needed, found '{}'", reader.place(key), names, text));
}

}  // namespace

std::string_view to_string(Status status) noexcept {
  return name_in(kStatuses, status);
}
std::string_view to_string(GateStatus status) noexcept {
  return name_in(kGateStatuses, status);
}
std::string_view to_string(MetricKind kind) noexcept {
  return name_in(kMetricKinds, kind);
}

std::string reason_without_path(std::string reason, const std::string& path) {
  if (path.empty()) return reason;
  const std::string quoted = "'" + path + "'";
  for (const std::string& found : {quoted, path}) {
    for (std::size_t at = reason.find(found); at != std::string::npos; at = reason.find(found, at))
      reason.replace(at, found.size(), "the model");
  }
  return reason;
}

namespace record {

Status read_status(JsonReader& reader, std::string_view key) {
  return read_in(kStatuses, reader, key);
}
GateStatus read_gate_status(JsonReader& reader, std::string_view key) {
  return read_in(kGateStatuses, reader, key);
}
MetricKind read_metric_kind(JsonReader& reader, std::string_view key) {
  return read_in(kMetricKinds, reader, key);
}

}  // namespace record
}  // namespace headroom
