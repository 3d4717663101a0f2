#include "app/platform/input_queue.h"
#include "app/tests/rooms.h"

#include <gmock/gmock.h>

#include <random>
#include <string>

namespace lab {
namespace {

using namespace input;
using testing::ElementsAre;
using testing::IsEmpty;

/// An event in a few letters, so that failures read well: "move 3,4", "+b0", "-k20", "'a'".
struct Name {
  std::string operator()(const PointerMoved& e) const {
    return "move " + std::to_string(int(e.x)) + "," + std::to_string(int(e.y));
  }
  std::string operator()(const PointerLeft&) const { return "left"; }
  std::string operator()(const ButtonChanged& e) const {
    return (e.down ? "+b" : "-b") + std::to_string(e.button);
  }
  std::string operator()(const Scrolled& e) const { return "scroll " + std::to_string(int(e.y)); }
  std::string operator()(const KeyChanged& e) const {
    return (e.down ? "+k" : "-k") + std::to_string(static_cast<int>(e.key));
  }
  std::string operator()(const Typed& e) const {
    return std::string("'") + static_cast<char>(e.character) + "'";
  }
  std::string operator()(const FocusChanged& e) const { return e.focused ? "focus" : "blur"; }
};

std::string key(const char* sign, Key key) {
  return std::string(sign) + "k" + std::to_string(static_cast<int>(key));
}

std::vector<std::string> names(const std::vector<InputEvent>& events) {
  std::vector<std::string> result;
  result.reserve(events.size());
  for (const InputEvent& event : events) result.push_back(std::visit(Name{}, event));
  return result;
}

/// What each frame takes until nothing waits.
std::vector<std::vector<std::string>> frames(const std::vector<InputEvent>& events) {
  InputQueue queue;
  for (const InputEvent& event : events) queue.push(event);
  std::vector<std::vector<std::string>> result;
  while (queue.pending()) {
    result.push_back(names(queue.take_frame()));
    if (result.back().empty()) {
      ADD_FAILURE() << "a frame took nothing although input waits";
      break;
    }
  }
  return result;
}

InputEvent press(Key key) { return KeyChanged{key, true}; }
InputEvent release(Key key) { return KeyChanged{key, false}; }

TEST(InputQueue, HasNothingAtFirst) {
  InputQueue queue;
  EXPECT_FALSE(queue.pending());
  EXPECT_THAT(queue.take_frame(), IsEmpty());
}

TEST(InputQueue, TwoTapsOfAKeyAreTwoFrames) {
  EXPECT_THAT(frames({press(Key::kTab), release(Key::kTab), press(Key::kTab), release(Key::kTab)}),
              ElementsAre(ElementsAre(key("+", Key::kTab)), ElementsAre(key("-", Key::kTab)),
                          ElementsAre(key("+", Key::kTab)), ElementsAre(key("-", Key::kTab))));
}

TEST(InputQueue, AKeyAndItsCharacterShareAFrame) {
  EXPECT_THAT(frames({press(Key::kA), Typed{'a'}}),
              ElementsAre(ElementsAre(key("+", Key::kA), "'a'")));
}

TEST(InputQueue, AShortcutIsHeldWithItsModifier) {
  EXPECT_THAT(
      frames({press(Key::kLeftCtrl), press(Key::kZ), release(Key::kZ), release(Key::kLeftCtrl)}),
      ElementsAre(ElementsAre(key("+", Key::kLeftCtrl), key("+", Key::kZ)),
                  ElementsAre(key("-", Key::kZ), key("-", Key::kLeftCtrl))));
}

TEST(InputQueue, AModifierPressedAfterAKeyDoesNotChangeThatKey) {
  EXPECT_EQ(frames({press(Key::kZ), press(Key::kLeftCtrl)}).size(), 2u);
}

TEST(InputQueue, TwoKeysRolledOverAreTwoFrames) {
  // ImGui's text boxes look at one of Left and Home in a frame.
  EXPECT_EQ(frames({press(Key::kLeft), press(Key::kHome)}).size(), 2u);
}

TEST(InputQueue, ACharacterWaitsForTheCommandBeforeIt) {
  // In one frame ImGui would write the character first and then take it away.
  EXPECT_EQ(frames({press(Key::kBackspace), Typed{'c'}}).size(), 2u);
  EXPECT_EQ(frames({Typed{'c'}, press(Key::kBackspace)}).size(), 1u);
}

TEST(InputQueue, MovesInARowAreOne) {
  EXPECT_THAT(frames({PointerMoved{1, 1}, PointerMoved{2, 2}, PointerMoved{3, 4}}),
              ElementsAre(ElementsAre("move 3,4")));
}

TEST(InputQueue, AMoveAfterAPressWaits) {
  EXPECT_THAT(frames({PointerMoved{10, 10}, ButtonChanged{0, true}, PointerMoved{50, 50},
                      PointerMoved{90, 90}, ButtonChanged{0, false}}),
              ElementsAre(ElementsAre("move 10,10", "+b0"), ElementsAre("move 90,90", "-b0")));
}

TEST(InputQueue, AClickWithinOnePollIsTwoFrames) {
  EXPECT_THAT(frames({ButtonChanged{0, true}, ButtonChanged{0, false}}),
              ElementsAre(ElementsAre("+b0"), ElementsAre("-b0")));
}

TEST(InputQueue, TypingWaitsForTheClickBeforeIt) {
  EXPECT_EQ(frames({ButtonChanged{0, true}, Typed{'x'}}).size(), 2u);
  EXPECT_EQ(frames({ButtonChanged{0, true}, press(Key::kEnter)}).size(), 2u);
  EXPECT_EQ(frames({press(Key::kEnter), ButtonChanged{0, true}}).size(), 2u);
}

TEST(InputQueue, TheWheelTurnsWhereThePointerWas) {
  EXPECT_THAT(
      frames({PointerMoved{1, 1}, Scrolled{0, 1}, Scrolled{0, 2}, PointerMoved{5, 5}}),
      ElementsAre(ElementsAre("move 1,1", "scroll 1", "scroll 2"), ElementsAre("move 5,5")));
}

TEST(InputQueue, ADragMayLeaveTheWindow) {
  EXPECT_THAT(frames({ButtonChanged{0, true}, PointerLeft{}, PointerMoved{-20, 5}}),
              ElementsAre(ElementsAre("+b0"), ElementsAre("move -20,5")));
  EXPECT_THAT(frames({ButtonChanged{0, true}, ButtonChanged{0, false}, PointerLeft{}}),
              ElementsAre(ElementsAre("+b0"), ElementsAre("-b0"), ElementsAre("left")));
}

InputEvent random_event(std::mt19937& random) {
  const auto pick = [&random](int count) { return static_cast<int>(random() % count); };
  switch (pick(6)) {
    case 0:
      return ButtonChanged{pick(3), pick(2) == 0};
    case 1:
      return Scrolled{0, 1};
    case 2:
      return Typed{U'a' + static_cast<char32_t>(pick(26))};
    case 3:
      return FocusChanged{pick(2) == 0};
    case 4:
      return PointerMoved{static_cast<float>(pick(100)), 0};
    default:
      return KeyChanged{offset_key(Key::kTab, pick(60)), pick(2) == 0};
  }
}

TEST(InputQueue, LosesAndReordersNothing) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<InputEvent> events;
    for (int i = 0; i < 40; ++i) {
      events.push_back(random_event(random));
      // Two moves in a row are one, so the second stands for both.
      const std::size_t n = events.size();
      if (n > 1 && std::holds_alternative<PointerMoved>(events[n - 1]) &&
          std::holds_alternative<PointerMoved>(events[n - 2]))
        events.erase(events.end() - 2);
    }
    std::vector<std::string> flat;
    for (const auto& frame : frames(events)) flat.insert(flat.end(), frame.begin(), frame.end());
    ASSERT_EQ(flat, names(events));
  }
}

}  // namespace
}  // namespace lab
