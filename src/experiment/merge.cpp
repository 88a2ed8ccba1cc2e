// SPDX-License-Identifier: Apache-2.0
#include "experiment/merge.h"

#include <headroom/base/error.h>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace headroom::experiment {
namespace {

bool has_samples(const Record& record) {
  return record.samples.size() > 0;
}

bool was_interrupted(const Record& record) {
  return record.outcome.status == Status::Partial;
}

bool has_failed(const Record& record) {
  return record.outcome.status != Status::Ok && !was_interrupted(record);
}

std::optional<std::int64_t> start_of(const Record& record) {
  return record.launches.empty() ? std::nullopt : record.launches.front().sampling_start_ns;
}

// Start of the common time line; nothing if a launch with samples does not know its own start.
std::optional<std::int64_t> common_start(std::span<const Record> launched) {
  std::optional<std::int64_t> first;
  for (const Record& record : launched) {
    if (!has_samples(record)) continue;
    const auto start = start_of(record);
    if (!start) return std::nullopt;
    first = first ? std::min(*first, *start) : *start;
  }
  return first;
}

void append_samples(const Record& from, int launch, std::int64_t offset, Samples& samples) {
  samples.launch.insert(samples.launch.end(), from.samples.size(), launch);
  for (const std::int64_t start : from.samples.start_ns) samples.start_ns.push_back(start + offset);
  for (const std::int64_t end : from.samples.end_ns) samples.end_ns.push_back(end + offset);
}

// What took effect must be the same in every launch of one measurement.
void compare_effective(const EngineFacts& first, const EngineFacts& later, int launch,
                       Record& record) {
  for (const auto& [key, value] : later.effective) {
    const auto found = first.effective.find(key);
    const std::string before = found != first.effective.end() ? found->second : "absent";
    if (before != value) {
      record.notes.push_back(fmt::format("launch {}: the engine reports {} = {}, launch 1 had {}",
                                         launch + 1, key, value, before));
    }
  }
}

void merge_engine(std::span<const Record> launched, Record& record) {
  const auto source = std::find_if(launched.begin(), launched.end(), has_samples);
  record.engine = source != launched.end() ? source->engine : launched.front().engine;
  for (std::size_t i = 0; i < launched.size(); ++i) {
    if (has_samples(launched[i]))
      compare_effective(record.engine, launched[i].engine, static_cast<int>(i), record);
  }
}

void merge_quiet(std::span<const Record> launched, Record& record) {
  for (const Record& part : launched) {
    if (!has_samples(part) || part.launches.empty()) continue;
    const bool is_quiet = part.launches.front().quiet.is_quiet;
    record.is_quiet = record.is_quiet.value_or(true) && is_quiet;
  }
}

}  // namespace

Outcome outcome_of_launches(std::span<const Record> launched, int planned) {
  const auto failure = std::find_if(launched.begin(), launched.end(), has_failed);
  const bool has_any = std::any_of(launched.begin(), launched.end(), has_samples);
  if (failure != launched.end() && !has_any) return failure->outcome;
  if (failure != launched.end()) {
    const auto failures = std::count_if(launched.begin(), launched.end(), has_failed);
    return {.status = Status::Partial,
            .reason = fmt::format("{} of {} launches failed; launch {}: {}", failures, planned,
                                  failure - launched.begin() + 1, failure->outcome.reason),
            .error_kind = failure->outcome.error_kind};
  }
  if (static_cast<int>(launched.size()) == planned &&
      std::none_of(launched.begin(), launched.end(), was_interrupted))
    return {};
  const auto complete = std::count_if(launched.begin(), launched.end(), [](const Record& record) {
    return record.outcome.status == Status::Ok;
  });
  return {.status = Status::Partial,
          .reason = fmt::format("interrupted; {} of {} launches are complete", complete, planned),
          .error_kind = std::string(to_string(ErrorKind::Interrupted))};
}

void merge_launches(std::span<const Record> launched, int planned, Record& record) {
  record.outcome = outcome_of_launches(launched, planned);
  if (launched.empty()) return;
  const auto begin = common_start(launched);
  for (std::size_t i = 0; i < launched.size(); ++i) {
    const Record& part = launched[i];
    const int index = static_cast<int>(i);
    Launch launch = part.launches.empty() ? Launch{} : part.launches.front();
    launch.index = index;
    launch.outcome = part.outcome;
    record.launches.push_back(std::move(launch));
    append_samples(part, index, begin ? start_of(part).value_or(*begin) - *begin : 0,
                   record.samples);
    for (const std::string& note : part.notes)
      record.notes.push_back(fmt::format("launch {}: {}", index + 1, note));
  }
  merge_engine(launched, record);
  merge_quiet(launched, record);
}

}  // namespace headroom::experiment
