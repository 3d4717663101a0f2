// Files that are imported into the document: matrices and word vectors.
#include <gmock/gmock.h>

#include <filesystem>

#include "app/document/commands/reducer.h"
#include "app/files/open.h"
#include "app/files/tensors/tensors.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

using attention::Matrix;
using testing::HasSubstr;

// The example has d_model 8, three heads and d_k 4; W_Q of head 1 is open.
class ImportFile : public testing::Test {
 protected:
  ImportFile() : screen(*open_document("refer")) {
    screen.key(Key::kEscape);  // out of the sentence
    state().edit.matrix = MatrixId::kWQ;
    screen.frames();
  }

  static std::string table(int rows, int cols) {
    std::string text;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j)
        text += std::to_string(i * 10 + j) + (j + 1 < cols ? "," : "\n");
    return text;
  }
  static std::string vectors(int size) {
    std::string text;
    for (const char* word : {"the", "animal", "street"}) {
      text += word;
      for (int i = 0; i < size; ++i) text += " " + std::to_string(i) + ".5";
      text += "\n";
    }
    return text;
  }
  void drop(const std::string& file) {
    state().requests.ask(request::OpenFiles{{file}});
    screen.frames(3);
  }
  void open(const std::string& file) {
    screen.key(Key::kO, true);
    screen.frames(2);
    screen.type(file);
    screen.key(Key::kEnter);
    screen.frames(2);
  }
  float W_Q(int row, int col) { return screen.cell({MatrixId::kWQ, 0}, row, col); }
  ViewState& state() { return screen.view.state(); }
  std::string undo_label() const { return screen.workspace.history().undo_label(); }

  TemporaryFolder folder;
  Screen screen;
};

TEST_F(ImportFile, AMatrixGoesIntoTheOneInEditAndUndoRevertsIt) {
  const float before = W_Q(7, 3);
  drop(folder.write("w.csv", table(8, 4)));
  EXPECT_EQ(W_Q(7, 3), 73) << state().error;
  EXPECT_EQ(state().notice, "w.csv is now W_Q of head 1");
  EXPECT_EQ(undo_label(), "Read w.csv into W_Q, head 1");
  EXPECT_EQ(state().dialog.open, Dialog::kNone) << "nothing is replaced, so nothing is asked";
  screen.key(Key::kZ, true);
  EXPECT_EQ(W_Q(7, 3), before);
}

TEST_F(ImportFile, UnsavedChangesStayAndAreNotAskedAbout) {
  screen.workspace.queue(intent::Apply{SetTemperature{2}});
  screen.frames();
  drop(folder.write("w.npy", write_npy({"", {8, 4}, std::vector<float>(32, 5)})));
  EXPECT_EQ(W_Q(0, 0), 5) << state().error;
  EXPECT_EQ(screen.document().problem.config.temperature, 2);
  EXPECT_EQ(state().dialog.open, Dialog::kNone);
}

TEST_F(ImportFile, ATransposedMatrixIsAskedAbout) {
  const float before = W_Q(1, 0);
  drop(folder.write("w.csv", table(4, 8)));
  ASSERT_EQ(state().dialog.open, Dialog::kImport);
  EXPECT_EQ(W_Q(1, 0), before);
  screen.click("dialog/import");
  EXPECT_EQ(state().dialog.open, Dialog::kNone);
  EXPECT_EQ(W_Q(1, 0), 1);
  EXPECT_EQ(W_Q(7, 3), 37);
}

TEST_F(ImportFile, AskingCanBeAnsweredByKeysWithNo) {
  const float before = W_Q(1, 0);
  drop(folder.write("w.csv", table(4, 8)));
  screen.key(Key::kRight);
  screen.key(Key::kEnter);
  EXPECT_EQ(state().dialog.open, Dialog::kNone);
  EXPECT_EQ(W_Q(1, 0), before);
  EXPECT_FALSE(screen.workspace.modified());
}

TEST_F(ImportFile, AnotherShapeIsRefusedWithTheTabsThatItWouldFit) {
  drop(folder.write("w.csv", table(3, 3)));
  EXPECT_EQ(state().error, "w.csv is 3 × 3, W_Q of head 1 is 8 × 4");
  drop(folder.write("o.csv", table(12, 8)));
  EXPECT_THAT(state().error, HasSubstr("; it would fit"));
  EXPECT_FALSE(screen.workspace.modified());
}

TEST_F(ImportFile, VectorsGoToTheWords) {
  drop(folder.write("v.txt", vectors(8)));
  EXPECT_EQ((*screen.document().problem.embedding)(1, 3), 3.5f) << state().error;
  EXPECT_THAT(state().notice, HasSubstr("words have their vectors of v.txt; \"because\""));
  EXPECT_EQ(undo_label(), "Read vectors of v.txt");
}

TEST_F(ImportFile, VectorsOfAnotherLengthAskForAnotherModel) {
  drop(folder.write("v.txt", vectors(12)));
  ASSERT_EQ(state().dialog.open, Dialog::kImport);
  EXPECT_EQ(screen.document().problem.config.d_model, 8);
  screen.click("dialog/import");
  EXPECT_EQ(screen.document().problem.config.d_model, 12);
  EXPECT_EQ((*screen.document().problem.embedding)(1, 11), 11.5f);
  screen.key(Key::kZ, true);
  EXPECT_EQ(screen.document().problem.config.d_model, 8) << "one step";
  EXPECT_FALSE(screen.workspace.modified());
}

TEST_F(ImportFile, WhatIsWrongIsNamedWithItsLine) {
  drop(folder.write("w.csv", "1,2\n3,x\n"));
  EXPECT_EQ(state().error, "w.csv: line 2, field 2: \"x\" is not a number");
  drop(folder.write("w.csv", table(8, 4) + "\n"));
  EXPECT_EQ(state().error, "");
  drop(folder.write("v.txt", "nowhere 1 2\nnothing 3 4\n"));
  EXPECT_THAT(state().error, HasSubstr("none of the words of the sentence is in v.txt"));
}

TEST_F(ImportFile, TheOpenDialogTakesThemToo) {
  open(folder.write("w.csv", table(8, 4)));
  EXPECT_EQ(state().dialog.open, Dialog::kNone) << state().dialog.problem;
  EXPECT_EQ(W_Q(7, 3), 73);
  open(folder.write("t.csv", table(4, 8)));
  EXPECT_EQ(state().dialog.open, Dialog::kImport);
  screen.key(Key::kEscape);
  open(folder.write("bad.csv", "1,2\n3\n"));
  EXPECT_EQ(state().dialog.open, Dialog::kOpen);
  EXPECT_THAT(state().dialog.problem, HasSubstr("bad.csv: line 2 has 1 field"));
}

}  // namespace
}  // namespace lab
