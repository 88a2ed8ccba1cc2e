// SPDX-License-Identifier: Apache-2.0
// Lists, ranges and combinations of the command line.
#include <headroom/app/arguments.h>
#include <headroom/base/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/thrown.h"

namespace headroom::app {
namespace {

using test::message_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<ShapeOptions> axes(const std::vector<std::string>& shapes,
                               const std::vector<std::string>& dims = {}) {
  return parse_shape_axes(shapes, dims);
}

TEST(ParseNumbers, ReadsListsAndRanges) {
  EXPECT_THAT(parse_numbers("4", "--threads"), ElementsAre(4));
  EXPECT_THAT(parse_numbers("1,2,4", "--threads"), ElementsAre(1, 2, 4));
  EXPECT_THAT(parse_numbers("2..5", "--threads"), ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(parse_numbers("1..64*2", "--threads"), ElementsAre(1, 2, 4, 8, 16, 32, 64));
  EXPECT_THAT(parse_numbers("1..60*2", "--threads"), ElementsAre(1, 2, 4, 8, 16, 32));
  EXPECT_THAT(parse_numbers("1..9+3,20", "--threads"), ElementsAre(1, 4, 7, 20));
  EXPECT_THAT(parse_numbers("3..3", "--threads"), ElementsAre(3));
}

TEST(ParseNumbers, DoesNotOverflow) {
  EXPECT_THAT(parse_numbers("4611686018427387904..9223372036854775807*2", "--dim"),
              ElementsAre(4611686018427387904));
  EXPECT_THAT(parse_numbers("9223372036854775807..9223372036854775807", "--dim"),
              ElementsAre(9223372036854775807));
}

TEST(ParseNumbers, RefusesWhatIsNone) {
  const auto refusal = [](const std::string& text) {
    return message_of(ErrorKind::Usage, [&] { parse_numbers(text, "--threads"); });
  };
  EXPECT_THAT(refusal("0"), HasSubstr("--threads: a number of at least 1 is needed, found 0"));
  EXPECT_THAT(refusal("4..2"), HasSubstr("'4..2' is no range; 1..8, 1..64*2 and 1..9+2 are"));
  EXPECT_THAT(refusal("1..8*1"), HasSubstr("is no range"));
  EXPECT_THAT(refusal("1..8+0"), HasSubstr("at least 1"));
  EXPECT_THAT(refusal("1,2,1"), HasSubstr("'1' is given twice"));
  EXPECT_THAT(refusal("1..101"), HasSubstr("more than 100 values"));
  for (const char* text : {"", "1,", "1..", "..2", "1..2*", "a", "1...3"})
    EXPECT_THAT(refusal(text), HasSubstr("--threads")) << text;
}

TEST(ParseThreads, RefusesMoreThanThereCanBe) {
  // 2^32 + 1 threads once ran as one.
  EXPECT_THAT(parse_threads("1,2"), ElementsAre(1, 2));
  EXPECT_THAT(message_of(ErrorKind::Usage, [] { parse_threads("4294967297"); }),
              HasSubstr("--threads: at most 1073741823 are possible, found 4294967297"));
}

TEST(ParseNames, ReadsAList) {
  EXPECT_THAT(parse_names("onnxruntime,openvino", "--engine"),
              ElementsAre("onnxruntime", "openvino"));
  EXPECT_THAT(message_of(ErrorKind::Usage, [] { parse_names("a,a", "--engine"); }),
              HasSubstr("'a' is given twice"));
  EXPECT_THAT(message_of(ErrorKind::Usage, [] { parse_names("a,", "--engine"); }),
              HasSubstr("holds an empty name"));
}

TEST(ParseFills, TakesOneForAllAndOneForEach) {
  InputOptions options;
  const std::vector<std::string> texts = {"zeros", "a=b=ones", "x=sparse:0.5"};
  parse_fills(texts, options);
  EXPECT_EQ(options.fill->kind, FillKind::Zeros);
  EXPECT_EQ(options.fills.at("a=b").kind, FillKind::Ones);
  EXPECT_EQ(options.fills.at("x").zeros, 0.5);
  for (const std::vector<std::string>& twice :
       {std::vector<std::string>{"x=ones", "x=zeros"}, std::vector<std::string>{"ones", "zeros"}}) {
    InputOptions other;
    EXPECT_THAT(message_of(ErrorKind::Usage, [&] { parse_fills(twice, other); }),
                HasSubstr("given twice"));
  }
}

TEST(ParseShapeAxes, IsOneWhereNothingIsRepeated) {
  const auto none = axes({});
  ASSERT_EQ(none.size(), 1U);
  EXPECT_THAT(none[0].shapes, IsEmpty());
  const auto one = axes({"x=1x3", "a=b=scalar"}, {"n=2"});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_THAT(one[0].shapes.at("x"), ElementsAre(1, 3));
  EXPECT_THAT(one[0].shapes.at("a=b"), IsEmpty());
  EXPECT_EQ(one[0].dims.at("n"), 2);
}

TEST(ParseShapeAxes, TakesShapesOfSeveralInputsTogetherInOrder) {
  const auto all = axes({"x=1x8", "mask=1", "x=4x8", "mask=4", "w=7"});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_THAT(all[0].shapes.at("x"), ElementsAre(1, 8));
  EXPECT_THAT(all[0].shapes.at("mask"), ElementsAre(1));
  EXPECT_THAT(all[0].shapes.at("w"), ElementsAre(7));
  EXPECT_THAT(all[1].shapes.at("x"), ElementsAre(4, 8));
  EXPECT_THAT(all[1].shapes.at("mask"), ElementsAre(4));
  EXPECT_THAT(all[1].shapes.at("w"), ElementsAre(7));
}

TEST(ParseShapeAxes, CombinesDimensions) {
  const auto all = axes({}, {"batch=1,4", "length=16..64*2"});
  ASSERT_EQ(all.size(), 6U);
  EXPECT_EQ(all[0].dims.at("batch"), 1);
  EXPECT_EQ(all[0].dims.at("length"), 16);
  EXPECT_EQ(all[2].dims.at("length"), 64);
  EXPECT_EQ(all[5].dims.at("batch"), 4);
  EXPECT_EQ(all[5].dims.at("length"), 64);
  EXPECT_EQ(axes({"x=1", "x=2"}, {"n=1", "n=2"}).size(), 4U) << "a list may be given in parts";
}

TEST(ParseShapeAxes, RefusesContradictions) {
  EXPECT_THAT(message_of(ErrorKind::Usage,
                         [] {
                           axes({"x=1", "x=2", "y=1", "y=2", "y=3"});
                         }),
              HasSubstr("'x' has 2 shapes and 'y' 3"));
  EXPECT_THAT(message_of(ErrorKind::Usage,
                         [] {
                           axes({"x=1x2", "x=1x2"});
                         }),
              HasSubstr("'x=1x2' is given twice"));
  EXPECT_THAT(message_of(ErrorKind::Usage,
                         [] {
                           axes({}, {"n=1,2", "n=2"});
                         }),
              HasSubstr("'n=2' is given twice"));
  const std::vector<std::string> two = {"x=1", "x=2"};
  EXPECT_THAT(message_of(ErrorKind::Usage, [&] { parse_shape_options(two, {}); }),
              HasSubstr("2 combinations here, and one is needed"));
}

}  // namespace
}  // namespace headroom::app
