// SPDX-License-Identifier: Apache-2.0
// Records and calibrations in SQLite: each look-up goes over an index, each append is one
// transaction.
#include "store/sqlite_store.h"

#include <headroom/base/clock.h>
#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

namespace headroom {
namespace {

constexpr const char* kInsert = R"sql(
INSERT INTO records (id, time, model_path, model_file, sha256, engine, engine_version, threads,
  fingerprint, hostname, status, reason, error_kind, median_ns, median_low_ns, median_high_ns,
  median_n, median_kind, median_absent, json)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)
)sql";

constexpr const char* kSummary =
    "SELECT id, time, model_path, sha256, engine, engine_version, threads, fingerprint, hostname, "
    "status, reason, error_kind, median_ns, median_low_ns, median_high_ns, median_n, median_kind, "
    "median_absent FROM records";

// Newest first; records of one second in the order in which they came.
constexpr const char* kNewestFirst = " ORDER BY time DESC, sequence DESC";

Metric median_of(const Record& record) {
  const auto found = record.metrics.find("latency_median_ns");
  return found == record.metrics.end() ? Metric{.absent = "not in the record"} : found->second;
}

template <class Enum, std::size_t size>
Enum named(std::string_view name, const std::array<Enum, size>& all) {
  for (const Enum value : all)
    if (to_string(value) == name) return value;
  return all.back();
}

Status status_named(std::string_view name) {
  return named(name, std::array{Status::Ok, Status::Partial, Status::Noisy, Status::Mistrusted,
                                Status::Unsupported, Status::Timeout, Status::Failed});
}

MetricKind kind_named(std::string_view name) {
  return named(name, std::array{MetricKind::Measured, MetricKind::Predicted, MetricKind::Simulated,
                                MetricKind::Estimated});
}

RecordSummary summary_of(const Statement& row) {
  return {.id = row.text(0),
          .time = row.text(1),
          .model = row.text(2),
          .sha256 = row.text(3),
          .engine = row.text(4),
          .engine_version = row.text(5),
          .threads = static_cast<int>(row.integer(6)),
          .fingerprint = row.text(7),
          .hostname = row.text(8),
          .outcome = {.status = status_named(row.text(9)),
                      .reason = row.text(10),
                      .error_kind = row.text(11)},
          .median = {.value = row.real(12),
                     .low = row.real(13),
                     .high = row.real(14),
                     .n = static_cast<std::uint64_t>(row.integer(15)),
                     .kind = kind_named(row.text(16)),
                     .absent = row.text(17)}};
}

// The text that comes after every text with this prefix. The prefix does not end in 0xFF, which no
// UTF-8 text does.
std::string after_prefix(std::string prefix) {
  if (!prefix.empty()) prefix.back() = static_cast<char>(prefix.back() + 1);
  return prefix;
}

bool is_digest_prefix(std::string_view text) {
  constexpr std::size_t kShortest = 8;
  return text.size() >= kShortest &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// A range that no digest lies in, for what is no digest.
std::pair<std::string, std::string> digest_range(std::string_view model) {
  if (!is_digest_prefix(model)) return {"", ""};
  return {std::string(model), after_prefix(std::string(model))};
}

}  // namespace

std::string list_query(const RecordFilter& filter) {
  std::string sql = kSummary;
  if (!filter.model.empty()) {
    sql +=
        " WHERE sequence IN (SELECT sequence FROM records WHERE model_path = ?1"
        " UNION SELECT sequence FROM records WHERE model_file = ?1"
        " UNION SELECT sequence FROM records WHERE sha256 >= ?2 AND sha256 < ?3)";
  }
  if (!filter.engine.empty())
    sql += filter.model.empty() ? " WHERE engine = ?4" : " AND engine = ?4";
  return sql + kNewestFirst + " LIMIT ?5";
}

void SqliteStore::append(const Record& record) {
  const Metric median = median_of(record);
  const std::filesystem::path path(record.model.path);
  Statement insert(database_, kInsert);
  insert.bind(1, record.id).bind(2, record.time);
  insert.bind(3, record.model.path).bind(4, path.filename().string()).bind(5, record.model.sha256);
  insert.bind(6, record.engine.name).bind(7, record.engine.version);
  insert.bind(8, std::int64_t{record.plan_case.threads});
  insert.bind(9, record.fingerprint).bind(10, record.host.hostname);
  insert.bind(11, to_string(record.outcome.status)).bind(12, record.outcome.reason);
  insert.bind(13, record.outcome.error_kind);
  insert.bind(14, median.value).bind(15, median.low).bind(16, median.high);
  insert.bind(17, static_cast<std::int64_t>(median.n)).bind(18, to_string(median.kind));
  insert.bind(19, median.absent).bind(20, to_json(record));
  insert.step();
}

std::vector<RecordSummary> SqliteStore::list(const RecordFilter& filter) const {
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
  Statement rows(database_, list_query(filter));
  if (!filter.model.empty()) {
    const auto [first, last] = digest_range(filter.model);
    rows.bind(1, filter.model).bind(2, first).bind(3, last);
  }
  if (!filter.engine.empty()) rows.bind(4, filter.engine);
  rows.bind(5, static_cast<std::int64_t>(std::min(filter.limit, kMost)));
  std::vector<RecordSummary> found;
  while (rows.step()) found.push_back(summary_of(rows));
  return found;
}

std::string SqliteStore::json_of(std::string_view id) const {
  Statement row(database_, "SELECT json FROM records WHERE id = ?1");
  row.bind(1, id);
  return row.step() ? row.text(0) : std::string();
}

std::vector<std::string> SqliteStore::ids(const std::string& condition, std::string_view first,
                                          std::string_view second) const {
  Statement rows(database_, "SELECT id FROM records " + condition);
  if (!first.empty()) rows.bind(1, first);
  if (!second.empty()) rows.bind(2, second);
  std::vector<std::string> found;
  while (rows.step()) found.push_back(rows.text(0));
  return found;
}

std::string SqliteStore::find(std::string_view id) const {
  if (id.empty())
    throw Error(ErrorKind::Usage, "a record's id, a prefix of it, or 'last' is needed");
  if (id == "last") {
    const std::vector<std::string> newest = ids(std::string(kNewestFirst) + " LIMIT 1", "", "");
    if (newest.empty()) fail_to_find(id);
    return json_of(newest.front());
  }
  if (std::string json = json_of(id); !json.empty()) return json;
  const std::vector<std::string> matches =
      ids("WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT 4", id, after_prefix(std::string(id)));
  if (matches.empty()) fail_to_find(id);
  if (matches.size() > 1) {
    throw Error(
        ErrorKind::Usage,
        fmt::format("'{}' is the beginning of several records: {}{}; write more of it",
                    printable(id),
                    join(std::span(matches).first(std::min<std::size_t>(matches.size(), 3)), ", "),
                    matches.size() > 3 ? ", …" : ""));
  }
  return json_of(matches.front());
}

void SqliteStore::fail_to_find(std::string_view id) const {
  if (size() == 0) {
    throw Error(ErrorKind::NotFound,
                fmt::format("no record '{}': nothing is recorded yet in '{}'; `headroom run MODEL` "
                            "records",
                            printable(id), printable(database_.path().string())));
  }
  // The neighbours in order share the longest beginning; among the newest a slip may be near too.
  std::vector<std::string> near = ids("WHERE id < ?1 ORDER BY id DESC LIMIT 1", id, "");
  for (std::string& other : ids("WHERE id > ?1 ORDER BY id LIMIT 1", id, ""))
    near.push_back(std::move(other));
  for (std::string& other : ids(std::string(kNewestFirst) + " LIMIT 50", "", ""))
    near.push_back(std::move(other));
  std::string nearest = nearest_name(id, near);
  if (nearest.empty()) nearest = near.front();
  throw Error(
      ErrorKind::NotFound,
      fmt::format("no record '{}' in '{}'; the nearest is '{}', and `headroom history` lists "
                  "them",
                  printable(id), printable(database_.path().string()), nearest));
}

void SqliteStore::append_calibration(std::string_view fingerprint, std::string_view json) {
  Statement insert(database_,
                   "INSERT INTO calibrations (fingerprint, time, json) VALUES (?1, ?2, ?3)");
  insert.bind(1, fingerprint).bind(2, utc_timestamp()).bind(3, json);
  insert.step();
}

std::vector<StoredCalibration> SqliteStore::calibrations(std::string_view fingerprint,
                                                         std::size_t most) const {
  Statement row(database_,
                "SELECT time, json FROM calibrations WHERE fingerprint = ?1 "
                "ORDER BY sequence DESC LIMIT ?2");
  row.bind(1, fingerprint);
  row.bind(2, static_cast<std::int64_t>(most));
  std::vector<StoredCalibration> found;
  while (row.step()) found.push_back({.time = row.text(0), .json = row.text(1)});
  return found;
}

std::uint64_t SqliteStore::size() const {
  // Nothing is ever removed, so the last number is the count.
  return static_cast<std::uint64_t>(database_.number("SELECT max(sequence) FROM records"));
}

}  // namespace headroom
