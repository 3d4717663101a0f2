// All choices of the export dialog are in reach in narrow windows and with large text.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "app/figure/colour/palette.h"
#include "app/files/open.h"
#include "app/tests/rooms.h"
#include "app/tests/view/screen.h"
#include "app/translation/words.h"

namespace lab {
namespace {

struct ExportWindow {
  Language language;
  float width, height, scale;
};

class ExportFit : public testing::TestWithParam<ExportWindow> {
 protected:
  ExportFit() {
    screen.view.state().language = GetParam().language;
    screen.view.state().scale = GetParam().scale;
    screen.frames(3);
    screen.key(Key::kE, true);
    screen.frames(3);
  }
  ~ExportFit() override { set_language(Language::kEnglish, {}); }

  DialogState& dialog() { return screen.view.state().dialog; }
  std::vector<std::string> sideways() {
    screen.frames(4);
    std::vector<std::string> names = screen.scroll_bars();
    std::erase_if(names, [](const std::string& name) { return !name.ends_with(" across"); });
    return names;
  }
  // The choices that reach beyond the edge of the window.
  std::vector<std::string> cut_off() {
    std::vector<std::string> names;
    for (const auto& [name, place] : screen.view.widgets().widgets())
      if (name.starts_with("dialog/") && place.right() > GetParam().width) names.push_back(name);
    return names;
  }

  Screen screen{*open_document("refer"), {GetParam().width, GetParam().height}};
};

TEST_P(ExportFit, NeverScrollsSideways) {
  ASSERT_EQ(dialog().open, Dialog::kExport);
  for (int mode = 0; mode < kExportModes; ++mode) {
    dialog().exporting.mode = static_cast<ExportMode>(mode);
    EXPECT_EQ(sideways(), std::vector<std::string>{}) << "mode " << mode;
    EXPECT_EQ(cut_off(), std::vector<std::string>{}) << "mode " << mode;
  }
}

// Choices that go on in another line begin where the first one does.
TEST_P(ExportFit, AlignsTheLinesOfARow) {
  dialog().exporting.mode = ExportMode::kFigure;
  screen.frames(4);
  const std::string first = "dialog/palette/usual";
  if (!screen.shows(first)) return;  // further down
  const float left = screen.place(first).x;
  float line = screen.place(first).y;
  for (const figure::Palette palette : figure::all_palettes()) {
    const std::string name = "dialog/palette/" + std::string(figure::palette_name(palette));
    if (!screen.shows(name)) continue;
    const Rect place = screen.place(name);
    if (place.y != line) {
      EXPECT_EQ(place.x, left) << figure::palette_name(palette);
    }
    line = place.y;
  }
}

// What was wide before leaves no room behind.
TEST_P(ExportFit, GoesBackToItsWidthAfterALongRow) {
  dialog().exporting.mode = ExportMode::kFigure;
  screen.frames(4);
  const Rect before = screen.place("dialog/mode/picture");
  dialog().exporting.figure.range_rule = figure::RangeRule::kFixed;
  dialog().exporting.figure.family = "A family that nobody has installed";
  EXPECT_EQ(sideways(), std::vector<std::string>{});
  dialog().exporting.figure.range_rule = figure::RangeRule::kAutomatic;
  dialog().exporting.figure.family.clear();
  EXPECT_EQ(sideways(), std::vector<std::string>{});
  EXPECT_EQ(screen.place("dialog/mode/picture").x, before.x);
}

constexpr ExportWindow kWindows[] = {
    {Language::kEnglish, 1600, 1000, 1},  {Language::kEnglish, 1024, 640, 1.5f},
    {Language::kEnglish, 1024, 640, 2},   {Language::kGerman, 1024, 640, 1},
    {Language::kGerman, 1366, 768, 1.5f}, {Language::kGerman, 1366, 768, 2}};

std::string window_name(const testing::TestParamInfo<ExportWindow>& tried) {
  return std::string(language_name(tried.param.language)) + "_" +
         std::to_string(static_cast<int>(tried.param.width)) + "_" +
         std::to_string(static_cast<int>(tried.param.scale * 100));
}

INSTANTIATE_TEST_SUITE_P(Window, ExportFit, testing::ValuesIn(kWindows), window_name);

}  // namespace
}  // namespace lab
