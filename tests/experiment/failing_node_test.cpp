// SPDX-License-Identifier: Apache-2.0
// A node is planted that makes parts of a model fail; the search must name it, and nothing else
// when it cannot.
#include <headroom/base/error.h>
#include <headroom/experiment.h>

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fake_launcher.h"
#include "support/manual_clock.h"

namespace headroom {
namespace {

using test::FakeLauncher;
using test::ManualClock;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr Nanoseconds kSecond{1'000'000'000};

Outcome crash(std::string ended_by = "SIGSEGV") {
  return {.status = Status::Failed,
          .reason = "the worker crashed",
          .error_kind = "engine",
          .ended_by = std::move(ended_by)};
}
Outcome engine_error(std::string reason) {
  return {.status = Status::Failed, .reason = std::move(reason), .error_kind = "engine"};
}
Outcome hang() {
  return {.status = Status::Timeout, .reason = "stopped", .error_kind = "limit"};
}

/// Parts are told by the model of their case: `first 3`, `alone 2`, `needed 2`, `whole`.
FailureParts parts_of(std::size_t count) {
  FailureParts parts{
      .first = [](std::size_t n) { return Case{.model = fmt::format("first {}", n)}; },
      .alone =
          [](std::size_t n) {
            return PartCase{{.model = fmt::format("alone {}", n)}, "repeat it alone"};
          },
      .needed =
          [](std::size_t n) {
            return PartCase{{.model = fmt::format("needed {}", n)}, "repeat what it needs"};
          }};
  for (std::size_t i = 0; i < count; ++i)
    parts.nodes.push_back({.name = fmt::format("n{}", i), .op = "Op"});
  return parts;
}

/// The first nodes up to and with `planted`, and the whole.
bool holds(const std::string& model, std::size_t planted) {
  if (model == "whole") return true;
  return model.starts_with("first ") && std::stoul(model.substr(6)) > planted;
}

class FailingNode : public testing::Test {
 protected:
  std::string note(const Outcome& outcome, const FailureParts& parts, FakeLauncher& launcher) {
    Record failed;
    failed.plan_case.model = "whole";
    failed.plan_case.limits.time = 10 * kSecond;
    failed.outcome = outcome;
    EXPECT_TRUE(engine_failure(failed));
    return find_failing_node(failed, parts, launcher, clock_, stop_, {});
  }
  /// A launcher whose cases fail as `outcome` where `fails` says so; each launch takes `time`, a
  /// hang its limit.
  template <class Fails>
  FakeLauncher launcher(Outcome outcome, Fails fails, Nanoseconds time = Nanoseconds{1'000'000}) {
    return FakeLauncher([this, outcome, fails, time](const Case& plan_case) {
      Record record;
      if (fails(plan_case)) record.outcome = outcome;
      const bool hangs = record.outcome.status == Status::Timeout;
      clock_.advance(hangs ? plan_case.limits.time.value() : time);
      return record;
    });
  }

  ManualClock clock_{};
  StopFlag stop_{false};
};

TEST_F(FailingNode, IsFoundByHalvingWhereverItIs) {
  for (const std::size_t count : {1U, 2U, 3U, 7U, 64U, 50'000U}) {
    for (const std::size_t planted : {std::size_t{0}, count / 3, count - 1}) {
      FakeLauncher launches = launcher(crash(), [&](const Case& part) {
        return holds(part.model, planted) || part.model == fmt::format("alone {}", planted);
      });
      EXPECT_EQ(note(crash(), parts_of(count), launches),
                fmt::format("node 'n{}' (Op) fails alone: repeat it alone", planted));
      EXPECT_LE(launches.cases().size(), 20U);
    }
  }
}

TEST_F(FailingNode, IsTakenFromTheEnginesWordsWithoutASearch) {
  const Outcome outcome = engine_error("while running Op node. Name:'n5' Status Message: bad");
  FakeLauncher launches =
      launcher(outcome, [](const Case& part) { return part.model == "alone 5"; });
  EXPECT_EQ(note(outcome, parts_of(9), launches), "node 'n5' (Op) fails alone: repeat it alone");
  EXPECT_EQ(launches.cases().size(), 1U);
}

TEST_F(FailingNode, ThatDoesNotFailAloneIsOfferedWithWhatItNeeds) {
  FakeLauncher launches = launcher(
      crash(), [](const Case& part) { return holds(part.model, 4) || part.model == "needed 4"; });
  EXPECT_EQ(note(crash(), parts_of(9), launches),
            "node 'n4' (Op) does not fail alone, but with the nodes that it needs: repeat what it "
            "needs");
}

TEST_F(FailingNode, IsNamedWithoutALineWhereNoPartOfItsOwnFails) {
  FakeLauncher launches = launcher(crash(), [](const Case& part) { return holds(part.model, 4); });
  EXPECT_THAT(
      note(crash(), parts_of(9), launches),
      AllOf(HasSubstr("node 'n4' (Op) is the one with which the first nodes begin to fail"),
            HasSubstr("neither alone nor with the nodes that it needs"), Not(HasSubstr("repeat"))));
}

TEST_F(FailingNode, IsNotClaimedWhenTheFailureDoesNotRepeat) {
  FakeLauncher launches = launcher(crash(), [](const Case&) { return false; });
  EXPECT_THAT(note(crash(), parts_of(9), launches),
              AllOf(HasSubstr("not known"), HasSubstr("did not fail again"), HasSubstr("ok")));
  // Once with a single run, once as it was timed.
  ASSERT_EQ(launches.cases().size(), 2U);
  EXPECT_EQ(launches.cases()[0].role, Role::Probe);
  EXPECT_EQ(launches.cases()[1].role, Role::Measure);
}

TEST_F(FailingNode, IsNotClaimedWhenTheFailureIsAnotherOne) {
  for (const Outcome& other :
       {crash("SIGABRT"), engine_error("something else"), hang(), Outcome{.status = Status::Ok}}) {
    FakeLauncher launches = launcher(other, [](const Case&) { return true; });
    EXPECT_THAT(note(crash(), parts_of(9), launches), HasSubstr("did not fail again"));
  }
}

TEST_F(FailingNode, IsSearchedInTimedLaunchesWhenASingleRunPasses) {
  FakeLauncher launches = launcher(crash(), [](const Case& part) {
    return part.role == Role::Measure && (holds(part.model, 2) || part.model == "alone 2");
  });
  EXPECT_THAT(note(crash(), parts_of(5), launches), StartsWith("node 'n2' (Op) fails alone"));
}

TEST_F(FailingNode, MustFailWithTheSameWords) {
  // From node 3 on the parts fail too, but of something else: node 6 is the planted one.
  const FailureParts parts = parts_of(9);
  FakeLauncher launches([&](const Case& part) {
    Record record;
    if (holds(part.model, 6))
      record.outcome = engine_error("'" + part.model + "' is broken");
    else if (holds(part.model, 3))
      record.outcome = engine_error("no type");
    if (part.model == "alone 6") record.outcome = engine_error("alone 6 is broken");
    return record;
  });
  EXPECT_THAT(note(engine_error("'whole' is broken"), parts, launches),
              StartsWith("node 'n6' (Op) fails alone"));
}

TEST_F(FailingNode, ThatHangsIsFoundInTheTimeOfTwoRuns) {
  for (const std::size_t planted : {0U, 4U, 8U}) {
    const TimePoint begin = clock_.now();
    FakeLauncher launches = launcher(hang(), [&](const Case& part) {
      return holds(part.model, planted) || part.model == fmt::format("alone {}", planted);
    });
    EXPECT_THAT(note(hang(), parts_of(9), launches),
                AllOf(StartsWith(fmt::format("node 'n{}' (Op) fails alone", planted)),
                      HasSubstr("does not end within"), EndsWith("repeat it alone")));
    EXPECT_LE(clock_.now() - begin, 20 * kSecond);
  }
}

TEST_F(FailingNode, SlowNodesAreNotCalledHanging) {
  // Each node takes 0.9 s: all twelve exceed the limit of 10 s, and no part hangs.
  FakeLauncher launches([&](const Case& part) {
    const std::size_t nodes = part.model == "whole"             ? 12
                              : part.model.starts_with("first") ? std::stoul(part.model.substr(6))
                                                                : 1;
    const Nanoseconds wanted = static_cast<std::int64_t>(nodes) * Nanoseconds{900'000'000};
    const Nanoseconds limit = part.limits.time.value();
    clock_.advance(std::min(wanted, limit));
    Record record;
    if (wanted > limit) record.outcome = hang();
    return record;
  });
  EXPECT_THAT(note(hang(), parts_of(12), launches), HasSubstr("slow rather than stuck"));
}

TEST_F(FailingNode, SaysBetweenWhichNodesItStopped) {
  // Each launch takes 6 s of the 20: four, the last of which ends behind the deadline.
  FakeLauncher launches = launcher(
      crash(), [](const Case& part) { return holds(part.model, 900); }, 6 * kSecond);
  EXPECT_THAT(note(crash(), parts_of(1024), launches),
              AllOf(HasSubstr("the search stopped after 4 launches"), HasSubstr("'n896' (Op)"),
                    HasSubstr("'n1023' (Op)")));
  EXPECT_EQ(launches.cases().size(), 4U);
}

TEST_F(FailingNode, EndsWithAnInterrupt) {
  FakeLauncher launches([&](const Case& part) {
    stop_.store(part.model != "whole");
    Record record;
    record.outcome = crash();
    return record;
  });
  EXPECT_THAT(note(crash(), parts_of(9), launches), HasSubstr("the search was interrupted"));
  EXPECT_EQ(launches.cases().size(), 2U);
}

TEST_F(FailingNode, PartsThatCannotBeMadeAreSaid) {
  FailureParts parts = parts_of(9);
  parts.alone = [](std::size_t) -> PartCase {
    throw Error(ErrorKind::Unsupported, "the type of 'x' is not known");
  };
  FakeLauncher launches = launcher(crash(), [](const Case& part) { return holds(part.model, 4); });
  EXPECT_THAT(note(crash(), parts, launches), HasSubstr("the type of 'x' is not known"));
  parts.first = [](std::size_t) -> Case { throw Error(ErrorKind::Limit, "no space"); };
  EXPECT_THAT(note(crash(), parts, launches),
              AllOf(HasSubstr("not known"), HasSubstr("(no space)")));
}

TEST(EngineFailure, IsWhatTheEngineDid) {
  const auto of = [](const Outcome& outcome) {
    Record record;
    record.outcome = outcome;
    return engine_failure(record).has_value();
  };
  EXPECT_TRUE(of(crash()));
  EXPECT_TRUE(of(engine_error("x")));
  EXPECT_TRUE(of(hang()));
  for (const char* kind : {"usage", "bad_input", "not_found", "limit", "internal"})
    EXPECT_FALSE(of({.status = Status::Failed, .error_kind = kind})) << kind;
  EXPECT_FALSE(of({.status = Status::Unsupported, .error_kind = "unsupported"}));
  EXPECT_FALSE(of({.status = Status::Partial, .error_kind = "interrupted"}));
  EXPECT_FALSE(of({}));
  // One of several launches failed.
  Record record;
  record.outcome = {.status = Status::Partial, .reason = "1 of 2", .error_kind = "engine"};
  record.launches.resize(2);
  record.launches[1].outcome = crash();
  EXPECT_EQ(engine_failure(record).value().ended_by, "SIGSEGV");
}

}  // namespace
}  // namespace headroom
