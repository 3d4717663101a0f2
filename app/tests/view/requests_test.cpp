// One-time requests to the window.
#include "app/view/state/requests.h"

#include <gtest/gtest.h>

#include "app/tests/rooms.h"

namespace lab {
namespace {

TEST(Requests, KeepTheLatestOfEachKind) {
  Requests requests;
  requests.ask(request::OpenPopup{"fills"});
  requests.ask(request::GiveKeyboard{TextField::kNumber});
  requests.ask(request::OpenPopup{"recent"});
  ASSERT_NE(requests.waiting<request::OpenPopup>(), nullptr);
  EXPECT_EQ(requests.waiting<request::OpenPopup>()->id, "recent");
  EXPECT_NE(requests.waiting<request::GiveKeyboard>(), nullptr);
  EXPECT_EQ(requests.waiting<request::Leave>(), nullptr);
}

TEST(Requests, AreTakenOnce) {
  Requests requests;
  requests.ask(request::OpenFiles{{"a.json"}});
  const auto taken = requests.take<request::OpenFiles>();
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->files, std::vector<std::string>{"a.json"});
  EXPECT_FALSE(requests.take<request::OpenFiles>());
  requests.ask(request::EndLesson{});
  requests.withdraw<request::EndLesson>();
  EXPECT_FALSE(requests.take<request::EndLesson>());
}

TEST(Requests, OfAWidgetWaitForThatVeryOne) {
  Requests requests;
  requests.ask(request::OpenPopup{"recent"});
  EXPECT_FALSE(requests.take(request::OpenPopup{"history"}));
  EXPECT_TRUE(requests.take(request::OpenPopup{"recent"}));
  EXPECT_FALSE(requests.take(request::OpenPopup{"recent"}));
}

}  // namespace
}  // namespace lab
