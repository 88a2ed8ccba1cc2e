// SPDX-License-Identifier: Apache-2.0
// Determinants, inverses, distances. By hand.
#include <gtest/gtest.h>

#include "cost/rows.h"

namespace headroom::test {
namespace {

TEST(Det, Eliminates) {
  // Each of 2 matrices of 3 x 3: 2 candidates, 2 quotients and 4 products to subtract, then 1, 1
  // and 1; 2 products of the diagonal.
  expect_rows({{{"Det", {data({2, 3, 3})}},
                {{kCompare, 6}, {kDiv, 6}, {kMul, 2 * (5 + 2)}, {kAdd, 2 * 5}}}});
}

TEST(Inverse, EliminatesInPlace) {
  // 2 x 2: for each pivot a quotient, a product in its row, one in its column and one that is
  // subtracted; one comparison finds the first pivot.
  expect_rows({{{.op = "Inverse", .inputs = {data({2, 2})}, .domain = "com.microsoft"},
                {{kCompare, 1}, {kDiv, 2}, {kMul, 6}, {kAdd, 2}}}});
}

TEST(CDist, SumsSquaresOfDifferences) {
  // 2 x 4 pairs of vectors of 3: 3 differences, 3 squares, 2 sums, a root.
  const OneNode node{.op = "CDist",
                     .inputs = {data({2, 3}), data({4, 3})},
                     .attributes = {attr("metric", "euclidean")},
                     .domain = "com.microsoft"};
  expect_rows({{node, {{kMul, 24}, {kAdd, 40}, {kSqrt, 8}}}});
}

}  // namespace
}  // namespace headroom::test
