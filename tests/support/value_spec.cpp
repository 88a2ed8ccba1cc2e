// SPDX-License-Identifier: Apache-2.0
// Field numbers are those of onnx-data.proto: values of each kind stand two behind their elem_type.
#include "support/value_spec.h"

#include <cstdint>

#include <protozero/pbf_writer.hpp>

namespace headroom::test {

std::string value_holder(std::string_view name, Held held, const std::vector<std::string>& values) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  if (!name.empty()) writer.add_string(1, name.data(), name.size());
  if (held != Held::Nothing) writer.add_enum(2, static_cast<std::int32_t>(held));
  for (const std::string& value : values)
    writer.add_message(2 + static_cast<std::uint32_t>(held), value);
  return bytes;
}

}  // namespace headroom::test
