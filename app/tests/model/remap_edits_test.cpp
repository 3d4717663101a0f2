// What is done to single numbers of a model follows its tokens through edits of the texts.
#include "app/document/model/remap_edits.h"

#include <gmock/gmock.h>

#include <map>
#include <random>

#include "app/document/listed_edits.h"
#include "app/document/words/detached_text.h"
#include "app/tests/model/model_bench.h"
#include "app/tests/model/support.h"

namespace lab {
namespace {

using attention::Index;
using attention::Stage;
using attention::network::CellOverride;
using attention::network::Interventions;
using attention::network::LayerId;
using attention::network::StreamOverride;
using attention::network::Sublayer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Ids = std::vector<std::uint32_t>;

ModelDocument of_words(const std::string& text) {
  auto model = std::make_shared<const Model>(opened_model("words"));
  return make_model_document(std::move(model), {text, {}}).value();
}

ModelDocument typed(const ModelDocument& document, const std::string& text) {
  return with_texts(document, {text, {}}, {}).value();
}

CellOverride weight(Index row, Index col, float value, const LayerId& at = kFirst) {
  return {at, {Stage::kWeights, 0, row, col, value}};
}

TEST(RemapEdits, OverridesStandOnTheirTokensWhereverTheseAre) {
  ModelDocument document = of_words("the cat sat on the mat");
  document.interventions.overrides = {weight(2, 1, 0.5f), {kFirst, {Stage::kV, 1, 1, 3, 2}}};
  document.interventions.stream = {{kFirst, 2, 7, 0.25f}};
  const ModelDocument longer = typed(document, "and then the cat sat on the mat");
  EXPECT_THAT(longer.interventions.overrides,
              ElementsAre(weight(4, 3, 0.5f), CellOverride{kFirst, {Stage::kV, 1, 3, 3, 2}}));
  EXPECT_THAT(longer.interventions.stream, ElementsAre(StreamOverride{kFirst, 4, 7, 0.25f}));
  EXPECT_EQ(longer.detached, DetachedEdits());
  EXPECT_EQ(detached_or_returned_text(document, longer), "");
}

TEST(RemapEdits, WhatIsOnAGoneTokenIsSaidAndComesBackWithIt) {
  ModelDocument document = of_words("the cat sat on the mat");
  document.interventions.overrides = {weight(2, 1, 0.5f), weight(5, 2, 0.75f)};
  const ModelDocument without = typed(document, "the sat on the mat");
  EXPECT_THAT(without.interventions.overrides, ElementsAre(weight(4, 1, 0.75f)));
  EXPECT_THAT(detached_or_returned_text(document, without), HasSubstr("Detached with “·cat”"));
  EXPECT_THAT(detached_or_returned_text(document, without),
              HasSubstr("override L0H0 weights · ·sat, ·cat = 0.5"));
  const ModelDocument other = typed(without, "and the old sat on the mat");
  const ModelDocument again = typed(other, "and the cat sat on the mat");
  EXPECT_THAT(again.interventions.overrides, ElementsAre(weight(6, 3, 0.75f), weight(3, 2, 0.5f)));
  EXPECT_EQ(again.detached, DetachedEdits());
  EXPECT_EQ(detached_or_returned_text(other, again),
            "1 override or patch that had been detached: back");
}

TEST(RemapEdits, WhatIsSwitchedOffFollowsToo) {
  ModelDocument document = of_words("the cat sat on the mat");
  document.interventions.overrides = {weight(2, 1, 0.5f)};
  document = with_switched(document, edits_of(document).front(), false);
  ASSERT_THAT(document.interventions.overrides, IsEmpty());
  const ModelDocument longer = typed(document, "and the cat sat");
  EXPECT_THAT(longer.switched_off.overrides, ElementsAre(weight(3, 2, 0.5f)));
  const ModelDocument without = typed(longer, "and the sat");
  EXPECT_THAT(without.switched_off.overrides, IsEmpty());
  EXPECT_EQ(edits_of(without).front().effect, ListedEdit::Effect::kDetached);
  EXPECT_THAT(typed(without, "the cat sat").switched_off.overrides,
              ElementsAre(weight(2, 1, 0.5f)));
}

TEST(RemapEdits, CrossAttentionStandsOnTokensOfBothTexts) {
  ModelDocument document = make_model_document(std::make_shared<const Model>(opened_golden("bart")),
                                               {std::nullopt, {5, 6, 7}}, {std::nullopt, {2, 4}})
                               .value();
  const LayerId cross{Sublayer::kCross, 0}, encoder{Sublayer::kEncoder, 0};
  document.interventions.overrides = {weight(1, 2, 0.5f, cross), weight(1, 2, 0.25f, encoder),
                                      weight(1, 0, 0.75f)};
  const auto change = [&](const ModelDocument& from, Ids ids, Ids decoder_ids) {
    return with_texts(from, {std::nullopt, std::move(ids)}, {std::nullopt, std::move(decoder_ids)})
        .value();
  };
  const ModelDocument both = change(document, {9, 5, 6, 7}, {2, 8, 4});
  EXPECT_THAT(
      both.interventions.overrides,
      ElementsAre(weight(2, 3, 0.5f, cross), weight(2, 3, 0.25f, encoder), weight(2, 0, 0.75f)));
  const ModelDocument less = change(both, {9, 5, 7}, {2, 8, 4});
  EXPECT_THAT(less.interventions.overrides,
              ElementsAre(weight(2, 2, 0.5f, cross), weight(2, 0, 0.75f)));
  const ModelDocument least = change(less, {9, 5, 7}, {2, 8});
  EXPECT_THAT(least.interventions.overrides, IsEmpty());
  EXPECT_EQ(change(least, {5, 6, 7}, {2, 4}).interventions.overrides.size(), 3U);
}

// Which values stand on which tokens, by their ids; those that are detached count too.
std::multimap<float, std::pair<std::string, std::string>> standing(const ModelDocument& model) {
  std::multimap<float, std::pair<std::string, std::string>> all;
  const TokenLine line = text_line(model);
  std::vector<Index> places = token_indices(line);
  const auto add = [&](const CellOverride& one, Index row, Index col) {
    all.emplace(one.cell.value, std::pair(line[row].token.text, line[col].token.text));
  };
  for (const CellOverride& one : model.interventions.overrides)
    add(one, places[one.cell.row], places[one.cell.col]);
  for (const CellOverride& one : model.detached.edits.overrides)
    add(one, one.cell.row, one.cell.col);
  return all;
}

TEST(RemapEdits, NothingIsLostOrMovedToAnotherTokenByRandomTexts) {
  std::mt19937 engine(7);
  const auto below = [&](std::size_t count) { return engine() % count; };
  const auto random_ids = [&] {
    Ids ids(1 + below(7));
    for (auto& id : ids) id = static_cast<std::uint32_t>(3 + below(4));
    return ids;
  };
  const auto model = std::make_shared<const Model>(opened_golden("gpt2"));
  for (int turn = 0; turn < 200; ++turn) {
    ModelDocument document = make_model_document(model, {std::nullopt, random_ids()}).value();
    const std::size_t n = document.text.ids.size();
    for (int i = 0; i < 3; ++i)
      document.interventions.overrides.push_back(
          weight(static_cast<Index>(below(n)), static_cast<Index>(below(n)),
                 static_cast<float>(turn * 10 + i), {Sublayer::kSelf, static_cast<Index>(i % 2)}));
    document.interventions.overrides[2].cell.head = 1;
    const auto before = standing(document);
    for (int edit = 0; edit < 6; ++edit) {
      document = with_texts(document, {std::nullopt, random_ids()}, {}).value();
      ASSERT_EQ(standing(document), before);
    }
  }
}

}  // namespace
}  // namespace lab
