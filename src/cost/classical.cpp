// SPDX-License-Identifier: Apache-2.0
// Models other than networks (ai.onnx.ml), whose weights stand in attributes.
#include <array>
#include <vector>

#include "cost/formula.h"
#include "cost/softmax.h"

namespace headroom::cost {
namespace {

std::uint64_t weights(NodeView& view, Tally& tally, std::string_view attribute) {
  const Attribute* found = view.node().find(attribute);
  const auto* values = found == nullptr ? nullptr : std::get_if<std::vector<float>>(&found->value);
  const std::uint64_t count = values == nullptr ? 0 : values->size();
  tally.attribute_parameters += count;
  return count;
}

void add_post_transform(NodeView& view, Tally& tally, Amount scores, Amount rows) {
  const std::string_view transform = view.node().text("post_transform", "NONE");
  if (transform == "SOFTMAX" || transform == "SOFTMAX_ZERO") {
    add_softmax(tally, scores, rows);
  } else if (transform != "NONE") {
    tally.add(Arithmetic::Exponential, scores);
  }
}

// X [N, F]; `coefficients` holds F numbers for each of the scores.
Amount add_linear(NodeView& view, Tally& tally) {
  const Operand x = view.input(0);
  const Amount rows = x.elements() / x.dim(-1);
  const Amount coefficients = weights(view, tally, "coefficients");
  const Amount scores = rows * (coefficients / x.dim(-1));
  tally.macs += rows * coefficients;
  if (weights(view, tally, "intercepts") > 0) tally.add(Arithmetic::Add, scores);
  add_post_transform(view, tally, scores, rows);
  return scores;
}

void count_linear_regressor(NodeView& view, Tally& tally) {
  add_linear(view, tally);
}

// The label is that of the largest score, or of the only one by its sign.
void count_linear_classifier(NodeView& view, Tally& tally) {
  tally.add(Arithmetic::Compare, add_linear(view, tally));
}

// (x - offset) * scale.
void count_scaler(NodeView& view, Tally& tally) {
  weights(view, tally, "offset");
  weights(view, tally, "scale");
  add_each(tally, {.add = 1, .multiply = 1}, view.output(0).elements());
}

void count_normalizer(NodeView& view, Tally& tally) {
  const Operand x = view.input(0);
  const Amount elements = x.elements();
  const Amount rows = elements / x.dim(-1);
  const std::string_view norm = view.node().text("norm", "MAX");
  tally.add(Arithmetic::Divide, elements);
  if (norm == "MAX") return tally.add(Arithmetic::Compare, elements - rows);
  tally.add(Arithmetic::Add, elements - rows);
  if (norm == "L1") return tally.add(Arithmetic::Compare, elements);
  tally.add(Arithmetic::Multiply, elements);
  tally.add(Arithmetic::SquareRoot, rows);
}

// One evaluation of the kernel for each pair of vectors of `features` numbers. The squares of a
// distance are no product of two tensors.
void add_kernel(NodeView& view, Tally& tally, Amount pairs, Amount features) {
  weights(view, tally, "kernel_params");
  const std::string_view kernel = view.node().text("kernel_type", "LINEAR");
  if (kernel == "RBF") {
    // exp(-g |x - v|^2).
    add_each(tally, {.add = 2, .multiply = 1}, pairs * (features - 1));
    return add_each(tally, {.add = 1, .multiply = 2, .exponential = 1}, pairs);
  }
  tally.macs += pairs * features;
  // (g x v + c)^d, tanh(g x v + c).
  if (kernel != "LINEAR") add_each(tally, {.add = 1, .multiply = 1, .exponential = 1}, pairs);
}

// X [N, F]: the kernel of each row with each support vector, times its coefficient; without support
// vectors the coefficients are the only vector.
void count_svm_regressor(NodeView& view, Tally& tally) {
  const Operand x = view.input(0);
  const Amount rows = x.elements() / x.dim(-1);
  const Amount coefficients = weights(view, tally, "coefficients");
  const Amount supports = weights(view, tally, "support_vectors") / x.dim(-1);
  const bool is_linear = supports.value() == 0;
  add_kernel(view, tally, rows * (is_linear ? Amount(1) : supports), x.dim(-1));
  if (!is_linear) tally.macs += rows * coefficients;
  if (weights(view, tally, "rho") > 0) tally.add(Arithmetic::Add, rows);
  if (view.flag("one_class")) tally.add(Arithmetic::Compare, rows);
  add_post_transform(view, tally, rows, rows);
}

// Each pair of classes decides between them: C - 1 coefficients for each support vector, a sign, a
// vote. Without support vectors each class has F coefficients.
void count_svm_classifier(NodeView& view, Tally& tally) {
  const Operand x = view.input(0);
  const Amount rows = x.elements() / x.dim(-1);
  const Amount coefficients = weights(view, tally, "coefficients");
  const Amount supports = weights(view, tally, "support_vectors") / x.dim(-1);
  const Amount offsets = weights(view, tally, "rho");
  const bool is_linear = supports.value() == 0;
  const Amount classes = is_linear ? coefficients / x.dim(-1)
                                   : Amount(view.node().integers("vectors_per_class").size());
  if (weights(view, tally, "prob_a") + weights(view, tally, "prob_b") > 0)
    return view.note("the probabilities of the classes are iterated until they settle");
  const Amount decisions = is_linear ? classes : classes * (classes - 1) / 2;
  add_kernel(view, tally, rows * (is_linear ? classes : supports), x.dim(-1));
  if (!is_linear) tally.macs += rows * coefficients;
  if (offsets.value() > 0) tally.add(Arithmetic::Add, rows * decisions);
  tally.add(Arithmetic::Compare, rows * (decisions + (classes - 1)));
  add_post_transform(view, tally, rows * decisions, rows);
}

constexpr std::array kFormulas = {
    Formula{kOnnxMl, "ArrayFeatureExtractor", {}, nullptr, Traffic::Selected},
    Formula{kOnnxMl, "FeatureVectorizer"},
    Formula{kOnnxMl, "LabelEncoder", {.compare = 1}},  // One look at each.
    Formula{kOnnxMl, "LinearClassifier", {}, count_linear_classifier},
    Formula{kOnnxMl, "LinearRegressor", {}, count_linear_regressor},
    Formula{kOnnxMl, "Normalizer", {}, count_normalizer},
    Formula{kOnnxMl, "OneHotEncoder", {.compare = 1}},
    Formula{kOnnxMl, "SVMClassifier", {}, count_svm_classifier},
    Formula{kOnnxMl, "SVMRegressor", {}, count_svm_regressor},
    Formula{kOnnxMl, "Scaler", {}, count_scaler},
    Formula{kOnnxMl, "ZipMap", {}, nullptr, Traffic::Entries},
};

}  // namespace

std::span<const Formula> classical_formulas() {
  return kFormulas;
}

}  // namespace headroom::cost
