// How a trained model is viewed is saved with its session.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "app/files/io/bytes.h"
#include "app/files/model/model_session.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/model_screen.h"
#include "app/view/session/view_memory.h"

namespace lab {
namespace {

using attention::network::LayerPlace;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr LayerPlace kFirstLayer{attention::network::Sublayer::kSelf, 0};
constexpr LayerPlace kSecondLayer{attention::network::Sublayer::kSelf, 1};

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

TEST(ModelMemory, AnotherModelIsNotShownLikeTheOneBefore) {
  SavedModelScreen screen;
  screen.look_around();
  screen.open("words");
  const ModelState& model = screen.state().model;
  EXPECT_THAT(model.marked, IsEmpty());
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
  EXPECT_THAT(model.marked, ElementsAre(ModelHead{kFirstLayer, 1}));
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
  EXPECT_THAT(read->notes,
              ElementsAre(testing::HasSubstr("view.model.marked[1]: \"nothing\" is no head")));
  EXPECT_EQ(read->view->head, 2);
}

}  // namespace
}  // namespace lab
