// SPDX-License-Identifier: Apache-2.0
// What a scripted engine plays: durations, failures, refusals and outputs, read from its settings.
// The table in script.cpp is the only list of names.
#pragma once

#include <headroom/base/units.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// When something happens: at load, or in the run of this number, counted from 1.
struct Trigger {
  std::uint64_t run = 0;  ///< 0: at load.
};

enum class ScriptedOutput : std::uint8_t {
  Echo,      ///< The inputs, so that every change of an input changes an output.
  Constant,  ///< Ones, whatever the inputs are.
  Noise,     ///< Different in every run and every process.
};

/// A shape of an input that the engine refuses in run().
struct RefusedShape {
  std::string input{};
  std::vector<std::int64_t> shape{};
};

/// The only size of a dimension that the engine accepts in run().
struct DemandedDim {
  std::string input{};
  std::size_t axis = 0;
  std::int64_t size = 0;
};

struct Script {
  Nanoseconds load{};
  Nanoseconds run{};
  double jitter = 0;  ///< A run takes run * (1 + jitter * u), u uniform in [-1, 1).
  std::uint64_t seed = 0;
  std::uint64_t warmup_runs = 0;  ///< So many first runs take warmup_extra longer.
  Nanoseconds warmup_extra{};
  std::optional<Trigger> crash{};  ///< SIGSEGV.
  std::optional<Trigger> hang{};
  std::optional<Trigger> exit{};         ///< Status 3, without a word.
  std::optional<Trigger> fail{};         ///< Error(Engine).
  std::optional<Trigger> unsupported{};  ///< Error(Unsupported).
  /// Names or operators of nodes: what is above strikes only where the outermost graph has them
  /// all.
  std::vector<std::string> if_nodes{};
  std::optional<RefusedShape> refuse_shape{};
  std::optional<DemandedDim> accept_dim{};
  ScriptedOutput output = ScriptedOutput::Echo;
  bool is_wrong_when_optimized = false;
  Bytes allocate{};  ///< Touched at load, kept by the session.
};

/// Errors: Usage for an unknown key or a value that does not have the key's form.
Script parse_script(const std::map<std::string, std::string>& settings);

}  // namespace headroom
