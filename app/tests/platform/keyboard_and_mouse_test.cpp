// A real window with a real keyboard and mouse, as far as the X server can tell.

#include <GLFW/glfw3.h>
#include <gmock/gmock.h>

#include <cstdio>

#include "app/tests/platform/support.h"
#include "app/tests/rooms.h"
#include "app/view/toolkit/imgui_compat.h"

namespace lab {
namespace {

constexpr char kTitle[] = "Attention Lab keyboard and mouse";

/// Runs xdotool and returns what it printed. Nothing is polled meanwhile, so that all events come
/// at once. Taps are 2 ms apart: GLFW takes two presses of a key in one millisecond for one.
std::string xdotool(const std::string& arguments) {
  std::string output;
  FILE* pipe = popen(("xdotool " + arguments).c_str(), "r");
  char buffer[256];
  while (pipe && std::fgets(buffer, sizeof buffer, pipe)) output += buffer;
  if (!pipe || pclose(pipe) != 0) ADD_FAILURE() << "xdotool " << arguments;
  while (!output.empty() && output.back() == '\n') output.pop_back();
  return output;
}

class KeyboardAndMouseOnScreen : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v xdotool >/dev/null") != 0) GTEST_SKIP() << "no xdotool";
    auto opened = Window::open({.width = 600, .height = 400, .title = kTitle});
    ASSERT_TRUE(opened) << opened.error().message;
    window = std::move(*opened);
    for (int i = 0; i < 3; ++i) frame();
    name = xdotool(std::string("search --sync --onlyvisible --name '") + kTitle + "'");
  }

  /// One frame with a text box at the top and nothing below it.
  void frame() {
    window->poll_events();
    window->begin_frame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({600, 400});
    ImGui::Begin("All", nullptr, ImGuiWindowFlags_NoDecoration);
    ImGui::SetCursorPos({10, 10});
    ImGui::SetNextItemWidth(500);
    ImGui::InputText("##text", text, sizeof text);
    observe();
    ImGui::End();
    window->end_frame({255, 255, 255});
  }

  /// Frames until all input was taken in: a last key tells that everything before it has come.
  void settle() {
    xdotool("key F12");
    const int before = marks;
    for (int i = 0; i < 5000 && marks == before; ++i) frame();
    EXPECT_EQ(marks, before + 1) << "the last key did not arrive";
    while (window->pending()) frame();
  }

  std::string move_to(int x, int y) const {
    return "mousemove --window " + name + " " + std::to_string(x) + " " + std::to_string(y) + " ";
  }

  void click_into_text() {
    xdotool(move_to(100, 20) + "click 1");
    settle();
  }

  std::unique_ptr<Window> window;
  std::string name;
  char text[1024] = "";
  std::vector<ImVec2> presses, releases;
  int undos = 0, f5s = 0, marks = 0;
  float wheel = 0;

 private:
  void observe() {
    const ImGuiIO& io = ImGui::GetIO();
    if (ImGui::IsMouseClicked(0)) presses.push_back(io.MousePos);
    if (ImGui::IsMouseReleased(0)) releases.push_back(io.MousePos);
    undos += io.KeyCtrl && compat::key_pressed(Key::kZ, false);
    f5s += compat::key_pressed(Key::kF5, false);
    marks += compat::key_pressed(Key::kF12, false);
    wheel += io.MouseWheel;
  }
};

TEST_F(KeyboardAndMouseOnScreen, EveryTapOfAFastTypistArrives) {
  click_into_text();
  std::string words;
  for (int i = 0; i < 200; ++i) words += "aab cc dd"[i % 9];
  xdotool("type --delay 2 '" + words + "'");
  settle();
  EXPECT_EQ(std::string(text), words);
}

TEST_F(KeyboardAndMouseOnScreen, CommandsAndCharactersKeepTheirOrder) {
  click_into_text();
  xdotool("key --delay 2 a b c BackSpace d Left e Home f End g Home Delete");
  settle();
  // abc → ab → abd → abed → fabed → fabedg → abedg
  EXPECT_EQ(std::string(text), "abedg");
}

TEST_F(KeyboardAndMouseOnScreen, ShortcutsAreCountedOneByOne) {
  xdotool("key --delay 2 ctrl+z ctrl+z ctrl+z z F5 F5");
  settle();
  EXPECT_EQ(undos, 3);
  EXPECT_EQ(f5s, 2);
}

TEST_F(KeyboardAndMouseOnScreen, CopyAndPasteGoThroughTheClipboard) {
  click_into_text();
  xdotool("type --delay 2 'query key '");
  xdotool("key --delay 2 ctrl+a ctrl+c End ctrl+v");
  settle();
  EXPECT_EQ(std::string(text), "query key query key ");
  EXPECT_STREQ(ImGui::GetClipboardText(), "query key ");
}

TEST_F(KeyboardAndMouseOnScreen, AFastDragStartsAndEndsWhereItDid) {
  xdotool(move_to(100, 200) + "mousedown 1 " + move_to(150, 220) + move_to(300, 250) +
          "mouseup 1 " + move_to(400, 300));
  settle();
  ASSERT_EQ(presses.size(), 1u);
  ASSERT_EQ(releases.size(), 1u);
  EXPECT_EQ(presses[0].x, 100);
  EXPECT_EQ(presses[0].y, 200);
  EXPECT_EQ(releases[0].x, 300);
  EXPECT_EQ(releases[0].y, 250);
  EXPECT_EQ(ImGui::GetIO().MousePos.x, 400);
}

TEST_F(KeyboardAndMouseOnScreen, ManyClicksAtOnceAreManyClicks) {
  std::string clicks;
  for (int i = 0; i < 20; ++i) clicks += move_to(50 + 10 * i, 300) + "click 1 ";
  xdotool(clicks);
  settle();
  ASSERT_EQ(presses.size(), 20u);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(presses[i].x, static_cast<float>(50 + 10 * i));
}

TEST_F(KeyboardAndMouseOnScreen, TheWheelTurns) {
  xdotool(move_to(100, 200) + "click 4 click 4 click 4 click 5");
  settle();
  EXPECT_EQ(wheel, 2);
}

TEST_F(KeyboardAndMouseOnScreen, SleepsUntilSomethingHappens) {
  settle();
  ASSERT_EQ(std::system("(sleep 0.2; xdotool key F5) &"), 0);
  int rounds = 0;
  while (f5s == 0 && rounds < 100) {
    window->wait_events();  // hangs, and is stopped, when nothing wakes it
    frame();
    ++rounds;
  }
  EXPECT_EQ(f5s, 1);
  EXPECT_LT(rounds, 20) << "wait_events does not sleep";
}

TEST_F(KeyboardAndMouseOnScreen, ANewSizeWakesIt) {
  settle();
  xdotool("windowsize " + name + " 500 300");
  for (int i = 0; i < 20 && window->width() != 500; ++i) {
    window->wait_events();
    frame();
  }
  EXPECT_EQ(window->width(), 500);
  EXPECT_EQ(window->height(), 300);
}

TEST_F(KeyboardAndMouseOnScreen, ComingIntoViewWakesIt) {
  settle();
  xdotool("windowunmap --sync " + name);
  for (int i = 0; i < 3; ++i) frame();
  ASSERT_EQ(std::system(("(sleep 0.2; xdotool windowmap " + name + ") &").c_str()), 0);
  window->wait_events();  // hangs, and is stopped, when nothing wakes it
}

TEST_F(KeyboardAndMouseOnScreen, ClosingIsAWish) {
  EXPECT_FALSE(window->should_close());
  glfwSetWindowShouldClose(glfwGetCurrentContext(), GLFW_TRUE);  // as the cross in its frame does
  EXPECT_TRUE(window->should_close());
  window->keep_open();
  EXPECT_FALSE(window->should_close());
}

}  // namespace
}  // namespace lab
