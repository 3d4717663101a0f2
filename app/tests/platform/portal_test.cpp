// The file dialog of the desktop portal, against a portal on a bus of the test's own.

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "app/platform/dialog_portal.h"
#include "app/platform/file_dialogs.h"
#include "app/tests/platform/fake_portal.h"
#include "app/tests/platform/support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using testing::HasSubstr;
using Type = FileAnswer::Type;

const FileQuestion kPortalOpen{
    FileQuestion::Type::kOpen, "Open", {{"Sessions", {"*.json", "*.npz"}}}, "/tmp/a folder", ""};
const FileQuestion kPortalSave{
    FileQuestion::Type::kSave, "Save", {{"All", {"*"}}}, "", "Größe.json"};

class Portal : public ::testing::Test {
 protected:
  void SetUp() override {
    if (bus.address().empty()) GTEST_SKIP() << "no dbus-daemon";
  }
  FileAnswer ask(const FileQuestion& question, unsigned long window = 0) {
    return ask_portal(bus.address(), question, window, {});
  }
  // Asks on another thread and stops that as soon as the portal was asked.
  FileAnswer ask_and_stop(FakePortal& portal) {
    FileAnswer answer;
    std::jthread thread([&](const std::stop_token& stop) {
      answer = ask_portal(bus.address(), kPortalOpen, 0, stop);
    });
    while (portal.calls().empty()) std::this_thread::yield();
    thread.request_stop();
    thread.join();
    return answer;
  }

  PrivateBus bus;
};

TEST_F(Portal, WhatWasChosenComesBackByteForByte) {
  FakePortal portal(bus);
  for (const auto& [uri, path] : std::vector<std::pair<std::string, std::string>>{
           {"file:///tmp/one.json", "/tmp/one.json"},
           {"file:///tmp/a%20b%25%22'.json", "/tmp/a b%\"'.json"},
           {"file:///tmp/Gr%C3%B6%C3%9Fe.json", "/tmp/Größe.json"},
           {"file:///tmp/%E0%B9%84%E0%B8%97%E0%B8%A2", "/tmp/ไทย"},
           {"file:///tmp/latin-%E4", "/tmp/latin-\xe4"}}) {
    portal.uris = {uri};
    EXPECT_EQ(ask(kPortalOpen), (FileAnswer{Type::kChosen, path, {}})) << uri;
  }
}

TEST_F(Portal, IsToldWhatIsAskedFor) {
  FakePortal portal(bus);
  portal.code = 1;
  ask(kPortalOpen, 0xabc);
  ask(kPortalSave);
  const auto calls = portal.calls();
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].method, "OpenFile");
  EXPECT_EQ(calls[0].parent, "x11:abc");
  EXPECT_EQ(calls[0].title, "Open");
  EXPECT_THAT(calls[0].options, HasSubstr("[('Sessions', [(uint32 0, '*.json'), (0, '*.npz')])]"));
  EXPECT_THAT(calls[0].options, HasSubstr("b'/tmp/a folder'"));
  EXPECT_EQ(calls[1].method, "SaveFile");
  EXPECT_EQ(calls[1].parent, "");
  EXPECT_THAT(calls[1].options, HasSubstr("'current_name': <'Größe.json'>"));
}

TEST_F(Portal, AFolderIsAskedForAsOne) {
  FakePortal portal(bus);
  portal.uris = {"file:///tmp/figures"};
  const FileQuestion folder{FileQuestion::Type::kFolder, "Into", {}, "", ""};
  EXPECT_EQ(ask(folder), (FileAnswer{Type::kChosen, "/tmp/figures", {}}));
  ASSERT_EQ(portal.calls().size(), 1u);
  EXPECT_EQ(portal.calls()[0].method, "OpenFile");
  EXPECT_THAT(portal.calls()[0].options, HasSubstr("'directory': <true>"));
}

TEST_F(Portal, CancelAndAClosedDialogAreNoChoice) {
  FakePortal portal(bus);
  portal.uris = {"file:///tmp/never"};
  for (portal.code = 1; portal.code < 3; ++portal.code)
    EXPECT_EQ(ask(kPortalOpen).type, Type::kCancelled) << portal.code;
}

TEST_F(Portal, APlaceElsewhereIsRefusedByName) {
  FakePortal portal(bus);
  portal.uris = {"sftp://host/file.json"};
  const FileAnswer answer = ask(kPortalOpen);
  EXPECT_EQ(answer.type, Type::kNoDialog);
  EXPECT_THAT(answer.problem, HasSubstr("sftp://host/file.json"));
}

TEST_F(Portal, ABusWithoutOneHasNoDialog) { EXPECT_EQ(ask(kPortalOpen).type, Type::kNoDialog); }

TEST_F(Portal, OneWithoutAFileChooserHasNoDialog) {
  FakePortal portal(bus, FakePortal::Manner::kLacksFileChooser);
  EXPECT_EQ(ask(kPortalOpen).type, Type::kNoDialog);
}

TEST_F(Portal, OneThatGoesAwayEndsTheDialog) {
  auto portal = std::make_unique<FakePortal>(bus, FakePortal::Manner::kWaits);
  FileAnswer answer{Type::kChosen, {}, {}};
  std::thread thread([&] { answer = ask(kPortalOpen); });
  while (portal->calls().empty()) std::this_thread::yield();
  portal.reset();
  thread.join();
  EXPECT_EQ(answer.type, Type::kNoDialog);
}

TEST_F(Portal, IsToldToCloseItsDialog) {
  FakePortal portal(bus, FakePortal::Manner::kWaits);
  EXPECT_EQ(ask_and_stop(portal).type, Type::kNoDialog);
  EXPECT_EQ(portal.closed(), 1);
}

TEST_F(Portal, AddressesThatAreNoneHaveNoDialog) {
  for (const char* address : {"unix:path=/nowhere/bus", "nonsense", "unix:"})
    EXPECT_EQ(ask_portal(address, kPortalOpen, 0, {}).type, Type::kNoDialog) << address;
}

TEST(SessionBus, IsFoundWithoutAskingAnyone) {
  const std::string folder = testing::TempDir() + "/session-bus-runtime";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const Environment runtime("XDG_RUNTIME_DIR", folder.c_str());
  {
    const Environment bus("DBUS_SESSION_BUS_ADDRESS", "unix:path=/there");
    EXPECT_EQ(session_bus_address(), "unix:path=/there");
  }
  const Environment none("DBUS_SESSION_BUS_ADDRESS", nullptr);
  EXPECT_EQ(session_bus_address(), "");
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un place{AF_UNIX, {}};
  (folder + "/bus").copy(place.sun_path, sizeof place.sun_path - 1);
  ASSERT_EQ(bind(socket, reinterpret_cast<const sockaddr*>(&place), sizeof place), 0);
  EXPECT_EQ(session_bus_address(), "unix:path=" + folder + "/bus");
  close(socket);
}

// It takes connections and says nothing.
TEST(SessionBus, OneThatDoesNotAnswerHoldsNobodyUp) {
  const std::string path = testing::TempDir() + "/silent-bus";
  std::filesystem::remove(path);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un place{AF_UNIX, {}};
  path.copy(place.sun_path, sizeof place.sun_path - 1);
  ASSERT_EQ(bind(socket, reinterpret_cast<const sockaddr*>(&place), sizeof place), 0);
  ASSERT_EQ(listen(socket, 5), 0);
  const Environment nothing("PATH", "/nowhere"), automatic("ATTENTION_LAB_FILE_DIALOG", nullptr);
  const Environment bus("DBUS_SESSION_BUS_ADDRESS", ("unix:path=" + path).c_str());
  FileDialogs dialogs(native_file_dialogs(0), [] {});
  EXPECT_TRUE(dialogs.ask(kPortalOpen));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(dialogs.take_answer());
  dialogs.withdraw();  // hangs, and is stopped, if it waits for the bus
  close(socket);
}

}  // namespace
}  // namespace lab
