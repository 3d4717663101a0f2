#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "app/cli/arguments.h"
#include "app/cli/help.h"
#include "app/cli/verb.h"
#include "app/files/opened_model.h"

namespace lab::cli {

namespace {

// The error of a machine without a display, with what works there.
Expected<void> with_display_hint(Expected<void> shown) {
  if (shown || shown.error().type != ErrorType::kNoDisplay) return shown;
  return fail(ErrorType::kNoDisplay,
              shown.error().message +
                  " These work without one: attention-lab export refer -o heads.png, "
                  "attention-lab explain refer --row it --col animal, "
                  "attention-lab compute refer -o stages.npz; "
                  "xvfb-run -a attention-lab runs the window itself on a virtual display.");
}

struct WindowOptions {
  WindowRequest request;
  std::string size;
  std::string theme;
  std::string language;
};

Expected<void> open_window(WindowOptions options, VerbRun& run) {
  WindowRequest& request = options.request;
  if (find_verb(request.source)) {
    return fail(ErrorType::kUsage, "a verb comes first: attention-lab " + request.source +
                                       " …; for a file of that name write ./" + request.source);
  }
  auto there = check_source(request.source);
  const bool offered = !request.text && files::missing_model(request.source) != nullptr;
  if (!there && !request.shows_errors && !offered) return there;
  if (!options.size.empty()) {
    const auto size = parse_pixel_size(options.size);
    if (!size) return tl::make_unexpected(size.error());
    request.new_window = true;
    request.width = size->width;
    request.height = size->height;
  }
  if (!options.theme.empty()) {
    const auto theme = parse_window_theme(options.theme);
    if (!theme) return tl::make_unexpected(theme.error());
    request.theme = *theme;
  }
  if (!options.language.empty()) {
    const auto language = parse_language(options.language);
    if (!language) return tl::make_unexpected(language.error());
    request.language = *language;
  }
  request.record_path = run.record_path;
  request.stats_path = run.stats_path;
  run.files_written = true;
  auto shown = run.display.window(request);
  if (!shown && offered && shown.error().type == ErrorType::kNoDisplay) return there;
  return with_display_hint(std::move(shown));
}

}  // namespace

Action declare_window(CLI::App& app) {
  const auto options = std::make_shared<WindowOptions>();
  set_help(app, "Attention Lab shows multi-head attention with real, editable numbers.",
           "[FILE | EXAMPLE | LESSON | MODEL]   open the window\n"
           "       attention-lab VERB …                  run without the window",
           program_closing());
  app.add_option("FILE", options->request.source,
                 "a session, a problem, a lesson, a built-in example (the first example),\n"
                 "or a trained model: its folder or its name; a matrix or word vectors\n"
                 "are imported into the first example")
      ->option_text("| EXAMPLE | LESSON | MODEL");
  app.add_option("--text", options->request.text, "what the model reads (an example text)")
      ->type_name("T");
  app.add_flag("--new-window", options->request.new_window,
               "open another window, also where one is open that could show FILE");
  app.add_option("--size", options->size, "size of the window in pixels (1600x1000)")
      ->type_name("WxH");
  app.add_option("--theme", options->theme, "light, dark or high-contrast (the theme used last)")
      ->type_name("THEME");
  app.add_option("--language", options->language, "language, en or de (the language used last)")
      ->type_name("LANGUAGE");
  app.add_flag("--from-desktop", options->request.shows_errors,
               "show in the window what is wrong with FILE: nobody sees the terminal")
      ->group("");  // of the desktop entry
  return [options](VerbRun& run) { return open_window(*options, run); };
}

}  // namespace lab::cli
