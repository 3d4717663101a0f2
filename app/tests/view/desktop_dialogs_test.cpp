// The desktop's file dialogs in place of the window's own.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "app/files/io/bytes.h"
#include "app/files/open.h"
#include "app/files/session/session.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

using testing::HasSubstr;
using Type = FileAnswer::Type;

class DesktopDialogs : public testing::Test {
 protected:
  DesktopDialogs() : screen(*open_document("refer")) {
    std::filesystem::create_directory(folder);
    screen.desktop.has_dialog = true;
  }
  ~DesktopDialogs() override { std::filesystem::remove_all(folder); }

  DialogState& dialog() { return screen.view.state().dialog; }
  std::string write(const std::string& name, const std::string& text = "mine") const {
    std::ofstream(folder + "/" + name) << text;
    return folder + "/" + name;
  }
  std::string session(const std::string& name, const std::string& sentence) const {
    return write(name, write_session(make_document(sentence, {}, 1)));
  }
  static std::string read(const std::string& path) { return read_bytes(path).value_or("none"); }
  const FileQuestion& asked() const { return screen.desktop.questions.back(); }
  void press(Key key, bool shift = false) {
    screen.key(key, true, shift);
    screen.frames(2);
  }
  void answer(Type type, const std::string& path = {}, const std::string& problem = {}) {
    screen.desktop.answer = FileAnswer{type, path, problem};
    screen.frames(3);
  }
  void choose(const std::string& name) { answer(Type::kChosen, folder + "/" + name); }

  std::string folder = testing::TempDir() + "/desktop-dialogs-" +
                       testing::UnitTest::GetInstance()->current_test_info()->name();
  Screen screen;
};

TEST_F(DesktopDialogs, OpenShowsTheFileThatWasChosen) {
  session("other.json", "another sentence");
  press(Key::kO);
  ASSERT_EQ(screen.desktop.questions.size(), 1u);
  EXPECT_EQ(asked().type, FileQuestion::Type::kOpen);
  EXPECT_THAT(
      asked().filters.front().patterns,
      testing::ElementsAre("*.json", "*.safetensors", "*.npz", "*.png", "*.svg", "*.pdf", "*.webp",
                           "*.html", "*.npy", "*.csv", "*.tsv", "*.txt", "*.vec", "*.md"));
  EXPECT_FALSE(screen.shows("dialog/path"));
  EXPECT_TRUE(screen.shows("dialog/type")) << "the window goes on, and has a way out";
  choose("other.json");
  EXPECT_EQ(screen.document().sentence, "another sentence");
  EXPECT_EQ(dialog().open, Dialog::kNone);
  EXPECT_FALSE(screen.desktop.open);
}

TEST_F(DesktopDialogs, NamesAreBytes) {
  for (const std::string name : {"a b.json", "Größe 100%.json", "\"quoted\" it's.json", "ไทย.json",
                                 "line\nbreak.json", "latin-\xe4.json"}) {
    press(Key::kS, true);
    choose(name);
    EXPECT_EQ(dialog().open, Dialog::kNone) << name << dialog().problem;
    EXPECT_EQ(screen.workspace.path(), folder + "/" + name);
    press(Key::kO);
    choose(name);
    EXPECT_EQ(dialog().open, Dialog::kNone) << name << dialog().problem;
  }
}

TEST_F(DesktopDialogs, CancelChangesNothing) {
  for (const Key key : {Key::kO, Key::kS}) {
    press(key, key == Key::kS);
    answer(Type::kCancelled);
    EXPECT_EQ(dialog().open, Dialog::kNone);
    EXPECT_FALSE(screen.workspace.modified());
    EXPECT_EQ(screen.workspace.path(), "");
    EXPECT_TRUE(std::filesystem::is_empty(folder));
  }
}

TEST_F(DesktopDialogs, TheFolderOfTheOpenFileIsProposed) {
  session("mine.json", "a sentence");
  press(Key::kO);
  choose("mine.json");
  press(Key::kS, true);
  EXPECT_EQ(asked().type, FileQuestion::Type::kSave);
  EXPECT_EQ(asked().folder, std::filesystem::absolute(folder));
  EXPECT_EQ(asked().name, "mine.json");
  answer(Type::kCancelled);
  press(Key::kO);
  EXPECT_EQ(asked().folder, std::filesystem::absolute(folder));
  EXPECT_EQ(asked().name, "");
}

TEST_F(DesktopDialogs, TheDesktopsQuestionAboutReplacingIsEnough) {
  const std::string path = write("old.json");
  press(Key::kS, true);
  choose("old.json");
  EXPECT_EQ(dialog().open, Dialog::kNone) << dialog().problem;
  EXPECT_THAT(read(path), HasSubstr("sentence"));
}

TEST_F(DesktopDialogs, AMissingEndingIsAdded) {
  press(Key::kS, true);
  choose("version 1.2");
  EXPECT_EQ(screen.workspace.path(), folder + "/version 1.2.json");
  EXPECT_TRUE(std::filesystem::exists(screen.workspace.path()));
}

TEST_F(DesktopDialogs, AFileUnderTheCompletedNameIsAskedAbout) {
  const std::string path = write("old.json");
  press(Key::kS, true);
  choose("old");
  EXPECT_EQ(dialog().open, Dialog::kSaveAs);
  EXPECT_THAT(dialog().problem, HasSubstr("old.json exists. Replace?"));
  EXPECT_EQ(read(path), "mine");
  screen.click("dialog/ok");
  EXPECT_EQ(dialog().open, Dialog::kNone);
  EXPECT_NE(read(path), "mine");
}

TEST_F(DesktopDialogs, ErrorsAreShownWhereTheyCanBeCorrected) {
  press(Key::kS, true);
  choose("figure.png");
  EXPECT_EQ(dialog().open, Dialog::kSaveAs);
  EXPECT_THAT(dialog().problem, HasSubstr(".png"));
  screen.key(Key::kEscape);
  press(Key::kO);
  write("broken.json", "{");
  choose("broken.json");
  EXPECT_EQ(dialog().open, Dialog::kOpen);
  EXPECT_EQ(dialog().path, folder + "/broken.json");
  EXPECT_FALSE(dialog().problem.empty());
}

TEST_F(DesktopDialogs, WithoutOneTheWindowsOwnComesAtOnce) {
  screen.desktop.has_dialog = false;
  press(Key::kO);
  EXPECT_TRUE(screen.shows("dialog/path"));
  EXPECT_FALSE(screen.shows("dialog/browse"));
}

TEST_F(DesktopDialogs, OneThatFailsIsReplacedByTheWindowsOwn) {
  press(Key::kO);
  answer(Type::kNoDialog, {}, "sftp://x is no file of this computer");
  EXPECT_EQ(dialog().open, Dialog::kOpen);
  EXPECT_TRUE(screen.shows("dialog/path"));
  EXPECT_THAT(dialog().problem, HasSubstr("no file of this computer"));
}

TEST_F(DesktopDialogs, APathCanBeTypedInstead) {
  press(Key::kO);
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_FALSE(screen.desktop.open) << "the desktop's dialog is closed";
  EXPECT_TRUE(screen.shows("dialog/path"));
  screen.key(Key::kA, true);
  screen.type(session("typed.json", "typed instead"));
  screen.key(Key::kEnter);
  EXPECT_EQ(screen.document().sentence, "typed instead");
}

TEST_F(DesktopDialogs, EscapeClosesIt) {
  press(Key::kO);
  screen.key(Key::kEscape);
  EXPECT_EQ(dialog().open, Dialog::kNone);
  EXPECT_FALSE(screen.desktop.open);
}

TEST_F(DesktopDialogs, OnlyOneIsOpenAtATime) {
  press(Key::kO);
  press(Key::kO);
  press(Key::kS, true);
  press(Key::kE);
  EXPECT_EQ(screen.desktop.questions.size(), 1u);
  EXPECT_EQ(dialog().open, Dialog::kOpen);
}

TEST_F(DesktopDialogs, TheExportIsChosenFirstAndBrowsedFor) {
  press(Key::kE);
  EXPECT_TRUE(screen.shows("dialog/what"));
  EXPECT_EQ(screen.desktop.questions.size(), 0u);
  screen.click("dialog/what");
  screen.click("dialog/what/1");
  screen.click("dialog/browse");
  ASSERT_TRUE(screen.desktop.open);
  EXPECT_EQ(asked().name, "the-animal-didnt-cross-the-weights-all-heads.png");
  EXPECT_EQ(asked().filters.front().patterns.front(), "*.png");
  answer(Type::kCancelled);
  EXPECT_EQ(dialog().exporting.figure.type, FigureType::kHeads) << "back to the choices";
  press(Key::kB);
  ASSERT_TRUE(screen.desktop.open);
  choose("my figure");
  EXPECT_TRUE(dialog().done.ends_with("my figure.png")) << dialog().problem;
  EXPECT_EQ(read(folder + "/my figure.png").substr(1, 3), "PNG");
}

TEST_F(DesktopDialogs, QuittingWithUnsavedChangesAsksForANameAndThenLeaves) {
  screen.type("!");
  press(Key::kQ);
  screen.click("dialog/save");
  ASSERT_TRUE(screen.desktop.open);
  choose("kept.json");
  EXPECT_TRUE(screen.view.state().quit);
  EXPECT_TRUE(std::filesystem::exists(folder + "/kept.json"));
}

TEST_F(DesktopDialogs, CancelledTheProgramStays) {
  screen.type("!");
  press(Key::kQ);
  screen.click("dialog/save");
  answer(Type::kCancelled);
  EXPECT_FALSE(screen.view.state().quit);
  EXPECT_TRUE(screen.workspace.modified());
}

TEST_F(DesktopDialogs, ClosingTheWindowClosesIt) {
  screen.type("!");
  press(Key::kO);
  screen.view.state().requests.ask(request::Leave{destination::Quit{}});
  screen.frames(2);
  EXPECT_EQ(dialog().open, Dialog::kUnsaved);
  EXPECT_FALSE(screen.desktop.open);
}

}  // namespace
}  // namespace lab
