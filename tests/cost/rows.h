// SPDX-License-Identifier: Apache-2.0
// Other arithmetic of one-node models, compared by kind.
#pragma once

#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "cost/counted.h"

namespace headroom::test {

using Counts = std::map<Arithmetic, std::uint64_t>;

inline Counts counts_of(const NodeWork& work) {
  Counts counts;
  for (std::size_t kind = 0; kind < kArithmeticKinds; ++kind)
    if (work.other[kind] > 0) counts[static_cast<Arithmetic>(kind)] = work.other[kind];
  return counts;
}

/// What is expected of a node; no MACs unless said.
struct Row {
  OneNode node;
  Counts counts;
  std::uint64_t macs = 0;
};

inline void expect_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const NodeWork work = count_one(row.node);
    ASSERT_EQ(work.status, CountStatus::Counted) << row.node.op << ": " << work.reason;
    EXPECT_EQ(counts_of(work), row.counts) << row.node.op;
    EXPECT_EQ(work.macs.value, row.macs) << row.node.op;
  }
}

inline constexpr Arithmetic kAdd = Arithmetic::Add;
inline constexpr Arithmetic kMul = Arithmetic::Multiply;
inline constexpr Arithmetic kDiv = Arithmetic::Divide;
inline constexpr Arithmetic kCompare = Arithmetic::Compare;
inline constexpr Arithmetic kExp = Arithmetic::Exponential;
inline constexpr Arithmetic kSqrt = Arithmetic::SquareRoot;
inline constexpr Arithmetic kLogic = Arithmetic::Logic;
inline constexpr Arithmetic kConvert = Arithmetic::Convert;

}  // namespace headroom::test
