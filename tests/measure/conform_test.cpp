// SPDX-License-Identifier: Apache-2.0
// The data sets of a test case through a fake engine that gives its inputs back.
#include "measure/conform.h"

#include <headroom/base/error.h>

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/fake_engine.h"
#include "measure/tensors.h"
#include "support/fake_host.h"
#include "support/onnx_spec.h"
#include "support/temp_folder.h"
#include "support/value_spec.h"

namespace headroom {
namespace {

using test::FakeEngine;
using testing::HasSubstr;

class Conform : public testing::Test {
 protected:
  Conform() {
    engine_.behaviour.outputs = [](const std::vector<Tensor>& inputs, std::uint64_t, bool) {
      std::vector<Tensor> outputs;
      for (const Tensor& input : inputs) outputs.push_back(copy_of(input));
      return outputs;
    };
    plan_.role = Role::Conform;
    plan_.engine = "fake";
  }

  DataFile file(const std::string& name, const std::string& bytes,
                TypeKind kind = TypeKind::Tensor) {
    const std::string path = (folder_ / (name + std::to_string(files_++))).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return {.name = name, .kind = kind, .path = path};
  }

  // One input x and one expected output y.
  void add_set(const std::string& name, float input, float output) {
    plan_.conformance.data_sets.push_back(
        {.name = name,
         .inputs = {file("x", test::float_tensor("", {1}, {input}).bytes)},
         .outputs = {file("y", test::float_tensor("", {1}, {output}).bytes)}});
  }

  Record run() {
    return measure_case(plan_, {.engine = engine_, .clock = clock_, .host = host_, .stop = stop_});
  }

  test::TempFolder folder_;
  int files_ = 0;
  FakeEngine engine_{};
  test::ManualClock clock_{};
  test::FakeHost host_{test::FakeHost::Files{}};
  StopFlag stop_{false};
  Case plan_{};
};

TEST_F(Conform, RunsEveryDataSetInOneSession) {
  add_set("test_data_set_0", 1, 1);
  add_set("test_data_set_1", 2, 3);
  const Record record = run();
  EXPECT_EQ(record.outcome.status, Status::Ok) << record.outcome.reason;
  EXPECT_EQ(engine_.asked.size(), 1U);
  ASSERT_EQ(record.conformance.data_sets.size(), 2U);
  EXPECT_EQ(record.conformance.data_sets[0].name, "test_data_set_0");
  EXPECT_TRUE(record.conformance.data_sets[0].outputs.at(0).is_equal);
  const OutputCheck& wrong = record.conformance.data_sets[1].outputs.at(0);
  EXPECT_FALSE(wrong.is_equal);
  EXPECT_THAT(wrong.reason, HasSubstr("found 2, expected 3"));
}

TEST_F(Conform, TakesTheTolerancesOfTheCase) {
  plan_.conformance.rel_tolerance = 0.5;
  add_set("test_data_set_0", 2, 3);  // 1 <= 1.5
  EXPECT_TRUE(run().conformance.data_sets.at(0).outputs.at(0).is_equal);
}

TEST_F(Conform, NamesOutputsWithoutAPartner) {
  add_set("test_data_set_0", 1, 1);
  plan_.conformance.data_sets[0].outputs.push_back(
      file("z", test::float_tensor("", {1}, {1}).bytes));
  add_set("test_data_set_1", 1, 1);
  plan_.conformance.data_sets[1].outputs.clear();
  const Record record = run();
  EXPECT_EQ(record.conformance.data_sets.at(0).outputs.at(1).reason,
            "expected, and the engine gives no such output");
  EXPECT_EQ(record.conformance.data_sets.at(1).outputs.at(0).reason,
            "given by the engine, and not expected");
}

TEST_F(Conform, KeepsWhatRanBeforeAFailure) {
  add_set("test_data_set_0", 1, 1);
  add_set("test_data_set_1", 2, 2);
  engine_.behaviour.on_run = [](std::uint64_t run) {
    if (run == 2) throw Error(ErrorKind::Engine, "no second run");
  };
  const Record record = run();
  EXPECT_EQ(record.outcome.status, Status::Failed);
  EXPECT_EQ(record.outcome.reason, "no second run");
  EXPECT_EQ(record.conformance.data_sets.size(), 1U);
}

TEST_F(Conform, CallsASequenceUnsupportedWhereTheAdapterTakesTensors) {
  plan_.conformance.data_sets.push_back(
      {.name = "test_data_set_0",
       .inputs = {file("s", test::value_holder("s", test::Held::Tensor, {}), TypeKind::Sequence)},
       .outputs = {}});
  const Record record = run();
  EXPECT_EQ(record.outcome.status, Status::Unsupported);
  EXPECT_THAT(record.outcome.reason, HasSubstr("input 's' is given as sequence of 0"));
}

TEST_F(Conform, EndsBetweenDataSetsWhenInterrupted) {
  add_set("test_data_set_0", 1, 1);
  add_set("test_data_set_1", 2, 2);
  engine_.behaviour.on_run = [&](std::uint64_t) { stop_ = true; };
  const Record record = run();
  EXPECT_EQ(record.outcome.status, Status::Partial);
  EXPECT_EQ(record.conformance.data_sets.size(), 1U);
}

TEST_F(Conform, NamesTheFileThatIsNoTensor) {
  add_set("test_data_set_0", 1, 1);
  plan_.conformance.data_sets[0].inputs[0] = file("x", "no tensor");
  const Record record = run();
  EXPECT_EQ(record.outcome.status, Status::Failed);
  EXPECT_EQ(record.outcome.error_kind, "bad_input");
}

}  // namespace
}  // namespace headroom
