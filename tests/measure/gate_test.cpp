// SPDX-License-Identifier: Apache-2.0
// The gate's verdicts, each on an engine that is right or wrong in one known way.
#include "measure/gate.h"

#include <headroom/base/error.h>

#include <cstdint>
#include <fstream>

#include <gtest/gtest.h>

#include "measure/fake_engine.h"
#include "measure/tensors.h"
#include "support/temp_folder.h"

namespace headroom::measure {
namespace {

using test::FakeEngine;
using test::first_float;
using test::floats;
using test::list_of;
using test::TempFolder;

Case float_case() {
  return {.role = Role::Gate,
          .inputs = {
              {.name = "x", .type = ElementType::Float32, .shape = {4}, .fill = FillKind::Normal}}};
}

// A stored output as NumPy writes it: version 1, C order.
std::string store(const TempFolder& folder, const std::string& name, float value) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }";
  header.append(128 - 10 - 1 - header.size(), ' ');
  header += '\n';
  std::ofstream file(folder / name, std::ios::binary);
  file << "\x93NUMPY\x01" << '\0' << static_cast<char>(header.size()) << '\0' << header;
  file.write(reinterpret_cast<const char*>(&value), sizeof value);
  return (folder / name).string();
}

struct Bench {
  FakeEngine engine{};
  StopFlag stop{false};
  Case plan = float_case();

  /// The output is made of the first element of the input.
  void computes(std::function<float(float, std::uint64_t, bool)> rule) {
    engine.behaviour.outputs = [rule = std::move(rule)](const std::vector<Tensor>& inputs,
                                                        std::uint64_t run, bool is_optimized) {
      return list_of(floats({rule(first_float(inputs.at(0)), run, is_optimized)}));
    };
  }
  Gate judge() { return run_gate(plan, engine, stop); }
};

TEST(Gate, PassesWhenBothSessionsAgreeAndInputsMatter) {
  Bench bench;
  bench.computes([](float x, std::uint64_t, bool) { return 2 * x; });
  const Gate gate = bench.judge();
  EXPECT_EQ(gate.status, GateStatus::Passed);
  EXPECT_EQ(gate.reference, "fake without graph optimisation");
  EXPECT_EQ(gate.reason, "");
  ASSERT_EQ(gate.outputs.size(), 1U);
  EXPECT_TRUE(gate.outputs[0].is_equal);
  ASSERT_EQ(bench.engine.asked.size(), 2U);
  EXPECT_TRUE(bench.engine.asked[0].is_optimized);
  EXPECT_FALSE(bench.engine.asked[1].is_optimized);
}

TEST(Gate, FailsWhenOptimisationChangesTheResult) {
  Bench bench;
  bench.computes(
      [](float x, std::uint64_t, bool is_optimized) { return is_optimized ? x : x + 1; });
  const Gate gate = bench.judge();
  EXPECT_EQ(gate.status, GateStatus::Failed);
  EXPECT_NE(gate.reason.find("output 'y': 1 of 1 elements differ"), std::string::npos)
      << gate.reason;
}

TEST(Gate, AllowsWhatANudgedInputDoesToo) {
  Bench bench;
  // As 8-bit arithmetic inside: results in steps of 0.05, decided by the last bits of the input.
  bench.computes([](float x, std::uint64_t, bool is_optimized) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    return (is_optimized ? 2.0F : 2.05F) + ((bits & 0x800U) != 0 ? 0.05F : 0.0F) +
           (x == 0 ? 1.0F : 0.0F);
  });
  EXPECT_EQ(bench.judge().status, GateStatus::Passed) << bench.judge().reason;
}

TEST(Gate, IsInsensitiveWhenNoInputMatters) {
  Bench bench;
  bench.computes([](float, std::uint64_t, bool) { return 0.001F; });
  const Gate gate = bench.judge();
  EXPECT_EQ(gate.status, GateStatus::Insensitive);
  EXPECT_NE(gate.reason.find("no change of the inputs changes an output"), std::string::npos);
}

TEST(Gate, FailsRatherThanCallAWrongConstantInsensitive) {
  Bench bench;
  bench.computes(
      [](float, std::uint64_t, bool is_optimized) { return is_optimized ? 1.0F : 2.0F; });
  EXPECT_EQ(bench.judge().status, GateStatus::Failed);
}

TEST(Gate, IsInsensitiveWithoutInputs) {
  Bench bench;
  bench.plan.inputs.clear();
  bench.engine.behaviour.outputs = [](const auto&, std::uint64_t, bool) {
    return list_of(floats({1}));
  };
  const Gate gate = bench.judge();
  EXPECT_EQ(gate.status, GateStatus::Insensitive);
  EXPECT_NE(gate.reason.find("the model has no inputs"), std::string::npos);
}

TEST(Gate, SaysWhenInputsLeaveNoChoice) {
  Bench bench;
  bench.plan.inputs = {
      {.name = "rate", .type = ElementType::Float32, .shape = {1}, .fill = FillKind::Zeros}};
  bench.computes([](float x, std::uint64_t, bool) { return x; });
  const Gate gate = bench.judge();
  EXPECT_EQ(gate.status, GateStatus::Insensitive);
  EXPECT_NE(gate.reason.find("no choice of other values"), std::string::npos);
}

TEST(Gate, DoesNotCompareARandomModel) {
  Bench bench;
  bench.computes([](float x, std::uint64_t run, bool) { return x + static_cast<float>(run); });
  const Gate gate = bench.judge();
  EXPECT_EQ(gate.status, GateStatus::NotRun);
  ASSERT_EQ(gate.outputs.size(), 1U);
  EXPECT_EQ(gate.outputs[0].reason,
            "not compared: it differs from run to run with the same inputs");
}

TEST(Gate, FailsWhenOnlyTheOptimisedSessionIsRandom) {
  Bench bench;
  bench.computes([](float x, std::uint64_t run, bool is_optimized) {
    return is_optimized ? x + static_cast<float>(run) - 1 : x;
  });
  const Gate gate = bench.judge();
  EXPECT_EQ(gate.status, GateStatus::Failed);
  EXPECT_NE(gate.reason.find("differs from run to run"), std::string::npos);
}

TEST(Gate, ReportsLastBitsThatDifferFromRunToRun) {
  Bench bench;
  bench.computes([](float x, std::uint64_t run, bool) {
    return 1000 * x + (run % 2 == 0 ? 1e-5F * x : 0.0F) * 10;
  });
  const Gate gate = bench.judge();
  EXPECT_EQ(gate.status, GateStatus::Passed);
  EXPECT_NE(gate.reason.find("its last bits differ from run to run"), std::string::npos)
      << gate.reason;
}

TEST(Gate, ComparesWithStoredOutputs) {
  const TempFolder folder;
  Bench bench;
  bench.plan.reference = {store(folder, "y.npy", 3.0F)};
  bench.computes([](float x, std::uint64_t run, bool) { return run <= 2 ? 3.0F : x; });
  const Gate passed = bench.judge();
  EXPECT_EQ(passed.status, GateStatus::Passed) << passed.reason;
  EXPECT_EQ(passed.reference, "stored outputs");
  EXPECT_EQ(bench.engine.asked.size(), 1U);  // no second session

  bench.plan.reference = {store(folder, "y.npy", 4.0F)};
  EXPECT_EQ(bench.judge().status, GateStatus::Failed);
}

TEST(Gate, SaysWhichStoredOutputCannotBeRead) {
  const TempFolder folder;
  Bench bench;
  bench.plan.reference = {(folder / "absent.npy").string()};
  bench.computes([](float x, std::uint64_t, bool) { return x; });
  const Gate gate = bench.judge();
  EXPECT_EQ(gate.status, GateStatus::NotRun);
  EXPECT_NE(gate.reason.find("absent.npy"), std::string::npos) << gate.reason;
}

TEST(Gate, ListsWhatIsNoTensorAndComparesTheRest) {
  Bench bench;
  bench.engine.behaviour.outputs = [](const std::vector<Tensor>& inputs, std::uint64_t, bool) {
    return list_of(floats({first_float(inputs.at(0))}, "label"), Tensor{.name = "probabilities"});
  };
  const Gate gate = bench.judge();
  EXPECT_EQ(gate.status, GateStatus::Passed);
  ASSERT_EQ(gate.outputs.size(), 2U);
  EXPECT_TRUE(gate.outputs[0].is_equal);
  EXPECT_EQ(gate.outputs[1].reason, "not compared: it is not a tensor");
  EXPECT_EQ(gate.reason, "output 'probabilities': not compared: it is not a tensor");
}

TEST(Gate, PassesAndSaysSoWhenEveryChangeIsRefused) {
  Bench bench;
  bench.computes([](float x, std::uint64_t, bool) { return x; });
  int bindings = 0;
  bench.engine.behaviour.on_bind = [&](const std::vector<Tensor>&) {
    if (++bindings > 1 && bench.engine.asked.size() == 1)
      throw Error(ErrorKind::Engine, "node 'Pad' refuses it");
  };
  const Gate gate = bench.judge();
  EXPECT_EQ(gate.status, GateStatus::Passed);
  EXPECT_NE(gate.reason.find("every change of them was refused: node 'Pad' refuses it"),
            std::string::npos)
      << gate.reason;
}

TEST(Gate, IsNotRunWithoutAReference) {
  Bench bench;
  bench.computes([](float x, std::uint64_t, bool) { return x; });
  bench.engine.behaviour.on_load = [&](const LoadObserver&) {
    if (bench.engine.asked.size() == 2) throw Error(ErrorKind::Engine, "only optimised");
  };
  const Gate gate = bench.judge();
  EXPECT_EQ(gate.status, GateStatus::NotRun);
  EXPECT_EQ(gate.reason, "there is no reference: only optimised");
}

// The first element x of the input gives a = x and b = 2x, or in the other order.
void gives_two(FakeEngine& engine, bool is_swapped, float factor = 1) {
  engine.behaviour.outputs = [is_swapped, factor](const std::vector<Tensor>& inputs, std::uint64_t,
                                                  bool) {
    const float x = factor * first_float(inputs.at(0));
    return is_swapped ? list_of(floats({2 * x}, "b"), floats({x}, "a"))
                      : list_of(floats({x}, "a"), floats({2 * x}, "b"));
  };
}

TEST(Gate, ComparesWithAnotherEngineByTheNamesOfOutputs) {
  Bench bench;
  FakeEngine other;
  gives_two(bench.engine, false);
  gives_two(other, true);
  bench.plan.settings = {{"of the tested engine", "1"}};
  bench.plan.precision = "bf16";
  bench.plan.threads = 3;
  const Gate gate = run_gate(bench.plan, bench.engine, &other, bench.stop);
  EXPECT_EQ(gate.status, GateStatus::Passed) << gate.reason;
  EXPECT_EQ(gate.reference, "fake in f32");
  EXPECT_EQ(bench.engine.asked.size(), 1U);
  ASSERT_EQ(other.asked.size(), 1U);
  EXPECT_EQ(other.asked[0].precision, "f32");
  EXPECT_EQ(other.asked[0].threads, 3);
  EXPECT_TRUE(other.asked[0].settings.empty());
  EXPECT_TRUE(other.asked[0].is_optimized);
}

TEST(Gate, FailsWhenTheOtherEngineDisagrees) {
  Bench bench;
  FakeEngine other;
  gives_two(bench.engine, false);
  gives_two(other, false, 1.01F);
  const Gate gate = run_gate(bench.plan, bench.engine, &other, bench.stop);
  EXPECT_EQ(gate.status, GateStatus::Failed);
}

TEST(Gate, FallsBackOnItselfWhereTheOtherEngineFails) {
  Bench bench;
  FakeEngine other;
  bench.computes([](float x, std::uint64_t, bool) { return x; });
  other.behaviour.on_load = [](const LoadObserver&) {
    throw Error(ErrorKind::Unsupported, "no such operator");
  };
  const Gate gate = run_gate(bench.plan, bench.engine, &other, bench.stop);
  EXPECT_EQ(gate.status, GateStatus::Passed);
  EXPECT_EQ(gate.reference, "fake without graph optimisation");
  bench.engine.asked.clear();
  bench.engine.behaviour.on_load = [&](const LoadObserver&) {
    if (bench.engine.asked.size() == 2) throw Error(ErrorKind::Unsupported, "only optimised");
  };
  const Gate without = run_gate(bench.plan, bench.engine, &other, bench.stop);
  EXPECT_EQ(without.status, GateStatus::NotRun);
  EXPECT_EQ(without.reason, "there is no reference: no such operator; only optimised");
}

// 1 % lies between four units in the last place of float16 (0.4 %) and of bfloat16 (3 %).
TEST(Gate, AllowsTheRoundingOfThePrecisionThatRan) {
  Bench bench;
  bench.computes(
      [](float x, std::uint64_t, bool is_optimized) { return is_optimized ? 1.01F * x : x; });
  const std::map<std::string, GateStatus> expected = {
      {"f32", GateStatus::Failed}, {"f16", GateStatus::Failed}, {"bf16", GateStatus::Passed}};
  for (const auto& [precision, status] : expected) {
    bench.plan.precision = precision;
    EXPECT_EQ(bench.judge().status, status) << precision;
  }
}

TEST(Gate, EndsWhenInterrupted) {
  Bench bench;
  bench.stop = true;
  EXPECT_THROW(bench.judge(), Error);
}

}  // namespace
}  // namespace headroom::measure
