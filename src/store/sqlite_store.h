// SPDX-License-Identifier: Apache-2.0
// The store in an SQLite database.
#pragma once

#include <headroom/store.h>

#include "store/sqlite.h"

namespace headroom {

class SqliteStore final : public Store {
 public:
  /// `database` has the current schema.
  explicit SqliteStore(Database database) : database_(std::move(database)) {}

  void append(const Record& record) override;
  std::vector<RecordSummary> list(const RecordFilter& filter) const override;
  std::string find(std::string_view id) const override;
  void append_calibration(std::string_view fingerprint, std::string_view json) override;
  std::vector<StoredCalibration> calibrations(std::string_view fingerprint,
                                              std::size_t most) const override;
  std::uint64_t size() const override;

 private:
  std::string json_of(std::string_view id) const;
  std::vector<std::string> ids(const std::string& condition, std::string_view first,
                               std::string_view second) const;
  [[noreturn]] void fail_to_find(std::string_view id) const;

  Database database_;
};

/// open_store for a file, with the time to wait for other writers; the default's folders exist.
std::unique_ptr<Store> open_sqlite_store(const std::filesystem::path& path, StoreAccess access,
                                         std::chrono::milliseconds patience);

/// The SQL of a listing; `filter` decides which conditions stand in it. Parameters: 1 model, 2 and
/// 3 the range of its digest, 4 engine, 5 limit.
std::string list_query(const RecordFilter& filter);

}  // namespace headroom
