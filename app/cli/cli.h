#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/figure/colour/theme_name.h"
#include "app/figure/figure_options.h"
#include "app/lessons/lesson_check.h"
#include "app/lessons/lessons_done.h"
#include "app/translation/words.h"

namespace lab::cli {

/// Options of the window verb.
struct WindowRequest {
  std::string source;  ///< file, example, lesson or model; empty for the default example
  std::optional<std::string> text;  ///< what a model reads; std::nullopt: an example text
  std::string record_path;          ///< file to record applied commands in; empty for none
  std::string stats_path;           ///< file to write statistics to on exit; empty for none
  bool new_window = false;          ///< also where a window that is open could show `source`
  int width = 1600, height = 1000;
  std::optional<figure::ThemeId> theme;  ///< unset: the theme that was used last
  std::optional<Language> language;      ///< unset: the language that was used last
  bool shows_errors = false;  ///< a source that cannot be opened is reported in the window
};

/// Options of the screenshot verb.
struct ScreenshotRequest {
  std::string source;               ///< file, example, lesson or model
  std::optional<std::string> text;  ///< that a model reads
  int step = 1;                     ///< step of a lesson, from 1
  std::string output;               ///< PNG
  std::string bounds_path;          ///< JSON file for the widget rectangles; empty for none
  int width = 1600, height = 1000;
  figure::ThemeId theme = figure::ThemeId::kLight;
  Language language = Language::kEnglish;
  float scale = 1;  ///< scale of the whole window
};

/// A look of figures that the export dialog keeps under a name.
struct FigurePreset {
  std::string name;
  figure::FigureOptions look;
};

/// What the window keeps from one run to the next, as far as other verbs use it.
struct KeptByWindow {
  lessons::LessonsDone lessons_done;       ///< the progress in the built-in lessons
  std::vector<FigurePreset> presets = {};  ///< by name
  int digits = 2;                          ///< decimals of the numbers shown
};

/// The two verbs that need a display, and what else only the window knows. The caller supplies
/// them, so that the command line itself does not link any window code.
struct DisplayVerbs {
  std::function<Expected<void>(const WindowRequest&)> window;
  std::function<Expected<void>(const ScreenshotRequest&)> screenshot;
  /// Returns the names of the widgets that the window would show in a lesson step; needs no
  /// display.
  lessons::WidgetNames widget_names = {};
  std::function<KeptByWindow()> kept = {};
};

/// Parses the arguments, runs the verb they name and returns the program's exit code. Data goes to
/// standard output and messages to standard error. Each error is reported exactly once.
int run_command_line(int argc, const char* const* argv, const DisplayVerbs& display);

}  // namespace lab::cli
