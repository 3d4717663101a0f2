// The model goes on with the text, from the popup of the card of the next token.
#include <gmock/gmock.h>

#include "app/document/analysis/generation.h"
#include "app/tests/view/model_screen.h"

namespace lab {
namespace {

using attention::network::Continuation;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// The text that generate() makes of what is shown, letters without blanks between.
std::string expected_text(const ModelScreen& screen, int count) {
  const ModelDocument& model = screen.model();
  const GoOnState state;
  Continuation continuation;
  const auto added = generate(model, continuation,
                              {.tokens = count,
                               .sampling = {.temperature = static_cast<double>(state.temperature),
                                            .top_k = state.top_k,
                                            .top_p = static_cast<double>(state.top_p)},
                               .seed = state.seed});
  std::vector<std::uint32_t> ids = model.text.ids;
  for (const Prediction& token : *added) ids.push_back(token.id);
  return *model.source->tokenizer->decode(ids, true);
}

class GoOn : public ::testing::Test {
 protected:
  GoOn() : screen("induction", "abcdeabc") { screen.settle(); }

  void append() {
    screen.click("next/go_on");
    screen.frames(2);
    screen.click("next/go_on/append");
  }
  // Until the job is done.
  void finish() {
    while (screen.view.jobs().busy()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      screen.frames();
    }
    screen.settle();
  }
  std::size_t steps() const { return screen.workspace.history().entries().size(); }

  ModelScreen screen;
};

TEST_F(GoOn, AppendsWhatTheModelDrawsAsOneUndoStep) {
  const std::string expected = expected_text(screen, 20);
  const std::size_t before = steps();
  append();
  finish();
  EXPECT_EQ(screen.document().sentence, expected);
  EXPECT_EQ(screen.document().tokens.size(), 28u);
  EXPECT_EQ(steps(), before + 1);
  screen.workspace.queue(intent::Undo{});
  screen.settle();
  EXPECT_EQ(screen.document().sentence, "abcdeabc");
}

TEST_F(GoOn, CopiesUntilTheHeadsThatCopyAreMuted) {
  screen.view.state().go_on.temperature = 0;
  screen.view.state().go_on.count = 5;
  append();
  finish();
  EXPECT_EQ(screen.document().sentence, "abcdeabcdeabc");
  screen.workspace.queue(intent::Undo{});
  for (const int head : {0, 2, 3})
    screen.workspace.queue(intent::Apply{
        SetHeadMix{.head = head, .mute = true}, {}, attention::network::LayerId{{}, 1}});
  screen.settle();
  append();
  finish();
  EXPECT_THAT(screen.document().sentence, StartsWith("abcdeabc"));
  EXPECT_NE(screen.document().sentence, "abcdeabcdeabc");
}

TEST_F(GoOn, LeavesATextThatWasChangedMeanwhileAlone) {
  screen.view.jobs().set_sync_timeout(std::chrono::milliseconds(0), {});
  append();
  screen.workspace.queue(intent::Apply{SetSentence{"xyz"}});
  screen.workspace.drain();  // as at the end of a frame, before the next one finishes the job
  finish();
  EXPECT_EQ(screen.document().sentence, "xyz");
}

TEST(GoOnForLong, IsStoppedWithoutATrace) {
  ModelScreen screen("words", "Once upon a time");
  screen.settle();
  screen.view.jobs().set_sync_timeout(std::chrono::milliseconds(0), {});
  screen.view.state().go_on.count = 110;
  screen.click("next/go_on");
  screen.frames(2);
  screen.click("next/go_on/append");
  ASSERT_TRUE(screen.view.jobs().busy());
  screen.view.jobs().stop();
  while (screen.view.jobs().busy()) screen.frames();
  EXPECT_THAT(screen.view.state().notice, HasSubstr("Stopped"));
  EXPECT_EQ(screen.document().sentence, "Once upon a time");
}

TEST(Tiles, TellWhatAHeadDoesOnceThePointerIsOnIt) {
  ModelScreen screen("induction", "abcdeabc");
  screen.settle();
  EXPECT_FALSE(screen.numbers().labels.value) << "nobody asked";
  const Rect tile = screen.place("tile/1/3");
  screen.move({tile.x + tile.w / 2, tile.y + tile.h / 2});
  screen.frames(2);
  const Rect waiting = screen.place("tooltip");
  screen.settle();
  ASSERT_TRUE(screen.numbers().labels.value);
  EXPECT_EQ(screen.numbers().labels.progress, 1);
  EXPECT_TRUE(screen.shows("tooltip"));
  EXPECT_GT(waiting.h, 0);
}

}  // namespace
}  // namespace lab
