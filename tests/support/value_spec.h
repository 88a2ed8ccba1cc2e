// SPDX-License-Identifier: Apache-2.0
// Values of test data sets as literals: the bytes of a SequenceProto or OptionalProto.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headroom::test {

/// What a SequenceProto or OptionalProto holds. The numbers are those of their elem_type.
enum class Held { Nothing = 0, Tensor = 1, SparseTensor = 2, Sequence = 3, Map = 4, Optional = 5 };
/// The bytes of a SequenceProto (any number of values) or OptionalProto (none or one).
std::string value_holder(std::string_view name, Held held, const std::vector<std::string>& values);

}  // namespace headroom::test
