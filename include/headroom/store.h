// SPDX-License-Identifier: Apache-2.0
// Append-only store of records and calibrations.
#pragma once

#include <headroom/record.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
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
  /// The newest calibrations of a platform, at most `most`, newest first.
  virtual std::vector<StoredCalibration> calibrations(std::string_view fingerprint,
                                                      std::size_t most) const = 0;
  /// Number of records. Cost: one index look-up.
  virtual std::uint64_t size() const = 0;
};

enum class StoreAccess : std::uint8_t {
  Append,  ///< Creates the store where it does not exist.
  Read,    ///< Creates and changes nothing; a store on a read-only medium will do.
};

/// The file that `url` names, see open_store.
/// Errors: Usage for `none`; NotFound and Unsupported as there.
std::filesystem::path store_location(std::string_view url);

/// Opens or creates the store. `url`: a path, empty for the default ($HEADROOM_STORE, else
/// $XDG_DATA_HOME/headroom/headroom.db, else $HOME/.local/share/…), or `none`, which gives nothing.
/// Only the default's folders are created.
/// Errors: NotFound (no such folder, not writable, no HOME: says how to name one; for Read: nothing
///         recorded yet), BadInput (not a store), Unsupported (newer schema, both numbers named;
///         postgres://), Limit (full disk, another writer).
std::unique_ptr<Store> open_store(std::string_view url, StoreAccess access = StoreAccess::Append);

/// A store in memory, for tests and for `none` where one is needed.
std::unique_ptr<Store> make_memory_store();

}  // namespace headroom
