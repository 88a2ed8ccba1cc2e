// SPDX-License-Identifier: Apache-2.0
// Stores on disk: where they are, what is refused, and what the message says.
#include <headroom/base/file.h>
#include <headroom/store.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/schema.h"
#include "store/sqlite_store.h"
#include "support/sample_record.h"
#include "support/temp_folder.h"
#include "support/thrown.h"

namespace headroom {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using test::message_of;
using test::TempFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;

// Sets or clears a variable, and puts it back.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* const old = std::getenv(name)) old_ = old;
    if (value == nullptr)
      ::unsetenv(name);
    else
      ::setenv(name, value, 1);
  }
  ~Environment() {
    if (old_)
      ::setenv(name_, old_->c_str(), 1);
    else
      ::unsetenv(name_);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

Record record(const std::string& id) {
  Record made = test::sample_record();
  made.id = id;
  return made;
}

// A database of `sql` at `path`.
void write_database(const fs::path& path, const std::string& sql) {
  Database(path, Opening::Create, milliseconds(0)).execute(sql);
}

TEST(StoreLocation, IsWhatTheUserNames) {
  EXPECT_EQ(store_location("/a/b.db"), "/a/b.db");
  EXPECT_EQ(store_location("b.db"), fs::current_path() / "b.db");
  const Environment named("HEADROOM_STORE", "/e/s.db");
  EXPECT_EQ(store_location(""), "/e/s.db");
  EXPECT_EQ(store_location("/a/b.db"), "/a/b.db");
}

TEST(StoreLocation, FollowsTheBaseDirectories) {
  const Environment unnamed("HEADROOM_STORE", nullptr);
  const Environment home("HOME", "/home/u");
  {
    const Environment data("XDG_DATA_HOME", "/data");
    EXPECT_EQ(store_location(""), "/data/headroom/headroom.db");
  }
  {
    const Environment data("XDG_DATA_HOME", "relative");  // To be ignored, says the specification.
    EXPECT_EQ(store_location(""), "/home/u/.local/share/headroom/headroom.db");
  }
  const Environment data("XDG_DATA_HOME", nullptr);
  EXPECT_EQ(store_location(""), "/home/u/.local/share/headroom/headroom.db");
}

TEST(StoreLocation, IsRefusedWithoutAHome) {
  const Environment unnamed("HEADROOM_STORE", nullptr);
  const Environment data("XDG_DATA_HOME", nullptr);
  const Environment home("HOME", nullptr);
  EXPECT_THAT(message_of(ErrorKind::NotFound, [] { store_location(""); }),
              AllOf(HasSubstr("HOME"), HasSubstr("--store"), HasSubstr("HEADROOM_STORE")));
}

TEST(StoreLocation, KnowsNoServers) {
  EXPECT_THAT(message_of(ErrorKind::Unsupported, [] { store_location("postgres://h/db"); }),
              HasSubstr("PostgreSQL, which is not in this build"));
  message_of(ErrorKind::Unsupported, [] { store_location("mysql://h/db"); });
  message_of(ErrorKind::Usage, [] { store_location("none"); });
}

TEST(OpenStore, GivesNothingForNone) {
  EXPECT_EQ(open_store("none"), nullptr);
  const Environment named("HEADROOM_STORE", "none");
  EXPECT_EQ(open_store(""), nullptr);
}

TEST(OpenStore, CreatesTheDefaultWithItsFolders) {
  const TempFolder folder;
  const Environment unnamed("HEADROOM_STORE", nullptr);
  const Environment data("XDG_DATA_HOME", folder.path().c_str());
  open_store("")->append(record("a"));
  EXPECT_EQ(open_store("")->size(), 1U);
  EXPECT_TRUE(fs::exists(folder / "headroom/headroom.db"));
}

TEST(OpenStore, DoesNotCreateTheFoldersOfANamedFile) {
  const TempFolder folder;
  EXPECT_THAT(
      message_of(ErrorKind::NotFound, [&] { open_store((folder / "no/such/s.db").string()); }),
      HasSubstr("there is no folder"));
}

TEST(OpenStore, KeepsWhatWasAppended) {
  const TempFolder folder;
  const std::string path = (folder / "s with ? and # and %41.db").string();
  open_store(path)->append(record("a"));
  open_store(path)->append(record("b"));
  const auto store = open_store(path, StoreAccess::Read);
  EXPECT_EQ(store->size(), 2U);
  EXPECT_EQ(store->find("last"), to_json(record("b")));
  EXPECT_TRUE(fs::exists(path));
}

TEST(OpenStore, CreatesNothingForAReader) {
  const TempFolder folder;
  EXPECT_THAT(message_of(ErrorKind::NotFound,
                         [&] { open_store((folder / "s.db").string(), StoreAccess::Read); }),
              HasSubstr("nothing is recorded yet"));
  EXPECT_TRUE(fs::is_empty(folder.path()));
  std::ofstream(folder / "empty.db").flush();  // As a program leaves it that is just creating it.
  EXPECT_THAT(message_of(ErrorKind::NotFound,
                         [&] { open_store((folder / "empty.db").string(), StoreAccess::Read); }),
              HasSubstr("nothing is recorded yet"));
  EXPECT_EQ(fs::file_size(folder / "empty.db"), 0U);
}

TEST(OpenStore, RefusesWhatIsNoStore) {
  const TempFolder folder;
  std::ofstream(folder / "text.db") << "this is text, and long enough to be more than a header, "
                                       "which SQLite reads first of all, one hundred bytes of it";
  for (const StoreAccess access : {StoreAccess::Append, StoreAccess::Read}) {
    EXPECT_THAT(
        message_of(ErrorKind::BadInput, [&] { open_store((folder / "text.db").string(), access); }),
        HasSubstr("text.db' is no intact SQLite database"));
    EXPECT_THAT(
        message_of(ErrorKind::BadInput, [&] { open_store(folder.path().string(), access); }),
        HasSubstr("is a folder"));
  }
}

TEST(OpenStore, LeavesTheDatabaseOfAnotherProgramAlone) {
  const TempFolder folder;
  const fs::path path = folder / "other.db";
  write_database(path, "CREATE TABLE theirs (x)");
  const std::string before = read_text_file(path);
  EXPECT_THAT(message_of(ErrorKind::BadInput, [&] { open_store(path.string()); }),
              HasSubstr("of another program"));
  EXPECT_EQ(read_text_file(path), before);
}

TEST(OpenStore, NamesBothSchemasWhenTheStoreIsNewer) {
  const TempFolder folder;
  const std::string path = (folder / "s.db").string();
  open_store(path)->append(record("a"));
  write_database(path, "PRAGMA user_version = 7");
  EXPECT_THAT(message_of(ErrorKind::Unsupported, [&] { open_store(path); }),
              AllOf(HasSubstr("has schema 7"), HasSubstr("up to 1")));
}

TEST(OpenStore, FindsADamagedFile) {
  const TempFolder folder;
  const fs::path path = folder / "s.db";
  open_store(path.string())->append(record("a"));
  std::string bytes = read_text_file(path);
  for (std::size_t i = 4096; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 31);
  write_file_atomically(path, bytes);
  message_of(ErrorKind::BadInput, [&] { open_store(path.string())->find("last"); });
}

TEST(OpenStore, WaitsForAnotherWriterOnlySoLong) {
  const TempFolder folder;
  const fs::path path = folder / "s.db";
  const auto store = open_sqlite_store(path, StoreAccess::Append, milliseconds(20));
  const Database other(path, Opening::Create, milliseconds(0));
  {
    const Transaction held(other);
    EXPECT_THAT(message_of(ErrorKind::Limit, [&] { store->append(record("a")); }),
                AllOf(HasSubstr("held by another program for more than 20.0 ms")));
    EXPECT_EQ(open_sqlite_store(path, StoreAccess::Read, milliseconds(20))->size(), 0U);
  }
  store->append(record("a"));  // The writer is gone: nothing was lost or left half-way.
  EXPECT_EQ(store->size(), 1U);
}

// Sixteen writers of one file that does not exist yet: each waits its turn.
TEST(OpenStore, LetsWritersCreateAndAppendAtOnce) {
  const TempFolder folder;
  const std::string path = (folder / "s.db").string();
  std::vector<std::jthread> writers;
  for (int writer = 0; writer < 4; ++writer)
    writers.emplace_back([&path, writer] {
      for (int i = 0; i < 4; ++i)
        open_store(path)->append(record(std::to_string(writer) + "-" + std::to_string(i)));
    });
  writers.clear();
  EXPECT_EQ(open_store(path, StoreAccess::Read)->size(), 16U);
}

// Another program makes the tables while this one asks for the file's identity and its tables: seen
// at two moments, the file was «of another program» (47 of 300 runs of the test above aborted).
TEST(OpenStore, SeesTheFileAsOfOneMoment) {
  const TempFolder folder;
  const fs::path path = folder / "s.db";
  const Database reader(path, Opening::Create, milliseconds(0));
  const Database writer(path, Opening::Create, milliseconds(0));
  struct Interruption {
    const Database& writer;
    int statements = 0;
    static int on_statement(unsigned /*kind*/, void* context, void* /*statement*/, void* text) {
      auto& self = *static_cast<Interruption*>(context);
      if (std::string_view(static_cast<const char*>(text)).find("sqlite_master") !=
          std::string_view::npos) {
        ++self.statements;
        try {
          migrate(self.writer);
        } catch (const Error&) {  // It has to wait until the reader has read all.
        }
      }
      return 0;
    }
  } interruption{writer};
  ASSERT_EQ(sqlite3_trace_v2(reader.handle(), SQLITE_TRACE_STMT, &Interruption::on_statement,
                             &interruption),
            SQLITE_OK);
  EXPECT_EQ(inspect_store(reader), StoreState::Empty);
  EXPECT_EQ(interruption.statements, 1);
  migrate(writer);
  EXPECT_EQ(inspect_store(reader), StoreState::Current);
}

// A writer that is killed between two appends, with its connection open.
TEST(OpenStore, LosesNothingWhenAWriterIsKilled) {
  const TempFolder folder;
  const std::string path = (folder / "s.db").string();
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto store = open_store(path);
    store->append(record("a"));
    store->append(record("b"));
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(open_store(path, StoreAccess::Read)->size(), 2U);
  open_store(path)->append(record("c"));
  EXPECT_EQ(open_store(path)->find("last"), to_json(record("c")));
}

TEST(OpenStore, SaysWhenTheDatabaseMayNotGrow) {
  const TempFolder folder;
  Database database(folder / "s.db", Opening::Create, milliseconds(0));
  migrate(database);
  database.execute("PRAGMA max_page_count = 1");  // Raised by SQLite to the pages that there are.
  SqliteStore store(std::move(database));
  EXPECT_THAT(message_of(ErrorKind::Limit,
                         [&] {
                           for (int i = 0; i < 100; ++i) store.append(record(std::to_string(i)));
                         }),
              HasSubstr("the disk is full"));
}

// The same on a real disk of 256 KiB, where the log and not the database meets its end.
TEST(OpenStore, SaysWhenTheDiskIsFull) {
  const TempFolder folder;
  if (::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=256k") != 0)
    GTEST_SKIP() << "a file system of 256 KiB cannot be mounted here: only root may";
  std::string message;
  {
    const auto store = open_store((folder / "s.db").string());
    message = message_of(ErrorKind::Limit, [&] {
      for (int i = 0; i < 1000; ++i) store->append(record(std::to_string(i)));
    });
    const std::uint64_t kept = store->size();
    EXPECT_GE(kept, 1U);
    EXPECT_EQ(store->list({.limit = 1000}).size(), kept);
  }
  EXPECT_THAT(message, HasSubstr("the disk is full"));
  EXPECT_EQ(::umount2(folder.path().c_str(), MNT_DETACH), 0);
}

// Rights do not bind root, so a child gives them up.
class WithoutRights : public ::testing::Test {
 protected:
  // Runs `check` as a user without rights in a child; its failures become ours.
  template <class Check>
  void run(Check check) {
    constexpr uid_t kNobody = 65534;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      if (::geteuid() == 0 && (::setegid(kNobody) != 0 || ::seteuid(kNobody) != 0)) ::_exit(2);
      check();
      ::_exit(HasFailure() ? 1 : 0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "in the child: " << status;
  }

  void SetUp() override {
    path_ = folder_ / "s.db";
    open_store(path_.string())->append(record("a"));
  }
  void allow(fs::perms file, fs::perms folder) {
    fs::permissions(path_, file);
    fs::permissions(folder_.path(), folder);
  }

  TempFolder folder_;
  fs::path path_;
};

constexpr auto kReadFile = fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;
constexpr auto kReadFolder =
    kReadFile | fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;

// Refused on opening, before anything is measured in vain.
TEST_F(WithoutRights, AReadOnlyStoreIsReadAndNotWritten) {
  allow(kReadFile, kReadFolder);
  run([&] {
    EXPECT_EQ(open_store(path_.string(), StoreAccess::Read)->size(), 1U);
    EXPECT_THAT(message_of(ErrorKind::NotFound, [&] { open_store(path_.string()); }),
                AllOf(HasSubstr("cannot be written"), HasSubstr("--store")));
  });
  fs::permissions(folder_.path(), fs::perms::owner_all);
}

TEST_F(WithoutRights, AReadOnlyFileIsRefusedOnOpeningThoughTheFolderIsNot) {
  allow(kReadFile, fs::perms::all);
  run([&] {
    EXPECT_THAT(message_of(ErrorKind::NotFound, [&] { open_store(path_.string()); }),
                HasSubstr("cannot be written"));
  });
}

TEST_F(WithoutRights, AReadOnlyFolderTakesNoLog) {
  allow(fs::perms::all, kReadFolder);
  run([&] { message_of(ErrorKind::NotFound, [&] { open_store(path_.string()); }); });
  fs::permissions(folder_.path(), fs::perms::owner_all);
}

TEST_F(WithoutRights, AHiddenStoreIsNotRead) {
  allow(fs::perms::owner_read, kReadFolder);
  run([&] {
    if (::access(path_.c_str(), R_OK) == 0 && ::geteuid() != 65534) return;  // It is ours.
    EXPECT_THAT(message_of(ErrorKind::NotFound,
                           [&] { open_store(path_.string(), StoreAccess::Read)->size(); }),
                HasSubstr("cannot be opened"));
  });
  fs::permissions(folder_.path(), fs::perms::owner_all);
}

}  // namespace
}  // namespace headroom
