// Files that are dropped on the window.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "app/files/open.h"
#include "app/files/session/session.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

using testing::HasSubstr;

class Drop : public testing::Test {
 protected:
  Drop() : screen(*open_document("refer")) { std::filesystem::create_directories(subfolder); }
  ~Drop() override { std::filesystem::remove_all(folder); }

  std::string session(const std::string& name, const std::string& sentence) const {
    std::ofstream(folder + "/" + name) << write_session(make_document(sentence, {}, 1));
    return folder + "/" + name;
  }
  void drop(const std::vector<std::string>& files) {
    screen.view.state().requests.ask(request::OpenFiles{files});
    screen.frames(2);
  }
  const std::string& sentence() const { return screen.document().sentence; }
  const ViewState& state() { return screen.view.state(); }

  std::string folder =
      testing::TempDir() + "/drop-" + testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string subfolder = folder + "/folder";
  Screen screen;
};

TEST_F(Drop, AFileIsOpenedWhateverItsName) {
  for (const std::string name : {"a b.json", "100%25.json", "Größe.json", "\"it's\".json"}) {
    drop({session(name, "sentence of " + name)});
    EXPECT_EQ(sentence(), "sentence of " + name) << state().error;
    EXPECT_EQ(state().notice, "");
  }
}

TEST_F(Drop, OfSeveralFilesTheFirstIsOpenedAndTheRestIsMentioned) {
  drop({session("one.json", "number one"), session("two.json", "number two")});
  EXPECT_EQ(sentence(), "number one");
  EXPECT_THAT(state().notice, HasSubstr("one.json of 2"));
  EXPECT_EQ(state().requests.waiting<request::OpenFiles>(), nullptr);
}

TEST_F(Drop, AFolderIsSkippedForAFile) {
  drop({subfolder, session("one.json", "number one")});
  EXPECT_EQ(sentence(), "number one");
}

TEST_F(Drop, AFolderAloneIsRefusedByName) {
  const std::string before = sentence();
  drop({subfolder});
  EXPECT_EQ(sentence(), before);
  EXPECT_THAT(state().error, HasSubstr("folder"));
}

TEST_F(Drop, WhatIsNotSavedIsAskedAboutFirst) {
  screen.type("!");
  drop({session("one.json", "number one")});
  EXPECT_EQ(state().dialog.open, Dialog::kUnsaved);
  EXPECT_NE(sentence(), "number one");
  screen.click("dialog/discard");
  EXPECT_EQ(sentence(), "number one");
}

}  // namespace
}  // namespace lab
