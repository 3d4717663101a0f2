#include "app/cli/export_shown.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "app/base/bad_input.h"
#include "app/base/names.h"
#include "app/cli/arguments.h"
#include "app/cli/export_figure.h"
#include "app/cli/model/shown_maps.h"
#include "app/cli/model/shown_predictions.h"
#include "app/cli/verb.h"
#include "app/figure/model/analysis_figures.h"
#include "app/figure/model/model_figure.h"
#include "app/files/import/csv.h"

namespace lab::cli {
namespace {

constexpr int kDefaultTop = 10;

enum class Shown { kLens, kDirect, kKnockOut, kRollout, kLabels, kEntropy, kNext };
constexpr std::array<std::string_view, 7> kShownNames = {
    "lens", "direct", "knock-out", "rollout", "labels", "entropy", "next"};

// A figure, the same as JSON, and the session to embed.
struct ShownFigure {
  figure::ModelFigure figure;
  std::string json;
  std::string session;
};

bool asks_about_answer(const ShowArguments& show) { return show.answer || show.answer_id; }

// Rejects options that the figure would ignore.
Expected<void> check_shown(const ShownRequest& request, Shown subject) {
  const ShowArguments& show = request.show;
  const bool answers =
      subject == Shown::kLens || subject == Shown::kDirect || subject == Shown::kKnockOut;
  const bool rows = answers || subject == Shown::kNext;
  const ModelArguments& model = request.model;
  const bool texts = model.text || model.ids || model.decoder_text || model.decoder_ids;
  const std::pair<bool, const char*> kProblems[] = {
      {!model.layer.empty(), "--show draws all layers; leave out --layer"},
      {asks_about_answer(show) && !answers,
       "--answer and --answer-id are for --show lens, direct and knock-out"},
      {show.answer && show.answer_id, "--answer and --answer-id cannot be used together"},
      {request.row && !rows, "--row is for --show lens, direct, knock-out and next"},
      {show.top && subject != Shown::kNext, "--top is for --show next"},
      {texts && subject == Shown::kLabels,
       "labels are measured on random tokens: leave out --text and --ids"}};
  for (const auto& [wrong, message] : kProblems)
    if (wrong) return fail(ErrorType::kUsage, message);
  return check_between("--top", show.top.value_or(kDefaultTop), 1, 100);
}

Expected<void> check_format(const std::string& output) {
  const std::string ending = output == "-" ? ".csv" : files::ending_of(output);
  if (figure::figure_format(ending) != nullptr || ending == ".csv" || ending == ".json") return {};
  return fail(ErrorType::kUsage, "cannot write " + in_quotes(output) +
                                     "; --show writes .png, .svg, .pdf, .tex, .html, .csv and "
                                     ".json");
}

Expected<ShownFigure> reported(ModelRun& run, const ShownRequest& request, Shown subject) {
  const AnswerChoice choice{{request.show.answer, request.show.answer_id}, {}, request.row, {}};
  const auto type = *attribution_type_from_name(name_of_id(kShownNames, subject));
  const auto report = attribution_report(run, type, choice);
  if (!report) return tl::make_unexpected(report.error());
  const std::string json = attribution_json(run, *report);
  if (subject == Shown::kLens) return ShownFigure{lens_bars(run, *report), json, {}};
  if (subject == Shown::kDirect)
    return ShownFigure{
        figure::direct_figure(run.document, *report->answer, report->direct->heads), json, {}};
  if (subject == Shown::kKnockOut)
    return ShownFigure{
        figure::knock_out_figure(run.document, *report->answer, report->knock_outs), json, {}};
  return ShownFigure{rollout_maps(run, *report), json, {}};
}

Expected<ShownFigure> shown_lens(ModelRun& run) {
  const auto lens = lens_grid(run);
  if (!lens) return tl::make_unexpected(lens.error());
  return ShownFigure{figure::lens_figure(run.document, *lens), lens_grid_json(run, *lens), {}};
}

Expected<ShownFigure> shown_next(ModelRun& run, const ShownRequest& request) {
  const auto next = next_tokens(run, request.row, request.show.top.value_or(kDefaultTop));
  if (!next) return tl::make_unexpected(next.error());
  return ShownFigure{figure::next_figure(run.document, next->row, next->top, next->before),
                     next_json(run, *next),
                     {}};
}

Expected<ShownFigure> shown_of(ModelRun& run, const ShownRequest& request, Shown subject) {
  if (subject == Shown::kNext) return shown_next(run, request);
  if (subject == Shown::kEntropy) {
    const figure::ModelMaps maps =
        figure::entropy_figure(run.document, mean_entropies(run.network(), run.trace()));
    return ShownFigure{maps, maps_json(maps), {}};
  }
  const bool one_row = request.row || asks_about_answer(request.show);
  if (subject == Shown::kLens && !one_row) return shown_lens(run);
  return reported(run, request, subject);
}

// Labels need no text; without one there is no session to embed.
Expected<ShownFigure> shown_labels(const ShownRequest& request, bool embed) {
  const auto session = open_model_without_text(request.input, request.model);
  if (!session) return tl::make_unexpected(session.error());
  const auto heads = guarded([&] { return labelled_heads(session->document, model_threads()); });
  if (!heads) return tl::make_unexpected(heads.error());
  ShownFigure shown{label_maps(*session, *heads), labels_json(*heads), {}};
  if (embed && files::is_model_session(request.input))
    shown.session = short_enough_to_embed(
        files::write_model_session(session->document, session->weights, session->config));
  return shown;
}

Expected<ShownFigure> shown_figure(const ShownRequest& request, Shown subject, bool embed) {
  if (subject == Shown::kLabels) return shown_labels(request, embed);
  const auto run = run_model(request.input, request.model);
  if (!run) return tl::make_unexpected(run.error());
  auto shown = shown_of(**run, request, subject);
  if (!shown || !embed) return shown;
  auto session = session_of(**run, {});
  if (!session) return tl::make_unexpected(session.error());
  shown->session = short_enough_to_embed(std::move(*session));
  return shown;
}

// A page that is wide enough for numbers and tokens in the cells, unless another width was asked
// for.
figure::FigureOptions with_suitable_width(figure::FigureOptions options, const ShownFigure& shown) {
  const auto* maps = std::get_if<figure::ModelMaps>(&shown.figure);
  if (maps != nullptr && options.width_mm == figure::FigureOptions().width_mm)
    options.width_mm = figure::suitable_width_mm(*maps);
  return options;
}

std::string csv_of(const figure::ModelFigure& figure) {
  const figure::ModelTable table = figure::table_of(figure);
  return files::csv_text(table.header, table.rows);
}

Expected<std::string> bytes_of(const ShownFigure& shown, const ShownRequest& request,
                               const std::string& output) {
  const std::string ending = output == "-" ? ".csv" : files::ending_of(output);
  if (ending == ".json") return shown.json;
  if (ending == ".csv") return csv_of(shown.figure);
  const figure::FigureFormat& format = *figure::figure_format(ending);
  auto bytes = figure::model_figure_file(shown.figure, with_suitable_width(request.figure, shown),
                                         format, {request.figure.dpi, shown.session, nullptr});
  if (!bytes && bytes.error().type == ErrorType::kBadInput)
    return fail(ErrorType::kUsage, "--width-mm: " + bytes.error().message);
  return bytes;
}

}  // namespace

void add_show_options(CLI::App& app, ShowArguments& arguments) {
  constexpr const char* kGroup = "With a trained model";
  app.add_option("--show", arguments.subject,
                 "instead of one layer, of the whole model: knock-out, direct or\n"
                 "labels (a number for each head, as attribute tells it), entropy\n"
                 "(of each head's weights), lens (what each layer would answer;\n"
                 "with --row layer by layer), next (the likeliest tokens) or\n"
                 "rollout")
      ->type_name("K")
      ->group(kGroup);
  app.add_option("--answer", arguments.answer,
                 "the token that knock-out, direct and lens are about (the most\nprobable one)")
      ->type_name("TOKEN")
      ->group(kGroup);
  app.add_option("--answer-id", arguments.answer_id, "the same by its id")
      ->type_name("ID")
      ->group(kGroup);
  app.add_option("--top", arguments.top, "how many tokens next shows, 1 to 100 (10)")
      ->type_name("N")
      ->group(kGroup);
}

Expected<void> export_shown(const ShownRequest& request) {
  const auto subject = id_from_name<Shown>(kShownNames, request.show.subject);
  if (!subject)
    return fail(ErrorType::kUsage, "--show is " + in_quotes(request.show.subject) +
                                       " but should be lens, direct, knock-out, rollout, labels, "
                                       "entropy or next");
  if (auto fits = check_shown(request, *subject); !fits) return fits;
  for (const std::string& output : request.outputs)
    if (auto known = check_format(output); !known) return known;
  if (!is_model(request.input))
    return fail(ErrorType::kUsage,
                in_quotes(request.input) + " is no model; --show is for trained models");
  const bool embed = !request.bare && std::ranges::any_of(request.outputs, [](const auto& output) {
    const auto* format = figure::figure_format(files::ending_of(output));
    return format != nullptr && format->embeds_session;
  });
  const auto shown = shown_figure(request, *subject, embed);
  if (!shown) return tl::make_unexpected(shown.error());
  return write_outputs(request.outputs, [&](std::size_t i) {
    return bytes_of(*shown, request, request.outputs[i]);
  });
}

}  // namespace lab::cli
