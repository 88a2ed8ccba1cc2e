// SPDX-License-Identifier: Apache-2.0
// SQLite's C interface, and what its errors mean for a store.
#include "store/sqlite.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace headroom {
namespace {

// A path as the text of a `file:` address. Source: sqlite.org/uri.html.
std::string file_uri(const std::filesystem::path& path) {
  std::string uri = "file:";
  for (const char c : path.string()) {
    uri += c == '%' || c == '?' || c == '#' ? fmt::format("%{:02x}", static_cast<unsigned char>(c))
                                            : std::string(1, c);
  }
  return uri + "?immutable=1";
}

int open_flags(Opening opening) {
  switch (opening) {
    case Opening::Create:
      return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case Opening::Read:
      return SQLITE_OPEN_READONLY;
    case Opening::Immutable:
      return SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
    case Opening::Memory:
      break;
  }
  return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY;
}

std::string open_name(const std::filesystem::path& path, Opening opening) {
  if (opening == Opening::Memory) return ":memory:";
  return opening == Opening::Immutable ? file_uri(path) : path.string();
}

}  // namespace

Database::Database(std::filesystem::path path, Opening opening, std::chrono::milliseconds patience)
    : path_(std::move(path)), patience_(patience) {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(open_name(path_, opening).c_str(), &handle,
                                   open_flags(opening) | SQLITE_OPEN_NOMUTEX, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail(code);
  sqlite3_busy_timeout(handle, static_cast<int>(patience.count()));
}

int Database::try_execute(const std::string& sql) const noexcept {
  return sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr);
}

void Database::execute(const std::string& sql) const {
  const int code = try_execute(sql);
  if (code != SQLITE_OK) fail(code);
}

std::int64_t Database::number(const std::string& sql) const {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

void Database::fail(int code) const {
  const std::string store = fmt::format("the store '{}'", printable(path_.string()));
  const int system = handle_ ? sqlite3_system_errno(handle()) : 0;
  const std::string reason = system != 0 ? std::strerror(system) : sqlite3_errstr(code);
  const int kind = code & 0xFF;  // The upper bits tell the place inside SQLite.
  const bool is_full =
      kind == SQLITE_FULL || (kind == SQLITE_IOERR && (system == ENOSPC || system == EDQUOT));
  if (is_full) {
    throw Error(ErrorKind::Limit,
                fmt::format("{} cannot grow: the disk is full; free some space, or name a file on "
                            "another disk with --store or HEADROOM_STORE",
                            store));
  }
  switch (kind) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw Error(ErrorKind::Limit,
                  fmt::format("{} was held by another program for more than {}; try again when it "
                              "has ended, or name another file with --store",
                              store, format_time(patience_)));
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      throw Error(ErrorKind::BadInput,
                  fmt::format("{} is no intact SQLite database ({}); move it away, or name another "
                              "file with --store or HEADROOM_STORE",
                              store, sqlite3_errstr(code)));
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      throw Error(ErrorKind::NotFound,
                  fmt::format("{} cannot be written ({}); give the right to write the file and its "
                              "folder, or name another with --store or HEADROOM_STORE",
                              store, reason));
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
      throw Error(ErrorKind::NotFound,
                  fmt::format("{} cannot be opened or read ({}); check the file and its folder, or "
                              "name another with --store or HEADROOM_STORE",
                              store, reason));
    default:
      throw Error(ErrorKind::Internal,
                  fmt::format("{}: {}", store, handle_ ? sqlite3_errmsg(handle()) : reason));
  }
}

Statement::Statement(const Database& database, const std::string& sql) : database_(database) {
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v2(database.handle(), sql.c_str(), static_cast<int>(sql.size()),
                                      &handle, nullptr);
  handle_.reset(handle);
  require(code);
}

void Statement::require(int code) const {
  if (code != SQLITE_OK) database_.fail(code);
}

Statement& Statement::bind(int parameter, std::string_view text) {
  // A null pointer would bind NULL, so empty text is bound from a literal.
  const char* const data = text.empty() ? "" : text.data();
  require(sqlite3_bind_text64(handle_.get(), parameter, data, text.size(), SQLITE_TRANSIENT,
                              SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(int parameter, std::int64_t number) {
  require(sqlite3_bind_int64(handle_.get(), parameter, number));
  return *this;
}

Statement& Statement::bind(int parameter, std::optional<double> number) {
  require(number ? sqlite3_bind_double(handle_.get(), parameter, *number)
                 : sqlite3_bind_null(handle_.get(), parameter));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.fail(code);
  return false;
}

std::string Statement::text(int column) const {
  const auto* const data = sqlite3_column_text(handle_.get(), column);
  if (data == nullptr) return {};
  return {reinterpret_cast<const char*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_.get(), column);
}

std::optional<double> Statement::real(int column) const {
  if (sqlite3_column_type(handle_.get(), column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_double(handle_.get(), column);
}

Snapshot::Snapshot(const Database& database) : database_(database) {
  database_.execute("SAVEPOINT snapshot");
}

Snapshot::~Snapshot() {
  database_.try_execute("RELEASE snapshot");
}

Transaction::Transaction(const Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (is_open_) database_.try_execute("ROLLBACK");
}

void Transaction::commit() {
  database_.execute("COMMIT");
  is_open_ = false;
}

}  // namespace headroom
