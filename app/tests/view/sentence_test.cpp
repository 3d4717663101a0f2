// Pasting and typing into the sentence box.
#include <gtest/gtest.h>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"
#include "app/view/toolkit/imgui_focus.h"

namespace lab {
namespace {

std::string pasted;

void use_test_clipboard() {
  compat::set_clipboard([](void*) { return pasted.c_str(); },
                        [](void*, const char* text) { pasted = text; }, nullptr);
}

void replace_by_paste(Screen& screen, const std::string& text) {
  pasted = text;
  screen.key(Key::kA, true);
  screen.key(Key::kV, true);
  screen.frames(2);
}

TEST(Paste, LineBreaksAndTabsAreSpaces) {
  Screen screen(*open_document("refer"));
  use_test_clipboard();
  replace_by_paste(screen,
                   "a\nb\tc\r\nd\xE2\x80\xA8"
                   "e");
  EXPECT_EQ(screen.document().sentence, "a b c d e");
}

TEST(Paste, AnEmojiIsKept) {
  Screen screen(*open_document("refer"));
  use_test_clipboard();
  replace_by_paste(screen, "a 🙂 b 𠜎");
  EXPECT_EQ(screen.document().sentence, "a 🙂 b 𠜎");
  EXPECT_EQ(screen.document().tokens.size(), 4U);
}

TEST(Paste, WhatIsCopiedIsTheTextItself) {
  Screen screen(make_document("a 🙂 b", attention::Config{}, 1));
  use_test_clipboard();
  screen.key(Key::kA, true);
  screen.key(Key::kC, true);
  EXPECT_EQ(pasted, "a 🙂 b");
}

TEST(Typing, ArabicIsWrittenAsItIsReadOnceTheBoxIsLeft) {
  Screen screen(make_document("القط جلس", attention::Config{}, 1));
  screen.frames(2);
  screen.click("sentence");
  EXPECT_FALSE(screen.shows("sentence/as_read"));
  screen.key(Key::kEscape);
  screen.frames(2);
  ASSERT_TRUE(screen.shows("sentence/as_read"));
  EXPECT_EQ(screen.document().sentence, "القط جلس");
}

TEST(Typing, AnEmojiIsKeptWhereItWasTyped) {
  Screen screen(make_document("start ", attention::Config{}, 1));
  for (const char32_t c : {U'a', U'🙂', U'b', U'𠜎'}) compat::feed_character(ImGui::GetIO(), c);
  screen.frames(3);
  EXPECT_EQ(screen.document().sentence, "start a🙂b𠜎");
  compat::feed_character(ImGui::GetIO(), U'🙂');
  screen.frames();
  screen.type("!");
  EXPECT_EQ(screen.document().sentence, "start a🙂b𠜎🙂!");
}

TEST(Typing, NothingIsLostBeforeTheBoxHasTheKeyboard) {
  Screen screen(make_document("start", attention::Config{}, 1));
  compat::leave_text_field();
  screen.frames(2);
  screen.view.state().requests.ask(request::GiveKeyboard{TextField::kSentence});
  screen.frames();
  for (const char32_t c : {U' ', U'1', U'🙂', U'é', U'2'}) {
    compat::feed_character(ImGui::GetIO(), c);
    screen.frames();
  }
  screen.frames(2);
  EXPECT_EQ(screen.document().sentence, "start 1🙂é2");
}

TEST(Typing, ADigitForTheBoxChoosesNoHead) {
  Screen screen(*open_document("refer"));
  compat::leave_text_field();
  screen.frames(2);
  screen.view.state().requests.ask(request::GiveKeyboard{TextField::kSentence});
  screen.frames();
  compat::feed_key(ImGui::GetIO(), offset_key(Key::k0, 2), true);
  screen.type("2");
  EXPECT_EQ(screen.view.state().head, 0);
  EXPECT_TRUE(screen.document().sentence.ends_with("2")) << screen.document().sentence;
}

TEST(Typing, WhatIsTypedWhileAQuestionOpensGoesToIt) {
  Screen screen(*open_document("refer"));
  const std::string sentence = screen.document().sentence;
  ASSERT_TRUE(screen.view.state().sentence.active);
  compat::feed_key(ImGui::GetIO(), Key::kLeftCtrl, true);
  compat::feed_key(ImGui::GetIO(), Key::kK, true);
  screen.frames();
  compat::feed_key(ImGui::GetIO(), Key::kK, false);
  compat::feed_key(ImGui::GetIO(), Key::kLeftCtrl, false);
  screen.type("1scale");
  EXPECT_EQ(screen.view.state().dialog.search, "1scale");
  EXPECT_EQ(screen.document().sentence, sentence);
}

TEST(Typing, AnEmojiReplacesTheSelection) {
  Screen screen(make_document("one two", attention::Config{}, 1));
  screen.key(Key::kA, true);
  compat::feed_character(ImGui::GetIO(), U'🙂');
  screen.frames(3);
  EXPECT_EQ(screen.document().sentence, "🙂");
}

void leave_box(Screen& screen) {
  screen.key(Key::kEscape);
  screen.frames(2);
}

TEST(Escape, LeavesTheBoxAndKeepsWhatWasTyped) {
  Screen screen(*open_document("refer"));
  const std::string start = screen.document().sentence;
  screen.key(Key::kA, true);
  screen.type("Hi you");
  leave_box(screen);
  EXPECT_FALSE(screen.view.state().sentence.active);
  EXPECT_EQ(screen.document().sentence, "Hi you");
  EXPECT_EQ(screen.view.state().sentence.text, "Hi you");
  screen.key(Key::kZ, true);
  screen.frames(2);
  EXPECT_EQ(screen.document().sentence, start) << "and undo takes it back whole";
  EXPECT_EQ(screen.view.state().sentence.text, start);
  EXPECT_FALSE(screen.workspace.modified());
  EXPECT_TRUE(screen.workspace.history().can_redo()) << "it can be brought back";
}

TEST(Escape, DrawsWhatWasTypedInThatVeryFrame) {
  Screen screen(*open_document("refer"));
  screen.type(std::string(200, 'i'));
  screen.frames(2);
  const auto vertices = [] { return ImGui::GetDrawData()->TotalVtxCount; };
  const int before = vertices();
  compat::feed_key(ImGui::GetIO(), Key::kEscape, true);
  screen.frames();
  EXPECT_NEAR(vertices(), before, 200) << "the text has not gone for a frame";
}

TEST(Escape, KeepsAnEmojiInTheBox) {
  Screen screen(make_document("one", attention::Config{}, 1));
  compat::feed_character(ImGui::GetIO(), U'🙂');
  screen.frames(3);
  leave_box(screen);
  EXPECT_EQ(screen.view.state().sentence.text, "one🙂");
  screen.type("x");
  EXPECT_EQ(screen.document().sentence, "one🙂") << "the box was left";
}

TEST(Escape, LeavesAnEarlierUndoAlone) {
  Screen screen(*open_document("refer"));
  screen.type(" and");
  screen.key(Key::kZ, true);
  const std::string now = screen.document().sentence;
  leave_box(screen);
  EXPECT_EQ(screen.document().sentence, now);
  EXPECT_EQ(screen.view.state().sentence.text, now);
}

// Visits to the box of the sentence "one".
class Visits : public ::testing::Test {
 protected:
  void undo() {
    screen.key(Key::kZ, true);
    screen.frames(2);
  }
  const std::string& sentence() const { return screen.document().sentence; }

  Screen screen{make_document("one", attention::Config{}, 1)};
};

TEST_F(Visits, AreOneUndoStepEach) {
  screen.type(" two three");
  leave_box(screen);
  screen.click("sentence");
  screen.key(Key::kEnd);
  screen.type(" four five");
  EXPECT_EQ(sentence(), "one two three four five");
  undo();
  EXPECT_EQ(sentence(), "one two three");
  undo();
  EXPECT_EQ(sentence(), "one");
  EXPECT_FALSE(screen.workspace.history().can_undo());
}

TEST_F(Visits, AreUndoneWholeHoweverLongTheyAre) {
  for (int i = 0; i < 300; ++i) screen.type(" a");
  undo();
  EXPECT_EQ(sentence(), "one");
}

TEST_F(Visits, BeginAStepWhereAllIsReplaced) {
  for (const char* text : {"birds fly", "fish swim"}) {
    screen.key(Key::kA, true);
    screen.type(text);
  }
  EXPECT_EQ(sentence(), "fish swim");
  undo();
  EXPECT_EQ(sentence(), "birds fly");
  undo();
  EXPECT_EQ(sentence(), "one");
}

TEST_F(Visits, AreOneStepWhenTheTextIsDeletedFirst) {
  screen.type(" two");
  screen.key(Key::kA, true);
  screen.key(Key::kDelete);
  screen.type("fish");
  undo();
  EXPECT_EQ(sentence(), "one two");
}

TEST_F(Visits, BeginAStepAfterAPause) {
  screen.type(" two three");
  screen.frames(5 * 60);
  screen.type(" four five");
  undo();
  EXPECT_EQ(sentence(), "one two three");
}

TEST_F(Visits, CanBeUndoneToWhatWasSavedMeanwhile) {
  TemporaryFolder folder;
  screen.workspace.queue(intent::MarkSaved{folder / "session.json"});
  screen.type(" two");
  screen.key(Key::kS, true);
  screen.frames(3);
  ASSERT_FALSE(screen.workspace.modified());
  screen.type(" three");
  undo();
  EXPECT_EQ(sentence(), "one two");
  EXPECT_FALSE(screen.workspace.modified());
  undo();
  EXPECT_EQ(sentence(), "one");
}

// The frame after Enter, in which ImGui still says that the box wants text.
TEST_F(Visits, NoKeyIsLostRightAfterEnter) {
  screen.workspace.queue(intent::Apply{SetSize{SizeId::kHeads, 2}});
  screen.frames(2);
  screen.type(" two");
  compat::feed_key(ImGui::GetIO(), Key::kEnter, true);
  screen.frames();
  compat::feed_character(ImGui::GetIO(), '2');
  compat::feed_key(ImGui::GetIO(), offset_key(Key::k0, 2), true);
  screen.frames();
  EXPECT_EQ(screen.view.state().head, 1);
  EXPECT_EQ(sentence(), "one two");
}

// A sentence that was edited and then emptied, which is refused.
class Refused : public ::testing::Test {
 protected:
  Refused() {
    screen.type("!");
    screen.key(Key::kA, true);
    screen.key(Key::kDelete);
    screen.frames(2);
  }
  std::string box() { return screen.view.state().sentence.text; }
  const std::string edited = "The animal didn't cross the street because it was too tired!";
  Screen screen{*open_document("refer")};
};

TEST_F(Refused, IsTheFirstThingThatUndoReverts) {
  ASSERT_EQ(box(), "");
  ASSERT_TRUE(screen.shows("message"));
  screen.key(Key::kZ, true);
  screen.frames(2);
  EXPECT_EQ(box(), edited);
  EXPECT_EQ(screen.document().sentence, edited);
  EXPECT_FALSE(screen.shows("message"));
  screen.key(Key::kZ, true);
  screen.frames(2);
  EXPECT_EQ(box() + "!", edited) << "then what was typed before it";
}

TEST_F(Refused, IsRevertedByTheButtonToo) {
  screen.click("button/undo");
  EXPECT_EQ(box(), edited);
  EXPECT_EQ(screen.document().sentence, edited);
}

TEST(RefusedAtOnce, CanBeUndoneWithoutAnyStep) {
  Screen screen(*open_document("refer"));
  screen.key(Key::kA, true);
  screen.key(Key::kDelete);
  screen.click("button/undo");
  EXPECT_EQ(screen.view.state().sentence.text, screen.document().sentence);
}

TEST_F(Refused, GivesWayToTheSentenceInUseWhenTheBoxIsLeft) {
  leave_box(screen);
  EXPECT_EQ(box(), edited);
  EXPECT_EQ(screen.view.state().sentence.box, edited);
  EXPECT_FALSE(screen.view.state().sentence.active);
  EXPECT_FALSE(screen.shows("message"));
  screen.key(Key::kZ, true);
  screen.frames(2);
  EXPECT_EQ(box() + "!", edited);
}

TEST_F(Refused, GivesWayToTheSentenceInUseAfterAClickElsewhere) {
  screen.click("chip/2");
  EXPECT_EQ(box(), edited);
  EXPECT_FALSE(screen.shows("message")) << "it was about what is gone";
}

TEST(LongWord, IsShownByItsBeginning) {
  const std::string word(20'000, 'o');
  Screen screen(make_document(word + " and " + word, attention::Config{}, 1));
  screen.frames(3);  // a frame that looks at every letter would take minutes
  EXPECT_EQ(screen.document().tokens.front().text, word);
  screen.click("chip/0");
  screen.frames(3);
  const std::string seen = beginning_of("Ω" + word);
  EXPECT_LT(seen.size(), 300U);
  EXPECT_TRUE(seen.starts_with("Ωooo") && seen.ends_with("o…")) << seen;
  EXPECT_EQ(beginning_of("short"), "short");
}

TEST(LongWord, IsShortenedToWhatFits) {
  FakeSink sink;
  LabelCache labels(sink);
  const TextRequest request{"internationalisation 日本語", false, TextFace::kSans, 14, 0};
  const double whole = text_width(request);
  EXPECT_EQ(labels.fitting(request, whole + 1), request.text);
  for (const double width : {whole - 1, whole / 2, whole / 5}) {
    TextRequest cut = request;
    cut.text = labels.fitting(request, width);
    EXPECT_TRUE(cut.text.ends_with("…"));
    EXPECT_LE(text_width(cut), width);
    EXPECT_GT(text_width(cut), width - 20) << "as much as fits";
  }
}

TEST(Typing, AfterUndoAndRedoItIsAStepOfItsOwn) {
  Screen screen(*open_document("refer"));
  const std::string first = screen.document().sentence;
  screen.key(Key::kA, true);
  screen.type("one two three");
  screen.key(Key::kZ, true);
  screen.frames(2);
  EXPECT_EQ(screen.document().sentence, first);
  screen.key(Key::kZ, true, true);
  screen.frames(2);
  screen.key(Key::kA, true);
  screen.type("four five");
  EXPECT_EQ(screen.document().sentence, "four five");
  screen.key(Key::kZ, true);
  screen.frames(2);
  EXPECT_EQ(screen.document().sentence, "one two three");
}

TEST(Typing, ReplacesThePlaceholderOfANewSession) {
  for (const bool was_typing : {false, true}) {
    Screen screen(*open_document("refer"));
    if (was_typing) screen.click("sentence");
    screen.key(Key::kN, true);
    screen.frames(4);
    ASSERT_EQ(screen.document().title, "New session");
    screen.type("hello world");
    EXPECT_EQ(screen.document().sentence, "hello world") << was_typing;
  }
}

}  // namespace
}  // namespace lab
