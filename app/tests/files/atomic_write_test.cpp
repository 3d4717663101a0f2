#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "app/files/io/bytes.h"
#include "app/tests/files/nobody.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string temporary_of(pid_t writer, int number = 0) {
  return ".attention-lab-" + std::to_string(writer) + "-" + std::to_string(number) + ".tmp";
}

// A process that does nothing, or, once it has ended, the number of one.
class Process {
 public:
  Process() : id_(::fork()) {
    while (id_ == 0) ::pause();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() { end(); }
  pid_t id() const { return id_; }
  void end() {
    if (ended_) return;
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
    ended_ = true;
  }

 private:
  pid_t id_;
  bool ended_ = false;
};

struct stat status_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status;
}

TEST(AtomicWrite, SweepsWhatKilledWritersLeft) {
  const TemporaryFolder folder;
  Process writer;
  writer.end();
  folder.write(temporary_of(writer.id(), 0), "half");
  folder.write(temporary_of(writer.id(), 12), "");
  // In a container every program may have the same number, and this one's file has no lock.
  folder.write(temporary_of(::getpid(), 3), "half");
  ASSERT_TRUE(write_bytes(folder / "a", "x"));
  EXPECT_THAT(folder.names(), ElementsAre("a"));
}

TEST(AtomicWrite, SparesTheFilesOfWritersThatRun) {
  const TemporaryFolder folder;
  const Process writer;
  const std::string of_another = temporary_of(writer.id()), of_ours = temporary_of(::getpid());
  folder.write(of_another, "being written");
  const int fd = ::open(folder.write(of_ours, "in a thread").c_str(), O_RDONLY);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  EXPECT_TRUE(write_bytes(folder / "a", "x"));
  EXPECT_TRUE(fs::exists(folder / of_another));
  EXPECT_TRUE(fs::exists(folder / of_ours));
  ::close(fd);
  EXPECT_TRUE(write_bytes(folder / "a", "x"));
  EXPECT_FALSE(fs::exists(folder / of_ours));
}

TEST(AtomicWrite, SparesWhatIsNotOurs) {
  const TemporaryFolder folder;
  Process writer;
  writer.end();
  const std::string id = std::to_string(writer.id());
  for (const std::string& name :
       {".attention-lab-" + id + "-0.tmp~", ".attention-lab-" + id + ".tmp",
        ".attention-lab-0" + id + "-0.tmp", ".attention-lab-" + id + "-0x.tmp",
        std::string(".attention-lab--1-0.tmp"), "attention-lab-" + id + "-0.tmp",
        std::string("notes.tmp")})
    folder.write(name, "mine");
  fs::create_directory(folder / temporary_of(writer.id(), 1));
  fs::create_symlink("notes.tmp", folder / temporary_of(writer.id(), 2));
  ASSERT_EQ(::mkfifo((folder / temporary_of(writer.id(), 3)).c_str(), 0600), 0);
  const auto before = folder.names();
  ASSERT_TRUE(write_bytes(folder / "notes.tmp", "x"));
  EXPECT_EQ(folder.names(), before);
}

TEST(AtomicWrite, SparesTheFilesOfOtherUsers) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make a file of another user";
  const TemporaryFolder folder;
  Process writer;
  writer.end();
  const std::string theirs = folder.write(temporary_of(writer.id()), "half");
  ASSERT_EQ(::chown(theirs.c_str(), 65534, 65534), 0);
  ASSERT_TRUE(write_bytes(folder / "a", "x"));
  EXPECT_TRUE(fs::exists(theirs));
}

// Without being able to sync the folder, the new name might be lost with the machine.
TEST(AtomicWrite, AFolderThatCannotBeOpenedIsAnErrorBeforeAnythingIsChanged) {
  const Nobody user;
  const TemporaryFolder folder;
  ASSERT_TRUE(write_bytes(folder / "a", "old"));
  ASSERT_EQ(::chmod((folder / ".").c_str(), 0300), 0);
  const auto result = write_bytes(folder / "a", "new");
  ASSERT_EQ(::chmod((folder / ".").c_str(), 0700), 0);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().type, ErrorType::kIo);
  EXPECT_THAT(result.error().message, HasSubstr("Permission denied"));
  EXPECT_EQ(value_of(read_bytes(folder / "a")), "old");
  EXPECT_THAT(folder.names(), ElementsAre("a"));
}

TEST(AtomicWrite, RootKeepsTheOwner) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const TemporaryFolder folder;
  const std::string path = folder.write("a", "old");
  ASSERT_EQ(::chown(path.c_str(), 65534, 65533), 0);
  ASSERT_EQ(::chmod(path.c_str(), 04640), 0);
  ASSERT_TRUE(write_bytes(path, "new"));
  EXPECT_EQ(status_of(path).st_uid, 65534u);
  EXPECT_EQ(status_of(path).st_gid, 65533u);
  EXPECT_EQ(status_of(path).st_mode & 07777, 04640u);
}

TEST(AtomicWrite, AFileThatBecomesOursDoesNotRunAsUs) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make a file of another user";
  const TemporaryFolder folder;
  ASSERT_EQ(::chmod((folder / ".").c_str(), 0777), 0);
  const std::string path = folder.write("a", "old");
  ASSERT_EQ(::chmod(path.c_str(), 04666), 0);
  {
    const Nobody user;
    ASSERT_TRUE(write_bytes(path, "new"));
  }
  EXPECT_EQ(value_of(read_bytes(path)), "new");
  EXPECT_EQ(status_of(path).st_uid, 65534u);
  EXPECT_EQ(status_of(path).st_mode & 07777, 0666u);
}

}  // namespace
}  // namespace lab
