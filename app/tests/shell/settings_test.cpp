#include "app/shell/settings.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "app/files/io/bytes.h"
#include "app/tests/killed_saves.h"
#include "app/tests/rooms.h"
#include "app/tests/temporary_folder.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

class SettingsFile : public testing::Test {
 protected:
  SettingsFile() {
    ::setenv("LC_ALL", "C", 1);  // whatever the language of this desktop is
  }

  // What the next run finds after a window at `display_scale` was left in `state`.
  Settings kept(ViewState state, float display_scale) const {
    SettingsPersister persister(path_);
    ViewState at_start;
    persister.apply(at_start, display_scale);
    persister.keep(state, display_scale);
    return *read_settings(path_);
  }

  TemporaryFolder folder_;
  std::string path_ = folder_ / "attention-lab/settings.json";
};

TEST_F(SettingsFile, NoneMeansTheDefaults) { EXPECT_EQ(*read_settings(path_), Settings()); }

TEST_F(SettingsFile, ReadsBackWhatWasWritten) {
  const Settings settings{ThemeId::kHighContrast, 1.625f, Palette::kMagma,
                          Language::kGerman,      4,      true,
                          {{"masks", 3}},         true};
  ASSERT_TRUE(write_settings(path_, settings));
  EXPECT_EQ(*read_settings(path_), settings);
}

TEST_F(SettingsFile, OfASaveThatIsKilledIsTheOldOneOrTheNewOne) {
  const Settings settings[] = {{ThemeId::kHighContrast, 1.625f, Palette::kMagma},
                               {ThemeId::kDark, 1, {}}};
  SavedFile file{path_, {}, [&](int which) { (void)write_settings(path_, settings[which]); }};
  for (const int which : {0, 1}) {
    file.save(which);
    file.contents.at(which) = whole_file(path_);
  }
  expect_never_torn(file);
}

TEST_F(SettingsFile, KeepsWhatTheUserChose) {
  ViewState state;
  state.theme = ThemeId::kDark;
  state.scale = 3;
  state.lessons_done = {{"softmax", 8}};
  const Settings found = kept(state, 2);
  EXPECT_EQ(found.theme, ThemeId::kDark);
  EXPECT_EQ(found.lessons, state.lessons_done);
  EXPECT_EQ(found.zoom, 1.5f);  // so that it is the same to the eye on a display of another scale
}

TEST_F(SettingsFile, KeepsTheDigitsThatWereChosen) {
  ViewState state;
  state.digits = 5;
  EXPECT_EQ(kept(state, 1).digits, 5);
  ViewState next;
  SettingsPersister(path_).apply(next, 1);
  EXPECT_EQ(next.digits, 5);
}

TEST_F(SettingsFile, KeepsTheChoicesOfTheExportDialogAndItsPresets) {
  ViewState state;
  state.dialog.exporting.figure.palette = Palette::kMagma;
  state.dialog.exporting.others() = {".pdf"};
  keep_choices(state.dialog);
  state.dialog.presets = {{"slides", state.dialog.last_export}};
  state.dialog.export_folder = "/figures";
  EXPECT_EQ(kept(state, 1).exports, memory_of(state.dialog));
  SettingsPersister persister(path_);
  ViewState next;
  persister.apply(next, 1);
  EXPECT_EQ(next.dialog.exporting, state.dialog.exporting);
  EXPECT_EQ(next.dialog.presets, state.dialog.presets);
}

TEST_F(SettingsFile, KeepsTheLanguageThatWasChosen) {
  ViewState state;
  state.language = Language::kGerman;
  EXPECT_EQ(kept(state, 1).language, Language::kGerman);
  SettingsPersister persister(path_);
  ViewState next;
  persister.apply(next, 1);
  EXPECT_EQ(next.language, Language::kGerman);
  state.language = Language::kEnglish;
  EXPECT_EQ(kept(state, 1).language, Language::kEnglish);
}

TEST_F(SettingsFile, WithoutALanguageTakesThatOfTheEnvironment) {
  ::setenv("LC_ALL", "de_AT.UTF-8", 1);
  ViewState state;
  SettingsPersister(path_).apply(state, 1);
  EXPECT_EQ(state.language, Language::kGerman);
  fs::create_directories(fs::path(path_).parent_path());
  ASSERT_TRUE(write_bytes(path_, R"({"language": "klingon"})"));
  state.language = Language::kEnglish;
  SettingsPersister(path_).apply(state, 1);
  EXPECT_EQ(state.language, Language::kGerman);
  ASSERT_TRUE(write_bytes(path_, R"({"language": "en"})"));
  SettingsPersister(path_).apply(state, 1);
  EXPECT_EQ(state.language, Language::kEnglish);
}

TEST(LanguageOfTheEnvironment, IsThatOfTheFirstVariableThatIsSet) {
  const auto of = [](const char* all, const char* messages, const char* lang) {
    ::setenv("LC_ALL", all, 1);
    ::setenv("LC_MESSAGES", messages, 1);
    ::setenv("LANG", lang, 1);
    return language_of_environment();
  };
  EXPECT_EQ(of("", "", ""), Language::kEnglish);
  EXPECT_EQ(of("", "", "de_DE.UTF-8"), Language::kGerman);
  EXPECT_EQ(of("", "en_GB.UTF-8", "de_DE.UTF-8"), Language::kEnglish);
  EXPECT_EQ(of("de", "en_GB.UTF-8", "fr_FR.UTF-8"), Language::kGerman);
  EXPECT_EQ(of("C", "de_DE", "de_DE"), Language::kEnglish);
}

TEST_F(SettingsFile, IsNotWrittenWhileNothingIsChosen) {
  ViewState state;
  kept(state, 1);
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(SettingsFile, TheFirstLessonIsOfferedOnce) {
  for (const bool first : {true, false}) {
    ViewState state;
    SettingsPersister persister(path_);
    persister.apply(state, 1);
    persister.offer_lesson(state);
    EXPECT_EQ(state.lesson.offered, first);
    persister.keep(state, 1);
    state.lesson.offered = false;
    persister.keep(state, 1);
  }
  ViewState state;
  SettingsPersister nowhere("");
  nowhere.offer_lesson(state);
  EXPECT_FALSE(state.lesson.offered) << "it would be at every start";
}

TEST_F(SettingsFile, ColoursThatWerePresentedWithAreNotKept) {
  ViewState state;
  state.theme = ThemeId::kHighContrast;
  state.present.theme_outside = ThemeId::kDark;
  EXPECT_EQ(kept(state, 1).theme, ThemeId::kDark);
}

TEST_F(SettingsFile, AThemeForOneRunIsNotKept) {
  ASSERT_TRUE(write_settings(path_, {ThemeId::kDark, 1, {}}));
  SettingsPersister persister(path_);
  ViewState state;
  persister.apply(state, 1, ThemeId::kLight);
  EXPECT_EQ(state.theme, ThemeId::kLight);
  persister.keep(state, 1);
  EXPECT_EQ(read_settings(path_)->theme, ThemeId::kDark);
}

TEST_F(SettingsFile, OfAnotherVersionKeepsWhatIsKnown) {
  fs::create_directories(fs::path(path_).parent_path());
  ASSERT_TRUE(write_bytes(path_, R"({"theme": "sepia", "zoom": 1e9, "colour": [1], "x": null})"));
  const Settings settings = *read_settings(path_);
  EXPECT_EQ(settings.theme, ThemeId::kLight);
  EXPECT_EQ(settings.zoom, 4);
}

TEST_F(SettingsFile, ThatIsNoneIsLeftAsItIsAndSaid) {
  fs::create_directories(fs::path(path_).parent_path());
  ASSERT_TRUE(write_bytes(path_, "theme = dark"));
  SettingsPersister persister(path_);
  ViewState state;
  persister.apply(state, 1);
  EXPECT_NE(state.error.find("settings.json"), std::string::npos) << state.error;
  state.theme = ThemeId::kDark;
  persister.keep(state, 1);
  EXPECT_EQ(*read_bytes(path_), "theme = dark");
}

TEST_F(SettingsFile, ThatCannotBeWrittenIsSaidOnce) {
  ASSERT_TRUE(write_bytes(folder_ / "attention-lab", "a file where a folder should be"));
  SettingsPersister persister(path_);
  ViewState state;
  persister.apply(state, 1);
  state.theme = ThemeId::kDark;
  persister.keep(state, 1);
  EXPECT_FALSE(state.error.empty());
  state.error.clear();
  state.theme = ThemeId::kLight;
  persister.keep(state, 1);
  EXPECT_TRUE(state.error.empty()) << state.error;
}

TEST_F(SettingsFile, KeepsThePresetsForTheCommandLine) {
  setenv("XDG_CONFIG_HOME", (folder_ / "").c_str(), 1);
  ExportState talk;
  talk.figure.width_mm = 120;
  talk.dark = true;
  Settings settings;
  settings.exports.presets = {{"talk", talk}};
  ASSERT_TRUE(write_settings(settings_path(), settings));
  const auto presets = kept_by_window().presets;
  ASSERT_EQ(presets.size(), 1u);
  EXPECT_EQ(presets[0].name, "talk");
  EXPECT_EQ(presets[0].look.width_mm, 120);
  EXPECT_TRUE(presets[0].look.dark);
}

TEST(SettingsPath, FollowsTheDesktopsRule) {
  setenv("XDG_CONFIG_HOME", "/somewhere/config", 1);
  EXPECT_EQ(settings_path(), "/somewhere/config/attention-lab/settings.json");
  setenv("XDG_CONFIG_HOME", "relative", 1);
  setenv("HOME", "/home/someone", 1);
  EXPECT_EQ(settings_path(), "/home/someone/.config/attention-lab/settings.json");
  setenv("HOME", "", 1);
  EXPECT_EQ(settings_path(), "");
}

}  // namespace
}  // namespace lab
