// Files that are dropped on the window, by a program that does it as a file manager does.

#include <gmock/gmock.h>

#include "app/platform/window.h"
#include "app/tests/platform/x11_client.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class DropOnScreen : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = Window::open({.width = 300, .height = 200});
    ASSERT_TRUE(opened) << opened.error().message;
    window = std::move(*opened);
    window->poll_events();
  }
  std::vector<std::string> drop(const std::string& uri_list) {
    EXPECT_TRUE(client.drop(uri_list));
    window->poll_events();
    return window->take_dropped_files();
  }

  std::unique_ptr<Window> window;
  X11Client client{[this] { window->poll_events(); }};
};

TEST_F(DropOnScreen, SeveralFilesComeInOrderAndOnce) {
  EXPECT_THAT(drop("file:///tmp/one.json\r\nfile:///tmp/two.npz\r\nfile:///tmp/three.json\r\n"),
              ElementsAre("/tmp/one.json", "/tmp/two.npz", "/tmp/three.json"));
  EXPECT_THAT(window->take_dropped_files(), IsEmpty());
}

TEST_F(DropOnScreen, NamesAreBytes) {
  EXPECT_THAT(drop("file:///tmp/a%20b.json\r\nfile:///tmp/100%25.json\r\n"
                   "file:///tmp/Gr%C3%B6%C3%9Fe.json\r\nfile:///tmp/%E0%B9%84%E0%B8%97%E0%B8%A2\r\n"
                   "file:///tmp/%22it's%22.json\r\n"),
              ElementsAre("/tmp/a b.json", "/tmp/100%.json", "/tmp/Größe.json", "/tmp/ไทย",
                          "/tmp/\"it's\".json"));
}

TEST_F(DropOnScreen, AFolderIsHandedOnLikeAFile) {
  EXPECT_THAT(drop("file:///tmp/some%20folder\r\n"), ElementsAre("/tmp/some folder"));
}

TEST_F(DropOnScreen, ManyFilesAtOnce) {
  std::string list;
  for (int i = 0; i < 500; ++i) list += "file:///tmp/" + std::string(80, 'x') + "\r\n";
  EXPECT_EQ(drop(list).size(), 500u);
}

}  // namespace
}  // namespace lab
