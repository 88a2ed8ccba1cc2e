// SPDX-License-Identifier: Apache-2.0
// Operators on strings, and n-grams.
#include <algorithm>
#include <array>

#include "model/infer/generic.h"
#include "model/infer/rules.h"

namespace headroom::infer {
namespace {

// One more dimension, as long as the longest split needs.
void string_split(NodeInference& node) {
  const Shape* x = node.shape(0);
  if (!x) {
    node.set_element(0, ElementType::String);
    return node.set_element(1, ElementType::Int64);
  }
  Shape parts = *x;
  parts.push_back(node.unknown(0, parts.size()));
  node.set(1, ElementType::Int64, Shape(*x));
  node.set(0, ElementType::String, std::move(parts));
}

// [C] or [1, C]: words are removed, so the last dimension depends on the data.
void string_normalizer(NodeInference& node) {
  const Shape* x = node.shape(0);
  if (!x) return node.set_element(0, ElementType::String);
  if (x->empty() || x->size() > 2) node.fail("the input must have rank 1 or 2");
  Shape shape = *x;
  const auto* words = node.node().find("stopwords");
  if (words) shape.back() = node.unknown(0, shape.size() - 1);
  node.set(0, ElementType::String, std::move(shape));
}

// [C] → [largest index + 1], [N, C] → [N, largest index + 1].
void tf_idf(NodeInference& node) {
  const auto indexes = node.node().integers("ngram_indexes");
  if (indexes.empty()) node.fail("attribute 'ngram_indexes' is missing");
  const Dim width =
      node.sized(plus(*std::max_element(indexes.begin(), indexes.end()), std::int64_t{1}));
  const Shape* x = node.shape(0);
  if (!x) return node.set_element(0, ElementType::Float32);
  if (x->size() > 2) node.fail("the input must have at most rank 2");
  node.set(0, ElementType::Float32, x->size() == 2 ? Shape{x->front(), width} : Shape{width});
}

constexpr std::array kRules = {
    Rule{"RegexFullMatch", same_as_first, 1, nullptr, ElementType::Bool},
    Rule{"StringConcat", broadcast_all, 2},
    Rule{"StringNormalizer", string_normalizer, 1},
    Rule{"StringSplit", string_split, 1},
    Rule{"TfIdfVectorizer", tf_idf, 1},
};

}  // namespace

std::span<const Rule> text_rules() {
  return kRules;
}

}  // namespace headroom::infer
