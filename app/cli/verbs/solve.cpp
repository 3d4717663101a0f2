#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>

#include "app/cli/help.h"
#include "app/cli/model/model_apply.h"
#include "app/cli/model/model_run.h"
#include "app/cli/model/solved_numbers.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/cli/verbs/solve_arguments.h"
#include "app/document/commands/reducer.h"
#include "app/document/model/model_command.h"
#include "app/document/solving/solve_words.h"
#include "app/explain/number_text.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/session/session.h"
#include "core/layer/evaluator.h"

namespace lab::cli {

namespace {

using attention::SolveRequest;

constexpr std::size_t kListedChanges = 10;

struct SolveOptions {
  std::string input, output;
  std::vector<std::string> targets, kept, free, weights;
  ModelArguments model;
};

Expected<std::vector<FreeChoice>> read_free(const SolveOptions& options, const Document& document) {
  std::vector<FreeChoice> choices;
  for (const std::string& text : options.free) {
    auto choice = parse_free(text, document);
    if (!choice) return tl::make_unexpected(choice.error());
    choices.push_back(std::move(*choice));
  }
  for (const std::string& text : options.weights)
    if (auto weighed = parse_weight(text, choices); !weighed)
      return tl::make_unexpected(weighed.error());
  return choices;
}

Expected<SolveRequest> read_cells(const SolveOptions& options, const Document& document,
                                  const attention::Trace& trace) {
  SolveRequest request;
  for (const std::string& text : options.targets) {
    const auto cell = parse_target(text, document, trace);
    if (!cell) return tl::make_unexpected(cell.error());
    request.targets.push_back(*cell);
  }
  for (const std::string& text : options.kept) {
    const auto cells = parse_kept(text, document, trace);
    if (!cells) return tl::make_unexpected(cells.error());
    request.targets.insert(request.targets.end(), cells->begin(), cells->end());
  }
  return request;
}

// A layer of a model, so that it is known to be one.
Expected<Document> open_solved_layer(ModelRun& run, const std::string& layer) {
  if (layer.empty())
    return fail(ErrorType::kUsage, "--layer is missing: the weights of which layer may change?");
  if (parse_all_layers(layer))
    return fail(ErrorType::kUsage,
                "--layer " + layer + ": the weights of one layer may change; give its number");
  auto document = open_layer(run, layer);
  if (!document) return document;
  document->layer.model = std::make_shared<const ModelDocument>(run.document);
  document->layer.at = *parse_layer(layer, run.network());
  return document;
}

Expected<Document> open_solved(const SolveOptions& options) {
  if (is_model(options.input)) {
    const auto run = run_model(options.input, options.model, {.stages = true});
    if (!run) return tl::make_unexpected(run.error());
    return open_solved_layer(**run, options.model.layer);
  }
  if (auto none = check_no_model_arguments(options.input, options.model); !none)
    return tl::make_unexpected(none.error());
  return open_input(options.input);
}

// Cells of a layer.
Expected<SolvedNumbers> solve_cells(const SolveOptions& options) {
  const auto opened = open_solved(options);
  if (!opened) return tl::make_unexpected(opened.error());
  const Document& document = *opened;
  attention::Evaluator evaluator;
  const attention::Trace& trace = evaluator.evaluate(document.problem);
  auto request = read_cells(options, document, trace);
  if (!request) return tl::make_unexpected(request.error());
  const auto choices = read_free(options, document);
  if (!choices) return tl::make_unexpected(choices.error());
  const auto numbers = free_numbers(document, *choices);
  if (!numbers) return tl::make_unexpected(numbers.error());
  request->free = numbers->rows;
  attention::Solver solver(numbers->problem, *request);
  if (solver.fault())
    return fail(ErrorType::kBadInput, fault_text(document, *request, *solver.fault()));
  solver.run();
  SolvedNumbers solved{document, numbers->rows, {}, solver.solution()};
  for (const attention::TargetCell& cell : request->targets) {
    const attention::Matrix& before = *stage_matrix(document.problem, trace, cell.stage, cell.head);
    solved.targets.push_back(
        {target_cell_text(document, cell), before(cell.row, cell.col), cell.value});
  }
  return solved;
}

// Logits of a model, by a layer's weights.
Expected<SolvedNumbers> solve_answers(const SolveOptions& options) {
  if (!is_model(options.input))
    return fail(ErrorType::kUsage, "--want logit[…] is for trained models");
  const auto run = run_model(options.input, options.model, {.stages = true});
  if (!run) return tl::make_unexpected(run.error());
  const auto document = open_solved_layer(**run, options.model.layer);
  if (!document) return tl::make_unexpected(document.error());
  const auto choices = read_free(options, *document);
  if (!choices) return tl::make_unexpected(choices.error());
  return solve_logits(**run, *document, options.targets, options.kept, *choices);
}

bool wants_logits(const SolveOptions& options) {
  return std::ranges::any_of(options.targets,
                             [](const std::string& text) { return text.starts_with("logit["); });
}

std::string solve_number(float value) { return explain::format_significant(value, 4); }

std::string signed_change(float value) { return (value < 0 ? "" : "+") + solve_number(value); }

// A line for each number that was to change, and a table of what did.
std::string solve_report(const SolvedNumbers& solved) {
  std::string text;
  for (std::size_t i = 0; i < solved.targets.size(); ++i) {
    const auto& [name, before, value] = solved.targets[i];
    if (value)
      text += name + ": " + solve_number(before) + " -> " +
              solve_number(solved.solution.values[i]) + "\n";
  }
  const auto changes = largest_changes(solved.document, solved.solution);
  text += std::to_string(changes.size()) + (changes.size() == 1 ? " number" : " numbers") +
          " changed; root of the sum of squares: " +
          solve_number(static_cast<float>(solved.solution.size)) + "\n";
  if (changes.empty()) return text;
  TextTable table({Side::kLeft, Side::kRight, Side::kRight, Side::kRight});
  table.add({"number", "before", "after", "change"});
  for (std::size_t i = 0; i < std::min(kListedChanges, changes.size()); ++i)
    table.add({changed_cell_text(solved.document, changes[i]), solve_number(changes[i].before),
               solve_number(changes[i].after),
               signed_change(changes[i].after - changes[i].before)});
  return text + table.text();
}

// What is said where it cannot be reached; the kept numbers count too.
std::string shortfall(const SolvedNumbers& solved) {
  const auto& [name, before, value] = solved.targets[solved.solution.farthest];
  return name + " cannot be reached: it came to " +
         solve_number(solved.solution.values[solved.solution.farthest]) + ", not " +
         solve_number(value.value_or(before)) + ", with what is free" +
         (solved.targets.size() > 1 ? " and the other numbers" : "");
}

Expected<std::string> solved_session(const SolveOptions& options, const SolvedNumbers& solved,
                                     VerbRun& run) {
  const SetBlocks command = solved_blocks(solved.document, solved.solution.problem, solved.rows);
  if (is_model(options.input)) {
    const std::string line =
        command.blocks.empty() ? "" : to_json_line(ModelCommand{std::nullopt, command});
    return apply_to_model(options.input, options.model, {line, "solve"}, run.record);
  }
  auto opened = open_whole_input(options.input);
  if (!opened) return tl::make_unexpected(opened.error());
  if (command.blocks.empty()) return files::write_session(opened->document, opened->view);
  const auto changed = apply(opened->document, command);
  if (!changed) return tl::make_unexpected(changed.error());
  run.record += to_json_line(Command(command)) + "\n";
  return files::write_session(*changed, opened->view);
}

// What no session can hold is no answer, also where it is only shown.
Expected<void> check_solved_numbers(const SolvedNumbers& solved) {
  for (const attention::ChangedCell& cell : solved.solution.changed)
    if (!(std::abs(cell.after) <= kLargestCell))
      return fail(ErrorType::kBadInput, changed_cell_text(solved.document, cell) +
                                            " would have to be " + solve_number(cell.after) +
                                            ": it must be between −1,000,000 and 1,000,000");
  return {};
}

Expected<void> solve_input(const SolveOptions& options, VerbRun& run) {
  if (!options.output.empty())
    if (auto fits = files::check_session_path(options.output); !fits) return fits;
  if (!options.output.empty() && options.input == "-")
    return fail(ErrorType::kUsage, "IN is read twice: save it in a file first");
  const auto solved = wants_logits(options) ? solve_answers(options) : solve_cells(options);
  if (!solved) return tl::make_unexpected(solved.error());
  if (auto fit = check_solved_numbers(*solved); !fit) return fit;
  if (!options.output.empty()) {
    const auto session = solved_session(options, *solved, run);
    if (!session) return tl::make_unexpected(session.error());
    if (auto written = files::write_bytes(options.output, *session); !written) return written;
  }
  if (options.output != "-")
    if (auto shown = files::write_bytes("-", solve_report(*solved)); !shown) return shown;
  if (solved->solution.reached) return {};
  return fail(
      ErrorType::kFailed,
      shortfall(*solved) + (options.output.empty() ? "" : "; OUT has the nearest that was found"));
}

}  // namespace

Action declare_solve(CLI::App& app) {
  const auto options = std::make_shared<SolveOptions>();
  set_help(
      app, "Finds the smallest change that gives a number another value.",
      "solve IN --want 'CELL=VALUE' … --free MATRIX[:HEAD] … [--keep CELL] …\n"
      "       [--weight MATRIX=NUMBER] … [-o OUT]",
      "A CELL is STAGE[HEAD,ROW,COLUMN], or STAGE[ROW,COLUMN] for stages common to all heads; a\n"
      "ROW of a stage has no column. What is free is changed as little as possible (least\n"
      "squares); everything else stays as it is. The report shows the ten largest changes; with\n"
      "-o, IN with all changes is saved as a session. If the value cannot be reached, the nearest\n"
      "that was found is shown and saved, and the exit code is 1. In a model, weights of the "
      "layer\n"
      "of --layer may change, for cells of that layer or for logit[ROW,TOKEN]; heads count from "
      "0.\n"
      "For example:\n"
      "  attention-lab solve refer --want 'weights[1,it,animal]=0.9' --free W_Q:1 -o solved.json\n"
      "  attention-lab solve refer --want 'weights[1,it,animal]=0.9' --free X:it --free W_K:1 \\\n"
      "      --keep 'weights[1,animal]' --weight X=4\n"
      "  attention-lab solve induction --text abcdab --layer 1 --want 'logit[5,c]=8' --free W_V");
  add_input(app, options->input);
  app.add_option("--want", options->targets, "a cell and its new value; may be repeated")
      ->type_name("CELL=VALUE")
      ->required();
  app.add_option("--free", options->free,
                 "what may change: MATRIX, or MATRIX:HEAD or MATRIX:HEAD:ROWS\nof matrices that "
                 "every head has, or MATRIX:ROWS, such as\nX:it,cat; W_O:HEAD is the rows of W_O "
                 "that meet the output\nof that head; may be repeated")
      ->type_name("MATRIX")
      ->required();
  app.add_option("--keep", options->kept,
                 "a cell, or a row of a stage, that keeps its numbers; may be\nrepeated")
      ->type_name("CELL");
  app.add_option("--weight", options->weights,
                 "how much the square of a change of this matrix counts\n(1); may be repeated")
      ->type_name("MATRIX=N");
  app.add_option("-o,--output", options->output,
                 "the session with the changes (JSON); - for standard output,\nwithout the report")
      ->type_name("OUT");
  add_model_options(app, options->model);
  add_layer_option(app, options->model, kOneLayerHelp);
  return [options](VerbRun& run) { return solve_input(*options, run); };
}

}  // namespace lab::cli
