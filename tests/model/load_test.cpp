// SPDX-License-Identifier: Apache-2.0
// The model as a whole: its plain fields, versions, and files that are no model.
#include <headroom/model/model.h>

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/model_builder.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using test::FunctionBuilder;
using test::message_of;
using test::ModelBuilder;
using test::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;

ModelBuilder relu() {
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{"batch", 3}});
  model.node("Relu", {"x"}, {"y"}, {}, "", "relu");
  model.output("y", ElementType::Float32);
  return model;
}

std::vector<std::string> codes(const Model& model) {
  std::vector<std::string> found;
  for (const Diagnostic& diagnostic : model.diagnostics) found.push_back(diagnostic.code);
  return found;
}

std::string load_error(std::string_view content, std::string_view file = "model.onnx") {
  const TemporaryFolder folder;
  const auto path = folder.path() / file;
  std::ofstream(path, std::ios::binary) << content;
  return message_of(ErrorKind::BadInput, [&] { load_model(path); });
}

TEST(LoadModel, ReadsTheFieldsOfTheModel) {
  ModelBuilder builder = relu();
  builder.ir_version(9).opset("", 18).opset("com.microsoft", 1);
  builder.metadata("author", "a").metadata("author", "b").metadata("task", "t");
  builder
      .raw_model(
          "\x1a\x03"
          "1.2")
      .raw_model("\x22\x03org");
  const Model model = builder.parse();
  EXPECT_EQ(model.ir_version, 9);
  EXPECT_EQ(model.producer, "test 1.2");
  EXPECT_EQ(model.domain, "org");
  EXPECT_EQ(model.opset(), 18);
  EXPECT_EQ(model.opset("ai.onnx"), 18);
  EXPECT_EQ(model.opset("com.microsoft"), 1);
  EXPECT_EQ(model.opset("other"), 0);
  EXPECT_EQ(model.metadata, (std::map<std::string, std::string>{{"author", "b"}, {"task", "t"}}));
  EXPECT_THAT(codes(model), testing::IsEmpty());
}

TEST(LoadModel, ReadsAPlainGraph) {
  const Model model = relu().parse();
  const Graph& graph = model.graph;
  ASSERT_EQ(graph.nodes.size(), 1U);
  EXPECT_EQ(graph.nodes[0].op, "Relu");
  EXPECT_EQ(graph.nodes[0].name, "relu");
  ASSERT_EQ(graph.inputs.size(), 1U);
  EXPECT_EQ(graph.nodes[0].inputs, graph.inputs);
  EXPECT_EQ(graph.nodes[0].outputs, graph.outputs);
  const Value& x = graph.values[graph.inputs[0]];
  EXPECT_EQ(x.name, "x");
  EXPECT_EQ(x.origin, Origin::Input);
  EXPECT_EQ(x.type.kind, TypeKind::Tensor);
  EXPECT_EQ(x.type.element, ElementType::Float32);
  EXPECT_EQ(to_string(*x.type.shape), "batchx3");
  const Value& y = graph.values[graph.outputs[0]];
  EXPECT_EQ(y.origin, Origin::Node);
  EXPECT_EQ(y.index, 0U);
  EXPECT_EQ(y.type.shape, std::nullopt);
}

TEST(ParseModel, ReadsBytesThatTheCallerKeeps) {
  const std::string bytes = relu().bytes();
  const Model model = parse_model(std::as_bytes(std::span(bytes)), ".");
  EXPECT_EQ(model.graph.nodes.size(), 1U);
  EXPECT_TRUE(model.path.empty());
}

TEST(LoadModel, RefusesIrVersionsBeforeTheFirstRelease) {
  EXPECT_THAT(load_error(relu().ir_version(2).bytes()), HasSubstr("IR version is 2; 3 to 13"));
  EXPECT_THAT(load_error(relu().ir_version(std::nullopt).bytes()), HasSubstr("IR version is 0"));
}

TEST(LoadModel, AcceptsAllIrVersionsThatItKnows) {
  for (std::int64_t version = 3; version <= 13; ++version) {
    EXPECT_THAT(codes(relu().ir_version(version).parse()), testing::IsEmpty()) << version;
  }
}

TEST(LoadModel, WarnsOfANewerIrVersion) {
  EXPECT_THAT(codes(relu().ir_version(14).parse()), testing::ElementsAre("newer_ir_version"));
}

TEST(LoadModel, WarnsWhereNoOperatorSetIsImported) {
  EXPECT_THAT(codes(relu().no_opset().parse()), testing::ElementsAre("no_opset"));
}

TEST(LoadModel, WarnsOfNodesWhoseDomainIsNotImported) {
  ModelBuilder builder = relu();
  builder.node("Gelu", {"y"}, {"z"}, {}, "com.microsoft");
  builder.node("Gelu", {"z"}, {"w"}, {}, "com.microsoft");
  const Model model = builder.parse();
  ASSERT_THAT(codes(model), testing::ElementsAre("domain_not_imported"));
  EXPECT_THAT(model.diagnostics[0].message, HasSubstr("'com.microsoft'"));
}

TEST(LoadModel, SaysThatTrainingInformationIsSkipped) {
  const Model model = relu().raw_model(std::string("\xa2\x01\x00", 3)).parse();
  EXPECT_THAT(codes(model), testing::ElementsAre("training_info_skipped"));
  EXPECT_EQ(model.diagnostics[0].severity, Severity::Note);
}

TEST(LoadModel, SkipsUnknownFieldsOfEveryWireType) {
  // Fields 1000 to 1003: a varint, 8 bytes, a block, 4 bytes.
  const std::string unknown(
      "\xc0\x3e\x05"
      "\xc9\x3e"
      "12345678"
      "\xd2\x3e\x02"
      "ab"
      "\xdd\x3e"
      "1234");
  EXPECT_EQ(relu().raw_model(unknown).parse().graph.nodes.size(), 1U);
}

TEST(LoadModel, TakesTheLastOfARepeatedSingularField) {
  EXPECT_EQ(relu().raw_model(std::string("\x08\x08", 2)).parse().ir_version, 8);
}

TEST(LoadModel, ReadsFunctions) {
  ModelBuilder builder = relu();
  builder.opset("", 21).opset("local", 1);
  builder.function(FunctionBuilder("local", "F", "v2")
                       .inputs({"a"})
                       .outputs({"b"})
                       .attribute("alpha")
                       .default_attribute(test::attr("beta", 2.0F))
                       .opset("", 20)
                       .node("LeakyRelu", {"a"}, {"b"}, {test::reference("alpha", "alpha", 1)}));
  const Model model = builder.parse();
  ASSERT_EQ(model.functions.size(), 1U);
  const Function& function = model.functions[0];
  EXPECT_EQ(function.name, "F");
  EXPECT_EQ(function.domain, "local");
  EXPECT_EQ(function.overload, "v2");
  EXPECT_EQ(function.attributes, std::vector<std::string>{"alpha"});
  ASSERT_EQ(function.default_attributes.size(), 1U);
  EXPECT_EQ(std::get<float>(function.default_attributes[0].value), 2.0F);
  ASSERT_EQ(function.opsets.size(), 1U);
  EXPECT_EQ(function.opsets[0].version, 20);
  ASSERT_EQ(function.body.nodes.size(), 1U);
  EXPECT_EQ(function.body.nodes[0].attributes[0].reference, "alpha");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(function.body.nodes[0].attributes[0].value));
}

TEST(LoadModel, RefusesAFunctionThatIsDefinedTwice) {
  ModelBuilder builder = relu();
  const FunctionBuilder function("local", "F");
  EXPECT_THAT(load_error(builder.function(function).function(function).bytes()),
              HasSubstr("function 'F': domain 'local' defines it twice"));
}

TEST(LoadModel, SaysWhereAFileIsMissing) {
  EXPECT_THAT(message_of(ErrorKind::NotFound, [] { load_model("no/such/model.onnx"); }),
              HasSubstr("no/such/model.onnx"));
}

TEST(LoadModel, RefusesADirectory) {
  const TemporaryFolder folder;
  EXPECT_THAT(message_of(ErrorKind::BadInput, [&] { load_model(folder.path()); }),
              HasSubstr("directory"));
}

TEST(LoadModel, RefusesAnEmptyFile) {
  EXPECT_THAT(load_error(""), AllOf(HasSubstr("model.onnx"), HasSubstr("is empty")));
}

TEST(LoadModel, SaysWhatATextFileLooksLike) {
  EXPECT_THAT(load_error("hello, world\n"), HasSubstr("looks like text"));
  EXPECT_THAT(load_error("\n<!DOCTYPE html><html>"), HasSubstr("HTML page"));
  EXPECT_THAT(load_error("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"),
              HasSubstr("git lfs pull"));
  EXPECT_THAT(load_error(std::string("PK\x03\x04\x14\x00\x00\x00\xff", 9)),
              HasSubstr("zip archive"));
}

TEST(LoadModel, NamesFileAndByteOfAnInvalidField) {
  // Field 7 (graph) announces 127 bytes at byte 2, and the file ends.
  const std::string message = load_error(std::string("\x08\x07\x3a\x7f", 4));
  EXPECT_THAT(message, AllOf(HasSubstr("model.onnx'"), HasSubstr("ModelProto, field 7, byte 3"),
                             HasSubstr("127 bytes are announced, 0 are left")));
}

TEST(LoadModel, RefusesAModelWithoutAGraph) {
  EXPECT_THAT(load_error(std::string("\x08\x07", 2)), HasSubstr("there is no graph in it"));
}

TEST(LoadModel, RefusesAFieldOfTheWrongWireType) {
  // ir_version as a block of bytes.
  EXPECT_THAT(load_error(std::string("\x0a\x01\x07", 3)), HasSubstr("an integer is wanted"));
}

TEST(LoadModel, KeepsNamesOutOfTheTerminal) {
  ModelBuilder model;
  model.node("Relu", {"\x1b[31mred"}, {"y"});
  EXPECT_THAT(load_error(model.bytes()), HasSubstr("\\x1b[31mred"));
}

}  // namespace
}  // namespace headroom
