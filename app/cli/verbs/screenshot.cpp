#include <CLI/CLI.hpp>
#include <memory>

#include "app/base/bad_input.h"
#include "app/cli/arguments.h"
#include "app/cli/help.h"
#include "app/cli/verb.h"

namespace lab::cli {

namespace {

struct ScreenshotOptions {
  ScreenshotRequest request;
  std::string size = "1600x1000";
  std::string theme = "light";
  std::string language = "en";
};

Expected<void> take_screenshot(ScreenshotOptions options, const VerbRun& run) {
  ScreenshotRequest& request = options.request;
  if (request.output != "-" && files::ending_of(request.output) != ".png") {
    return fail(ErrorType::kUsage,
                "a screenshot must be a .png file, but --output is " + in_quotes(request.output));
  }
  const auto size = parse_pixel_size(options.size);
  if (!size) return tl::make_unexpected(size.error());
  const auto theme = parse_window_theme(options.theme);
  if (!theme) return tl::make_unexpected(theme.error());
  const auto language = parse_language(options.language);
  if (!language) return tl::make_unexpected(language.error());
  if (auto fits = check_between("--scale", request.scale, 0.75, 3); !fits) return fits;
  if (auto fits = check_between("--step", request.step, 1, 1000); !fits) return fits;
  request.theme = *theme;
  request.language = *language;
  request.width = size->width;
  request.height = size->height;
  return run.display.screenshot(request);
}

}  // namespace

Action declare_screenshot(CLI::App& app) {
  const auto options = std::make_shared<ScreenshotOptions>();
  ScreenshotRequest& request = options->request;
  set_help(app, "Draws the real window off screen and saves it as an image.",
           "screenshot IN -o OUT.png [--size WxH] [--theme T] [--language L] [--scale S]\n"
           "       [--text T] [--places F.json] [--step N]",
           "Needs OpenGL 3.3 and, on most machines, a display (xvfb-run provides one).");
  add_input(app, request.source);
  app.add_option("-o,--output", request.output, "the image, a .png file; - for standard output")
      ->type_name("OUT.png")
      ->required();
  app.add_option("--text", request.text, "the text that a model reads")->type_name("TEXT");
  app.add_option("--size", options->size, "size in pixels (1600x1000)")->type_name("WxH");
  app.add_option("--theme", options->theme, "light, dark or high-contrast (light)")
      ->type_name("THEME");
  app.add_option("--language", options->language, "language, en or de (en)")->type_name("LANGUAGE");
  app.add_option("--scale", request.scale, "scale of the whole window, 0.75 to 3 (1)")
      ->type_name("S");
  app.add_option("--step", request.step, "step of a lesson, from 1 (1)")->type_name("N");
  app.add_option("--places", request.bounds_path,
                 "write {\"name\": [x, y, width, height], …} in pixels for every named\n"
                 "widget")
      ->type_name("OUT.json");
  return [options](VerbRun& run) { return take_screenshot(*options, run); };
}

}  // namespace lab::cli
