// Every panel with every kind of document, at several sizes and in both themes.
#include <gtest/gtest.h>

#include <limits>

#include "app/document/commands/reducer.h"
#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

Document example(const std::string& name) {
  auto document = open_document(name);
  EXPECT_TRUE(document.has_value());
  return *document;
}

Document sized(const std::string& sentence, int heads, int d_model, int d_k) {
  attention::Config config;
  config.n_heads = heads;
  config.d_model = config.d_out = d_model;
  config.d_k = config.d_v = d_k;
  return make_document(sentence, config, 7);
}

Document with_bad_numbers() {
  Document document = sized("one two three", 2, 4, 2);
  document.problem.parameters.heads[0].W_Q.edit([](attention::Matrix& W) {
    W(0, 0) = std::numeric_limits<float>::quiet_NaN();
    W(1, 1) = -std::numeric_limits<float>::infinity();
  });
  document.problem.embedding.edit(
      [](attention::Matrix& X) { X(1, 1) = std::numeric_limits<float>::infinity(); });
  return document;
}

// Queries that may attend to no key, and scores of −∞.
Document forbidden() {
  Document document = sized("one two three four", 2, 4, 2);
  for (int key = 0; key < 4; ++key)
    document = lab::apply(document, SetCell{{MatrixId::kMask, 0}, 1, key, 0}).value();
  document =
      lab::apply(document,
                 SetCell{{MatrixId::kScoreBias, 0}, 2, 0, -std::numeric_limits<float>::infinity()})
          .value();
  return lab::apply(document, SetOverride{{attention::Stage::kScores, 0, 3, 3},
                                          -std::numeric_limits<float>::infinity()})
      .value();
}

Document causal() {
  Document document = sized("a b c d", 2, 4, 2);
  document.problem.config.mask.causal = true;
  return document;
}

std::string long_sentence(int words) {
  std::string text = "word0";
  for (int i = 1; i < words; ++i) text += " word" + std::to_string(i);
  return text;
}

// A document with everything that a command can switch on; norms and a cap only without a second
// sentence, whose own cards would move those of the weights below the window.
Document every_variant(attention::Positions positions, const std::string& keys) {
  Document document = sized("the cat sat on the mat", 4, 8, 4);
  std::vector<Command> commands = {SetKvSentence{keys},
                                   SetSize{SizeId::kKvHeads, 2},
                                   SetMask{true, 3, 4},
                                   SetCell{{MatrixId::kMask, 0}, 2, 1, 0},
                                   SetCell{{MatrixId::kScoreBias, 0}, 1, 1, 0.5f},
                                   SetPositions{.type = positions},
                                   SetDropout{0.3f, 7},
                                   SetHeadMix{.head = 1, .mute = true},
                                   SetOverride{{attention::Stage::kScores, 0, 1, 1}, 2},
                                   SetResidual{true},
                                   SetLayerNorm{true}};
  if (keys.empty()) commands.insert(commands.end(), {SetHeadNorm{true}, SetScoreCap{50}});
  for (const Command& command : commands) document = lab::apply(document, command).value();
  return document;
}

struct Case {
  const char* name;
  Document (*make)();
};

const Case kCases[] = {
    {"refer", [] { return example("refer"); }},
    {"cat_sat", [] { return example("cat-sat"); }},
    {"paper_size", [] { return example("paper-size"); }},
    {"one_token", [] { return sized("x", 1, 1, 1); }},
    {"many_tokens", [] { return sized(long_sentence(700), 2, 8, 4); }},
    {"most_tokens", [] { return sized(long_sentence(attention::Limits::kSeqLen), 1, 2, 1); }},
    {"widest_model", [] { return sized("a b", 1, attention::Limits::kDModel, 2); }},
    {"bytes", [] { return sized("cat \xE0\xB8 \xFF", 2, 4, 2); }},
    {"many_heads", [] { return sized("a b c", 64, 8, 2); }},
    {"bad_numbers", with_bad_numbers},
    {"minus_infinity", forbidden},
    {"causal", causal},
    {"every_variant", [] { return every_variant(attention::Positions::kRotary, ""); }},
    {"cross_attention",
     [] { return every_variant(attention::Positions::kLearned, "le chat dort la"); }},
    {"every_script",
     [] {
       return sized(
           "แมวนั่งบนเสื่อ 猫が座った قطة बिल्ली "
           "🙂",
           2, 4, 2);
     }},
};

class EveryPanel : public testing::TestWithParam<Case> {};

TEST_P(EveryPanel, DrawsInsideTheWindowAtEverySize) {
  for (const ImVec2 size : {ImVec2{1024, 640}, ImVec2{1600, 1000}, ImVec2{2560, 1440}}) {
    Screen screen(GetParam().make(), size);
    for (const bool dark : {false, true}) {
      screen.view.state().theme = dark ? ThemeId::kDark : ThemeId::kLight;
      screen.frames(2);
      EXPECT_GT(screen.view.widgets().widgets().size(), 20U);
      for (const auto& [name, rect] : screen.view.widgets().widgets()) {
        EXPECT_GE(rect.x, 0) << name;
        EXPECT_GE(rect.y, 0) << name;
        EXPECT_LE(rect.right(), size.x) << name;
        EXPECT_LE(rect.bottom(), size.y) << name;
      }
    }
  }
}

TEST_P(EveryPanel, SurvivesEveryHeadStageAndTab) {
  Screen screen(GetParam().make());
  const int heads = screen.document().problem.config.n_heads;
  for (const int head : {0, heads - 1}) {
    screen.view.state().head = head;
    for (const attention::Stage stage : attention::kAllStages) {
      if (stage == attention::Stage::kX) continue;
      select_cell(screen.view.state().selection, stage, {100000, 100000});
      screen.frames();
    }
    for (const MatrixId id :
         {MatrixId::kX, MatrixId::kWQ, MatrixId::kWK, MatrixId::kWV, MatrixId::kWO}) {
      screen.view.state().edit.matrix = id;
      screen.frames();
    }
  }
  EXPECT_TRUE(screen.workspace.message().empty());
}

// Expects every panel to be present, and nothing to be outside the window.
void expect_whole(Screen& screen) {
  for (const char* name : {"menu/File", "sentence", "button/tokenizer", "model/d_model",
                           "model/temperature", "tab/W_Q", "tokens/query", "tokens/key", "head/1",
                           "card/Q", "card/weights", "explain/back", "head/enabled"})
    EXPECT_TRUE(screen.shows(name)) << name;
  const std::string chip = "chip/" + std::to_string(screen.view.state().selection.query);
  EXPECT_TRUE(screen.shows(chip)) << chip;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  for (const auto& [name, rect] : screen.view.widgets().widgets())
    EXPECT_TRUE(rect.x >= 0 && rect.y >= 0 && rect.right() <= size.x && rect.bottom() <= size.y)
        << name;
}

TEST_P(EveryPanel, SurvivesEveryViewOfHeadsLinesAndCompare) {
  Screen screen(GetParam().make(), {1600, 1300});
  ViewState& state = screen.view.state();
  const auto draw_all_views = [&](const std::string& what) {
    SCOPED_TRACE(what);
    for (const HeadView view : {HeadView::kFocused, HeadView::kMean, HeadView::kMaximum,
                                HeadView::kDifference, HeadView::kBeside, HeadView::kOverlaid}) {
      state.heads.view = view;
      screen.frames();
      expect_whole(screen);
    }
    for (const TokenLines lines : {TokenLines::kQuery, TokenLines::kAll, TokenLines::kHeads}) {
      state.tokens.lines = lines;
      screen.frames();
      expect_whole(screen);
    }
  };
  draw_all_views("alone");
  screen.key(Key::kD, true);
  screen.workspace.queue(intent::Apply{SetTemperature{3}});
  screen.frames();
  for (const CompareView view : {CompareView::kA, CompareView::kB, CompareView::kDifference}) {
    state.compare.view = view;
    draw_all_views("compared " + std::to_string(static_cast<int>(view)));
    EXPECT_TRUE(screen.shows("compare/end"));
  }
}

TEST_P(EveryPanel, SurvivesThePointerOnEveryKindOfWidget) {
  Screen screen(GetParam().make(), {1600, 1300});
  std::map<std::string, Rect> types;  // one of each, by its name without numbers
  for (const auto& [name, rect] : screen.view.widgets().widgets()) {
    std::string type = name;
    std::erase_if(type, [](char c) { return c >= '0' && c <= '9'; });
    types[type] = rect;
  }
  EXPECT_GT(types.size(), 50U);
  for (const auto& [type, rect] : types) {
    screen.move({rect.x + rect.w / 2, rect.y + rect.h / 2});
    screen.frames();
  }
  expect_whole(screen);
}

TEST_P(EveryPanel, SurvivesAnEmptySentenceBoxLargeCardsAndPresenting) {
  Screen screen(GetParam().make(), {1600, 1300});
  const std::string sentence = screen.document().sentence;
  screen.key(Key::kA, true);
  screen.key(Key::kDelete);
  expect_whole(screen);
  EXPECT_EQ(screen.document().sentence, sentence) << "an empty one is refused";
  EXPECT_TRUE(screen.shows("message"));
  screen.key(Key::kEscape);
  screen.click("large/weights");
  EXPECT_TRUE(screen.shows("card/weights"));
  screen.key(Key::kEscape);
  for (const attention::Stage stage : attention::kAllStages) {
    select_cell(screen.view.state().selection, stage, {0, 0});
    screen.frames();
    screen.view.state().present.on = true;
    screen.frames(2);
    EXPECT_TRUE(screen.shows("present/next"));
    screen.view.state().present.on = false;
    screen.frames();
  }
}

TEST_P(EveryPanel, UploadsNothingWhileNothingChanges) {
  Screen screen(GetParam().make());
  const auto uploads = screen.sink.uploads();
  screen.frames(3);
  EXPECT_EQ(screen.sink.uploads(), uploads);
}

INSTANTIATE_TEST_SUITE_P(Documents, EveryPanel, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Panels, CardsOfOneSizeDoNotOverlap) {
  for (const ImVec2 size : {ImVec2{1024, 640}, ImVec2{1280, 800}, ImVec2{1600, 1000}}) {
    Screen screen(causal(), size);
    std::map<std::string, Rect> cards = screen.view.widgets().widgets();
    std::erase_if(cards, [](const auto& item) { return !item.first.starts_with("card/"); });
    EXPECT_GE(cards.size(), 3U);
    for (const auto& [name, a] : cards) {
      for (const auto& [other, b] : cards) {
        const bool apart =
            a.right() <= b.x || b.right() <= a.x || a.bottom() <= b.y || b.bottom() <= a.y;
        EXPECT_TRUE(name == other || apart) << name << " and " << other;
      }
    }
  }
}

TEST(Panels, AChangeOfPaletteOrThemeUploadsNoValues) {
  Screen screen(example("refer"));
  const auto values = [&] {
    return std::ranges::count_if(screen.sink.alive, [](const auto& item) { return item.second; });
  };
  const auto before = values();
  const auto first = screen.sink.painted.size();
  screen.view.state().weights_palette = Palette::kViridis;
  screen.view.state().theme = ThemeId::kDark;
  screen.frames(2);
  EXPECT_EQ(values(), before);
  EXPECT_EQ(screen.sink.painted.size(), first);
  EXPECT_TRUE(std::ranges::any_of(screen.sink.painted, [](const HeatMapPaint& paint) {
    return paint.palette == Palette::kViridis && paint.dark;
  }));
}

TEST(Panels, MapsThatAreNoLongerShownAreReleased) {
  Screen screen(example("refer"));
  for (int i = 0; i < 50; ++i) {
    screen.workspace.queue(intent::Apply{SetCell{{MatrixId::kWQ, 0}, 0, 0, static_cast<float>(i)}});
    screen.workspace.drain();
    screen.frames();
  }
  const auto maps =
      std::ranges::count_if(screen.sink.alive, [](const auto& item) { return item.second; });
  EXPECT_LT(maps, 40);
}

}  // namespace
}  // namespace lab
