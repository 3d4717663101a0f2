#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/embedded_session/session_formats.h"
#include "app/files/session/session.h"
#include "app/tests/cli/run_cli.h"
#include "app/tests/rooms.h"
#include "core/layer/evaluator.h"

namespace lab::test {
namespace {

using attention::Matrix;
using attention::Stage;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1a\n";

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> fields_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> fields;
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  return fields;
}

// Four bytes, most significant first.
int big_endian(const std::string& bytes, std::size_t at) {
  int value = 0;
  for (std::size_t i = at; i < at + 4; ++i)
    value = value * 256 + static_cast<unsigned char>(bytes[i]);
  return value;
}

class Export : public testing::Test {
 protected:
  // Runs export with `options` into a file of that name and returns the file.
  std::string exported(const std::string& name, const std::vector<std::string>& options) const {
    std::vector<std::string> arguments = {"export", in_, "-o", folder_ / name};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out + outcome.err, "");
    return outcome.code == 0 ? bytes_of(folder_ / name) : "";
  }
  // Runs export with `options` into a file of that name; it must be wrong usage and write nothing.
  std::string refused(const std::string& name, const std::vector<std::string>& options) const {
    std::vector<std::string> arguments = {"export", in_, "-o", folder_ / name};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << testing::PrintToString(options);
    EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
    EXPECT_THAT(folder_.names(), ElementsAre("small.json"));
    return outcome.err;
  }
  const Matrix& stage(Stage which, int head) {
    return *stage_matrix(problem_, evaluator_.evaluate(problem_), which, head);
  }

  TempFolder folder_;
  std::string in_ = small_session(folder_);
  attention::Problem problem_ = small_document().problem;
  attention::Evaluator evaluator_;
};

TEST_F(Export, WritesNumbersAndWordsOfALanguage) {
  const std::string plain = exported("a.svg", {"--annot", "--stage", "scores", "--bare"});
  const std::string german = exported(
      "b.svg", {"--annot", "--stage", "scores", "--bare", "--decimal-comma", "--language", "de"});
  EXPECT_THAT(plain, HasSubstr(">query</text>"));
  EXPECT_THAT(german, HasSubstr(">Query</text>"));
  EXPECT_THAT(german, testing::ContainsRegex(">[0-9]+,[0-9][0-9]</text>"));
  EXPECT_THAT(german, testing::Not(testing::ContainsRegex(">[0-9]+\\.[0-9][0-9]</text>")));
  EXPECT_EQ(exported("c.csv", {"--decimal-comma"}), exported("d.csv", {}))
      << "numbers are for programs";
}

TEST_F(Export, KnowsItsLanguages) {
  EXPECT_THAT(refused("e.svg", {"--language", "xx"}), HasSubstr("--language"));
}

TEST_F(Export, CsvOfAHeadHasTokensAndExactNumbers) {
  const auto lines = lines_of(exported("out.csv", {"--head", "2"}));
  ASSERT_EQ(lines.size(), 11u);
  EXPECT_EQ(lines[0], ",The,cat,saw,the,dog,7,7,2,and,it");
  for (int row = 0; row < 10; ++row) {
    const auto fields = fields_of(lines[row + 1]);
    ASSERT_EQ(fields.size(), 11u);
    for (int col = 0; col < 10; ++col) {
      EXPECT_EQ(std::stof(fields[col + 1]), stage(Stage::kWeights, 1)(row, col));
    }
  }
}

TEST_F(Export, CsvOfAllHeadsSaysWhichHeadEachRowBelongsTo) {
  const auto lines = lines_of(exported("out.csv", {"--head", "all", "--stage", "V"}));
  ASSERT_EQ(lines.size(), 21u);
  EXPECT_EQ(lines[0], ",head,0,1,2");
  for (int head = 0; head < 2; ++head) {
    const auto fields = fields_of(lines[1 + head * 10 + 4]);
    ASSERT_EQ(fields.size(), 5u);
    EXPECT_EQ(fields[0], "dog");
    EXPECT_EQ(fields[1], std::to_string(head + 1));
    EXPECT_EQ(std::stof(fields[2]), stage(Stage::kV, head)(4, 0));
  }
}

TEST_F(Export, CsvOfTheInputHasTheNamesOfTheDimensions) {
  const auto lines = lines_of(exported("out.csv", {"--stage", "X"}));
  ASSERT_EQ(lines.size(), 11u);
  EXPECT_EQ(lines[0], ",alpha,beta,gamma,delta");
}

TEST_F(Export, TheMeanOfHeadsIsThatOfThoseThatAreHeard) {
  const auto mean = read_npy(exported("mean.npy", {"--head", "mean"}));
  ASSERT_TRUE(mean);
  EXPECT_THAT(mean->shape, ElementsAre(10, 10));
  const Matrix first = stage(Stage::kWeights, 0), second = stage(Stage::kWeights, 1);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(mean->values[i], (first.data()[i] + second.data()[i]) / 2);
  EXPECT_THAT(exported("mean.svg", {"--head", "mean"}), HasSubstr("mean of all heads"));
  const std::string one = exported("one.csv", {"--head", "2"});
  const std::string record =
      folder_.write("mute.jsonl", R"({"do":"set_head_mix","head":1,"mute":true})");
  ASSERT_EQ(run({"apply", in_, record, "-o", in_}).code, 0);
  EXPECT_EQ(exported("muted.csv", {"--head", "mean"}), one);
}

TEST_F(Export, TheMeanOfHeadsIsOneMapOfWeights) {
  for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
           {"--stage", "scores"}, {"--kind", "lines"}, {"--against", in_}, {"--stage", "all"}}) {
    std::vector<std::string> all{"--head", "mean"};
    all.insert(all.end(), options.begin(), options.end());
    EXPECT_THAT(refused("out.svg", all), HasSubstr("--head mean"));
  }
  EXPECT_THAT(refused("out.csv", {"--head", "mean", "--stage", "Q"}), HasSubstr("--head mean"));
  EXPECT_THAT(refused("out.html", {"--head", "mean"}), HasSubstr("each head by itself"));
}

TEST_F(Export, StandardOutputIsCsv) {
  const Outcome outcome = run({"export", in_, "-o", "-", "--stage", "Q"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, exported("out.csv", {"--stage", "Q"}));
}

TEST_F(Export, NpyOfAllHeadsHasThreeDimensions) {
  const auto tensor = read_npy(exported("out.npy", {"--head", "all", "--stage", "head_output"}));
  ASSERT_TRUE(tensor);
  EXPECT_THAT(tensor->shape, ElementsAre(2, 10, 3));
  for (int head = 0; head < 2; ++head) {
    EXPECT_EQ(tensor->values[head * 30 + 4 * 3 + 1], stage(Stage::kHeadOutput, head)(4, 1));
  }
}

TEST_F(Export, NpyOfOneHeadAndOfTheOutputAreMatrices) {
  const auto one = read_npy(exported("one.npy", {"--head", "2", "--stage", "scores"}));
  ASSERT_TRUE(one);
  EXPECT_THAT(one->shape, ElementsAre(10, 10));
  EXPECT_EQ(one->values[13], stage(Stage::kScores, 1)(1, 3));
  const auto output = read_npy(exported("two.npy", {"--head", "all", "--stage", "output"}));
  ASSERT_TRUE(output);
  EXPECT_THAT(output->shape, ElementsAre(10, 4));
}

TEST_F(Export, JsonNamesTheStage) {
  const auto table = nlohmann::json::parse(exported("out.json", {"--stage", "K"}));
  const auto& tensor = table.at("tensors").at("K");
  EXPECT_EQ(tensor.at("shape"), nlohmann::json({10, 2}));
  EXPECT_EQ(float(tensor.at("values").at(0)), stage(Stage::kK, 0)(0, 0));
}

TEST_F(Export, PngIsAsWideAsAskedFor) {
  const std::string png = exported("out.png", {"--width-mm", "50.8", "--dpi", "100"});
  ASSERT_TRUE(png.starts_with(kPngSignature));
  EXPECT_NEAR(big_endian(png, 16), 200, 1);  // 2 inches
}

TEST_F(Export, EveryStageAndEveryChoiceMakesAPicture) {
  std::vector<std::vector<std::string>> choices;
  for (const Stage stage : attention::kAllStages) {
    if (stage_shape(small_document().problem, stage) == attention::Shape{}) continue;
    choices.push_back({"--stage", std::string(stage_name(stage))});
    choices.push_back({"--stage", std::string(stage_name(stage)), "--head", "all"});
  }
  choices.insert(choices.end(), {{"--stage", "all", "--head", "2"},
                                 {"--range", "shared", "--head", "all"},
                                 {"--range", "-1,1.5", "--theme", "dark"},
                                 {"--annot", "--fmt", ".2g", "--title", "[A title]"},
                                 {"--palette", "magma", "--font-size", "12"}});
  for (std::vector<std::string> choice : choices) {
    choice.insert(choice.end(), {"--dpi", "60"});
    EXPECT_TRUE(exported("out.png", choice).starts_with(kPngSignature))
        << testing::PrintToString(choice);
  }
}

TEST_F(Export, TheOptionsChangeThePicture) {
  const std::string plain = exported("out.png", {"--dpi", "80"});
  for (const std::vector<std::string>& choice :
       std::vector<std::vector<std::string>>{{"--head", "2"},
                                             {"--stage", "scores"},
                                             {"--palette", "magma"},
                                             {"--range", "0,0.2"},
                                             {"--annot"},
                                             {"--title", "Another"},
                                             {"--theme", "dark"},
                                             {"--font-size", "9"}}) {
    std::vector<std::string> options = choice;
    options.insert(options.end(), {"--dpi", "80"});
    EXPECT_NE(exported("out.png", options), plain) << choice[0];
  }
  EXPECT_EQ(exported("out.png", {"--dpi", "80"}), plain) << "the same every time";
}

TEST_F(Export, TheFormatOfTheNumbersShows) {
  const auto annotated = [&](const std::string& format) {
    return exported("out.png", {"--dpi", "80", "--annot", "--fmt", format});
  };
  EXPECT_NE(annotated(".1f"), annotated(".3f"));
  EXPECT_NE(annotated(".2f"), annotated(".2g"));
}

TEST_F(Export, UnknownEndingsAreToldWhatThereIs) {
  for (const char* name : {"out.bmp", "out", "out.png.txt"}) {
    EXPECT_THAT(refused(name, {}), HasSubstr("export writes .png"));
    EXPECT_THAT(refused(name, {}), HasSubstr(".csv, .npy, .npz and .json"));
  }
}

TEST_F(Export, NumbersOfAllStagesAreOfEveryHeadUnlessOneIsAskedFor) {
  const auto shape_of = [&](const char* stage, std::vector<std::string> more) {
    more.insert(more.end(), {"--stage", "all"});
    const auto tensors = nlohmann::json::parse(exported("out.json", more))["tensors"];
    EXPECT_EQ(tensors.size(), 10U);
    return tensors[stage]["shape"].get<std::vector<int>>();
  };
  EXPECT_THAT(shape_of("weights", {}), ElementsAre(2, 10, 10));
  EXPECT_THAT(shape_of("weights", {"--head", "2"}), ElementsAre(10, 10));
  EXPECT_THAT(shape_of("output", {"--head", "2"}), ElementsAre(10, 4));
}

TEST_F(Export, CsvOfAllStagesHasALineForEachNumber) {
  const auto lines = lines_of(exported("out.csv", {"--stage", "all"}));
  EXPECT_EQ(lines.front(), "stage,head,row,row_label,column,column_label,value");
  const auto tensors = nlohmann::json::parse(exported("out.json", {"--stage", "all"}))["tensors"];
  std::size_t numbers = 0;
  for (const auto& tensor : tensors) numbers += tensor["values"].size();
  EXPECT_EQ(lines.size(), 1 + numbers);
  EXPECT_EQ(fields_of(lines.at(1)).at(0), "Q");
  EXPECT_EQ(fields_of(lines.back()).at(1), "") << "the output is that of all heads";
  const auto weight = std::ranges::find_if(
      lines, [](const std::string& line) { return line.starts_with("weights,2,7,"); });
  ASSERT_NE(weight, lines.end());
  EXPECT_EQ(std::stof(fields_of(*weight).at(6)), stage(Stage::kWeights, 1)(7, 0));
}

TEST_F(Export, APageHoldsAllStagesAndTheSession) {
  const std::string page = exported("out.html", {"--stage", "scores", "--head", "2"});
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_THAT(page, HasSubstr(R"("first":{"against":"","head":1,)"));
  EXPECT_THAT(page, HasSubstr(R"("name":"head_output")"));
  EXPECT_EQ(session_in_html(page).value_or(""), write_session(small_document()));
  EXPECT_NE(exported("out.html", {"--theme", "dark"}), exported("out.html", {}));
  EXPECT_THAT(exported("out.html", {"--stage", "all"}), HasSubstr("</html>"));
  EXPECT_EQ(session_in_html(exported("out.html", {"--bare"})), std::nullopt);
  EXPECT_THAT(exported("out.html", {"--kind", "lines"}), HasSubstr("<img id=\"figure-light\""));
  EXPECT_THAT(exported("out.html", {"--head", "1,2"}), HasSubstr(R"("against":"1")"));
  EXPECT_THAT(exported("out.html", {"--against", in_}), HasSubstr(R"("against":"A")"));
}

TEST_F(Export, ThePipelineIsAPictureOfOneHead) {
  EXPECT_THAT(refused("out.npy", {"--stage", "all"}), HasSubstr("holds one array"));
  EXPECT_THAT(refused("out.png", {"--stage", "all", "--head", "all"}), HasSubstr("--head N"));
}

TEST_F(Export, ValuesThatAreNoneAreRefusedByName) {
  const std::vector<std::vector<std::string>> wrong = {
      {"--stage", "weighs"}, {"--head", "3"},         {"--head", "0"},       {"--head", "one"},
      {"--palette", "jet"},  {"--range", "1,0"},      {"--range", "0,0"},    {"--range", "0"},
      {"--range", "nan,1"},  {"--range", "0,inf"},    {"--range", "0,1,2"},  {"--range", "0,1e99"},
      {"--fmt", "2f"},       {"--fmt", ".2e"},        {"--fmt", ".0g"},      {"--fmt", ".22f"},
      {"--width-mm", "0"},   {"--width-mm", "1e9"},   {"--width-mm", "nan"}, {"--dpi", "-300"},
      {"--dpi", "many"},     {"--font-size", "1000"}, {"--theme", "sepia"},  {"--height-mm", "0"}};
  for (const auto& options : wrong) {
    EXPECT_THAT(refused("out.png", options), HasSubstr(options[0])) << options[1];
  }
}

// Of 16:9 there are 13.33 × 7.5 inches; the letters are large unless their size was asked for.
TEST_F(Export, AFigureForASlideFitsTheSlide) {
  const std::vector<std::string> slide{"--width-mm", "slide", "--dpi", "72"};
  const std::string png = exported("out.png", slide);
  EXPECT_NEAR(big_endian(png, 16), 960, 1);
  EXPECT_LE(big_endian(png, 20), 541);
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), slide.begin(), slide.end());
    return exported("out.png", more);
  };
  EXPECT_EQ(with({"--font-size", "18"}), png);
  EXPECT_NE(with({"--font-size", "7"}), png);
  EXPECT_LE(big_endian(with({"--height-mm", "100"}), 20), 285);
}

TEST_F(Export, NumbersThatDoNotFitAreSpokenOf) {
  const auto annotated = [&](const std::string& width) {
    return run(
        {"export", in_, "-o", folder_ / "out.png", "--dpi", "30", "--annot", "--width-mm", width});
  };
  const Outcome narrow = annotated("40");
  EXPECT_EQ(narrow.code, 0);
  EXPECT_TRUE(is_one_message(narrow.err)) << narrow.err;
  const std::string hint = "--width-mm ";
  const auto at = narrow.err.rfind(hint);
  ASSERT_NE(at, std::string::npos) << narrow.err;
  const int enough = std::stoi(narrow.err.substr(at + hint.size()));
  EXPECT_GT(enough, 40);
  EXPECT_EQ(annotated(std::to_string(enough)).err, "");
  EXPECT_NE(annotated(std::to_string(enough - 1)).err, "") << "it is the least";
}

TEST_F(Export, LettersThatAreTooLargeForNumbersAreSpokenOf) {
  const auto slide = [&](const std::string& points) {
    return run({"export", "refer", "-o", folder_ / "out.png", "--dpi", "30", "--annot",
                "--width-mm", "slide", "--height-mm", "60", "--font-size", points});
  };
  const std::string large = slide("18").err, hint = "at 18 pt; use --font-size ";
  const auto at = large.find(hint);
  ASSERT_NE(at, std::string::npos) << large;
  EXPECT_EQ(slide(std::to_string(std::stoi(large.substr(at + hint.size())))).err, "");
}

TEST_F(Export, NumbersThatFitNowhereAreSpokenOf) {
  const Outcome outcome = run({"export", "paper-size", "--stage", "X", "-o", folder_ / "out.png",
                               "--dpi", "30", "--annot", "--bare"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(is_one_message(outcome.err)) << outcome.err;
}

TEST_F(Export, WhatAPictureShowsIsSaidInWords) {
  const auto svg = [&](const std::vector<std::string>& options) {
    return exported("out.svg", options);
  };
  EXPECT_THAT(svg({"--head", "1,2"}), HasSubstr("Head 1 − head 2"));
  EXPECT_THAT(svg({"--head", "all"}), HasSubstr("Weights of every head"));
  EXPECT_THAT(svg({"--head", "2,1,2"}), HasSubstr("Weights of heads 2, 1 and 2"));
  EXPECT_THAT(svg({"--stage", "all"}), HasSubstr("Every stage of head 1"));
  EXPECT_THAT(svg({"--kind", "lines", "--row", "cat"}), HasSubstr("What “cat” looks at"));
  EXPECT_THAT(svg({"--kind", "lines", "--head", "all"}), HasSubstr("head 2"));
  EXPECT_THAT(svg({"--kind", "arithmetic", "--row", "cat", "--col", "dog"}),
              HasSubstr("weights[cat, dog]"));
  EXPECT_THAT(svg({"--against", in_}), HasSubstr("B − A"));
  EXPECT_NE(svg({"--mark", "cat,dog"}), svg({}));
  EXPECT_THAT(svg({"--width-mm", "text"}), HasSubstr("width=\"139.7mm\""));
  EXPECT_THAT(svg({"--font", "liberation serif"}), HasSubstr("liberation serif"));
  EXPECT_NE(svg({"--transparent"}), svg({}));
  EXPECT_NE(svg({"--no-bar"}), svg({}));
  EXPECT_NE(svg({"--range", "robust"}), svg({}));
  const std::string grid = svg({"--stage", "scores", "--head", "all"});
  EXPECT_EQ(svg({"--stage", "scores", "--head", "all", "--range", "shared"}), grid);
  EXPECT_NE(svg({"--stage", "scores", "--head", "all", "--range", "auto"}), grid);
  EXPECT_NE(svg({"--stage", "scores", "--centre", "2"}), svg({"--stage", "scores"}));
}

// Runs export with two presets kept in the window.
Outcome with_presets(std::vector<std::string> arguments) {
  DisplayVerbs display;
  display.kept = [] {
    FigureOptions grid, page;
    grid.type = FigureType::kHeads, grid.dark = true, grid.width_mm = 120, grid.annotate = true;
    page.type = FigureType::kPipeline;
    return KeptByWindow{{}, {{"for a talk", grid}, {"page", page}}};
  };
  arguments.insert(arguments.begin(), {"attention-lab", "export"});
  std::vector<const char*> argv;
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  Outcome outcome;
  testing::internal::CaptureStderr();
  outcome.code = run_command_line(static_cast<int>(argv.size()), argv.data(), display);
  outcome.err = testing::internal::GetCapturedStderr();
  return outcome;
}

TEST_F(Export, APresetIsTheLookThatOptionsChange) {
  const std::string path = folder_ / "preset.svg";
  const auto svg = [&](const std::vector<std::string>& options) {
    std::vector<std::string> all{in_, "-o", path};
    all.insert(all.end(), options.begin(), options.end());
    const Outcome outcome = with_presets(all);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return bytes_of(path);
  };
  EXPECT_EQ(svg({"--preset", "for a talk"}), svg({"--head", "all", "--range", "auto", "--theme",
                                                  "dark", "--width-mm", "120", "--annot"}));
  EXPECT_EQ(svg({"--preset", "for a talk", "--head", "2", "--width-mm", "89", "--theme", "light"}),
            svg({"--head", "2", "--annot"}));
  EXPECT_EQ(svg({"--preset", "page"}), svg({"--stage", "all"}));
  const Outcome unknown = with_presets({in_, "-o", path, "--preset", "talk"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("\"for a talk\", \"page\""));
  EXPECT_EQ(with_presets({in_, "-o", folder_ / "a.csv", "--preset", "page"}).code, 2);
}

TEST_F(Export, WhatNoPictureShowsIsRefused) {
  EXPECT_THAT(refused("out.svg", {"--preset", "talk"}), HasSubstr("has kept none yet"));
  EXPECT_THAT(refused("out.svg", {"--kind", "pie"}), HasSubstr("map, lines or arithmetic"));
  EXPECT_THAT(refused("out.svg", {"--kind", "arithmetic"}), HasSubstr("--row and --col"));
  EXPECT_THAT(refused("out.svg", {"--mark", "cat"}), HasSubstr("ROW,COL"));
  EXPECT_THAT(refused("out.svg", {"--mark", "cat,unicorn"}), HasSubstr("unicorn"));
  EXPECT_THAT(
      refused("out.svg", {"--head", "1,2", "--kind", "arithmetic", "--row", "0", "--col", "0"}),
      HasSubstr("too many heads"));
  EXPECT_THAT(refused("out.svg", {"--head", "1,2,3"}), HasSubstr("--head is \"3\""));
  EXPECT_THAT(refused("out.html", {"--against", "cat-sat"}), HasSubstr("sentences of A and B"));
  EXPECT_THAT(refused("out.svg", {"--width-mm", "wide"}), HasSubstr("slide"));
  EXPECT_THAT(refused("out.svg", {"--centre", "nan"}), HasSubstr("--centre"));
  EXPECT_THAT(refused("out.svg", {"--share", "2", "--kind", "lines"}), HasSubstr("--share"));
}

TEST_F(Export, TwoSentencesAreComparedWithoutADifferenceAndThatIsSaid) {
  const std::string out = folder_ / "out.svg";
  const Outcome outcome = run({"export", in_, "--against", "cat-sat", "-o", out});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("the sentences of A and B differ"));
  EXPECT_THAT(bytes_of(out), testing::Not(HasSubstr("B − A")));
}

TEST_F(Export, OverridesAreMarkedUnlessThatIsLeftOut) {
  const std::string edits = folder_.write(
      "edits", R"({"do":"set_override","stage":"weights","head":1,"row":1,"col":1,"value":0.5})");
  const std::string changed = folder_ / "changed.json", out = folder_ / "out.svg";
  ASSERT_EQ(run({"apply", in_, edits, "-o", changed}).code, 0);
  std::vector<std::string> pictures;
  for (const char* option : {"--overrides", "--no-overrides", "--bare"}) {
    const Outcome outcome = run({"export", changed, "--bare", option, "-o", out});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    pictures.push_back(bytes_of(out));
  }
  EXPECT_NE(pictures[0], pictures[1]);
  EXPECT_EQ(pictures[2], pictures[0]) << "they are marked without any option";
}

TEST_F(Export, WhatAPictureHasNoUseForIsRefused) {
  EXPECT_THAT(refused("out.svg", {"--against", in_, "--kind", "lines"}), HasSubstr("--against"));
  EXPECT_THAT(refused("out.svg", {"--kind", "lines", "--mark", "cat,dog"}), HasSubstr("--mark"));
  EXPECT_THAT(refused("out.svg", {"--kind", "lines", "--stage", "scores"}), HasSubstr("--stage"));
  EXPECT_THAT(refused("out.svg", {"--share", "0.5"}), HasSubstr("--share"));
  EXPECT_THAT(refused("out.svg", {"--row", "cat"}), HasSubstr("--row"));
  EXPECT_THAT(refused("out.svg", {"--kind", "lines", "--col", "cat"}), HasSubstr("--col"));
}

TEST_F(Export, NumbersAreOfOneState) {
  EXPECT_THAT(refused("out.npz", {"--against", in_}), HasSubstr("--against"));
  EXPECT_THAT(refused("out.csv", {"--kind", "lines"}), HasSubstr("--kind"));
}

TEST_F(Export, AFontThatIsNotThereIsToldOf) {
  const Outcome outcome = run({"export", in_, "--font", "Gillius", "-o", folder_ / "out.svg"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("Gillius"));
  EXPECT_THAT(bytes_of(folder_ / "out.svg"), HasSubstr("Gillius")) << "another machine may have it";
}

TEST_F(Export, NotesASweepThatChangesNothing) {
  const auto told = [&](const std::string& sweep) {
    return run({"export", in_, "--sweep", sweep, "--frames", "2", "-o", folder_ / "s.webp"}).err;
  };
  EXPECT_THAT(told("rotary_base=1..100"), HasSubstr("nothing changes"));
  EXPECT_EQ(told("temperature=1..2"), "");
}

TEST_F(Export, APinIsFramedInTheDifferenceToo) {
  const auto frames = [&](const std::vector<std::string>& options) {
    const std::string svg = exported("out.svg", options);
    int count = 0;
    for (std::size_t at = svg.find("<rect"); at != svg.npos; at = svg.find("<rect", at + 1))
      ++count;
    return count;
  };
  EXPECT_EQ(frames({"--head", "1,2", "--mark", "cat,dog"}) - frames({"--head", "1,2"}), 3);
}

TEST_F(Export, EachStageAndHeadHasAFileInTheFolder) {
  const std::string out = folder_ / "figures";
  const Outcome outcome = run({"export", in_, "--each", ".svg", "-o", out});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(out))
    names.push_back(file.path().filename());
  // X, concat and output are one for both heads.
  EXPECT_EQ(names.size(), 3 + 2 * 7U);
  EXPECT_THAT(names, testing::IsSupersetOf({"X.svg", "weights-head-2.svg", "output.svg"}));
  EXPECT_EQ(bytes_of(out + "/weights-head-2.svg"), exported("one.svg", {"--head", "2"}));
  EXPECT_EQ(run({"export", in_, "--each", ".bmp", "-o", out}).code, 2);
  EXPECT_EQ(run({"export", in_, "--each", ".csv", "-o", in_}).code, 6) << "a file is there";
}

TEST_F(Export, AnEmptyTitleIsNone) {
  const std::string none = exported("none.png", {"--title", "", "--dpi", "80"});
  const std::string own = exported("own.png", {"--dpi", "80"});
  EXPECT_LT(big_endian(none, 20), big_endian(own, 20)) << "there is no line for it";
}

TEST_F(Export, ASizeThatNoPictureCanHaveIsWrongUsage) {
  const std::string message = refused("out.png", {"--width-mm", "1000", "--dpi", "2400"});
  EXPECT_THAT(message, HasSubstr("--width-mm"));
  EXPECT_THAT(message, HasSubstr("--dpi"));
}

TEST_F(Export, TooManyCellsForLatexAreNotBlamedOnTheWidth) {
  std::string sentence;
  for (int i = 0; i < 201; ++i) sentence += "cat ";
  const std::string large =
      folder_.write("large.json", write_session(make_document(sentence, problem_.config, 1)));
  const Outcome outcome = run({"export", large, "-o", folder_ / "out.tex"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("more cells than LaTeX can draw"));
  EXPECT_THAT(outcome.err, testing::Not(HasSubstr("--width-mm")));
}

TEST_F(Export, TheHeadMakesNoDifferenceToTheOutput) {
  EXPECT_EQ(exported("a.csv", {"--stage", "output", "--head", "7"}),
            exported("b.csv", {"--stage", "output"}));
}

}  // namespace
}  // namespace lab::test
