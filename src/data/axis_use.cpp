// SPDX-License-Identifier: Apache-2.0
// Following the axes of an input to the weights that fix their sizes.
#include "data/axis_use.h"

#include <headroom/base/text.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace headroom {
namespace {

constexpr std::size_t kMaxVisits = 2'000;  // Beyond the first weights nothing new is learned.

using Axes = std::vector<std::optional<std::size_t>>;

/// A value whose axis i is the input's axis axes[i], unless lost. Not exact: elements were added or
/// cut.
struct Visit {
  Place place{};
  Axes axes{};
  bool is_exact = true;
};

// Operators with one data input whose output has its shape.
constexpr std::array<std::string_view, 26> kUnary = {"Cast",
                                                     "CastLike",
                                                     "Identity",
                                                     "QuantizeLinear",
                                                     "DequantizeLinear",
                                                     "Relu",
                                                     "LeakyRelu",
                                                     "Sigmoid",
                                                     "Tanh",
                                                     "Neg",
                                                     "Abs",
                                                     "Sqrt",
                                                     "Log",
                                                     "Exp",
                                                     "Erf",
                                                     "Clip",
                                                     "Dropout",
                                                     "Elu",
                                                     "Gelu",
                                                     "Selu",
                                                     "Floor",
                                                     "Round",
                                                     "Ceil",
                                                     "HardSwish",
                                                     "BatchNormalization",
                                                     "InstanceNormalization"};
constexpr std::array<std::string_view, 5> kBinary = {"Add", "Sub", "Mul", "Div", "Pow"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& ops, const Node& node) {
  return std::find(ops.begin(), ops.end(), node.op) != ops.end();
}

class AxisTrace {
 public:
  AxisTrace(const GraphWalk& walk, const Constants& constants, InputUse& use)
      : walk_(walk), constants_(constants), use_(use) {}

  void follow(const Place& start, std::size_t rank) {
    Axes axes;
    for (std::size_t i = 0; i < rank; ++i) axes.emplace_back(i);
    push({start, axes});
    for (std::size_t i = 0; i < visits_.size() && i < kMaxVisits; ++i) {
      const Visit visit = visits_[i];
      for (const Place& inner : walk_.captures(visit.place)) {
        push({inner, visit.axes, visit.is_exact});
      }
      for (const Use& use : walk_.uses(visit.place)) visit_use(use, visit);
    }
  }

 private:
  void push(Visit visit) {
    if (visit.place.value != kNoValue && seen_.insert(visit.place).second) {
      visits_.push_back(std::move(visit));
    }
  }

  void pass(const Use& use, const Visit& visit, Axes axes, bool is_exact) {
    if (use.node->outputs.empty()) return;
    push({{use.graph, use.node->outputs[0]}, std::move(axes), visit.is_exact && is_exact});
  }

  Place input_of(const Use& use, std::size_t index) const {
    return {use.graph, index < use.node->inputs.size() ? use.node->inputs[index] : kNoValue};
  }

  std::optional<std::vector<std::int64_t>> weight_sizes(const Use& use, std::size_t index) const {
    const Place place = input_of(use, index);
    return place.value == kNoValue ? std::nullopt : constants_.sizes(place);
  }

  void fix(const Visit& visit, std::size_t axis, std::int64_t size, const std::string& what) {
    if (!visit.is_exact || axis >= visit.axes.size() || !visit.axes[axis] || size < 1) return;
    use_.sizes.try_emplace(*visit.axes[axis], SizeUse{size, what});
  }

  static std::string called(std::string_view role, const Use& use) {
    return fmt::format("{} of {} '{}'", role, use.node->op, printable(use.node->name));
  }

  void visit_use(const Use& use, const Visit& visit) {
    const Node& node = *use.node;
    if (node.domain == "com.microsoft") return visit_microsoft(use, visit);
    if (!node.domain.empty()) return;
    if (use.input == 0 && is_one_of(kUnary, node)) return pass(use, visit, visit.axes, true);
    if (use.input == 0 && (node.op == "Pad" || node.op == "Slice")) {
      return pass(use, visit, visit.axes, false);
    }
    if (is_one_of(kBinary, node)) return visit_binary(use, visit);
    if (use.input != 0) return;
    visit_movement(use, visit);
    visit_weighted(use, visit);
  }

  void visit_microsoft(const Use& use, const Visit& visit) {
    if (use.node->op != "MatMulNBits" || use.input != 0 || visit.axes.empty()) return;
    fix(visit, visit.axes.size() - 1, use.node->integer("K", 0), called("rows", use));
  }

  // Sizes above 1 of a constant operand must be met, apart from broadcasting.
  void visit_binary(const Use& use, const Visit& visit) {
    if (use.input > 1) return;
    const Place other = input_of(use, 1 - use.input);
    if (other.value == kNoValue || !constants_.is_constant(other)) return;
    const auto sizes = constants_.sizes(other);
    if (!sizes || sizes->size() > visit.axes.size()) return;
    const std::size_t shift = visit.axes.size() - sizes->size();
    for (std::size_t i = 0; i < sizes->size(); ++i) {
      if ((*sizes)[i] > 1) fix(visit, shift + i, (*sizes)[i], called("the constant", use));
    }
    pass(use, visit, visit.axes, true);
  }

  void visit_movement(const Use& use, const Visit& visit) {
    if (use.node->op == "Transpose") transpose(use, visit);
    if (use.node->op == "Unsqueeze") unsqueeze(use, visit);
    if (use.node->op == "Squeeze") squeeze(use, visit);
  }

  void transpose(const Use& use, const Visit& visit) {
    const std::span<const std::int64_t> order = use.node->integers("perm");
    Axes axes(visit.axes.rbegin(), visit.axes.rend());
    if (!order.empty() && order.size() != axes.size()) return;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto from = static_cast<std::size_t>(order[i]);
      if (from >= axes.size()) return;
      axes[i] = visit.axes[from];
    }
    pass(use, visit, std::move(axes), true);
  }

  // The axes of Squeeze and Unsqueeze are an attribute before opset 13 and an input since.
  std::optional<std::set<std::size_t>> listed_axes(const Use& use, std::size_t rank) const {
    std::vector<double> listed;
    for (const std::int64_t axis : use.node->integers("axes"))
      listed.push_back(static_cast<double>(axis));
    const Place given = input_of(use, 1);
    if (given.value != kNoValue) {
      const auto elements = constants_.elements(given);
      if (!elements) return std::nullopt;
      listed = *elements;
    }
    if (listed.empty()) return std::nullopt;
    std::set<std::size_t> axes;
    for (const double axis : listed) {
      const auto index =
          static_cast<std::int64_t>(axis) + (axis < 0 ? static_cast<std::int64_t>(rank) : 0);
      if (index < 0 || index >= static_cast<std::int64_t>(rank)) return std::nullopt;
      axes.insert(static_cast<std::size_t>(index));
    }
    return axes;
  }

  void unsqueeze(const Use& use, const Visit& visit) {
    const Place given = input_of(use, 1);
    std::size_t added = use.node->integers("axes").size();
    if (given.value != kNoValue) {
      const auto elements = constants_.elements(given);
      added = elements ? elements->size() : 0;
    }
    const std::size_t rank = visit.axes.size() + added;
    const auto inserted = listed_axes(use, rank);
    if (!inserted || inserted->size() + visit.axes.size() != rank) return;
    Axes axes;
    std::size_t next = 0;
    for (std::size_t i = 0; i < rank; ++i) {
      axes.push_back(inserted->contains(i) ? std::nullopt : visit.axes[next++]);
    }
    pass(use, visit, std::move(axes), true);
  }

  void squeeze(const Use& use, const Visit& visit) {
    const auto removed = listed_axes(use, visit.axes.size());
    if (!removed) return;
    Axes axes;
    for (std::size_t i = 0; i < visit.axes.size(); ++i) {
      if (!removed->contains(i)) axes.push_back(visit.axes[i]);
    }
    pass(use, visit, std::move(axes), true);
  }

  void visit_weighted(const Use& use, const Visit& visit) {
    const std::string& op = use.node->op;
    if (op == "Conv" || op == "ConvInteger") convolve(use, visit, 1, false);
    if (op == "QLinearConv") convolve(use, visit, 3, false);
    if (op == "ConvTranspose") convolve(use, visit, 1, true);
    if (op == "Gemm") multiply_gemm(use, visit);
    if (op == "MatMul" || op == "MatMulInteger") multiply(use, visit, 1);
    if (op == "QLinearMatMul") multiply(use, visit, 3);
    if (op == "LSTM" || op == "GRU" || op == "RNN") recur(use, visit);
  }

  // Weights are [M, C/groups, …], of a transposed convolution [C, M/groups, …].
  void convolve(const Use& use, const Visit& visit, std::size_t weight, bool is_transposed) {
    const auto sizes = weight_sizes(use, weight);
    const bool fits = sizes ? sizes->size() == visit.axes.size() : visit.axes.size() >= 3;
    if (!fits) return;
    if (sizes) {
      const std::int64_t groups = use.node->integer("group", 1);
      const std::int64_t channels = is_transposed ? (*sizes)[0] : (*sizes)[1] * groups;
      fix(visit, 1, channels, called("input channels", use));
    }
    if (!use_.window_axes.empty()) return;
    for (std::size_t i = 2; i < visit.axes.size(); ++i) {
      if (visit.axes[i]) use_.window_axes.push_back(*visit.axes[i]);
    }
  }

  void multiply_gemm(const Use& use, const Visit& visit) {
    const auto sizes = weight_sizes(use, 1);
    if (!sizes || sizes->size() != 2 || visit.axes.size() != 2) return;
    const bool is_flipped = use.node->integer("transB", 0) != 0;
    const std::size_t axis = use.node->integer("transA", 0) != 0 ? 0 : 1;
    fix(visit, axis, (*sizes)[is_flipped ? 1 : 0], called("rows", use));
  }

  void multiply(const Use& use, const Visit& visit, std::size_t weight) {
    const auto sizes = weight_sizes(use, weight);
    if (!sizes || sizes->empty() || visit.axes.empty()) return;
    const std::int64_t rows = sizes->size() == 1 ? (*sizes)[0] : (*sizes)[sizes->size() - 2];
    fix(visit, visit.axes.size() - 1, rows, called("rows", use));
  }

  // Weights are [directions, gates, features].
  void recur(const Use& use, const Visit& visit) {
    const auto sizes = weight_sizes(use, 1);
    if (!sizes || sizes->size() != 3 || visit.axes.size() != 3) return;
    fix(visit, 2, (*sizes)[2], called("features", use));
  }

  const GraphWalk& walk_;
  const Constants& constants_;
  InputUse& use_;
  std::vector<Visit> visits_{};
  std::set<Place> seen_{};
};

}  // namespace

void find_axis_use(const Graph& graph, ValueId input, const GraphWalk& walk,
                   const Constants& constants, InputUse& use) {
  const ValueType& type = graph.values.at(input).type;
  if (!type.shape) return;
  AxisTrace(walk, constants, use).follow({&graph, input}, type.shape->size());
}

}  // namespace headroom
