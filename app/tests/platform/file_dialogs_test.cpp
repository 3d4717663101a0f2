// The desktop's file dialogs that are programs, against scripts of their names.

#include "app/platform/file_dialogs.h"

#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/platform/dialog_program.h"
#include "app/tests/platform/fake_portal.h"
#include "app/tests/platform/support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using testing::Contains;
using testing::ElementsAre;
using Type = FileAnswer::Type;

const FileQuestion kOpen{FileQuestion::Type::kOpen,
                         "Open",
                         {{"Sessions", {"*.json", "*.npz"}}, {"All files", {"*"}}},
                         "/tmp/it's $(false) `x`",
                         ""};
const FileQuestion kSave{
    FileQuestion::Type::kSave, "Save", {{"All files", {"*"}}}, "/tmp/ä b", "ไทย \"x\".json"};

const FileQuestion kFolder{FileQuestion::Type::kFolder, "Into", {}, "/tmp/ä b", ""};

class Programs : public testing::Test {
 protected:
  Programs() {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
  }
  ~Programs() override { std::filesystem::remove_all(folder); }

  // A program of that name, which notes its arguments and then does what `script` says.
  void make(const std::string& name, const std::string& script) const {
    const std::string path = folder + "/" + name;
    std::ofstream(path) << "#!/bin/sh\nprintf '%s\\0' \"$@\" >'" << folder << "/" << name
                        << ".words'\n"
                        << script << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  std::string read(const std::string& name) const {
    std::ifstream file(folder + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::vector<std::string> words(const std::string& name) const {
    std::vector<std::string> list;
    std::istringstream text(read(name + ".words"));
    for (std::string word; std::getline(text, word, '\0');) list.push_back(word);
    return list;
  }
  FileDialogs& dialogs(unsigned long window = 0) {
    opened.emplace(native_file_dialogs(window), [this] { ++woken; });
    return *opened;
  }
  FileAnswer ask(FileDialogs& with, const FileQuestion& question) {
    EXPECT_TRUE(with.ask(question));
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < end) {
      if (auto answer = with.take_answer()) return *answer;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ADD_FAILURE() << "no answer came";
    return {};
  }
  // The process whose number the script wrote, once it has.
  pid_t process(const std::string& name) const {
    while (!read(name).ends_with('\n')) std::this_thread::yield();
    return std::stoi(read(name));
  }

  std::string folder = testing::TempDir() + "/programs-" +
                       testing::UnitTest::GetInstance()->current_test_info()->name();
  std::atomic<int> woken = 0;
  std::optional<FileDialogs> opened;
  Environment user_path{"PATH", (folder + ":/usr/bin:/bin").c_str()};
  Environment no_bus{"DBUS_SESSION_BUS_ADDRESS", nullptr}, no_runtime{"XDG_RUNTIME_DIR", nullptr};
  Environment automatic{"ATTENTION_LAB_FILE_DIALOG", nullptr};
  Environment no_desktop{"XDG_CURRENT_DESKTOP", nullptr};
};

TEST_F(Programs, ZenityIsToldWhatIsAskedForWordByWord) {
  make("zenity", "echo /tmp/x");
  ask(dialogs(), kOpen);
  EXPECT_THAT(words("zenity"),
              ElementsAre("--file-selection", "--modal", "--title=Open",
                          "--filename=/tmp/it's $(false) `x`/",
                          "--file-filter=Sessions | *.json *.npz", "--file-filter=All files | *"));
  ask(dialogs(), kSave);
  EXPECT_THAT(words("zenity"), Contains("--filename=/tmp/ä b/ไทย \"x\".json"));
  EXPECT_THAT(words("zenity"), Contains("--confirm-overwrite"));
}

TEST_F(Programs, KdialogIsToldTheSame) {
  make("kdialog", "echo /tmp/x");
  ask(dialogs(77), kSave);
  EXPECT_THAT(words("kdialog"),
              ElementsAre("--title", "Save", "--attach", "77", "--getsavefilename",
                          "/tmp/ä b/ไทย \"x\".json", "All files (*)"));
  ask(dialogs(), kOpen);
  EXPECT_THAT(words("kdialog"),
              ElementsAre("--title", "Open", "--getopenfilename", "/tmp/it's $(false) `x`/",
                          "Sessions (*.json *.npz)\nAll files (*)"));
}

TEST_F(Programs, AFolderIsAskedForAsOne) {
  make("zenity", "echo /tmp/x");
  EXPECT_EQ(ask(dialogs(), kFolder).path, "/tmp/x");
  EXPECT_THAT(words("zenity"), ElementsAre("--file-selection", "--modal", "--title=Into",
                                           "--directory", "--filename=/tmp/ä b/"));
  std::filesystem::remove(folder + "/zenity");
  make("kdialog", "echo /tmp/x");
  EXPECT_EQ(ask(dialogs(), kFolder).path, "/tmp/x");
  EXPECT_THAT(words("kdialog"),
              ElementsAre("--title", "Into", "--getexistingdirectory", "/tmp/ä b/"));
}

TEST_F(Programs, WhatWasChosenComesBackByteForByte) {
  for (const std::string chosen :
       {"/tmp/a b", "/tmp/Größe", "/tmp/ไทย", "/tmp/\"it's\"", "/tmp/two\nlines", "/tmp/\xe4"}) {
    std::ofstream(folder + "/answer") << chosen << "\n";
    make("zenity", "cat '" + folder + "/answer'");
    EXPECT_EQ(ask(dialogs(), kOpen), (FileAnswer{Type::kChosen, chosen, {}}));
  }
  EXPECT_EQ(woken, 6) << "the window is woken for each";
}

TEST_F(Programs, CancelIsNoChoice) {
  make("zenity", "exit 1");
  EXPECT_EQ(ask(dialogs(), kOpen).type, Type::kCancelled);
  EXPECT_TRUE(opened->available());
}

TEST_F(Programs, OneThatDoesNotWorkIsPassedOver) {
  make("zenity", "exit 255");
  make("kdialog", "echo /tmp/from-kdialog");
  EXPECT_EQ(ask(dialogs(), kOpen).path, "/tmp/from-kdialog");
  std::filesystem::remove(folder + "/zenity.words");
  EXPECT_EQ(ask(*opened, kOpen).path, "/tmp/from-kdialog");
  EXPECT_THAT(words("zenity"), testing::IsEmpty()) << "it is not tried again";
}

TEST_F(Programs, WhenNoneWorksTheWindowKnows) {
  make("zenity", "kill -9 $$");
  EXPECT_EQ(ask(dialogs(), kOpen), (FileAnswer{Type::kNoDialog, {}, {}}));
  EXPECT_FALSE(opened->available());
  EXPECT_FALSE(opened->ask(kOpen));
}

TEST_F(Programs, EachDesktopHasItsOwnFirst) {
  make("zenity", "echo /tmp/zenity");
  make("kdialog", "echo /tmp/kdialog");
  EXPECT_EQ(ask(dialogs(), kOpen).path, "/tmp/zenity");
  const Environment kde("XDG_CURRENT_DESKTOP", "KDE");
  EXPECT_EQ(ask(dialogs(), kOpen).path, "/tmp/kdialog");
}

TEST_F(Programs, TheEnvironmentChooses) {
  make("zenity", "echo /tmp/zenity");
  make("kdialog", "echo /tmp/kdialog");
  {
    const Environment own("ATTENTION_LAB_FILE_DIALOG", "own");
    EXPECT_FALSE(dialogs().available());
    EXPECT_FALSE(opened->ask(kOpen));
  }
  const Environment wished("ATTENTION_LAB_FILE_DIALOG", "kdialog");
  EXPECT_EQ(ask(dialogs(), kOpen).path, "/tmp/kdialog");
}

TEST_F(Programs, WithoutAnyThereIsNone) {
  const Environment empty("PATH", folder.c_str());
  EXPECT_FALSE(dialogs().available());
}

TEST_F(Programs, WithdrawingEndsTheProgram) {
  make("zenity", "echo $$ >'" + folder + "/pid'; exec sleep 1000");
  ASSERT_TRUE(dialogs().ask(kOpen));
  EXPECT_FALSE(opened->ask(kOpen)) << "one at a time";
  const pid_t pid = process("pid");
  EXPECT_FALSE(opened->take_answer());
  opened->withdraw();
  EXPECT_EQ(kill(pid, 0), -1);
  EXPECT_FALSE(opened->take_answer());
  make("zenity", "echo /tmp/x");
  EXPECT_EQ(ask(*opened, kOpen).path, "/tmp/x") << "and the next one can be asked";
}

TEST_F(Programs, TheProgramEndsWithTheWindow) {
  make("zenity", "echo $$ >'" + folder + "/pid'; exec sleep 1000");
  ASSERT_TRUE(dialogs().ask(kOpen));
  const pid_t pid = process("pid");
  opened.reset();
  EXPECT_EQ(kill(pid, 0), -1);
}

TEST_F(Programs, ItCanBeEndedThoughThisProgramHoldsSignalsBack) {
  sigset_t held, before;
  sigemptyset(&held);
  sigaddset(&held, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &held, &before);
  make("zenity", "kill -TERM $$; echo /tmp/still-here");
  EXPECT_EQ(ask(dialogs(), kOpen).type, Type::kNoDialog);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_F(Programs, ItKnowsTheWindowItBelongsTo) {
  make("zenity", "echo /tmp/$WINDOWID");
  const Environment terminal("WINDOWID", "5");
  EXPECT_EQ(ask(dialogs(4711), kOpen).path, "/tmp/4711");
}

TEST_F(Programs, EndlessOutputIsCutOff) {
  make("zenity", "exec yes");
  EXPECT_EQ(ask(dialogs(), kOpen).type, Type::kNoDialog);
}

TEST_F(Programs, ABusWithoutAPortalLeavesItToThem) {
  const PrivateBus bus;
  if (bus.address().empty()) GTEST_SKIP() << "no dbus-daemon";
  const Environment session("DBUS_SESSION_BUS_ADDRESS", bus.address().c_str());
  make("zenity", "echo /tmp/zenity");
  EXPECT_EQ(ask(dialogs(), kOpen).path, "/tmp/zenity");
}

TEST_F(Programs, ThePortalComesFirst) {
  const PrivateBus bus;
  if (bus.address().empty()) GTEST_SKIP() << "no dbus-daemon";
  const Environment session("DBUS_SESSION_BUS_ADDRESS", bus.address().c_str());
  FakePortal portal(bus);
  portal.uris = {"file:///tmp/portal"};
  make("zenity", "echo /tmp/zenity");
  EXPECT_EQ(ask(dialogs(), kOpen).path, "/tmp/portal");
}

}  // namespace
}  // namespace lab
