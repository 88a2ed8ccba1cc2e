// SPDX-License-Identifier: Apache-2.0
// Where the store is, and how it is opened: created for writers, left as it is for readers.
#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/store.h>

#include <array>
#include <cstdlib>
#include <system_error>

#include <fmt/format.h>

#include "store/schema.h"
#include "store/sqlite_store.h"

namespace headroom {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kPatience{10'000};

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

// Source: XDG Base Directory Specification; a relative XDG_DATA_HOME is to be ignored.
fs::path default_location() {
  const fs::path data = environment("XDG_DATA_HOME");
  if (data.is_absolute()) return data / "headroom" / "headroom.db";
  const fs::path home = environment("HOME");
  if (home.is_absolute()) return home / ".local" / "share" / "headroom" / "headroom.db";
  throw Error(
      ErrorKind::NotFound,
      "no place for the store: neither HEADROOM_STORE nor XDG_DATA_HOME nor HOME names one; "
      "write --store FILE, --store none to keep nothing, or set HEADROOM_STORE");
}

// What the user named, or nothing for the default.
std::string chosen_url(std::string_view url) {
  return url.empty() ? environment("HEADROOM_STORE") : std::string(url);
}

void require_file_url(std::string_view url) {
  const std::size_t scheme_end = url.find("://");
  if (scheme_end == std::string_view::npos) return;
  const std::string_view scheme = url.substr(0, scheme_end);
  const bool is_postgres = scheme == "postgres" || scheme == "postgresql";
  throw Error(ErrorKind::Unsupported,
              fmt::format("the store '{}' is {}; name a file, or 'none'", printable(url),
                          is_postgres ? "on PostgreSQL, which is not in this build"
                                      : "of a kind that is not known"));
}

fs::path location_of(const std::string& chosen) {
  require_file_url(chosen);
  return chosen.empty() ? default_location() : fs::absolute(chosen);
}

void create_default_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw Error(ErrorKind::NotFound,
                fmt::format("cannot create the folder '{}' for the store: {}; name a file with "
                            "--store or HEADROOM_STORE",
                            printable(folder.string()), error.message()));
  }
}

void require_place(const fs::path& path, StoreAccess access) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const std::string shown = printable(path.string());
  if (fs::is_directory(status)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("the store '{}' is a folder; name a file, such as '{}'", shown,
                            printable((path / "headroom.db").string())));
  }
  if (fs::exists(status)) return;
  if (access == StoreAccess::Read) {
    throw Error(ErrorKind::NotFound,
                fmt::format("nothing is recorded yet: the store '{}' does not exist; `headroom run "
                            "MODEL` creates it",
                            shown));
  }
  if (!fs::is_directory(path.parent_path(), error)) {
    throw Error(ErrorKind::NotFound,
                fmt::format("the store '{}' cannot be created: there is no folder '{}'", shown,
                            printable(path.parent_path().string())));
  }
}

void require_writable(const Database& database) {
  if (sqlite3_db_readonly(database.handle(), "main") == 1) database.fail(SQLITE_READONLY);
}

[[noreturn]] void fail_for_reader(const Database& database, StoreState state) {
  const std::string shown = printable(database.path().string());
  if (state == StoreState::Empty) {
    throw Error(
        ErrorKind::NotFound,
        fmt::format("nothing is recorded yet in the store '{}'; `headroom run MODEL` records",
                    shown));
  }
  throw Error(
      ErrorKind::Unsupported,
      fmt::format("the store '{}' has an older schema than {}; `headroom run` brings it up to "
                  "date",
                  shown, kStoreSchema));
}

// A log that no one can write cannot be read either, but then no one adds to it: SQLite reads the
// file without it.
Database open_for_reading(const fs::path& path, std::chrono::milliseconds patience) {
  Database database(path, Opening::Read, patience);
  const int code = database.try_execute("PRAGMA user_version");
  const int kind = code & 0xFF;
  if (kind == SQLITE_CANTOPEN || kind == SQLITE_READONLY)
    return Database(path, Opening::Immutable, patience);
  if (code != SQLITE_OK) database.fail(code);
  return database;
}

}  // namespace

std::unique_ptr<Store> open_sqlite_store(const fs::path& path, StoreAccess access,
                                         std::chrono::milliseconds patience) {
  require_place(path, access);
  if (access == StoreAccess::Read) {
    Database database = open_for_reading(path, patience);
    const StoreState state = inspect_store(database);
    if (state != StoreState::Current) fail_for_reader(database, state);
    return std::make_unique<SqliteStore>(std::move(database));
  }
  Database database(path, Opening::Create, patience);
  const StoreState state = inspect_store(database);
  require_writable(database);
  use_write_ahead_log(database, patience);
  if (state != StoreState::Current) migrate(database);
  return std::make_unique<SqliteStore>(std::move(database));
}

fs::path store_location(std::string_view url) {
  const std::string chosen = chosen_url(url);
  if (chosen == "none") throw Error(ErrorKind::Usage, "the store 'none' keeps nothing");
  return location_of(chosen);
}

std::unique_ptr<Store> open_store(std::string_view url, StoreAccess access) {
  const std::string chosen = chosen_url(url);
  if (chosen == "none") return nullptr;
  const fs::path path = location_of(chosen);
  if (chosen.empty() && access == StoreAccess::Append) create_default_folder(path.parent_path());
  return open_sqlite_store(path, access, kPatience);
}

std::unique_ptr<Store> make_memory_store() {
  Database database("memory", Opening::Memory, kPatience);
  migrate(database);
  return std::make_unique<SqliteStore>(std::move(database));
}

}  // namespace headroom
