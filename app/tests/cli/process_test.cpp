// What only a process of its own can show: full disks, pipes that close, closed streams.

#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <csignal>

#include "app/tests/cli/run_cli.h"

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

}  // namespace
}  // namespace lab::test
