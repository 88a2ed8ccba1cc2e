// SPDX-License-Identifier: Apache-2.0
// One case by its role. The one place where a failure of the engine becomes an outcome.
#include <headroom/base/error.h>
#include <headroom/measure.h>

#include <new>

#include "measure/conform.h"
#include "measure/gate.h"
#include "measure/observe.h"
#include "measure/preparation.h"
#include "measure/profile.h"
#include "measure/shapes.h"
#include "measure/steady.h"
#include "measure/usage.h"

namespace headroom {
namespace {

using measure::ReadingBlock;
using measure::ReadingLog;
using measure::Usage;

/// What the plain run leaves behind, also when it ends early.
struct Plain {
  Launch launch{};
  ReadingLog log{};
};

std::optional<std::uint64_t> resident(const Host& host) {
  const auto memory = own_memory(host);
  return memory ? std::optional(memory->resident.value) : std::nullopt;
}

std::unique_ptr<Session> load_timed(const Case& plan_case, const MeasureContext& context,
                                    Launch& launch) {
  launch.memory_before_bytes = resident(context.host);
  TimePoint since = context.clock.now();
  const LoadObserver observer = [&](LoadPhase phase) {
    const TimePoint now = context.clock.now();
    (phase == LoadPhase::Read ? launch.read_ns : launch.create_ns) = (now - since).count();
    since = now;
  };
  auto session =
      context.engine.load({.path = plan_case.model}, measure::options_of(plan_case), observer);
  launch.memory_loaded_bytes = resident(context.host);
  return session;
}

void run_first(Session& session, const Clock& clock, Launch& launch) {
  const TimePoint start = clock.now();
  session.run();
  launch.first_run_ns = (clock.now() - start).count();
}

void note_threads(const std::vector<ThreadUse>& before, const std::vector<ThreadUse>& after,
                  Nanoseconds elapsed, Launch& launch) {
  auto busy = busy_threads(before, after, elapsed);
  if (!busy) return;
  launch.busy_threads = static_cast<std::uint64_t>(busy->threads);
  launch.busy_cpus = std::move(busy->cpus);
}

// From the first to the last steady sample: what the process used, and how quiet the machine was.
void sample(Session& session, const Case& plan_case, const MeasureContext& context,
            ReadingBlock& block, Plain& plain) {
  Launch& launch = plain.launch;
  const LoadSnapshot quiet_before = take_snapshot(context.host);
  const std::vector<ThreadUse> threads_before = thread_use(context.host);
  const TimePoint start = context.clock.now();
  const Usage before = measure::take_usage();
  launch.stopped_by = measure::sample_steadily(session, context.clock, plan_case.stop, context.stop,
                                               block, plain.log);
  const Usage after = measure::take_usage();
  note_threads(threads_before, thread_use(context.host), context.clock.now() - start, launch);
  const auto memory = own_memory(context.host);
  launch.quiet = compare(quiet_before, take_snapshot(context.host));
  if (memory) launch.peak_memory_bytes = memory->peak_resident.value;
  if (plain.log.size() > 0) {
    launch.cpu_ns_per_inference = static_cast<double>((after.cpu - before.cpu).count()) /
                                  static_cast<double>(plain.log.size());
  }
  launch.involuntary_switches = after.involuntary_switches - before.involuntary_switches;
  launch.page_faults = after.page_faults - before.page_faults;
}

Outcome interrupted(std::string_view where) {
  return {.status = Status::Partial,
          .reason = "interrupted " + std::string(where),
          .error_kind = std::string(to_string(ErrorKind::Interrupted))};
}

Outcome run_plain(const Case& plan_case, const MeasureContext& context, Record& record,
                  Plain& plain) {
  Launch& launch = plain.launch;
  std::vector<Tensor> inputs = measure::make_inputs(plan_case);
  const auto session = load_timed(plan_case, context, launch);
  record.engine.effective = session->effective();
  if (context.stop.load()) return interrupted("before the first run");
  session->bind(std::move(inputs));
  run_first(*session, context.clock, launch);
  ReadingBlock block;
  const measure::Warmup warmup =
      measure::warm_up(*session, context.clock, plan_case.warmup, context.stop, block);
  launch.warmup_runs = warmup.runs;
  launch.warmup_ns = warmup.time.count();
  launch.warmup_ended_by = warmup.ended_by;
  if (context.stop.load()) return interrupted("during warm-up");
  sample(*session, plan_case, context, block, plain);
  record.engine.effective = session->effective();  // threads may be seen only after runs
  return launch.stopped_by == "interrupt" ? interrupted("while sampling") : Outcome{};
}

Outcome probe(const Case& plan_case, const MeasureContext& context, Record& record) {
  const auto session = measure::load_and_bind(
      context.engine, plan_case, measure::options_of(plan_case), measure::make_inputs(plan_case));
  record.engine.effective = session->effective();
  if (context.stop.load()) return interrupted("before the first run");
  session->run();
  return {};
}

Outcome failed(ErrorKind kind, std::string reason) {
  const bool is_unsupported = kind == ErrorKind::Unsupported;
  return {.status = is_unsupported ? Status::Unsupported : Status::Failed,
          .reason = std::move(reason),
          .error_kind = std::string(to_string(kind))};
}

/// Runs `body` and makes an outcome of what happens to it.
template <class Body>
Outcome outcome_of(Body&& body) {
  try {
    return body();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Interrupted) {
      return {.status = Status::Partial,
              .reason = error.what(),
              .error_kind = std::string(to_string(error.kind()))};
    }
    return failed(error.kind(), error.what());
  } catch (const std::bad_alloc&) {
    return failed(ErrorKind::Limit,
                  "memory ran out; give the machine more, or a smaller batch or shape");
  } catch (const std::exception& error) {
    return failed(ErrorKind::Internal, error.what());
  }
}

EngineFacts facts_of(const Engine& engine, const Case& plan_case) {
  EngineFacts facts{.name = std::string(engine.name()),
                    .version = engine.version(),
                    .build = engine.build(),
                    .asked = plan_case.settings};
  facts.asked["threads"] = std::to_string(plan_case.threads);
  facts.asked["precision"] = plan_case.precision;
  return facts;
}

void measure_plain(const Case& plan_case, const MeasureContext& context, Record& record) {
  Plain plain;
  record.outcome = outcome_of([&] { return run_plain(plan_case, context, record, plain); });
  record.samples = plain.log.unpack();
  if (record.outcome.status == Status::Failed && record.samples.size() > 0)
    record.outcome.reason += " (after " + std::to_string(record.samples.size()) + " samples)";
  if (plain.log.size() > 0)
    plain.launch.sampling_start_ns = plain.log.first_start().time_since_epoch().count();
  plain.launch.outcome = record.outcome;
  record.launches.push_back(std::move(plain.launch));
}

void measure_profile(const Case& plan_case, const MeasureContext& context, Record& record) {
  const Outcome outcome = outcome_of([&] {
    record.profile = measure::run_profile(plan_case, context.engine, context.clock, context.stop);
    return record.profile.outcome;
  });
  record.profile.outcome = outcome;
  record.outcome = outcome;
}

void measure_gate(const Case& plan_case, const MeasureContext& context, Record& record) {
  record.outcome = outcome_of([&] {
    record.gate = measure::run_gate(plan_case, context.engine, context.stop);
    return Outcome{};
  });
  if (record.outcome.status != Status::Ok) record.gate.reason = record.outcome.reason;
}

}  // namespace

Record measure_case(const Case& plan_case, const MeasureContext& context) {
  Record record{.plan_case = plan_case};
  record.engine = facts_of(context.engine, plan_case);
  switch (plan_case.role) {
    case Role::Probe:
      record.outcome = outcome_of([&] { return probe(plan_case, context, record); });
      break;
    case Role::Measure:
      measure_plain(plan_case, context, record);
      break;
    case Role::Gate:
      measure_gate(plan_case, context, record);
      break;
    case Role::Profile:
      measure_profile(plan_case, context, record);
      break;
    case Role::Conform:
      record.outcome = outcome_of([&] {
        measure::run_data_sets(plan_case, context.engine, context.stop, record.conformance);
        return Outcome{};
      });
      break;
    case Role::Shapes:
      record.outcome = outcome_of([&] {
        record.shape_memory =
            measure::run_shapes(plan_case, context.engine, context.host, context.stop);
        return Outcome{};
      });
      break;
    case Role::Observe:
      record.outcome = outcome_of([&] {
        record.observation = measure::observe(plan_case, context.engine);
        return Outcome{};
      });
      break;
  }
  return record;
}

}  // namespace headroom
