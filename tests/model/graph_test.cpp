// SPDX-License-Identifier: Apache-2.0
#include <headroom/model/graph.h>

#include <gtest/gtest.h>

namespace headroom {
namespace {

TEST(ShapeToString, ShowsSizesSymbolsAndOpenDimensions) {
  EXPECT_EQ(to_string(Shape{}), "scalar");
  EXPECT_EQ(to_string(Shape{{std::nullopt, "batch"}, {3, {}}, {std::nullopt, {}}}), "batchx3x?");
}

TEST(KnownSizes, AreThereOnlyIfAllAre) {
  EXPECT_EQ(known_sizes(Shape{{2, {}}, {3, {}}}), (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(known_sizes(Shape{{2, {}}, {std::nullopt, "n"}}), std::nullopt);
  EXPECT_EQ(known_sizes(Shape{}), std::vector<std::int64_t>{});
}

Node node_with(std::string name, AttributeValue value) {
  Node node;
  node.attributes.push_back({std::move(name), std::move(value), {}});
  return node;
}

TEST(NodeAttributes, FallBackWhereAbsentOrOfAnotherType) {
  const Node node = node_with("axis", std::int64_t{2});
  EXPECT_EQ(node.integer("axis", 7), 2);
  EXPECT_EQ(node.integer("axes", 7), 7);
  EXPECT_EQ(node.real("axis", 0.5F), 0.5F);
  EXPECT_EQ(node.text("axis", "none"), "none");
  EXPECT_TRUE(node.integers("axis").empty());
  EXPECT_EQ(node.find("axes"), nullptr);
}

TEST(NodeAttributes, GiveListsAndTexts) {
  const Node list = node_with("pads", std::vector<std::int64_t>{1, 2});
  ASSERT_EQ(list.integers("pads").size(), 2U);
  EXPECT_EQ(list.integers("pads")[1], 2);
  const Node text = node_with("mode", std::string("edge"));
  EXPECT_EQ(text.text("mode", "constant"), "edge");
}

TEST(NodeBodies, AreTheGraphsOfAllAttributesInOrder) {
  Node node = node_with("then_branch", std::vector<Graph>(1));
  node.attributes.push_back({"n", std::int64_t{1}, {}});
  node.attributes.push_back({"else_branch", std::vector<Graph>(2), {}});
  const auto bodies = node.bodies();
  ASSERT_EQ(bodies.size(), 3U);
  EXPECT_EQ(bodies[0], std::get<std::vector<Graph>>(node.attributes[0].value).data());
}

}  // namespace
}  // namespace headroom
