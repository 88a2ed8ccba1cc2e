// SPDX-License-Identifier: Apache-2.0
// Several runs in one call: what is run, in which order, and what the whole ends with.
#include <headroom/app/sweep.h>
#include <headroom/ceiling.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fake_host.h"
#include "support/fake_launcher.h"
#include "support/model_builder.h"
#include "support/temp_folder.h"
#include "support/thrown.h"

namespace headroom::app {
namespace {

using test::FakeLauncher;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> texts_of(const std::vector<RunOptions>& runs) {
  std::vector<std::string> texts;
  for (const RunOptions& run : runs) {
    const auto& dims = run.inputs.shapes.dims;
    texts.push_back((dims.empty() ? "" : std::to_string(dims.at("n")) + " ") +
                    (run.threads ? std::to_string(*run.threads) + " " : "") + run.engine);
  }
  return texts;
}

TEST(Expand, ChangesEnginesFastestAndShapesSlowest) {
  EXPECT_THAT(texts_of(expand({.engine = "a"}, {})), ElementsAre("a"));
  EXPECT_THAT(texts_of(expand({}, {.engines = {"a", "b"},
                                   .threads = {1, 2},
                                   .shapes = {{.dims = {{"n", 7}}}, {.dims = {{"n", 8}}}}})),
              ElementsAre("7 1 a", "7 1 b", "7 2 a", "7 2 b", "8 1 a", "8 1 b", "8 2 a", "8 2 b"));
}

TEST(ExitStatus, OfSeveralRunsIsTheGravest) {
  const auto of = [](const std::vector<Outcome>& outcomes) {
    std::vector<RunResult> results;
    for (const Outcome& outcome : outcomes) results.push_back({.record = {.outcome = outcome}});
    return exit_status(results);
  };
  const Outcome engine{.status = Status::Failed, .error_kind = "engine"};
  const Outcome unsupported{.status = Status::Unsupported, .error_kind = "unsupported"};
  EXPECT_EQ(of({}), 0);
  EXPECT_EQ(of({{}, {.status = Status::Noisy}}), 0);
  EXPECT_EQ(of({{}, {.status = Status::Mistrusted}, {}}), 1);
  EXPECT_EQ(of({{.status = Status::Mistrusted}, unsupported, engine}), 4);
}

class Sweep : public testing::Test {
 protected:
  Sweep() {
    test::ModelBuilder model;
    model.input("x", ElementType::Float32, {{"n", 4}})
        .node("Relu", {"x"}, {"y"})
        .output("y", ElementType::Float32, {{"n", 4}});
    model.write(folder_ / "model.onnx");
    options_.model = folder_ / "model.onnx";
    options_.engine = "scripted";
    options_.threads = 1;
    // A peak that is known is not measured, which would take a second for each run.
    Peak peak{.isa = "none",
              .type = "float32",
              .rate = FlopRate{1e9},
              .low = FlopRate{1e9},
              .high = FlopRate{1e9},
              .best = FlopRate{1e9}};
    Ceilings ceilings{.time = "2026-11-30T00:00:00Z", .peaks = {peak}};
    peak.threads = 2;
    ceilings.peaks.push_back(peak);
    store_->append_calibration(platform_fingerprint(read_facts(host_)), to_json(ceilings));
  }

  std::vector<PreparedRun> prepared(const SweepAxes& axes) {
    return prepare_runs(expand(options_, axes), host_);
  }

  RunContext around() {
    return {.launcher = launcher_,
            .host = host_,
            .clock = clock_,
            .store = store_.get(),
            .stop = stop_,
            .progress = [&](const Progress& step) { stages_.push_back(step.stage); }};
  }

  std::vector<RunResult> run(const SweepAxes& axes) { return sweep(prepared(axes), around()); }

  test::TempFolder folder_{};
  test::FakeHost host_{{}};
  std::unique_ptr<Store> store_ = open_store((folder_ / "store.db").string());
  SteadyClock clock_{};
  StopFlag stop_{false};
  RunOptions options_{};
  std::vector<std::string> stages_{};
  FakeLauncher launcher_{[this](const Case& c) {
    if (c.inputs.at(0).shape.at(0) == stop_at_) stop_.store(true);
    Record record{.plan_case = c};
    if (c.role == Role::Measure && busy_) record.launches.push_back({.busy_threads = busy_});
    return record;
  }};
  std::int64_t stop_at_ = 0;
  std::optional<std::uint64_t> busy_{};
};

TEST_F(Sweep, RunsEachShape) {
  const auto results = run({.shapes = {{.dims = {{"n", 2}}}, {.dims = {{"n", 3}}}}});
  ASSERT_EQ(results.size(), 2U);
  EXPECT_THAT(results[0].record.plan_case.inputs.at(0).shape, ElementsAre(2, 4));
  EXPECT_THAT(results[1].record.plan_case.inputs.at(0).shape, ElementsAre(3, 4));
  EXPECT_EQ(results[1].record.model.nodes, 1U);
  EXPECT_NE(results[0].record.id, results[1].record.id);
  EXPECT_THAT(stages_, testing::Contains(HasSubstr("run 2 of 2, ")));
}

TEST_F(Sweep, ChecksEveryRunBeforeTheFirst) {
  EXPECT_THAT(test::message_of(ErrorKind::Usage,
                               [&] {
                                 prepared({.engines = {"scripted", "nobody"}});
                               }),
              HasSubstr("nobody"));
  EXPECT_THAT(test::message_of(ErrorKind::Usage,
                               [&] {
                                 prepared({.shapes = {{.dims = {{"n", 2}}}, {.dims = {{"m", 3}}}}});
                               }),
              HasSubstr("'m'"));
}

TEST_F(Sweep, EndsAtAnInterruptAndKeepsWhatWasRun) {
  stop_at_ = 3;
  const auto results =
      run({.shapes = {{.dims = {{"n", 2}}}, {.dims = {{"n", 3}}}, {.dims = {{"n", 5}}}}});
  EXPECT_EQ(results.size(), 2U);
}

TEST_F(Sweep, MeasuresTheMemoryOfOneSessionThatMeetsAllShapes) {
  const SweepAxes axes{.threads = {1, 2}, .shapes = {{.dims = {{"n", 2}}}, {.dims = {{"n", 3}}}}};
  const auto results = run(axes);
  shape_memory(results, around());
  const std::vector<Case> cases = launcher_.cases_of(Role::Shapes);
  ASSERT_EQ(cases.size(), 2U);
  EXPECT_EQ(cases[0].threads, 1);
  EXPECT_THAT(cases[0].inputs.at(0).shape, ElementsAre(2, 4));
  ASSERT_EQ(cases[0].later_inputs.size(), 1U);
  EXPECT_THAT(cases[0].later_inputs[0].at(0).shape, ElementsAre(3, 4));
  EXPECT_EQ(cases[1].threads, 2);
}

TEST_F(Sweep, MeasuresNoSuchMemoryForOneShape) {
  shape_memory(run({.threads = {1, 2}}), around());
  EXPECT_TRUE(launcher_.cases_of(Role::Shapes).empty());
}

TEST_F(Sweep, WarnsOfThreadsThatNoLaunchKeptBusy) {
  busy_ = 1;
  const auto results = run({.threads = {1, 2}});
  const auto has_warning = [](const RunResult& result) {
    for (const HostWarning& warning : result.record.warnings) {
      if (warning.code == "threads_idle") return true;
    }
    return false;
  };
  EXPECT_FALSE(has_warning(results[0]));
  EXPECT_TRUE(has_warning(results[1]));
}

// A random draw beside one product of 4 x 4: its own work has no formula, multiply-adds it has
// none.
TEST_F(Sweep, CountsMacsBesideNodesThatHoldNone) {
  const auto macs_with = [&](const char* op, const char* domain) {
    test::ModelBuilder model;
    model.opset("", 21).opset("some.where", 1);
    model.input("x", ElementType::Float32, {{"n", 4}})
        .initializer("w", {4, 4}, std::vector<float>(16, 1))
        .node("MatMul", {"x", "w"}, {"p"})
        .node(op, {"p"}, {"r"}, {}, domain)
        .node("Add", {"p", "r"}, {"y"})
        .output("y", ElementType::Float32);
    model.write(folder_ / "model.onnx");
    return run({}).at(0).record.model;
  };
  const ModelFacts random = macs_with("RandomNormalLike", "");
  ASSERT_TRUE(random.macs.has_value()) << random.macs_absent;
  EXPECT_EQ(*random.macs % 16, 0U);
  EXPECT_GT(*random.macs, 0U);
  const ModelFacts unknown = macs_with("Mystery", "some.where");
  EXPECT_FALSE(unknown.macs.has_value());
  EXPECT_EQ(unknown.macs_absent, "1 some.where.Mystery without a formula");
}

TEST_F(Sweep, KeepsTheRecordOfAModelThatHasGone) {
  // A model or an input that could not be read after the run once took the record with it.
  auto prepared_runs = prepared({});
  std::filesystem::remove(folder_ / "model.onnx");
  const auto results = sweep(std::move(prepared_runs), around());
  ASSERT_EQ(results.size(), 1U);
  EXPECT_THAT(results[0].record.model.macs_absent, HasSubstr("model.onnx"));
  EXPECT_EQ(store_->size(), 1U);
}

}  // namespace
}  // namespace headroom::app
