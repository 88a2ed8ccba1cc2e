// SPDX-License-Identifier: Apache-2.0
// The search for accepted inputs.
#include "experiment/probe.h"

#include <gtest/gtest.h>

#include "experiment/scripted.h"
#include "support/fake_launcher.h"
#include "support/manual_clock.h"

namespace headroom::experiment {
namespace {

using headroom::test::failed;
using headroom::test::FakeLauncher;

constexpr const char* kRefusal =
    "Non-zero status code returned while running Concat node. Name:'Concat_12' Status Message: "
    "dimensions do not match\nmore";

Case with_shape(std::vector<std::int64_t> shape) {
  return {.engine = "scripted",
          .inputs = {{.name = "x", .type = ElementType::Float32, .shape = std::move(shape)}}};
}

RunPlan plan_of_three() {
  return {.plan_case = with_shape({1, 3, 224, 224}),
          .alternatives = {with_shape({1, 3, 48, 320}), with_shape({1, 3, 64, 64})}};
}

class Probe : public ::testing::Test {
 protected:
  Accepted search(const RunPlan& plan, FakeLauncher& launcher) {
    return find_accepted(plan, launcher, clock_, stop_, {});
  }
  headroom::test::ManualClock clock_;
  StopFlag stop_{false};
};

TEST_F(Probe, StartsNothingWithoutAlternatives) {
  FakeLauncher launcher([](const Case&) { return Record{}; });
  const Accepted accepted = search({.plan_case = with_shape({1})}, launcher);
  EXPECT_TRUE(launcher.cases().empty());
  EXPECT_EQ(accepted.outcome.status, Status::Ok);
}

TEST_F(Probe, TakesTheFirstThatIsAcceptedAndSaysWhatWasRefused) {
  FakeLauncher launcher([](const Case& plan_case) {
    return plan_case.inputs[0].shape[2] == 48 ? Record{}
                                              : failed(Status::Failed, "engine", kRefusal);
  });
  const Accepted accepted = search(plan_of_three(), launcher);
  EXPECT_EQ(accepted.outcome.status, Status::Ok);
  EXPECT_EQ(accepted.plan_case.inputs[0].shape, (std::vector<std::int64_t>{1, 3, 48, 320}));
  EXPECT_EQ(launcher.cases_of(Role::Probe).size(), 2U);
  EXPECT_EQ(
      accepted.note,
      "input shapes x=1x3x224x224 were refused by the engine (\"Non-zero status code returned "
      "while running Concat node. Name:'Concat_12' Status Message: dimensions do not match\"); "
      "x=1x3x48x320 was accepted");
}

TEST_F(Probe, NamesTheNodeAndTheOptionWhenAllAreRefused) {
  FakeLauncher launcher([](const Case&) { return failed(Status::Failed, "engine", kRefusal); });
  const Accepted accepted = search(plan_of_three(), launcher);
  EXPECT_EQ(launcher.cases().size(), 3U);
  EXPECT_EQ(accepted.outcome.status, Status::Failed);
  EXPECT_EQ(accepted.outcome.error_kind, "engine");
  const std::string& reason = accepted.outcome.reason;
  EXPECT_NE(reason.find("node 'Concat_12' (Concat) refused"), std::string::npos) << reason;
  EXPECT_NE(reason.find("3 customary choices were tried"), std::string::npos) << reason;
  EXPECT_NE(reason.find("--shape x=1x3x224x224"), std::string::npos) << reason;
  EXPECT_NE(reason.find("--input x=FILE.npy"), std::string::npos) << reason;
}

TEST_F(Probe, EndsAtOnceWhenOtherInputsCannotHelp) {
  FakeLauncher launcher(
      [](const Case&) { return failed(Status::Unsupported, "unsupported", "no such operator"); });
  const Accepted accepted = search(plan_of_three(), launcher);
  EXPECT_EQ(launcher.cases().size(), 1U);
  EXPECT_EQ(accepted.outcome.status, Status::Unsupported);
  EXPECT_EQ(accepted.outcome.reason, "no such operator");
}

TEST_F(Probe, GivesEachProcessOnlyTheTimeThatIsLeft) {
  FakeLauncher launcher([this](const Case&) {
    clock_.advance(std::chrono::seconds{20});
    return failed(Status::Timeout, "limit", "too slow");
  });
  const Accepted accepted = search(plan_of_three(), launcher);
  ASSERT_EQ(launcher.cases().size(), 2U);  // 30 s in all
  EXPECT_EQ(launcher.cases()[0].limits.time, std::chrono::seconds{30});
  EXPECT_EQ(launcher.cases()[1].limits.time, std::chrono::seconds{10});
  EXPECT_NE(accepted.outcome.reason.find("2 of 3 customary choices were tried in 30.0 s"),
            std::string::npos)
      << accepted.outcome.reason;
  // It was once called a refusal of the engine, with that exit status.
  EXPECT_EQ(accepted.outcome.status, Status::Timeout);
  EXPECT_EQ(accepted.outcome.error_kind, "limit");
  EXPECT_NE(accepted.outcome.reason.find("a limit stopped every run of the generated inputs"),
            std::string::npos);
}

TEST_F(Probe, AcceptsNothingWithoutTime) {
  RunPlan plan = plan_of_three();
  plan.probe_time = Nanoseconds{0};
  FakeLauncher launcher([](const Case&) { return Record{}; });
  EXPECT_EQ(search(plan, launcher).outcome.status, Status::Failed);
  EXPECT_TRUE(launcher.cases().empty());
}

TEST_F(Probe, CallsItARefusalWhereTheEngineRefusedOnce) {
  FakeLauncher launcher([count = 0](const Case&) mutable {
    return ++count == 2 ? failed(Status::Failed, "engine", "no such shape")
                        : failed(Status::Timeout, "limit", "too slow");
  });
  const Outcome outcome = search(plan_of_three(), launcher).outcome;
  EXPECT_EQ(outcome.status, Status::Failed);
  EXPECT_EQ(outcome.error_kind, "engine");
}

TEST_F(Probe, EndsOnAnInterrupt) {
  FakeLauncher launcher([this](const Case&) {
    stop_ = true;
    return failed(Status::Partial, "interrupted", "interrupted");
  });
  EXPECT_EQ(search(plan_of_three(), launcher).outcome.status, Status::Partial);
  EXPECT_EQ(launcher.cases().size(), 1U);
}

TEST(BlamedNode, IsReadFromTheEnginesWords) {
  EXPECT_EQ(blamed_node(kRefusal), "'Concat_12' (Concat)");
  EXPECT_EQ(blamed_node("something else"), "");
}

TEST(DescribeDifference, SaysValuesWhereTheyAreTheChoice) {
  Case slow{.inputs = {{.name = "x", .shape = {1, 512}},
                       {.name = "rate", .fill = FillKind::Integers, .low = 8000, .high = 8000}}};
  Case fast = slow;
  fast.inputs[1].low = fast.inputs[1].high = 16000;
  EXPECT_EQ(describe_difference(fast, slow), "rate=scalar (value 16000)");
}

}  // namespace
}  // namespace headroom::experiment
