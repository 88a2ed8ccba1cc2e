// SPDX-License-Identifier: Apache-2.0
// One table: everything that is fixed about an element type is a row of it.
#include <headroom/model/element_type.h>

#include <array>

namespace headroom {
namespace {

enum class Kind : std::uint8_t { Other, Float, Integer };

struct Row {
  std::string_view name;
  std::uint8_t bits;  ///< 0: no fixed width.
  Kind kind;
};

/// By number. Source: onnx.proto, TensorProto.DataType.
constexpr std::array<Row, 27> kRows{{
    {"undefined", 0, Kind::Other},      {"float32", 32, Kind::Float},
    {"uint8", 8, Kind::Integer},        {"int8", 8, Kind::Integer},
    {"uint16", 16, Kind::Integer},      {"int16", 16, Kind::Integer},
    {"int32", 32, Kind::Integer},       {"int64", 64, Kind::Integer},
    {"string", 0, Kind::Other},         {"bool", 8, Kind::Other},
    {"float16", 16, Kind::Float},       {"float64", 64, Kind::Float},
    {"uint32", 32, Kind::Integer},      {"uint64", 64, Kind::Integer},
    {"complex64", 64, Kind::Other},     {"complex128", 128, Kind::Other},
    {"bfloat16", 16, Kind::Float},      {"float8e4m3fn", 8, Kind::Float},
    {"float8e4m3fnuz", 8, Kind::Float}, {"float8e5m2", 8, Kind::Float},
    {"float8e5m2fnuz", 8, Kind::Float}, {"uint4", 4, Kind::Integer},
    {"int4", 4, Kind::Integer},         {"float4e2m1", 4, Kind::Float},
    {"float8e8m0", 8, Kind::Float},     {"uint2", 2, Kind::Integer},
    {"int2", 2, Kind::Integer},
}};

const Row& row_of(ElementType type) noexcept {
  const auto number = static_cast<std::size_t>(type);
  return kRows[number < kRows.size() ? number : 0];
}

}  // namespace

std::string_view to_string(ElementType type) noexcept {
  return row_of(type).name;
}

std::optional<ElementType> element_type_from(std::string_view name) noexcept {
  for (std::size_t number = 1; number < kRows.size(); ++number) {
    if (kRows[number].name == name) return static_cast<ElementType>(number);
  }
  return std::nullopt;
}

bool is_defined(ElementType type) noexcept {
  return &row_of(type) != kRows.data();
}

bool is_float(ElementType type) noexcept {
  return row_of(type).kind == Kind::Float;
}

bool is_integer(ElementType type) noexcept {
  return row_of(type).kind == Kind::Integer;
}

std::optional<unsigned> bits_of(ElementType type) noexcept {
  const unsigned bits = row_of(type).bits;
  if (bits == 0) return std::nullopt;
  return bits;
}

std::optional<Bytes> packed_size(ElementType type, std::uint64_t elements) noexcept {
  const std::optional<unsigned> bits = bits_of(type);
  if (!bits) return std::nullopt;
  if (*bits < 8) {
    const std::uint64_t per_byte = 8 / *bits;
    return Bytes{elements / per_byte + (elements % per_byte != 0 ? 1 : 0)};
  }
  std::uint64_t size = 0;
  if (__builtin_mul_overflow(elements, std::uint64_t{*bits / 8}, &size)) return std::nullopt;
  return Bytes{size};
}

}  // namespace headroom
