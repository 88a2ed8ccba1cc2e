// SPDX-License-Identifier: Apache-2.0
// From a model and the user's wishes to one specification for each input.
#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/data.h>

#include <algorithm>

#include <fmt/format.h>

#include "data/given_inputs.h"
#include "data/planner.h"

namespace headroom {
namespace {

Shape open_shape(const Shape& declared) {
  Shape shape = declared;
  for (Dim& dim : shape) {
    if (dim.size && *dim.size <= 0) dim.size.reset();
  }
  return shape;
}

// Why the type of a required input cannot be fed, or nothing.
void check_type(const Value& value, bool has_shape) {
  if (value.type.kind != TypeKind::Tensor) {
    throw Error(
        ErrorKind::Unsupported,
        fmt::format("input '{}' is not a tensor (a sequence, map, optional or sparse tensor); "
                    "only tensors can be given",
                    printable(value.name)));
  }
  if (!is_defined(value.type.element)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("input '{}' has no element type", printable(value.name)));
  }
  if (!value.type.shape && !has_shape) {
    throw Error(
        ErrorKind::Usage,
        fmt::format("input '{}' is declared without a shape; give one, such as --shape {}=1x3",
                    printable(value.name), printable(value.name)));
  }
}

void check_known(std::string_view option, const std::string& name,
                 const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  const std::string near = nearest_name(name, known);
  throw Error(ErrorKind::Usage,
              fmt::format("{}: the model has no {} '{}'; {}it has: {}", option,
                          option == "--dim" ? "open dimension" : "input", printable(name),
                          near.empty() ? "" : "did you mean '" + printable(near) + "'? ",
                          known.empty() ? "none" : printable(join(known, ", "))));
}

bool has_denormals(ElementType type) {
  return type == ElementType::Float16 || type == ElementType::Bfloat16 ||
         type == ElementType::Float32 || type == ElementType::Float64;
}

// What `--fill` says of the input: floats take any, of others only those that are named, and no
// value that their type lacks.
std::optional<Fill> wanted_fill(const InputFacts& input, const InputOptions& options) {
  const auto named = options.fills.find(input.name);
  const bool is_named = named != options.fills.end();
  if (!is_named && (!options.fill || !is_float(input.type))) return std::nullopt;
  const Fill fill = is_named ? named->second : *options.fill;
  const bool is_number = input.type != ElementType::String;
  const bool is_for_all =
      fill.kind == FillKind::Zeros || (fill.kind == FillKind::Ones && is_number);
  const bool is_possible =
      is_for_all ||
      (fill.kind == FillKind::Denormal ? has_denormals(input.type) : is_float(input.type));
  if (is_possible) return fill;
  throw Error(ErrorKind::Usage,
              fmt::format("--fill {}: input '{}' is {}; {}", to_string(fill), printable(input.name),
                          to_string(input.type),
                          fill.kind == FillKind::Denormal
                              ? "float16, bfloat16, float32 and float64 have denormals"
                              : "floats can be filled so, others with zeros or ones"));
}

std::int64_t longest_sequence(std::span<const InputFacts> inputs,
                              std::span<const ChosenShape> shapes) {
  std::int64_t longest = 1;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (shapes[i].sizes.size() >= 2) longest = std::max(longest, shapes[i].sizes[1]);
  }
  return longest;
}

std::string note_of(const InputSpec& spec, const ChosenShape& shape) {
  const std::string sizes = shape.reasons.empty() ? "" : " [" + join(shape.reasons, ", ") + "]";
  return fmt::format("input '{}': {} {}{}; {}", printable(spec.name), shape_text(spec.shape),
                     to_string(spec.type), sizes, spec.reason);
}

}  // namespace

Planner::Planner(const Model& model, const InputOptions& options) : options_(options) {
  gather(model, options.shapes);
  check_names();
  for (InputFacts& input : inputs_) {
    const auto shape = options.shapes.shapes.find(input.name);
    if (shape != options.shapes.shapes.end()) give_shape(input, shape->second);
  }
  take_files(model);
}

void Planner::gather(const Model& model, const ShapeOptions& shapes) {
  const GraphWalk walk(model.graph);
  const Constants constants(model, walk);
  for (const ValueId id : model.graph.required_inputs()) {
    const Value& value = model.graph.values[id];
    const auto given = shapes.shapes.find(value.name);
    const bool has_shape = given != shapes.shapes.end();
    check_type(value, has_shape);
    InputFacts input{.name = value.name, .type = value.type.element};
    input.shape = value.type.shape ? open_shape(*value.type.shape)
                                   : Shape(has_shape ? given->second.size() : 0);
    input.use = find_use(model.graph, id, walk, constants);
    inputs_.push_back(std::move(input));
  }
}

void Planner::check_names() const {
  std::vector<std::string> names;
  std::vector<std::string> symbols;
  for (const InputFacts& input : inputs_) {
    names.push_back(input.name);
    for (const Dim& dim : input.shape) {
      const bool is_new = std::find(symbols.begin(), symbols.end(), dim.symbol) == symbols.end();
      if (!dim.size && !dim.symbol.empty() && is_new) symbols.push_back(dim.symbol);
    }
  }
  for (const auto& [name, shape] : options_.shapes.shapes) check_known("--shape", name, names);
  for (const auto& [name, path] : options_.files) check_known("--input", name, names);
  for (const auto& [name, fill] : options_.fills) {
    check_known("--fill", name, names);
    if (options_.files.contains(name)) {
      throw Error(ErrorKind::Usage,
                  fmt::format("--fill: the values of '{}' come from a file", printable(name)));
    }
  }
  for (const auto& [symbol, size] : options_.shapes.dims) {
    check_known("--dim", symbol, symbols);
    if (size >= 0) continue;
    throw Error(ErrorKind::Usage,
                fmt::format("--dim {}: a size of {} is not possible", printable(symbol), size));
  }
}

void Planner::take_files(const Model& model) {
  if (!options_.files.empty()) {
    source_ = "files";
    for (InputFacts& input : inputs_) {
      const auto file = options_.files.find(input.name);
      if (file != options_.files.end()) give_file(input, file->second);
    }
    return;
  }
  const bool has_shapes = !options_.shapes.shapes.empty() || !options_.shapes.dims.empty();
  const bool has_fill = options_.fill || !options_.fills.empty();
  if (!options_.use_test_data || has_shapes || has_fill) return;
  const std::optional<TestData> data = find_test_data(model.path, inputs_.size(), notes_);
  if (!data) return;
  source_ = data->folder;
  reference_ = data->outputs;
  for (std::size_t i = 0; i < inputs_.size(); ++i) give_file(inputs_[i], data->inputs[i]);
}

InputSpec Planner::make_spec(const InputFacts& input, const ChosenShape& shape,
                             std::int64_t sequence, const Guesses& guesses, Draft& draft) const {
  InputSpec spec{.name = input.name, .type = input.type, .shape = shape.sizes};
  if (!input.file.empty()) {
    spec.fill = FillKind::File;
    spec.path = input.file;
    spec.reason = "from " + printable(std::filesystem::path(input.file).filename().string());
    return spec;
  }
  for (const DimRole role : shape.guessed) {
    const bool is_new =
        std::find(draft.roles.begin(), draft.roles.end(), role) == draft.roles.end();
    if (is_new) draft.roles.push_back(role);
  }
  if (const std::optional<Fill> fill = wanted_fill(input, options_)) {
    spec.fill = fill->kind;
    spec.zeros = fill->zeros;
    spec.reason = to_string(*fill) + ", as --fill says";
    return spec;
  }
  ChosenValues values = choose_values(input, shape.sizes, sequence, guesses);
  spec.fill = values.fill;
  spec.low = values.low;
  spec.high = values.high;
  spec.reason = std::move(values.reason);
  if (values.fill == FillKind::Integers) {
    spec.reason += values.low == values.high ? fmt::format(" ({})", values.low)
                                             : fmt::format(" ({} to {})", values.low, values.high);
  }
  if (values.is_guessed) draft.other_values[input.name] = std::move(values.others);
  return spec;
}

Draft Planner::draft(const Guesses& guesses) const {
  const std::vector<ChosenShape> shapes = choose_shapes(inputs_, options_.shapes.dims, guesses);
  const std::int64_t sequence = longest_sequence(inputs_, shapes);
  Draft draft;
  draft.plan.source = source_;
  draft.plan.reference = reference_;
  draft.plan.notes = notes_;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    InputSpec spec = make_spec(inputs_[i], shapes[i], sequence, guesses, draft);
    draft.plan.notes.push_back(note_of(spec, shapes[i]));
    draft.plan.inputs.push_back(std::move(spec));
  }
  draft.plan.is_guessed = !draft.roles.empty() || !draft.other_values.empty();
  return draft;
}

InputPlan plan_inputs(const Model& model, const InputOptions& options) {
  return Planner(model, options).draft({}).plan;
}

}  // namespace headroom
