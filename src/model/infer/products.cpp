// SPDX-License-Identifier: Apache-2.0
// Matrix products and determinants.
#include "model/infer/products.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "model/infer/broadcast.h"
#include "model/infer/generic.h"
#include "model/infer/rules.h"

namespace headroom::infer {

Shape matmul_shape(const NodeInference& node, Shape a, Shape b) {
  if (a.empty() || b.empty()) node.fail("a matrix product needs inputs of rank 1 or more");
  const bool is_row = a.size() == 1;
  const bool is_column = b.size() == 1;
  if (is_row) a.insert(a.begin(), fixed(1));
  if (is_column) b.push_back(fixed(1));
  node.agreed(a.back(), b[b.size() - 2], "the inner dimensions of the product");
  const Dim rows = a[a.size() - 2];
  const Dim columns = b.back();
  a.resize(a.size() - 2);
  b.resize(b.size() - 2);
  Shape result = broadcast(node, 0, a, b);
  if (!is_row) result.push_back(rows);
  if (!is_column) result.push_back(columns);
  return result;
}

void multiply_matrices(NodeInference& node, std::size_t a, std::size_t b, ElementType element,
                       bool transpose_a, bool transpose_b) {
  if (!node.shape(a) || !node.shape(b)) return node.set_element(0, element);
  Shape left = *node.shape(a);
  Shape right = *node.shape(b);
  if (transpose_a && left.size() >= 2) std::swap(left.back(), left[left.size() - 2]);
  if (transpose_b && right.size() >= 2) std::swap(right.back(), right[right.size() - 2]);
  node.set(0, element, matmul_shape(node, std::move(left), std::move(right)));
}

void gemm_like(NodeInference& node, std::size_t a, std::size_t b, ElementType element) {
  node.require_rank(a, 2);
  node.require_rank(b, 2);
  multiply_matrices(node, a, b, element, node.node().integer("transA", 0) != 0,
                    node.node().integer("transB", 0) != 0);
}

namespace {

void gemm(NodeInference& node) {
  gemm_like(node, 0, 1, first_element(node, 0, 2));
  const ValueType& result = node.output(0);
  const Shape* addend = node.shape(2);
  if (!addend || !result.shape || node.opset() < 7) return;
  if (addend->size() > 2) node.fail("input 2 must have at most rank 2");
  const Shape whole = *result.shape;
  const Shape sum = broadcast(node, 0, whole, *addend);
  for (std::size_t i = 0; i < whole.size(); ++i)
    node.agreed(whole[i], sum[i], "input 2 cannot be broadcast to the product");
}

void matmul(NodeInference& node) {
  multiply_matrices(node, 0, 1, first_element(node, 0, 2));
}

void qlinear_matmul(NodeInference& node) {
  multiply_matrices(node, 0, 3, node.element(7));
}

void determinant(NodeInference& node) {
  const Shape* x = node.shape(0);
  if (!x) return node.set_element(0, node.element(0));
  if (x->size() < 2) node.fail("the input must have rank 2 or more");
  node.agreed(x->back(), (*x)[x->size() - 2], "the matrices must be square");
  node.set(0, node.element(0), Shape(x->begin(), x->end() - 2));
}

constexpr std::array kRules = {
    Rule{"Det", determinant, 1},
    Rule{"Gemm", gemm, 2},
    Rule{"MatMul", matmul, 2},
    Rule{"MatMulInteger", matmul, 2, nullptr, ElementType::Int32},
    Rule{"QLinearMatMul", qlinear_matmul, 8},
};

}  // namespace

std::span<const Rule> product_rules() {
  return kRules;
}

}  // namespace headroom::infer
