// Thousands of frames of input that no person would make: nothing asserts, the document stays
// valid, and undo returns to the start.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <random>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

// Runs in a temporary folder, because random clicks may save files.
class InTemporaryFolder {
 public:
  InTemporaryFolder() : before_(fs::current_path()) { fs::current_path(folder_.path()); }
  ~InTemporaryFolder() { fs::current_path(before_); }
  InTemporaryFolder(const InTemporaryFolder&) = delete;
  InTemporaryFolder& operator=(const InTemporaryFolder&) = delete;

 private:
  TemporaryFolder folder_;
  fs::path before_;
};

constexpr std::array kKeys{
    Key::kTab,         Key::kLeft,        Key::kRight,  Key::kUp,        Key::kDown,  Key::kPageUp,
    Key::kHome,        Key::kEnd,         Key::kDelete, Key::kBackspace, Key::kEnter, Key::kEscape,
    Key::kSpace,       Key::kA,           Key::kC,      Key::kD,         Key::kE,     Key::kH,
    Key::kK,           Key::kM,           Key::kP,      Key::kS,         Key::kV,     Key::kX,
    Key::kY,           Key::kZ,           Key::k1,      Key::k2,         Key::kF1,    Key::kF2,
    Key::kF5,          Key::kF6,          Key::kF6,     Key::kF10,       Key::kEqual, Key::kMinus,
    Key::kLeftBracket, Key::kRightBracket};

class RandomHand {
 public:
  RandomHand(Screen& screen, unsigned seed) : screen_(screen), random_(seed) {}

  // One input action, then one or more frames.
  void act() {
    if (screen_.workspace.behind() && below(5) == 0) catch_up();
    switch (below(8)) {
      case 0:
      case 1:
        return click();
      case 2:
        return drag();
      case 3:
      case 4:
        return screen_.key(kKeys.at(below(kKeys.size())), below(4) == 0, below(5) == 0);
      case 5:
        return screen_.type(text());
      case 6:
        compat::feed_scroll(ImGui::GetIO(), {0, below(2) == 0 ? 1.0f : -1.0f});
        return screen_.frames();
      default:
        return screen_.frames(static_cast<int>(below(20)));
    }
  }

 private:
  // Finishes background evaluations, so that a seed always does the same.
  void catch_up() {
    while (screen_.workspace.behind()) screen_.workspace.settle();
  }
  std::size_t below(std::size_t count) { return random_() % count; }
  std::string text() {
    static const std::array<std::string, 6> texts{"0.5", "-1e3", "nan", "a cat ", "7", "\"é"};
    return texts.at(below(texts.size()));
  }
  ImVec2 anywhere() {
    const auto& widgets = screen_.view.widgets().widgets();
    if (widgets.empty()) return {5, 5};
    const Rect rect = std::next(widgets.begin(), std::ptrdiff_t(below(widgets.size())))->second;
    return {rect.x + rect.w / 2, rect.y + rect.h / 2};
  }
  void click() {
    screen_.move(anywhere());
    screen_.press();
    screen_.release();
  }
  void drag() {
    screen_.move(anywhere());
    screen_.press();
    for (int i = 0; i < 3; ++i) screen_.move(anywhere());
    screen_.release();
  }

  Screen& screen_;
  std::mt19937 random_;
};

// From this seed on every evaluation runs in the background, and what is shown lags behind.
constexpr unsigned kFirstInBackground = 6;

class RandomInput : public testing::TestWithParam<unsigned> {};

TEST_P(RandomInput, LeavesAValidDocument) {
  constexpr int kFrames = 2000;
  const unsigned seed = GetParam();
  const InTemporaryFolder folder;
  Screen screen(*open_document(seed % 2 == 0 ? "refer" : "cat-sat"),
                seed % 3 == 0 ? ImVec2{1024, 640} : ImVec2{1600, 1000});
  const bool in_background = seed >= kFirstInBackground;
  if (in_background) screen.workspace.set_sync_timeout(std::chrono::milliseconds(0), {});
  RandomHand hand(screen, seed);
  for (const int end = ImGui::GetFrameCount() + kFrames; ImGui::GetFrameCount() < end;) {
    hand.act();
    ASSERT_NO_THROW(validate(screen.document().problem));
    ASSERT_EQ(screen.workspace.trace().output.shape().rows, screen.document().problem.seq_len());
  }
  screen.workspace.stop_background();
  while (screen.workspace.history().can_undo()) {
    screen.workspace.queue(intent::Undo{});
    screen.workspace.drain();
    ASSERT_NO_THROW(validate(screen.document().problem));
  }
  EXPECT_NO_FATAL_FAILURE(screen.frames(3));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomInput, testing::Range(1u, 9u));

}  // namespace
}  // namespace lab
