// SPDX-License-Identifier: Apache-2.0
// One session that meets several shapes, on a machine whose memory a test writes.
#include "measure/shapes.h"

#include <headroom/base/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/fake_engine.h"
#include "support/fake_host.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Shapes : public testing::Test {
 protected:
  Shapes() {
    plan_.later_inputs = {{input(4)}, {input(2)}};
    set_resident(100);
    engine_.behaviour.on_bind = [&](const std::vector<Tensor>& inputs) {
      sizes_.push_back(inputs.at(0).shape.at(0));
      set_resident(100 * sizes_.back());
    };
    engine_.behaviour.on_run = [&](std::uint64_t run) { runs_ = run; };
  }

  static InputSpec input(std::int64_t size) {
    return {.name = "x", .type = ElementType::Float32, .shape = {size}};
  }
  void set_resident(std::int64_t kib) {
    host_.write("/proc/self/status", "VmHWM:\t9999 kB\nVmRSS:\t" + std::to_string(kib) + " kB\n");
  }

  test::FakeHost host_{{}};
  test::FakeEngine engine_{};
  StopFlag stop_{false};
  Case plan_{.role = Role::Shapes, .engine = "fake", .inputs = {input(1)}};
  std::vector<std::int64_t> sizes_{};
  std::uint64_t runs_ = 0;
};

TEST_F(Shapes, NotesTheMemoryAfterEach) {
  const ShapeMemory memory = measure::run_shapes(plan_, engine_, host_, stop_);
  EXPECT_EQ(memory.loaded_bytes, 100U * 1024);
  EXPECT_THAT(memory.after_bytes, ElementsAre(100 * 1024, 400 * 1024, 200 * 1024));
  EXPECT_THAT(sizes_, ElementsAre(1, 4, 2));
  EXPECT_EQ(engine_.asked.size(), 1U) << "one session";
  EXPECT_EQ(runs_, 9U);
}

TEST_F(Shapes, EndsAtAnInterrupt) {
  engine_.behaviour.on_run = [&](std::uint64_t) { stop_.store(true); };
  EXPECT_THAT(test::message_of(ErrorKind::Interrupted,
                               [&] { measure::run_shapes(plan_, engine_, host_, stop_); }),
              HasSubstr("between two shapes"));
  EXPECT_THAT(sizes_, ElementsAre(1));
}

TEST_F(Shapes, SaysWhereMemoryCannotBeSeen) {
  EXPECT_THAT(
      test::message_of(ErrorKind::Unsupported,
                       [&] { measure::run_shapes(plan_, engine_, test::FakeHost({}), stop_); }),
      HasSubstr("/proc is absent"));
}

}  // namespace
}  // namespace headroom
