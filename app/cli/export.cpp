#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>

#include "app/cli/arguments.h"
#include "app/cli/figure_arguments.h"
#include "app/cli/help.h"
#include "app/cli/stage_numbers.h"
#include "app/cli/verb.h"
#include "app/figure/html_writer.h"
#include "app/figure/number_text.h"
#include "app/figure/png_writer.h"
#include "app/files/bytes.h"
#include "app/files/reading.h"
#include "app/files/session.h"
#include "app/files/tensors.h"
#include "core/evaluator.h"

namespace lab {

namespace {

using attention::Trace;

struct Options {
  std::string input;
  std::string output;
  std::string stage = "weights";
  std::string head = "1";
  FigureArguments figure;
};

std::string short_number(double value) { return format_significant(static_cast<float>(value), 6); }

using Encoder = Expected<std::string> (*)(const Document&, const Trace&, const FigureOptions&);

// Numbers that were asked for and do not fit are not left out in silence.
void tell_about_numbers(const Document& document, const Trace& trace,
                        const FigureOptions& options) {
  if (!options.annotate) return;
  const auto enough = width_for_numbers(document, trace, options, kWidestForNumbers);
  if (enough == options.width_mm) return;
  const std::string what = "--annot: not every map has room for the numbers in its cells";
  tell(enough ? what + "; there is with --width-mm " + short_number(*enough)
              : what + ", however wide the picture is");
}

Expected<std::string> encode_png(const Document& document, const Trace& trace,
                                 const FigureOptions& options) {
  tell_about_numbers(document, trace, options);
  auto png = write_png(stage_figure(document, trace, options), options.dpi);
  if (png || png.error().kind != ErrorKind::kBadInput) return png;
  return fail(ErrorKind::kUsage, "--width-mm " + short_number(options.width_mm) + " with --dpi " +
                                     short_number(options.dpi) + ": " + png.error().message);
}

Expected<std::string> encode_html(const Document& document, const Trace& trace,
                                  const FigureOptions& options) {
  HtmlOptions page;
  page.title = options.title;
  page.stage = options.stage.value_or(page.stage);
  page.head = options.head.value_or(0);
  page.palette = options.palette;
  page.range_rule = options.range_rule;
  page.range = options.range;
  page.annotate = options.annotate;
  page.decimals = options.decimals;
  page.significant = options.significant;
  page.theme = options.dark ? PageTheme::kDark : PageTheme::kAutomatic;
  page.session = write_session(document);
  return write_html(document, trace, page);
}

Expected<std::string> encode_csv(const Document& document, const Trace& trace,
                                 const FigureOptions& options) {
  return stage_csv(document, trace, *options.stage, options.head);
}

Expected<std::string> encode_npy(const Document& document, const Trace& trace,
                                 const FigureOptions& options) {
  return write_npy(stage_tensor(document, trace, *options.stage, options.head));
}

Expected<std::string> encode_json(const Document& document, const Trace& trace,
                                  const FigureOptions& options) {
  return write_tensors_json({{stage_tensor(document, trace, *options.stage, options.head)}, {}});
}

struct Format {
  std::string_view ending;
  Encoder encode;
  bool is_picture;
};

constexpr std::array kFormats = {
    Format{".png", encode_png, true}, Format{".html", encode_html, true},
    Format{".csv", encode_csv, false}, Format{".npy", encode_npy, false},
    Format{".json", encode_json, false}};
constexpr std::array<std::string_view, 3> kPlanned = {".svg", ".pdf", ".tex"};

// The format of the output; standard output gets CSV.
Expected<Format> format_of(const std::string& output) {
  const std::string ending = output == "-" ? ".csv" : ending_of(output);
  const auto format = std::ranges::find(kFormats, ending, &Format::ending);
  if (format != kFormats.end()) return *format;
  const std::string known = "export writes .png, .html, .csv, .npy and .json";
  if (std::ranges::find(kPlanned, ending) != kPlanned.end()) {
    return fail(ErrorKind::kUsage, ending + " is not supported yet; " + known);
  }
  return fail(ErrorKind::kUsage,
              "cannot tell the format of " + in_quotes(output) + " by its ending; " + known);
}

// Everything that can be judged without the document.
Expected<FigureOptions> options_before_opening(const Options& options, const Format& format) {
  auto figure = figure_options(options.figure);
  if (!figure) return figure;
  if (options.stage == "all") {
    figure->stage.reset();
    if (!format.is_picture) {
      return fail(ErrorKind::kUsage,
                  "--stage all is a picture (.png); one file of numbers holds one stage. "
                  "attention-lab compute writes all of them");
    }
    if (options.head == "all") {
      return fail(ErrorKind::kUsage, "--stage all shows one head; choose it with --head N");
    }
    return figure;
  }
  const auto stage = parse_stage(options.stage);
  if (!stage) return tl::make_unexpected(stage.error());
  figure->stage = *stage;
  return figure;
}

// Nothing for all heads. What is the same for every head needs none.
Expected<std::optional<attention::Index>> head_of(const Options& options,
                                                  const FigureOptions& figure,
                                                  const Document& document) {
  if (options.head == "all" || (figure.stage && !attention::is_per_head(*figure.stage)))
    return std::nullopt;
  const auto head = parse_head(options.head, document);
  if (!head) return tl::make_unexpected(head.error());
  return *head;
}

Expected<void> export_stage(const Options& options) {
  const auto format = format_of(options.output);
  if (!format) return tl::make_unexpected(format.error());
  auto figure = options_before_opening(options, *format);
  if (!figure) return tl::make_unexpected(figure.error());
  const auto document = open_input(options.input);
  if (!document) return tl::make_unexpected(document.error());

  if (figure->stage) {
    if (auto there = check_stage(*figure->stage, *document); !there) return there;
  }
  const auto head = head_of(options, *figure, *document);
  if (!head) return tl::make_unexpected(head.error());
  figure->head = *head;
  attention::Evaluator evaluator;
  const auto bytes = format->encode(*document, evaluator.evaluate(document->problem), *figure);
  if (!bytes) return tl::make_unexpected(bytes.error());
  return write_bytes(options.output, *bytes);
}

}  // namespace

Action declare_export(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  set_help(app, "Writes one stage of IN as a picture or as numbers.",
           "export IN -o OUT [--stage S] [--head N|all] …",
           "Numbers of all heads: in .npy and .json one array [n_heads × rows × columns]; in .csv\n"
           "the heads below each other, with a first column that says which. Heads that share\n"
           "keys and values count once in K, V and rotated_K.\n"
           "\n"
           "  attention-lab export refer --stage scores --annot -o scores.png\n"
           "  attention-lab export refer --stage weights --head 2 -o - | column -s, -t");
  add_input(app, options->input);
  app.add_option("-o,--output", options->output,
                 "by its ending a picture (.png), a page with all stages\n"
                 "and heads (.html) or numbers (.csv .npy .json);\n"
                 "- for CSV on standard output")
      ->type_name("OUT")
      ->required();
  app.add_option(
         "--stage", options->stage,
         std::string(kStageHelp) + ";\nor all: the whole pipeline of one head as one picture")
      ->type_name("S");
  app.add_option("--head", options->head, "a head from 1, or all (1)")->type_name("N|all");
  add_figure_options(app, options->figure);
  return [options](VerbRun&) { return export_stage(*options); };
}

}  // namespace lab
