#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "app/base/bad_input.h"
#include "app/cli/batch/sentences.h"
#include "app/cli/export_figure.h"
#include "app/cli/figure_style_arguments.h"
#include "app/cli/help.h"
#include "app/cli/location_arguments.h"
#include "app/cli/model/model_run.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/document/snapshot.h"
#include "app/explain/number_text.h"
#include "app/explain/sensitivity_text.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/problem/problem_file.h"
#include "app/files/session/session.h"
#include "app/files/tensors/tensors.h"
#include "core/gradient/layer_gradient.h"

namespace lab::cli {

namespace {

using attention::LayerGradient;
using attention::Sensitivity;
using attention::Stage;

constexpr double kPageWidth = 183;  // millimetres, of a figure of every stage

struct SensitivityOptions {
  std::string input, of, output;
  LocationArguments location;
  ModelArguments model;
  FigureStyleArguments style;
  int top = 10;
};

// Fails where nothing can move the number.
Expected<void> check_movable(const Snapshot& state, const CellLocation& location) {
  std::string why = explain::why_unmoved(state.document, state.trace, location.stage, location.head,
                                         location.row, location.col);
  return why.empty() ? Expected<void>() : fail(ErrorType::kBadInput, std::move(why));
}

// What --of names: a matrix or a stage; neither without.
struct Of {
  std::optional<MatrixId> matrix;
  std::optional<Stage> stage;
};

Expected<Of> parse_of(std::string name, const Document& document) {
  if (name.empty()) return Of{};
  if (name == "bias") name = "score_bias";  // as files call it
  std::string known;
  for (const attention::MatrixInfo& info : attention::kMatrixInfos) {
    if (info.id == MatrixId::kMask || matrix_of(document.problem, info.id, 0).empty()) continue;
    if (info.name == name) return Of{info.id, {}};
    known += (known.empty() ? "" : ", ") + std::string(info.name);
  }
  if (const auto stage = attention::stage_from_name(name);
      stage && is_active(document.problem, *stage))
    return Of{{}, stage};
  return fail(ErrorType::kUsage, "--of: there is no matrix " + in_quotes(name) +
                                     " here; there are " + known + ", and the stages");
}

std::string report(const Document& document, const std::string& name, float value,
                   const std::vector<Sensitivity>& strongest) {
  std::string text = name + " = " + explain::format_significant(value, 4) + "\n";
  if (strongest.empty()) return text + "Nothing here moves it.\n";
  TextTable table({Side::kLeft, Side::kRight, Side::kRight});
  table.add({"number", "derivative",
             "+" + explain::format_fixed(explain::kSmallMove, 2) + " moves it by"});
  for (const Sensitivity& one : strongest)
    table.add({explain::contributor_title(document, one), explain::signed_text(one.derivative),
               explain::signed_text(explain::kSmallMove * one.derivative)});
  text += table.text();
  const bool shared = std::ranges::any_of(
      strongest, [&](const Sensitivity& one) { return explain::is_shared_vector(document, one); });
  if (shared) text += "Equal words share a vector: editing one of them moves the others too.\n";
  return text;
}

// A number that is asked about, and everything that moves it.
struct Asked {
  const Snapshot& state;
  CellLocation location;
  Of of;
  LayerGradient gradient;

  std::string name() const {
    return explain::number_title(state.document, location.stage, location.head, location.row,
                                 location.col);
  }
};

Expected<std::string> tensor_bytes(const SensitivityOptions& options, const Asked& asked) {
  files::TensorFile file = files::gradient_tensors(asked.state.document, asked.gradient);
  if (!options.of.empty()) {
    const std::string name = asked.of.stage               ? "stage." + options.of
                             : options.of == "score_bias" ? "bias"
                                                          : options.of;
    std::erase_if(file.tensors, [&](const files::Tensor& one) { return one.name != name; });
  }
  return files::encode_tensors(file, options.output);
}

// Of the matrix or stage of --of, in the head that moves the number most; without, of every stage.
figure::FigureOptions figure_of(const Asked& asked, figure::FigureOptions figure) {
  figure.gradient_of = asked.name();
  figure.head = asked.location.head;
  figure.type = figure::FigureType::kPipeline;
  if (figure.width_mm == figure::FigureOptions().width_mm && !asked.of.stage && !asked.of.matrix)
    figure.width_mm = kPageWidth;
  if (asked.of.stage) figure.type = figure::FigureType::kMap, figure.stage = *asked.of.stage;
  if (!asked.of.matrix) return figure;
  figure.type = figure::FigureType::kMap, figure.matrix = asked.of.matrix;
  const auto most = strongest(asked.gradient, 1, asked.of.matrix);
  const int sharing =
      is_per_kv_head(*asked.of.matrix) ? heads_per_kv_head(asked.state.document.problem.config) : 1;
  if (!most.empty() && is_per_head(*asked.of.matrix)) figure.head = most.front().head * sharing;
  return figure;
}

Expected<std::string> figure_bytes(const SensitivityOptions& options, const Asked& asked,
                                   const figure::FigureFormat& format, std::string session) {
  const auto style = figure_style_options(options.style, figure::FigureOptions());
  if (!style) return tl::make_unexpected(style.error());
  const figure::FigureOptions figure = figure_of(asked, *style);
  const Snapshot shown = gradient_snapshot(asked.state.document, asked.gradient);
  return export_figure(format, shown.document, shown.trace, figure,
                       {figure.dpi, std::move(session), nullptr}, nullptr);
}

// The format of a figure that -o names; null when it names tensors or nothing.
const figure::FigureFormat* figure_format_of(const SensitivityOptions& options) {
  return options.output == "-" ? nullptr : figure::figure_format(files::ending_of(options.output));
}

Expected<void> check_options(const SensitivityOptions& options) {
  if (parse_all_layers(options.model.layer))
    return fail(ErrorType::kUsage,
                "--layer all is for export and check; give the number of one layer");
  if (options.top < 1) return fail(ErrorType::kUsage, "--top should be 1 or more");
  const bool draws = figure_format_of(options) != nullptr;
  if (!draws && !(options.style == FigureStyleArguments()))
    return fail(ErrorType::kUsage,
                "--palette, --annot, --title and what else changes the look are for figures");
  if (options.output.empty() || draws) return {};
  return files::check_tensor_output(options.output, "sensitivity");
}

Expected<void> show_list(const Asked& asked, int top) {
  if (asked.of.stage)
    return fail(ErrorType::kUsage,
                "--of: the numbers of a stage are written with -o; without it, "
                "name a matrix");
  const auto& [stage, head, row, col] = asked.location;
  const float value =
      (*stage_matrix(asked.state.document.problem, asked.state.trace, stage, head))(row, col);
  return files::write_bytes(
      "-", report(asked.state.document, asked.name(), value,
                  strongest(asked.gradient, static_cast<std::size_t>(top), asked.of.matrix)));
}

Expected<void> show_sensitivity(const SensitivityOptions& options) {
  if (auto fits = check_options(options); !fits) return fits;
  const figure::FigureFormat* format = figure_format_of(options);
  const bool embeds_session = format != nullptr && format->embeds_session;
  std::string session;
  const auto snapshot =
      open_snapshot(options.input, options.model, embeds_session ? &session : nullptr);
  if (!snapshot) return tl::make_unexpected(snapshot.error());
  const Document& document = snapshot->document;
  const auto of = parse_of(options.of, document);
  if (!of) return tl::make_unexpected(of.error());
  const auto location = find_location(options.location, document, snapshot->trace);
  if (!location) return tl::make_unexpected(location.error());
  if (auto movable = check_movable(*snapshot, *location); !movable) return movable;
  const auto& [stage, head, row, col] = *location;
  const Asked asked{*snapshot, *location, *of,
                    gradient_of(document.problem, snapshot->trace,
                                cell_seed(document.problem, stage, head, row, col))};
  if (options.output.empty()) return show_list(asked, options.top);
  if (embeds_session)
    session = short_enough_to_embed(session.empty() ? files::embedded_session_of(document)
                                                    : std::move(session));
  const auto bytes = format == nullptr ? tensor_bytes(options, asked)
                                       : figure_bytes(options, asked, *format, std::move(session));
  if (!bytes) return tl::make_unexpected(bytes.error());
  return files::write_bytes(options.output, *bytes);
}

}  // namespace

Action declare_sensitivity(CLI::App& app) {
  const auto options = std::make_shared<SensitivityOptions>();
  set_help(
      app, "Shows which numbers move one number most.",
      "sensitivity IN --row TOKEN --col TOKEN [--stage S] [--head N] [--of MATRIX]\n"
      "       [--top N | -o OUT]",
      "The derivative of the number by every other one: how much it moves for a small change of\n"
      "that one alone. Without -o, the largest are listed. With -o, the file contains a\n"
      "tensor for each matrix of IN (X, W_Q, …), of its shape, and for each stage, as\n"
      "stage.scores: what a change of that stage would do. When OUT is a figure (.svg, .pdf, "
      ".png,\n"
      ".tex, .html), it shows the derivatives as maps: of the stage or matrix that --of names, "
      "else of\n"
      "every stage.\n"
      "For example:\n"
      "  attention-lab sensitivity refer --row it --col animal\n"
      "  attention-lab sensitivity refer --stage output --row it --col animate --of W_Q -o d.npz\n"
      "  attention-lab sensitivity refer --row it --col animal --of W_Q --annot -o W_Q.pdf");
  add_input(app, options->input);
  add_location_options(app, options->location);
  app.add_option("--of", options->of,
                 "only this matrix: X, W_Q, b_Q, W_O …; with -o also a stage:\n"
                 "Q, scores …")
      ->type_name("MATRIX");
  app.add_option("--top", options->top, "how many numbers are listed (10)")->type_name("N");
  app.add_option("-o,--output", options->output,
                 "output file: .safetensors, .npz (for numpy.load) or .json, or a figure;\n"
                 "- for JSON on standard output")
      ->type_name("OUT");
  add_figure_style_options(app, options->style);
  app.remove_option(app.get_option("--preset"));  // those of the export dialog are of values
  add_model_options(app, options->model);
  add_layer_option(app, options->model, kOneLayerHelp);
  add_sentence_option(app, options->model.sentence);
  return [options](VerbRun&) { return show_sensitivity(*options); };
}

}  // namespace lab::cli
