// SPDX-License-Identifier: Apache-2.0
// Following the values of an input to where they matter.
#include "data/input_use.h"

#include <headroom/base/text.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "data/axis_use.h"

namespace headroom {
namespace {

constexpr std::size_t kMaxVisits =
    10'000;  // An input's values reach far less where they still are its own.

struct Row {
  std::string_view op;
  std::size_t input;
};

// Operators whose output 0 holds elements of that input (or hides others), so the same choice of
// values serves. Source: the operators' definitions in ONNX.
constexpr std::array kPassing = {
    Row{"Cast", 0},
    Row{"CastLike", 0},
    Row{"Identity", 0},
    Row{"Reshape", 0},
    Row{"Flatten", 0},
    Row{"Unsqueeze", 0},
    Row{"Squeeze", 0},
    Row{"Transpose", 0},
    Row{"Expand", 0},
    Row{"Tile", 0},
    Row{"Slice", 0},
    Row{"Gather", 0},
    Row{"GatherElements", 0},
    Row{"GatherND", 0},
    Row{"Pad", 0},
    Row{"Clip", 0},
    Row{"Dropout", 0},
    Row{"Where", 1},
    Row{"Where", 2},
    Row{"Not", 0},
    Row{"And", 0},
    Row{"And", 1},
    Row{"Or", 0},
    Row{"Or", 1},
    Row{"Split", 0},
};

// Inputs that give a shape, a count, an axis or a position along one.
constexpr std::array kSizes = {
    Row{"Reshape", 1},         Row{"Expand", 1}, Row{"Tile", 1},   Row{"Slice", 1},
    Row{"Slice", 2},           Row{"Slice", 3},  Row{"Slice", 4},  Row{"Unsqueeze", 1},
    Row{"Squeeze", 1},         Row{"Pad", 1},    Row{"Resize", 3}, Row{"TopK", 1},
    Row{"Split", 1},           Row{"Loop", 0},   Row{"Range", 0},  Row{"Range", 1},
    Row{"Range", 2},           Row{"OneHot", 1}, Row{"CumSum", 1}, Row{"Trilu", 1},
    Row{"ConstantOfShape", 0},
};

bool is_in(std::span<const Row> rows, const Use& use) {
  return std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
    return use.node->domain.empty() && row.op == use.node->op && row.input == use.input;
  });
}

bool is_recurrent(const Node& node) {
  return node.domain.empty() && (node.op == "LSTM" || node.op == "GRU" || node.op == "RNN");
}

/// The value followed is the input plus `offset`.
struct Visit {
  Place place{};
  std::int64_t offset = 0;
};

class ValueTrace {
 public:
  ValueTrace(const GraphWalk& walk, const Constants& constants, InputUse& use)
      : walk_(walk), constants_(constants), use_(use) {}

  void follow(const Place& start) {
    push(start, 0);
    for (std::size_t i = 0; i < visits_.size() && i < kMaxVisits; ++i) {
      const Visit visit = visits_[i];
      for (const Place& inner : walk_.captures(visit.place)) push(inner, visit.offset);
      for (const Place& outer : walk_.results(visit.place)) push(outer, visit.offset);
      for (const Use& use : walk_.uses(visit.place)) visit_use(use, visit.offset);
    }
  }

 private:
  void push(const Place& place, std::int64_t offset) {
    if (place.value != kNoValue && seen_.insert(place).second) visits_.push_back({place, offset});
  }

  Place input_of(const Use& use, std::size_t index) const {
    return {use.graph, index < use.node->inputs.size() ? use.node->inputs[index] : kNoValue};
  }

  void visit_use(const Use& use, std::int64_t offset) {
    note_condition(use);
    note_mask(use);
    note_recurrence(use);
    if (is_in(kSizes, use)) use_.is_size = true;
    if (note_table(use, offset)) return;
    if (is_in(kPassing, use) || (use.node->op == "Concat" && use.node->domain.empty())) {
      for (const ValueId output : use.node->outputs) push({use.graph, output}, offset);
    }
    pass_into_body(use, offset);
    pass_sum(use, offset);
  }

  // Equal with constants; the condition of an If.
  void note_condition(const Use& use) {
    if (!use.node->domain.empty()) return;
    if (use.node->op == "If" && use.input == 0) use_.chooses_branch = true;
    if (use.node->op != "Equal") return;
    const Place other = input_of(use, 1 - use.input);
    if (other.value == kNoValue) return;
    const auto values = constants_.elements(other);
    if (!values) return;
    for (const double value : *values) {
      const auto found = std::find(use_.compared.begin(), use_.compared.end(), value);
      if (found == use_.compared.end()) use_.compared.push_back(value);
    }
    // `Equal(mask, 0)` is a condition of its own.
    if (constants_.single(other) == 0.0) push({use.graph, use.node->outputs.at(0)}, 0);
  }

  // `(1 - x) * big`, `Where(x, …)`: customary forms of a mask.
  void note_mask(const Use& use) {
    if (!use.node->domain.empty()) return;
    if (use.node->op == "Where" && use.input == 0) use_.is_mask = true;
    if (use.node->op != "Sub" || use.input != 1) return;
    const Place minuend = input_of(use, 0);
    if (minuend.value != kNoValue && constants_.single(minuend) == 1.0) use_.is_mask = true;
  }

  void note_recurrence(const Use& use) {
    if (!is_recurrent(*use.node)) return;
    if (use.input == 4) use_.is_length = true;
    if (use.input == 5 || use.input == 6) use_.is_recurrent_state = true;
  }

  // Which input of the node is the table that `use` indexes, and along which axis; nothing if none.
  struct TableAt {
    std::size_t input = 0;
    std::optional<std::int64_t> axis{};  // Absent: the smallest of all.
  };
  static std::optional<TableAt> table_of(const Use& use) {
    const Node& node = *use.node;
    const bool is_onnx = node.domain.empty();
    const bool is_index = use.input == 1;
    const bool has_axis =
        node.op == "Gather" || node.op == "GatherElements" || node.op == "ScatterElements";
    if (is_onnx && is_index && has_axis) return TableAt{0, node.integer("axis", 0)};
    if (is_onnx && is_index && (node.op == "GatherND" || node.op == "ScatterND"))
      return TableAt{0, {}};
    if (node.domain != "com.microsoft") return std::nullopt;
    if (is_index && node.op == "GatherBlockQuantized")
      return TableAt{0, node.integer("gather_axis", 0)};
    // Inputs: ids, segments, word table, position table, segment table.
    if (node.op == "EmbedLayerNormalization" && use.input == 0) return TableAt{2, 0};
    if (node.op == "EmbedLayerNormalization" && use.input == 1) return TableAt{4, 0};
    return std::nullopt;
  }

  bool note_table(const Use& use, std::int64_t offset) {
    if (use.node->op == "OneHot" && use.node->domain.empty() && use.input == 0) {
      const auto depth = constants_.single(input_of(use, 1));
      if (depth) add_table(static_cast<std::int64_t>(*depth), offset, "classes of a OneHot");
      return true;
    }
    const std::optional<TableAt> table = table_of(use);
    if (!table) return false;
    const Place place = input_of(use, table->input);
    if (place.value == kNoValue) return true;
    const auto rows = rows_of(place, table->axis);
    if (!rows) {
      use_.indexes_unknown_table = true;
      return true;
    }
    add_table(*rows, offset, "rows of '" + printable(place.graph->values[place.value].name) + "'");
    return true;
  }

  std::optional<std::int64_t> rows_of(const Place& place, std::optional<std::int64_t> axis) const {
    if (!axis) {
      const auto sizes = constants_.sizes(place);
      if (!sizes || sizes->empty()) return std::nullopt;
      return *std::min_element(sizes->begin(), sizes->end());
    }
    const auto rank = constants_.rank(place);
    if (!rank) return std::nullopt;
    const std::int64_t index = *axis < 0 ? *axis + static_cast<std::int64_t>(*rank) : *axis;
    if (index < 0 || index >= static_cast<std::int64_t>(*rank)) return std::nullopt;
    return constants_.size(place, static_cast<std::size_t>(index));
  }

  void add_table(std::int64_t rows, std::int64_t offset, const std::string& what) {
    const TableUse table{.first = std::max<std::int64_t>(0, -offset),
                         .last = rows - 1 - offset,
                         .what = fmt::format("{} {}", rows, what)};
    if (table.last < table.first) return;  // Empty, or reached by other arithmetic than seen here.
    if (!use_.table || table.last < use_.table->last) use_.table = table;
  }

  // Loop and Scan hand their inputs to the body by position; Loop's first two are its own.
  void pass_into_body(const Use& use, std::int64_t offset) {
    if (!use.node->domain.empty() || (use.node->op != "Loop" && use.node->op != "Scan")) return;
    if (use.node->op == "Loop" && use.input < 2) return;
    for (const Graph* body : use.node->bodies()) {
      if (use.input < body->inputs.size()) push({body, body->inputs[use.input]}, offset);
    }
  }

  void pass_sum(const Use& use, std::int64_t offset) {
    const bool is_add = use.node->op == "Add";
    const bool is_sub = use.node->op == "Sub" && use.input == 0;
    if (!use.node->domain.empty() || (!is_add && !is_sub)) return;
    const Place other = input_of(use, 1 - use.input);
    const auto constant = other.value == kNoValue ? std::nullopt : constants_.single(other);
    if (!constant) return;
    const auto step = static_cast<std::int64_t>(*constant);
    for (const ValueId output : use.node->outputs) {
      push({use.graph, output}, is_add ? offset + step : offset - step);
    }
  }

  const GraphWalk& walk_;
  const Constants& constants_;
  InputUse& use_;
  std::vector<Visit> visits_{};
  std::set<Place> seen_{};
};

}  // namespace

InputUse find_use(const Graph& graph, ValueId input, const GraphWalk& walk,
                  const Constants& constants) {
  InputUse use;
  ValueTrace(walk, constants, use).follow({&graph, input});
  find_axis_use(graph, input, walk, constants, use);
  return use;
}

}  // namespace headroom
