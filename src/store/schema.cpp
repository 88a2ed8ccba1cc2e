// SPDX-License-Identifier: Apache-2.0
// Schema of the store, by version. docs/method/store.md
#include "store/schema.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <array>
#include <thread>

#include <fmt/format.h>

namespace headroom {
namespace {

// What listings need stands in columns; the JSON comes last, so that a row can be read without it.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE records (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  time TEXT NOT NULL,
  model_path TEXT NOT NULL,
  model_file TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  engine TEXT NOT NULL,
  engine_version TEXT NOT NULL,
  threads INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  hostname TEXT NOT NULL,
  status TEXT NOT NULL,
  reason TEXT NOT NULL,
  error_kind TEXT NOT NULL,
  median_ns REAL,
  median_low_ns REAL,
  median_high_ns REAL,
  median_n INTEGER NOT NULL,
  median_kind TEXT NOT NULL,
  median_absent TEXT NOT NULL,
  json TEXT NOT NULL
) STRICT;
CREATE INDEX records_by_time ON records (time);
CREATE INDEX records_by_path ON records (model_path);
CREATE INDEX records_by_file ON records (model_file);
CREATE INDEX records_by_sha256 ON records (sha256);
CREATE INDEX records_by_engine ON records (engine, time);
CREATE TABLE calibrations (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  fingerprint TEXT NOT NULL,
  time TEXT NOT NULL,
  json TEXT NOT NULL
) STRICT;
CREATE INDEX calibrations_by_fingerprint ON calibrations (fingerprint);
)sql";

// Entry v leads from version v to v + 1.
constexpr std::array<const char*, kStoreSchema> kMigrations = {kVersion1};

}  // namespace

StoreState inspect_store(const Database& database) {
  // Another program may be making the tables between two of these questions.
  const Snapshot snapshot(database);
  const std::int64_t application = database.number("PRAGMA application_id");
  const std::int64_t version = database.number("PRAGMA user_version");
  const std::string path = printable(database.path().string());
  if (application != kApplicationId) {
    if (database.number("SELECT count(*) FROM sqlite_master") == 0) return StoreState::Empty;
    throw Error(
        ErrorKind::BadInput,
        fmt::format("'{}' is an SQLite database of another program, not a store of Headroom; "
                    "name another file with --store or HEADROOM_STORE",
                    path));
  }
  if (version > kStoreSchema) {
    throw Error(
        ErrorKind::Unsupported,
        fmt::format("the store '{}' has schema {}, this program knows schemas up to {}; use a "
                    "newer Headroom, or name another file with --store",
                    path, version, kStoreSchema));
  }
  return version == kStoreSchema ? StoreState::Current : StoreState::Older;
}

void migrate(const Database& database) {
  Transaction transaction(database);
  // Another program may have done it while this one waited for its turn.
  if (inspect_store(database) != StoreState::Current) {
    const auto version = static_cast<std::size_t>(database.number("PRAGMA user_version"));
    for (std::size_t step = version; step < kMigrations.size(); ++step)
      database.execute(kMigrations[step]);
    database.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                 kApplicationId, kStoreSchema));
  }
  transaction.commit();
}

void use_write_ahead_log(const Database& database, std::chrono::milliseconds patience) {
  // SQLite does not wait its busy time for this statement, so the waiting is ours.
  constexpr std::chrono::milliseconds kPause{10};
  std::chrono::milliseconds waited{0};
  int code = database.try_execute("PRAGMA journal_mode = WAL");
  for (; code == SQLITE_BUSY && waited < patience; waited += kPause) {
    std::this_thread::sleep_for(kPause);
    code = database.try_execute("PRAGMA journal_mode = WAL");
  }
  if (code != SQLITE_OK) database.fail(code);
  database.execute("PRAGMA synchronous = FULL");
}

}  // namespace headroom
