// SPDX-License-Identifier: Apache-2.0
// Looks records up.
#include <headroom/app/history.h>
#include <headroom/base/error.h>

#include <filesystem>

#include <fmt/format.h>

namespace headroom::app {
namespace {

namespace fs = std::filesystem;

// Records hold absolute paths; a name without a folder stands for every file of that name.
std::string stored_model(const std::string& model) {
  if (model.find('/') == std::string::npos) return model;
  return fs::absolute(model).lexically_normal().string();
}

std::string sought_text(const HistoryOptions& options) {
  if (options.engine.empty()) return options.model.empty() ? "" : "'" + options.model + "'";
  if (options.model.empty()) return fmt::format("engine '{}'", options.engine);
  return fmt::format("'{}' on engine '{}'", options.model, options.engine);
}

std::unique_ptr<Store> open_for_reading(std::string_view url) {
  std::unique_ptr<Store> store = open_store(url, StoreAccess::Read);
  if (store == nullptr) {
    throw Error(ErrorKind::Usage,
                "the store 'none' holds nothing; name a file with --store, or leave it out");
  }
  return store;
}

}  // namespace

HistoryReport history(const HistoryOptions& options, const Host& host) {
  const fs::path location = store_location(options.store);
  HistoryReport report{.store = location.string(),
                       .fingerprint = platform_fingerprint(read_facts(host)),
                       .sought = sought_text(options)};
  std::error_code ignored;
  if (!fs::exists(location, ignored)) {
    report.sought.clear();  // Nothing at all is recorded, so nothing of what was sought either.
    return report;
  }
  report.records = open_for_reading(options.store)
                       ->list({.model = stored_model(options.model),
                               .engine = options.engine,
                               .limit = options.limit});
  return report;
}

Record show(std::string_view id, std::string_view store) {
  return record_from_json(open_for_reading(store)->find(id));
}

}  // namespace headroom::app
