// SPDX-License-Identifier: Apache-2.0
// Which option of the user fixes what is open in a model.
#pragma once

#include <headroom/cost.h>
#include <headroom/model/model.h>

#include <cstdint>
#include <map>
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

/// What keeps nodes from being counted: one open dimension, or one reason that is no dimension.
struct OpenCause {
  std::string what{};
  bool is_dimension = false;
  std::map<std::string, std::uint64_t> operators{};  ///< Nodes by operator.
};

/// Sorted: dimensions first. Cost: linear in the nodes.
std::vector<OpenCause> open_causes(const Work& work);

/// Options that fix all that the file leaves open in inputs: `--dim batch=1`, and `--shape x=SIZES`
/// where even the rank is open.
std::vector<std::string> input_options(const Model& model);

/// Work::by_op's key of a node.
std::string op_key(const NodeWork& node);

}  // namespace headroom::report
