#include "app/files/io/bytes.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "app/tests/files/nobody.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Descriptor `fd` leads elsewhere until the end of the scope.
class Redirected {
 public:
  Redirected(int fd, const std::string& path, int flags) : fd_(fd), kept_(::dup(fd)) {
    const int other = ::open(path.c_str(), flags, 0600);
    ::dup2(other, fd);
    ::close(other);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;
  ~Redirected() {
    ::dup2(kept_, fd_);
    ::close(kept_);
  }

 private:
  int fd_, kept_;
};

// Interrupts whatever waits, a thousand times a second.
class Interruptions {
 public:
  Interruptions() {
    struct sigaction action {};
    action.sa_handler = [](int) {};  // and no SA_RESTART
    ::sigaction(SIGALRM, &action, &before_);
    every(1000);
  }
  Interruptions(const Interruptions&) = delete;
  Interruptions& operator=(const Interruptions&) = delete;
  ~Interruptions() {
    every(0);
    ::sigaction(SIGALRM, &before_, nullptr);
  }

 private:
  static void every(int microseconds) {
    const itimerval timer{{0, microseconds}, {0, microseconds}};
    ::setitimer(ITIMER_REAL, &timer, nullptr);
  }
  struct sigaction before_ {};
};

mode_t mode_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

TEST(Bytes, WhatIsWrittenReadsBack) {
  const TemporaryFolder folder;
  std::string bytes = "with a NUL \0 inside";
  bytes += std::string(200'000, '\xFF');
  ASSERT_TRUE(write_bytes(folder / "a", bytes));
  EXPECT_EQ(value_of(read_bytes(folder / "a")), bytes);
  ASSERT_TRUE(write_bytes(folder / "a", ""));
  EXPECT_EQ(value_of(read_bytes(folder / "a")), "");
  EXPECT_THAT(folder.names(), ElementsAre("a"));
}

TEST(Bytes, MissingFileAndMissingFolderAreNamed) {
  const TemporaryFolder folder;
  const auto read = read_bytes(folder / "not-here");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().type, ErrorType::kIo);
  EXPECT_THAT(read.error().message, AllOf(HasSubstr("not-here"), HasSubstr("No such file")));
  const auto written = write_bytes(folder / "none/a", "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().type, ErrorType::kIo);
  EXPECT_THAT(written.error().message, AllOf(HasSubstr("none/a"), HasSubstr("No such file")));
}

TEST(Bytes, FoldersAreNoFiles) {
  const TemporaryFolder folder;
  const auto read = read_bytes(folder / ".");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().type, ErrorType::kBadInput);
  EXPECT_THAT(read.error().message, HasSubstr("is a folder"));
  const auto written = write_bytes(folder / ".", "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().type, ErrorType::kIo);
  EXPECT_THAT(written.error().message, HasSubstr("directory"));
  EXPECT_THAT(folder.names(), ElementsAre());
}

TEST(Bytes, TooLargeFilesAreRefused) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_bytes(folder / "ten", "0123456789"));
  EXPECT_TRUE(read_bytes(folder / "ten", 10));
  const auto result = read_bytes(folder / "ten", 9);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().type, ErrorType::kBadInput);
  EXPECT_THAT(result.error().message, HasSubstr("too large: at most 9 bytes"));
}

TEST(Bytes, AnEndlessDeviceIsReadUpToTheLimitOnly) {
  const auto result = read_bytes("/dev/zero", 1'000'000);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().type, ErrorType::kBadInput);
}

TEST(Bytes, ReplacingKeepsTheModeAndNewFilesFollowTheUmask) {
  const TemporaryFolder folder;
  const mode_t before = ::umask(027);
  ASSERT_TRUE(write_bytes(folder / "new", "1"));
  ::umask(before);
  EXPECT_EQ(mode_of(folder / "new"), 0640u);
  ASSERT_EQ(::chmod((folder / "new").c_str(), 0604), 0);
  ASSERT_TRUE(write_bytes(folder / "new", "2"));
  EXPECT_EQ(mode_of(folder / "new"), 0604u);
  EXPECT_EQ(value_of(read_bytes(folder / "new")), "2");
}

TEST(Bytes, ReadersOfTheOldFileKeepIt) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_bytes(folder / "a", "old"));
  const int fd = ::open((folder / "a").c_str(), O_RDONLY);
  ASSERT_TRUE(write_bytes(folder / "a", "new"));
  char buffer[4] = {};
  EXPECT_EQ(::read(fd, buffer, 3), 3);
  ::close(fd);
  EXPECT_STREQ(buffer, "old");
}

TEST(Bytes, LinksAreFollowedAndStay) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "sub");
  fs::create_symlink("sub/target", folder / "link");
  fs::create_symlink("link", folder / "link2");
  ASSERT_TRUE(write_bytes(folder / "link2", "through a link to nothing"));
  EXPECT_EQ(value_of(read_bytes(folder / "sub/target")), "through a link to nothing");
  ASSERT_TRUE(write_bytes(folder / "link2", "again"));
  EXPECT_EQ(value_of(read_bytes(folder / "sub/target")), "again");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_TRUE(fs::is_symlink(folder / "link2"));
}

TEST(Bytes, LinksInACircleAreAnError) {
  const TemporaryFolder folder;
  fs::create_symlink("b", folder / "a");
  fs::create_symlink("a", folder / "b");
  const auto result = write_bytes(folder / "a", "x");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().type, ErrorType::kIo);
  EXPECT_THAT(result.error().message, HasSubstr("symbolic links"));
}

TEST(Bytes, AFullDeviceIsAnError) {
  const auto result = write_bytes("/dev/full", "x");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().type, ErrorType::kIo);
  EXPECT_THAT(result.error().message, AllOf(HasSubstr("/dev/full"), HasSubstr("No space")));
  EXPECT_TRUE(write_bytes("/dev/null", "x"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(Bytes, APipeTakesMoreThanItHoldsAndSignalsDoNotMatter) {
  const TemporaryFolder folder;
  const Interruptions interruptions;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const std::string bytes(20'000'000, 'x');
  std::string received;
  std::thread reader([&] { received = read_bytes(folder / "pipe").value_or("failed"); });
  EXPECT_TRUE(write_bytes(folder / "pipe", bytes));
  reader.join();
  EXPECT_EQ(received, bytes);
  EXPECT_THAT(folder.names(), ElementsAre("pipe"));
}

TEST(Bytes, ADashIsStandardInputAndOutput) {
  const TemporaryFolder folder;
  for (const char* name : {"-", "/dev/stdout"}) {
    {
      const Redirected output(STDOUT_FILENO, folder / "out", O_WRONLY | O_CREAT | O_APPEND);
      EXPECT_TRUE(write_bytes(name, "a"));
    }
  }
  EXPECT_EQ(value_of(read_bytes(folder / "out")), "aa");
  const Redirected input(STDIN_FILENO, folder / "out", O_RDONLY);
  EXPECT_EQ(value_of(read_bytes("-")), "aa");
}

TEST(Bytes, AFullStandardOutputIsAnError) {
  const Redirected output(STDOUT_FILENO, "/dev/full", O_WRONLY);
  const auto result = write_bytes("-", "x");
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, AllOf(HasSubstr("standard output"), HasSubstr("No space")));
}

TEST(Bytes, AProtectedFolderOrFileStaysAsItWas) {
  const Nobody user;
  const TemporaryFolder folder;
  ASSERT_TRUE(write_bytes(folder / "file", "old"));
  ASSERT_EQ(::chmod((folder / "file").c_str(), 0444), 0);
  const auto to_file = write_bytes(folder / "file", "new");
  ASSERT_EQ(::chmod((folder / ".").c_str(), 0500), 0);
  const auto to_folder = write_bytes(folder / "other", "new");
  ASSERT_EQ(::chmod((folder / ".").c_str(), 0700), 0);
  ASSERT_FALSE(to_file);
  EXPECT_THAT(to_file.error().message, HasSubstr("Permission denied"));
  ASSERT_FALSE(to_folder);
  EXPECT_THAT(to_folder.error().message, HasSubstr("Permission denied"));
  EXPECT_EQ(value_of(read_bytes(folder / "file")), "old");
  EXPECT_THAT(folder.names(), ElementsAre("file"));
}

TEST(Bytes, AnUnreadableFileIsAnError) {
  const Nobody user;
  const TemporaryFolder folder;
  ASSERT_TRUE(write_bytes(folder / "file", "secret"));
  ASSERT_EQ(::chmod((folder / "file").c_str(), 0), 0);
  const auto result = read_bytes(folder / "file");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().type, ErrorType::kIo);
  EXPECT_THAT(result.error().message, AllOf(HasSubstr("/file"), HasSubstr("Permission denied")));
}

// A write that fails half-way, here at a limit on the size of files, leaves the old file alone.
TEST(Bytes, AFailedWriteLeavesTheOldFileAndNothingElse) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_bytes(folder / "file", "old"));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{100'000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto result = write_bytes(folder / "file", std::string(200'000, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().type, ErrorType::kIo);
  EXPECT_THAT(result.error().message, AllOf(HasSubstr("/file"), HasSubstr("File too large")));
  EXPECT_EQ(value_of(read_bytes(folder / "file")), "old");
  EXPECT_THAT(folder.names(), ElementsAre("file"));
}

}  // namespace
}  // namespace lab
