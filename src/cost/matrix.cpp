// SPDX-License-Identifier: Apache-2.0
// Determinants, inverses and distances: arithmetic on matrices that is no sum of products of two
// tensors.
#include <array>

#include "cost/formula.h"

namespace headroom::cost {
namespace {

struct Squares {
  Amount size{};
  Amount count{};
};

Squares squares_of(NodeView& view) {
  const Operand x = view.input(0);
  const Amount size = x.dim(-1);
  return {.size = size, .count = x.elements() / (size * size)};
}

// Gaussian elimination with partial pivoting: before step k, n - k rows are looked at and scaled by
// the pivot and (n - k)^2 elements lose a product; then the product of the diagonal. Source: Golub,
// Van Loan, "Matrix Computations", LU factorisation with partial pivoting.
void count_determinant(NodeView& view, Tally& tally) {
  const auto [n, count] = squares_of(view);
  const Amount below = n * (n - 1) / 2;
  const Amount updates = n * (n - 1) / 2 * (2 * n - 1) / 3;
  tally.add(Arithmetic::Compare, below * count);
  tally.add(Arithmetic::Divide, below * count);
  tally.add(Arithmetic::Multiply, (updates + (n - 1)) * count);
  tally.add(Arithmetic::Add, updates * count);
}

// Gauss-Jordan elimination in place: each of n pivots is looked for, inverted, scales its row and
// its column, and (n - 1)^2 elements lose a product. Source: Higham, "Accuracy and Stability of
// Numerical Algorithms", Gauss-Jordan elimination.
void count_inverse(NodeView& view, Tally& tally) {
  const auto [n, count] = squares_of(view);
  const Amount updates = n * (n - 1) * (n - 1);
  tally.add(Arithmetic::Compare, n * (n - 1) / 2 * count);
  tally.add(Arithmetic::Divide, n * count);
  tally.add(Arithmetic::Multiply, (updates + 2 * n * (n - 1)) * count);
  tally.add(Arithmetic::Add, updates * count);
}

// A [M, K], B [N, K]: the sum of (a - b)^2 over K, its root unless the metric is sqeuclidean.
void count_distance(NodeView& view, Tally& tally) {
  const Amount pairs = view.output(0).elements();
  const Amount inner = view.input(0).dim(1);
  tally.add(Arithmetic::Multiply, pairs * inner);
  tally.add(Arithmetic::Add, pairs * inner + pairs * (inner - 1));
  if (view.node().text("metric", "sqeuclidean") == "euclidean")
    tally.add(Arithmetic::SquareRoot, pairs);
}

constexpr std::array kFormulas = {
    Formula{kOnnx, "Det", {}, count_determinant},
    Formula{kMicrosoft, "CDist", {}, count_distance},
    Formula{kMicrosoft, "Inverse", {}, count_inverse},
};

}  // namespace

std::span<const Formula> matrix_formulas() {
  return kFormulas;
}

}  // namespace headroom::cost
