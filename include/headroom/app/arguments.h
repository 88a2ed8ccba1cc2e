// SPDX-License-Identifier: Apache-2.0
// The argument grammar that verbs share: NAME=VALUE pairs, shapes, dimensions.
#pragma once

#include <headroom/data.h>
#include <headroom/model/model.h>

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headroom::app {

/// Splits `NAME=VALUE` at the last `=`, since names may hold one. Errors: Usage, naming `option`.
std::pair<std::string, std::string> split_pair(const std::string& text, std::string_view option);

/// `--shape NAME=1x3x224x224` and `--dim NAME=N`, each repeatable. Errors: Usage for a wrong form,
/// a size below 1, or a name that is given twice.
ShapeOptions parse_shape_options(std::span<const std::string> shapes,
                                 std::span<const std::string> dims);

/// Names joined by commas. Errors: Usage for an empty one and one that comes twice.
std::vector<std::string> parse_names(const std::string& text, const std::string& option);

/// Whole numbers of at least 1: `4`, `1,2,4`, `1..4`, `1..64*2` (each twice the one before),
/// `1..9+2`, and such parts joined by commas. Errors: Usage for a wrong form, a number that comes
/// twice, more than 100 numbers.
std::vector<std::int64_t> parse_numbers(const std::string& text, const std::string& option);

/// `--threads`: as parse_numbers. Errors: Usage, also for more threads than a process can have.
std::vector<int> parse_threads(const std::string& text);

/// The same options where several values make several runs: a `--shape` repeated for one input, a
/// list of sizes in `--dim`. Shapes of several inputs go together in order (one given once is
/// common to all), dimensions combine. At least one; the dimensions change fastest. Errors: Usage,
/// also for inputs with different numbers of shapes.
std::vector<ShapeOptions> parse_shape_axes(std::span<const std::string> shapes,
                                           std::span<const std::string> dims);

/// `--fill KIND` and `--fill NAME=KIND` into `options`. Errors: Usage, also for what is said twice.
void parse_fills(std::span<const std::string> texts, InputOptions& options);

/// `KEY=VALUE` pairs of `option`. Errors: Usage for a wrong form or a key that is given twice.
std::map<std::string, std::string> parse_pairs(std::span<const std::string> texts,
                                               std::string_view option);

}  // namespace headroom::app
