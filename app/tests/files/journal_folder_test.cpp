// Whose journal is whose, and which ones are left behind.
#include "app/files/journal/journal_folder.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "app/files/io/bytes.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

class JournalFolder : public ::testing::Test {
 protected:
  JournalLocation take() { return value_of(JournalLocation::take_new(folder)); }
  static void write(const JournalLocation& place) { value_of_write(place.journal()); }
  static void value_of_write(const std::string& path) {
    ASSERT_TRUE(write_bytes(path, "something")) << path;
  }
  static mode_t mode_of(const std::string& path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
    return status.st_mode & 07777;
  }

  TemporaryFolder temporary;
  const std::string folder = temporary / "state/attention-lab/journal";
};

// A window in a process of its own, which has something to lose.
class OtherProcess {
 public:
  explicit OtherProcess(const std::string& folder) {
    int ready[2];
    if (::pipe(ready) != 0) throw std::runtime_error("no pipe");
    child_ = ::fork();
    if (child_ == 0) {
      const JournalLocation place = value_of(JournalLocation::take_new(folder));
      (void)write_bytes(place.journal(), "something");
      (void)!::write(ready[1], "!", 1);
      ::pause();
      ::_exit(0);
    }
    char byte = 0;
    EXPECT_EQ(::read(ready[0], &byte, 1), 1);
    ::close(ready[0]);
    ::close(ready[1]);
  }
  ~OtherProcess() { kill(); }
  void kill() {
    if (child_ == 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(std::exchange(child_, 0), nullptr, 0);
  }

 private:
  pid_t child_ = 0;
};

TEST_F(JournalFolder, IsForItsUserAlone) {
  const JournalLocation place = take();
  EXPECT_EQ(mode_of(folder), 0700u);
  for (const auto& file : fs::directory_iterator(folder)) EXPECT_EQ(mode_of(file.path()), 0600u);
}

TEST_F(JournalFolder, GivesEveryWindowAPlaceOfItsOwn) {
  const JournalLocation one = take(), other = take();
  EXPECT_NE(one.journal(), other.journal());
}

TEST_F(JournalFolder, OffersWhatACrashLeftOnce) {
  std::string path;
  {
    const JournalLocation crashed = take();
    write(crashed);
    EXPECT_TRUE(left_journals(folder).empty()) << "its window lives";
    path = crashed.journal();
  }
  const auto left = left_journals(folder);
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left.front()->journal(), path);
  EXPECT_TRUE(left_journals(folder).empty()) << "somebody is being asked";
}

TEST_F(JournalFolder, OffersItAgainUnlessItIsRemoved) {
  { write(take()); }
  EXPECT_EQ(left_journals(folder).size(), 1u);
  const auto again = left_journals(folder);
  ASSERT_EQ(again.size(), 1u);
  EXPECT_TRUE(again.front()->remove());
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(JournalFolder, KnowsAProcessThatLivesFromOneThatWasKilled) {
  OtherProcess other(folder);
  EXPECT_TRUE(left_journals(folder).empty());
  other.kill();
  EXPECT_EQ(left_journals(folder).size(), 1u);
}

TEST_F(JournalFolder, NeverGivesAwayTheJournalOfAProcessWithTheSameNumber) {
  std::string path;
  {
    const JournalLocation crashed = take();
    write(crashed);
    path = crashed.journal();
  }
  EXPECT_NE(take().journal(), path);
  EXPECT_TRUE(fs::exists(path));
}

TEST_F(JournalFolder, SweepsWhatHoldsNothing) {
  { const JournalLocation closed = take(); }
  { value_of_write(take().journal()); }
  { (void)write_bytes(take().journal(), ""); }
  EXPECT_EQ(left_journals(folder).size(), 1u);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2) << "a journal and its lock";
}

TEST_F(JournalFolder, OffersTheNewestFirst) {
  std::vector<std::string> paths;
  for (const int age : {3, 1, 2}) {
    const JournalLocation place = take();
    write(place);
    fs::last_write_time(place.journal(),
                        fs::file_time_type::clock::now() - std::chrono::hours(age));
    paths.push_back(place.journal());
  }
  const auto left = left_journals(folder);
  ASSERT_EQ(left.size(), 3u);
  EXPECT_EQ(left[0]->journal(), paths[1]);
  EXPECT_EQ(left[1]->journal(), paths[2]);
  EXPECT_EQ(left[2]->journal(), paths[0]);
}

TEST_F(JournalFolder, RenamesADamagedOneToAFreeName) {
  for (int i = 0; i < 2; ++i) {
    JournalLocation place = take();
    write(place);
    const std::string path = place.journal();
    EXPECT_EQ(place.move_journal_away(), path + (i == 0 ? ".damaged" : ".damaged-2"));
    EXPECT_FALSE(fs::exists(path));
  }
  EXPECT_TRUE(left_journals(folder).empty());
}

TEST_F(JournalFolder, AnswersAreOfferedToo) {
  { ASSERT_TRUE(write_bytes(take().answers(), "{}")); }
  const auto left = left_journals(folder);
  ASSERT_EQ(left.size(), 1u);
  ASSERT_TRUE(write_bytes(left.front()->journal(), "edits"));
  ASSERT_TRUE(left.front()->remove_journal());
  EXPECT_TRUE(left.front()->holds()) << "the answers are still there";
  ASSERT_TRUE(left.front()->remove_answers());
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(JournalFolder, OneThatIsNotThereOffersNothing) {
  EXPECT_TRUE(left_journals(folder).empty());
  EXPECT_FALSE(fs::exists(folder));
}

TEST_F(JournalFolder, ThatCannotBeMadeIsSaid) {
  const std::string file = temporary.write("state", "a file where a folder should be");
  const auto place = JournalLocation::take_new(folder);
  ASSERT_FALSE(place);
  EXPECT_EQ(place.error().type, ErrorType::kIo);
}

TEST_F(JournalFolder, APlaceWhoseLockWasRemovedIsNotHeld) {
  const JournalLocation place = take();
  EXPECT_TRUE(place.holds());
  fs::remove_all(folder);
  EXPECT_FALSE(place.holds());
}

TEST(JournalFolderPath, FollowsTheDesktopsRule) {
  ::setenv("XDG_STATE_HOME", "/somewhere/state", 1);
  EXPECT_EQ(journal_folder(), "/somewhere/state/attention-lab/journal");
  ::setenv("XDG_STATE_HOME", "relative", 1);
  ::setenv("HOME", "/home/someone", 1);
  EXPECT_EQ(journal_folder(), "/home/someone/.local/state/attention-lab/journal");
  ::setenv("HOME", "", 1);
  EXPECT_EQ(journal_folder(), "");
}

}  // namespace
}  // namespace lab
