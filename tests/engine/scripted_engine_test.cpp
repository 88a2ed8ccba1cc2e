// SPDX-License-Identifier: Apache-2.0
// What the scripted engine can play. Durations are only set, never measured here.
#include <headroom/engine.h>

#include <csignal>
#include <cstring>

#include <gmock/gmock.h>

#include "support/thrown.h"

namespace headroom {
namespace {

using test::message_of;
using testing::ElementsAre;
using testing::HasSubstr;

using Settings = std::map<std::string, std::string>;

std::unique_ptr<Session> load(const Settings& settings, bool is_optimized = true) {
  static const std::unique_ptr<Engine> engine = make_engine("scripted");
  return engine->load({}, {.settings = settings, .is_optimized = is_optimized}, {});
}

Tensor input(std::vector<std::int64_t> shape, std::uint8_t first = 0) {
  Tensor tensor = make_tensor("x", ElementType::Uint8, std::move(shape));
  tensor.data.bytes()[0] = std::byte{first};
  return tensor;
}

void bind(Session& session, Tensor tensor) {
  std::vector<Tensor> inputs;
  inputs.push_back(std::move(tensor));
  session.bind(std::move(inputs));
}

std::vector<std::byte> output_of(Session& session) {
  session.run();
  const std::vector<Tensor> outputs = session.copy_outputs();
  const auto bytes = outputs.at(0).data.bytes();
  return {bytes.begin(), bytes.end()};
}

TEST(ScriptedEngine, ReportsReadThenCreate) {
  std::vector<LoadPhase> phases;
  make_engine("scripted")->load({}, {}, [&](LoadPhase phase) { phases.push_back(phase); });
  EXPECT_THAT(phases, ElementsAre(LoadPhase::Read, LoadPhase::Create));
}

TEST(ScriptedEngine, EchoesItsInputs) {
  const auto session = load({});
  bind(*session, input({3}, 7));
  EXPECT_EQ(output_of(*session).at(0), std::byte{7});
  EXPECT_EQ(session->outputs().at(0).name, "x");
  bind(*session, input({3}, 8));
  EXPECT_EQ(output_of(*session).at(0), std::byte{8});
}

TEST(ScriptedEngine, GivesConstantsWhateverTheInputs) {
  const auto session = load({{"output", "constant"}});
  bind(*session, input({1}, 7));
  const auto first = output_of(*session);
  bind(*session, input({1}, 8));
  EXPECT_EQ(output_of(*session), first);
}

TEST(ScriptedEngine, GivesNoiseThatDiffersFromRunToRun) {
  const auto session = load({{"output", "noise"}});
  const auto first = output_of(*session);
  EXPECT_NE(output_of(*session), first);
}

TEST(ScriptedEngine, IsWrongOnlyWhenOptimised) {
  const Settings settings = {{"output", "constant"}, {"wrong_when_optimized", "1"}};
  EXPECT_NE(output_of(*load(settings)), output_of(*load(settings, false)));
  EXPECT_EQ(output_of(*load({{"output", "constant"}})),
            output_of(*load({{"output", "constant"}}, false)));
}

TEST(ScriptedEngine, FailsWhereItsScriptSays) {
  EXPECT_THAT(message_of(ErrorKind::Engine,
                         [] {
                           load({{"fail", "load"}});
                         }),
              HasSubstr("failed in load"));
  EXPECT_THROW(load({{"unsupported", "load"}}), Error);
  const auto session = load({{"fail", "run:3"}});
  session->run();
  session->run();
  EXPECT_THAT(message_of(ErrorKind::Engine, [&] { session->run(); }), HasSubstr("failed in run 3"));
}

TEST(ScriptedEngineDeathTest, CrashesAndExitsWhereItsScriptSays) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(load({{"crash", "load"}}), testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(load({{"crash", "run:1"}})->run(), testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(load({{"exit", "run:1"}})->run(), testing::ExitedWithCode(3), "");
}

TEST(ScriptedEngine, RefusesShapesInTheRun) {
  const auto refusing = load({{"refuse_shape", "x:2x3"}});
  bind(*refusing, input({2, 4}));
  refusing->run();
  bind(*refusing, input({2, 3}));
  EXPECT_THAT(message_of(ErrorKind::Engine, [&] { refusing->run(); }),
              HasSubstr("node 'script' refuses input 'x' of shape 2x3"));
  const auto demanding = load({{"accept_dim", "x:1:48"}});
  bind(*demanding, input({2, 48}));
  demanding->run();
  bind(*demanding, input({2, 47}));
  EXPECT_THROW(demanding->run(), Error);
}

TEST(ScriptedEngine, ReportsItsSettingsAsObserved) {
  const auto facts = load({{"jitter", "0.1"}})->effective();
  EXPECT_EQ(facts.at("jitter"), "0.1 (observed)");
  EXPECT_EQ(facts.at("threads"), "1 (asked)");
}

TEST(ScriptedEngine, GivesAProfileOfItsRuns) {
  const auto session = make_engine("scripted")->load({}, {.profile_folder = "/tmp"}, {});
  session->run();
  session->run();
  const std::vector<ExecutedNode> timings = session->finish_profile(0).nodes;
  ASSERT_EQ(timings.size(), 1U);
  EXPECT_EQ(timings[0].op, "Script");
  EXPECT_EQ(timings[0].runs, 2U);
  EXPECT_EQ(session->finish_profile(1).nodes[0].runs, 1U);
  EXPECT_THROW(load({})->finish_profile(0), Error);
}

TEST(ScriptedEngine, HasNoOutputsBeforeTheFirstRun) {
  EXPECT_THAT(message_of(ErrorKind::Engine, [] { load({})->copy_outputs(); }),
              HasSubstr("before the first run"));
}

TEST(ScriptedEngine, RefusesUnknownSettingsWithTheNearest) {
  EXPECT_THAT(message_of(ErrorKind::Usage,
                         [] {
                           load({{"jiter", "0.1"}});
                         }),
              HasSubstr("has no setting 'jiter' that Headroom knows; did you mean 'jitter'?"));
}

TEST(ScriptedEngine, RefusesValuesThatDoNotHaveTheForm) {
  const Settings wrong = {{"run", "fast"},
                          {"load", "5"},
                          {"jitter", "2"},
                          {"seed", "-1"},
                          {"warmup", "20"},
                          {"crash", "run:0"},
                          {"hang", "later"},
                          {"exit", "run:"},
                          {"fail", "run:1x"},
                          {"refuse_shape", "x"},
                          {"accept_dim", "x:48"},
                          {"output", "zeros"},
                          {"wrong_when_optimized", "yes"},
                          {"allocate", "big"}};
  for (const auto& [key, value] : wrong) {
    EXPECT_THAT(message_of(ErrorKind::Usage,
                           [&, k = key, v = value] {
                             load({{k, v}});
                           }),
                HasSubstr("'" + value + "'"))
        << key;
  }
}

TEST(ScriptedEngine, TakesTheLastColonsOfANameWithColons) {
  const auto session = load({{"accept_dim", "a:b:1:48"}});
  Tensor tensor = make_tensor("a:b", ElementType::Uint8, {1, 47});
  bind(*session, std::move(tensor));
  EXPECT_THROW(session->run(), Error);
}

}  // namespace
}  // namespace headroom
