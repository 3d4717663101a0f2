// The switch Chat: a conversation in place of the sentence of a trained model.

#include <gmock/gmock.h>

#include "app/document/analysis/generation.h"
#include "app/tests/chat_model.h"
#include "app/tests/view/model_screen.h"

namespace lab {
namespace {

using attention::network::NetworkEvaluator;
using chat::Turn;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string& folder_of_chat_model() {
  static const ChatModelFolder kFolder;
  static const std::string kPath = kFolder.path();
  return kPath;
}

struct ChatScreen : ModelScreen {
  explicit ChatScreen(const std::string& folder = folder_of_chat_model(),
                      ImVec2 size = {1600, 1000})
      : ModelScreen(folder, "a small dog", size) {
    settle();
  }

  const std::vector<Turn>& turns() const { return model().text.chat.turns; }
  const std::string& refusal() { return view.state().chat.refusal; }
  std::size_t steps() const { return workspace.history().entries().size(); }
  void press_switch() {
    click("button/chat");
    settle();
  }
  void choose_role(std::size_t turn, const std::string& role) {
    const std::string name = "chat/turn/" + std::to_string(turn);
    click(name + "/role");
    frames(2);
    click(name + "/" + role);
    settle();
  }
  void undo() {
    workspace.queue(intent::Undo{});
    settle();
  }
  void finish_job() {
    while (view.jobs().busy()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      frames();
    }
    settle();
  }
};

TEST(ChatSwitch, PutsTheSentenceIntoTheTemplateAndTakesItOut) {
  ChatScreen screen;
  const Rect before = screen.place("button/chat");
  screen.press_switch();
  EXPECT_EQ(screen.document().sentence, "user: a small dog<|endoftext|>assistant:");
  EXPECT_THAT(screen.turns(), ElementsAre(Turn{"user", "a small dog"}));
  EXPECT_TRUE(screen.shows("chat/turn/0/text"));
  EXPECT_FALSE(screen.shows("chat/turn/0/remove")) << "the only turn";
  EXPECT_EQ(screen.place("button/chat").x, before.x) << "it stays where it is";
  EXPECT_EQ(screen.place("button/chat").y, before.y);
  screen.press_switch();
  EXPECT_EQ(screen.document().sentence, "a small dog");
  EXPECT_FALSE(screen.shows("chat/turn/0/text"));
  screen.undo();
  EXPECT_TRUE(screen.shows("chat/turn/0/text"));
}

TEST(ChatSwitch, IsOnlyThereWithATemplate) {
  ModelScreen screen("words", "a small dog");
  screen.settle();
  EXPECT_FALSE(screen.shows("button/chat"));
}

TEST(ChatTurns, AreTypedInLinesAsOneUndoStep) {
  ChatScreen screen;
  screen.press_switch();
  const std::size_t before = screen.steps();
  screen.click("chat/turn/0/text");
  screen.frames(2);
  screen.key(Key::kEnd, true);
  screen.type(" and");
  screen.key(Key::kEnter);
  screen.type("a cat");
  screen.settle();
  EXPECT_THAT(screen.turns(), ElementsAre(Turn{"user", "a small dog and\na cat"}));
  EXPECT_THAT(screen.document().sentence, HasSubstr("a small dog and\na cat<|endoftext|>"));
  EXPECT_EQ(screen.steps(), before + 1);
  screen.undo();
  EXPECT_THAT(screen.turns(), ElementsAre(Turn{"user", "a small dog"}));
  screen.type("!");
  screen.settle();
  EXPECT_THAT(screen.turns(), ElementsAre(Turn{"user", "a small dog!"}))
      << "the box that is typed in follows the undo";
}

TEST(ChatTurns, AreAddedRemovedAndGivenOtherRoles) {
  ChatScreen screen;
  screen.press_switch();
  screen.click("chat/add");
  screen.settle();
  screen.type("the cat");
  screen.settle();
  EXPECT_THAT(screen.turns(),
              ElementsAre(Turn{"user", "a small dog"}, Turn{"assistant", "the cat"}));
  screen.click("chat/add_system");
  screen.settle();
  screen.type("be kind");
  screen.settle();
  EXPECT_EQ(screen.turns().front(), (Turn{"system", "be kind"}));
  EXPECT_FALSE(screen.shows("chat/add_system")) << "one is enough";
  screen.choose_role(2, "user");
  EXPECT_EQ(screen.turns().back(), (Turn{"user", "the cat"}));
  screen.click("chat/turn/1/remove");
  screen.settle();
  EXPECT_THAT(screen.turns(), ElementsAre(Turn{"system", "be kind"}, Turn{"user", "the cat"}));
  EXPECT_EQ(screen.document().sentence,
            "system: be kind<|endoftext|>user: the cat<|endoftext|>assistant:");
}

TEST(ChatTurns, WhatTheTemplateRefusesStaysInTheBoxesAndIsSaid) {
  const ChatModelFolder folder;
  folder.write_template(
      "{% for m in messages %}{% if m.content == 'bad' %}{{ raise_exception('not that word') }}"
      "{% endif %}{{ m.content }}{% endfor %}");
  ChatScreen screen(folder.path());
  screen.press_switch();
  screen.click("chat/add");
  screen.settle();
  const std::string read = screen.document().sentence;
  screen.type("ba");
  screen.type("d");
  screen.frames(3);
  EXPECT_THAT(screen.refusal(), HasSubstr("not that word"));
  EXPECT_TRUE(screen.shows("chat/refusal"));
  EXPECT_EQ(screen.turns().back().content, "ba") << "as far as it was taken";
  EXPECT_EQ(screen.view.state().chat.turns.back().content, "bad");
  EXPECT_EQ(screen.document().sentence, read + "ba");
  screen.type("ly");
  screen.settle();
  EXPECT_THAT(screen.refusal(), IsEmpty());
  EXPECT_EQ(screen.turns().back().content, "badly");
}

TEST(ChatTurns, ATemplateThatCannotBeReadIsSaidUnderTheSentence) {
  const ChatModelFolder folder;
  folder.write_template("{% include 'x' %}");
  ChatScreen screen(folder.path());
  const float below = screen.place("chip/0").y;
  screen.press_switch();
  EXPECT_THAT(screen.refusal(), HasSubstr("include"));
  EXPECT_GT(screen.place("chat/refusal").y, screen.place("sentence").y);
  EXPECT_GT(screen.place("chip/0").y, below) << "there is a line for it";
  EXPECT_EQ(screen.document().sentence, "a small dog");
  screen.click("sentence");
  screen.type("!");
  screen.settle();
  EXPECT_FALSE(screen.shows("chat/refusal")) << "another sentence";
}

TEST(ChatTurns, FitIntoASmallWindow) {
  ChatScreen screen(folder_of_chat_model(), {1024, 640});
  screen.press_switch();
  for (int i = 0; i < 6; ++i) {
    screen.click("chat/add");
    screen.frames(3);
  }
  screen.settle();
  EXPECT_EQ(screen.turns().size(), 7U);
  EXPECT_TRUE(screen.shows("chat/turn/6/text")) << "the new one is in view";
  const std::string last = std::to_string(screen.document().tokens.size() - 1);
  EXPECT_LT(screen.place("chip/" + last).bottom(), 360);
  EXPECT_TRUE(screen.shows("chat/add"));
}

TEST(ChatGoesOn, AsATurnOfTheAssistantInOneStep) {
  ChatScreen screen;
  screen.press_switch();
  const ModelDocument& model = screen.model();
  attention::network::Continuation continuation;
  const auto drawn = generate(model, continuation, {.tokens = 4}).value();
  std::vector<std::uint32_t> added;
  for (const Prediction& token : drawn) added.push_back(token.id);
  const std::vector<Turn> expected =
      with_answer(*model.source, model.text, model.text, added).value();
  ASSERT_EQ(expected.size(), 2U);
  const std::size_t before = screen.steps();
  screen.view.state().go_on.temperature = 0;
  screen.view.state().go_on.count = 4;
  screen.click("chat/answer");
  screen.frames(3);
  screen.click("next/go_on/append");
  screen.finish_job();
  EXPECT_EQ(screen.turns(), expected);
  EXPECT_EQ(screen.steps(), before + 1);
  EXPECT_TRUE(screen.document().sentence.ends_with("<|endoftext|>"));
  // It goes on with what it began, not after the end of its turn.
  const std::string said = screen.turns().back().content;
  screen.click("chat/answer");
  screen.frames(3);
  screen.click("next/go_on/append");
  screen.finish_job();
  EXPECT_EQ(screen.turns().size(), 2U);
  EXPECT_TRUE(screen.turns().back().content.starts_with(said));
  EXPECT_GT(screen.turns().back().content.size(), said.size());
  screen.undo();
  screen.undo();
  EXPECT_THAT(screen.turns(), ElementsAre(Turn{"user", "a small dog"}));
}

TEST(ChatGoesOn, TheExpectedTokenBeginsTheAnswer) {
  ChatScreen screen;
  screen.press_switch();
  ASSERT_TRUE(screen.shows("chip/next"));
  screen.click("chip/next");
  screen.settle();
  ASSERT_EQ(screen.turns().size(), 2U);
  EXPECT_EQ(screen.turns().back().role, "assistant");
  EXPECT_FALSE(screen.shows("chip/next")) << "what follows the end of a turn is no answer";
}

}  // namespace
}  // namespace lab
