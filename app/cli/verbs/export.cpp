#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "app/base/bad_input.h"
#include "app/cli/arguments.h"
#include "app/cli/export_animation.h"
#include "app/cli/export_each.h"
#include "app/cli/figure_arguments.h"
#include "app/cli/help.h"
#include "app/cli/verb.h"
#include "app/explain/number_text.h"
#include "app/figure/animation/animation_file.h"
#include "app/figure/compose/stage_figure.h"
#include "app/figure/figure_file.h"
#include "app/files/io/bytes.h"
#include "app/files/number_formats.h"
#include "app/files/session/session.h"
#include "core/layer/evaluator.h"

namespace lab::cli {

namespace {

using attention::Trace;

struct ExportOptions {
  std::string input;
  std::string output;
  FigureArguments figure;
  AnimationArguments animation;
  bool bare = false;  // the figure carries no session
  std::string each;   // the ending of a file for each stage and head; empty: one file
};

std::string session_of(const Document& document) {
  std::string session = files::carried_session_of(document);
  if (session.empty())
    tell("the figure does not carry its session, which is larger than " +
         std::to_string(files::kLongestCarried >> 20) +
         " MB (--bare leaves it out without a word)");
  return session;
}

std::string short_number(double value) {
  return explain::format_significant(static_cast<float>(value), 6);
}

// Numbers that were asked for and do not fit are not left out in silence.
void tell_about_numbers(const Document& document, const Trace& trace,
                        const figure::FigureOptions& options, const Snapshot* kept) {
  if (!options.annotate) return;
  const auto enough =
      figure::width_for_numbers(document, trace, options, figure::kWidestForNumbers, kept);
  if (enough == options.width_mm) return;
  const std::string what = "--annot: not every map has room for the numbers in its cells";
  tell(enough ? what + "; there is with --width-mm " + short_number(*enough)
              : what + ", however wide the figure is");
}

std::string endings_of_figures(const std::string& between) {
  std::string endings;
  for (const figure::FigureFormat& format : figure::figure_formats())
    endings += (endings.empty() ? "" : between) + std::string(format.ending);
  return endings;
}

// Fails when no writer has that ending.
Expected<void> check_ending(const std::string& ending, const std::string& output) {
  if (figure::figure_format(ending) != nullptr || files::find_number_format(ending) != nullptr)
    return {};
  if (figure::animation_format(ending) != nullptr) return {};
  return fail(ErrorKind::kUsage, "cannot tell the format of " + in_quotes(output) +
                                     " by its ending; export writes " + endings_of_figures(", ") +
                                     ", .webp, .gif, .csv, .npy, .npz and .json");
}

// A page of a size that the format cannot have is wrong usage.
Expected<std::string> draw(const figure::FigureFormat& format, const Document& document,
                           const Trace& trace, const figure::FigureOptions& figure,
                           const figure::WriteOptions& writing, const Snapshot* kept) {
  auto bytes = figure::figure_file(document, trace, figure, format, writing, kept);
  if (bytes && format.write != nullptr) tell_about_numbers(document, trace, figure, kept);
  if (bytes || bytes.error().kind != ErrorKind::kBadInput || format.write == nullptr) return bytes;
  const std::string pixels = format.of_pixels ? " with --dpi " + short_number(figure.dpi) : "";
  return fail(ErrorKind::kUsage, "--width-mm " + short_number(figure.width_mm) + pixels + ": " +
                                     bytes.error().message);
}

Expected<Snapshot> open_evaluated(const std::string& input) {
  auto document = open_input(input);
  if (!document) return tl::make_unexpected(document.error());
  attention::Evaluator evaluator;
  Trace trace = evaluator.evaluate(document->problem);
  return Snapshot{std::move(*document), std::move(trace)};
}

// What is exported, opened and evaluated once for all of its files.
struct Subject {
  Snapshot state;
  std::optional<Snapshot> kept;  // --against
  std::string session;           // that figures carry
};

bool carries(const std::string& ending) {
  const figure::FigureFormat* still = figure::figure_format(ending);
  const figure::AnimationFormat* moving = figure::animation_format(ending);
  return (still != nullptr && still->carries) || (moving != nullptr && moving->carry != nullptr);
}

Expected<Subject> open_subject(const ExportOptions& options, const std::string& ending) {
  auto state = open_evaluated(options.input);
  if (!state) return tl::make_unexpected(state.error());
  Subject subject{std::move(*state), std::nullopt, {}};
  if (!options.bare && carries(ending)) subject.session = session_of(subject.state.document);
  if (options.figure.against.empty()) return subject;
  auto kept = open_evaluated(options.figure.against);
  if (!kept) return tl::make_unexpected(kept.error());
  subject.kept = std::move(*kept);
  return subject;
}

// A figure in the format of the output, with the session from which it was made.
Expected<std::string> encode_figure(const figure::FigureFormat& format,
                                    const ExportOptions& options, const Subject& subject,
                                    figure::FigureOptions figure) {
  const auto& [document, trace] = subject.state;
  const auto chosen = figure_options(options.figure, std::move(figure), document);
  if (!chosen) return tl::make_unexpected(chosen.error());
  const figure::WriteOptions writing{chosen->dpi, subject.session, nullptr};
  const Snapshot* kept = subject.kept ? &*subject.kept : nullptr;
  return draw(format, document, trace, *chosen, writing, kept);
}

// An animation in the format of the output.
Expected<std::string> encode_animation(const figure::AnimationFormat& format,
                                       const ExportOptions& options, const Subject& subject,
                                       figure::FigureOptions figure) {
  const Document& document = subject.state.document;
  const auto chosen = figure_options(options.figure, std::move(figure), document);
  if (!chosen) return tl::make_unexpected(chosen.error());
  const auto animation = animation_of(options.animation, document, *chosen);
  if (!animation) return tl::make_unexpected(animation.error());
  const figure::WriteOptions writing{chosen->dpi, subject.session, nullptr};
  const Snapshot* kept = subject.kept ? &*subject.kept : nullptr;
  return figure::animation_file(*animation, format, writing, kept);
}

// Of all stages every head, unless one is asked for.
Expected<files::NumberRequest> number_request(const ExportOptions& options,
                                              const Document& document,
                                              const figure::FigureOptions& figure) {
  const std::string& head = options.figure.head;
  const bool all = figure.kind == figure::FigureKind::kPipeline;
  files::NumberRequest request;
  if (!all) request.stage = figure.stage;
  const bool has_heads = all ? !head.empty() : attention::is_per_head(figure.stage);
  if (!has_heads || head == "all") return request;
  const auto index = parse_head(head.empty() ? "1" : head, document);
  if (!index) return tl::make_unexpected(index.error());
  request.head = *index;
  return request;
}

Expected<std::string> encode_numbers(const files::NumberFormat& format,
                                     const ExportOptions& options, const Subject& subject,
                                     const figure::FigureOptions& figure) {
  if (subject.kept || options.figure.kind != "map")
    return fail(ErrorKind::kUsage, "--against and --kind are for figures; " +
                                       std::string(format.ending) +
                                       " holds the numbers of one state");
  const auto request = number_request(options, subject.state.document, figure);
  if (!request) return tl::make_unexpected(request.error());
  return format.encode(subject.state.document, subject.state.trace, *request);
}

// The bytes of the file that the options describe.
Expected<std::string> encode(const std::string& ending, const ExportOptions& options,
                             const Subject& subject, const figure::FigureOptions& figure) {
  if (const figure::AnimationFormat* moving = figure::animation_format(ending))
    return encode_animation(*moving, options, subject, figure);
  const files::NumberFormat* numbers = files::find_number_format(ending);
  return numbers != nullptr
             ? encode_numbers(*numbers, options, subject, figure)
             : encode_figure(*figure::figure_format(ending), options, subject, figure);
}

Expected<void> export_all(const ExportOptions& options) {
  if (auto known = check_ending(options.each, options.each); !known) return known;
  if (figure::animation_format(options.each) != nullptr || is_asked_for(options.animation))
    return fail(ErrorKind::kUsage, "--each writes still figures, not animations");
  const auto subject = open_subject(options, options.each);
  if (!subject) return tl::make_unexpected(subject.error());
  const auto encode_one = [&](const figure::StageOfHead& what) -> Expected<std::string> {
    ExportOptions one = options;
    one.figure.stage = attention::stage_name(what.stage);
    one.figure.head = what.head ? std::to_string(*what.head + 1) : "";
    const auto figure = figure_options(one.figure);
    if (!figure) return tl::make_unexpected(figure.error());
    return encode(options.each, one, *subject, *figure);
  };
  return export_each(subject->state.document, options.output, options.each, encode_one);
}

Expected<void> export_stage(const ExportOptions& options) {
  if (!options.each.empty()) return export_all(options);
  // Everything that can be judged without the document comes first.
  const std::string ending = options.output == "-" ? ".csv" : files::ending_of(options.output);
  if (auto known = check_ending(ending, options.output); !known) return known;
  if (auto fits = check_animation(options.animation, options.output); !fits) return fits;
  const auto figure = figure_options(options.figure);
  if (!figure) return tl::make_unexpected(figure.error());
  const auto subject = open_subject(options, ending);
  if (!subject) return tl::make_unexpected(subject.error());
  if (figure->kind != figure::FigureKind::kPipeline) {
    if (auto there = check_stage(figure->stage, subject->state.document); !there) return there;
  }
  const auto bytes = encode(ending, options, *subject, *figure);
  if (!bytes) return tl::make_unexpected(bytes.error());
  return files::write_bytes(options.output, *bytes);
}

}  // namespace

Action declare_export(CLI::App& app) {
  const auto options = std::make_shared<ExportOptions>();
  set_help(
      app, "Writes one stage of IN, or all, as a figure or as numbers.",
      "export IN -o OUT [--stage S] [--head N|all] …",
      "Numbers of all heads: in .npy, .npz and .json one array [n_heads × rows × columns]; in\n"
      ".csv the heads below each other, with a first column that says which. Heads that\n"
      "share keys and values count once in K, V and rotated_K. Numbers of all stages: an\n"
      "array each, by their names; in .csv a line a number.\n"
      "\n"
      "A figure, except .tex and .gif, carries the session from which it was made: open it\n"
      "like any other file.\n"
      "\n"
      "  attention-lab export refer --stage scores --annot -o scores.png\n"
      "  attention-lab export refer --head 1,2 --width-mm page -o two-heads.png\n"
      "  attention-lab export refer --kind arithmetic --row it --col animal -o sum.png\n"
      "  attention-lab export refer --sweep temperature=0.2..4 -o sweep.webp\n"
      "  attention-lab export refer --each .svg -o figures\n"
      "  attention-lab export refer --stage weights --head 2 -o - | column -s, -t");
  add_input(app, options->input);
  app.add_option("-o,--output", options->output,
                 "by its ending a figure (" + endings_of_figures(" ") +
                     "; .html is a\npage with all stages and heads), an animation (.webp .gif) or\n"
                     "numbers (.csv .npy .npz .json); - for CSV on standard output")
      ->type_name("OUT")
      ->required();
  app.add_option("--each", options->each,
                 "a file of this ending (.svg) for each stage and each head, in\n"
                 "the folder OUT")
      ->type_name("ENDING");
  add_figure_options(app, options->figure);
  add_animation_options(app, options->animation);
  app.add_flag("--bare", options->bare, "the figure does not carry the session")
      ->group("For figures");
  return [options](VerbRun&) { return export_stage(*options); };
}

}  // namespace lab::cli
