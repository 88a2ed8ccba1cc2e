// SPDX-License-Identifier: Apache-2.0
#include "record/samples_json.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace headroom::record {
namespace {

template <class Integer>
void append_column(std::string& text, std::string_view name, const std::vector<Integer>& values) {
  fmt::format_to(std::back_inserter(text), "{}\"{}\":[", text.back() == '{' ? "" : ",", name);
  for (const Integer value : values) {
    text += fmt::format_int(value).c_str();
    text += ',';
  }
  if (text.back() == ',') text.pop_back();
  text += ']';
}

// Takes the numbers of `samples` out of the event stream while nlohmann builds the rest.
class SampleCollector {
 public:
  explicit SampleCollector(Samples& samples) : samples_(samples) {}

  // Whether the parser keeps the value.
  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::key) {
      if (depth == 1) is_in_samples_ = parsed == "samples";
      if (depth == 2 && is_in_samples_) column_ = parsed.get<std::string>();
      return true;
    }
    // Objects and arrays inside a column are left in the tree, where they are found and refused.
    if (event != Json::parse_event_t::value || depth != 3 || !is_in_samples_) return true;
    return !take(parsed);
  }

 private:
  bool take(const Json& value) {
    if (!value.is_number_integer() || !is_in_range(value)) return false;
    const auto number = value.get<std::int64_t>();
    if (column_ == "start_ns") return samples_.start_ns.push_back(number), true;
    if (column_ == "end_ns") return samples_.end_ns.push_back(number), true;
    if (column_ != "launch" || number < 0 || number > std::numeric_limits<std::int32_t>::max())
      return false;
    samples_.launch.push_back(static_cast<std::int32_t>(number));
    return true;
  }

  static bool is_in_range(const Json& value) {
    return !value.is_number_unsigned() ||
           value.get<std::uint64_t>() <=
               static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  }

  Samples& samples_;
  bool is_in_samples_ = false;
  std::string column_;
};

// What the collector left behind is wrong: a column that is no array of integers.
void check_left_over(const Json& samples) {
  JsonReader reader(samples, "record.samples");
  for (const char* column : {"launch", "start_ns", "end_ns"}) {
    if (!reader.has(column) && column == std::string_view("launch")) continue;
    const Json& left = reader.array(column);
    if (!left.empty()) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("record.samples.{}: integers of fitting size are needed, found {}",
                              column, left.front().dump()));
    }
  }
  reader.finish();
}

void check_columns(Samples& samples, bool has_launch) {
  const std::size_t rows = samples.start_ns.size();
  if (!has_launch) samples.launch.assign(rows, 0);
  if (samples.end_ns.size() != rows || samples.launch.size() != rows) {
    throw Error(ErrorKind::BadInput,
                fmt::format("record.samples: columns of one length are needed, found launch {}, "
                            "start_ns {}, end_ns {}",
                            samples.launch.size(), rows, samples.end_ns.size()));
  }
  for (std::size_t row = 0; row < rows; ++row) {
    if (samples.end_ns[row] < samples.start_ns[row]) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("record.samples: row {} ends before it starts", row));
    }
  }
}

}  // namespace

std::string samples_to_text(const Samples& samples) {
  std::string text;
  text.reserve(64 + 24 * samples.size());
  text += '{';
  if (std::any_of(samples.launch.begin(), samples.launch.end(), [](int i) { return i != 0; }))
    append_column(text, "launch", samples.launch);
  append_column(text, "start_ns", samples.start_ns);
  append_column(text, "end_ns", samples.end_ns);
  text += '}';
  return text;
}

ParsedRecord parse_record(std::string_view text) {
  ParsedRecord parsed;
  SampleCollector collector(parsed.samples);
  try {
    parsed.json = Json::parse(text, std::ref(collector));
  } catch (const Json::parse_error& error) {
    throw Error(ErrorKind::BadInput, fmt::format("record: not valid JSON at byte {}", error.byte));
  } catch (const Json::out_of_range&) {
    throw Error(ErrorKind::BadInput, "record: a number is too large for a double");
  }
  const auto samples = parsed.json.is_object() ? parsed.json.find("samples") : parsed.json.end();
  if (samples != parsed.json.end()) {
    check_left_over(*samples);
    check_columns(parsed.samples, samples->contains("launch"));
  }
  return parsed;
}

}  // namespace headroom::record
