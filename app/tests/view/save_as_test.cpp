// The button of Save as, and its question.
#include <gtest/gtest.h>

#include <filesystem>

#include "app/files/io/bytes.h"
#include "app/files/open.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

TEST(SaveAs, AsksOnceForEachNameThatExists) {
  const TemporaryFolder folder;
  const std::string mine = folder.write("mine.json", "mine");
  Screen screen(*open_document("refer"));
  const DialogState& dialog = screen.view.state().dialog;
  screen.key(Key::kS, true, true);
  screen.frames(2);
  screen.key(Key::kA, true);
  screen.type(mine);
  screen.frames(2);
  EXPECT_EQ(dialog.replace, "") << "the button says Save";
  screen.click("dialog/ok");
  EXPECT_EQ(dialog.replace, mine) << "the button says Replace";
  screen.click("dialog/path");
  screen.key(Key::kA, true);
  screen.type(folder / "other.json");
  screen.frames(2);
  screen.click("dialog/ok");
  EXPECT_EQ(dialog.open, Dialog::kNone) << "another name is not asked about";
  EXPECT_EQ(files::read_bytes(mine).value(), "mine");
  EXPECT_TRUE(std::filesystem::exists(folder / "other.json"));
}

}  // namespace
}  // namespace lab
