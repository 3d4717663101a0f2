// The questions of dialogs, and their answers.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/files/open.h"
#include "app/files/session/session.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"
#include "app/view/toolkit/fonts.h"

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

TEST_F(Dialogs, ASessionWithoutAnEndingBecomesJson) {
  const std::string path = write("my session.json");
  open_with_path(Key::kS, true, folder / "my session");
  screen.click("dialog/ok");
  EXPECT_EQ(dialog().path, path) << "the name that is asked about";
  EXPECT_EQ(read(path), "mine") << "it exists";
  screen.click("dialog/ok");
  screen.frames(2);
  EXPECT_NE(read(path), "mine");
  EXPECT_FALSE(std::filesystem::exists(folder / "my session"));
  EXPECT_NE(screen.view.state().notice.find("my session.json"), std::string::npos);
}

TEST_F(Dialogs, AProblemNamesAFileInItsOwnScript) {
  const auto pictures = [this] {
    return std::ranges::count(screen.sink.alive, false, [](const auto& t) { return t.second; });
  };
  open_with_path(Key::kO, false, folder / "東京.json");
  screen.frames(2);
  const auto before = pictures();
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_NE(dialog().problem.find("東京.json"), std::string::npos) << dialog().problem;
  EXPECT_GT(pictures(), before) << "ImGui's fonts cannot show these characters";
}

TEST_F(Dialogs, AFieldShowsWhatIsTypedIntoItInEveryScript) {
  const auto fonts_that_show = [](const char* text) {
    return std::ranges::count_if(ImGui::GetIO().Fonts->Fonts,
                                 [&](const ImFont* font) { return view::covers(*font, text); });
  };
  open_with_path(Key::kO, false, "東京");
  screen.frames(2);
  EXPECT_EQ(fonts_that_show("東京"), 2) << "the sentence's and that of fields in dialogs";
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

TEST_F(Dialogs, AnotherNameIsAskedAboutAgain) {
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
  EXPECT_EQ(dialog().done, "Saved to " + path) << dialog().problem;
  EXPECT_NE(read(path), "mine");
}

TEST_F(Dialogs, EnterExportsAlsoAfterAnOptionWasTicked) {
  for (const char* option : {"dialog/values", "dialog/width/Page", "dialog/letters"}) {
    const std::string path = folder / "figure.png";
    std::filesystem::remove(path);
    open_with_path(Key::kE, false, path);
    const bool values = dialog().exporting.figure.annotate;
    screen.click(option);
    screen.key(Key::kEnter);
    EXPECT_EQ(dialog().done, "Saved to " + path) << option << ": " << dialog().problem;
    EXPECT_TRUE(std::filesystem::exists(path)) << option;
    screen.key(Key::kEscape);
    EXPECT_EQ(dialog().exporting.figure.annotate,
              values != (option == std::string("dialog/values")));
  }
}

TEST_F(Dialogs, EveryFormatIsWrittenUnderItsEnding) {
  const std::pair<const char*, const char*> kBegins[] = {
      {"png", "\x89PNG"}, {"svg", "<svg"}, {"pdf", "%PDF"}, {"html", "<!DOCTYPE html"}};
  for (const auto& [ending, begins] : kBegins) {
    open_with_path(Key::kE, false, folder / "figure.png");
    screen.click(std::string("dialog/format/") + ending);
    EXPECT_EQ(dialog().path, folder / "figure." + ending);
    screen.click("dialog/ok");
    EXPECT_EQ(dialog().done, "Saved to " + (folder / "figure.") + ending) << dialog().problem;
    screen.key(Key::kEscape);
    const std::string bytes = read(folder / "figure." + ending);
    EXPECT_TRUE(bytes.starts_with(begins)) << ending;
    const auto again = open_document(folder / "figure." + ending);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(write_session(*again), write_session(screen.document())) << ending;
  }
}

TEST_F(Dialogs, ThePreviewIsRedrawnOnlyWhenTheFigureChanges) {
  screen.key(Key::kE, true);
  screen.frames(3);
  EXPECT_TRUE(screen.shows("dialog/preview"));
  const auto uploads = screen.sink.uploads();
  screen.frames(10);
  EXPECT_EQ(screen.sink.uploads(), uploads);
  screen.click("dialog/transparent");
  EXPECT_GT(screen.sink.uploads(), uploads);
}

TEST_F(Dialogs, WhatIsShownIsWhatIsExported) {
  const auto type = [&] {
    screen.key(Key::kE, true);
    screen.frames(2);
    const FigureType chosen = dialog().exporting.figure.type;
    screen.key(Key::kEscape);
    return chosen;
  };
  EXPECT_EQ(type(), FigureType::kMap);
  screen.view.state().heads.view = HeadView::kDifference;
  screen.view.state().requests.withdraw<request::GiveKeyboard>();
  EXPECT_EQ(type(), FigureType::kTwoHeads);
  screen.view.state().heads.view = HeadView::kFocused;
  EXPECT_EQ(type(), FigureType::kMap);
}

TEST_F(Dialogs, AnotherKindOfFigureIsAsWideAsItUsuallyIs) {
  screen.key(Key::kE, true);
  screen.frames(2);
  double& width = dialog().exporting.figure.width_mm;
  EXPECT_EQ(width, 89);
  screen.click("dialog/what");
  screen.click("dialog/what/4");  // all stages
  EXPECT_EQ(width, 183);
  screen.click("dialog/width/Text");
  const double text = width;
  EXPECT_NEAR(text, 139.7, 1e-9);
  screen.click("dialog/what");
  screen.click("dialog/what/0");
  EXPECT_EQ(width, text) << "it was chosen";
}

TEST_F(Dialogs, ASlideHasAHeightAndLargeLettersAndAColumnHasNot) {
  screen.key(Key::kE, true);
  screen.frames(2);
  FigureOptions& figure = dialog().exporting.figure;
  screen.click("dialog/width/Slide");
  EXPECT_NEAR(figure.height_mm.value_or(0), 190.5, 1e-9);
  EXPECT_EQ(figure.font_size, 18);
  screen.click("dialog/width/Column");
  EXPECT_FALSE(figure.height_mm);
  EXPECT_EQ(figure.font_size, 7);
  figure.font_size = 9;
  screen.click("dialog/width/Slide");
  EXPECT_EQ(figure.font_size, 9) << "it was chosen";
}

TEST_F(Dialogs, SpaceTicksTheOptionThatWasClicked) {
  open_with_path(Key::kE, false, folder / "figure.png");
  screen.click("dialog/values");
  const bool ticked = dialog().exporting.figure.annotate;
  screen.key(Key::kSpace);
  EXPECT_NE(dialog().exporting.figure.annotate, ticked);
  EXPECT_EQ(dialog().open, Dialog::kExport);
}

TEST_F(Dialogs, TheEnterThatOpensIsNotTheOneThatExports) {
  const auto current = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  screen.key(Key::kEscape);
  screen.key(Key::kF6);
  for (int i = 0; i < 1000 && screen.view.state().keyboard_focus.on->name != "button/export"; ++i)
    screen.key(Key::kTab);
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_EQ(dialog().open, Dialog::kExport);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  std::filesystem::current_path(current);
}

TEST_F(Dialogs, ExportWritesNoPictureUnderAnotherEnding) {
  for (const char* name : {"fig.bmp", "fig.png.json"}) {
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

TEST_F(Dialogs, AnEmptyNameDoesNotQuit) {
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

// The width of a PNG picture in pixels, from its header.
int width_of(const std::string& png) {
  int width = 0;
  for (std::size_t i = 16; i < 20; ++i) width = width * 256 + static_cast<unsigned char>(png.at(i));
  return width;
}

TEST_F(Dialogs, ThePictureKeepsItsWidthAndTheDialogTellsThatNumbersNeedMore) {
  screen.view.state().requests.ask(request::GiveKeyboard{TextField::kSentence});
  screen.workspace.queue(intent::Apply{
      SetSentence{"a b c d e f g h i j k l m n o p q r s t u v w x y z and so on to the end"}});
  screen.frames(2);
  std::vector<int> widths;
  for (const bool values : {false, true}) {
    const std::string path = folder / (values ? "numbers.png" : "plain.png");
    screen.key(Key::kE, true);
    dialog().exporting.figure.annotate = values;
    screen.frames(2);
    EXPECT_EQ(screen.shows("dialog/numbers_note"), values);
    screen.key(Key::kA, true);
    screen.type(path);
    screen.key(Key::kEnter);
    EXPECT_EQ(dialog().done.find(" mm has room") != std::string::npos, values) << dialog().done;
    screen.key(Key::kEscape);
    widths.push_back(width_of(read(path)));
  }
  EXPECT_NEAR(widths[0], 89 / 25.4 * 300, 2);
  EXPECT_EQ(widths[1], widths[0]);
}

TEST_F(Dialogs, ThatNumbersNeedMoreWidthIsToldOnlyWhileTheyDo) {
  screen.workspace.queue(
      intent::Apply{SetSentence{"a b c d e f g h i j k l m n o p q r s t u v w x y z"}});
  screen.frames(2);
  screen.key(Key::kE, true);
  dialog().exporting.figure.annotate = true;
  screen.frames(2);
  ASSERT_TRUE(screen.shows("dialog/numbers_note"));
  const std::string& note = dialog().numbers_note;
  dialog().exporting.figure.width_mm = std::stod(note.substr(note.find_first_of("0123456789")));
  screen.frames(2);
  EXPECT_FALSE(screen.shows("dialog/numbers_note")) << note;
}

TEST_F(Dialogs, OnlyFilesAreReplaced) {
  const std::string inside = folder.path().string() + "/folder.json", pipe = folder / "pipe.json";
  std::filesystem::create_directory(inside);
  open_with_path(Key::kS, true, inside);
  screen.click("dialog/ok");
  EXPECT_EQ(dialog().path, inside + "/") << "a folder is listed";
  screen.key(Key::kEscape);
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  open_with_path(Key::kS, true, pipe);
  screen.click("dialog/ok");
  EXPECT_NE(dialog().problem.find("not a file"), std::string::npos) << dialog().problem;
  screen.click("dialog/ok");
  EXPECT_EQ(dialog().open, Dialog::kSaveAs);
}

TEST_F(Dialogs, AnEmojiInTheNameOfAFileIsKept) {
  const std::string path = folder / "a😀.json";
  screen.workspace.queue(intent::MarkSaved{path});
  screen.frames();
  screen.key(Key::kS, true, true);
  screen.frames(2);
  screen.key(Key::kEnd);
  screen.key(Key::kBackspace);
  screen.type("n");  // typing elsewhere does not change it
  screen.click("dialog/ok");
  EXPECT_TRUE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace lab
