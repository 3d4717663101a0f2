// Sentences that are split by a tokenizer.json.
#include <gmock/gmock.h>

#include "app/files/io/bytes.h"
#include "app/files/open.h"
#include "app/files/tokenizer/tokenizer_file.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/tokenizer/small_tokenizers.h"
#include "app/tests/view/screen.h"
#include "app/view/toolkit/imgui_compat.h"

namespace lab {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;

class TokensMenu : public ::testing::Test {
 protected:
  TokensMenu() { screen.frames(2); }

  void choose(const std::string& item) {
    screen.click("button/tokenizer");
    screen.frames(2);
    screen.click("tokens/" + item);
    screen.frames(3);
  }
  // Types `path` into the dialog that asks for a tokenizer.json.
  void use_tokenizer(const std::string& path) {
    choose("file");
    screen.key(Key::kA, true);
    screen.type(path);
    screen.frames(2);
    screen.key(Key::kEnter);
    screen.frames(4);
  }
  void point_at(const std::string& name) {
    const Rect place = screen.place(name);
    screen.move({place.x + place.w / 2, place.y + place.h / 2});
    screen.frames(2);
  }
  std::vector<std::string> labels() {
    std::vector<std::string> labels;
    for (const Token& token : screen.document().tokens) labels.push_back(token_label(token));
    return labels;
  }

  TemporaryFolder temporary;
  Screen screen{make_document("It was unhappy", attention::Config{}, 1)};
};

TEST_F(TokensMenu, SplitsByTheBuiltInTokenizerAndBack) {
  choose("english");
  EXPECT_THAT(labels(), ElementsAre("It", "·was", "·un", "h", "app", "y"));
  choose("words");
  EXPECT_THAT(labels(), ElementsAre("It", "was", "unhappy"));
  screen.key(Key::kZ, true);
  screen.frames(2);
  EXPECT_THAT(labels(), ElementsAre("It", "·was", "·un", "h", "app", "y")) << "one step";
}

TEST_F(TokensMenu, TheSelectionStaysOnItsWord) {
  screen.view.state().selection.query = 1;
  screen.frames(1);
  screen.workspace.queue(intent::Apply{SetSentence{"Oh, it was unhappy"}});
  screen.frames(2);
  ASSERT_EQ(screen.view.state().selection.query, 3);
  choose("english");
  EXPECT_EQ(labels()[static_cast<std::size_t>(screen.view.state().selection.query)], "·was");
}

TEST_F(TokensMenu, PointingAtAChipMarksItsCharactersInTheBox) {
  choose("english");
  const Rect box = screen.place("sentence");
  point_at("chip/1");
  const Rect was = screen.place("sentence/mark");
  point_at("chip/2");
  const Rect un = screen.place("sentence/mark");
  EXPECT_GT(was.x, box.x);
  EXPECT_NEAR(un.x, was.right(), 1) << "“ was” and “ un” are neighbours";
  EXPECT_LT(un.right(), box.right());
  point_at("card/weights");
  EXPECT_FALSE(screen.shows("sentence/mark"));
}

TEST_F(TokensMenu, WordsAreMarkedToo) {
  point_at("chip/1");
  EXPECT_TRUE(screen.shows("sentence/mark"));
}

TEST_F(TokensMenu, AFileIsAskedFor) {
  const std::string bytes = read_bytes(tokenizer_path("english").value()).value();
  const std::string path = temporary.write("own.json", bytes);
  use_tokenizer(path);
  EXPECT_EQ(screen.view.state().dialog.open, Dialog::kNone) << screen.view.state().dialog.problem;
  EXPECT_EQ(screen.document().splitting.tokenizer.name, path);
  EXPECT_EQ(labels().size(), 6u);
}

TEST_F(TokensMenu, ADamagedFileIsToldInTheDialogAndChangesNothing) {
  const std::string path = temporary.write("own.json", "{}");
  use_tokenizer(path);
  EXPECT_EQ(screen.view.state().dialog.open, Dialog::kTokenizer);
  EXPECT_NE(screen.view.state().dialog.problem, "");
  EXPECT_THAT(labels(), ElementsAre("It", "was", "unhappy"));
}

TEST_F(TokensMenu, SpecialTokensAreOfferedWhereThereAreSome) {
  screen.click("button/tokenizer");
  screen.frames(2);
  EXPECT_FALSE(screen.shows("tokens/special"));
  screen.key(Key::kEscape);
  const json cls = {{"SpecialToken", {{"id", "[UNK]"}, {"type_id", 0}}}};
  const json text = {{"Sequence", {{"id", "A"}, {"type_id", 0}}}};
  const json ids = {{"[UNK]", {{"id", "[UNK]"}, {"ids", {0}}, {"tokens", {"[UNK]"}}}}};
  const json processor = {{"type", "TemplateProcessing"},
                          {"single", {cls, text}},
                          {"pair", {cls, text, text}},
                          {"special_tokens", ids}};
  use_tokenizer(temporary.write("own.json",
                                tokenizer::file_of(tokenizer::word_piece_model(),
                                                   {{"post_processor", processor},
                                                    {"pre_tokenizer", {{"type", "Whitespace"}}}})));
  EXPECT_EQ(labels().size(), 4u) << "with the added token";
  choose("special");
  EXPECT_EQ(labels().size(), 3u);
  choose("special");
  EXPECT_EQ(labels().size(), 4u);
}

}  // namespace
}  // namespace lab
