#include "core/explain/explain.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/arguments.h"
#include "app/cli/batch/sentences.h"
#include "app/cli/help.h"
#include "app/cli/location_arguments.h"
#include "app/cli/model/model_run.h"
#include "app/cli/verb.h"
#include "app/document/matrix_labels.h"
#include "app/files/io/bytes.h"

namespace lab::cli {

namespace {

using attention::Index;
using attention::Stage;
using attention::Trace;

struct ExplainOptions {
  std::string input;
  LocationArguments location;
  int digits = 4;
  bool json = false;
  ModelArguments model;
};

// The stages whose cell at the same position leads to a cell of `stage`, in order.
std::vector<Stage> leading_stages(const attention::Problem& problem, Stage stage) {
  std::vector<Stage> stages;
  if (!attention::has_key_columns(stage)) return {stage};
  for (const Stage step : attention::kAllStages) {
    if (step == stage) break;
    const bool is_shown = step == Stage::kScaledScores || is_active(problem, step);
    if (attention::has_key_columns(step) && is_shown) stages.push_back(step);
  }
  stages.push_back(stage);
  return stages;
}

CellExplanation explanation_of(const Document& document, const Trace& trace,
                               const CellLocation& location) {
  const attention::Problem& problem = document.problem;
  CellExplanation cell;
  for (const Stage stage : leading_stages(problem, location.stage)) {
    cell.steps.push_back(
        attention::explain(problem, trace, stage, location.head, location.row, location.col));
  }
  const Index columns = stage_matrix(problem, trace, location.stage, location.head)->cols();
  cell.row = row_labels(document, location.stage)[location.row];
  cell.column = column_labels(document, location.stage, columns)[location.col];
  return cell;
}

Expected<void> explain_cell(const ExplainOptions& options) {
  if (auto fits = check_digits(options.digits); !fits) return fits;
  if (parse_all_layers(options.model.layer))
    return fail(ErrorType::kUsage,
                "--layer all is for export and check; give the number of one layer");
  const auto snapshot = open_snapshot(options.input, options.model);
  if (!snapshot) return tl::make_unexpected(snapshot.error());
  const Document& document = snapshot->document;
  const Trace& trace = snapshot->trace;
  const auto location = find_location(options.location, document, trace);
  if (!location) return tl::make_unexpected(location.error());
  return files::write_bytes(
      "-", options.json ? cell_explanation_json(explanation_of(document, trace, *location))
                        : arithmetic_text(document, trace, *location, options.digits));
}

}  // namespace

Action declare_explain(CLI::App& app) {
  const auto options = std::make_shared<ExplainOptions>();
  set_help(
      app, "Shows the arithmetic behind one number, with the actual operands.",
      "explain IN --row TOKEN --col TOKEN [--stage S] [--head N]\n       [--digits N | --json]",
      "A row or column is given by its token, by the name of its dimension, or by its number\n"
      "from 0. If a token appears several times, the first is used; give its number to choose\n"
      "another. A whole number is always a position: token:7 is the token that is written 7.\n"
      "For example:\n"
      "  attention-lab explain refer --row it --col animal\n"
      "  attention-lab explain refer --stage output --row 7 --col 0");
  add_input(app, options->input);
  add_location_options(app, options->location);
  CLI::Option* digits =
      app.add_option("--digits", options->digits,
                     "decimals of the numbers, 2 to 6 (4); more where the sum that is\n"
                     "shown needs them")
          ->type_name("N");
  app.add_flag("--json", options->json, "write the explanation as JSON")->excludes(digits);
  add_model_options(app, options->model);
  add_layer_option(app, options->model, kOneLayerHelp);
  add_sentence_option(app, options->model.sentence);
  return [options](VerbRun&) { return explain_cell(*options); };
}

}  // namespace lab::cli
