#include <gmock/gmock.h>

#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

namespace lab::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Export with chosen tokens, names and labels, and into several files.
class ExportTokens : public testing::Test {
 protected:
  std::string svg(const std::vector<std::string>& options) const {
    std::vector<std::string> arguments = {"export", in_, "-o", folder_ / "out.svg", "--bare"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.code == 0 ? bytes_of(folder_ / "out.svg") : "";
  }
  std::string refusal(const std::string& name, const std::vector<std::string>& options) const {
    std::vector<std::string> arguments = {"export", in_, "-o", folder_ / name};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << testing::PrintToString(options);
    EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
    return outcome.err;
  }

  TempFolder folder_;
  std::string in_ = small_session(folder_);  // The cat saw the dog 7 7 2 and it
};

TEST_F(ExportTokens, OnlyTheChosenOnesAreDrawn) {
  const std::string part = svg({"--tokens", "1-2,dog"});
  EXPECT_THAT(part, HasSubstr(">cat<"));
  EXPECT_THAT(part, HasSubstr(">dog<"));
  EXPECT_THAT(part, Not(HasSubstr(">and<")));
  const std::string row = svg({"--queries", "it"});
  EXPECT_THAT(row, HasSubstr(">and<")) << "every key is there";
}

TEST_F(ExportTokens, HaveTheNamesTheyAreGiven) {
  const std::string named = svg({"--name", "cat=subject", "--name", "dog=", "--labels", "rows"});
  EXPECT_THAT(named, HasSubstr(">subject<"));
  EXPECT_THAT(named, Not(HasSubstr(">cat<")));
  EXPECT_THAT(named, Not(HasSubstr(">dog<")));
}

TEST_F(ExportTokens, LettersStandBeforeTheTitlesOfHeads) {
  EXPECT_THAT(svg({"--head", "all", "--letters"}), HasSubstr("(b) Head 2"));
}

TEST_F(ExportTokens, WhatCannotBeDrawnIsRefused) {
  EXPECT_THAT(refusal("a.svg", {"--tokens", "4-12"}), HasSubstr("0 to 9"));
  EXPECT_THAT(refusal("a.svg", {"--keys", "bird"}), HasSubstr("--keys"));
  EXPECT_THAT(refusal("a.svg", {"--name", "bird=x"}), HasSubstr("TOKEN=NAME"));
  EXPECT_THAT(refusal("a.svg", {"--labels", "some"}), HasSubstr("all, rows, columns or none"));
  EXPECT_THAT(refusal("a.csv", {"--tokens", "1"}), HasSubstr("for figures"));
  EXPECT_THAT(
      refusal("a.svg", {"--kind", "arithmetic", "--row", "it", "--col", "cat", "--tokens", "1"}),
      HasSubstr("for maps and lines"));
}

TEST_F(ExportTokens, SeveralFilesAreWrittenAtOnce) {
  const Outcome outcome = run({"export", in_, "-o", folder_ / "a.svg", "-o", folder_ / "a.png"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(folder_.names(), ElementsAre("a.png", "a.svg", "small.json"));
  EXPECT_THAT(bytes_of(folder_ / "a.svg"), testing::StartsWith("<svg"));
}

TEST_F(ExportTokens, OfSeveralFilesNoneIsWrittenWhenOneCannotBe) {
  refusal("a.svg", {"-o", folder_ / "a.npy", "--kind", "lines"});
  EXPECT_THAT(folder_.names(), ElementsAre("small.json"));
}

}  // namespace
}  // namespace lab::test
