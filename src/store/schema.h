// SPDX-License-Identifier: Apache-2.0
// The tables of the store and how an older store becomes a newer one.
#pragma once

#include "store/sqlite.h"

namespace headroom {

/// In user_version of the file. A change adds a migration and its test.
inline constexpr int kStoreSchema = 1;
/// In application_id of the file: `HDRM` in ASCII, which tells our stores from other databases.
inline constexpr int kApplicationId = 0x4844524D;

/// What a file is, as far as its header tells.
enum class StoreState { Empty, Current, Older };
/// Errors: BadInput for another program's database, Unsupported for a newer schema.
StoreState inspect_store(const Database& database);

/// Makes or brings up the tables, in one transaction; nothing to do is right too.
void migrate(const Database& database);

/// A reader and a writer at once, and a crash that loses nothing committed: write-ahead log,
/// synced.
void use_write_ahead_log(const Database& database, std::chrono::milliseconds patience);

}  // namespace headroom
