// SPDX-License-Identifier: Apache-2.0
// Append-only store of records and calibrations.
#pragma once

#include <headroom/record.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// Which records to list; empty members match all.
struct RecordFilter {
  std::string model{};  ///< Path, file name, or SHA-256 prefix of at least 8 digits.
  std::string engine{};
  std::size_t limit = 20;  ///< Newest first.
};

/// A row of a listing, without the samples.
struct RecordSummary {
  std::string id{};
  std::string time{};
  std::string model{};
  std::string sha256{};
  std::string engine{};
  std::string engine_version{};
  int threads = 0;
  std::string fingerprint{};
  std::string hostname{};
  Outcome outcome{};
  Metric median{};  ///< latency_median_ns.
};

/// A calibration as kept.
struct StoredCalibration {
  std::string time{};
  std::string json{};
};

class Store {
 public:
  virtual ~Store() = default;
  /// Errors: Limit if the disk is full or another writer holds the store for more than 10 s;
  /// NotFound if it cannot be written.
  virtual void append(const Record& record) = 0;
  virtual std::vector<RecordSummary> list(const RecordFilter& filter) const = 0;
  /// The whole record as JSON; `last` is the newest, a unique prefix of an id is enough.
  /// Errors: NotFound (with the nearest id), Usage for an ambiguous prefix.
  virtual std::string find(std::string_view id) const = 0;
  virtual void append_calibration(std::string_view fingerprint, std::string_view json) = 0;
  virtual std::optional<StoredCalibration> latest_calibration(
      std::string_view fingerprint) const = 0;
};

/// Opens or creates the store. `url`: a path, empty for the default ($HEADROOM_STORE, else
/// $XDG_DATA_HOME/headroom/headroom.db, else $HOME/.local/share/…), or `none`, which gives nothing.
/// Errors: NotFound (no such folder, not writable, no HOME: says how to name one), BadInput (not a
/// store), Unsupported (newer schema, both numbers named; postgres://).
std::unique_ptr<Store> open_store(std::string_view url);

/// A store in memory, for tests and for `none` where one is needed.
std::unique_ptr<Store> make_memory_store();

}  // namespace headroom
