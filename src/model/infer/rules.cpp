// SPDX-License-Identifier: Apache-2.0
// The lists of all families in one table.
#include "model/infer/rules.h"

#include <string>
#include <unordered_map>

namespace headroom::infer {
namespace {

using Table = std::unordered_map<std::string_view, const Rule*>;

struct Tables {
  Table onnx{};
  Table traditional_ml{};
  Table training{};
  Table preview{};
  Table microsoft{};
};

void add(Table& table, std::span<const Rule> rules) {
  for (const Rule& rule : rules) table.emplace(rule.op, &rule);
}

Tables make_tables() {
  Tables tables;
  for (const auto rules :
       {elementwise_rules(),   type_rules(),         reduction_rules(), convolution_rules(),
        pooling_rules(),       product_rules(),      einsum_rules(),    recurrent_rules(),
        normalization_rules(), reshaping_rules(),    slicing_rules(),   gathering_rules(),
        creation_rules(),      image_rules(),        signal_rules(),    quantization_rules(),
        attention_rules(),     control_flow_rules(), sequence_rules(),  text_rules(),
        loss_rules()})
    add(tables.onnx, rules);
  add(tables.traditional_ml, traditional_ml_rules());
  add(tables.training, training_rules());
  add(tables.preview, preview_rules());
  for (const auto rules :
       {microsoft_rules(), microsoft_attention_rules(), microsoft_quantized_rules()})
    add(tables.microsoft, rules);
  return tables;
}

const Table* table_of(const Tables& tables, std::string_view domain) {
  if (domain.empty() || domain == "ai.onnx") return &tables.onnx;
  if (domain == "ai.onnx.ml") return &tables.traditional_ml;
  if (domain == "ai.onnx.preview.training") return &tables.training;
  if (domain == "ai.onnx.preview") return &tables.preview;
  if (domain == "com.microsoft") return &tables.microsoft;
  return nullptr;
}

}  // namespace

const Rule* find_rule(std::string_view domain, std::string_view op) {
  static const Tables kTables = make_tables();
  const Table* table = table_of(kTables, domain);
  if (!table) return nullptr;
  const auto found = table->find(op);
  return found == table->end() ? nullptr : found->second;
}

}  // namespace headroom::infer
