// The window's own dialog for opening a file.
#include <gmock/gmock.h>

#include <filesystem>

#include "app/files/folder_list.h"
#include "app/files/io/bytes.h"
#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"
#include "app/view/session/file_list.h"

namespace lab {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

class OpenDialog : public testing::Test {
 protected:
  OpenDialog() {
    const std::string session = read_bytes(open_whole_path("cat-sat")).value();
    for (const char* name : {"lessons", "Letters", "hidden/.secret"})
      std::filesystem::create_directories(temporary / name);
    temporary.write("lessons/cat.json", session);
    temporary.write("lessons/cats.json", session);
    temporary.write("notes.docx", "");
    temporary.write("B.npz", "");
    temporary.write("a.csv", "1,2\n");
    screen.frames(2);
    screen.key(Key::kO, true);
    screen.frames(2);
  }
  static std::string open_whole_path(const std::string& name) {
    for (const ExampleInfo& example : examples())
      if (example.name == name) return example.path;
    return {};
  }
  DialogState& dialog() { return screen.view.state().dialog; }
  void type_path(const std::string& path) {
    screen.key(Key::kA, true);
    screen.type(path);
    screen.frames(2);
  }

  TemporaryFolder temporary;
  Screen screen{*open_document("refer")};
};

TEST_F(OpenDialog, ListsFoldersFirstAndWhatCanBeOpenedWithItsKind) {
  EXPECT_THAT(entries_of_folder(temporary / ""),
              ElementsAre(FolderEntry{"hidden", true}, FolderEntry{"lessons", true},
                          FolderEntry{"Letters", true}, FolderEntry{"a.csv"}, FolderEntry{"B.npz"},
                          FolderEntry{"notes.docx"}));
  EXPECT_STREQ(type_by_ending("x.SAFETENSORS"), "Tensors");
  EXPECT_STREQ(type_by_ending("x.docx"), "");
  type_path(temporary / "");
  for (const char* name : {"..", "lessons", "Letters", "a.csv", "B.npz"})
    EXPECT_TRUE(screen.shows(std::string("file/") + name)) << name;
  EXPECT_FALSE(screen.shows("file/notes.docx"));
  EXPECT_LT(screen.place("file/Letters").y, screen.place("file/a.csv").y);
}

TEST_F(OpenDialog, SaysOfWhatIsInSightWhatItContains) {
  std::filesystem::create_directory(temporary / "kinds");
  temporary.write("kinds/README.md", "# About\n");
  temporary.write("kinds/lesson.md", "---\ntitle: T\ngoal: G\n---\n## A\n");
  temporary.write("kinds/package.json", "{\"name\": \"other\"}");
  temporary.write("kinds/session.json", "{\"type\": \"attention-lab session\", \"version\": 2}");
  temporary.write("kinds/split.json", "{\"added_tokens\": []}");
  temporary.write("kinds/text.npz", "no archive");
  temporary.write("kinds/words.txt", "the 0.1 0.2 0.3\n");
  type_path(temporary / "kinds/");
  EXPECT_THAT(dialog().files->types,
              UnorderedElementsAre(Pair("README.md", ""), Pair("lesson.md", "Lesson"),
                                   Pair("package.json", ""), Pair("session.json", "Session"),
                                   Pair("split.json", "Tokenizer"), Pair("text.npz", ""),
                                   Pair("words.txt", "Vectors")));
}

TEST_F(OpenDialog, ReadsNoFileThatIsOutOfSight) {
  std::filesystem::create_directory(temporary / "many");
  for (int i = 0; i < 100; ++i)
    temporary.write("many/" + std::to_string(100 + i) + ".csv", "1,2\n");
  type_path(temporary / "many/");
  EXPECT_EQ(dialog().files->types.count("100.csv"), 1u);
  EXPECT_LT(dialog().files->types.size(), 20u);
}

TEST_F(OpenDialog, TabCompletesFoldersAndNames) {
  type_path(temporary / "les");
  screen.key(Key::kTab);
  screen.frames(2);
  EXPECT_EQ(dialog().path, temporary / "lessons/");
  screen.key(Key::kTab);
  screen.frames(2);
  EXPECT_EQ(dialog().path, temporary / "lessons/cat") << "as far as both are the same";
  screen.type("s");
  screen.key(Key::kTab);
  screen.frames(2);
  EXPECT_EQ(dialog().path, temporary / "lessons/cats.json");
  screen.key(Key::kEnter);
  screen.frames(3);
  EXPECT_EQ(dialog().open, Dialog::kNone);
  EXPECT_EQ(screen.workspace.path(), temporary / "lessons/cats.json");
}

TEST_F(OpenDialog, TabMovesOnWhereNothingIsToBeCompleted) {
  const std::string path = temporary / "lessons/cats.json";
  type_path(path);
  screen.key(Key::kTab);
  screen.frames(2);
  screen.type("x");
  EXPECT_EQ(dialog().path, path) << "the field does not have the keyboard any more";
  screen.key(Key::kTab);
  screen.frames(2);
  EXPECT_EQ(dialog().path, path);
  screen.key(Key::kEnter);
  screen.frames(3);
  EXPECT_EQ(dialog().open, Dialog::kNone);
  EXPECT_NE(screen.workspace.path(), path) << "the second control is Cancel";
}

TEST_F(OpenDialog, ArrowsAndEnterGoIntoFoldersAndOpen) {
  type_path(temporary / "");
  for (int i = 0; i < 3; ++i) screen.key(Key::kDown);  // .., hidden, lessons
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_EQ(dialog().path, temporary / "lessons/");
  EXPECT_EQ(dialog().open, Dialog::kOpen);
  screen.key(Key::kDown);
  screen.key(Key::kDown);
  screen.key(Key::kEnter);
  screen.frames(3);
  EXPECT_EQ(screen.workspace.path(), temporary / "lessons/cat.json");
}

TEST_F(OpenDialog, AFolderThatIsTypedIsListedAndNotAnError) {
  type_path(temporary / "lessons");
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_EQ(dialog().problem, "");
  EXPECT_TRUE(screen.shows("file/cat.json"));
  screen.click("file/..");
  screen.frames(2);
  EXPECT_TRUE(screen.shows("file/Letters"));
}

TEST_F(OpenDialog, AClickTakesAFileAndASecondOneOpensIt) {
  type_path(temporary / "lessons/");
  screen.click("file/cats.json");
  screen.frames(2);
  EXPECT_EQ(dialog().path, temporary / "lessons/cats.json");
  EXPECT_EQ(dialog().open, Dialog::kOpen);
  EXPECT_TRUE(screen.shows("file/cat.json")) << "the list stays";
  screen.key(Key::kEnter);
  screen.frames(3);
  EXPECT_EQ(screen.workspace.path(), temporary / "lessons/cats.json");
}

TEST_F(OpenDialog, TheNameOfAnExampleStillOpensIt) {
  type_path("cat-sat");
  screen.key(Key::kEnter);
  screen.frames(3);
  EXPECT_EQ(screen.document().title, open_document("cat-sat")->title);
  EXPECT_EQ(dialog().problem, "");
}

TEST_F(OpenDialog, SaveAsListsTheFolderThatItSavesIn) {
  screen.key(Key::kEscape);
  screen.frames(2);
  screen.key(Key::kS, true, true);
  screen.frames(2);
  ASSERT_EQ(dialog().open, Dialog::kSaveAs);
  EXPECT_TRUE(screen.shows("dialog/folder"));
  type_path(temporary / "");
  EXPECT_TRUE(screen.shows("file/B.npz"));
  EXPECT_FALSE(screen.shows("file/a.csv")) << "no session can be a .csv";
  type_path(temporary / "le");
  screen.key(Key::kTab);
  screen.frames(2);
  type_path(temporary / "lessons/cats");
  screen.key(Key::kTab);
  screen.frames(2);
  EXPECT_EQ(dialog().path, temporary / "lessons/cats.json");
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_EQ(dialog().open, Dialog::kSaveAs) << "it asks whether to replace it";
  type_path(temporary / "lessons/new");
  screen.key(Key::kEnter);
  for (int i = 0; i < 50 && dialog().open != Dialog::kNone; ++i) screen.frames(2);
  EXPECT_EQ(dialog().open, Dialog::kNone);
}

}  // namespace
}  // namespace lab
