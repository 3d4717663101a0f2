// Mouse and key input, and its effect on the document.
#include <gtest/gtest.h>

#include "app/base/unicode_text.h"
#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

using attention::Stage;

Document refer() { return *open_document("refer"); }
constexpr MatrixRef kWQ2{MatrixId::kWQ, 1};

TEST(Sentence, FollowsEveryKeystroke) {
  Screen screen(refer());
  screen.type("!");
  EXPECT_EQ(screen.document().sentence,
            "The animal didn't cross the street because it was too tired!");
  EXPECT_EQ(screen.document().tokens.size(), 12U);
  EXPECT_TRUE(screen.shows("chip/11"));
}

TEST(Sentence, EmptyIsRefusedAndTheTextStaysAsTyped) {
  Screen screen(refer());
  const std::string start = screen.document().sentence;
  screen.key(Key::kA, true);
  screen.key(Key::kDelete);
  EXPECT_EQ(screen.document().sentence, start);
  EXPECT_FALSE(screen.workspace.message().empty());
  EXPECT_TRUE(screen.shows("message"));
  EXPECT_EQ(screen.view.state().sentence.text, "");
  screen.type("Hi");
  EXPECT_EQ(screen.document().sentence, "Hi");
  EXPECT_FALSE(screen.shows("message"));
}

TEST(Sentence, AnEmojiIsKeptWhenTheRestIsEdited) {
  const std::string text = "a 🙂 b 𠜎 🙂";
  Screen screen(make_document(text, attention::Config{}, 1));
  EXPECT_FALSE(screen.workspace.modified()) << "opening changes nothing";
  screen.type("!");
  EXPECT_EQ(screen.document().sentence, text + "!");
  screen.key(Key::kBackspace);
  screen.key(Key::kBackspace);
  EXPECT_EQ(screen.document().sentence, "a 🙂 b 𠜎 ");
}

TEST(Sentence, BytesThatAreNoCharacterAreEditedLikeCharacters) {
  Screen screen(make_document("cat \xE0\xB8 a", attention::Config{}, 1));
  screen.type("b");
  EXPECT_EQ(screen.document().sentence, "cat \xE0\xB8 ab");
  for (int i = 0; i < 4; ++i) screen.key(Key::kBackspace);
  EXPECT_EQ(screen.document().sentence, "cat \xE0");
  EXPECT_EQ(screen.document().tokens.size(), 2U);
  screen.key(Key::kA, true);
  screen.key(Key::kDelete);
  EXPECT_EQ(screen.view.state().sentence.text, "");
}

TEST(BoxText, ComesBackAsItWentInAndHoldsOnlyShortCharacters) {
  for (const char* text : {"", "plain", "🙂🙂𠜎", "\xEE\x80\x80 private \xEF\xA3\xBF",
                           "é€\xEF\xBF\xBD", "broken \xF0\x9F"}) {
    BoxText box;
    const std::string encoded = box.encode(text);
    EXPECT_EQ(box.decode(encoded), text);
    EXPECT_EQ(box.encode(text), encoded) << "the same again";
    const bool has_long =
        std::ranges::any_of(encoded, [](char c) { return static_cast<unsigned char>(c) >= 0xF0; });
    EXPECT_FALSE(has_long);
    EXPECT_TRUE(is_utf8(encoded));
  }
}

TEST(Selection, AChipIsTheQueryEverywhere) {
  Screen screen(refer());
  screen.click("chip/3");
  EXPECT_EQ(screen.view.state().selection.query, 3);
}

TEST(Selection, StartsAtTheStrongestPairOfHead1) {
  Screen screen(refer());
  EXPECT_EQ(screen.view.state().selection.query, 7);
  EXPECT_EQ(screen.view.state().selection.key, 1);
}

TEST(Selection, ACellOfAMapIsExplained) {
  Screen screen(refer());
  screen.click("stage/scores/2/5");
  const Selection& selection = screen.view.state().selection;
  EXPECT_EQ(selection.stage, Stage::kScores);
  EXPECT_EQ(selected_cell(selection), (Cell{2, 5}));
  screen.click("stage/V/4/1");
  EXPECT_EQ(screen.view.state().selection.key, 4);
  EXPECT_EQ(screen.view.state().selection.query, 2) << "the query stays";
}

TEST(Heads, AThumbnailOrADigitFocusesAHead) {
  Screen screen(refer());
  screen.click("head/3");
  EXPECT_EQ(screen.view.state().head, 2);
  screen.key(Key::k2);
  EXPECT_EQ(screen.view.state().head, 1);
}

TEST(Grid, ADragIsOneStepAndLeavesOtherHeadsAlone) {
  Screen screen(refer());
  screen.click("head/2");
  const float before = screen.cell(kWQ2, 2, 1);
  const auto other = screen.document().problem.parameters.heads[0].W_Q;
  screen.drag("matrix/W_Q/2/1", {0, -50});
  EXPECT_FLOAT_EQ(screen.cell(kWQ2, 2, 1), before + 0.5f);
  EXPECT_TRUE(screen.document().problem.parameters.heads[0].W_Q.same_as(other));
  EXPECT_TRUE(screen.workspace.history().undo_label().starts_with("W_Q of head 2, row "))
      << "one step";
  screen.click("button/undo");
  EXPECT_EQ(screen.cell(kWQ2, 2, 1), before);
  EXPECT_FALSE(screen.workspace.history().can_undo());
  screen.click("button/redo");
  EXPECT_FLOAT_EQ(screen.cell(kWQ2, 2, 1), before + 0.5f);
}

TEST(Grid, AMovementThatComesWithTheReleaseCounts) {
  Screen screen(refer());
  const float before = screen.cell(kWQ1, 0, 0);
  const Rect rect = screen.place("matrix/W_Q/0/0");
  screen.move({rect.x + 20, rect.y + 10});
  screen.press();
  compat::feed_pointer(ImGui::GetIO(), {rect.x + 20, rect.y - 30});
  screen.release();
  EXPECT_FLOAT_EQ(screen.cell(kWQ1, 0, 0), before + 0.4f);
}

TEST(Grid, ShiftIsFineAndCtrlIsCoarse) {
  Screen screen(refer());
  ImGuiIO& io = ImGui::GetIO();
  compat::feed_key(io, Key::kLeftShift, true);
  screen.drag("matrix/W_Q/0/0", {0, -50});
  compat::feed_key(io, Key::kLeftShift, false);
  EXPECT_FLOAT_EQ(screen.cell(kWQ1, 0, 0), 0.05f);
  compat::feed_key(io, Key::kLeftCtrl, true);
  screen.drag("matrix/W_Q/0/1", {0, 50});
  compat::feed_key(io, Key::kLeftCtrl, false);
  EXPECT_FLOAT_EQ(screen.cell(kWQ1, 0, 1), -2 - 5);
}

TEST(Grid, EscapeCancelsADrag) {
  Screen screen(refer());
  const Rect rect = screen.place("matrix/W_Q/0/0");
  screen.move({rect.x + 20, rect.y + 10});
  screen.press();
  screen.move({rect.x + 20, rect.y - 60});
  EXPECT_NE(screen.cell(kWQ1, 0, 0), 0);
  screen.key(Key::kEscape);
  screen.move({rect.x + 20, rect.y - 90});
  screen.release();
  EXPECT_EQ(screen.cell(kWQ1, 0, 0), 0);
  EXPECT_FALSE(screen.workspace.history().can_undo());
}

// A cell of the grid that is being dragged.
class Dragged : public ::testing::Test {
 protected:
  Dragged() {
    const Rect rect = screen.place("matrix/W_Q/0/0");
    at = {rect.x + 20, rect.y + 10};
    screen.move(at);
    screen.press();
    drag_on();
  }
  void drag_on() { screen.move({at.x, at.y -= 60}); }
  void expect_nothing_left() {
    EXPECT_FALSE(screen.workspace.history().previewing());
    EXPECT_FALSE(screen.workspace.history().can_undo());
    EXPECT_FALSE(screen.workspace.modified());
    EXPECT_EQ(screen.view.state().edit.gesture, Gesture::kNone);
    EXPECT_EQ(screen.workspace.message(), "");
  }
  ImVec2 at;
  Screen screen{refer()};
};

TEST_F(Dragged, EndsWhenTheWindowFoldsOverIt) {
  ASSERT_TRUE(screen.workspace.history().previewing());
  screen.view.state().side_tab = SideTab::kExplain;
  ImGui::GetIO().DisplaySize = {1024, 640};
  screen.frames(3);
  ASSERT_FALSE(screen.shows("matrix/W_Q/0/0"));
  drag_on();
  screen.release();
  expect_nothing_left();
  EXPECT_EQ(screen.cell(kWQ1, 0, 0), 0);
}

TEST_F(Dragged, EndsWhenAnotherMatrixIsShown) {
  screen.view.state().edit.matrix = MatrixId::kWK;
  screen.frames(3);
  drag_on();
  screen.release();
  expect_nothing_left();
}

TEST_F(Dragged, EndsWhenTheDocumentIsReplaced) {
  screen.workspace.queue(intent::Replace{*open_document("cat-sat"), {}});
  screen.frames(3);
  drag_on();
  screen.release();
  expect_nothing_left();
}

TEST(DraggedSlider, EndsWhenTheDocumentIsReplaced) {
  Screen screen(refer());
  const Rect slider = screen.place("model/temperature");
  screen.move({slider.x + slider.w / 2, slider.y + slider.h / 2});
  screen.press();
  screen.move({slider.right() - 4, slider.y + slider.h / 2});
  screen.workspace.queue(intent::Replace{*open_document("cat-sat"), {}});
  screen.frames(3);
  screen.move({slider.x + 4, slider.y + slider.h / 2});
  screen.release();
  EXPECT_FALSE(screen.workspace.modified());
  EXPECT_EQ(screen.document().problem.config.temperature,
            open_document("cat-sat")->problem.config.temperature);
}

TEST(DraggedSlider, EndsWithThePopupItIsIn) {
  Screen screen(refer());
  screen.click("button/variants");
  screen.frames(2);
  const Rect slider = screen.place("variant/dropout_rate");
  screen.move({slider.x + 10, slider.y + slider.h / 2});
  screen.press();
  screen.move({slider.x + 60, slider.y + slider.h / 2});
  ASSERT_TRUE(screen.workspace.history().previewing());
  screen.key(Key::kEscape);
  screen.frames(3);
  EXPECT_FALSE(screen.workspace.history().previewing());
  screen.release();
  EXPECT_EQ(screen.workspace.message(), "");
}

TEST(Grid, SaysThatANumberIsTooLarge) {
  Screen screen(refer());
  screen.click("matrix/W_Q/0/0");
  screen.type("1e400");
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_EQ(screen.view.state().error, "“1e400” is too large a number.");
  EXPECT_FALSE(screen.workspace.history().can_undo());
}

TEST(Grid, HasNoKeysOnceItsWindowIsFoldedAway) {
  Screen screen(refer());
  screen.click("matrix/W_Q/0/0");
  screen.type("4");
  screen.view.state().side_tab = SideTab::kExplain;
  ImGui::GetIO().DisplaySize = {1024, 640};
  screen.frames(3);
  screen.key(Key::k2);
  EXPECT_EQ(screen.view.state().head, 1);
  EXPECT_FALSE(screen.workspace.modified());
}

TEST(Grid, ShowsItsCursorOnlyWhileItHasTheKeys) {
  Screen screen(refer());
  const auto& widgets = screen.view.widgets().widgets();
  EXPECT_FALSE(widgets.contains("cursor"));
  screen.click("matrix/W_Q/1/2");
  EXPECT_TRUE(widgets.contains("cursor"));
  screen.key(Key::kEscape);
  EXPECT_FALSE(widgets.contains("cursor"));
  screen.key(Key::k2);
  EXPECT_EQ(screen.view.state().head, 1);
}

TEST(Grid, TypedNumbersAreShownAtOnceAndCommittedByEnter) {
  Screen screen(refer());
  screen.click("matrix/W_Q/0/0");
  screen.type("-2.5");
  EXPECT_EQ(screen.cell(kWQ1, 0, 0), -2.5f) << "previewed";
  EXPECT_FALSE(screen.workspace.history().can_undo());
  screen.key(Key::kEnter);
  EXPECT_TRUE(screen.workspace.history().can_undo());
  screen.type("3,5");
  screen.key(Key::kTab);
  EXPECT_EQ(screen.cell(kWQ1, 1, 0), 3.5f);
  screen.type("9");
  screen.key(Key::kEscape);
  EXPECT_EQ(screen.cell(kWQ1, 1, 1), 0) << "Esc takes the number back";
}

// The editor reads numbers in the same way as answers to questions.
TEST(Grid, NumbersMayHaveThousandsAndBeTooSmallForFloat32) {
  Screen screen(refer());
  screen.click("matrix/W_Q/0/0");
  screen.type("1.234,5");
  screen.key(Key::kEnter);
  EXPECT_EQ(screen.cell(kWQ1, 0, 0), 1234.5f);
  screen.click("matrix/W_Q/0/0");
  screen.type("1e-60");
  screen.key(Key::kEnter);
  EXPECT_EQ(screen.cell(kWQ1, 0, 0), 0);
  EXPECT_FALSE(screen.shows("message"));
}

TEST(Grid, AFractionIsANumberAsInALesson) {
  Screen screen(refer());
  screen.click("matrix/W_Q/0/0");
  screen.type("1/4");
  EXPECT_EQ(screen.cell(kWQ1, 0, 0), 0.25f) << "seen while it is typed";
  screen.key(Key::kEnter);
  EXPECT_EQ(screen.cell(kWQ1, 0, 0), 0.25f);
  screen.type("50 %");
  screen.key(Key::kEnter);
  EXPECT_EQ(screen.cell(kWQ1, 1, 0), 0.5f);
  screen.type("1/0");
  screen.key(Key::kEnter);
  EXPECT_TRUE(screen.shows("message"));
}

TEST(Grid, InvalidAndTooLargeNumbersAreReported) {
  for (const char* text : {"nan", "inf", "1e38", "1e99", "--2", "2..5"}) {
    Screen screen(refer());
    screen.click("matrix/W_Q/0/0");
    screen.type(text);
    screen.key(Key::kEnter);
    EXPECT_EQ(screen.cell(kWQ1, 0, 0), 0) << text;
    EXPECT_TRUE(screen.shows("message")) << text;
    EXPECT_FALSE(screen.workspace.history().can_undo()) << text;
  }
}

TEST(Grid, KeysMoveAndDeleteMakesZero) {
  Screen screen(refer());
  screen.click("matrix/W_Q/0/0");
  screen.key(Key::kRight);
  screen.key(Key::kDelete);
  EXPECT_EQ(screen.cell(kWQ1, 0, 1), 0);
  screen.key(Key::kDown);
  screen.key(Key::kDown);
  screen.key(Key::kLeft);
  EXPECT_EQ(screen.view.state().edit.cursor, (Cell{2, 0}));
  for (int i = 0; i < 20; ++i) screen.key(Key::kDown);
  EXPECT_EQ(screen.view.state().edit.cursor.row, 7) << "stops at the edge";
}

TEST(Grid, AnEmbeddingIsSharedByEqualWords) {
  Screen screen(make_document("go and go", attention::Config{}, 1));
  screen.click("tab/X");
  screen.click("matrix/X/0/0");
  screen.type("4");
  screen.key(Key::kEnter);
  EXPECT_EQ(screen.cell({MatrixId::kX, 0}, 0, 0), 4);
  EXPECT_EQ(screen.cell({MatrixId::kX, 0}, 2, 0), 4);
}

TEST(Fill, ButtonsFillTheMatrixOfTheFocusedHead) {
  Screen screen(refer());
  screen.click("head/2");
  screen.click("fill/zero");
  EXPECT_TRUE(screen.document().problem.parameters.heads[1].W_Q->isZero());
  EXPECT_FALSE(screen.document().problem.parameters.heads[0].W_Q->isZero());
  screen.click("fill/identity");
  EXPECT_EQ(screen.cell(kWQ2, 3, 3), 1);
  screen.click("fill/xavier");
  EXPECT_LE(screen.document().problem.parameters.heads[1].W_Q->cwiseAbs().maxCoeff(),
            std::sqrt(6.0f / 12));
}

TEST(Model, MenusChangeTheSizes) {
  Screen screen(refer());
  screen.click("model/n_heads");
  screen.click("n_heads/2");
  EXPECT_EQ(screen.document().problem.config.n_heads, 2);
  EXPECT_FALSE(screen.shows("head/3"));
  screen.click("model/d_model");
  screen.click("d_model/16");
  EXPECT_EQ(screen.document().problem.embedding->cols(), 16);
}

TEST(Model, TheCausalMaskGetsACardOfItsOwn) {
  Screen screen(refer());
  EXPECT_FALSE(screen.shows("card/masked_scores"));
  screen.click("model/mask");
  screen.click("mask/causal");
  EXPECT_TRUE(screen.shows("card/masked_scores"));
  EXPECT_EQ((*screen.workspace.trace().heads[0].weights)(0, 1), 0);
}

TEST(Model, ScaleIsASwitchAndTemperatureASlider) {
  Screen screen(refer());
  screen.click("model/scale");
  EXPECT_FALSE(screen.document().problem.config.scale);
  screen.drag("model/temperature", {40, 0});
  EXPECT_GT(screen.document().problem.config.temperature, 1.0f);
  EXPECT_TRUE(screen.workspace.history().undo_label().starts_with("Temperature: 1 → "));
}

TEST(Variants, SwitchesAreCommandsThatCanBeUndone) {
  Screen screen(refer());
  screen.click("button/variants");
  screen.frames(2);
  screen.click("variant/residual");
  screen.click("variant/layer_norm");
  screen.click("variant/causal");
  const attention::Config& config = screen.document().problem.config;
  EXPECT_TRUE(config.residual && config.layer_norm && config.mask.causal);
  screen.click("variant/head_norm");
  EXPECT_TRUE(screen.document().problem.config.head_norm);
  EXPECT_TRUE(screen.shows("variant/biases")) << "the switches stay open";
  EXPECT_FALSE(screen.shows("card/residual")) << "new stages have no cards yet";
  screen.click("variant/biases");
  EXPECT_EQ(screen.workspace.history().undo_label(), "Biases off");
  screen.key(Key::kEscape);
  screen.frames(2);
  for (int i = 0; i < 5; ++i) screen.key(Key::kZ, true);
  EXPECT_EQ(screen.document().problem.config, refer().problem.config);
}

TEST(Variants, ListsOfferWhatIsPossible) {
  Screen screen(refer());
  screen.click("button/variants");
  screen.frames(2);
  screen.click("variant/positions");
  screen.frames(2);
  screen.click("variant/positions/rotary");
  screen.frames(2);
  EXPECT_EQ(screen.document().problem.config.positions, attention::Positions::kRotary);
  EXPECT_TRUE(screen.shows("variant/rotary_base"));
  screen.click("variant/n_kv_heads");
  screen.frames(2);
  EXPECT_FALSE(screen.shows("variant/n_kv_heads/2")) << "no divisor of 3 heads";
  screen.click("variant/n_kv_heads/1");
  EXPECT_EQ(screen.document().problem.config.n_kv_heads, 1);
}

TEST(Variants, DropoutIsDraggedAsOneStep) {
  Screen screen(refer());
  screen.click("button/variants");
  screen.frames(2);
  screen.drag("variant/dropout_rate", {30, 0});
  EXPECT_GT(screen.document().problem.config.dropout_rate, 0.0f);
  EXPECT_TRUE(screen.workspace.history().undo_label().starts_with("Dropout 0."));
  EXPECT_EQ(screen.workspace.message(), "");
}

TEST(EditSharedKeys, TheFocusedHeadEditsItsKeyAndValueHead) {
  Screen screen(refer());
  screen.workspace.queue(intent::Apply{SetSize{SizeId::kKvHeads, 1}});
  screen.frames(2);
  screen.click("head/3");
  screen.click("tab/W_K");
  screen.click("fill/zero");
  EXPECT_TRUE(screen.document().problem.parameters.kv_heads.at(0).W_K->isZero(0));
  EXPECT_EQ(screen.workspace.message(), "");
}

TEST(Files, AMissingFileIsReportedInTheDialog) {
  Screen screen(refer());
  screen.key(Key::kO, true);
  screen.frames(2);
  screen.type("/no/such/file.json");
  screen.click("dialog/ok");
  EXPECT_FALSE(screen.view.state().dialog.problem.empty());
  EXPECT_EQ(screen.view.state().dialog.open, Dialog::kOpen);
  screen.key(Key::kEscape);
  EXPECT_EQ(screen.view.state().dialog.open, Dialog::kNone);
}

TEST(Files, NewIsASmallSessionOfItsOwn) {
  Screen screen(refer());
  screen.key(Key::kN, true);
  screen.frames(3);
  const Document& fresh = screen.document();
  EXPECT_EQ(fresh.title, "New session");
  EXPECT_EQ(fresh.problem.config.n_heads, 2);
  EXPECT_EQ(fresh.tokens.size(), 4U);
  EXPECT_FALSE(screen.workspace.modified());
  EXPECT_EQ(screen.workspace.path(), "");
  screen.key(Key::kA, true);
  screen.type("Hi you");
  EXPECT_EQ(screen.document().sentence, "Hi you") << "the box has the keyboard";
}

TEST(Files, NewAsksAboutUnsavedChanges) {
  Screen screen(refer());
  screen.type("!");
  screen.click("menu/File");
  screen.frames(2);
  screen.click("file.new");
  screen.frames(2);
  ASSERT_EQ(screen.view.state().dialog.open, Dialog::kUnsaved);
  screen.click("dialog/cancel");
  EXPECT_NE(screen.document().title, "New session");
  screen.key(Key::kN, true);
  screen.frames(2);
  screen.click("dialog/discard");
  EXPECT_EQ(screen.document().title, "New session");
}

TEST(Files, UnsavedChangesAreAskedAboutOnce) {
  Screen screen(refer());
  screen.type("!");
  screen.click("menu/Example");
  screen.click("example/cat-sat");
  EXPECT_EQ(screen.view.state().dialog.open, Dialog::kUnsaved);
  screen.click("dialog/discard");
  EXPECT_EQ(screen.document().title, "Cat sat");
  EXPECT_EQ(screen.view.state().dialog.open, Dialog::kNone);
  screen.key(Key::kQ, true);
  EXPECT_TRUE(screen.view.state().quit);
}

TEST(OpenedCell, IsReplacedByWhatIsTypedUnlessAnArrowKeepsIt) {
  for (const bool keeps : {false, true}) {
    Screen screen(refer());
    screen.click("matrix/W_Q/5/0");
    ASSERT_EQ(screen.cell(kWQ1, 5, 0), 4.0f);
    screen.key(Key::kF2);
    if (keeps) screen.key(Key::kEnd);
    screen.type("5");
    screen.key(Key::kEnter);
    EXPECT_EQ(screen.cell(kWQ1, 5, 0), keeps ? 45.0f : 5.0f);
  }
}

TEST(OpenedCell, IsReplacedByTypingAfterItWasRefused) {
  Screen screen(refer());
  screen.click("matrix/W_Q/5/0");
  screen.type("nan");
  screen.key(Key::kEnter);
  EXPECT_FALSE(screen.view.state().error.empty());
  screen.type("2");
  screen.key(Key::kEnter);
  EXPECT_EQ(screen.cell(kWQ1, 5, 0), 2.0f);
}

TEST(SentenceBox, TakesAMuchLongerSentenceWhileItHasTheKeyboard) {
  for (int words = 20; words <= 120; words += 20) {
    Screen screen(*open_document("refer"));
    screen.frames(2);
    std::string longer;
    for (int i = 0; i < words; ++i) longer += "extraordinarily" + std::to_string(i) + " ";
    screen.workspace.queue(intent::Apply{SetSentence{longer}});
    screen.frames(3);
    ASSERT_TRUE(screen.view.state().sentence.active);
    EXPECT_EQ(screen.view.state().sentence.box, longer);
    screen.key(Key::kEnd);
    screen.type("x");
    screen.frames(2);
    EXPECT_EQ(screen.document().sentence, longer + "x");
  }
}

}  // namespace
}  // namespace lab
