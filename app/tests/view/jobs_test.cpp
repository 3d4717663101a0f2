// Slow files: named pipes whose other end the test holds.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "app/files/io/bytes.h"
#include "app/files/open.h"
#include "app/files/session/session.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

class BackgroundFiles : public testing::Test {
 protected:
  BackgroundFiles() : screen(*open_document("refer")), pipe(folder / "slow.json") {
    EXPECT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    screen.key(Key::kEscape);  // out of the sentence
    screen.view.jobs().set_sync_timeout(std::chrono::milliseconds(0), {});
  }

  void drop(const std::string& file) {
    screen.view.state().requests.ask(request::OpenFiles{{file}});
    screen.frames(2);
  }
  void write_to_pipe(const std::string& bytes) const {
    const int fd = ::open(pipe.c_str(), O_WRONLY);
    EXPECT_EQ(::write(fd, bytes.data(), bytes.size()), std::ssize(bytes));
    ::close(fd);
  }
  void fetch() {
    while (screen.view.jobs().busy()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      screen.frames();
    }
    screen.frames(3);
  }
  void edit() {
    screen.workspace.queue(intent::Apply{SetTemperature{2}});
    screen.frames();
  }
  // Slow work appears in the status bar when it has taken long enough to be noticed.
  void take_long() {
    std::this_thread::sleep_for(std::chrono::milliseconds(250));
    screen.frames(2);
  }
  ViewState& state() { return screen.view.state(); }
  static std::string cat_sat() { return write_session(*open_document("cat-sat")); }

  Screen screen;
  TemporaryFolder folder;
  std::string pipe;
};

TEST_F(BackgroundFiles, WhatWaitedForAJobIsDoneAtOnceWhenItEnds) {
  state().requests.ask(request::Leave{destination::Quit{}});
  EXPECT_EQ(screen.view.seconds_to_next_frame(screen.workspace), 0);
  screen.frames();
  EXPECT_TRUE(state().quit);
}

TEST_F(BackgroundFiles, ASlowFileIsShownOnceItIsRead) {
  const std::string before = screen.document().sentence;
  drop(pipe);
  take_long();
  EXPECT_TRUE(screen.shows("busy"));
  EXPECT_EQ(screen.document().sentence, before);
  screen.key(Key::kF5);  // the window keeps responding
  EXPECT_TRUE(state().present.on);
  screen.key(Key::kEscape);
  write_to_pipe(cat_sat());
  fetch();
  EXPECT_FALSE(screen.shows("busy"));
  EXPECT_EQ(screen.document().sentence, open_document("cat-sat")->sentence);
  EXPECT_EQ(screen.workspace.path(), pipe);
}

TEST_F(BackgroundFiles, ItIsCancelledByTheButtonOrByKeyboard) {
  for (const bool by_key : {false, true}) {
    drop(pipe);
    take_long();
    if (by_key) {
      screen.key(Key::kPeriod, true);
    } else {
      screen.click("button/stop");
    }
    fetch();
    EXPECT_FALSE(screen.shows("busy"));
    EXPECT_EQ(screen.workspace.opened(), 0);
    EXPECT_EQ(state().notice, "Stopped opening slow.json");
    EXPECT_EQ(state().error, "");
  }
}

TEST_F(BackgroundFiles, ItsErrorsAreReportedWhenTheyAreFound) {
  drop(pipe);
  write_to_pipe("{\"type\":");
  fetch();
  EXPECT_NE(state().error.find("slow.json"), std::string::npos) << state().error;
  EXPECT_EQ(screen.workspace.opened(), 0);
}

TEST_F(BackgroundFiles, WhatIsEditedMeanwhileIsNotLostWithoutAQuestion) {
  drop(pipe);
  edit();
  write_to_pipe(cat_sat());
  fetch();
  EXPECT_EQ(state().dialog.open, Dialog::kUnsaved);
  EXPECT_EQ(screen.document().problem.config.temperature, 2.0f);
}

TEST_F(BackgroundFiles, WhatIsEditedWhileItIsSavedIsNotSaved) {
  screen.workspace.queue(intent::MarkSaved{pipe});
  edit();
  screen.key(Key::kS, true);
  EXPECT_TRUE(screen.view.jobs().busy());
  screen.workspace.queue(intent::Apply{SetTemperature{4}});
  screen.frames();
  EXPECT_EQ(read_session(*read_bytes(pipe))->problem.config.temperature, 2.0f);
  fetch();
  EXPECT_TRUE(screen.workspace.modified());
  screen.key(Key::kZ, true);
  EXPECT_FALSE(screen.workspace.modified());
}

TEST_F(BackgroundFiles, LeavingWaitsForWhatIsBeingSaved) {
  screen.workspace.queue(intent::MarkSaved{pipe});
  edit();
  screen.key(Key::kS, true);
  state().requests.ask(request::Leave{destination::Quit{}});
  screen.frames(3);
  EXPECT_FALSE(state().quit);
  EXPECT_TRUE(read_bytes(pipe));
  fetch();
  EXPECT_TRUE(state().quit);
  EXPECT_EQ(state().dialog.open, Dialog::kNone);
}

TEST_F(BackgroundFiles, OneJobComesAfterTheOther) {
  drop(pipe);
  screen.key(Key::kS, true, true);
  screen.frames(2);
  screen.type(folder / "copy.json");
  screen.click("dialog/ok");
  EXPECT_FALSE(std::filesystem::exists(folder / "copy.json"));
  write_to_pipe(cat_sat());
  fetch();
  // What was shown at the time of the request.
  EXPECT_EQ(open_document(folder / "copy.json")->sentence, open_document("refer")->sentence);
}

TEST_F(BackgroundFiles, AClosingWindowCancelsASlowFile) {
  drop(pipe);
  EXPECT_TRUE(screen.view.jobs().busy());
}

}  // namespace
}  // namespace lab
