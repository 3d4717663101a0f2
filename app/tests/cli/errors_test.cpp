// What goes wrong, how it is told, and the exit code.

#include <gmock/gmock.h>
#include <unistd.h>

#include "app/files/session/session.h"
#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

namespace lab::test {
namespace {

using testing::HasSubstr;

void expect_error(const Outcome& outcome, int code) {
  EXPECT_EQ(outcome.code, code);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
}

// Every verb that reads IN, with the arguments that follow it.
std::vector<std::vector<std::string>> verbs_around(const std::string& in,
                                                   const TempFolder& folder) {
  const std::string commands = folder.write("commands", "");
  return {{"compute", in, "-o", folder / "out.json"},
          {"export", in, "-o", folder / "out.png"},
          {"export", in, "-o", folder / "out.csv"},
          {"explain", in, "--row", "0", "--col", "0"},
          {"check", in},
          {"apply", in, commands, "-o", folder / "out.json"}};
}

TEST(Errors, AFileThatIsNotThereIsAFailedRead) {
  const TempFolder folder;
  for (const auto& arguments : verbs_around(folder / "none.json", folder)) {
    const Outcome outcome = run(arguments);
    expect_error(outcome, 6);
    EXPECT_THAT(outcome.err, HasSubstr("none.json"));
  }
}

TEST(Errors, AFolderIsBadInput) {
  const TempFolder folder;
  for (const auto& arguments : verbs_around(folder / "", folder)) expect_error(run(arguments), 5);
}

TEST(Errors, AFileThatIsNoneOfOursIsBadInput) {
  const TempFolder folder;
  for (const char* bytes :
       {"", "hello", "{}", "[1, 2", "{\"type\": 7}", "PK\x03\x04", "\x80\x04"}) {
    const std::string in = folder.write("odd", bytes);
    for (const auto& arguments : verbs_around(in, folder)) expect_error(run(arguments), 5);
  }
  EXPECT_THAT(folder.names(), testing::ElementsAre("commands", "odd"));
}

TEST(Errors, ABuiltInModelIsOpenedInTheWindow) {
  const Outcome outcome = run({"words", "--text", "a small"});
  ASSERT_EQ(outcome.windows.size(), 1u) << outcome.err;
  EXPECT_EQ(outcome.windows[0].source, "words");
  EXPECT_EQ(outcome.windows[0].text, "a small");
}

TEST(Errors, ALayerOrHeadThatIsNotThereIsToldWithThoseThatAre) {
  const TempFolder folder;
  const auto refused = [&](const char* layer, const char* head) {
    const Outcome outcome = run({"export", "words", "--text", "a small", "--layer", layer, "--head",
                                 head, "-o", folder / "out.csv"});
    expect_error(outcome, 2);
    return outcome.err;
  };
  EXPECT_THAT(refused("4", "0"), HasSubstr("no such layer; its layers are 0 to 3"));
  EXPECT_THAT(refused("0", "4"), HasSubstr("L0H0 to L0H3, or 0 to 3"));
}

TEST(Errors, ATokenizerThatIsNoJsonIsToldToBeNone) {
  const TempFolder folder;
  const std::string readme = folder.write("README.md", "# A model\n");
  const Outcome outcome = run({"tokenize", readme, "--text", "some text"});
  EXPECT_THAT(outcome.err, HasSubstr("this is not JSON")) << outcome.err;
}

TEST(Errors, APredictedWordIsShownAsItIsRead) {
  const Outcome table = run({"predict", "words", "--text", "a small"});
  EXPECT_THAT(table.out, HasSubstr("\"·"));
  EXPECT_THAT(table.out, testing::Not(HasSubstr("Ġ")));
  const Outcome printed = run({"predict", "words", "--text", "a small", "--json"});
  EXPECT_THAT(printed.out, HasSubstr("Ġ")) << "as the vocabulary spells it";
}

TEST(Errors, EveryTruncatedFileIsBadInput) {
  const TempFolder folder;
  const std::string problem = bytes_of(golden("one_token.problem.safetensors"));
  const std::string session = write_session(small_document());
  for (const std::string& whole : {problem, session}) {
    // The session's last byte is a line end, which may be missing.
    for (std::size_t size = 1; size + 2 < whole.size(); size += 1 + whole.size() / 40) {
      const std::string in = folder.write("cut", whole.substr(0, size));
      const Outcome outcome = run({"compute", in, "-o", folder / "out.json"});
      expect_error(outcome, 5);
    }
  }
}

TEST(Errors, AFileThatCannotBeReadIsAFailedRead) {
  if (geteuid() == 0) GTEST_SKIP() << "root can read everything";
  const TempFolder folder;
  const std::string in = small_session(folder);
  std::filesystem::permissions(in, std::filesystem::perms::none);
  expect_error(run({"check", in}), 6);
}

TEST(Errors, AnOutputThatCannotBeWrittenIsAFailedWrite) {
  const TempFolder folder;
  const std::string in = small_session(folder);
  const std::string commands = folder.write("commands", "");
  for (const std::string& out : {folder / "no/such/folder", folder / "small.json/below"}) {
    expect_error(run({"compute", in, "-o", out + ".json"}), 6);
    expect_error(run({"export", in, "-o", out + ".csv"}), 6);
    expect_error(run({"export", in, "-o", out + ".png"}), 6);
    expect_error(run({"apply", in, commands, "-o", out}), 6);
  }
}

TEST(Errors, AFailedWriteLeavesTheOldFileAndNothingElse) {
  const TempFolder folder;
  const std::string in = small_session(folder);
  std::filesystem::create_directory(folder / "out.json");
  expect_error(run({"compute", in, "-o", folder / "out.json"}), 6);
  EXPECT_THAT(folder.names(), testing::ElementsAre("out.json", "small.json"));
}

TEST(Errors, AMissingOrUnknownArgumentIsWrongUsage) {
  const TempFolder folder;
  const std::string in = small_session(folder);
  const std::vector<std::vector<std::string>> wrong = {{"compute"},
                                                       {"compute", in},
                                                       {"compute", in, "-o"},
                                                       {"compute", "-o", folder / "out.json"},
                                                       {"compute", in, "extra", "-o", "-"},
                                                       {"compute", in, "-o", "-", "-o", "-"},
                                                       {"export", in, "-o", "-", "--colour", "red"},
                                                       {"explain", in, "--row", "0"},
                                                       {"explain", in, "--col", "0"},
                                                       {"check"},
                                                       {"check", in, "--json"},
                                                       {"apply", in, "-o", "-"},
                                                       {"examples", "extra"},
                                                       {"--colour"},
                                                       {in, "extra"}};
  for (const auto& arguments : wrong) {
    const Outcome outcome = run(arguments);
    expect_error(outcome, 2);
    EXPECT_THAT(outcome.err, HasSubstr("--help")) << testing::PrintToString(arguments);
    EXPECT_TRUE(outcome.windows.empty());
  }
}

TEST(Errors, WhatWasTypedIsRepeatedPrintably) {
  const TempFolder folder;
  const Outcome outcome =
      run({"explain", small_session(folder), "--row", "a\nb\x1b[31m\xff", "--col", "0"});
  expect_error(outcome, 2);
  EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos);
}

TEST(Errors, StandardInputCannotBeReadTwice) {
  const Outcome outcome = run({"apply", "-", "-", "-o", "-"});
  expect_error(outcome, 2);
}

TEST(Errors, AProblemWithNaNIsRefusedOrFailsTheCheck) {
  const TempFolder folder;
  auto file = read_safetensors(bytes_of(golden("self_small.problem.safetensors")));
  ASSERT_TRUE(file);
  for (Tensor& tensor : file->tensors) {
    if (tensor.name == "X") tensor.values[3] = std::numeric_limits<float>::quiet_NaN();
  }
  const Outcome outcome = run({"check", folder.write("nan.safetensors", write_safetensors(*file))});
  EXPECT_THAT(outcome.code, testing::AnyOf(1, 5));
  EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
}

TEST(Errors, WhatIsMissingIsNamedAtOnce) {
  const std::string both = run({"explain", "refer"}).err;
  EXPECT_THAT(both, HasSubstr("explain: --row and --col are required (see"));
  EXPECT_THAT(run({"compute", "refer"}).err, HasSubstr("compute: -o is required"));
  EXPECT_THAT(run({"check"}).err, HasSubstr("check: IN is required"));
}

TEST(Errors, AnOptionThatWasMeantIsNamed) {
  EXPECT_THAT(run({"export", "refer", "--width", "slide", "-o", "a.png"}).err,
              HasSubstr("export: there is no option --width; did you mean --width-mm? (see"));
  EXPECT_THAT(run({"export", "refer", "--anot", "-o", "a.png"}).err,
              HasSubstr("did you mean --annot?"));
  EXPECT_THAT(run({"export", "refer", "--out", "a.png"}).err,
              HasSubstr("there is no option --out; did you mean -o?"));
  EXPECT_THAT(run({"export", "refer", "--page", "slide", "-o", "a.png"}).err,
              HasSubstr("export: there is no option --page (see attention-lab export --help)"));
}

TEST(Errors, AnAnswerIsNoSession) {
  const TempFolder folder;
  const std::string answer = folder / "answer.json";
  ASSERT_EQ(run({"compute", "refer", "-o", answer}).code, 0);
  const Outcome outcome = run({"check", answer});
  expect_error(outcome, 5);
  EXPECT_THAT(outcome.err, HasSubstr("an answer"));
}

}  // namespace
}  // namespace lab::test
