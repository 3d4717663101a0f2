// The report that a fault leaves, and what the next start makes of it.

#include "app/shell/crash_report.h"

#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>
#include <stdexcept>

#include "app/document/recent_steps.h"
#include "app/files/io/bytes.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"

namespace lab {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::KilledBySignal;
using testing::Not;

class CrashReport : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the sanitizers report faults themselves";
#endif
  }

  // The report that is left when a program ends by doing this.
  std::string report_of(int signal, const std::function<void()>& fault) {
    EXPECT_EXIT(
        {
          const CrashReporter reporter(folder_.path(), "attention-lab 9.9.9");
          note_step("edit.undo");
          note_step("set_sentence");
          fault();
        },
        KilledBySignal(signal), "");
    const std::string path = take_crash_report(folder_.path());
    return path.empty() ? "" : files::read_bytes(path).value();
  }

  TemporaryFolder folder_;
};

// Its own stack does not do for the handler either.
volatile bool goes_on = true;
[[gnu::noinline]] int without_end(int depth) {
  volatile char room[4096];
  room[0] = static_cast<char>(depth);
  return goes_on ? without_end(depth + 1) + room[0] : 0;
}

[[noreturn]] void throw_secret() { throw std::runtime_error("a secret sentence"); }
void throw_uncaught() noexcept { throw_secret(); }

TEST_F(CrashReport, SaysVersionSignalStepsAndFunctions) {
  const std::string report = report_of(SIGSEGV, [] { std::raise(SIGSEGV); });
  EXPECT_THAT(report, HasSubstr("\nattention-lab 9.9.9\nsignal: SIGSEGV"));
  EXPECT_THAT(report, HasSubstr("\n  edit.undo\n  set_sentence\n"));
  // One function of the C library, whose names are always there, with two of them.
  EXPECT_THAT(report, testing::AnyOf(HasSubstr("(raise+"), HasSubstr("(gsignal+")));
}

TEST_F(CrashReport, IsAlsoLeftByAStackThatOverflows) {
  EXPECT_THAT(report_of(SIGSEGV, [] { without_end(0); }), HasSubstr("signal: SIGSEGV"));
}

TEST_F(CrashReport, NamesTheTypeOfAnExceptionAndNotItsText) {
  EXPECT_THAT(report_of(SIGABRT, throw_uncaught),
              AllOf(HasSubstr("signal: SIGABRT"), HasSubstr("\nexception: std::runtime_error\n"),
                    Not(HasSubstr("secret"))));
}

TEST_F(CrashReport, IsToldOnceAndStays) {
  ASSERT_TRUE(
      files::write_bytes(folder_ / "crash-77.new",
                         "/usr/bin/attention-lab(_ZN3lab9note_stepEv+0x3)[0x1]\n(+0x1)[0x2]\n"));
  const std::string path = take_crash_report(folder_.path());
  EXPECT_THAT(path, testing::MatchesRegex(".*/crash-[0-9-]+\\.txt"));
  EXPECT_EQ(files::read_bytes(path).value(),
            "/usr/bin/attention-lab(lab::note_step()+0x3)[0x1]\n(+0x1)[0x2]\n");
  EXPECT_EQ(take_crash_report(folder_.path()), "");
  EXPECT_TRUE(fs::exists(path));
}

TEST_F(CrashReport, KeepsTheLatestTen) {
  for (int day = 10; day < 30; ++day)
    ASSERT_TRUE(
        files::write_bytes(folder_ / "crash-2026-01-" + std::to_string(day) + "-120000.txt", ""));
  take_crash_report(folder_.path());
  EXPECT_FALSE(fs::exists(folder_ / "crash-2026-01-19-120000.txt"));
  EXPECT_TRUE(fs::exists(folder_ / "crash-2026-01-20-120000.txt"));
}

TEST_F(CrashReport, IsNotLeftWithoutAFault) {
  { const CrashReporter reporter(folder_.path(), "attention-lab 9.9.9"); }
  EXPECT_TRUE(fs::is_empty(folder_.path()));
  EXPECT_EQ(take_crash_report(folder_.path()), "");
  EXPECT_EQ(take_crash_report(folder_ / "missing"), "");
}

TEST(RecentSteps, AreTheLastOnesAndTheSameOnlyOnceInARow) {
  static constexpr std::string_view kNames = "abcdefghijklmnopqrstuvwxyz";
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    note_step(kNames.substr(i, 1));
    note_step(kNames.substr(i, 1));
  }
  note_step("");
  const auto steps = recent_steps();
  EXPECT_EQ(steps.front(), "c");
  EXPECT_EQ(steps.back(), "z");
}

}  // namespace
}  // namespace lab
