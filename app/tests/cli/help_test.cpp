// Help, version, verbs that are misspelt, and the verbs that need a display.

#include <gmock/gmock.h>

#include "app/cli/verb.h"
#include "app/document/commands/command_help.h"
#include "app/files/open.h"
#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"

namespace lab::test {
namespace {

using testing::HasSubstr;

TEST(Help, NamesEveryVerbAndExitCode) {
  for (const char* flag : {"--help", "-h"}) {
    const Outcome outcome = run({flag});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    for (const Verb& verb : verbs()) EXPECT_THAT(outcome.out, HasSubstr(std::string(verb.name)));
    for (const char* code : {"0 done", "2 wrong usage", "5 bad input", "6 reading or writing"}) {
      EXPECT_THAT(outcome.out, HasSubstr(code));
    }
    EXPECT_TRUE(outcome.windows.empty());
  }
}

TEST(Help, OfAVerbShowsItsUsageAndFitsATerminal) {
  for (const Verb& verb : verbs()) {
    const Outcome outcome = run({std::string(verb.name), "--help"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, HasSubstr("Usage: attention-lab " + std::string(verb.name)));
    EXPECT_THAT(outcome.out, HasSubstr("--record FILE"));
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 104u) << line;
  }
}

TEST(Help, OfApplyListsEveryMemberWithTheValuesThatItTakes) {
  std::string help = run({"apply", "--help"}).out;
  for (const CommandHelp& command : all_command_helps()) {
    EXPECT_THAT(help, HasSubstr("\n  " + std::string(command.name)));
    for (const MemberHelp& member : command.members)
      EXPECT_THAT(help, HasSubstr(member.name + (member.optional ? "]: " : ": ")));
  }
  std::erase(help, '\n');
  for (const char* values :
       {"mode: words, characters or tokenizer", "[kind]: none, sinusoidal, learned",
        "fill: one of zero, identity, normal, xavier", "[causal]: true or false",
        "value: a number, or \"NaN\"", "layer_norm"})
    EXPECT_THAT(help, HasSubstr(values));
}

TEST(Help, VersionSaysWhatComputesAndWhatTheProgramWasBuiltWith) {
  const Outcome outcome = run({"--version"});
  EXPECT_EQ(outcome.code, 0);
  const std::string line = "attention-lab " ATTENTION_LAB_VERSION
                           " \\((AVX-512|AVX2|SSE2|scalar), (oneDNN|Eigen) [0-9.]+\\)\n"
                           "built with (GCC|Clang) [0-9.]+.* for [^\n]*processors?[^\n]*\n"
                           "libraries: (.* [0-9.]+, )+.* [0-9.]+\n";
  EXPECT_THAT(outcome.out, testing::MatchesRegex(line));
}

TEST(UnknownVerb, SuggestsTheOneThatWasMeant) {
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"computte"}, {"computte", "refer", "-o", "-"}, {"Compute", "refer"}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("did you mean \"compute\"?"));
    EXPECT_TRUE(outcome.windows.empty());
  }
}

TEST(UnknownVerb, ThatResemblesNothingPointsToTheHelp) {
  const Outcome outcome = run({"frobnicate-everything"});
  EXPECT_EQ(outcome.code, 6);
  EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("(attention-lab --help lists the verbs)"));
}

TEST(UnknownVerb, AVerbInSecondPlaceIsSentToTheFirst) {
  const TempFolder folder;
  const Outcome outcome = run({"--record", folder / "record", "check"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("attention-lab check"));
}

TEST(Window, OpensNothingInParticularByDefault) {
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.code, 0);
  ASSERT_EQ(outcome.windows.size(), 1u);
  EXPECT_EQ(outcome.windows[0].source, "");
  EXPECT_EQ(outcome.windows[0].width, 1600);
  EXPECT_EQ(outcome.windows[0].height, 1000);
  EXPECT_FALSE(outcome.windows[0].theme) << "the one that was used last";
}

TEST(Window, IsHandedWhatWasAskedFor) {
  const TempFolder folder;
  const std::string in = small_session(folder);
  const Outcome outcome = run({in, "--record", folder / "r", "--stats", folder / "s", "--size",
                               "1024x640", "--theme", "dark"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  ASSERT_EQ(outcome.windows.size(), 1u);
  const WindowRequest& request = outcome.windows[0];
  EXPECT_EQ(request.source, in);
  EXPECT_EQ(request.record_path, folder / "r");
  EXPECT_EQ(request.stats_path, folder / "s");
  EXPECT_EQ(request.width, 1024);
  EXPECT_EQ(request.height, 640);
  EXPECT_EQ(request.theme, ThemeId::kDark);
  EXPECT_THAT(folder.names(), testing::ElementsAre("small.json")) << "the window writes them";
}

TEST(Window, RefusesSizesAndThemesThatAreNone) {
  for (const char* size : {"", "x", "1600", "1600x", "x1000", "0x0", "-5x700", "1600x1000x2",
                           "99999x99999", "1e3x1e3", "99999999999999999999x700"}) {
    const Outcome outcome = run({std::string("--size=") + size, "--theme=light"});
    EXPECT_EQ(outcome.code, 2) << size;
    EXPECT_TRUE(outcome.windows.empty());
  }
  EXPECT_EQ(run({"--theme", "pink"}).code, 2);
}

TEST(Screenshot, IsHandedWhatWasAskedFor) {
  const Outcome outcome =
      run({"screenshot", "some.json", "-o", "a.png", "--size", "800x600", "--theme", "dark",
           "--scale", "2", "--language", "de", "--places", "places.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  ASSERT_EQ(outcome.screenshots.size(), 1u);
  const ScreenshotRequest& request = outcome.screenshots[0];
  EXPECT_EQ(request.source, "some.json");
  EXPECT_EQ(request.output, "a.png");
  EXPECT_EQ(request.bounds_path, "places.json");
  EXPECT_EQ(request.width, 800);
  EXPECT_EQ(request.height, 600);
  EXPECT_EQ(request.theme, ThemeId::kDark);
  EXPECT_EQ(request.language, Language::kGerman);
  EXPECT_EQ(request.scale, 2);
}

TEST(Screenshot, IsEnglishUnlessAskedOtherwise) {
  const Outcome outcome = run({"screenshot", "some.json", "-o", "a.png"});
  ASSERT_EQ(outcome.screenshots.size(), 1u);
  EXPECT_EQ(outcome.screenshots[0].language, Language::kEnglish);
}

TEST(Screenshot, RefusesScalesThemesAndLanguagesThatAreNone) {
  for (const char* option :
       {"--scale=0.5", "--scale=4", "--scale=nan", "--theme=pink", "--language=fr"}) {
    const Outcome outcome = run({"screenshot", "some.json", "-o", "a.png", option});
    EXPECT_EQ(outcome.code, 2) << option;
    EXPECT_TRUE(outcome.screenshots.empty());
  }
}

TEST(Screenshot, IsAPng) {
  const Outcome outcome = run({"screenshot", "some.json", "-o", "a.jpg"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(outcome.screenshots.empty());
}

int code_when(const std::function<Expected<void>()>& window) {
  DisplayVerbs display;
  display.window = [&](const WindowRequest&) { return window(); };
  const char* argv[] = {"attention-lab", nullptr};
  testing::internal::CaptureStderr();
  const int code = run_command_line(1, argv, display);
  EXPECT_TRUE(is_one_message(testing::internal::GetCapturedStderr()));
  return code;
}

TEST(NoDisplay, TheMessageSaysWhatWorksWithoutOne) {
  DisplayVerbs display;
  display.window = [](const WindowRequest&) -> Expected<void> {
    return fail(ErrorType::kNoDisplay, "There is no display.");
  };
  const char* argv[] = {"attention-lab", nullptr};
  testing::internal::CaptureStderr();
  run_command_line(1, argv, display);
  const std::string message = testing::internal::GetCapturedStderr();
  for (const char* works : {"export refer -o heads.png", "explain refer --row it --col animal",
                            "compute refer -o stages.npz", "xvfb-run"})
    EXPECT_THAT(message, HasSubstr(works));
}

TEST(ExitCodes, OfTheDisplayArePassedOn) {
  EXPECT_EQ(code_when([] { return fail(ErrorType::kNoDisplay, "no display"); }), 3);
  EXPECT_EQ(code_when([] { return fail(ErrorType::kNoOpenGl, "no OpenGL 3.3"); }), 4);
}

TEST(ExitCodes, AnExceptionIsOneLineAndCodeOne) {
  EXPECT_EQ(code_when([]() -> Expected<void> { throw std::bad_alloc(); }), 1);
  EXPECT_EQ(code_when([]() -> Expected<void> { throw std::out_of_range("a\nb"); }), 1);
  EXPECT_EQ(code_when([]() -> Expected<void> { throw 7; }), 1);
}

TEST(Examples, AreListedWithNameAndTitle) {
  const Outcome outcome = run({"examples"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  ASSERT_FALSE(examples().empty());
  for (const ExampleInfo& example : examples()) {
    EXPECT_THAT(outcome.out,
                testing::ContainsRegex(example.name + " +" + example.title.substr(0, 3)));
  }
}

TEST(Examples, OpenInTheWindowByName) {
  const Outcome outcome = run({"refer"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  ASSERT_EQ(outcome.windows.size(), 1u);
  EXPECT_EQ(outcome.windows[0].source, "refer");
}

TEST(Examples, ThatAreMisspeltAreSuggested) {
  const Outcome outcome = run({"rfeer"});
  EXPECT_EQ(outcome.code, 6);
  EXPECT_THAT(outcome.err, HasSubstr("did you mean \"refer\"?"));
}

TEST(Examples, PassTheCheck) {
  for (const ExampleInfo& example : examples()) {
    const Outcome outcome = run({"check", example.name});
    EXPECT_EQ(outcome.code, 0) << example.name << ": " << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out.find("FAILED"), std::string::npos) << outcome.out;
  }
}

TEST(Check, PrintsErrorAndToleranceOfEveryInvariant) {
  const TempFolder folder;
  const Outcome outcome = run({"check", small_session(folder)});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("largest error"));
  EXPECT_THAT(outcome.out, HasSubstr("tolerance"));
  EXPECT_THAT(outcome.out, HasSubstr("seq_len 10, d_model 4, n_heads 2, d_k 2, d_v 3, d_out 4"));
  EXPECT_GE(std::ranges::count(outcome.out, '\n'), 5);
}

}  // namespace
}  // namespace lab::test
