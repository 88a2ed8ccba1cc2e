// SPDX-License-Identifier: Apache-2.0
// The settings of the scripted engine.
#include "engine/scripted/script.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <array>
#include <charconv>

#include <fmt/format.h>

#include "engine/settings.h"

namespace headroom {
namespace {

constexpr std::int64_t kMax = INT64_MAX;

// Every name that the engine understands, with the form of its value.
constexpr std::array kRules = {
    SettingRule{"run", SettingKind::Text, "a time such as 1ms: how long a run computes"},
    SettingRule{"load", SettingKind::Text, "a time such as 5ms: half of it reads, half creates"},
    SettingRule{"jitter", SettingKind::Text, "a fraction from 0 to 1 of the time of a run"},
    SettingRule{"seed", SettingKind::Number, "", 0, kMax},
    SettingRule{"warmup", SettingKind::Text,
                "RUNS:TIME such as 20:5ms: extra time of the first runs"},
    SettingRule{"crash", SettingKind::Text, "load or run:N"},
    SettingRule{"hang", SettingKind::Text, "load or run:N"},
    SettingRule{"exit", SettingKind::Text, "load or run:N"},
    SettingRule{"fail", SettingKind::Text, "load or run:N"},
    SettingRule{"unsupported", SettingKind::Text, "load or run:N"},
    SettingRule{"if_node", SettingKind::Text,
                "NODE[,NODE]: names or operators; failures strike only where all are in the model"},
    SettingRule{"refuse_shape", SettingKind::Text, "INPUT:SHAPE such as x:1x3x224x224"},
    SettingRule{"accept_dim", SettingKind::Text, "INPUT:AXIS:SIZE such as x:2:48"},
    SettingRule{"output", SettingKind::Choice, "echo|constant|noise"},
    SettingRule{"wrong_when_optimized", SettingKind::Flag},
    SettingRule{"allocate", SettingKind::Text, "a size such as 100MiB"},
};

[[noreturn]] void refuse(const std::string& key, std::string_view value) {
  for (const SettingRule& rule : kRules) {
    if (rule.key != key) continue;
    throw Error(ErrorKind::Usage,
                fmt::format("engine 'scripted': setting '{}' cannot be '{}'; give {}", key,
                            printable(value), rule.choices));
  }
  throw Error(ErrorKind::Internal, "engine 'scripted': no rule for setting '" + key + "'");
}

std::uint64_t parse_number(const std::string& key, std::string_view whole, std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value > INT64_MAX) {
    refuse(key, whole);
  }
  return value;
}

/// Reads one key's value, if it is set, into a part of the script.
class Reader {
 public:
  explicit Reader(const std::map<std::string, std::string>& settings) : settings_(settings) {}

  const std::string* find(const std::string& key) const {
    const auto found = settings_.find(key);
    return found == settings_.end() ? nullptr : &found->second;
  }

  Nanoseconds time(const std::string& key) const {
    const std::string* value = find(key);
    return value == nullptr ? Nanoseconds{} : parse_time(*value, "engine 'scripted': " + key);
  }

  std::optional<Trigger> trigger(const std::string& key) const {
    const std::string* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (*value == "load") return Trigger{};
    if (!value->starts_with("run:")) refuse(key, *value);
    const std::uint64_t run = parse_number(key, *value, std::string_view{*value}.substr(4));
    if (run == 0) refuse(key, *value);
    return Trigger{run};
  }

 private:
  const std::map<std::string, std::string>& settings_;
};

double parse_jitter(const std::string* text) {
  if (text == nullptr) return 0;
  double value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  const bool is_number = error == std::errc{} && end == text->data() + text->size();
  if (!is_number || !(value >= 0 && value <= 1)) refuse("jitter", *text);
  return value;
}

void read_warmup(const std::string* text, Script& script) {
  if (text == nullptr) return;
  const std::size_t colon = text->find(':');
  if (colon == std::string::npos) refuse("warmup", *text);
  script.warmup_runs = parse_number("warmup", *text, std::string_view{*text}.substr(0, colon));
  script.warmup_extra = parse_time(std::string_view{*text}.substr(colon + 1), "warmup");
}

// Names of inputs may hold colons, so the last one separates.
std::optional<RefusedShape> read_refused_shape(const std::string* text) {
  if (text == nullptr) return std::nullopt;
  const std::size_t colon = text->rfind(':');
  if (colon == std::string::npos) refuse("refuse_shape", *text);
  RefusedShape refused{.input = text->substr(0, colon), .shape = {}};
  for (const std::string& size : split(std::string_view{*text}.substr(colon + 1), 'x')) {
    refused.shape.push_back(static_cast<std::int64_t>(parse_number("refuse_shape", *text, size)));
  }
  return refused;
}

std::optional<DemandedDim> read_demanded_dim(const std::string* text) {
  if (text == nullptr) return std::nullopt;
  const std::size_t last = text->rfind(':');
  if (last == std::string::npos || last == 0) refuse("accept_dim", *text);
  const std::size_t first = text->rfind(':', last - 1);
  if (first == std::string::npos) refuse("accept_dim", *text);
  const std::string_view view = *text;
  const std::string_view axis = view.substr(first + 1, last - first - 1);
  return DemandedDim{
      .input = text->substr(0, first),
      .axis = parse_number("accept_dim", *text, axis),
      .size = static_cast<std::int64_t>(parse_number("accept_dim", *text, view.substr(last + 1)))};
}

ScriptedOutput read_output(const std::string* text) {
  if (text == nullptr || *text == "echo") return ScriptedOutput::Echo;
  return *text == "constant" ? ScriptedOutput::Constant : ScriptedOutput::Noise;
}

}  // namespace

Script parse_script(const std::map<std::string, std::string>& settings) {
  check_settings("scripted", kRules, settings);
  const Reader reader(settings);
  Script script;
  script.load = reader.time("load");
  script.run = reader.time("run");
  script.jitter = parse_jitter(reader.find("jitter"));
  if (const std::string* seed = reader.find("seed")) {
    script.seed = parse_number("seed", *seed, *seed);
  }
  read_warmup(reader.find("warmup"), script);
  script.crash = reader.trigger("crash");
  script.hang = reader.trigger("hang");
  script.exit = reader.trigger("exit");
  script.fail = reader.trigger("fail");
  script.unsupported = reader.trigger("unsupported");
  if (const std::string* nodes = reader.find("if_node")) script.if_nodes = split(*nodes, ',');
  script.refuse_shape = read_refused_shape(reader.find("refuse_shape"));
  script.accept_dim = read_demanded_dim(reader.find("accept_dim"));
  script.output = read_output(reader.find("output"));
  const std::string* wrong = reader.find("wrong_when_optimized");
  script.is_wrong_when_optimized = wrong != nullptr && *wrong == "1";
  if (const std::string* size = reader.find("allocate")) {
    script.allocate = parse_bytes(*size, "engine 'scripted': allocate");
  }
  return script;
}

}  // namespace headroom
