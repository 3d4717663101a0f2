#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "app/base/bad_input.h"
#include "app/cli/arguments.h"
#include "app/cli/batch/sentences.h"
#include "app/cli/export_animation.h"
#include "app/cli/export_figure.h"
#include "app/cli/export_page.h"
#include "app/cli/export_shown.h"
#include "app/cli/figure_content_arguments.h"
#include "app/cli/help.h"
#include "app/cli/language_meanwhile.h"
#include "app/cli/model/model_run.h"
#include "app/cli/verb.h"
#include "app/figure/animation/animation_file.h"
#include "app/figure/compose/layer_grid.h"
#include "app/figure/figure_file.h"
#include "app/files/io/paths.h"
#include "app/files/number_formats.h"
#include "app/files/session/session.h"
#include "app/lessons/reading/lesson_library.h"
#include "core/analysis/combine.h"

namespace lab::cli {

namespace {

struct ExportOptions {
  std::string input;
  std::vector<std::string> outputs;
  FigureContentArguments content;
  AnimationArguments animation;
  bool bare = false;             // do not embed the session in the figure
  std::string each;              // extension of the file for each stage and head; empty: one file
  figure::FigureOptions look{};  // of the preset
  std::string language;          // of the words in figures; empty: not set, English
  bool decimal_comma = false;
  ModelArguments model;
  ShowArguments show;
  LivePageArguments page;
};

// The session of the model, or else that of the document; empty when it is too long.
std::string session_to_embed(const Document& document, const std::string& of_model) {
  return short_enough_to_embed(of_model.empty() ? files::embedded_session_of(document) : of_model);
}

std::string endings_of_figures(const std::string& between) {
  std::string endings;
  for (const figure::FigureFormat& format : figure::figure_formats())
    endings += (endings.empty() ? "" : between) + std::string(format.ending);
  return endings;
}

// Fails if no writer has this extension.
Expected<void> check_ending(const std::string& ending, const std::string& output) {
  if (figure::figure_format(ending) != nullptr || files::find_number_format(ending) != nullptr)
    return {};
  if (figure::animation_format(ending) != nullptr) return {};
  return fail(ErrorType::kUsage, "cannot tell the format of " + in_quotes(output) +
                                     " from its extension; export writes " +
                                     endings_of_figures(", ") +
                                     ", .webp, .gif, .csv, .npy, .npz and .json");
}

// The input of the export, opened and evaluated once for all files.
struct Subject {
  Snapshot state;
  std::optional<Snapshot> kept;  // --against
  std::string session;           // to embed in figures
  std::string caption;           // of a model, below the titles of figures of all layers
};

bool shows_all_layers(const ExportOptions& options) {
  return parse_all_layers(options.model.layer).has_value();
}

// Of all layers together there are only the weights.
Expected<void> check_all_layers(const ExportOptions& options, const figure::FigureOptions& figure) {
  using figure::FigureType;
  if (!shows_all_layers(options)) return {};
  const bool weights = figure.stage == attention::Stage::kWeights;
  const bool drawn = figure.type == FigureType::kMap || figure.type == FigureType::kHeads ||
                     figure.type == FigureType::kTwoHeads || figure.type == FigureType::kLines;
  if (weights && drawn && options.each.empty() && !any_set(options.animation)) return {};
  return fail(ErrorType::kUsage,
              "--layer all shows the weights of heads; for other stages, animations and --each, "
              "give one layer");
}

bool embeds_session(const std::string& ending) {
  const figure::FigureFormat* still = figure::figure_format(ending);
  const figure::AnimationFormat* moving = figure::animation_format(ending);
  return (still != nullptr && still->embeds_session) ||
         (moving != nullptr && moving->embed != nullptr);
}

Expected<Subject> open_subject(const ExportOptions& options,
                               const std::vector<std::string>& endings) {
  const bool embed = !options.bare && std::ranges::any_of(endings, embeds_session);
  std::string of_model;
  std::string caption;
  auto state = open_snapshot(options.input, options.model, embed ? &of_model : nullptr, &caption);
  if (!state) return tl::make_unexpected(state.error());
  Subject subject{std::move(*state), std::nullopt, {}, std::move(caption)};
  if (embed) subject.session = session_to_embed(subject.state.document, of_model);
  if (options.content.against.empty()) return subject;
  auto kept = open_to_compare(options.content.against, options.model);
  if (!kept) return tl::make_unexpected(kept.error());
  subject.kept = std::move(*kept);
  return subject;
}

// A figure in that format, with its session embedded.
Expected<std::string> encode_figure(const figure::FigureFormat& format,
                                    const ExportOptions& options, const Subject& subject,
                                    figure::FigureOptions figure) {
  const Document& document = subject.state.document;
  const attention::Trace& trace = subject.state.trace;
  const auto chosen = figure_content_options(options.content, std::move(figure), document);
  if (!chosen) return tl::make_unexpected(chosen.error());
  figure::FigureOptions arranged = *chosen;
  if (shows_all_layers(options)) {
    arranged = figure::with_layers(document, subject.caption, std::move(arranged));
    // A page shows all heads, whichever is the first one.
    const bool own_range = options.content.style.chooses_range();
    if (format.write_page != nullptr && !own_range)
      arranged.range_rule = figure::RangeRule::kShared;
  }
  const figure::WriteOptions writing{chosen->dpi, subject.session, nullptr};
  const Snapshot* kept = subject.kept ? &*subject.kept : nullptr;
  return export_figure(format, document, trace, arranged, writing, kept);
}

// An animation in that format.
Expected<std::string> encode_animation(const figure::AnimationFormat& format,
                                       const ExportOptions& options, const Subject& subject,
                                       figure::FigureOptions figure) {
  const Document& document = subject.state.document;
  const auto chosen = figure_content_options(options.content, std::move(figure), document);
  if (!chosen) return tl::make_unexpected(chosen.error());
  const auto animation = animation_of(options.animation, document, *chosen);
  if (!animation) return tl::make_unexpected(animation.error());
  const figure::WriteOptions writing{chosen->dpi, subject.session, nullptr};
  const Snapshot* kept = subject.kept ? &*subject.kept : nullptr;
  return figure::animation_file(*animation, format, writing, kept);
}

// --stage all exports every head by default, a single stage only the first.
Expected<files::NumberRequest> number_request(const ExportOptions& options,
                                              const Document& document,
                                              const figure::FigureOptions& figure) {
  const std::string& head = options.content.head;
  const bool all = figure.type == figure::FigureType::kPipeline;
  files::NumberRequest request;
  if (!all) request.stage = figure.stage;
  const bool has_heads = all ? !head.empty() : attention::is_per_head(figure.stage);
  if (!has_heads || head == "all") return request;
  const auto index = parse_head(head, document);
  if (!index) return tl::make_unexpected(index.error());
  request.head = *index;
  return request;
}

// The mean or the maximum of the heads' weights, as if it were the only head.
Expected<std::string> encode_combined(const files::NumberFormat& format, const Snapshot& state,
                                      const std::string& head,
                                      const figure::FigureOptions& figure) {
  const bool pipeline = figure.type == figure::FigureType::kPipeline;
  if (pipeline || figure.stage != attention::Stage::kWeights)
    return fail(ErrorType::kUsage, "--head " + head + " is of the weights; leave out --stage");
  const auto combined =
      head == kMeanOfHeads ? attention::with_mean_weights : attention::with_largest_weights;
  return format.encode(state.document, combined(state.document.problem, state.trace),
                       {figure.stage, 0});
}

Expected<std::string> encode_numbers(const files::NumberFormat& format,
                                     const ExportOptions& options, const Subject& subject,
                                     const figure::FigureOptions& figure) {
  const FigureContentArguments& content = options.content;
  const bool of_figures = !content.type.empty() && content.type != "map";
  if (subject.kept || of_figures || !content.style.preset.empty())
    return fail(ErrorType::kUsage, "--against, --kind and --preset are for figures; " +
                                       std::string(format.ending) +
                                       " holds the numbers of one state");
  if (content.tokens.any())
    return fail(ErrorType::kUsage,
                "--tokens, --queries, --keys, --name, --labels and --letters are for figures; " +
                    std::string(format.ending) + " holds the numbers of all tokens");
  const Document& document = subject.state.document;
  const attention::Trace& trace = subject.state.trace;
  if (content.head == kMeanOfHeads || content.head == kMaximumOfHeads)
    return encode_combined(format, subject.state, content.head, figure);
  const auto request = number_request(options, document, figure);
  if (!request) return tl::make_unexpected(request.error());
  return format.encode(document, trace, *request);
}

// The bytes of the output file.
Expected<std::string> encode(const std::string& ending, const ExportOptions& options,
                             const Subject& subject, const figure::FigureOptions& figure) {
  if (const figure::AnimationFormat* moving = figure::animation_format(ending))
    return encode_animation(*moving, options, subject, figure);
  const files::NumberFormat* numbers = files::find_number_format(ending);
  return numbers != nullptr
             ? encode_numbers(*numbers, options, subject, figure)
             : encode_figure(*figure::figure_format(ending), options, subject, figure);
}

// What --head calls the head at `index`.
std::string head_argument(const Document& document, attention::Index index) {
  const auto& names = document.head_names;
  return names.empty() ? std::to_string(index + 1) : names[static_cast<std::size_t>(index)];
}

Expected<void> export_all(const ExportOptions& options) {
  if (options.outputs.size() > 1)
    return fail(ErrorType::kUsage, "--each writes into one folder; give -o once");
  if (auto known = check_ending(options.each, options.each); !known) return known;
  if (figure::animation_format(options.each) != nullptr || any_set(options.animation))
    return fail(ErrorType::kUsage, "--each does not write animations");
  if (auto fits = check_all_layers(options, {}); !fits) return fits;
  const auto subject = open_subject(options, {options.each});
  if (!subject) return tl::make_unexpected(subject.error());
  const auto encode_one = [&](const figure::StageOfHead& what) -> Expected<std::string> {
    ExportOptions one = options;
    one.content.stage = attention::stage_name(what.stage);
    one.content.head = what.head ? head_argument(subject->state.document, *what.head) : "";
    const auto figure = figure_content_options(one.content, options.look);
    if (!figure) return tl::make_unexpected(figure.error());
    return encode(options.each, one, *subject, *figure);
  };
  return export_each(subject->state.document, options.outputs.front(), options.each, encode_one);
}

std::string format_of(const std::string& output) {
  return output == "-" ? ".csv" : files::ending_of(output);
}

// Everything that does not depend on the document is checked before it is opened, and every file is
// made before the first is written.
Expected<void> export_files(const ExportOptions& options) {
  if (!options.each.empty()) return export_all(options);
  std::vector<std::string> endings;
  for (const std::string& output : options.outputs) {
    endings.push_back(format_of(output));
    if (auto known = check_ending(endings.back(), output); !known) return known;
    if (auto fits = check_animation(options.animation, output); !fits) return fits;
  }
  const auto figure = figure_content_options(options.content, options.look);
  if (!figure) return tl::make_unexpected(figure.error());
  if (auto fits = check_all_layers(options, *figure); !fits) return fits;
  const auto subject = open_subject(options, endings);
  if (!subject) return tl::make_unexpected(subject.error());
  if (figure->type != figure::FigureType::kPipeline) {
    if (auto there = check_stage(figure->stage, subject->state.document); !there) return there;
  }
  return write_outputs(options.outputs, [&](std::size_t i) {
    return encode(endings[i], options, *subject, *figure);
  });
}

// A figure of the whole model; everything else that chooses what is shown would be ignored.
Expected<void> export_whole_model(const ExportOptions& options) {
  const FigureContentArguments& content = options.content;
  FigureContentArguments allowed;
  allowed.style = content.style, allowed.row = content.row;
  if (options.show.subject.empty())
    return fail(ErrorType::kUsage, "--answer, --answer-id and --top are for --show");
  if (!(content == allowed) || !options.each.empty() || any_set(options.animation))
    return fail(ErrorType::kUsage,
                "--show draws the whole model: leave out --stage, --head, --kind, --col, --share, "
                "--against, --mark, --each, and what chooses tokens or makes animations");
  const auto figure = figure_style_options(content.style, options.look);
  if (!figure) return tl::make_unexpected(figure.error());
  const auto row = content.row.empty() ? std::nullopt : std::optional(content.row);
  return export_shown(
      {options.input, options.model, options.show, row, options.outputs, *figure, options.bare});
}

// A lesson is exported as nothing else; reading all titles of lessons is left out for figures.
bool is_live_page(const ExportOptions& options) {
  if (options.page.any()) return true;
  const bool page = std::ranges::any_of(options.outputs, [](const std::string& output) {
    return files::ending_of(output) == ".html";
  });
  return page && lessons::is_lesson(options.input);
}

Expected<void> export_page(const ExportOptions& options) {
  const bool drawn = !(options.content == FigureContentArguments()) || options.show.any() ||
                     options.bare || options.decimal_comma || !options.each.empty() ||
                     any_set(options.animation);
  if (drawn)
    return fail(ErrorType::kUsage,
                "the page that computes shows everything: leave out what chooses or draws figures");
  LivePageRequest request{options.input, options.model, options.page, options.outputs, {}};
  if (!options.language.empty()) request.language = language();
  return export_live_page(request);
}

Expected<void> export_one(const ExportOptions& options) {
  if (is_live_page(options)) return export_page(options);
  return options.show.any() ? export_whole_model(options) : export_files(options);
}

// One file, or folder, for each sentence.
Expected<void> export_sentences(const ExportOptions& options) {
  if (options.model.sentence != kAllSentences) return export_one(options);
  const auto count = sentence_count_of(options.input, options.model);
  if (!count) return tl::make_unexpected(count.error());
  return write_sentences(options.outputs, !options.each.empty(), *count,
                         [&](const std::string& sentence, std::vector<std::string> outputs) {
                           ExportOptions one = options;
                           one.model.sentence = sentence;
                           one.outputs = std::move(outputs);
                           return export_one(one);
                         });
}

Expected<figure::FigureOptions> look_of_preset(const std::string& name, const VerbRun& run) {
  if (name.empty()) return figure::FigureOptions();
  const std::vector<FigurePreset> presets = run.kept().presets;
  const auto found = std::ranges::find(presets, name, &FigurePreset::name);
  if (found != presets.end()) return found->look;
  std::string names;
  for (const FigurePreset& preset : presets)
    names += (names.empty() ? "" : ", ") + in_quotes(preset.name);
  return fail(ErrorType::kUsage,
              "--preset is " + in_quotes(name) + " but " +
                  (names.empty() ? "the export dialog of the window has kept none yet"
                                 : "should be one of those kept in the export dialog: " + names));
}

// The end of its help.
constexpr std::string_view kExportNotes =
    "With --head all, .npy, .npz and .json contain one array [n_heads × rows × columns]; .csv\n"
    "lists the heads one below the other, with the head in the first column. Heads that share\n"
    "keys and values appear once in K, V and rotated_K. With --stage all there is one array per\n"
    "stage, with its name; .csv has one number per line.\n"
    "\n"
    "Figures embed the session they were made from and can be opened like one, except .tex and\n"
    ".gif. That of a model names the model, with the hash of its weights.\n"
    "\n"
    "  attention-lab export refer --stage scores --annot -o scores.png\n"
    "  attention-lab export refer --head 1,2 --letters --width-mm page -o two-heads.png\n"
    "  attention-lab export refer --head all --preset \"for the talk\" -o heads.png\n"
    "  attention-lab export refer --tokens 1-7 --name it=pronoun -o part.pdf -o part.svg\n"
    "  attention-lab export refer --kind arithmetic --row it --col animal -o sum.png\n"
    "  attention-lab export refer --sweep temperature=0.2..4 -o sweep.webp\n"
    "  attention-lab export refer --each .svg -o figures\n"
    "  attention-lab export gpt2/ --text \"Hello\" --layer all --head all -o heads.pdf\n"
    "  attention-lab export gpt2/ --text \"Hello\" --layer all -o page.html\n"
    "  attention-lab export gpt2/ --text \"Hello\" --show knock-out -o heads.pdf\n"
    "  attention-lab export gpt2/ --text \"Hello\" --mute L9H9 --show next -o next.svg\n"
    "  attention-lab export refer --stage weights --head 2 -o - | column -s, -t\n"
    "\n"
    "With --live the page has the program in it: it computes, edits and explains in a browser,\n"
    "from a file, without a network. A lesson becomes such a page with the sessions of its\n"
    "folder that it opens; built-in models and examples are in every page.\n"
    "\n"
    "  attention-lab export refer --live -o refer.html\n"
    "  attention-lab export my-lesson.md -o my-lesson.html\n"
    "  attention-lab export words --text \"a small\" --live --with my-lesson.md -o words.html";

// What figures embed and in which language.
void add_text_options(CLI::App& app, ExportOptions& options) {
  app.add_flag("--bare", options.bare, "do not embed the session in the figure")
      ->group("For figures");
  app.add_option(
         "--language", options.language,
         "language of their words, en or de (en); of a page that computes,\nthat it opens in")
      ->type_name("LANGUAGE")
      ->group("For figures");
  app.add_flag("--decimal-comma", options.decimal_comma, "write 0,52 instead of 0.52")
      ->group("For figures");
}

}  // namespace

Action declare_export(CLI::App& app) {
  const auto options = std::make_shared<ExportOptions>();
  set_help(app, "Writes one stage of IN, or all stages, as a figure or as numbers.",
           "export IN -o OUT [--stage S] [--head N|all] …", kExportNotes);
  add_input(app, options->input);
  app.add_option("-o,--output", options->outputs,
                 "output file: a figure (" + endings_of_figures(" ") +
                     "; .html is a\npage with all stages and heads), an animation (.webp .gif) or\n"
                     "numbers (.csv .npy .npz .json); - for CSV on standard output;\n"
                     "may be repeated: several files at once")
      ->type_name("OUT")
      ->allow_extra_args(false)
      ->required();
  app.add_option("--each", options->each,
                 "write one file with this extension (such as .svg) per stage and\n"
                 "head into the folder OUT")
      ->type_name("ENDING");
  add_figure_content_options(app, options->content);
  add_animation_options(app, options->animation);
  add_model_options(app, options->model);
  add_layer_option(app, options->model);
  add_show_options(app, options->show);
  add_sentences_option(app, options->model.sentence,
                       "a file for each, such as OUT-1.svg; with\n--each a folder, sentence-1");
  add_live_page_options(app, options->page);
  add_text_options(app, *options);
  return [options](VerbRun& run) -> Expected<void> {
    const std::string& language = options->language;
    const auto requested = parse_language(language.empty() ? "en" : language);
    if (!requested) return tl::make_unexpected(requested.error());
    const LanguageMeanwhile meanwhile(*requested, options->decimal_comma);
    auto look = look_of_preset(options->content.style.preset, run);
    if (!look) return tl::make_unexpected(look.error());
    options->look = std::move(*look);
    return export_sentences(*options);
  };
}

}  // namespace lab::cli
