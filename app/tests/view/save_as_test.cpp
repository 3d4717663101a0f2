// The button of Save as, and its question.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include "app/files/io/bytes.h"
#include "app/files/open.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

// What the next frame writes in widgets of Dear ImGui.
std::string words_of_next_frame(Screen& screen) {
  ImGuiContext& context = *ImGui::GetCurrentContext();
  context.LogBuffer.clear();
  context.LogType = ImGuiLogType_Buffer;
  context.LogEnabled = true;
  screen.frames();
  context.LogEnabled = false;
  return context.LogBuffer.c_str();
}

TEST(SaveAs, NamesItsButtonAfterWhatItWillDo) {
  using ::testing::HasSubstr;
  using ::testing::Not;
  const TemporaryFolder folder;
  const std::string mine = folder.write("mine.json", "mine");
  Screen screen(*open_document("refer"));
  const DialogState& dialog = screen.view.state().dialog;
  screen.key(Key::kS, true, true);
  screen.frames(2);
  screen.key(Key::kA, true);
  screen.type(mine);
  screen.frames(2);
  EXPECT_THAT(words_of_next_frame(screen), HasSubstr("[ Save ]"));
  screen.click("dialog/ok");
  EXPECT_THAT(words_of_next_frame(screen), HasSubstr("[ Replace ]"));
  EXPECT_EQ(files::read_bytes(mine).value(), "mine");
  screen.click("dialog/path");
  screen.key(Key::kEnd);
  screen.type("x");
  screen.frames(2);
  EXPECT_THAT(words_of_next_frame(screen), HasSubstr("[ Save ]")) << "of another name";
  screen.key(Key::kBackspace);
  screen.frames(2);
  EXPECT_THAT(words_of_next_frame(screen), HasSubstr("[ Replace ]"));
  screen.click("dialog/ok");
  EXPECT_EQ(dialog.open, Dialog::kNone);
  EXPECT_NE(files::read_bytes(mine).value(), "mine");
}

}  // namespace
}  // namespace lab
