// SPDX-License-Identifier: Apache-2.0
// A machine described by its files, for tests that must not depend on the one they run on.
#pragma once

#include <headroom/host.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace headroom::test {

class FakeHost final : public Host {
 public:
  using Files = std::map<std::string, std::string>;

  explicit FakeHost(Files files, std::vector<int> affinity = {0})
      : files_(std::move(files)), affinity_(std::move(affinity)) {}

  std::optional<std::string> read(const std::filesystem::path& path) const override {
    const auto found = files_.find(path.string());
    if (found == files_.end()) return std::nullopt;
    return found->second;
  }
  std::vector<int> affinity() const override { return affinity_; }
  Topology topology() const override { return processor; }
  std::string hypervisor() const override { return hypervisor_name; }
  int own_runnable_threads() const override { return runnable_threads; }
  std::vector<int> own_threads() const override { return threads; }

  /// A new or changed file.
  void write(const std::string& path, std::string content) { files_[path] = std::move(content); }

  Topology processor{};
  std::string hypervisor_name{};
  int runnable_threads = 1;
  std::vector<int> threads{};

 private:
  Files files_;
  std::vector<int> affinity_;
};

}  // namespace headroom::test
