// How a trained model is viewed is saved with its session.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/files/io/bytes.h"
#include "app/files/model/model_session.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/model_screen.h"
#include "app/view/session/view_memory.h"

namespace lab {
namespace {

using attention::network::LayerId;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr LayerId kFirstLayer{attention::network::Sublayer::kSelf, 0};
constexpr LayerId kSecondLayer{attention::network::Sublayer::kSelf, 1};

struct SavedModelScreen : ModelScreen {
  ViewState& state() { return view.state(); }
  void open(const std::string& source) {
    state().requests.ask(request::Leave{destination::Source{source}});
    settle();
  }
  void save_as(const std::string& path) {
    key(Key::kS, true, true);
    frames(2);
    key(Key::kA, true);
    type(path);
    click("dialog/ok");
    settle();
  }
  // Like a user who has found what there is to see.
  void look_around() {
    click("tile/1/2");
    key(Key::kK);
    ctrl_click("tile/0/3");
    state().model.tiles = TileView::kEffect;
    state().model.sorted = true;
    state().model.pinned = {3, 5};
    state().model.answer = attention::network::Answer{.row = 4, .token = 2, .minus = 6};
    select_cell(state().selection, attention::Stage::kWeights, {4, 1});
    settle();
  }

  TemporaryFolder folder;
};

TEST(ModelMemory, ASavedSessionIsShownAsItWasLeft) {
  SavedModelScreen screen;
  screen.look_around();
  const SessionView left = view_of(screen.state());
  ASSERT_EQ(left.model.tiles, "effect");
  ASSERT_THAT(left.model.marked, Not(IsEmpty()));
  ASSERT_THAT(left.model.chosen, Not(IsEmpty()));
  screen.save_as(screen.folder / "mine.json");
  screen.open("words");
  ASSERT_NE(view_of(screen.state()), left);
  screen.open(screen.folder / "mine.json");
  EXPECT_EQ(view_of(screen.state()), left);
  EXPECT_EQ(screen.at(), kSecondLayer);
}

TEST(ModelMemory, MarkedHeadsOfALayerMadeByHandAreSavedToo) {
  SavedModelScreen screen;
  screen.open("refer");
  EXPECT_THAT(screen.state().heads.marked, IsEmpty());
  screen.click("head/2");
  screen.key(Key::kK);
  EXPECT_FALSE(screen.workspace.history().can_undo()) << "a mark is no edit";
  screen.save_as(screen.folder / "mine.json");
  screen.open("words");
  EXPECT_THAT(screen.state().heads.marked, IsEmpty());
  screen.open(screen.folder / "mine.json");
  EXPECT_THAT(screen.state().heads.marked, ElementsAre(HeadRef{kFirstLayer, 1}));
}

TEST(ModelMemory, AnotherModelIsNotShownLikeTheOneBefore) {
  SavedModelScreen screen;
  screen.look_around();
  screen.open("words");
  const ModelState& model = screen.state().model;
  EXPECT_THAT(screen.state().heads.marked, IsEmpty());
  EXPECT_THAT(model.pinned, IsEmpty());
  EXPECT_FALSE(model.answer);
}

TEST(ModelMemory, WhatTheModelDoesNotHaveIsLeftOut) {
  SavedModelScreen screen;
  screen.save_as(screen.folder / "mine.json");
  auto session = nlohmann::json::parse(*read_bytes(screen.folder / "mine.json"));
  session["view"]["model"] = {{"tiles", "unheard of"},
                              {"marked", {"L0H1", "L7H0", "L0H9", "cross.L0H0"}},
                              {"pinned", {2, 4000000}},
                              {"answer", {{"row", 99}, {"token", 2}}}};
  ASSERT_TRUE(write_bytes(screen.folder / "other.json", session.dump()));
  screen.open(screen.folder / "other.json");
  const ModelState& model = screen.state().model;
  EXPECT_EQ(model.tiles, TileView::kAttention);
  EXPECT_THAT(screen.state().heads.marked, ElementsAre(HeadRef{kFirstLayer, 1}));
  EXPECT_THAT(model.pinned, ElementsAre(2));
  EXPECT_FALSE(model.answer);
}

TEST(ModelMemory, AViewThatIsNotUnderstoodKeepsNoSessionFromOpening) {
  SavedModelScreen screen;
  screen.look_around();
  screen.save_as(screen.folder / "mine.json");
  auto session = nlohmann::json::parse(*read_bytes(screen.folder / "mine.json"));
  session["view"]["model"]["marked"] = {"L0H1", "nothing"};
  const auto read = read_model_session(session.dump(), {});
  ASSERT_TRUE(read);
  EXPECT_THAT(read->notes, ElementsAre(HasSubstr("view.model.marked[1]: \"nothing\" is no head")));
  EXPECT_EQ(read->view->head, 2);
}

TEST(ModelMemory, APinBelongsToItsLayer) {
  SavedModelScreen screen;
  screen.click("tile/1/2");
  screen.settle();
  auto& pins = screen.state().inspection.pins;
  pins = {{"weights", 2, 4, 1}};
  screen.click("tile/0/3");
  screen.settle();
  EXPECT_THAT(pins, IsEmpty()) << "it is of the other layer";
  pins = {{"scores", 3, 6, 5}};
  screen.workspace.queue(intent::Apply{SetSentence{"xabcdabc"}});
  screen.settle();
  EXPECT_EQ(pins.front().row, 7) << "it follows its word";
  screen.save_as(screen.folder / "pins.json");
  screen.open("words");
  screen.open(screen.folder / "pins.json");
  EXPECT_EQ(pins, (std::vector<attention::CellRef>{{"scores", 3, 7, 6}}));
  screen.key(Key::kPageDown);
  screen.settle();
  EXPECT_EQ(pins, (std::vector<attention::CellRef>{{"weights", 2, 5, 2}}));
}

TEST(ModelMemory, PinsOfAnyLayerAreDetachedWithTheirWordsAndReturn) {
  SavedModelScreen screen;
  screen.click("tile/1/2");
  screen.settle();
  auto& pins = screen.state().inspection.pins;
  pins = {{"weights", 2, 6, 1}};
  screen.click("tile/0/3");
  screen.settle();
  screen.workspace.queue(intent::Apply{SetSentence{"abcda"}});
  screen.settle();
  EXPECT_TRUE(screen.shows("detached")) << "it is said";
  EXPECT_THAT(screen.state().detached.text, HasSubstr("pin weights, L1H2 · c, b"));
  screen.save_as(screen.folder / "aside.json");
  screen.open("words");
  screen.open(screen.folder / "aside.json");
  screen.workspace.queue(intent::Apply{SetSentence{"abcdabc"}});
  screen.settle();
  EXPECT_THAT(pins, IsEmpty());
  screen.key(Key::kPageDown);
  screen.settle();
  EXPECT_EQ(pins, (std::vector<attention::CellRef>{{"weights", 2, 6, 1}}));
}

// A session of a model that is on a removable disk, say.
struct LostModelScreen : SavedModelScreen {
  LostModelScreen() {
    std::filesystem::copy(files::model_folder("induction").value(), place);
    open(place);
    workspace.queue(intent::Apply{SetHeadMix{.head = 1, .mute = true}});
    settle();
    save_as(session);
    open("words");
  }
  const std::string place = folder / "place", session = folder / "mine.json";
  DialogState& dialog() { return state().dialog; }
  void choose(const std::string& path) {
    key(Key::kA, true);
    type(path);
    click("dialog/ok");
    settle();
  }
  // The model's weights with one bit flipped.
  void damage() {
    std::string weights = *read_bytes(place + "/model.safetensors");
    weights.back() = static_cast<char>(weights.back() ^ 1);
    std::filesystem::remove(place + "/model.safetensors");  // they are mapped
    ASSERT_TRUE(write_bytes(place + "/model.safetensors", weights));
  }
};

TEST(LostModel, IsAskedForAndFoundInItsNewFolder) {
  LostModelScreen screen;
  std::filesystem::rename(screen.place, screen.folder / "now");
  screen.open(screen.session);
  ASSERT_EQ(screen.dialog().open, Dialog::kOpenModel);
  EXPECT_THAT(screen.dialog().problem, HasSubstr("place"));
  EXPECT_THAT(screen.dialog().problem, Not(HasSubstr("--")));
  EXPECT_EQ(screen.model().source->name, "words") << "nothing is left yet";
  EXPECT_FALSE(screen.shows("dialog/changed_model"));
  screen.choose(screen.folder / "now");
  EXPECT_EQ(screen.dialog().open, Dialog::kNone);
  EXPECT_EQ(screen.model().source->name, "now");
  EXPECT_EQ(screen.gains().size(), 1U);
  EXPECT_EQ(screen.workspace.path(), screen.session);
}

TEST(LostModel, IsAskedForWhicheverDialogOpensTheSession) {
  for (const bool as_model : {false, true}) {
    LostModelScreen screen;
    std::filesystem::rename(screen.place, screen.folder / "now");
    if (as_model) {
      screen.key(Key::kK, true);  // the commands
      screen.frames(3);
      screen.type("Open model");
      screen.frames(2);
      screen.click("command/file.open_model");
    } else {
      screen.key(Key::kO, true);
    }
    screen.frames(3);
    screen.choose(screen.session);
    ASSERT_EQ(screen.dialog().open, Dialog::kOpenModel) << as_model;
    ASSERT_TRUE(screen.dialog().lost_model) << as_model;
    screen.choose(screen.folder / "now");
    EXPECT_EQ(screen.model().source->name, "now") << as_model;
  }
}

TEST(LostModel, OfAnotherKindIsAskedForAgain) {
  LostModelScreen screen;
  std::filesystem::rename(screen.place, screen.folder / "now");
  screen.open(screen.session);
  screen.choose("words");
  ASSERT_EQ(screen.dialog().open, Dialog::kOpenModel);
  EXPECT_TRUE(screen.shows("dialog/changed_model"));
  screen.choose(screen.folder / "now" + "/config.json");
  EXPECT_EQ(screen.model().source->name, "now");
}

TEST(LostModel, CanBeOneThatHasChanged) {
  LostModelScreen screen;
  screen.damage();
  screen.open(screen.session);
  ASSERT_EQ(screen.dialog().open, Dialog::kOpenModel);
  screen.click("dialog/ok");
  ASSERT_EQ(screen.dialog().open, Dialog::kOpenModel) << "that was not agreed to";
  screen.click("dialog/changed_model");
  screen.click("dialog/ok");
  screen.settle();
  EXPECT_EQ(screen.dialog().open, Dialog::kNone);
  EXPECT_EQ(screen.model().source->name, "place");
  EXPECT_EQ(screen.gains().size(), 1U);
  EXPECT_THAT(screen.state().notice, HasSubstr("not those that the session was made with"));
}

TEST(LostModel, NeedNotBeFound) {
  LostModelScreen screen;
  std::filesystem::rename(screen.place, screen.folder / "now");
  screen.open(screen.session);
  screen.key(Key::kEscape);
  screen.frames(3);
  EXPECT_EQ(screen.dialog().open, Dialog::kNone);
  EXPECT_EQ(screen.model().source->name, "words");
  screen.key(Key::kK, true);  // the commands
  screen.frames(3);
  screen.type("Open model");
  screen.frames(2);
  screen.click("command/file.open_model");
  ASSERT_EQ(screen.dialog().open, Dialog::kOpenModel);
  EXPECT_FALSE(screen.dialog().lost_model);
}

TEST(LostModel, ThatIsOpenCanStillBeSaved) {
  LostModelScreen screen;
  screen.open(screen.session);
  std::filesystem::rename(screen.place, screen.folder / "now");
  screen.save_as(screen.folder / "later.json");
  EXPECT_EQ(screen.state().error, "");
  const auto saved = open_model_session(screen.folder / "later.json", {screen.folder / "now"});
  ASSERT_TRUE(saved) << saved.error().message;
  EXPECT_TRUE(saved->config) << "its settings are known, too";
  EXPECT_THAT(saved->notes, IsEmpty());
}

}  // namespace
}  // namespace lab
