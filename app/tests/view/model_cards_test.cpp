// The cards of a trained model: pinned tokens, the answer, the read-out, exploring a text, opening.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/document/model/token_name.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/model_screen.h"
#include "app/view/maps/model_heads.h"
#include "app/view/maps/model_words.h"

namespace lab {
namespace {

using attention::Index;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::uint32_t id_of(const ModelScreen& screen, const std::string& token) {
  return screen.model().source->tokenizer->id_of(token).value();
}

std::string next(std::uint32_t id) { return "next/" + std::to_string(id); }

TEST(NextToken, KeepsAPinnedTokenHoweverUnlikely) {
  ModelScreen screen("induction", "abcabca");
  screen.settle();
  const std::uint32_t likely = screen.numbers().predictions.value->top.front().id;
  screen.click("next/pin/" + std::to_string(likely));
  screen.workspace.queue(intent::Apply{SetSentence{"xyzxyzxyzx"}});
  screen.settle();
  const auto& top = screen.numbers().predictions.value->top;
  ASSERT_THAT(top, Not(Contains(testing::Field(&Prediction::id, likely))))
      << "the test needs a token that is unlikely now";
  EXPECT_TRUE(screen.shows(next(likely)));
  screen.click("next/pin/" + std::to_string(likely));
  screen.settle();
  EXPECT_FALSE(screen.shows(next(likely)));
}

TEST(NextToken, PinsATokenThatIsTyped) {
  ModelScreen screen("words", "The cat sat on the");
  screen.settle();
  const std::uint32_t door = id_of(screen, "Ġdoor");
  ASSERT_FALSE(screen.shows(next(door)));
  screen.click("next/watch");
  screen.type("door");
  screen.key(Key::kEnter);
  screen.settle();
  EXPECT_TRUE(screen.shows(next(door)));
  EXPECT_EQ(screen.document().sentence, "The cat sat on the") << "it went into the field only";
}

TEST(NextToken, ComparesTheAnswerWithAnotherToken) {
  ModelScreen screen("induction", "abcdabc");
  screen.settle();
  const auto top = screen.numbers().predictions.value->top;
  screen.click("next/minus/" + std::to_string(top[2].id));
  screen.settle();
  const AskedAnswer answer = *screen.numbers().answer.value;
  EXPECT_EQ(answer.token.prediction.id, top[0].id);
  ASSERT_TRUE(answer.minus);
  EXPECT_EQ(answer.minus->prediction.id, top[2].id);
  EXPECT_FLOAT_EQ(answer.logit(), top[0].logit - top[2].logit);
  screen.ctrl_click(next(top[1].id));
  screen.settle();
  EXPECT_EQ(screen.numbers().answer.value->minus->prediction.id, top[1].id);
  screen.click("next/minus/" + std::to_string(top[1].id));
  screen.settle();
  EXPECT_FALSE(screen.numbers().answer.value->minus);
}

TEST(ReadOut, HasTheLikeliestTokenAfterEachLayerAtEveryToken) {
  ModelScreen screen("induction", "abcdabc");
  screen.view.state().model.tiles = TileView::kReadOut;
  screen.settle();
  const LensGrid& grid = *screen.numbers().lens_of_all_rows.value;
  ASSERT_EQ(grid.layers, 3);
  for (Index layer = 0; layer < 3; ++layer)
    for (Index row = 0; row < 7; ++row)
      EXPECT_TRUE(screen.shows("lens/" + std::to_string(layer) + "/" + std::to_string(row)));
  EXPECT_EQ(grid.at(2, 6).id, screen.numbers().predictions.value->top.front().id)
      << "after the last layer it is the prediction";
  screen.click("lens/2/3");
  screen.settle();
  EXPECT_EQ(screen.view.state().selection.query, 3);
  EXPECT_EQ(screen.at().layer, 1);
}

TEST(ReadOut, OpensAtTheSelectedTokenAndStaysWhereItIsScrolledTo) {
  ModelScreen screen("induction", std::string(40, 'a'), {1024, 640});
  screen.view.state().selection.query = 38;
  screen.view.state().model.tiles = TileView::kReadOut;
  screen.settle();
  EXPECT_TRUE(screen.shows("lens/1/38"));
  EXPECT_FALSE(screen.shows("lens/1/0"));
  const Rect cell = screen.place("lens/1/38"), other = screen.place("lens/1/36");
  screen.move({cell.x + 4, cell.y + 4});
  ImGui::GetIO().MouseWheelH = 1;
  screen.frames(4);
  EXPECT_GT(screen.place("lens/1/36").x, other.x);
}

// What is shown may skip the texts between, while it is typed fast.
TEST(NextToken, StaysAtTheEndWhateverTheTextBecomes) {
  ModelScreen screen("words", "The cat sat on the mat");
  screen.settle();
  for (const char* text : {"The cat sat on the hat", "A dog ran by", "A", "When Mary and Jo",
                           "When Mary and John went", "When Mary and Jo"}) {
    screen.workspace.queue(intent::Apply{SetSentence{text}});
    screen.settle();
    EXPECT_EQ(screen.view.state().selection.query, std::ssize(screen.document().tokens) - 1)
        << text;
  }
}

TEST(Tiles, AreSortedByTheirNumbers) {
  ModelScreen screen;
  screen.view.state().model.tiles = TileView::kEntropy;
  screen.view.state().model.sorted = true;
  screen.settle();
  const auto& values = screen.numbers().entropies.value->front().values;
  for (int layer = 0; layer < 2; ++layer) {
    std::vector<std::pair<float, float>> shown;  // place, number
    for (int head = 0; head < 4; ++head)
      shown.emplace_back(
          screen.place("tile/" + std::to_string(layer) + "/" + std::to_string(head)).x,
          values(layer, head));
    std::ranges::sort(shown);
    for (std::size_t i = 1; i < shown.size(); ++i) EXPECT_GE(shown[i - 1].second, shown[i].second);
  }
}

TEST(Tiles, AreEnlargedAndThenScroll) {
  ModelScreen screen;
  screen.settle();
  const Rect before = screen.place("tile/0/0");
  screen.view.state().model.zoom = 3;
  screen.settle();
  EXPECT_GT(screen.place("tile/0/0").w, 2.5f * before.w);
  EXPECT_GT(screen.place("tile/0/0").h, 2.5f * before.h);
}

// A small BERT that reads a few words.
std::string bert_folder(const TemporaryFolder& folder) {
  namespace fs = std::filesystem;
  using nlohmann::json;
  for (const char* file : {"config.json", "model.safetensors"})
    fs::copy_file(fs::path(GOLDEN_MODELS) / "bert" / file, folder / file);
  json vocabulary;
  int id = 0;
  for (const char* token : {"[PAD]", "[UNK]", "[MASK]", "a", "small", "cat"})
    vocabulary[token] = id++;
  const json mask = {{"id", 2},         {"content", "[MASK]"}, {"single_word", false},
                     {"lstrip", false}, {"rstrip", false},     {"normalized", false},
                     {"special", true}};
  const json tokenizer = {{"version", "1.0"},
                          {"added_tokens", json::array({mask})},
                          {"normalizer", nullptr},
                          {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
                          {"post_processor", nullptr},
                          {"decoder", {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}}},
                          {"model",
                           {{"type", "WordPiece"},
                            {"unk_token", "[UNK]"},
                            {"continuing_subword_prefix", "##"},
                            {"max_input_chars_per_word", 100},
                            {"vocab", vocabulary}}}};
  folder.write("tokenizer.json", tokenizer.dump());
  return folder.path().string();
}

TEST(Mask, PutsTheMaskInPlaceOfTheSelectedToken) {
  const TemporaryFolder folder;
  ModelScreen screen(bert_folder(folder), "a small cat");
  screen.settle();
  EXPECT_FALSE(screen.shows("next/go_on")) << "it does not go on with a text";
  screen.view.state().selection.query = 1;
  screen.key(Key::kM, true);
  screen.settle();
  EXPECT_EQ(screen.document().sentence, "a [MASK] cat");
  EXPECT_EQ(screen.document().tokens.size(), 3U);
  EXPECT_EQ(screen.numbers().predictions.value->row, 1) << "what is in its place is asked";
  screen.key(Key::kZ, true);
  screen.settle();
  EXPECT_EQ(screen.document().sentence, "a small cat");
}

TEST(Explore, FindsWhatTheHeadAttendsToInAPastedText) {
  ModelScreen screen("induction", "abcdabc", {1600, 2000});
  screen.settle();
  ImGui::SetClipboardText("ghijklghijkl");
  screen.click("explore/paste");
  screen.settle();
  const Exploration& found = *screen.numbers().exploration.value;
  EXPECT_EQ(found.read, 12);
  ASSERT_EQ(found.heads.size(), 8U);
  for (const ExploredHead& head : found.heads)
    for (const AttendedPair& pair : head.pairs) EXPECT_LE(pair.key, pair.query);
  EXPECT_TRUE(screen.shows("explore/pair/0"));
}

TEST(OpenModel, ListsTheBuiltInOnesAndOpensTheOneThatIsClicked) {
  ModelScreen screen;
  screen.settle();
  EXPECT_EQ(screen.model().source->name, "induction");
  screen.view.state().dialog.open = Dialog::kOpenModel;
  screen.view.state().dialog.number = 1;
  screen.frames(3);
  for (const char* name : {"models/words", "models/induction"})
    EXPECT_TRUE(screen.shows(name)) << name;
  screen.click("models/words");
  screen.frames(4);
  screen.settle();
  EXPECT_EQ(screen.model().source->name, "words");
}

TEST(OpenModel, SaysWhyAFolderIsNone) {
  ModelScreen screen;
  screen.settle();
  screen.view.state().dialog.open = Dialog::kOpenModel;
  screen.view.state().dialog.number = 1;
  screen.frames(3);
  screen.view.state().dialog.path = "no_such_model";
  screen.frames(2);
  screen.click("dialog/ok");
  screen.frames(2);
  EXPECT_THAT(screen.view.state().dialog.problem, HasSubstr("config.json"));
  EXPECT_EQ(screen.model().source->name, "induction");
}

// Opens the export dialog with that figure of the model, and writes it.
std::string exported(ModelScreen& screen, WholeModel whole, const std::string& path) {
  screen.key(Key::kE, true);
  screen.frames(2);
  screen.view.state().dialog.exporting.mode = ExportMode::kFigure;
  screen.view.state().dialog.exporting.whole = whole;
  screen.settle();
  screen.key(Key::kA, true);
  screen.type(path);
  screen.frames(2);
  screen.click("dialog/ok");
  screen.frames(4);
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ExportOfAModel, HasEveryFigureOfTheWholeModel) {
  const TemporaryFolder folder;
  ModelScreen screen("induction", "abcdabc");
  screen.click("tile/0/1");
  screen.settle();
  int number = 0;
  for (const WholeModel whole : {WholeModel::kAttention, WholeModel::kEffect, WholeModel::kWritten,
                                 WholeModel::kEntropy, WholeModel::kReadOut, WholeModel::kNext}) {
    const std::string svg = exported(screen, whole, folder / (std::to_string(++number) + ".svg"));
    ASSERT_THAT(svg, HasSubstr("<svg"))
        << number << screen.view.state().dialog.problem << screen.view.state().error;
    EXPECT_THAT(svg, HasSubstr("induction")) << "its caption names the model";
    screen.key(Key::kEscape);
    screen.frames(3);
  }
}

}  // namespace
}  // namespace lab
