// SPDX-License-Identifier: Apache-2.0
// One session for all data sets of a case, as a user of the model would have.
#include "measure/conform.h"

#include <headroom/base/error.h>

#include <fmt/format.h>

#include "measure/compare_value.h"
#include "measure/preparation.h"

namespace headroom::measure {
namespace {

std::vector<Datum> read_values(const std::vector<DataFile>& files) {
  std::vector<Datum> values;
  for (const DataFile& file : files) {
    values.push_back(read_datum_file(file.path, file.kind));
    values.back().name = file.name;
    values.back().tensor.name = file.name;
  }
  return values;
}

OutputCheck missing(const std::string& name, std::string reason) {
  return {.name = name, .reason = std::move(reason)};
}

std::vector<OutputCheck> compare_all(const std::vector<Datum>& actual,
                                     const std::vector<Datum>& expected,
                                     const Tolerance& tolerance) {
  std::vector<OutputCheck> checks;
  for (std::size_t i = 0; i < std::max(actual.size(), expected.size()); ++i) {
    if (i >= actual.size()) {
      checks.push_back(missing(expected[i].name, "expected, and the engine gives no such output"));
    } else if (i >= expected.size()) {
      checks.push_back(missing(actual[i].name, "given by the engine, and not expected"));
    } else {
      checks.push_back(compare_value(actual[i], expected[i], tolerance));
    }
  }
  return checks;
}

}  // namespace

void run_data_sets(const Case& plan_case, Engine& engine, const StopFlag& stop,
                   Conformance& result) {
  const ConformancePlan& plan = plan_case.conformance;
  const std::unique_ptr<Session> session =
      engine.load({.path = plan_case.model}, options_of(plan_case), {});
  for (const DataSet& set : plan.data_sets) {
    if (stop.load()) throw Error(ErrorKind::Interrupted, "interrupted before " + set.name);
    session->bind_values(read_values(set.inputs));
    session->run();
    result.data_sets.push_back(
        {.name = set.name,
         .outputs = compare_all(session->copy_values(), read_values(set.outputs),
                                {.absolute = plan.abs_tolerance, .relative = plan.rel_tolerance})});
  }
}

}  // namespace headroom::measure
