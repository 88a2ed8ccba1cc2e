// SPDX-License-Identifier: Apache-2.0
#include "model/external_data.h"

#include <headroom/base/error.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace headroom {
namespace {

namespace fs = std::filesystem;

/// Whether `path` lies under `folder`; both without links and dots.
bool is_under(const fs::path& path, const fs::path& folder) {
  const auto [in_folder, in_path] =
      std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return in_folder == folder.end() && in_path != path.end();
}

void check_spelling(const wire::Place& place, const std::string& location) {
  if (location.empty() || location.find('\0') != std::string::npos) {
    wire::fail(place, "the location of its external data is empty or not a path");
  }
  const fs::path path(location);
  if (path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end()) {
    wire::fail(place, fmt::format("external data at '{}' is refused: only files in the model's own "
                                  "folder are read; move the file there and correct the location",
                                  wire::shown(location)));
  }
}

}  // namespace

ExternalData::ExternalData(fs::path folder)
    : folder_(folder.empty() ? fs::path(".") : std::move(folder)) {}

std::optional<std::uint64_t> ExternalData::size_of(const wire::Place& place,
                                                   const std::string& location) {
  const auto found = sizes_.find(location);
  if (found != sizes_.end()) return found->second;
  return sizes_.emplace(location, look_up(place, location)).first->second;
}

std::optional<std::uint64_t> ExternalData::look_up(const wire::Place& place,
                                                   const std::string& location) {
  check_spelling(place, location);
  std::error_code error;
  const fs::path target = fs::canonical(folder_ / location, error);
  if (error == std::errc::no_such_file_or_directory) return std::nullopt;
  if (error) {
    wire::fail(place, fmt::format("external data at '{}' cannot be looked up: {}",
                                  wire::shown(location), error.message()));
  }
  if (!real_folder_) real_folder_ = fs::canonical(folder_, error);
  if (!is_under(target, *real_folder_)) {
    wire::fail(place, fmt::format("external data at '{}' is refused: the link leads out of the "
                                  "model's folder; copy the file there",
                                  wire::shown(location)));
  }
  if (!fs::is_regular_file(target, error)) {
    wire::fail(place,
               fmt::format("external data at '{}' is not a regular file", wire::shown(location)));
  }
  const std::uint64_t size = fs::file_size(target, error);
  if (error) {
    wire::fail(place, fmt::format("external data at '{}' has no size: {}", wire::shown(location),
                                  error.message()));
  }
  return size;
}

fs::path ExternalData::existing_path(const wire::Place& place, const std::string& location) {
  if (!size_of(place, location)) {
    throw Error(
        ErrorKind::NotFound,
        fmt::format("{}: its external data '{}' is missing; it is looked for in '{}'",
                    wire::to_string(place), wire::shown(location), wire::shown(folder_.string())));
  }
  return folder_ / location;
}

void ExternalData::check_range(const wire::Place& place, const StoredTensor::External& external,
                               std::uint64_t needed, std::uint64_t available) {
  if (external.offset <= available && needed <= available - external.offset) return;
  wire::fail(place,
             fmt::format("{} bytes from byte {} of '{}' are needed, which has {}; is the file "
                         "complete, and of this model?",
                         needed, external.offset, wire::shown(external.location), available));
}

}  // namespace headroom
