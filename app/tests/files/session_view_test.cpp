#include <nlohmann/json.hpp>

#include "app/files/session/session.h"
#include "app/tests/files/support.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using attention::Stage;
using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Another value than the default for every member.
SessionView changed_view() {
  return {
      .head = 2,
      .second_head = 0,
      .further_heads = {3, 1},
      .selected = {Stage::kScores, 0, 1, 2},
      .pins = {{Stage::kWeights, 1, 2, 3}, {Stage::kOutput, 0, 4, 5}},
      .detached_pins = {.queries = {{{"cat", "cat"}, 0}},
                        .keys = {{{"cat", "cat"}, 0}, {{"mat", "cat 2"}, 3}},
                        .pins = {{Stage::kScores, 1, 0, 4}}},
      .zoom = {{Stage::kWeights, {0.25f, 0.1f, 0.5f, 0.3f}}},
      .large = Stage::kWeights,
      .colours = {"locked", "log"},
      .own_colours = {{Stage::kScores, {"robust", "sqrt"}}, {Stage::kQ, {}}},
      .locked = {{Stage::kScores, {-2.5f, 0.1f}}, {Stage::kWeights, {0, 0.7f}}},
      .heads_order = "entropy",
      .heads_shown = "mean",
      .token_lines = "all",
      .weights_palette = "viridis",
      .edited = "W_O",
      .edited_row = 3,
      .edited_col = 1,
      .model = {.tiles = "effect",
                .sorted = true,
                .chosen = {{{attention::network::Sublayer::kEncoder, 2}, 1}},
                .marked = {{{attention::network::Sublayer::kSelf, 0}, 3}},
                .answer = attention::network::Answer{.row = 4, .token = 262, .minus = 5},
                .pinned = {262, 5},
                .pins = {{{attention::network::Sublayer::kSelf, 1}, {Stage::kWeights, 2, 3, 4}}},
                .detached_pins = {{{attention::network::Sublayer::kSelf, 0}, {Stage::kQ, 1, 0, 2}}},
                .layer = attention::network::LayerId{attention::network::Sublayer::kSelf, 1}}};
}

json with_view(const json& view) {
  json root = json::parse(small_session());
  root["view"] = view;
  return root;
}

Session opened(const json& root) { return value_of(read_whole_session(root.dump())); }

TEST(SessionView, ReadsBackAsItWas) {
  const Document document = value_of(read_session(small_session()));
  const std::string text = write_session(document, changed_view());
  const Session session = value_of(read_whole_session(text));
  ASSERT_TRUE(session.view);
  EXPECT_EQ(*session.view, changed_view());
  EXPECT_THAT(session.notes, IsEmpty());
  EXPECT_EQ(write_session(session.document, session.view), text);
}

TEST(SessionView, IsMissingWhereTheFileSaysNothingOfIt) {
  EXPECT_FALSE(value_of(read_whole_session(small_session())).view);
  const Document document = value_of(read_session(small_session()));
  EXPECT_FALSE(value_of(read_whole_session(write_session(document))).view);
}

TEST(SessionView, CountsHeadsFromOneInTheFile) {
  const Document document = value_of(read_session(small_session()));
  const json root = json::parse(write_session(document, changed_view()));
  EXPECT_EQ(root["view"]["head"], 3);
  EXPECT_EQ(root["view"]["pins"][0]["head"], 2);
}

TEST(SessionView, WhatIsNotUnderstoodIsLeftOutAndSaid) {
  const Session session = opened(with_view({{"head", 0},
                                            {"second_head", 5},
                                            {"further_heads", {2, 0}},
                                            {"selected", {{"stage", "scores"}}},
                                            {"pins", {{{"stage", "wieghts"}, {"row", 0}}}},
                                            {"pins_aside", {{"queries", {{{"before", 0}}}}}},
                                            {"zoom", {{"weights", {0, 0, 2, 1}}}},
                                            {"locked", {{"weights", {1, 0}}}},
                                            {"large", 3},
                                            {"edited", {{"matrix", "W_X"}}}}));
  ASSERT_TRUE(session.view);
  SessionView rest;
  rest.second_head = 4;
  EXPECT_EQ(*session.view, rest);
  EXPECT_THAT(session.notes,
              ElementsAre(HasSubstr("view.head: 0, should be"),
                          HasSubstr("view.further_heads[1]: 0, should be"),
                          HasSubstr("view.selected.row: is missing"),
                          HasSubstr("view.pins[0].stage: \"wieghts\" is no stage"),
                          HasSubstr("view.pins_aside.queries[0].text: is missing"),
                          HasSubstr("view.zoom.weights: should be x, y, width and height"),
                          HasSubstr("view.large: 3, should be text"),
                          HasSubstr("view.locked.weights: should be two numbers"),
                          HasSubstr("view.edited.matrix: \"W_X\" is no matrix")));
}

TEST(SessionView, SomethingElseInItsPlaceIsLeftOut) {
  EXPECT_THAT(opened(with_view(7)).notes, ElementsAre(HasSubstr("view should be an object")));
}

TEST(SessionVersions, TheMaskOfVersion1IsBroughtUpToDate) {
  json root = json::parse(small_session());
  ASSERT_EQ(root["version"], 1);
  EXPECT_FALSE(opened(root).document.problem.config.mask.causal);
  root["config"]["mask"] = "causal";
  const Session session = opened(root);
  EXPECT_TRUE(session.document.problem.config.mask.causal);
  EXPECT_THAT(session.notes, IsEmpty());
  const json again = json::parse(write_session(session.document));
  EXPECT_EQ(again["version"], kSessionVersion);
  EXPECT_EQ(again["config"]["causal"], true);
}

// What a program of the future may have written.
json newer_session() {
  json root = json::parse(write_session(value_of(read_session(small_session()))));
  root["version"] = kSessionVersion + 1;
  root["mixture"] = {{"experts", 4}};
  root["config"]["positions"] = "spiral";
  root["overrides"] = {{{"stage", "cache"}, {"row", 0}, {"col", 0}, {"value", 1}}};
  return root;
}

TEST(SessionVersions, ANewerOneIsOpenedAsFarAsItIsUnderstood) {
  const Session session = opened(newer_session());
  EXPECT_TRUE(session.newer);
  EXPECT_EQ(session.document.sentence, "a b a");
  EXPECT_EQ(session.document.problem.config.positions, attention::Positions::kNone);
  EXPECT_THAT(session.document.problem.overrides, IsEmpty());
  EXPECT_THAT(session.notes, ElementsAre(HasSubstr("of version 3, newer than this program"),
                                         HasSubstr("config.positions: \"spiral\""),
                                         HasSubstr("overrides[0].stage: \"cache\" is no stage")));
}

TEST(SessionVersions, TheSameInAKnownVersionIsAnError) {
  json root = newer_session();
  root["version"] = kSessionVersion;
  EXPECT_FALSE(read_whole_session(root.dump()));
}

TEST(SessionVersions, ANewerOneWithoutItsMatricesIsRefused) {
  json root = newer_session();
  root.erase("heads");
  const auto session = read_whole_session(root.dump());
  ASSERT_FALSE(session);
  EXPECT_THAT(session.error().message, HasSubstr("heads: is missing; the session is of version 3"));
}

}  // namespace
}  // namespace lab
