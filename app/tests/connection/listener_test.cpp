#include "app/connection/listener.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "app/tests/connection/client.h"
#include "app/tests/temporary_folder.h"

namespace lab::connection {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// A listener that sends every frame back.
class Echo : public testing::Test {
 protected:
  void listen(ListenerLimits limits = {}) {
    listener_.reset();
    auto opened = Listener::open(path_,
                                 {[this](Listener& at, ClientId client, Frame frame) {
                                    ++frames_;
                                    at.send(client, frame);
                                    if (finishes_) at.finish_frame(client);
                                  },
                                  [this](ClientId) { ++closed_; }},
                                 std::move(limits));
    ASSERT_TRUE(opened) << opened.error().message;
    listener_ = std::move(*opened);
  }

  TemporaryFolder folder_;
  const std::string path_ = folder_ / "own/window.socket";
  std::atomic<int> frames_ = 0, closed_ = 0;
  std::atomic<bool> finishes_ = true;
  std::unique_ptr<Listener> listener_;
};

TEST_F(Echo, BringsFramesBothWays) {
  listen();
  Client client(path_, false);
  client.ask({{"id", 7}}, "numbers");
  EXPECT_EQ(client.receive()->at("id"), 7);
  EXPECT_EQ(client.payload(), "numbers");
}

TEST_F(Echo, MakesAFolderForTheUserAlone) {
  listen();
  struct stat folder {};
  ASSERT_EQ(::stat((folder_ / "own").c_str(), &folder), 0);
  EXPECT_EQ(folder.st_mode & 0777, 0700u);
  struct stat socket {};
  ASSERT_EQ(::stat(path_.c_str(), &socket), 0);
  EXPECT_EQ(socket.st_mode & 0777, 0600u);
  listener_.reset();
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(Echo, DoesNotUseAFolderThatOthersCanOpen) {
  std::filesystem::create_directory(folder_ / "own");
  ::chmod((folder_ / "own").c_str(), 0755);
  const auto opened = Listener::open(path_, {});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().type, ErrorType::kIo);
  EXPECT_NE(opened.error().message.find("must belong to you and be closed to others"),
            std::string::npos);
  EXPECT_FALSE(connect_to(path_));
}

TEST_F(Echo, ReplacesASocketThatNobodyListensAtAndNoOther) {
  listen();
  const auto second = Listener::open(path_, {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().type, ErrorType::kFailed);
  Client still_there(path_, false);
  listener_.reset();
  std::ofstream(path_) << "left behind";
  listen();
  Client client(path_, false);
  client.ask({{"id", 1}});
  EXPECT_TRUE(client.receive());
}

TEST_F(Echo, RefusesOtherUsers) {
  listen({.accepts = [](uid_t user) { return user != ::geteuid(); }});
  Client client(path_, false);
  EXPECT_EQ(client.error(), "this window belongs to another user");
  EXPECT_TRUE(client.is_closed());
  EXPECT_EQ(frames_, 0);
}

TEST_F(Echo, AnswersWhatIsNoFrameOnceAndEndsTheConnection) {
  listen();
  Client client(path_, false), other(path_, false);
  client.send("GET / HTTP/1.1\r\n\r\n0123456789");
  EXPECT_EQ(client.error(), "these bytes are not a message for Attention Lab");
  EXPECT_TRUE(client.is_closed());
  other.ask({{"id", 1}});
  EXPECT_TRUE(other.receive()) << "others are not disturbed";
}

TEST_F(Echo, EndsAClientThatStopsWithinAFrame) {
  listen({.timeout = milliseconds(200)});
  Client idle(path_, false), client(path_, false);
  const auto begin = steady_clock::now();
  client.send(std::string_view(write_frame({"{}", "numbers"})).substr(0, 24));
  EXPECT_EQ(client.error(), "the message was not complete after 200 ms");
  EXPECT_TRUE(client.is_closed());
  EXPECT_LT(steady_clock::now() - begin, milliseconds(2000));
  idle.ask({{"id", 1}});
  EXPECT_TRUE(idle.receive()) << "who is within no frame may wait for ever";
}

TEST_F(Echo, EndsAClientThatDoesNotReadItsAnswer) {
  listen({.timeout = milliseconds(200)});
  Client client(path_, false);
  client.send(write_frame({"{\"id\":1}", std::string(1 << 22, 'x')}));
  for (int i = 0; i < 200 && closed_ == 0; ++i) ::usleep(10'000);
  EXPECT_EQ(closed_, 1);
}

TEST_F(Echo, HasRoomForSixteenClients) {
  listen();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 16; ++i) {
    clients.push_back(std::make_unique<Client>(path_, false));
    clients.back()->ask({{"id", i}});
    ASSERT_TRUE(clients.back()->receive());
  }
  Client one_more(path_, false);
  EXPECT_EQ(one_more.error(), "the window has 16 connections; close one of them first");
  clients.pop_back();
  for (int i = 0; i < 200 && closed_ == 0; ++i) ::usleep(10'000);
  Client next(path_, false);
  next.ask({{"id", 1}});
  EXPECT_TRUE(next.receive());
}

TEST_F(Echo, ReadsNoMoreFromAClientWhoseFramesAreInWork) {
  finishes_ = false;
  listen({.frames = 2});
  Client client(path_, false);
  for (int i = 0; i < 2; ++i) client.ask({{"id", i}}), client.receive();
  for (int i = 0; i < 3; ++i) client.ask({{"id", 2 + i}});
  ::usleep(100'000);
  EXPECT_EQ(frames_, 2);
}

TEST_F(Echo, RefusesMoreBytesThanItMayHold) {
  listen({.bytes = 1000});
  Client client(path_, false);
  std::string header = write_frame({{}, {}});
  header[13] = 0x10;  // 4096 bytes
  client.send(header + "x");
  EXPECT_EQ(client.error(), "the window is receiving too many arrays at once; try again");
}

}  // namespace
}  // namespace lab::connection
