// SPDX-License-Identifier: Apache-2.0
// Appending, listing and finding records, in memory.
#include <headroom/store.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/sqlite_store.h"
#include "support/sample_record.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Record record(const std::string& id, const std::string& time = "2026-11-30T07:15:00Z") {
  Record made = test::sample_record();
  made.id = id;
  made.time = time;
  return made;
}

std::vector<std::string> ids(const Store& store, const RecordFilter& filter = {}) {
  std::vector<std::string> found;
  for (const RecordSummary& summary : store.list(filter)) found.push_back(summary.id);
  return found;
}

TEST(Records, AreFoundAsTheyWereAppended) {
  const auto store = make_memory_store();
  const Record made = record("a1");
  store->append(made);
  EXPECT_EQ(store->find("a1"), to_json(made));
  EXPECT_EQ(store->size(), 1U);
}

TEST(Records, AreListedWithWhatAListingShows) {
  const auto store = make_memory_store();
  Record made = record("a1");
  made.outcome = {.status = Status::Timeout, .reason = "after 5 s", .error_kind = "limit"};
  store->append(made);
  const std::vector<RecordSummary> found = store->list({});
  ASSERT_EQ(found.size(), 1U);
  const RecordSummary& row = found[0];
  EXPECT_EQ(row.id, "a1");
  EXPECT_EQ(row.time, "2026-11-30T07:15:00Z");
  EXPECT_EQ(row.model, "/models/net.onnx");
  EXPECT_EQ(row.sha256, "ab12");
  EXPECT_EQ(row.engine, "onnxruntime");
  EXPECT_EQ(row.engine_version, "1.32.0");
  EXPECT_EQ(row.threads, 2);
  EXPECT_EQ(row.fingerprint, "0123456789abcdef");
  EXPECT_EQ(row.hostname, "alpha");
  EXPECT_EQ(row.outcome.status, Status::Timeout);
  EXPECT_EQ(row.outcome.reason, "after 5 s");
  EXPECT_EQ(row.outcome.error_kind, "limit");
  EXPECT_EQ(row.median.value, 2'050'000);
  EXPECT_EQ(row.median.low, 1'900'000.5);
  EXPECT_EQ(row.median.high, 2'200'000);
  EXPECT_EQ(row.median.n, 3U);
}

TEST(Records, KeepTheReasonOfAnAbsentMedian) {
  const auto store = make_memory_store();
  Record made = record("a1");
  made.metrics["latency_median_ns"] = {.kind = MetricKind::Estimated, .absent = "no sample"};
  store->append(made);
  made = record("a2");
  made.metrics.clear();
  store->append(made);
  const std::vector<RecordSummary> found = store->list({});
  EXPECT_EQ(found[0].median.absent, "not in the record");
  EXPECT_EQ(found[1].median.absent, "no sample");
  EXPECT_EQ(found[1].median.kind, MetricKind::Estimated);
  EXPECT_FALSE(found[1].median.value);
}

TEST(Records, AreListedNewestFirst) {
  const auto store = make_memory_store();
  store->append(record("c", "2026-11-30T07:15:01Z"));
  store->append(record("b", "2026-11-30T07:15:02Z"));
  store->append(record("a", "2026-11-30T07:15:02Z"));  // In the same second, later.
  store->append(record("d", "2026-11-29T00:00:00Z"));  // From another machine's past.
  EXPECT_THAT(ids(*store), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(ids(*store, {.limit = 2}), ElementsAre("a", "b"));
  EXPECT_THAT(ids(*store, {.limit = 0}), IsEmpty());
}

TEST(Records, AreFilteredByPathFileDigestAndEngine) {
  const auto store = make_memory_store();
  Record made = record("a");
  made.model.path = "/x/net.onnx";
  made.model.sha256 = "0123456789abcdef";
  store->append(made);
  made = record("b");
  made.model.path = "/y/net.onnx";
  made.model.sha256 = "fedcba9876543210";
  made.engine.name = "openvino";
  store->append(made);
  EXPECT_THAT(ids(*store, {.model = "/x/net.onnx"}), ElementsAre("a"));
  EXPECT_THAT(ids(*store, {.model = "net.onnx"}), ElementsAre("b", "a"));
  EXPECT_THAT(ids(*store, {.model = "net.onnx", .engine = "openvino"}), ElementsAre("b"));
  EXPECT_THAT(ids(*store, {.model = "01234567"}), ElementsAre("a"));
  EXPECT_THAT(ids(*store, {.model = "0123456"}), IsEmpty());  // Seven digits are too few.
  EXPECT_THAT(ids(*store, {.engine = "onnxruntime"}), ElementsAre("a"));
  EXPECT_THAT(ids(*store, {.model = "et.onnx"}), IsEmpty());
  EXPECT_THAT(ids(*store, {.model = "' OR 1=1 --"}), IsEmpty());
}

TEST(Records, AreFoundByAPrefixThatIsUnique) {
  const auto store = make_memory_store();
  store->append(record("20261130T071500Z-3f9a2c41"));
  store->append(record("20261130T071501Z-00000000"));
  EXPECT_THAT(store->find("20261130T071500"), HasSubstr("3f9a2c41"));
  const std::string message =
      test::message_of(ErrorKind::Usage, [&] { store->find("20261130T0715"); });
  EXPECT_THAT(message, HasSubstr("20261130T071500Z-3f9a2c41, 20261130T071501Z-00000000"));
}

TEST(Records, AreFoundByTheirWholeIdThoughItBeginsAnother) {
  const auto store = make_memory_store();
  store->append(record("ab"));
  store->append(record("abc"));
  EXPECT_EQ(store->find("ab"), to_json(record("ab")));
}

TEST(Records, KnowTheLast) {
  const auto store = make_memory_store();
  store->append(record("b"));
  store->append(record("a"));
  EXPECT_EQ(store->find("last"), to_json(record("a")));
}

TEST(Records, NameTheNearestWhenNoneMatches) {
  const auto store = make_memory_store();
  store->append(record("20261130T071500Z-3f9a2c41"));
  EXPECT_THAT(
      test::message_of(ErrorKind::NotFound, [&] { store->find("20261130T071500Z-3f9a2c42"); }),
      HasSubstr("the nearest is '20261130T071500Z-3f9a2c41'"));
  EXPECT_THAT(test::message_of(ErrorKind::NotFound, [&] { store->find("zzz"); }),
              HasSubstr("the nearest is"));
  test::message_of(ErrorKind::Usage, [&] { store->find(""); });
}

TEST(Records, SayWhenThereIsNone) {
  const auto store = make_memory_store();
  EXPECT_THAT(test::message_of(ErrorKind::NotFound, [&] { store->find("last"); }),
              HasSubstr("nothing is recorded yet"));
  EXPECT_EQ(store->size(), 0U);
}

TEST(Records, RefuseAnIdTwice) {
  const auto store = make_memory_store();
  store->append(record("a"));
  EXPECT_THAT(test::message_of(ErrorKind::Internal, [&] { store->append(record("a")); }),
              HasSubstr("UNIQUE"));
  EXPECT_EQ(store->size(), 1U);
}

TEST(Calibrations, AreListedByPlatformNewestFirst) {
  const auto store = make_memory_store();
  const auto texts = [&](std::string_view platform, std::size_t most) {
    std::vector<std::string> found;
    for (const auto& calibration : store->calibrations(platform, most))
      found.push_back(calibration.json);
    return found;
  };
  EXPECT_THAT(texts("p", 9), IsEmpty());
  store->append_calibration("p", R"({"n":1})");
  store->append_calibration("q", R"({"n":2})");
  store->append_calibration("p", R"({"n":3})");
  EXPECT_THAT(texts("p", 9), ElementsAre(R"({"n":3})", R"({"n":1})"));
  EXPECT_THAT(texts("p", 1), ElementsAre(R"({"n":3})"));
  EXPECT_THAT(texts("q", 9), ElementsAre(R"({"n":2})"));
  EXPECT_EQ(store->calibrations("p", 1).front().time.size(),
            std::string("2026-11-30T07:15:00Z").size());
}

}  // namespace
}  // namespace headroom
