#include "app/platform/window.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "app/tests/platform/support.h"
#include "app/tests/rooms.h"
#include "app/view/toolkit/imgui_compat.h"

namespace lab {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Window, WithoutADisplayOneLineSaysSo) {
  const Environment x11("DISPLAY", nullptr), wayland("WAYLAND_DISPLAY", nullptr);
  testing::internal::CaptureStderr();
  const auto window = Window::open({});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  ASSERT_FALSE(window);
  EXPECT_EQ(window.error().type, ErrorType::kNoDisplay);
  EXPECT_THAT(window.error().message, HasSubstr("no display"));
  EXPECT_THAT(window.error().message, Not(HasSubstr("\n")));
}

TEST(Window, ADisplayThatDoesNotAnswerIsNamed) {
  const Environment x11("DISPLAY", ":9999"), wayland("WAYLAND_DISPLAY", nullptr);
  const auto window = Window::open({});
  ASSERT_FALSE(window);
  EXPECT_EQ(window.error().type, ErrorType::kNoDisplay);
  EXPECT_THAT(window.error().message, HasSubstr(":9999"));
}

// Run with MESA_GL_VERSION_OVERRIDE=2.1, which the driver reads once.
TEST(WindowWithOldOpenGl, NamesTheVersionInOneLine) {
  testing::internal::CaptureStderr();
  const auto window = Window::open({});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  ASSERT_FALSE(window);
  EXPECT_EQ(window.error().type, ErrorType::kNoOpenGl);
  EXPECT_THAT(window.error().message, HasSubstr("3.3"));
  EXPECT_THAT(window.error().message, HasSubstr("2.1"));
  EXPECT_THAT(window.error().message, Not(HasSubstr("\n")));
}

// In a process of its own, because the display stays connected once it is.
TEST(WindowOnScreen, OpensAgainAfterAFailure) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        {
          const Environment x11("DISPLAY", nullptr);
          if (Window::open({})) std::exit(1);
        }
        std::exit(Window::open({.visible = false}) ? 0 : 2);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(WindowOnScreen, IsOneAtATime) {
  const auto first = open_off_screen(40, 40);
  const auto second = Window::open({.visible = false});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().type, ErrorType::kFailed);
  picture_of(*first, [](ImDrawList&) {});  // the first is unharmed
}

TEST(WindowOnScreen, OffScreenItMayBeLargerThanTheScreen) {
  const auto window = open_off_screen(2560, 1440);
  ImVec2 display;
  const Picture picture = picture_of(*window, [&](ImDrawList& list) {
    display = ImGui::GetIO().DisplaySize;
    list.AddRectFilled({2550, 1430}, {2560, 1440}, IM_COL32(0, 0, 255, 255));
  });
  EXPECT_EQ(display.x, 2560);
  EXPECT_EQ(display.y, 1440);
  ASSERT_EQ(picture.pixels.size(), 2560u * 1440 * 3);
  EXPECT_EQ(picture.at(0, 0), kBackground);
  EXPECT_EQ(picture.at(2549, 1435), kBackground);
  EXPECT_EQ(picture.at(2559, 1439), (Rgb{0, 0, 255}));
}

TEST(WindowOnScreen, APictureBeyondTheCardIsRefused) {
  for (const int width : {0, -5, 1 << 20}) {
    const auto window = Window::open({.width = width, .height = 100, .visible = false});
    ASSERT_FALSE(window) << width;
    EXPECT_EQ(window.error().type, ErrorType::kBadInput);
  }
}

TEST(WindowOnScreen, TheSameFrameGivesTheSamePixels) {
  const auto draw = [](ImDrawList& list) {
    list.AddCircleFilled({50, 50}, 33, IM_COL32(10, 20, 30, 200));
    list.AddText({5, 5}, IM_COL32(0, 0, 0, 255), "Attention");
  };
  const auto first = picture_of(*open_off_screen(100, 100), draw);
  const auto second = picture_of(*open_off_screen(100, 100), draw);
  EXPECT_EQ(first.pixels, second.pixels);
}

TEST(WindowOnScreen, NewFontsAreTakenIn) {
  const auto window = open_off_screen(100, 60);
  const auto draw = [](ImDrawList& list) {
    ImFont* font = ImGui::GetIO().Fonts->Fonts[0];
    list.AddText(font, compat::font_size(*font), {5, 5}, IM_COL32(0, 0, 0, 255), "Attention");
  };
  const Picture small = picture_of(*window, draw);
  ImFontConfig larger;
  larger.SizePixels = 26;
  ImGui::GetIO().Fonts->Clear();
  ImGui::GetIO().Fonts->AddFontDefault(&larger);
  window->fonts_changed();
  const Picture large = picture_of(*window, draw);
  const auto ink = [](const Picture& picture) {
    int count = 0;
    for (int y = 0; y < picture.height; ++y)
      for (int x = 0; x < picture.width; ++x) count += picture.at(x, y) == Rgb{0, 0, 0};
    return count;
  };
  EXPECT_GT(ink(small), 20);
  EXPECT_GT(ink(large), 2 * ink(small));
}

TEST(WindowOnScreen, AnotherThreadWakesIt) {
  const auto window = Window::open({.width = 200, .height = 100});
  ASSERT_TRUE(window);
  std::atomic<bool> woken = false;
  std::jthread thread([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    woken = true;
    (*window)->post_wakeup();
  });
  while (!woken) (*window)->wait_events();  // hangs, and is stopped, when nothing wakes it
  EXPECT_TRUE(woken);
}

TEST(WindowOnScreen, AVisibleWindowFitsTheScreen) {
  const auto window = Window::open({.width = 9000, .height = 9000});
  ASSERT_TRUE(window);
  EXPECT_LE((*window)->width(), 1600);
  EXPECT_LE((*window)->height(), 1000);
  EXPECT_GT((*window)->width(), 600);
}

}  // namespace
}  // namespace lab
