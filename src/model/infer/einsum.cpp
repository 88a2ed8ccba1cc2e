// SPDX-License-Identifier: Apache-2.0
// Einsum: the equation decides which dimension goes where.
#include <headroom/base/text.h>

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "model/infer/broadcast.h"
#include "model/infer/generic.h"
#include "model/infer/rules.h"

namespace headroom::infer {
namespace {

constexpr std::string_view kEllipsis = "...";

struct Equation {
  std::vector<std::string> terms{};
  std::string result{};
};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The result of an equation without an arrow: the ellipsis, then in alphabetical order the letters
// that occur once. Source: numpy.einsum, which the ONNX specification follows.
std::string implicit_result(const std::vector<std::string>& terms) {
  std::map<char, int> uses;
  std::string result;
  for (const std::string& term : terms) {
    if (term.find(kEllipsis) != std::string::npos) result = kEllipsis;
    for (const char c : term)
      if (is_letter(c)) ++uses[c];
  }
  for (const auto& [letter, count] : uses)
    if (count == 1) result += letter;
  return result;
}

Equation read_equation(const NodeInference& node) {
  std::string text;
  for (const char c : node.node().text("equation", ""))
    if (c != ' ') text += c;
  if (text.empty()) node.fail("attribute 'equation' is missing");
  const std::size_t arrow = text.find("->");
  Equation equation{.terms = split(text.substr(0, arrow), ',')};
  equation.result =
      arrow == std::string::npos ? implicit_result(equation.terms) : text.substr(arrow + 2);
  if (equation.terms.size() != node.input_count()) {
    node.fail(fmt::format("equation '{}' has {} terms for {} inputs", printable(text),
                          equation.terms.size(), node.input_count()));
  }
  return equation;
}

struct Sizes {
  std::map<char, Dim> letters{};
  Shape ellipsis{};
};

void bind(const NodeInference& node, std::map<char, Dim>& letters, char letter, const Dim& dim) {
  if (!is_letter(letter))
    node.fail(fmt::format("the equation holds '{}'", printable(std::string(1, letter))));
  const auto [found, is_new] = letters.emplace(letter, dim);
  // A size of 1 is broadcast. The letter's code stands for the dimension, since it is none of the
  // output yet.
  const auto code = static_cast<unsigned char>(letter);
  if (!is_new) found->second = broadcast_dim(node, 0, code, found->second, dim);
}

void bind_term(const NodeInference& node, const std::string& term, const Shape& shape,
               Sizes& sizes) {
  const std::size_t dots = term.find(kEllipsis);
  const bool has_ellipsis = dots != std::string::npos;
  const std::size_t letters = term.size() - (has_ellipsis ? kEllipsis.size() : 0);
  if (letters > shape.size() || (!has_ellipsis && letters != shape.size())) {
    node.fail(
        fmt::format("term '{}' does not fit an input of rank {}", printable(term), shape.size()));
  }
  const std::size_t before = has_ellipsis ? dots : letters;
  const std::size_t after = letters - before;
  for (std::size_t i = 0; i < before; ++i) bind(node, sizes.letters, term[i], shape[i]);
  for (std::size_t i = 0; i < after; ++i)
    bind(node, sizes.letters, term[term.size() - after + i], shape[shape.size() - after + i]);
  const auto begin = shape.begin() + static_cast<std::ptrdiff_t>(before);
  const auto end = shape.end() - static_cast<std::ptrdiff_t>(after);
  sizes.ellipsis = broadcast(node, 0, sizes.ellipsis, Shape(begin, end));
}

void einsum(NodeInference& node) {
  const Equation equation = read_equation(node);
  const ElementType element = first_element(node, 0, node.input_count());
  Sizes sizes;
  for (std::size_t i = 0; i < equation.terms.size(); ++i) {
    if (!node.shape(i)) return node.set_element(0, element);
    bind_term(node, equation.terms[i], *node.shape(i), sizes);
  }
  Shape result;
  for (std::size_t i = 0; i < equation.result.size(); ++i) {
    if (equation.result.compare(i, kEllipsis.size(), kEllipsis) == 0) {
      result.insert(result.end(), sizes.ellipsis.begin(), sizes.ellipsis.end());
      i += kEllipsis.size() - 1;
      continue;
    }
    const auto found = sizes.letters.find(equation.result[i]);
    if (found == sizes.letters.end()) {
      node.fail(fmt::format("'{}' stands only behind the arrow of the equation",
                            printable(equation.result.substr(i, 1))));
    }
    result.push_back(found->second);
  }
  node.set(0, element, std::move(result));
}

constexpr std::array kRules = {Rule{"Einsum", einsum, 1}};

}  // namespace

std::span<const Rule> einsum_rules() {
  return kRules;
}

}  // namespace headroom::infer
