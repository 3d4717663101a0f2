#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "app/document/snapshot.h"
#include "app/files/open.h"
#include "app/files/problem/stage_numbers.h"
#include "app/files/tensors/tensors.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"

namespace lab {
namespace {

using attention::Stage;

// The export dialog: numbers, folders, the clipboard, and the options of pictures.
class Export : public testing::Test {
 protected:
  Export() : screen(*open_document("refer")) {
    screen.key(Key::kEscape);
    open();
  }

  DialogState& dialog() { return screen.view.state().dialog; }
  FigureOptions& figure() { return dialog().exporting.figure; }
  void open() {
    screen.key(Key::kE, true);
    screen.frames(2);
  }
  void choose(const std::string& widget) {
    screen.click("dialog/" + widget);
    screen.frames();
  }
  // Chooses the kind of figure at `place` in the list.
  void show(int place) {
    choose("what");
    choose("what/" + std::to_string(place));
  }
  void type_into(const std::string& widget, const std::string& text) {
    choose(widget);
    screen.key(Key::kA, true);
    screen.type(text);
    screen.frames();
  }
  // Types the path of `name` in the test's folder, and returns it.
  std::string go_to(const std::string& name) {
    type_into("path", folder / name);
    return folder / name;
  }
  static std::string read(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string csv(Stage stage, std::optional<attention::Index> head) const {
    return stage_csv(screen.document(), screen.workspace.trace(), stage, head);
  }

  TemporaryFolder folder;
  Screen screen;
};

TEST_F(Export, NumbersOfTheStageAndHeadAreWritten) {
  choose("mode/numbers");
  EXPECT_EQ(dialog().path, "the-animal-didnt-cross-the-weights-head-1.csv");
  const std::string one = go_to("one.csv");
  choose("ok");
  EXPECT_EQ(read(one), csv(Stage::kWeights, 0)) << dialog().problem;
  screen.key(Key::kEscape);
  screen.frames(2);
  open();
  choose("numbers/stage-heads");
  EXPECT_EQ(dialog().path, folder / "the-animal-didnt-cross-the-weights-all-heads.csv");
  const std::string all = go_to("all.csv");
  choose("ok");
  EXPECT_EQ(read(all), csv(Stage::kWeights, std::nullopt)) << dialog().problem;
}

// While the maps show derivatives.
TEST_F(Export, WhatMovesANumberIsExportedInPlaceOfNumbers) {
  screen.key(Key::kEscape);
  screen.frames(2);
  screen.view.state().sensitivity.on = true;
  screen.frames(2);
  open();
  EXPECT_EQ(dialog().path, "the-animal-didnt-cross-the-sensitivity-weights-head-1.png");
  const std::string svg = go_to("moves.svg");
  choose("ok");
  EXPECT_THAT(read(svg),
              testing::HasSubstr("What moves weights[it, animal] of head 1: Weights, head 1"));
  choose("mode/numbers");
  const std::string numbers = go_to("moves.csv");
  choose("ok");
  EXPECT_NE(read(numbers), csv(Stage::kWeights, 0));
  const Snapshot sensitivity =
      gradient_snapshot(screen.document(), screen.view.sensitivity().gradient());
  EXPECT_EQ(read(numbers), stage_csv(sensitivity.document, sensitivity.trace, Stage::kWeights, 0));
}

TEST_F(Export, AllStagesOfAllHeadsGoIntoOneArchive) {
  choose("mode/numbers");
  choose("numbers/stages-heads");
  choose("format/npz");
  const std::string path = go_to("all.npz");
  choose("ok");
  const auto file = read_npz(read(path));
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_NE(file->find("weights"), nullptr);
  EXPECT_EQ(file->find("weights")->shape, (std::vector<std::int64_t>{3, 11, 11}));
  EXPECT_NE(file->find("output"), nullptr);
}

TEST_F(Export, AnArrayAloneIsNotOfferedForSeveralStages) {
  choose("mode/numbers");
  choose("format/npy");
  EXPECT_TRUE(dialog().path.ends_with(".npy"));
  choose("numbers/stages-head");
  EXPECT_FALSE(screen.shows("dialog/format/npy"));
  EXPECT_TRUE(dialog().path.ends_with("-all-stages-head-1.npz")) << dialog().path;
}

TEST_F(Export, AStageThatIsOneForAllHeadsHasOneChoice) {
  screen.key(Key::kEscape);
  screen.click("stage/output/3/1");
  open();
  choose("mode/numbers");
  EXPECT_FALSE(screen.shows("dialog/numbers/stage-heads"));
  EXPECT_EQ(dialog().path, "the-animal-didnt-cross-the-output.csv");
}

TEST_F(Export, ATypedNameKeepsItsOwnEnding) {
  choose("mode/numbers");
  const std::string path = go_to("mine.json");
  choose("ok");
  EXPECT_TRUE(read(path).starts_with("{")) << dialog().problem;
  go_to("mine.png");
  choose("ok");
  EXPECT_THAT(dialog().problem, testing::HasSubstr(".csv")) << "numbers are no picture";
}

TEST_F(Export, ALongPathShowsTheNameAtItsEndWhereNobodyTypes) {
  go_to(std::string(120, 'a') + "/weights.png");
  EXPECT_FALSE(screen.shows("dialog/path/end")) << "the caret is there";
  choose("font_size");
  screen.frames();
  EXPECT_TRUE(screen.shows("dialog/path/end"));
  go_to("w.png");
  dialog().path = "w.png";
  choose("font_size");
  screen.frames();
  EXPECT_FALSE(screen.shows("dialog/path/end")) << "all of it fits";
}

TEST_F(Export, ANameWithoutAnEndingGetsThatOfTheFormat) {
  const std::string chosen = dialog().exporting.ending();
  const std::string path = go_to("mine");
  choose("ok");
  EXPECT_EQ(dialog().path, path + chosen);
  EXPECT_TRUE(std::filesystem::is_regular_file(path + chosen)) << dialog().problem;
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(Export, EveryStageOfEveryHeadGoesIntoAFolder) {
  choose("mode/folder");
  choose("format/svg");
  const std::string path = go_to("figures");
  choose("ok");
  EXPECT_THAT(dialog().done, testing::HasSubstr("files saved to")) << dialog().problem;
  for (const char* name : {"X.svg", "Q-head-1.svg", "weights-head-3.svg", "output.svg"})
    EXPECT_THAT(read(path + "/" + name), testing::StartsWith("<svg")) << name;
  EXPECT_THAT(screen.view.state().notice, testing::HasSubstr("files saved to"));
  EXPECT_TRUE(open_document(path + "/weights-head-3.svg")) << "it embeds the session";
}

TEST_F(Export, AFolderOfNumbersHoldsWhatTheFilesAloneDo) {
  choose("mode/folder");
  choose("format/csv");
  EXPECT_FALSE(screen.shows("dialog/width")) << "numbers have no look";
  const std::string path = go_to("numbers");
  choose("ok");
  EXPECT_EQ(read(path + "/weights-head-2.csv"), csv(Stage::kWeights, 1)) << dialog().problem;
}

TEST_F(Export, AFolderIsOverwrittenOnlyOnceTheUserAgreed) {
  std::filesystem::create_directory(folder.path() / "figures");
  folder.write("figures/output.svg", "mine");
  choose("mode/folder");
  const std::string path = go_to("figures");
  choose("ok");
  EXPECT_THAT(dialog().problem, testing::HasSubstr("1 file with these names. Replace?"));
  EXPECT_EQ(read(path + "/output.svg"), "mine");
  choose("ok");
  EXPECT_EQ(dialog().problem, "");
  EXPECT_NE(read(path + "/output.svg"), "mine");
}

TEST_F(Export, AFileIsNoFolder) {
  folder.write("figures", "mine");
  choose("mode/folder");
  const std::string path = go_to("figures");
  for (int i = 0; i < 2; ++i) choose("ok");
  EXPECT_THAT(dialog().problem, testing::HasSubstr("not a folder"));
  EXPECT_EQ(read(path), "mine");
}

TEST_F(Export, TheDialogsPictureGoesToTheClipboard) {
  show(3);
  choose("copy");
  ASSERT_TRUE(screen.desktop.picture);
  const std::string pipeline = *screen.desktop.picture;
  EXPECT_THAT(pipeline, testing::StartsWith("\x89PNG"));
  EXPECT_EQ(dialog().done, "Copied the picture");
  show(0);
  choose("copy");
  EXPECT_FALSE(*screen.desktop.picture == pipeline) << "another kind of figure";
}

TEST_F(Export, AClipboardWithoutPicturesIsReportedInTheDialog) {
  screen.desktop.refusal = "no clipboard here";
  choose("copy");
  EXPECT_EQ(dialog().open, Dialog::kExport);
  EXPECT_EQ(dialog().problem, "no clipboard here");
}

TEST_F(Export, NumbersGoToTheClipboardAsText) {
  choose("mode/numbers");
  choose("copy");
  EXPECT_EQ(std::string(ImGui::GetClipboardText()), csv(Stage::kWeights, 0));
  choose("format/npz");
  EXPECT_FALSE(screen.shows("dialog/copy")) << "an archive is no text";
}

TEST_F(Export, AFixedRangeBeginsAsTheMapsOwn) {
  screen.key(Key::kEscape);
  screen.click("stage/scores/3/1");
  open();
  choose("range/3");
  const Range own = figure().range;
  EXPECT_LT(own.lo, own.hi);
  EXPECT_GT(own.hi, 1) << "scores are no shares";
  type_into("range/hi", "40");
  EXPECT_EQ(figure().range, (Range{own.lo, 40}));
}

TEST_F(Export, NumbersOfCellsHaveTheDigitsThatAreChosen) {
  choose("values");
  type_into("digits", "1");
  EXPECT_EQ(figure().decimals, 1);
  EXPECT_FALSE(figure().significant);
  type_into("digits", "0");
  choose("significant");
  EXPECT_TRUE(figure().significant);
  EXPECT_EQ(figure().decimals, 1) << "no digits at all are none";
}

TEST_F(Export, TheRangeCanBeSymmetricAboutANumber) {
  choose("centred");
  EXPECT_EQ(figure().centre, 0.0f);
  type_into("centre", "0.5");
  EXPECT_EQ(figure().centre, 0.5f);
  choose("centred");
  EXPECT_FALSE(figure().centre);
}

// The number of pictures in a WebP animation.
int pictures_of(const std::string& webp) {
  int count = 0;
  for (std::size_t at = webp.find("ANMF"); at != webp.npos; at = webp.find("ANMF", at + 4)) ++count;
  return count;
}

TEST_F(Export, TheWalkHasAPictureForEachStage) {
  choose("mode/motion");
  EXPECT_EQ(dialog().path, "the-animal-didnt-cross-the-weights-head-1-walk.webp");
  const std::string path = go_to("walk.webp");
  choose("ok");
  EXPECT_EQ(dialog().done, "Saved to " + path) << dialog().problem;
  EXPECT_EQ(read(path).substr(8, 4), "WEBP");
  EXPECT_EQ(pictures_of(read(path)), 10) << "X, Q, K, V, scores … output";
  EXPECT_TRUE(open_document(path)) << "it embeds the session";
}

TEST_F(Export, ANumberThatMovesStartsWithSuitableLimits) {
  choose("mode/motion");
  choose("motion");
  choose("motion/3");
  const MotionState& motion = dialog().exporting.motion;
  EXPECT_EQ(motion.what, Motion::kTemperature);
  EXPECT_GT(motion.from, 0) << "there is no temperature of 0";
  EXPECT_LT(motion.from, 1);
  EXPECT_GT(motion.to, 1);
  type_into("from", "0.5");
  EXPECT_EQ(motion.from, 0.5f);
  type_into("seconds", "0.2");
  choose("format/gif");
  const std::string path = go_to("warm.gif");
  choose("ok");
  EXPECT_THAT(read(path), testing::StartsWith("GIF89a")) << dialog().problem;
  EXPECT_EQ(screen.document().problem.config.temperature, 1) << "the session stays as it is";
}

TEST_F(Export, TheLastEditMovesOnceThereIsOne) {
  choose("mode/motion");
  const auto offered = [&] {
    choose("motion");
    const bool shown = screen.shows("dialog/motion/5");
    screen.key(Key::kEscape);
    screen.frames(2);
    return shown;
  };
  EXPECT_FALSE(offered());
  EXPECT_EQ(dialog().open, Dialog::kExport) << "Escape closed the list alone";
  screen.key(Key::kEscape);
  screen.workspace.queue(intent::Apply{SetTemperature{2}});
  screen.frames(2);
  open();
  ASSERT_TRUE(offered());
  choose("motion");
  choose("motion/5");
  EXPECT_EQ(dialog().exporting.motion.what, Motion::kLastEdit);
  EXPECT_FALSE(screen.shows("dialog/from")) << "it has its own ends";
  EXPECT_TRUE(dialog().path.ends_with("-edit.webp")) << dialog().path;
}

TEST_F(Export, EnterTakesFromAListAndExportsNothing) {
  choose("mode/motion");
  const std::string path = go_to("walk.webp");
  choose("motion");
  screen.key(Key::kDown);
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_EQ(dialog().open, Dialog::kExport);
  EXPECT_EQ(dialog().exporting.motion.what, Motion::kNumber);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(Export, ThePreviewShowsTheMomentThatIsChosen) {
  choose("mode/motion");
  screen.frames(3);
  const auto uploads = screen.sink.uploads();
  screen.frames(5);
  EXPECT_EQ(screen.sink.uploads(), uploads) << "nothing moves by itself";
  screen.drag("dialog/moment", {120, 0});
  EXPECT_GT(screen.sink.uploads(), uploads);
  EXPECT_GT(dialog().exporting.motion.shown, 0.6);
}

TEST_F(Export, TheWalkIsSeenInMapsAlone) {
  show(4);  // lines
  choose("mode/motion");
  EXPECT_EQ(dialog().path, "the-animal-didnt-cross-the-weights-head-1-walk.webp");
  const std::string path = go_to("walk.webp");
  choose("ok");
  EXPECT_EQ(pictures_of(read(path)), 10) << dialog().problem;
}

// Else the next kind of figure would be written over the one that was just saved.
TEST_F(Export, TheNameFollowsTheKindAlsoAfterSaving) {
  const std::filesystem::path here = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  screen.click("dialog/ok");
  screen.frames(2);
  const std::string saved = dialog().path;
  EXPECT_TRUE(std::filesystem::exists(saved)) << saved;
  show(1);
  EXPECT_NE(std::filesystem::path(dialog().path).filename(),
            std::filesystem::path(saved).filename());
  std::filesystem::current_path(here);
}

TEST_F(Export, EveryOptionFitsIntoASmallWindow) {
  for (const char* mode : {"mode/picture", "mode/numbers", "mode/folder", "mode/motion"}) {
    Screen small(*open_document("refer"), {1024, 640});
    small.key(Key::kE, true);
    small.frames(2);
    small.click(std::string("dialog/") + mode);
    small.frames(3);
    EXPECT_THAT(small.scroll_bars(), testing::Not(testing::Contains(testing::HasSubstr("Export"))))
        << mode;
    const Rect ok = small.place("dialog/ok");
    EXPECT_LE(ok.y + ok.h, 640) << mode;
  }
}

}  // namespace
}  // namespace lab
