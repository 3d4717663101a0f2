#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "app/document/commands/between.h"
#include "app/document/commands/reducer.h"
#include "app/explain/stage_text.h"
#include "app/figure/animation/animation_file.h"
#include "app/figure/animation/animation_types.h"
#include "app/tests/figure/film.h"
#include "app/tests/figure/samples.h"
#include "app/tests/rooms.h"

namespace lab {
namespace {

using attention::Stage;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr double kDpi = 72;

Document words(int heads = 2) { return sample("", "The cat saw the dog that ran", heads).document; }

FigureOptions small() {
  FigureOptions options;
  options.width_mm = 60;
  return options;
}

FigureOptions of_stage(Stage stage) {
  FigureOptions options = small();
  options.stage = stage;
  return options;
}

/// The temperature from 0.2 to 4 and back in 8 pictures.
Animation cooling(const FigureOptions& options = small()) {
  return sweep_animation(words(), options, SetTemperature{}, 0.2f, 4, {5, 15, true});
}

/// An embedding's cell, which moves every score of its word.
Animation moving_word(const FigureOptions& options, int steps = 5) {
  return sweep_animation(words(), options, SetCell{{MatrixId::kX, 0}, 1, 0, 0}, -20, 20,
                         {steps, 15, false});
}

std::string file_of(const Animation& animation, const char* ending) {
  const auto bytes = animation_file(animation, *animation_format(ending), {kDpi, {}, nullptr});
  EXPECT_TRUE(bytes) << bytes.error().message;
  return bytes.value_or("");
}

Film film_of(const Animation& animation, const char* ending) {
  const std::string bytes = file_of(animation, ending);
  return std::string_view(ending) == ".gif" ? film_in_gif(bytes) : film_in_webp(bytes);
}

/// Every figure, in order.
std::vector<Figure> figures_of(const Animation& animation) {
  auto figures = AnimationFigures::measured(animation);
  EXPECT_TRUE(figures) << figures.error().message;
  std::vector<Figure> all;
  for (int i = 0; figures && i < figures->count(); ++i)
    all.push_back(figures->at(i).value().figure);
  return all;
}

Expected<std::string> failed(const Animation& animation, const char* ending = ".webp",
                             double dpi = kDpi) {
  return animation_file(animation, *animation_format(ending), {dpi, {}, nullptr});
}

int largest_difference(const FigureImage& a, const FigureImage& b) {
  int largest = 0;
  EXPECT_EQ(a.rgba.size(), b.rgba.size());
  for (std::size_t i = 0; i < std::min(a.rgba.size(), b.rgba.size()); ++i)
    largest = std::max(largest, std::abs(a.rgba[i] - b.rgba[i]));
  return largest;
}

TEST(Animation, StandsAsLongAsItSaysAndIsRepeated) {
  const Film webp = film_of(cooling(), ".webp"), gif = film_of(cooling(), ".gif");
  EXPECT_THAT(webp.milliseconds, ElementsAre(500, 66, 67, 67, 500, 67, 67, 66));
  EXPECT_THAT(gif.milliseconds, ElementsAre(500, 70, 60, 70, 500, 70, 60, 70));
  EXPECT_EQ(webp.repeats, 0);
  EXPECT_EQ(gif.repeats, 0);
  EXPECT_EQ(webp.width, std::ceil(60 / 25.4 * 72));
  EXPECT_EQ(gif.width, webp.width);
  EXPECT_EQ(gif.height, webp.height);
}

TEST(Animation, FramesOfWebpAreThePixelsOfTheirFigures) {
  FigureOptions options = of_stage(Stage::kScores);
  for (const bool dark : {false, true}) {
    options.dark = options.annotate = dark;
    const Animation animation = moving_word(options);
    const std::vector<Figure> figures = figures_of(animation);
    const Film film = film_of(animation, ".webp");
    ASSERT_THAT(film.frames, SizeIs(figures.size()));
    for (std::size_t i = 0; i < figures.size(); ++i)
      EXPECT_EQ(film.frames[i].rgba, figure_pixels(figures[i], kDpi / 72).rgba) << i;
  }
}

TEST(Animation, FramesOfGifAreNearlyThose) {
  const Animation animation = moving_word(of_stage(Stage::kScores));
  const Film webp = film_of(animation, ".webp"), gif = film_of(animation, ".gif");
  ASSERT_THAT(gif.frames, SizeIs(webp.frames.size()));
  for (std::size_t i = 0; i < gif.frames.size(); ++i)
    EXPECT_LE(largest_difference(gif.frames[i], webp.frames[i]), 12) << i;
}

TEST(Animation, TransparentPicturesAreOfWebpAlone) {
  FigureOptions options = small();
  options.transparent = true;
  const Film film = film_of(cooling(options), ".webp");
  ASSERT_THAT(film.frames, SizeIs(8));
  for (const FigureImage& frame : film.frames) EXPECT_EQ(frame.rgba[3], 0);
  const auto gif = failed(cooling(options), ".gif");
  ASSERT_FALSE(gif);
  EXPECT_EQ(gif.error().type, ErrorType::kUsage);
  EXPECT_THAT(gif.error().message, HasSubstr("transparent"));
}

TEST(Animation, IsTheSameBytesEveryTime) {
  for (const char* ending : {".webp", ".gif"})
    EXPECT_EQ(file_of(moving_word(small()), ending), file_of(moving_word(small()), ending))
        << ending;
}

TEST(Animation, HasOneRangeForAllFrames) {
  float widest = 0;
  std::set<float> ends;
  const Animation animation = moving_word(of_stage(Stage::kScores));
  for (const Figure& figure : figures_of(animation)) {
    const auto map = shapes_of<shape::HeatMap>(figure).front();
    EXPECT_EQ(map.range.lo, -map.range.hi);
    ends.insert(map.range.hi);
    widest = std::max(widest, map.values.cwiseAbs().maxCoeff());
  }
  EXPECT_THAT(ends, ElementsAre(widest));
}

TEST(Animation, KeepsARangeThatWasFixed) {
  FigureOptions options = of_stage(Stage::kScores);
  options.range_rule = RangeRule::kFixed;
  options.range = {-3, 5};
  for (const Figure& figure : figures_of(moving_word(options)))
    EXPECT_EQ(shapes_of<shape::HeatMap>(figure).front().range, options.range);
}

TEST(Animation, NumbersInCellsKeepTheirSize) {
  FigureOptions options = of_stage(Stage::kScores);
  options.annotate = true, options.width_mm = 80;
  std::set<double> sizes;
  for (const Figure& figure : figures_of(moving_word(options)))
    for (const shape::Text& text : shapes_of<shape::Text>(figure))
      if (text.align == shape::Align::kCentre && text.text.find('.') != text.text.npos)
        sizes.insert(text.size);
  EXPECT_THAT(sizes, SizeIs(1));
}

TEST(Animation, AllPagesHaveOneSizeAndAllMapsOnePlace) {
  Document masked = words();
  masked.problem.config.mask.causal = true;
  const auto figures = figures_of(
      states_animation({{words(), "before"}, {masked, "after"}}, of_stage(Stage::kMaskedScores)));
  ASSERT_THAT(figures, SizeIs(2));
  EXPECT_THAT(texts_of(figures[1]), testing::Contains(HasSubstr("masked")));
  EXPECT_EQ(figures[0].height, figures[1].height);
  const auto before = shapes_of<shape::HeatMap>(figures[0]).front();
  const auto after = shapes_of<shape::HeatMap>(figures[1]).front();
  EXPECT_EQ(before.y, after.y);
  EXPECT_EQ(before.width, after.width);
}

TEST(Animation, TheValueEndsAtOnePlace) {
  std::set<double> ends;
  std::vector<std::string> values;
  for (const Figure& figure : figures_of(moving_word(small()))) {
    const shape::Text value = shapes_of<shape::Text>(figure).back();
    ends.insert(value.x);
    values.push_back(value.text);
    EXPECT_EQ(value.align, shape::Align::kRight);
  }
  EXPECT_THAT(ends, SizeIs(1));
  EXPECT_THAT(values, ElementsAre("−20.0", "−10.0", "0.0", "10.0", "20.0"));
}

TEST(Animation, OnlyTheRowThatMovesChanges) {
  const StageCell cell{Stage::kScores, 0, 2, 3};
  const Animation animation =
      sweep_animation(words(), small(), SetOverride{cell, 0}, -5, 5, {3, 15, false});
  const shape::HeatMap map = shapes_of<shape::HeatMap>(figures_of(animation).front()).front();
  const double row = map.height / static_cast<double>(map.values.rows());
  const Film film = film_of(animation, ".webp");
  ASSERT_THAT(film.frames, SizeIs(3));
  const FigureImage &a = film.frames[0], &b = film.frames[2];
  bool moved = false;
  for (int y = 0; y < static_cast<int>(map.y + map.height); ++y)
    for (int x = 0; x < 4 * film.width; ++x) {
      const std::size_t i = static_cast<std::size_t>(4 * y * film.width + x);
      const bool inside = y >= map.y + 2 * row - 1 && y <= map.y + 3 * row + 1;
      if (inside)
        moved = moved || a.rgba[i] != b.rgba[i];
      else
        ASSERT_EQ(a.rgba[i], b.rgba[i]) << x / 4 << ", " << y;
    }
  EXPECT_TRUE(moved);
}

TEST(Animation, TheWalkShowsEveryStageOnce) {
  for (const FigureType type : {FigureType::kMap, FigureType::kHeads}) {
    FigureOptions options = small();
    options.type = type;
    const Animation walk = walk_animation(words(), options).value();
    const auto stages = pipeline_stages(words().problem);
    ASSERT_EQ(walk.count, std::ssize(stages));
    for (int i = 0; i < walk.count; ++i) {
      const Moment moment = walk.moment(i).value();
      EXPECT_EQ(moment.options.stage, stages[static_cast<std::size_t>(i)]);
      EXPECT_EQ(moment.options.type, type);
      EXPECT_EQ(moment.milliseconds, 1500);
      EXPECT_THAT(moment.caption, testing::StartsWith(std::to_string(i + 1) + " · "));
    }
    EXPECT_THAT(film_of(walk, ".gif").milliseconds, Each(1500));
  }
}

TEST(Animation, TheWalkIsOfMaps) {
  for (const FigureType type : {FigureType::kPipeline, FigureType::kLines, FigureType::kArithmetic,
                                FigureType::kTwoStates}) {
    FigureOptions options = small();
    options.type = type;
    EXPECT_FALSE(walk_animation(words(), options));
  }
}

TEST(Animation, EveryKindOfFigureMoves) {
  for (const FigureType type :
       {FigureType::kMap, FigureType::kHeads, FigureType::kPipeline, FigureType::kTwoHeads,
        FigureType::kLines, FigureType::kArithmetic}) {
    FigureOptions options = small();
    options.type = type, options.row = 1, options.column = 2;
    const Film film = film_of(cooling(options), ".webp");
    ASSERT_THAT(film.frames, SizeIs(8));
    EXPECT_NE(film.frames[0].rgba, film.frames[4].rgba);
    EXPECT_EQ(film.frames[3].rgba.size(), film.frames[5].rgba.size());
  }
}

TEST(Animation, ComparesWithAStateThatWasKept) {
  FigureOptions options = small();
  options.type = FigureType::kTwoStates;
  const Sample kept = sample("", "The cat saw the dog that ran", 2);
  const Snapshot a{kept.document, kept.trace};
  EXPECT_TRUE(
      animation_file(cooling(options), *animation_format(".webp"), {kDpi, {}, nullptr}, &a));
  const auto alone = failed(cooling(options));
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().type, ErrorType::kUsage);
}

TEST(Animation, EveryPictureOfAnEditIsEvaluated) {
  Document to = words();
  to = lab::apply(to, FillMatrix{{MatrixId::kWQ, 0}, attention::FillType::kNormal, 3}).value();
  const Animation edit = edit_animation(words(), to, small(), {5, 15, false}).value();
  const auto figures = figures_of(edit);
  ASSERT_THAT(figures, SizeIs(5));
  for (int i = 0; i < 5; ++i) {
    const Document there = between(words(), to, i / 4.0).value();
    attention::Evaluator evaluator;
    const auto& weights = *evaluator.evaluate(there.problem).heads[0].weights;
    const auto shown = shapes_of<shape::HeatMap>(figures[static_cast<std::size_t>(i)]).front();
    EXPECT_TRUE(shown.values.isApprox(weights, 1e-6f)) << i;
  }
  EXPECT_EQ(edit.moment(0)->milliseconds, 1000);
  EXPECT_EQ(edit.moment(4)->milliseconds, 1000);
}

TEST(Animation, SaysWhatMoves) {
  const Document document = words();
  EXPECT_EQ(number_label(document, SetTemperature{}), "temperature");
  EXPECT_EQ(number_label(document, SetCell{{MatrixId::kX, 0}, 1, 3, 0}), "X [cat, 3]");
  EXPECT_EQ(number_label(document, SetCell{{MatrixId::kBQ, 1}, 0, 3, 0}), "b_Q, head 2 [3]");
  EXPECT_EQ(number_label(document, SetCell{{MatrixId::kWQ, 1}, 0, 3, 0}), "W_Q, head 2 [0, 3]");
  EXPECT_EQ(number_label(document, SetOverride{{Stage::kScores, 1, 1, 2}, 0}),
            "scores, head 2 [cat, saw]");
  EXPECT_TRUE(has_number(SetHeadMix{0, {}, {}, 1.0f}));
  EXPECT_FALSE(has_number(SetHeadMix{0, true, {}, {}}));
  EXPECT_FALSE(has_number(SetSentence{"a"}));
}

TEST(Animation, LimitsAreCheckedFirst) {
  int asked = 0;
  Animation many = cooling();
  many.moment = [&, moment = many.moment](int number) { return ++asked, moment(number); };
  many.count = kMostMoments + 1;
  for (const int count : {0, -1, kMostMoments + 1, 2'000'000'000}) {
    many.count = count;
    ASSERT_FALSE(failed(many));
    EXPECT_EQ(failed(many).error().type, ErrorType::kUsage);
  }
  EXPECT_EQ(asked, 0);
  FigureOptions wide = small();
  wide.width_mm = 1000;
  for (const char* ending : {".webp", ".gif"}) {
    const auto large = failed(cooling(wide), ending, 2400);
    ASSERT_FALSE(large);
    EXPECT_THAT(large.error().message, HasSubstr("16383"));
  }
}

TEST(Animation, FailsAsTheReducerDoes) {
  const auto cold = failed(sweep_animation(words(), small(), SetTemperature{}, 0, 1));
  ASSERT_FALSE(cold);
  EXPECT_THAT(cold.error().message, HasSubstr("emperature"));
  EXPECT_FALSE(
      failed(sweep_animation(words(), small(), SetCell{{MatrixId::kX, 0}, 90, 0, 0}, 0, 1)));
  EXPECT_FALSE(edit_animation(words(2), words(3), small()));
}

TEST(Animation, CanBeStoppedHalfWay) {
  for (const char* ending : {".webp", ".gif"}) {
    attention::WorkWatch watch;
    int asked = 0;
    double before = 0;
    Animation animation = cooling();
    animation.moment = [&, moment = animation.moment](int number) {
      if (++asked == 20) before = watch.progress(), watch.stop();
      return moment(number);
    };
    EXPECT_THROW(
        static_cast<void>(animation_file(animation, *animation_format(ending), {kDpi, {}, &watch})),
        attention::WorkStopped);
    EXPECT_EQ(asked, 20);
    EXPECT_GT(before, 0);
    EXPECT_LT(before, 1);
  }
}

TEST(Animation, ProgressEndsAtTheWhole) {
  for (const char* ending : {".webp", ".gif"}) {
    attention::WorkWatch watch;
    ASSERT_TRUE(animation_file(cooling(), *animation_format(ending), {kDpi, {}, &watch}));
    EXPECT_EQ(watch.progress(), 1) << ending;
  }
}

}  // namespace
}  // namespace lab
