// SPDX-License-Identifier: Apache-2.0
// Operators whose work follows from neither shapes nor attributes, each with the reason.
#include <array>

#include "cost/formula.h"

namespace headroom::cost {
namespace {

constexpr std::string_view kStrings = "strings have no arithmetic that is counted";
constexpr std::string_view kRandom = "the algorithm of a random number generator is the engine's";
constexpr std::string_view kTrees = "which path is taken through each tree depends on data";
constexpr std::string_view kMaps = "how many entries a map has only a run knows";

constexpr Formula without_formula(std::string_view domain, std::string_view op,
                                  std::string_view reason, InputMask settings = 0) {
  return {.domain = domain, .op = op, .settings = settings, .reason = reason};
}

// The rest of these operators compares, looks up or draws; this one holds whatever it derives.
constexpr Formula kGradient = {
    .domain = kOnnxTraining,
    .op = "Gradient",
    .reason = "the derivatives of the nodes that it names are not in the file",
    .may_hold_macs = true};

constexpr std::array kFormulas = {
    without_formula(kOnnx, "Bernoulli", kRandom),
    without_formula(kOnnx, "ImageDecoder", "what decoding takes depends on the compressed image"),
    without_formula(kOnnx, "MaxRoiPool", "how many elements a region covers depends on data"),
    without_formula(kOnnx, "Multinomial", kRandom),
    without_formula(kOnnx, "NonMaxSuppression",
                    "how many boxes are compared depends on their scores and overlaps",
                    input_bit(2) | input_bit(3) | input_bit(4)),
    without_formula(kOnnx, "RandomNormal", kRandom),
    without_formula(kOnnx, "RandomNormalLike", kRandom, input_bit(0)),
    without_formula(kOnnx, "RandomUniform", kRandom),
    without_formula(kOnnx, "RandomUniformLike", kRandom, input_bit(0)),
    without_formula(kOnnx, "RegexFullMatch", kStrings),
    without_formula(kOnnx, "StringConcat", kStrings),
    without_formula(kOnnx, "StringNormalizer", kStrings),
    without_formula(kOnnx, "StringSplit", kStrings),
    without_formula(kOnnx, "TfIdfVectorizer", "which n-grams occur depends on data"),
    without_formula(kOnnxMl, "CastMap", kMaps),
    without_formula(kOnnxMl, "CategoryMapper", kStrings),
    without_formula(kOnnxMl, "DictVectorizer", kMaps),
    without_formula(kOnnxMl, "TreeEnsemble", kTrees),
    without_formula(kOnnxMl, "TreeEnsembleClassifier", kTrees),
    without_formula(kOnnxMl, "TreeEnsembleRegressor", kTrees),
    kGradient,
};

}  // namespace

std::span<const Formula> uncounted_formulas() {
  return kFormulas;
}

}  // namespace headroom::cost
