// SPDX-License-Identifier: Apache-2.0
// The argument grammar that verbs share: NAME=VALUE pairs, shapes, dimensions.
#pragma once

#include <headroom/model/model.h>

#include <map>
#include <span>
#include <string>
#include <utility>

namespace headroom::app {

/// Splits `NAME=VALUE` at the last `=`, since names may hold one. Errors: Usage, naming `option`.
std::pair<std::string, std::string> split_pair(const std::string& text, std::string_view option);

/// `--shape NAME=1x3x224x224` and `--dim NAME=N`, each repeatable. Errors: Usage for a wrong form,
/// a size below 1, or a name that is given twice.
ShapeOptions parse_shape_options(std::span<const std::string> shapes,
                                 std::span<const std::string> dims);

/// `KEY=VALUE` pairs of `option`. Errors: Usage for a wrong form or a key that is given twice.
std::map<std::string, std::string> parse_pairs(std::span<const std::string> texts,
                                               std::string_view option);

}  // namespace headroom::app
