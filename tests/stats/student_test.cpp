// SPDX-License-Identifier: Apache-2.0
// Student's t against the published table and closed forms.
#include <headroom/stats.h>

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace headroom::stats {
namespace {

TEST(StudentT, GivesThePublishedQuantiles) {
  struct Row {
    double p;
    std::size_t degrees;
    double t;
  };
  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, three decimals.
  constexpr Row kTable[] = {{0.975, 1, 12.706}, {0.975, 2, 4.303},  {0.975, 3, 3.182},
                            {0.975, 4, 2.776},  {0.975, 5, 2.571},  {0.975, 9, 2.262},
                            {0.975, 10, 2.228}, {0.975, 30, 2.042}, {0.975, 100, 1.984},
                            {0.95, 4, 2.132},   {0.95, 30, 1.697},  {0.995, 5, 4.032},
                            {0.9, 7, 1.415},    {0.999, 4, 7.173}};
  for (const Row& row : kTable)
    EXPECT_NEAR(student_t_quantile(row.p, row.degrees), row.t, 0.0005)
        << "p = " << row.p << ", degrees = " << row.degrees;
}

TEST(StudentT, AgreesWithTheClosedFormsForOneAndTwoDegrees) {
  // Cauchy: tan(pi (p - 1/2)). Two degrees: (2p - 1) sqrt(2 / (1 - (2p - 1)^2)).
  for (const double p : {0.6, 0.75, 0.9, 0.975, 0.999}) {
    EXPECT_NEAR(student_t_quantile(p, 1) / std::tan(std::numbers::pi * (p - 0.5)), 1, 1e-10);
    const double a = 2 * p - 1;
    EXPECT_NEAR(student_t_quantile(p, 2) / (a * std::sqrt(2 / (1 - a * a))), 1, 1e-10);
  }
}

TEST(StudentT, IsSymmetricAndInvertsItsProbability) {
  EXPECT_NEAR(student_t_quantile(0.5, 4), 0, 1e-12);
  for (const std::size_t degrees : {1U, 2U, 3U, 4U, 7U, 29U, 200U}) {
    EXPECT_DOUBLE_EQ(student_t_quantile(0.05, degrees), -student_t_quantile(0.95, degrees));
    EXPECT_NEAR(student_t_probability(student_t_quantile(0.83, degrees), degrees), 0.83, 1e-12);
  }
}

}  // namespace
}  // namespace headroom::stats
