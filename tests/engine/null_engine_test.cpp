// SPDX-License-Identifier: Apache-2.0
// The engine that does nothing.
#include <headroom/engine.h>

#include <gmock/gmock.h>

#include "support/thrown.h"

namespace headroom {
namespace {

using test::message_of;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(NullEngine, LoadsWhatDoesNotExistAndRuns) {
  const auto engine = make_engine("null");
  std::vector<LoadPhase> phases;
  const auto session =
      engine->load({"/no/such/model.onnx"}, {}, [&](LoadPhase phase) { phases.push_back(phase); });
  EXPECT_THAT(phases, testing::ElementsAre(LoadPhase::Create)) << "it reads nothing";
  EXPECT_THAT(session->inputs(), IsEmpty());
  std::vector<Tensor> inputs;
  inputs.push_back(make_tensor("x", ElementType::Float32, {2}));
  session->bind(std::move(inputs));
  session->run();
  EXPECT_THAT(session->copy_outputs(), IsEmpty());
}

TEST(NullEngine, HasNoSettings) {
  const auto engine = make_engine("null");
  EXPECT_EQ(message_of(ErrorKind::Usage,
                       [&] {
                         engine->load({}, {.settings = {{"run", "1ms"}}}, {});
                       }),
            "engine 'null' has no setting 'run' that Headroom knows; it has none");
}

TEST(NullEngine, GivesAProfileOnlyWhenInstrumented) {
  const auto engine = make_engine("null");
  EXPECT_THAT(
      message_of(ErrorKind::Unsupported, [&] { engine->load({}, {}, {})->finish_profile(0); }),
      HasSubstr("not instrumented"));
  EXPECT_THAT(engine->load({}, {.profile_folder = "/tmp"}, {})->finish_profile(0).nodes, IsEmpty());
}

TEST(NullEngine, HasNoIntermediateValuesToGiveOut) {
  EXPECT_THAT(test::message_of(ErrorKind::Unsupported,
                               [] { make_engine("null")->load({.exposed = {"a"}}, {}, {}); }),
              testing::HasSubstr("onnxruntime gives them"));
}

}  // namespace
}  // namespace headroom
