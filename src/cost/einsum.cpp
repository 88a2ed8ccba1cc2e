// SPDX-License-Identifier: Apache-2.0
// Parses an Einsum equation and counts its pairwise contraction.
#include "cost/einsum.h"

#include <headroom/base/text.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace headroom::cost {
namespace {

// Letters are labels; the dimensions of an ellipsis are the labels 256 + place from the right.
using Label = int;
using Labels = std::set<Label>;
constexpr Label kEllipsisBase = 256;
constexpr std::string_view kEllipsis = "...";

struct Equation {
  std::vector<std::string> operands{};
  std::string output{};
  bool has_output = false;
};

Equation parse_equation(std::string_view text) {
  std::string compact;
  for (const char c : text)
    if (c != ' ') compact += c;
  Equation equation;
  const std::size_t arrow = compact.find("->");
  equation.operands = split(compact.substr(0, arrow), ',');
  equation.has_output = arrow != std::string::npos;
  if (equation.has_output) equation.output = compact.substr(arrow + 2);
  return equation;
}

class Contraction {
 public:
  explicit Contraction(NodeView& view) : view_(view) {}

  // The labels of one term; `rank` decides how many dimensions its ellipsis has. Nothing if the
  // term does not fit the rank.
  std::vector<Label> labels_of(std::string_view term, std::size_t rank) const {
    std::vector<Label> labels;
    const std::size_t ellipsis = term.find(kEllipsis);
    const std::size_t letters =
        ellipsis == std::string_view::npos ? term.size() : term.size() - kEllipsis.size();
    for (std::size_t i = 0; i < term.size(); ++i) {
      if (i == ellipsis) {
        for (std::size_t left = rank > letters ? rank - letters : 0; left > 0; --left)
          labels.push_back(kEllipsisBase + static_cast<Label>(left) - 1);
        i += kEllipsis.size() - 1;
      } else {
        labels.push_back(static_cast<unsigned char>(term[i]));
      }
    }
    return labels;
  }

  void add_operand(std::size_t index, std::string_view term) {
    const Operand operand = view_.input(index);
    const std::vector<Label> labels = labels_of(term, operand.rank());
    if (labels.size() != operand.rank()) {
      return view_.note(fmt::format("the term '{}' of the equation does not fit the rank of {}",
                                    term, operand.describe()));
    }
    for (std::size_t axis = 0; axis < labels.size(); ++axis) {
      const Amount size = operand.dim(static_cast<std::int64_t>(axis));
      Amount& known = sizes_[labels[axis]];
      if (size.value() > known.value()) known = size;  // Broadcast sizes of 1 give way.
    }
    for (const Label label : labels) ++uses_[label];
    terms_.emplace_back(labels.begin(), labels.end());
  }

  // Without `->`: the labels that appear once, and the ellipsis.
  Labels implicit_output() const {
    Labels output;
    for (const auto& [label, uses] : uses_)
      if (uses == 1 || label >= kEllipsisBase) output.insert(label);
    return output;
  }

  Labels explicit_output(std::string_view term) const {
    Labels output;
    for (const char c : term)
      if (c != '.') output.insert(static_cast<unsigned char>(c));
    if (term.find(kEllipsis) != std::string_view::npos) {
      for (const auto& [label, uses] : uses_)
        if (label >= kEllipsisBase) output.insert(label);
    }
    return output;
  }

  void count(const Labels& output, Tally& tally) const {
    std::map<Label, std::size_t> last_use;
    for (std::size_t i = 0; i < terms_.size(); ++i)
      for (const Label label : terms_[i]) last_use[label] = i;
    for (const Label label : output) last_use[label] = terms_.size();
    Labels current = terms_.front();
    if (terms_.size() == 1) {
      tally.add(Arithmetic::Add, space(current) - space(output));
      return;
    }
    for (std::size_t step = 1; step < terms_.size(); ++step) {
      current.insert(terms_[step].begin(), terms_[step].end());
      const Amount points = space(current);
      const bool sums = std::erase_if(current, [&](Label l) { return last_use[l] <= step; }) > 0;
      if (sums) {
        tally.macs += points;
      } else {
        tally.add(Arithmetic::Multiply, points);
      }
    }
  }

 private:
  Amount space(const Labels& labels) const {
    Amount product = 1;
    for (const Label label : labels) {
      const auto size = sizes_.find(label);
      if (size != sizes_.end()) product *= size->second;
    }
    return product;
  }

  NodeView& view_;
  std::vector<Labels> terms_{};
  std::map<Label, Amount> sizes_{};
  std::map<Label, int> uses_{};
};

}  // namespace

void count_einsum(NodeView& view, Tally& tally) {
  const Equation equation = parse_equation(view.node().text("equation", ""));
  if (equation.operands.size() != view.input_count()) {
    return view.note(fmt::format("the equation has {} terms for {} inputs",
                                 equation.operands.size(), view.input_count()));
  }
  Contraction contraction(view);
  for (std::size_t i = 0; i < equation.operands.size(); ++i)
    contraction.add_operand(i, equation.operands[i]);
  if (view.has_reason()) return;
  contraction.count(equation.has_output ? contraction.explicit_output(equation.output)
                                        : contraction.implicit_output(),
                    tally);
}

}  // namespace headroom::cost
