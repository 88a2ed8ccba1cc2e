// SPDX-License-Identifier: Apache-2.0
// `headroom extract`.
#include <headroom/app/extract.h>

#include <sstream>

#include "verbs.h"

namespace headroom::cli {
namespace {

struct ExtractArguments {
  CommonOptions common{};
  app::ExtractOptions options{};
  std::string model{};
  std::string output{};
};

int extract(ExtractArguments& arguments, const StopFlag& stop) {
  arguments.options.model = arguments.model;
  arguments.options.output = arguments.output;
  const ExtractReport report = app::extract(arguments.options, stop);
  write_json(arguments.common, extract_json(report));
  std::ostringstream text;
  write_extract_text(text, report, {.columns = stdout_columns(), .has_color = stdout_has_color()});
  write_text(arguments.common, text.str());
  return 0;
}

}  // namespace

void add_extract(CLI::App& app, VerbContext& context) {
  CLI::App& verb = *app.add_subcommand("extract", "Some nodes of a model as a model of their own");
  auto& arguments = context.keep<ExtractArguments>();
  verb.add_option("MODEL", arguments.model, "An ONNX file")->required();
  const auto add_names = [&](const char* option, std::vector<std::string>& names, const char* type,
                             const char* meaning) {
    verb.add_option(option, names, meaning)->type_name(type)->allow_extra_args(false);
  };
  add_names("--node", arguments.options.nodes, "NAME[,NAME]",
            "Nodes to take, with the weights and constants that they read; a node without a name "
            "is addressed by its first output value");
  add_names("--from", arguments.options.from, "VALUE[,VALUE]",
            "Take what lies behind these values, which become inputs");
  add_names("--to", arguments.options.to, "VALUE[,VALUE]",
            "Take what these values need; they become the outputs (default: the model's)");
  verb.add_option("--output", arguments.output, "The ONNX file to write")
      ->type_name("FILE")
      ->required();
  add_common_options(verb, arguments.common);
  verb.footer(
      "Examples: headroom extract model.onnx --node /conv1/Conv --output conv1.onnx\n"
      "          headroom extract model.onnx --from x --to logits --output middle.onnx");
  verb.callback([&] {
    context.action = [&arguments, &context] { return extract(arguments, context.stop); };
  });
}

}  // namespace headroom::cli
