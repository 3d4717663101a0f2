#include <gmock/gmock.h>
#include <imgui_internal.h>

#include <filesystem>
#include <fstream>

#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"
#include "app/tests/view/screen.h"
#include "app/view/export/export_memory.h"

namespace lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// What the export dialog remembers, several files in one save, presets, chosen tokens and names.
class ExportChoices : public testing::Test {
 protected:
  ExportChoices() : screen(*open_document("refer")) {
    screen.key(Key::kEscape);
    open();
  }

  DialogState& dialog() { return screen.view.state().dialog; }
  ExportState& choices() { return dialog().exporting; }
  FigureOptions& figure() { return choices().figure; }
  void open() {
    screen.key(Key::kE, true);
    screen.frames(2);
  }
  void reopen() {
    screen.key(Key::kEscape);
    screen.frames(2);
    open();
  }
  void choose(const std::string& widget) {
    screen.click("dialog/" + widget);
    screen.frames();
  }
  void type_into(const std::string& widget, const std::string& text) {
    choose(widget);
    screen.key(Key::kA, true);
    screen.type(text);
    screen.frames();
  }
  std::string text_of(const std::string& name) const {
    std::ifstream file(folder / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  bool is_there(const std::string& name) const { return std::filesystem::exists(folder / name); }

  TemporaryFolder folder;
  Screen screen;
};

TEST_F(ExportChoices, StayWhenTheDialogIsOpenedAgain) {
  choose("what");
  choose("what/1");  // all heads
  choose("palette/viridis");
  choose("dark");
  choose("letters");
  choose("also/svg");
  reopen();
  EXPECT_EQ(figure().type, FigureType::kHeads);
  EXPECT_EQ(figure().palette, Palette::kViridis);
  EXPECT_EQ(choices().dark, true);
  EXPECT_TRUE(figure().letters);
  EXPECT_THAT(choices().others(), ElementsAre(".svg"));
}

TEST_F(ExportChoices, AreReadBackAsTheyWereWritten) {
  choose("what");
  choose("what/1");
  choose("width/Slide");
  choose("range/2");
  choose("spread/log");
  choose("dark");
  choose("also/pdf");
  choose("mode/motion");
  type_into("preset_name", "For a talk");
  choose("preset_save");
  screen.key(Key::kEscape);
  screen.frames(2);
  const ExportMemory kept = memory_of(dialog());
  EXPECT_EQ(memory_from(memory_text(kept)), kept);
  EXPECT_EQ(kept.choices.figure.type, FigureType::kHeads);
  EXPECT_EQ(kept.choices.mode, ExportMode::kMotion);
  EXPECT_EQ(kept.choices.figure.spread, Spread::kLogarithmic);
}

TEST_F(ExportChoices, EveryFigureOfAModelIsReadBack) {
  for (int whole = 0; whole <= static_cast<int>(WholeModel::kCurves); ++whole) {
    ExportMemory memory = memory_of(dialog());
    memory.choices.whole = static_cast<WholeModel>(whole);
    EXPECT_EQ(memory_from(memory_text(memory)).choices.whole, memory.choices.whole);
  }
}

TEST_F(ExportChoices, EveryMotionIsReadBack) {
  for (int what = 0; what <= static_cast<int>(Motion::kTraining); ++what) {
    ExportMemory memory = memory_of(dialog());
    memory.choices.motion.what = static_cast<Motion>(what);
    EXPECT_EQ(memory_from(memory_text(memory)).choices.motion.what, memory.choices.motion.what);
  }
}

TEST_F(ExportChoices, OfAnotherVersionAreTakenAsFarAsTheyAreKnown) {
  const ExportMemory memory = memory_from(
      R"({"last":{"make":"hologram","dark":3,"marks":true,"figure":{"dpi":1e9,"gap":"x"},)"
      R"("formats":{"figure":{"first":"png","also":[".svg","x"]}}},"presets":{"a":1},"folder":[]})");
  EXPECT_EQ(memory.choices.mode, ExportMode::kFigure);
  EXPECT_FALSE(memory.choices.dark);
  EXPECT_TRUE(memory.choices.marks);
  EXPECT_EQ(memory.choices.figure.dpi, 2400);
  EXPECT_EQ(memory.choices.figure.gap, 1);
  EXPECT_EQ(memory.choices.endings[0], ".png");
  EXPECT_THAT(memory.choices.also[0], ElementsAre(".svg"));
  EXPECT_THAT(memory.presets, IsEmpty());
  EXPECT_EQ(memory_from("not JSON"), ExportMemory());
}

TEST_F(ExportChoices, TheDialogStaysAndSaysWhatItWrote) {
  type_into("path", folder / "figure.png");
  choose("ok");
  EXPECT_EQ(dialog().open, Dialog::kExport);
  EXPECT_EQ(dialog().done, "Saved to " + (folder / "figure.png"));
  EXPECT_TRUE(screen.shows("dialog/done"));
  choose("transparent");
  EXPECT_EQ(dialog().done, "") << "that is another figure";
  choose("ok");
  EXPECT_EQ(dialog().problem, "") << "its own file may be written again";
  choose("cancel");
  EXPECT_EQ(dialog().open, Dialog::kNone);
  EXPECT_EQ(dialog().export_folder, folder.path());
  open();
  EXPECT_EQ(dialog().path, folder / "the-animal-didnt-cross-the-weights-head-1.png");
}

TEST_F(ExportChoices, SeveralFormatsAreWrittenInOneSave) {
  type_into("path", folder / "figure.png");
  choose("also/svg");
  choose("also/pdf");
  choose("ok");
  EXPECT_THAT(text_of("figure.svg"), testing::StartsWith("<svg"));
  EXPECT_THAT(text_of("figure.pdf"), testing::StartsWith("%PDF"));
  EXPECT_TRUE(is_there("figure.png"));
  EXPECT_THAT(dialog().done, HasSubstr("figure.png, figure.svg, figure.pdf"));
}

TEST_F(ExportChoices, SeveralFilesAreReplacedOnlyOnceTheUserAgreed) {
  folder.write("figure.svg", "mine");
  type_into("path", folder / "figure.png");
  choose("also/svg");
  choose("ok");
  EXPECT_EQ(dialog().problem, "figure.svg exists. Replace?");
  EXPECT_EQ(text_of("figure.svg"), "mine");
  EXPECT_FALSE(is_there("figure.png"));
  choose("ok");
  EXPECT_NE(text_of("figure.svg"), "mine");
  EXPECT_TRUE(is_there("figure.png"));
}

TEST_F(ExportChoices, PresetsAreSavedChosenAndDeletedByName) {
  choose("palette/magma");
  type_into("preset_name", "Dark slides");
  choose("preset_save");
  ASSERT_EQ(dialog().presets.size(), 1u);
  choose("palette/usual");
  choose("preset");
  choose("preset/1");
  EXPECT_EQ(figure().palette, Palette::kMagma);
  choose("palette/viridis");
  choose("preset_save");
  ASSERT_EQ(dialog().presets.size(), 1u) << "it has the same name";
  EXPECT_EQ(dialog().presets[0].choices.figure.palette, Palette::kViridis);
  choose("preset_delete");
  EXPECT_THAT(dialog().presets, IsEmpty());
  EXPECT_EQ(dialog().preset, "");
}

TEST_F(ExportChoices, EnterInTheNameOfAPresetSavesItAndNothingElse) {
  type_into("path", folder / "figure.png");
  type_into("preset_name", "mine");
  screen.key(Key::kEnter);
  screen.frames(2);
  EXPECT_EQ(dialog().presets.size(), 1u);
  EXPECT_FALSE(is_there("figure.png"));
}

TEST_F(ExportChoices, APresetLeavesWhatBelongsToTheSentence) {
  type_into("preset_name", "mine");
  choose("preset_save");
  type_into("queries", "1-3");
  choose("preset");
  choose("preset/1");
  EXPECT_EQ(choices().queries, "1-3");
}

TEST_F(ExportChoices, AFigureShowsTheChosenTokensUnderTheirNames) {
  choose("format/svg");
  type_into("queries", "1, 7");
  choose("renamed");
  choose("renamed/7");
  type_into("name7", "pronoun");
  type_into("path", folder / "part.svg");
  choose("ok");
  const std::string svg = text_of("part.svg");
  EXPECT_THAT(svg, HasSubstr(">pronoun<"));
  EXPECT_THAT(svg, HasSubstr(">animal<"));
  EXPECT_THAT(svg, testing::Not(HasSubstr(">street<")));
  choose("no_name");
  choose("ok");
  EXPECT_THAT(text_of("part.svg"), testing::Not(HasSubstr(">pronoun<")));
}

TEST_F(ExportChoices, TokensThatAreNotThereAreToldAndNotExported) {
  type_into("queries", "5-40");
  type_into("path", folder / "part.png");
  choose("ok");
  EXPECT_THAT(dialog().problem, HasSubstr("0 to 10"));
  EXPECT_FALSE(is_there("part.png"));
}

TEST_F(ExportChoices, TokensAreForgottenWithTheirSentence) {
  type_into("queries", "1-3");
  choose("letters");
  reopen();
  EXPECT_EQ(choices().queries, "1-3");
  screen.key(Key::kEscape);
  screen.workspace.queue(intent::Apply{SetSentence{.text = "The cat sat"}});
  screen.frames(2);
  open();
  EXPECT_EQ(choices().queries, "");
}

TEST_F(ExportChoices, ThePreviewIsThereInEveryWindow) {
  for (const ImVec2 size : {ImVec2{1600, 1000}, {1024, 640}, {800, 600}, {640, 480}}) {
    Screen other(*open_document("refer"), size);
    other.view.state().scale = size.x == 1024 ? 1.5f : 1;
    other.frames(3);
    other.key(Key::kE, true);
    other.frames(3);
    ASSERT_TRUE(other.shows("dialog/preview")) << size.x;
    const Rect place = other.place("dialog/preview");
    EXPECT_GT(place.w, 150) << size.x;
    EXPECT_GT(place.h, 90) << size.x;
    EXPECT_LE(place.x + place.w, size.x) << size.x;
  }
}

TEST(ExportDialog, OpensAtItsTopInALowWindow) {
  Screen screen(*open_document("refer"), {1024, 700});
  screen.view.state().scale = 1.5f;
  screen.frames(3);
  screen.key(Key::kE, true);
  screen.frames(20);
  ASSERT_EQ(screen.view.state().dialog.open, Dialog::kExport);
  const ImGuiWindow* window = ImGui::GetTopMostPopupModal();
  ASSERT_NE(window, nullptr);
  EXPECT_GT(window->ScrollMax.y, 0);
  EXPECT_EQ(window->Scroll.y, 0);
}

TEST_F(ExportChoices, NumbersHaveTheSameDecimalsInEveryCellOnWish) {
  screen.click("dialog/values");
  ASSERT_TRUE(screen.shows("dialog/exact"));
  EXPECT_FALSE(screen.view.state().dialog.exporting.figure.exact);
  screen.click("dialog/exact");
  EXPECT_TRUE(screen.view.state().dialog.exporting.figure.exact);
  screen.click("dialog/significant");
  EXPECT_FALSE(screen.shows("dialog/exact")) << "significant digits have no decimals";
}

}  // namespace
}  // namespace lab
