// SPDX-License-Identifier: Apache-2.0
// SequenceProto and OptionalProto → Datum. Field numbers are those of onnx-data.proto; both
// messages use the same ones.
#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/model/datum.h>
#include <headroom/model/model.h>

#include <utility>

#include <fmt/format.h>

#include "model/file_kind.h"
#include "model/read_tensor.h"

namespace headroom {
namespace {

using wire::ByteSpan;
using wire::Fields;
using wire::Place;

/// elem_type of both messages.
enum class Holds : std::int64_t { Nothing = 0, Tensors = 1, Sequences = 3, Optionals = 5 };

constexpr std::uint32_t kName = 1;
constexpr std::uint32_t kElemType = 2;
/// The fields of the values follow elem_type's numbers: tensors in 3, sparse tensors in 4, …
constexpr std::uint32_t kFirstValue = 2;

struct Message {
  std::string_view kind{};  ///< `SequenceProto`.
  std::string_view name{};
  std::int64_t holds = 0;
  std::vector<ByteSpan> values{};
};

[[noreturn]] void refuse_element(const Place& place, const Message& message) {
  const bool is_known = message.holds == 2 || message.holds == 4;
  if (!is_known) {
    wire::fail(place, fmt::format("elem_type of the {} is {}; 1 (tensor), 3 (sequence) or 5 "
                                  "(optional) is wanted",
                                  message.kind, message.holds));
  }
  throw Error(
      ErrorKind::Unsupported,
      fmt::format("'{}': a {} of {} cannot be read; tensors, sequences and optionals can",
                  place.input->file, message.kind, message.holds == 2 ? "sparse tensors" : "maps"));
}

/// Two passes, since elem_type may stand behind the values that it speaks of.
Message read_message(const Place& place, std::string_view kind, ByteSpan bytes) {
  Message message{.kind = kind};
  for (Fields fields(place, kind, bytes); fields.next();) {
    if (fields.number() == kName) message.name = fields.text();
    if (fields.number() == kElemType) message.holds = fields.integer();
  }
  if (message.holds == 0) return message;
  if (message.holds < 0 || message.holds > 5) refuse_element(place, message);
  const auto wanted = kFirstValue + static_cast<std::uint32_t>(message.holds);
  for (Fields fields(place, kind, bytes); fields.next();) {
    if (fields.number() == wanted) message.values.push_back(fields.bytes());
  }
  return message;
}

class DatumReader {
 public:
  DatumReader(ReadState& state, const std::filesystem::path& folder)
      : state_(state), folder_(folder) {}

  Datum read_sequence(const Place& place, ByteSpan bytes, std::size_t depth) {
    const Message message = read_message(place, "SequenceProto", bytes);
    // What a sequence is empty of must be said.
    if (message.holds == 0) refuse_element(place, message);
    Datum datum{.name = std::string(message.name), .kind = DatumKind::Sequence};
    for (std::size_t i = 0; i < message.values.size(); ++i) {
      const Place inner = place.inside("element", {}, i);
      datum.elements.push_back(read_held(inner, message, message.values[i], depth));
    }
    return datum;
  }

  Datum read_optional(const Place& place, ByteSpan bytes, std::size_t depth) {
    const Message message = read_message(place, "OptionalProto", bytes);
    Datum datum{.kind = DatumKind::None};
    // Of a field that is given twice the last one counts, as everywhere in the format.
    if (!message.values.empty()) datum = read_held(place, message, message.values.back(), depth);
    datum.name = message.name;
    datum.tensor.name = message.name;
    return datum;
  }

  Datum read_tensor(const Place& place, ByteSpan bytes) {
    return datum_of(read_tensor_message(state_, place, bytes, folder_));
  }

 private:
  Datum read_held(const Place& place, const Message& message, ByteSpan bytes, std::size_t depth) {
    if (depth == wire::kDeepest) {
      wire::fail(place, fmt::format("nested deeper than {} levels", wire::kDeepest));
    }
    switch (static_cast<Holds>(message.holds)) {
      case Holds::Tensors:
        return read_tensor(place, bytes);
      case Holds::Sequences:
        return read_sequence(place, bytes, depth + 1);
      case Holds::Optionals:
        return read_optional(place, bytes, depth + 1);
      case Holds::Nothing:
        break;
    }
    refuse_element(place, message);
  }

  ReadState& state_;
  const std::filesystem::path& folder_;
};

Datum read_content(ReadState& state, ByteSpan bytes, const std::filesystem::path& folder,
                   TypeKind declared) {
  const Place place{&state.input};
  DatumReader reader(state, folder);
  switch (declared) {
    case TypeKind::Tensor:
      if (bytes.empty()) wire::fail(place, "the file is empty; a TensorProto is wanted");
      return reader.read_tensor(place, bytes);
    case TypeKind::Sequence:
      if (bytes.empty()) wire::fail(place, "the file is empty; a SequenceProto is wanted");
      return reader.read_sequence(place, bytes, 0);
    case TypeKind::Optional:
      return reader.read_optional(place, bytes, 0);  // no bytes at all: nothing is held
    default:
      throw Error(ErrorKind::Unsupported,
                  fmt::format("'{}' holds a map, a sparse tensor or a value of unknown type, which "
                              "cannot be read; tensors, sequences and optionals can",
                              state.input.file));
  }
}

Datum read_named(std::string name, ByteSpan bytes, const std::filesystem::path& folder,
                 TypeKind declared) {
  ReadState state{{std::move(name), bytes.data()}, ExternalData(folder)};
  try {
    return read_content(state, bytes, folder, declared);
  } catch (const Error& error) {
    const std::string_view hint = what_it_looks_like(bytes);
    if (hint.empty()) throw;
    throw Error(error.kind(), fmt::format("{} ({})", error.what(), hint));
  }
}

}  // namespace

std::string_view to_string(DatumKind kind) noexcept {
  switch (kind) {
    case DatumKind::Tensor:
      return "tensor";
    case DatumKind::Sequence:
      return "sequence";
    case DatumKind::None:
      return "empty optional";
    case DatumKind::Other:
      break;
  }
  return "value of another kind";
}

Datum datum_of(Tensor tensor) {
  Datum datum{.name = tensor.name, .kind = DatumKind::Tensor};
  datum.tensor = std::move(tensor);
  return datum;
}

std::string description_of(const Datum& datum) {
  if (datum.kind == DatumKind::Tensor) {
    return fmt::format("{} {}", to_string(datum.tensor.type), shape_text(datum.tensor.shape));
  }
  if (datum.kind == DatumKind::Sequence) {
    return fmt::format("sequence of {}", datum.elements.size());
  }
  return std::string(to_string(datum.kind));
}

Datum read_datum_file(const std::filesystem::path& path, TypeKind declared) {
  const MappedFile file(path);
  return read_named(printable(path.string()), file.bytes(), path.parent_path(), declared);
}

Datum parse_datum(std::span<const std::byte> bytes, const std::filesystem::path& folder,
                  TypeKind declared) {
  return read_named("value in memory", bytes, folder, declared);
}

}  // namespace headroom
