// SPDX-License-Identifier: Apache-2.0
// Which option of the user fixes what is open in a model.
#pragma once

#include <headroom/cost.h>
#include <headroom/model/model.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace headroom::report {

/// One operator with nodes whose sizes are open.
struct OpenOperator {
  std::string op{};  ///< As in Work::by_op.
  std::uint64_t nodes = 0;
  std::set<std::string> dimensions{};  ///< What the sizes finally depend on; empty if no dimension.
  std::set<std::string> options{};     ///< `--dim batch=1`, for those that an option fixes.
  std::string reason{};                ///< Of the first such node.
  std::string node{};                  ///< That node.
};

/// The operators of Work::unknown_shape, in that order. Cost: linear in the nodes.
std::vector<OpenOperator> open_operators(const Model& model, const Work& work);

/// Options that fix inputs whose rank the file leaves open: `--shape x=SIZES`.
std::vector<std::string> rank_options(const Model& model);

/// Work::by_op's key of a node.
std::string op_key(const NodeWork& node);

}  // namespace headroom::report
