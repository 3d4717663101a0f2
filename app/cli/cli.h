#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/base/error.h"
#include "app/figure/colour/theme_name.h"
#include "app/lessons/lesson_check.h"
#include "app/translation/words.h"

namespace lab::cli {

/// What the window verb was asked for.
struct WindowRequest {
  std::string source;       ///< file, example or lesson; empty: the default example
  std::string record_path;  ///< write applied commands here; empty: nowhere
  std::string stats_path;   ///< write statistics here on exit; empty: nowhere
  int width = 1600, height = 1000;
  std::optional<figure::ThemeId> theme;  ///< nothing: the one that was used last
};

/// What the screenshot verb was asked for.
struct ScreenshotRequest {
  std::string source;       ///< file, example or lesson
  int step = 1;             ///< of a lesson, from 1
  std::string output;       ///< PNG
  std::string layout_path;  ///< JSON of widget rectangles; empty: none
  int width = 1600, height = 1000;
  figure::ThemeId theme = figure::ThemeId::kLight;
  Language language = Language::kEnglish;
  float scale = 1;  ///< of everything in the window
};

/// The two verbs that need a display; the command line itself links no window.
struct DisplayVerbs {
  std::function<Expected<void>(const WindowRequest&)> window;
  std::function<Expected<void>(const ScreenshotRequest&)> screenshot;
  /// The widgets that the window would show in a step of a lesson; needs no display.
  lessons::WidgetNames widget_names = {};
};

/// Reads the arguments, runs the verb they name and returns the exit code of the program. Data goes
/// to standard output, messages to standard error, each error exactly once.
int run_command_line(int argc, const char* const* argv, const DisplayVerbs& display);

}  // namespace lab::cli
