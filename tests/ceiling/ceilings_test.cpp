// SPDX-License-Identifier: Apache-2.0
// Ceilings as a value: choice, JSON, refusals.
#include <headroom/base/error.h>
#include <headroom/ceiling.h>

#include <gtest/gtest.h>

namespace headroom {
namespace {

Ceilings sample() {
  return {.time = "2026-11-30T07:15:00Z",
          .fingerprint = "0123456789abcdef",
          .peaks = {{.isa = "avx512f",
                     .type = "float32",
                     .threads = 1,
                     .rate = {200e9},
                     .low = {198e9},
                     .high = {201.5e9},
                     .best = {202e9},
                     .repetitions = 61},
                    {.isa = "avx2", .type = "float32", .threads = 1, .rate = {100e9}},
                    {.isa = "avx2", .type = "float32", .threads = 2, .rate = {199e9}}},
          .absent = {{.isa = "avx512f", .type = "float32", .threads = 2, .reason = "a quota"}}};
}

TEST(Ceilings, ChooseTheHighestPeakOfTypeAndThreads) {
  const Ceilings ceilings = sample();
  ASSERT_NE(ceilings.best("float32", 1), nullptr);
  EXPECT_EQ(ceilings.best("float32", 1)->isa, "avx512f");
  EXPECT_EQ(ceilings.best("float32", 2)->isa, "avx2");
  EXPECT_EQ(ceilings.best("float32", 4), nullptr);
  EXPECT_EQ(ceilings.best("float64", 1), nullptr);
}

TEST(Ceilings, TravelAsJson) {
  const std::string json = to_json(sample());
  EXPECT_TRUE(json.starts_with(
      R"({"time":"2026-11-30T07:15:00Z","fingerprint":"0123456789abcdef","peaks":[)"
      R"({"isa":"avx512f","type":"float32","threads":1,"flop_per_s":200000000000.0,)"
      R"("low":198000000000.0,"high":201500000000.0,"best":202000000000.0,"repetitions":61},)"))
      << json;
  const Ceilings back = ceilings_from_json(json);
  ASSERT_EQ(back.peaks.size(), 3U);
  EXPECT_EQ(back.peaks[0].high.per_second, 201.5e9);
  EXPECT_EQ(back.peaks[0].best.per_second, 202e9);
  EXPECT_EQ(back.peaks[0].repetitions, 61);
  EXPECT_EQ(back.peaks[2].threads, 2);
  ASSERT_EQ(back.absent.size(), 1U);
  EXPECT_EQ(back.absent[0].reason, "a quota");
  EXPECT_EQ(to_json(back), json);
}

TEST(Ceilings, AreRefusedWithTheMemberThatIsWrong) {
  struct Row {
    const char* text;
    const char* expected;
  };
  for (const Row& row : {Row{"{", "byte"}, Row{"{}", "time"},
                         Row{R"({"time":"","fingerprint":"","peaks":[{"isa":"x"}]})", "peaks[0]"},
                         Row{R"({"time":"","fingerprint":"","peaks":{}})", "peaks"}}) {
    try {
      ceilings_from_json(row.text);
      ADD_FAILURE() << row.text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput) << row.text;
      EXPECT_NE(std::string(error.what()).find(row.expected), std::string::npos) << error.what();
    }
  }
}

TEST(Ceilings, NeedAThread) {
  for (const int threads : {0, -1}) try {
      measure_ceilings(SteadyClock(), {.usable_cpus = 2}, threads);
      ADD_FAILURE() << threads;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Usage) << threads;
    }
}

}  // namespace
}  // namespace headroom
