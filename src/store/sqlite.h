// SPDX-License-Identifier: Apache-2.0
// SQLite behind two owners, with its error codes turned into ours.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <sqlite3.h>

namespace headroom {

enum class Opening : std::uint8_t {
  Create,     ///< Read and write; made where it does not exist.
  Read,       ///< Read only.
  Immutable,  ///< Read only, without locks or side files: for a medium that nobody can write.
  Memory,
};

/// A connection. Used by one thread.
class Database {
 public:
  /// Waits up to `patience` for other writers. Errors: see fail.
  Database(std::filesystem::path path, Opening opening, std::chrono::milliseconds patience);

  sqlite3* handle() const noexcept { return handle_.get(); }
  const std::filesystem::path& path() const noexcept { return path_; }

  /// Runs statements that give no rows. Errors: see fail.
  void execute(const std::string& sql) const;
  /// As execute; gives the code instead of throwing.
  int try_execute(const std::string& sql) const noexcept;
  /// The first column of the first row as a number, 0 where there is none. Errors: see fail.
  std::int64_t number(const std::string& sql) const;

  /// Throws what `code` means. Errors: Limit for a full disk and another writer, NotFound for what
  /// cannot be opened, read or written, BadInput for what is no database, Internal else.
  [[noreturn]] void fail(int code) const;

 private:
  struct Closer {
    void operator()(sqlite3* handle) const noexcept { sqlite3_close_v2(handle); }
  };
  std::filesystem::path path_;
  std::unique_ptr<sqlite3, Closer> handle_;
  std::chrono::milliseconds patience_;
};

/// A prepared statement. Parameters and columns count from 1 and from 0, as SQLite's own.
class Statement {
 public:
  Statement(const Database& database, const std::string& sql);

  Statement& bind(int parameter, std::string_view text);
  Statement& bind(int parameter, std::int64_t number);
  Statement& bind(int parameter, std::optional<double> number);
  /// Whether there is a row. Errors: see Database::fail.
  bool step();

  std::string text(int column) const;
  std::int64_t integer(int column) const;
  std::optional<double> real(int column) const;

 private:
  struct Closer {
    void operator()(sqlite3_stmt* handle) const noexcept { sqlite3_finalize(handle); }
  };
  void require(int code) const;

  const Database& database_;
  std::unique_ptr<sqlite3_stmt, Closer> handle_;
};

/// All that is read while it lives is of one moment. May lie within a transaction.
class Snapshot {
 public:
  explicit Snapshot(const Database& database);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  const Database& database_;
};

/// Rolls back what was not committed.
class Transaction {
 public:
  /// Takes the right to write at once, so that two writers never wait for each other half-way.
  explicit Transaction(const Database& database);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  const Database& database_;
  bool is_open_ = true;
};

}  // namespace headroom
