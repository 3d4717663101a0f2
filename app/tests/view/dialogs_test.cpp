// What the dialogs ask, and how they are answered.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/files/open.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

class Dialogs : public testing::Test {
 protected:
  Dialogs() : screen(*open_document("refer")) {}

  DialogState& dialog() { return screen.view.state().dialog; }
  std::string write(const std::string& name) const { return folder.write(name, "mine"); }
  static std::string read(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void open_with_path(Key key, bool shift, const std::string& path) {
    screen.key(key, true, shift);
    screen.frames(2);
    screen.key(Key::kA, true);
    screen.type(path);
  }

  TemporaryFolder folder;
  Screen screen;
};

TEST_F(Dialogs, SaveAsAsksBeforeItReplacesAFile) {
  const std::string path = write("session.json");
  open_with_path(Key::kS, true, path);
  screen.click("dialog/ok");
  EXPECT_EQ(dialog().open, Dialog::kSaveAs);
  EXPECT_NE(dialog().problem.find("exists. Replace?"), std::string::npos);
  EXPECT_EQ(read(path), "mine");
  screen.click("dialog/ok");
  EXPECT_EQ(dialog().open, Dialog::kNone);
  EXPECT_NE(read(path), "mine");
}

TEST_F(Dialogs, EnterAnswersYes) {
  const std::string path = write("session.json");
  open_with_path(Key::kS, true, path);
  screen.key(Key::kEnter);
  EXPECT_EQ(read(path), "mine");
  screen.frames(2);
  screen.key(Key::kEnter);
  EXPECT_EQ(dialog().open, Dialog::kNone);
  EXPECT_NE(read(path), "mine");
}

TEST_F(Dialogs, AnotherNameIsAskedAboutAnew) {
  const std::string first = write("first.json"), second = write("second.json");
  open_with_path(Key::kS, true, first);
  screen.key(Key::kEnter);
  dialog().path = second;
  screen.click("dialog/ok");
  EXPECT_EQ(read(first), "mine");
  EXPECT_EQ(read(second), "mine");
}

TEST_F(Dialogs, TheSessionsOwnFileIsSavedWithoutAQuestion) {
  const std::string path = folder / "session.json";
  open_with_path(Key::kS, true, path);
  screen.click("dialog/ok");
  EXPECT_EQ(dialog().open, Dialog::kNone);
  open_with_path(Key::kS, true, path);
  screen.click("dialog/ok");
  EXPECT_EQ(dialog().open, Dialog::kNone);
}

TEST_F(Dialogs, ExportAsksBeforeItReplacesAFile) {
  const std::string path = write("figure.png");
  open_with_path(Key::kE, false, path);
  screen.click("dialog/ok");
  EXPECT_NE(dialog().problem.find("exists. Replace?"), std::string::npos);
  EXPECT_EQ(read(path), "mine");
  screen.click("dialog/ok");
  EXPECT_EQ(dialog().open, Dialog::kNone);
  EXPECT_NE(read(path), "mine");
}

TEST_F(Dialogs, EnterExportsAlsoAfterAnOptionWasTicked) {
  for (const char* option : {"dialog/values", "dialog/what/1", "dialog/what/2"}) {
    const std::string path = folder / "figure.png";
    std::filesystem::remove(path);
    open_with_path(Key::kE, false, path);
    const bool values = dialog().export_values;
    screen.click(option);
    screen.key(Key::kEnter);
    EXPECT_EQ(dialog().open, Dialog::kNone) << option << ": " << dialog().problem;
    EXPECT_TRUE(std::filesystem::exists(path)) << option;
    EXPECT_EQ(dialog().export_values, values != (option == std::string("dialog/values")));
  }
}

TEST_F(Dialogs, SpaceTicksTheOptionThatWasClicked) {
  open_with_path(Key::kE, false, folder / "figure.png");
  screen.click("dialog/values");
  const bool ticked = dialog().export_values;
  screen.key(Key::kSpace);
  EXPECT_NE(dialog().export_values, ticked);
  EXPECT_EQ(dialog().open, Dialog::kExport);
}

TEST_F(Dialogs, TheEnterThatOpensIsNotTheOneThatExports) {
  const auto current = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  screen.key(Key::kEscape);
  screen.key(Key::kF6);
  for (int i = 0; i < 1000 && screen.view.state().ring.on->name != "button/export"; ++i)
    screen.key(Key::kTab);
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_EQ(dialog().open, Dialog::kExport);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  std::filesystem::current_path(current);
}

TEST_F(Dialogs, ExportWritesNoPictureUnderAnotherEnding) {
  for (const char* name : {"fig.pdf", "fig", "fig.png.json"}) {
    open_with_path(Key::kE, false, folder / name);
    screen.click("dialog/ok");
    EXPECT_EQ(dialog().open, Dialog::kExport) << name;
    EXPECT_NE(dialog().problem.find(".png"), std::string::npos) << dialog().problem;
    EXPECT_FALSE(std::filesystem::exists(folder / name)) << name;
    screen.key(Key::kEscape);
  }
}

TEST_F(Dialogs, SaveAsWritesNoSessionUnderThePictureEnding) {
  open_with_path(Key::kS, true, folder / "x.png");
  screen.click("dialog/ok");
  EXPECT_EQ(dialog().open, Dialog::kSaveAs);
  EXPECT_FALSE(std::filesystem::exists(folder / "x.png"));
}

TEST_F(Dialogs, AnEmptyNameIsNoWishToQuit) {
  screen.type("!");
  open_with_path(Key::kO, false, "");
  screen.key(Key::kDelete);
  screen.click("dialog/ok");
  EXPECT_EQ(dialog().open, Dialog::kOpen);
  EXPECT_FALSE(dialog().problem.empty());
  EXPECT_FALSE(screen.view.state().quit);
}

TEST_F(Dialogs, TheHomeFolderIsUnderstood) {
  setenv("HOME", folder.path().c_str(), 1);
  open_with_path(Key::kS, true, "~/mine.json");
  screen.click("dialog/ok");
  EXPECT_TRUE(std::filesystem::exists(folder / "mine.json"));
  open_with_path(Key::kO, false, "~/mine.json");
  screen.click("dialog/ok");
  EXPECT_EQ(dialog().open, Dialog::kNone) << dialog().problem;
}

TEST_F(Dialogs, UnsavedChangesAreAnsweredByKeys) {
  screen.type("!");
  screen.key(Key::kQ, true);
  screen.frames(2);
  ASSERT_EQ(dialog().open, Dialog::kUnsaved);
  screen.key(Key::kTab);
  screen.key(Key::kTab);
  screen.key(Key::kEnter);
  EXPECT_EQ(dialog().open, Dialog::kNone) << "Cancel";
  EXPECT_FALSE(screen.view.state().quit);
  screen.key(Key::kQ, true);
  screen.frames(2);
  screen.key(Key::kEnter);
  EXPECT_EQ(dialog().open, Dialog::kSaveAs) << "Save";
  screen.key(Key::kEscape);
  screen.key(Key::kQ, true);
  screen.frames(2);
  screen.key(Key::kTab);
  screen.key(Key::kEnter);
  EXPECT_TRUE(screen.view.state().quit) << "Discard";
}

TEST_F(Dialogs, HelpIsClosedByEnter) {
  screen.key(Key::kF1);
  screen.frames(2);
  ASSERT_EQ(dialog().open, Dialog::kShortcuts);
  screen.key(Key::kEnter);
  EXPECT_EQ(dialog().open, Dialog::kNone);
}

}  // namespace
}  // namespace lab
