// What only a process of its own can show: full disks, pipes that close, closed streams.

#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

namespace lab::test {
namespace {

struct Result {
  int code = 0;
  std::string err;
};

// Runs `command` in a shell, with $lab the program, $in a session and $err a file for messages.
Result shell(const std::string& command) {
  // What the tests in this process ignore, a fresh process does not.
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_DFL);
  const TempFolder folder;
  const std::string settings = "lab='" ATTENTION_LAB_HEADLESS "'; in='" + small_session(folder) +
                               "'; err='" + (folder / "err") + "'; ";
  const int status = std::system((settings + command).c_str());
  EXPECT_TRUE(WIFEXITED(status)) << "killed by a signal: " << command;
  return {WEXITSTATUS(status), bytes_of(folder / "err")};
}

TEST(Process, AFullDiskIsAFailedWrite) {
  for (const char* verb : {"compute $in -o -", "export $in -o -", "check $in", "--help",
                           "--version", "compute --help", "explain $in --row 0 --col 0"}) {
    const Result result = shell(std::string("\"$lab\" ") + verb + " >/dev/full 2>$err");
    EXPECT_EQ(result.code, 6) << verb;
    EXPECT_TRUE(is_one_message(result.err)) << result.err;
  }
}

TEST(Process, ABuildThatWasMovedWithItsSourceFindsTheAssetsThere) {
  const Result result = shell(
      "there=$(dirname \"$err\")/moved; mkdir -p $there/build/x/bin $there/assets/examples; "
      "cp \"$lab\" $there/build/x/bin/lab; "
      "echo '{\"examples\": [{\"name\": \"mine\", \"title\": \"Mine\", \"file\": \"mine.json\"}]}' "
      ">$there/assets/examples/index.json; "
      "$there/build/x/bin/lab examples >$err");
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.err, ::testing::HasSubstr("mine"));
}

TEST(Process, AReaderThatGoesAwayIsAFailedWrite) {
  const Result result = shell(
      "{ sleep 0.2; \"$lab\" compute $in -o - 2>$err; echo $? >$err.code; } | true; "
      "sleep 1; exit $(cat $err.code)");
  EXPECT_EQ(result.code, 6);
  EXPECT_TRUE(is_one_message(result.err)) << result.err;
}

TEST(Process, AClosedOutputIsAFailedWrite) {
  const Result result = shell("\"$lab\" compute $in -o - >&- 2>$err");
  EXPECT_EQ(result.code, 6);
}

TEST(Process, MessagesThatCannotBeWrittenChangeNoExitCode) {
  EXPECT_EQ(shell("touch $err; \"$lab\" check /none 2>/dev/full").code, 6);
  EXPECT_EQ(shell("touch $err; \"$lab\" check /none 2>&-").code, 6);
}

TEST(Process, ReadsAPipeAndWritesToOne) {
  const Result result = shell("cat $in | \"$lab\" compute - -o - 2>$err | grep -q head_output");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
}

TEST(Process, APdfIsTheSameAtEveryTimeAndInEveryPlace) {
  const Result result = shell(
      "mkdir \"$err.l\"; localedef -i de_DE -f UTF-8 \"$err.l/de_DE.UTF-8\" >\"$err\" 2>&1; "
      "\"$lab\" export \"$in\" --stage all -o \"$err.1.pdf\" 2>\"$err\" || exit 1; "
      "sleep 1.1; export LOCPATH=\"$err.l\" LC_ALL=de_DE.UTF-8 TZ=Asia/Kathmandu; "
      "\"$lab\" export \"$in\" --stage all -o \"$err.2.pdf\" 2>\"$err\" || exit 1; "
      "cmp \"$err.1.pdf\" \"$err.2.pdf\"");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.err, "");
}

TEST(Process, AnEndlessInputIsRefused) {
  const Result result = shell("\"$lab\" apply \"$in\" /dev/zero -o - 2>\"$err\"");
  EXPECT_EQ(result.code, 5);
  EXPECT_TRUE(is_one_message(result.err)) << result.err;
}

// Every kind of file that is exported, by its ending.
class ProcessExport : public testing::TestWithParam<const char*> {
 protected:
  // Exports to `path` after `before`; what the shell says of it is in `says`. With $d a new folder
  // and $ending the file's, of which $d/old is one that is to keep what it holds.
  Result export_to(const std::string& path, const std::string& before = ":",
                   const std::string& says = "No space left") {
    Result result =
        shell("d=\"$err.d\"; ending=" + std::string(GetParam()) +
              "; mkdir \"$d\"; echo old >\"$d/old$ending\"; " + before +
              "; \"$lab\" export \"$in\" -o " + path + " 2>\"$err\"; code=$?; " +
              "[ \"$(cat \"$d/old$ending\")\" = old ] || code=100; "
              "[ \"$(ls -A \"$d\" | grep -v new)\" = \"old$ending\" ] || code=101; exit $code");
    EXPECT_EQ(result.code, 6) << GetParam()
                              << ": 100 the old file has changed, 101 others were left";
    EXPECT_TRUE(is_one_message(result.err)) << result.err;
    EXPECT_THAT(result.err, testing::HasSubstr(says));
    return result;
  }
};

TEST_P(ProcessExport, AFullDeviceIsAFailedWrite) {
  export_to("\"$d/new$ending\"", "ln -s /dev/full \"$d/new$ending\"");
}

TEST_P(ProcessExport, AFileBeyondTheLimitOfItsSizeIsAFailedWrite) {
  for (const char* path : {"\"$d/other$ending\"", "\"$d/old$ending\""})
    export_to(path, "ulimit -f 1", "File too large");
}

TEST_P(ProcessExport, AFullFileSystemKeepsWhatItHolds) {
  const std::string mount = "unshare -rm sh -c 'mount -t tmpfs -o size=4k none \"$0\" && ";
  if (std::system((mount + "true' /mnt 2>/dev/null").c_str()) != 0)
    GTEST_SKIP() << "no file system can be mounted";
  for (const char* name : {"other", "old"}) {
    const Result result =
        shell(mount + "echo old >\"$0/old$1\"; \"$2\" export \"$3\" -o \"$0/" + name +
              "$1\"; code=$?; [ \"$(cat \"$0/old$1\")\" = old ] || code=100; "
              "[ \"$(ls -A \"$0\")\" = \"old$1\" ] || code=101; exit $code' /mnt " +
              GetParam() + " \"$lab\" \"$in\" 2>\"$err\"");
    EXPECT_EQ(result.code, 6) << name << GetParam();
    EXPECT_TRUE(is_one_message(result.err)) << result.err;
    EXPECT_THAT(result.err, testing::HasSubstr("No space left"));
  }
}

TEST_P(ProcessExport, AFolderOfThatNameIsAFailedWrite) {
  export_to("\"$d/new$ending\"", "mkdir \"$d/new$ending\"", "Is a directory");
}

TEST_P(ProcessExport, ALinkIntoNowhereIsAFailedWrite) {
  export_to("\"$d/new$ending\"", "ln -s \"$d/none/file\" \"$d/new$ending\"", "No such file");
  export_to("\"$d/new$ending\"", "ln -s \"new$ending\" \"$d/new$ending\"", "symbolic links");
}

TEST_P(ProcessExport, AFolderThatCannotBeWrittenToIsAFailedWrite) {
  if (geteuid() == 0) GTEST_SKIP() << "root can write everywhere";
  export_to("\"$d/other$ending\"", "chmod 555 \"$d\"", "Permission denied");
}

INSTANTIATE_TEST_SUITE_P(Endings, ProcessExport,
                         testing::Values(".png", ".svg", ".pdf", ".tex", ".html", ".npz", ".npy",
                                         ".csv", ".json"),
                         [](const auto& ending) { return std::string(ending.param + 1); });

}  // namespace
}  // namespace lab::test
