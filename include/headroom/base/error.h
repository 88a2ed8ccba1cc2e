// SPDX-License-Identifier: Apache-2.0
// The one exception type of Headroom. Expected outcomes of a case are data in its record and
// findings about a usable value are diagnostics; an Error is thrown when a call cannot give what
// its name promises.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace headroom {

/// What went wrong, as far as the caller must act on it. `exit_status` maps it to the contract of
/// the command line.
enum class ErrorKind {
  Usage,        ///< An option or argument is wrong.
  NotFound,     ///< An input does not exist or cannot be read.
  BadInput,     ///< An input was read and is not valid.
  Unsupported,  ///< Valid, but this engine or this build cannot do it.
  Engine,       ///< The engine failed.
  Limit,        ///< A limit of time, memory or disk stopped the work.
  Interrupted,  ///< The user stopped the work.
  Internal,     ///< A defect of Headroom.
};

class Error : public std::runtime_error {
 public:
  /// `message` says what was wanted, what was found, where, and what to try.
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

/// Exit status of the command line for an error of this kind: 2 wrong use, 3 input, 4 not
/// supported, 5 engine, 6 limit, 70 a defect of ours (sysexits' EX_SOFTWARE); Interrupted has none,
/// since the program ends by the signal.
int exit_status(ErrorKind kind) noexcept;

/// The name used in JSON: `usage`, `not_found`, `bad_input`, …
std::string_view to_string(ErrorKind kind) noexcept;

/// The inverse of to_string; Internal for a name that is not one of ours.
ErrorKind error_kind_from(std::string_view name) noexcept;

}  // namespace headroom
