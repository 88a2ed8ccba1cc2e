// SPDX-License-Identifier: Apache-2.0
// The table of formulas holds whatever inference knows.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "cost/formula.h"
#include "model/infer/rules.h"

namespace headroom::test {
namespace {

std::vector<std::span<const cost::Formula>> families() {
  return {cost::elementwise_formulas(),   cost::contraction_formulas(), cost::quantized_formulas(),
          cost::recurrent_formulas(),     cost::attention_formulas(),   cost::reduction_formulas(),
          cost::normalization_formulas(), cost::movement_formulas(),    cost::classical_formulas(),
          cost::signal_formulas(),        cost::training_formulas(),    cost::matrix_formulas(),
          cost::expert_formulas(),        cost::uncounted_formulas()};
}

TEST(Formulas, AreOneForEachOperator) {
  for (const auto family : families()) {
    for (const cost::Formula& formula : family) {
      const cost::Formula* found = cost::find_formula(formula.domain, formula.op);
      ASSERT_NE(found, nullptr) << formula.op;
      EXPECT_EQ(found->count, formula.count) << formula.domain << formula.op;
      EXPECT_EQ(found->each, formula.each) << formula.domain << formula.op;
    }
  }
}

TEST(Formulas, TakeTheFullNameOfTheDefaultDomain) {
  EXPECT_EQ(cost::find_formula("ai.onnx", "Conv"), cost::find_formula("", "Conv"));
  EXPECT_EQ(cost::find_formula("acme", "Conv"), nullptr);
}

TEST(Formulas, AreMissingOnlyWithAReason) {
  for (const auto family : families()) {
    const bool is_uncounted = family.data() == cost::uncounted_formulas().data();
    for (const cost::Formula& formula : family) {
      EXPECT_EQ(formula.reason.empty(), !is_uncounted) << formula.op;
      if (!is_uncounted) continue;
      EXPECT_EQ(formula.count, nullptr) << formula.op;
      EXPECT_EQ(formula.each, cost::PerElement{}) << formula.op;
    }
  }
}

struct Domain {
  std::string_view name;
  std::vector<std::span<const infer::Rule>> rules;
};

std::vector<Domain> known_domains() {
  using namespace infer;
  return {
      {"", {elementwise_rules(),   type_rules(),         reduction_rules(), convolution_rules(),
            pooling_rules(),       product_rules(),      einsum_rules(),    recurrent_rules(),
            normalization_rules(), reshaping_rules(),    slicing_rules(),   gathering_rules(),
            creation_rules(),      image_rules(),        signal_rules(),    quantization_rules(),
            attention_rules(),     control_flow_rules(), sequence_rules(),  text_rules(),
            loss_rules()}},
      {"ai.onnx.ml", {traditional_ml_rules()}},
      {"ai.onnx.preview.training", {training_rules()}},
      {"ai.onnx.preview", {preview_rules()}},
      {"com.microsoft",
       {microsoft_rules(), microsoft_attention_rules(), microsoft_quantized_rules()}}};
}

TEST(Formulas, OrReasonsExistForEachOperatorThatInferenceKnows) {
  std::size_t operators = 0;
  std::string missing;
  for (const Domain& domain : known_domains()) {
    for (const std::span<const infer::Rule> rules : domain.rules) {
      for (const infer::Rule& rule : rules) {
        ++operators;
        if (cost::find_formula(domain.name, rule.op) == nullptr)
          missing += std::string(domain.name) + "." + std::string(rule.op) + "\n";
      }
    }
  }
  EXPECT_EQ(missing, "");
  EXPECT_GT(operators, 260U);
}

}  // namespace
}  // namespace headroom::test
