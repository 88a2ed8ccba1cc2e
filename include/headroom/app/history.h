// SPDX-License-Identifier: Apache-2.0
// `headroom history` and `headroom show`: what was recorded.
#pragma once

#include <headroom/record.h>
#include <headroom/report/history.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace headroom::app {

struct HistoryOptions {
  std::string model{};   ///< A path, a file name, or a SHA-256 prefix; empty: all.
  std::string engine{};  ///< Empty: all.
  std::size_t limit = 20;
  std::string store{};  ///< `--store`.
};

/// The newest records. A store that does not exist yet gives an empty list, and is not created.
/// Errors: Usage for the store `none`, and those of open_store.
HistoryReport history(const HistoryOptions& options, const Host& host);

/// The record of an id, of a unique prefix of one, or the `last`.
/// Errors: NotFound, Usage for an ambiguous prefix or the store `none`, Unsupported for a record of
///         a newer program, and those of open_store.
Record show(std::string_view id, std::string_view store);

}  // namespace headroom::app
