#pragma once

#include <optional>
#include <string>

#include "app/base/error.h"
#include "app/cli/cli.h"
#include "app/figure/colour/palette.h"
#include "app/figure/colour/theme_name.h"
#include "app/lessons/lessons_done.h"
#include "app/translation/words.h"
#include "app/view/export/export_memory.h"
#include "app/view/state/view_state.h"

namespace lab::shell {

/// The settings that are kept between runs of the window.
struct Settings {
  figure::ThemeId theme = figure::ThemeId::kLight;
  float zoom = 1;  ///< scale of the window relative to that of the display
  std::optional<figure::Palette> weights_palette;  ///< unset: the one that suits the stage
  std::optional<Language> language{};              ///< unset: that of the environment
  int digits = 2;                                  ///< decimals of the numbers shown
  bool lesson_offered = false;  ///< the first lesson was offered, which happens once
  lessons::LessonsDone lessons{};
  bool decimal_comma = false;  ///< numbers are shown as "0,52"
  view::ExportMemory exports{};
  bool operator==(const Settings&) const = default;
};

/// The language of the environment: German if the first of LC_ALL, LC_MESSAGES and LANG that is set
/// begins with "de", else English.
Language language_of_environment();

/// The path of the settings: attention-lab/settings.json in $XDG_CONFIG_HOME or ~/.config; empty
/// when neither is known.
std::string settings_path();

/// The settings in `path`; the defaults when there is no such file. Fails with kIo or kBadInput
/// when it cannot be read or is not a settings file; missing or unknown members, as other versions
/// may write them, are allowed.
Expected<Settings> read_settings(const std::string& path);

/// Writes the settings, creating the folder if needed. Fails with kIo.
Expected<void> write_settings(const std::string& path, const Settings& settings);

/// What the settings keep for the command line; the defaults when they cannot be read.
cli::KeptByWindow kept_by_window();

/// Keeps the settings of a window in their file: reads them at the start, and writes them whenever
/// the user changes one.
class SettingsPersister {
 public:
  /// Reads the file at `path`; with an empty path nothing is kept.
  explicit SettingsPersister(std::string path);

  /// Applies the settings to a window whose display has the scale `display_scale`. A `theme` and a
  /// `language` are for this run only.
  void apply(view::ViewState& state, float display_scale, std::optional<figure::ThemeId> theme = {},
             std::optional<Language> language = {});
  /// Writes the settings if they differ from those last applied or kept. A failure is reported once
  /// in state.error and not retried.
  void keep(view::ViewState& state, float display_scale);
  /// Offers the first lesson unless it was offered before. Does nothing when settings are not kept,
  /// or there are no lessons.
  void offer_lesson(view::ViewState& state);

 private:
  std::string path_;
  std::string problem_;  // with the file; reported when the settings are applied
  Settings settings_;
};

}  // namespace lab::shell
