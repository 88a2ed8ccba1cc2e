// SPDX-License-Identifier: Apache-2.0
// Domain ai.onnx.ml: classifiers, regressors, encoders.
#include <array>

#include <fmt/format.h>

#include "model/infer/generic.h"
#include "model/infer/rules.h"

namespace headroom::infer {
namespace {

template <class T>
std::size_t list_size(const NodeInference& node, std::string_view name) {
  const Attribute* attribute = node.node().find(name);
  const auto* list = attribute ? std::get_if<std::vector<T>>(&attribute->value) : nullptr;
  return list ? list->size() : 0;
}

/// Labels of a classifier: how many, and their type.
struct Labels {
  std::size_t count = 0;
  ElementType type = ElementType::Int64;
};

Labels read_labels(const NodeInference& node, std::string_view integers) {
  if (const std::size_t count = list_size<std::string>(node, "classlabels_strings"); count > 0)
    return {count, ElementType::String};
  return {list_size<std::int64_t>(node, integers), ElementType::Int64};
}

// Rows of [N, F]. What engines make of a vector or of more dimensions differs, so nothing is
// claimed.
Dim rows(const NodeInference& node, std::size_t output) {
  const Shape* x = node.shape(0);
  return x && x->size() == 2 ? x->front() : node.unknown(output, 0);
}

Dim count_dim(const NodeInference& node, std::size_t output, std::size_t count) {
  return count > 0 ? fixed(static_cast<std::int64_t>(count)) : node.unknown(output, 1);
}

void classify(NodeInference& node, const Labels& labels, const Dim& scores) {
  node.set(0, labels.type, {rows(node, 0)});
  node.set(1, ElementType::Float32, {rows(node, 1), scores});
}

// One score for each label; engines add the second of two where one set of weights is given.
void linear_classifier(NodeInference& node) {
  const Labels labels = read_labels(node, "classlabels_ints");
  const std::size_t sets = list_size<float>(node, "intercepts");
  const bool is_consistent = sets == labels.count || (sets == 1 && labels.count == 2);
  classify(node, labels, is_consistent ? count_dim(node, 1, labels.count) : node.unknown(1, 1));
}

// The number of scores depends on how votes are combined.
void svm_classifier(NodeInference& node) {
  classify(node, read_labels(node, "classlabels_ints"), node.unknown(1, 1));
}

void tree_classifier(NodeInference& node) {
  const Labels labels = read_labels(node, "classlabels_int64s");
  classify(node, labels, count_dim(node, 1, labels.count));
}

void regress(NodeInference& node, ElementType element, std::int64_t targets) {
  if (targets < 1) node.fail(fmt::format("the number of targets is {}", targets));
  node.set(0, element, {rows(node, 0), fixed(targets)});
}

void linear_regressor(NodeInference& node) {
  regress(node, ElementType::Float32, node.node().integer("targets", 1));
}
void svm_regressor(NodeInference& node) {
  regress(node, ElementType::Float32, 1);
}
void tree_regressor(NodeInference& node) {
  regress(node, ElementType::Float32, node.node().integer("n_targets", 1));
}
void tree_ensemble(NodeInference& node) {
  regress(node, node.element(0), node.node().integer("n_targets", 1));
}

// Elements of the last dimension; a vector counts as one row.
void array_feature_extractor(NodeInference& node) {
  const Shape* x = node.shape(0);
  const Shape* indices = node.shape(1);
  if (!x || !indices) return node.set_element(0, node.element(0));
  if (x->empty()) node.fail("the input must have rank 1 or more");
  const Integer count = product(std::span<const Dim>(*indices));
  Shape shape = *x;
  if (shape.size() == 1) shape.insert(shape.begin(), fixed(1));
  shape.back() = count ? fixed(*count) : node.derived(0, shape.size() - 1, *first_open(*indices));
  node.set(0, node.element(0), std::move(shape));
}

// One list of maps from label to score.
void zip_map(NodeInference& node) {
  const bool has_strings = list_size<std::string>(node, "classlabels_strings") > 0;
  const ValueType score{
      .kind = TypeKind::Tensor, .element = ElementType::Float32, .shape = Shape{}};
  const ValueType map{.kind = TypeKind::Map,
                      .element = has_strings ? ElementType::String : ElementType::Int64,
                      .inner = {score}};
  node.set(0, ValueType{.kind = TypeKind::Sequence, .inner = {map}});
}

void set_like_first(NodeInference& node, ElementType element) {
  if (node.shape(0)) return node.set(0, element, Shape(*node.shape(0)));
  node.set_element(0, element);
}

// The type of the values: LabelEncoder-1 maps strings to integers and back, later versions name it.
void label_encoder(NodeInference& node) {
  if (node.opset() < 2 || node.has("classes_strings")) {
    return set_like_first(
        node, node.element(0) == ElementType::String ? ElementType::Int64 : ElementType::String);
  }
  if (const Attribute* values = node.node().find("values_tensor")) {
    if (const auto* tensor = std::get_if<StoredTensor>(&values->value))
      return set_like_first(node, tensor->type);
  }
  if (node.has("values_strings")) return set_like_first(node, ElementType::String);
  if (node.has("values_int64s")) return set_like_first(node, ElementType::Int64);
  if (node.has("values_floats")) return set_like_first(node, ElementType::Float32);
  node.fail("no attribute lists the values");
}

void category_mapper(NodeInference& node) {
  const ElementType from = node.element(0);
  set_like_first(node, from == ElementType::Undefined ? from
                       : from == ElementType::String  ? ElementType::Int64
                                                      : ElementType::String);
}

void one_hot_encoder(NodeInference& node) {
  const Shape* x = node.shape(0);
  if (!x) return node.set_element(0, ElementType::Float32);
  const std::size_t count = std::max(list_size<std::int64_t>(node, "cats_int64s"),
                                     list_size<std::string>(node, "cats_strings"));
  Shape shape = *x;
  shape.push_back(fixed(static_cast<std::int64_t>(count)));
  node.set(0, ElementType::Float32, std::move(shape));
}

void feature_vectorizer(NodeInference& node) {
  Integer width = 0;
  for (const std::int64_t size : node.node().integers("inputdimensions"))
    width = plus(width, Integer{size});
  const Dim columns = width != 0 ? node.sized(width) : node.unknown(0, 1);
  node.set(0, ElementType::Float32, {rows(node, 0), columns});
}

void dict_vectorizer(NodeInference& node) {
  const ValueType& map = node.input(0);
  node.set_element(0, map.inner.empty() ? ElementType::Undefined : map.inner.front().element);
}

void cast_map(NodeInference& node) {
  const std::string_view to = node.node().text("cast_to", "TO_FLOAT");
  const ElementType element = to == "TO_STRING"  ? ElementType::String
                              : to == "TO_INT64" ? ElementType::Int64
                                                 : ElementType::Float32;
  node.set_element(0, element);
}

constexpr ElementType kFloat = ElementType::Float32;

constexpr std::array kRules = {
    Rule{"ArrayFeatureExtractor", array_feature_extractor, 2},
    Rule{"Binarizer", same_as_first, 1},
    Rule{"CastMap", cast_map, 1},
    Rule{"CategoryMapper", category_mapper, 1},
    Rule{"DictVectorizer", dict_vectorizer, 1},
    Rule{"FeatureVectorizer", feature_vectorizer, 1},
    Rule{"Imputer", same_as_first, 1},
    Rule{"LabelEncoder", label_encoder, 1},
    Rule{"LinearClassifier", linear_classifier, 1},
    Rule{"LinearRegressor", linear_regressor, 1},
    Rule{"Normalizer", same_as_first, 1, nullptr, kFloat},
    Rule{"OneHotEncoder", one_hot_encoder, 1},
    Rule{"SVMClassifier", svm_classifier, 1},
    Rule{"SVMRegressor", svm_regressor, 1},
    Rule{"Scaler", same_as_first, 1, nullptr, kFloat},
    Rule{"TreeEnsemble", tree_ensemble, 1},
    Rule{"TreeEnsembleClassifier", tree_classifier, 1},
    Rule{"TreeEnsembleRegressor", tree_regressor, 1},
    Rule{"ZipMap", zip_map, 1},
};

}  // namespace

std::span<const Rule> traditional_ml_rules() {
  return kRules;
}

}  // namespace headroom::infer
