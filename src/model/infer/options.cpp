// SPDX-License-Identifier: Apache-2.0
// Options about shapes, checked against the model's inputs.
#include "model/infer/options.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/model/tensor.h>

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "model/infer/inference.h"

namespace headroom::infer {
namespace {

[[noreturn]] void misuse(const std::string& message) {
  throw Error(ErrorKind::Usage, message);
}

std::string hint(const std::string& name, const std::vector<std::string>& candidates) {
  std::vector<std::string> shown;
  shown.reserve(candidates.size());
  for (const std::string& candidate : candidates) shown.push_back(printable(candidate));
  const std::string nearest = nearest_name(name, candidates);
  return fmt::format(
      "{}{}", nearest.empty() ? "" : fmt::format("; did you mean '{}'? ", printable(nearest)),
      shown.empty()
          ? std::string(nearest.empty() ? "; there is none" : "")
          : fmt::format("{}possible: {}", nearest.empty() ? "; " : "", join(shown, ", ")));
}

// Gives every open dimension of a tensor a symbol. In sequences and others an open size is no more
// than that: elements may differ.
void open_dimensions(Value& value) {
  if (!value.type.shape) return;
  for (std::size_t i = 0; i < value.type.shape->size(); ++i) {
    Dim& dim = (*value.type.shape)[i];
    if (dim.size && *dim.size > 0) {
      dim.symbol.clear();
      continue;
    }
    dim.size.reset();
    if (dim.symbol.empty() || dim.symbol == "?")
      dim.symbol = fmt::format("{}.dim{}", value.name, i);
  }
}

void open_inner(ValueType& type, const std::string& name) {
  for (ValueType& inner : type.inner) {
    Value part{.name = name, .type = std::move(inner)};
    open_dimensions(part);
    inner = std::move(part.type);
    open_inner(inner, name);
  }
}

void check_size(std::int64_t size, const std::string& what) {
  if (size < 0) misuse(fmt::format("{} gives the size {}; a size is at least 0", what, size));
}

void bind(Bindings& bindings, const std::string& symbol, std::int64_t size,
          const std::string& what) {
  const auto [found, is_new] = bindings.emplace(symbol, size);
  if (!is_new && found->second != size) {
    misuse(fmt::format("{} makes dimension '{}' {}, another option makes it {}", what,
                       printable(symbol), size, found->second));
  }
}

ValueId find_input(const Graph& graph, const std::string& name, std::string_view option) {
  std::vector<std::string> names;
  for (const ValueId id : graph.inputs) {
    if (graph.values[id].name == name) return id;
    names.push_back(graph.values[id].name);
  }
  misuse(
      fmt::format("{}: the model has no input '{}'{}", option, printable(name), hint(name, names)));
}

void fix_shape(Value& value, const std::vector<std::int64_t>& sizes, Bindings& bindings) {
  const std::string name = printable(value.name);
  const std::string what = fmt::format("--shape {}={}", name, shape_text(sizes));
  if (value.type.kind != TypeKind::Tensor) misuse(fmt::format("{}: this input is no tensor", what));
  for (const std::int64_t size : sizes) check_size(size, what);
  if (!value.type.shape) {
    value.type.shape.emplace();
    for (const std::int64_t size : sizes) value.type.shape->push_back(Dim{.size = size});
    return;
  }
  const Shape& shape = *value.type.shape;
  if (shape.size() != sizes.size()) {
    misuse(fmt::format("input '{}' has rank {} ({}), --shape gives rank {}", name, shape.size(),
                       printable(to_string(shape)), sizes.size()));
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (shape[i].size && *shape[i].size != sizes[i]) {
      misuse(fmt::format("{}: dimension {} of the input is fixed to {} in the model ({})", what, i,
                         *shape[i].size, printable(to_string(shape))));
    }
    if (!shape[i].size) bind(bindings, shape[i].symbol, sizes[i], what);
  }
}

std::vector<std::string> symbols_of(const Graph& graph) {
  std::vector<std::string> symbols;
  for (const ValueId id : graph.inputs) {
    if (!graph.values[id].type.shape) continue;
    for (const Dim& dim : *graph.values[id].type.shape) {
      if (!dim.size && std::find(symbols.begin(), symbols.end(), dim.symbol) == symbols.end())
        symbols.push_back(dim.symbol);
    }
  }
  return symbols;
}

void replace_symbols(ValueType& type, const Bindings& bindings) {
  for (ValueType& inner : type.inner) replace_symbols(inner, bindings);
  if (!type.shape) return;
  for (Dim& dim : *type.shape) {
    if (const auto bound = bindings.find(dim.symbol); !dim.size && bound != bindings.end())
      dim = Dim{.size = bound->second};
  }
}

}  // namespace

Bindings fix_inputs(Graph& graph, const ShapeOptions& options) {
  for (const ValueId id : graph.inputs) {
    open_dimensions(graph.values[id]);
    open_inner(graph.values[id].type, graph.values[id].name);
  }
  Bindings bindings;
  const std::vector<std::string> symbols =
      options.dims.empty() ? std::vector<std::string>{} : symbols_of(graph);
  for (const auto& [symbol, size] : options.dims) {
    const std::string what = fmt::format("--dim {}={}", printable(symbol), size);
    if (std::find(symbols.begin(), symbols.end(), symbol) == symbols.end()) {
      misuse(fmt::format("{}: no input has an open dimension of this name{}", what,
                         hint(symbol, symbols)));
    }
    check_size(size, what);
    bind(bindings, symbol, size, what);
  }
  for (const auto& [name, sizes] : options.shapes)
    fix_shape(graph.values[find_input(graph, name, "--shape")], sizes, bindings);
  for (const ValueId id : graph.inputs) replace_symbols(graph.values[id].type, bindings);
  return bindings;
}

void fix_values(Graph& graph, const ShapeOptions& options) {
  for (const auto& [name, elements] : options.values) {
    const ValueId id = find_input(graph, name, "values");
    const ValueType& type = graph.values[id].type;
    const Integer count = type.kind == TypeKind::Tensor && type.shape
                              ? product(std::span<const Dim>(*type.shape))
                              : std::nullopt;
    const std::size_t given = std::max(elements.elements.size(), elements.reals.size());
    if (!count || static_cast<std::uint64_t>(*count) != given) {
      misuse(fmt::format("values: {} are given for the input '{}', which is {}", given,
                         printable(name), type_text(type)));
    }
    graph.known.insert_or_assign(id, elements).first->second.is_given = true;
  }
}

}  // namespace headroom::infer
