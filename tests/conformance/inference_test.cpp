// SPDX-License-Identifier: Apache-2.0
// ONNX's own test cases as the oracle of inference: what it claims of an output must be what the
// stored output is. What files declare of their values is removed first, so that only inference
// speaks. Needs `./dev cases`.
#include "model/infer/inference.h"

#include <headroom/base/error.h>
#include <headroom/conformance.h>
#include <headroom/model/datum.h>
#include <headroom/model/model.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/onnx_cases.h"

namespace headroom::test {
namespace {

void forget_declarations(Graph& graph) {
  for (Node& node : graph.nodes) {
    for (const ValueId id : node.outputs) {
      if (id != kNoValue) graph.values[id].type = {};
    }
    for (Attribute& attribute : node.attributes) {
      auto* bodies = std::get_if<std::vector<Graph>>(&attribute.value);
      if (!bodies) continue;
      for (Graph& body : *bodies) forget_declarations(body);
    }
  }
}

/// What a file's symbols are in this data set.
using Sizes = std::map<std::string, std::int64_t>;

bool tensor_agrees(const ValueType& claim, const Tensor& real, const Sizes& sizes) {
  if (claim.element != ElementType::Undefined && claim.element != real.type) return false;
  if (!claim.shape) return true;
  if (claim.shape->size() != real.shape.size()) return false;
  for (std::size_t i = 0; i < real.shape.size(); ++i) {
    const Dim& dim = (*claim.shape)[i];
    if (dim.size && *dim.size != real.shape[i]) return false;
    const auto bound = sizes.find(dim.symbol);
    if (!dim.size && bound != sizes.end() && bound->second != real.shape[i]) return false;
  }
  return true;
}

/// Whether nothing that is claimed is contradicted.
bool agrees(const ValueType& claim, const Datum& real, const Sizes& sizes) {
  switch (claim.kind) {
    case TypeKind::Unknown:
      return true;
    case TypeKind::Optional:
      return real.kind == DatumKind::None || claim.inner.empty() ||
             agrees(claim.inner.front(), real, sizes);
    case TypeKind::Sequence:
      if (real.kind != DatumKind::Sequence) return false;
      for (const Datum& element : real.elements) {
        if (!claim.inner.empty() && !agrees(claim.inner.front(), element, sizes)) return false;
      }
      return true;
    case TypeKind::Tensor:
      return real.kind == DatumKind::Tensor && tensor_agrees(claim, real.tensor, sizes);
    default:
      return real.kind == DatumKind::Other;
  }
}

bool elements_agree(const KnownElements& claim, const Tensor& real) {
  const KnownElements all = known_elements(real).value_or(KnownElements{});
  if (claim.elements.size() != all.elements.size() || claim.reals.size() != all.reals.size())
    return false;
  for (std::size_t i = 0; i < all.elements.size(); ++i) {
    if (claim.elements[i] && claim.elements[i] != all.elements[i]) return false;
  }
  for (std::size_t i = 0; i < all.reals.size(); ++i) {
    const double slack = 1e-6 * std::abs(all.reals[i]);
    if (std::abs(claim.reals[i] - all.reals[i]) > slack) return false;  // NaN: not claimed
  }
  return true;
}

/// Whether the claim leaves nothing open: of a sequence or optional, that it says what it holds.
bool is_whole(const ValueType& claim) {
  if (claim.kind == TypeKind::Sequence || claim.kind == TypeKind::Optional)
    return !claim.inner.empty() && claim.inner.front().kind != TypeKind::Unknown;
  return claim.kind == TypeKind::Tensor && claim.element != ElementType::Undefined && claim.shape &&
         known_sizes(*claim.shape);
}

/// Whether what the claim leaves open has a reason: in the dimension, or as a finding.
bool says_why(const ValueType& claim, const Model& model) {
  if (claim.kind == TypeKind::Tensor && claim.shape) {
    for (const Dim& dim : *claim.shape) {
      if (!dim.size && dim.symbol.empty()) return false;
    }
    return true;
  }
  for (const Diagnostic& finding : model.diagnostics) {
    if (finding.code == "no_shape_inference" || finding.code == "rank_unknown") return true;
  }
  return false;
}

/// What inference is told of the values of a case's inputs.
enum class Values { Unknown, Known };

struct Outcome {
  std::size_t cases = 0;
  std::size_t known_outputs = 0;           ///< Whose elements were claimed.
  std::vector<std::string> refuted{};      ///< A claim that the stored output contradicts.
  std::vector<std::string> unexplained{};  ///< Nothing claimed, and no reason.
  std::set<std::string> open{};            ///< Names of cases with an output that is not whole.
  std::set<std::string> open_ops{};
};

ValueId value_named(const Graph& graph, const std::vector<ValueId>& ids, const std::string& name) {
  const auto found = std::find_if(ids.begin(), ids.end(),
                                  [&](ValueId id) { return graph.values[id].name == name; });
  return found == ids.end() ? kNoValue : *found;
}

/// Sizes of the symbols that the inputs have after inference.
Sizes sizes_of(const Graph& graph, const DataSet& set) {
  Sizes sizes;
  for (const DataFile& file : set.inputs) {
    const Datum datum = read_datum_file(file.path, file.kind);
    const ValueId id = value_named(graph, graph.inputs, file.name);
    const std::optional<Shape>& shape = graph.values[id].type.shape;
    if (datum.kind != DatumKind::Tensor || !shape) continue;
    for (std::size_t i = 0; i < shape->size(); ++i)
      if (!(*shape)[i].size) sizes.emplace((*shape)[i].symbol, datum.tensor.shape[i]);
  }
  return sizes;
}

void check_output(const TestCase& test_case, const Model& model, const DataFile& file,
                  const Sizes& sizes, Outcome& outcome) {
  const Datum real = read_datum_file(file.path, file.kind);
  const ValueId id = value_named(model.graph, model.graph.outputs, file.name);
  ASSERT_NE(id, kNoValue) << test_case.name;
  const ValueType& claim = model.graph.values[id].type;
  const std::string what = test_case.name + ": '" + file.name + "' claimed " +
                           infer::type_text(claim) + ", is " + description_of(real);
  if (!agrees(claim, real, sizes)) outcome.refuted.push_back(what);
  const auto known = model.graph.known.find(id);
  if (known != model.graph.known.end() && real.kind == DatumKind::Tensor) {
    ++outcome.known_outputs;
    if (!elements_agree(known->second, real.tensor))
      outcome.refuted.push_back(what + " (elements)");
  }
  if (is_whole(claim)) return;
  outcome.open.insert(test_case.name);
  outcome.open_ops.insert(test_case.op);
  if (!says_why(claim, model)) outcome.unexplained.push_back(what);
}

void check_case(const TestCase& test_case, Values values, Outcome& outcome) {
  for (const DataSet& set : test_case.plan_case.conformance.data_sets) {
    Model model = load_model(test_case.plan_case.model);
    inline_functions(model);
    forget_declarations(model.graph);
    infer_shapes(model, values == Values::Known ? options_of(set) : ShapeOptions{});
    const Sizes sizes = sizes_of(model.graph, set);
    for (const DataFile& file : set.outputs) check_output(test_case, model, file, sizes, outcome);
  }
}

Outcome check_all(Values values) {
  Outcome outcome;
  for (const TestCase& test_case : find_test_cases(HEADROOM_ONNX_CASES)) {
    ++outcome.cases;
    try {
      check_case(test_case, values, outcome);
    } catch (const Error& error) {
      outcome.refuted.push_back(test_case.name + ": " + error.what());
    }
  }
  return outcome;
}

using InferenceOracle = OnnxCases;

TEST_F(InferenceOracle, ConfirmsWhatShapesAloneDecide) {
  const Outcome outcome = check_all(Values::Unknown);
  EXPECT_EQ(lines_of(outcome.refuted), "");
  EXPECT_EQ(lines_of(outcome.unexplained), "");
  // Of 2,059 cases 348 have an output whose size the values of an input decide (`axes`, `shape`,
  // `repeats`), 4 declare a size of 0, which counts as open.
  EXPECT_EQ(outcome.cases, 2059U);
  EXPECT_EQ(outcome.open.size(), 352U) << lines_of(outcome.open);
}

TEST_F(InferenceOracle, ConfirmsWhatTheValuesOfSmallInputsDecide) {
  const Outcome outcome = check_all(Values::Known);
  EXPECT_EQ(lines_of(outcome.refuted), "");
  EXPECT_EQ(lines_of(outcome.unexplained), "");
  // What stays open is found by computing with data that inference does not know: scores, pixels,
  // strings, 16-bit floats, what a sequence holds.
  EXPECT_EQ(outcome.open.size(), 60U) << lines_of(outcome.open);
  EXPECT_THAT(outcome.open_ops,
              testing::ElementsAre("ImageDecoder", "Loop", "NonMaxSuppression", "NonZero", "Range",
                                   "StringNormalizer", "StringSplit", "Unique", "several"));
  EXPECT_EQ(outcome.known_outputs, 416U);
}

}  // namespace
}  // namespace headroom::test
