#pragma once

#include <optional>
#include <string>

#include "app/base/error.h"
#include "app/figure/colour/palette.h"
#include "app/figure/colour/theme_name.h"
#include "app/translation/words.h"
#include "app/view/state/view_state.h"

namespace lab::shell {

/// What is kept between runs of the window.
struct Settings {
  figure::ThemeId theme = figure::ThemeId::kLight;
  float zoom = 1;                                  ///< scale of the window over the display's own
  std::optional<figure::Palette> weights_palette;  ///< nothing: the one that suits the stage
  std::optional<Language> language{};              ///< nothing: the one of the environment
  bool lesson_offered = false;  ///< the first lesson was offered, which is done once
  bool operator==(const Settings&) const = default;
};

/// The language that the environment asks for: German where the first of LC_ALL, LC_MESSAGES and
/// LANG that is set begins with "de", else English.
Language language_of_environment();

/// Where they are kept: attention-lab/settings.json in $XDG_CONFIG_HOME or ~/.config; empty when
/// neither is known.
std::string settings_path();

/// The settings in `path`; the defaults when there is no such file. Fails with kIo or kBadInput
/// when it cannot be read or is no settings file; members that are missing or unknown, as other
/// versions may leave them, do not matter.
Expected<Settings> read_settings(const std::string& path);

/// Writes them, making the folder when it is not there. Fails with kIo.
Expected<void> write_settings(const std::string& path, const Settings& settings);

/// Keeps the settings of a window in their file: reads them at its start, and writes them as soon
/// as the user chooses something else.
class SettingsKeeper {
 public:
  /// Reads the file at `path`; empty: nothing is kept.
  explicit SettingsKeeper(std::string path);

  /// Gives the settings to a window whose display asks for `display_scale`. A `theme` is for this
  /// run alone.
  void apply(view::ViewState& state, float display_scale,
             std::optional<figure::ThemeId> theme = {});
  /// Writes what differs from what was applied or kept last. A file that cannot be written is said
  /// once in state.error, and not tried again.
  void keep(view::ViewState& state, float display_scale);
  /// Offers the first lesson unless that was done before. Where nothing is kept it never is.
  void offer_lesson(view::ViewState& state);

 private:
  std::string path_;
  std::string problem_;  // with the file; said when the settings are applied
  Settings settings_;
};

}  // namespace lab::shell
