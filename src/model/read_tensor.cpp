// SPDX-License-Identifier: Apache-2.0
// The elements of stored tensors, from the message or from external data.
#include "model/read_tensor.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/model/model.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "model/external_data.h"
#include "model/file_kind.h"
#include "model/tensor_proto.h"

namespace headroom {
namespace {

using wire::ByteSpan;
using wire::Fields;
using wire::Place;

static_assert(std::endian::native == std::endian::little,
              "raw data is little-endian and copied as it is");

[[noreturn]] void fail_count(const Place& place, const StoredTensor& stored, std::uint64_t wanted,
                             std::uint64_t found) {
  wire::fail(place, fmt::format("shape {} of {} needs {} entries in {}, which has {}",
                                shape_text(stored.dims), to_string(stored.type), wanted,
                                data_field_name(data_field_of(stored.type)), found));
}

/// All entries of field `number` of the message, which must be `wanted`.
template <class T>
std::vector<T> entries_of(const Place& place, const StoredTensor& stored, std::uint64_t wanted) {
  const std::uint32_t number = data_field_of(stored.type);
  std::vector<T> entries;
  Fields fields(place, "TensorProto", stored.message);
  while (fields.next()) {
    if (fields.number() == number) fields.append_to(entries);
  }
  if (entries.size() != wanted) fail_count(place, stored, wanted, entries.size());
  return entries;
}

template <class T>
void narrow_into(std::span<const std::int64_t> entries, std::span<std::byte> into) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto narrow = static_cast<T>(entries[i]);
    std::memcpy(into.data() + i * sizeof(T), &narrow, sizeof(T));
  }
}

template <class T>
std::vector<std::byte> bytes_of_reals(const std::vector<T>& reals) {
  std::vector<std::byte> bytes(reals.size() * sizeof(T));
  if (!reals.empty()) std::memcpy(bytes.data(), reals.data(), bytes.size());
  return bytes;
}

/// Typed fields → packed elements. The entries are read first, so that no more is allocated than
/// the message holds data for.
std::vector<std::byte> packed_entries(const Place& place, const StoredTensor& stored,
                                      std::uint64_t elements) {
  const std::uint64_t wanted = data_entries_of(stored.type, elements);
  switch (data_field_of(stored.type)) {
    case 4:
      return bytes_of_reals(entries_of<float>(place, stored, wanted));
    case 10:
      return bytes_of_reals(entries_of<double>(place, stored, wanted));
    default:
      break;
  }
  const std::vector<std::int64_t> entries = entries_of<std::int64_t>(place, stored, wanted);
  // An entry of a type of less than 8 bits is one byte, packed already.
  const std::size_t width = std::max(bits_of(stored.type).value_or(8) / 8, 1U);
  std::vector<std::byte> bytes(entries.size() * width);
  switch (width) {
    case 1:
      narrow_into<std::uint8_t>(entries, bytes);
      break;
    case 2:
      narrow_into<std::uint16_t>(entries, bytes);
      break;
    case 4:
      narrow_into<std::uint32_t>(entries, bytes);
      break;
    default:
      narrow_into<std::uint64_t>(entries, bytes);
      break;
  }
  return bytes;
}

void read_strings(const Place& place, const StoredTensor& stored, std::uint64_t elements,
                  Tensor& tensor) {
  Fields fields(place, "TensorProto", stored.message);
  while (fields.next()) {
    if (fields.number() == data_field_of(ElementType::String)) {
      tensor.strings.emplace_back(fields.text());
    }
  }
  if (tensor.strings.size() != elements) {
    fail_count(place, stored, elements, tensor.strings.size());
  }
}

/// Makes room and copies; `data` has been checked to be as long as the elements need.
void copy_data(const StoredTensor& stored, ByteSpan data, Tensor& tensor) {
  tensor.data = make_tensor(stored.name, stored.type, stored.dims).data;
  if (!data.empty()) std::memcpy(tensor.data.bytes().data(), data.data(), data.size());
}

void read_external(const Place& place, const StoredTensor& stored, std::uint64_t size,
                   const std::filesystem::path& folder, Tensor& tensor) {
  const StoredTensor::External& external = *stored.external;
  ExternalData files(folder);
  const MappedFile file(files.existing_path(place, external.location));
  const ByteSpan bytes = file.bytes();
  ExternalData::check_range(place, external, size, bytes.size());
  copy_data(stored, bytes.subspan(external.offset, size), tensor);
}

Tensor read_at(const Place& place, const StoredTensor& stored,
               const std::filesystem::path& folder) {
  Tensor tensor;
  tensor.name = stored.name;
  tensor.type = stored.type;
  tensor.shape = stored.dims;
  const std::uint64_t elements = element_count(stored.dims);
  if (stored.type == ElementType::String) {
    read_strings(place, stored, elements, tensor);
    return tensor;
  }
  const std::optional<Bytes> size = packed_size(stored.type, elements);
  if (!size) wire::fail(place, "its type and shape have no size in bytes");
  if (stored.external) {
    read_external(place, stored, size->value, folder, tensor);
    return tensor;
  }
  const TensorFields fields = read_tensor_fields(place, stored.message);
  if (fields.raw) {
    if (fields.raw->size() != size->value) {
      wire::fail(place, fmt::format("{} bytes are needed, raw_data has {}", size->value,
                                    fields.raw->size()));
    }
    copy_data(stored, *fields.raw, tensor);
    return tensor;
  }
  copy_data(stored, packed_entries(place, stored, elements), tensor);
  return tensor;
}

Tensor read_file_content(ReadState& state, ByteSpan bytes, const std::filesystem::path& folder) {
  const Place place{&state.input};
  if (bytes.empty()) wire::fail(place, "the file is empty; a TensorProto is wanted");
  return read_tensor_message(state, place, bytes, folder);
}

}  // namespace

Tensor read_tensor_message(ReadState& state, const Place& place, ByteSpan bytes,
                           const std::filesystem::path& folder) {
  const StoredTensor stored = read_stored_tensor(state, place, bytes);
  return read_at(stored.name.empty() ? place : place.inside("tensor", stored.name), stored, folder);
}

Tensor read_tensor(const StoredTensor& stored, const std::filesystem::path& model_folder) {
  const Place root;
  return read_at(root.inside("tensor", stored.name), stored, model_folder);
}

Tensor read_tensor_file(const std::filesystem::path& path) {
  const MappedFile file(path);
  const ByteSpan bytes = file.bytes();
  ReadState state{{printable(path.string()), bytes.data()}, ExternalData(path.parent_path())};
  try {
    return read_file_content(state, bytes, path.parent_path());
  } catch (const Error& error) {
    const std::string_view hint = what_it_looks_like(bytes);
    if (hint.empty()) throw;
    throw Error(error.kind(), fmt::format("{} ({})", error.what(), hint));
  }
}

}  // namespace headroom
