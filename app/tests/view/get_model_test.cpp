// Models are offered and downloaded in the window; a function that the test steers plays the hub.
#include <gmock/gmock.h>

#include <atomic>
#include <mutex>

#include "app/files/model/catalogue.h"
#include "app/files/model/model_list.h"
#include "app/tests/view/model_screen.h"
#include "app/view/session/get_model.h"
#include "app/view/session/model_download.h"

namespace lab {
namespace {

using hub::GetModelReport;
using hub::GotModel;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// What the hub does in a test: it tells the plan, waits until it may go on, and gives a model that
// is built in.
class FakeHub {
 public:
  Expected<GotModel> get(const std::string& name, const GetModelReport& report) {
    {
      const std::scoped_lock lock(mutex_);
      asked_.push_back(name);
    }
    if (!failure.empty()) return fail(ErrorType::kIo, failure);
    if (!report.begin(plan)) return fail(ErrorType::kFailed, "nothing was downloaded");
    for (int part = 1; part <= 10; ++part) {
      if (part > 5)
        while (!may_end && !report.stopped()) wait();
      const std::int64_t received = plan.size * part / 10;
      if (!report.progress("model.safetensors", {received, plan.size, 1e6}))
        return fail(ErrorType::kFailed, "stopped");
    }
    arrived = true;
    return GotModel{name, files::built_in_models().front().folder};
  }
  std::vector<std::string> asked() {
    const std::scoped_lock lock(mutex_);
    return asked_;
  }
  static void wait() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

  hub::Plan plan{"the repository org/name", "mit", 1000000, 1000000};
  std::string failure;
  std::atomic<bool> may_end = true, arrived = false;

 private:
  std::mutex mutex_;
  std::vector<std::string> asked_;
};

class GettingModels : public ::testing::Test {
 protected:
  GettingModels() : screen(*open_document("refer")) {
    screen.key(Key::kEscape);  // out of the sentence
    state().get_model.get = [this](const std::string& name, const GetModelReport& report) {
      return hub.get(name, report);
    };
    const files::CatalogueModel& model = files::catalogue()[1];
    known = model.name;
    hub.plan.size = hub.plan.missing = model.size;
    hub.plan.licence = model.licence;
    choose("Get a model");
  }
  ~GettingModels() override { state().get_model.download.reset(); }

  void choose(const std::string& command) {
    screen.key(Key::kK, true);
    screen.type(command);
    screen.key(Key::kEnter);
    screen.frames(3);
  }
  ViewState& state() { return screen.view.state(); }
  void click(const std::string& name) {
    screen.click(name);
    screen.frames(2);
  }
  void wait_until(const std::function<bool()>& condition) {
    const auto given_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition()) {
      ASSERT_LT(std::chrono::steady_clock::now(), given_up);
      FakeHub::wait();
      screen.frames();
    }
    screen.frames(3);
  }
  void wait_for(DownloadStep step) {
    wait_until([&] {
      const auto& download = state().get_model.download;
      return download && download->status().step == step;
    });
  }
  void wait_for_model() {
    wait_until([&] { return screen.document().layer.model != nullptr; });
  }

  FakeHub hub;
  std::string known;  // a name of the catalogue that is not the first
  Screen screen;
};

TEST_F(GettingModels, AsksForNothingBeforeAClickThatFollowsSizeAndLicence) {
  ASSERT_EQ(state().dialog.open, Dialog::kGetModel);
  click("get/" + known);
  EXPECT_EQ(state().dialog.path, known);
  EXPECT_THAT(hub.asked(), IsEmpty()) << "it was only chosen";
  click("dialog/ok");
  wait_for_model();
  EXPECT_THAT(hub.asked(), ::testing::ElementsAre(known));
  EXPECT_EQ(screen.document().layer.model->source->name, files::built_in_models().front().name);
  EXPECT_EQ(state().dialog.open, Dialog::kNone);
}

TEST_F(GettingModels, AsksOnceMoreWhereTheLicenceIsAnotherOne) {
  hub.plan.licence = "research only";
  click("get/" + known);
  click("dialog/ok");
  wait_for(DownloadStep::kOffered);
  EXPECT_FALSE(hub.arrived);
  click("dialog/ok");
  wait_for_model();
}

TEST_F(GettingModels, OffersWhatARepositoryHasBeforeItIsDownloaded) {
  screen.type("org/name");
  screen.frames(2);
  click("dialog/ok");
  wait_for(DownloadStep::kOffered);
  EXPECT_FALSE(hub.arrived);
  click("dialog/cancel");
  wait_until([&] { return !state().get_model.download; });
  EXPECT_EQ(state().dialog.path, "org/name") << "it can be typed on";
  EXPECT_FALSE(hub.arrived);
  EXPECT_EQ(screen.document().layer.model, nullptr);
}

TEST_F(GettingModels, IsChosenByKeysAlone) {
  screen.key(Key::kDown);
  screen.key(Key::kDown);
  EXPECT_EQ(state().dialog.path, known);
  screen.key(Key::kEnter);
  wait_for_model();
}

TEST_F(GettingModels, SaysWhatIsNoName) {
  screen.type("../evil");
  screen.frames(2);
  click("dialog/ok");
  EXPECT_THAT(state().dialog.problem, HasSubstr("../evil"));
  EXPECT_THAT(hub.asked(), IsEmpty());
}

TEST_F(GettingModels, StopsAndGoesOn) {
  hub.may_end = false;
  click("get/" + known);
  click("dialog/ok");
  wait_for(DownloadStep::kRunning);
  EXPECT_TRUE(screen.shows("get/progress"));
  click("dialog/cancel");
  wait_for(DownloadStep::kFailed);
  EXPECT_TRUE(state().get_model.download->status().stopped);
  EXPECT_FALSE(hub.arrived);
  hub.may_end = true;
  click("dialog/ok");
  wait_for_model();
  EXPECT_EQ(hub.asked().size(), 2u);
}

TEST_F(GettingModels, SaysWhyItFailed) {
  hub.failure = "the server has too many requests; try again later";
  click("get/" + known);
  click("dialog/ok");
  wait_for(DownloadStep::kFailed);
  EXPECT_EQ(state().dialog.problem, hub.failure);
  EXPECT_EQ(state().dialog.open, Dialog::kGetModel);
  click("dialog/cancel");
  EXPECT_EQ(state().get_model.download, nullptr);
  EXPECT_THAT(state().dialog.problem, IsEmpty());
}

TEST_F(GettingModels, GoesOnInTheBackgroundAndSaysWhenItIsDone) {
  hub.may_end = false;
  click("get/" + known);
  click("dialog/ok");
  wait_for(DownloadStep::kRunning);
  click("dialog/ok");
  EXPECT_EQ(state().dialog.open, Dialog::kNone);
  EXPECT_TRUE(screen.shows("busy"));
  EXPECT_TRUE(screen.view.seconds_to_next_frame(screen.workspace)) << "its progress is followed";
  hub.may_end = true;
  wait_until([&] { return !state().get_model.download; });
  EXPECT_THAT(state().notice, HasSubstr(known));
  EXPECT_EQ(screen.document().layer.model, nullptr) << "what is shown is not replaced";
}

TEST_F(GettingModels, BeginWhereANameOfTheCatalogueIsOpened) {
  screen.key(Key::kEscape);
  screen.frames(2);
  state().requests.ask(request::Leave{destination::Source{known}});
  screen.frames(3);
  EXPECT_EQ(state().dialog.open, Dialog::kGetModel);
  EXPECT_EQ(state().dialog.path, known);
  EXPECT_THAT(hub.asked(), IsEmpty());
}

TEST_F(GettingModels, EndWithTheWindow) {
  hub.may_end = false;
  click("get/" + known);
  click("dialog/ok");
  wait_for(DownloadStep::kRunning);
}

}  // namespace
}  // namespace lab
