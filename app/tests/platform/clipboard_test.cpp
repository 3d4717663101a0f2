// The picture on the clipboard, as other programs get it.

#include <gmock/gmock.h>

#include <cstdio>
#include <thread>

#include "app/platform/window.h"
#include "app/tests/platform/x11_client.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

std::string picture(std::size_t size) {
  std::string bytes = "\x89PNG\r\n";
  for (std::size_t i = 0; bytes.size() < size; ++i) bytes += static_cast<char>(i * i >> 5);
  return bytes;
}

std::string output_of(const std::string& command) {
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe))
    output.append(buffer, count);
  pclose(pipe);
  return output;
}

class ClipboardOnScreen : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = Window::open({.width = 300, .height = 200});
    ASSERT_TRUE(opened) << opened.error().message;
    window = std::move(*opened);
  }
  void copy(const std::string& png) {
    const auto copied = window->services().copy_picture(png);
    ASSERT_TRUE(copied) << copied.error().message;
  }

  std::unique_ptr<Window> window;
  X11Client client{[this] { window->poll_events(); }};
};

TEST_F(ClipboardOnScreen, OthersGetThePictureThatWasCopied) {
  copy(picture(5000));
  EXPECT_THAT(client.targets(), Contains("image/png"));
  EXPECT_THAT(client.targets(), Contains("TIMESTAMP"));
  EXPECT_EQ(client.clipboard("image/png"), picture(5000));
  EXPECT_EQ(client.clipboard("UTF8_STRING"), std::nullopt);
  copy(picture(6000));
  EXPECT_EQ(client.clipboard("image/png"), picture(6000)) << "the last one counts";
}

TEST_F(ClipboardOnScreen, ALargePictureComesInPieces) {
  const std::string large = picture(9'000'000);
  copy(large);
  EXPECT_EQ(client.clipboard("image/png"), large);
  EXPECT_GT(client.pieces(), 10);
  EXPECT_EQ(client.clipboard("image/png"), large) << "and once more";
}

TEST_F(ClipboardOnScreen, APieceThatIsNeverFetchedHoldsNobodyUp) {
  copy(picture(2'000'000));
  {
    X11Client impatient([] {});
    impatient.ask_and_leave("image/png");
  }
  EXPECT_EQ(client.clipboard("image/png"), picture(2'000'000));
}

TEST_F(ClipboardOnScreen, SeveralTargetsCanBeAskedForAtOnce) {
  copy(picture(3000));
  EXPECT_THAT(client.clipboard_at_once({"image/png", "text/html"}),
              ElementsAre(picture(3000), std::nullopt));
}

TEST_F(ClipboardOnScreen, TextThatIsCopiedLaterTakesItsPlace) {
  copy(picture(3000));
  ImGui::SetClipboardText("0.5\t−1");
  window->poll_events();
  EXPECT_EQ(client.clipboard("image/png"), std::nullopt);
  EXPECT_EQ(client.clipboard("UTF8_STRING"), "0.5\t−1");
  EXPECT_STREQ(ImGui::GetClipboardText(), "0.5\t−1");
}

TEST_F(ClipboardOnScreen, APictureThatIsCopiedLaterTakesThePlaceOfText) {
  ImGui::SetClipboardText("text");
  copy(picture(3000));
  window->poll_events();
  EXPECT_EQ(client.clipboard("image/png"), picture(3000));
  EXPECT_EQ(client.clipboard("UTF8_STRING"), std::nullopt);
  EXPECT_EQ(ImGui::GetClipboardText(), nullptr) << "there is no text to paste";
  ImGui::SetClipboardText("text again");
  EXPECT_STREQ(ImGui::GetClipboardText(), "text again");
}

TEST_F(ClipboardOnScreen, TheClipboardManagerKeepsItWhenTheWindowIsClosed) {
  copy(picture(400'000));
  X11Client manager([] {});
  manager.become_clipboard_manager();
  std::string kept;
  std::thread thread([&] { kept = manager.keep_as_clipboard_manager(); });
  window.reset();
  thread.join();
  EXPECT_EQ(kept, picture(400'000));
}

TEST_F(ClipboardOnScreen, OtherProgramsReadAndReplaceIt) {
  if (std::system("command -v xclip >/dev/null") != 0) GTEST_SKIP() << "no xclip";
  copy(picture(700'000));
  EXPECT_THAT(output_of("xclip -selection clipboard -t TARGETS -o"), HasSubstr("image/png"));
  EXPECT_EQ(output_of("xclip -selection clipboard -t image/png -o"), picture(700'000));
  ASSERT_EQ(std::system("printf 'from elsewhere' | xclip -selection clipboard -i 2>/dev/null"), 0);
  while (!client.clipboard("UTF8_STRING")) {  // xclip takes the clipboard after it has returned
  }
  EXPECT_STREQ(ImGui::GetClipboardText(), "from elsewhere");
  EXPECT_NE(client.clipboard("image/png"), picture(700'000));
  copy(picture(200));
  EXPECT_EQ(output_of("xclip -selection clipboard -t image/png -o"), picture(200));
}

TEST_F(ClipboardOnScreen, AWindowOffScreenTakesNoPicture) {
  window.reset();
  auto hidden = Window::open({.width = 40, .height = 40, .visible = false});
  ASSERT_TRUE(hidden);
  EXPECT_FALSE((*hidden)->services().copy_picture(picture(200)));
}

}  // namespace
}  // namespace lab
