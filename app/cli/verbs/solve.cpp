#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/command_lines.h"
#include "app/cli/help.h"
#include "app/cli/model/model_apply.h"
#include "app/cli/model/model_run.h"
#include "app/cli/text.h"
#include "app/cli/verb.h"
#include "app/cli/verbs/solve_arguments.h"
#include "app/document/model/model_command.h"
#include "app/document/solving/solve_words.h"
#include "app/explain/number_text.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/session/session.h"
#include "core/layer/evaluator.h"

namespace lab::cli {

namespace {

using attention::Solution;
using attention::SolveRequest;

constexpr std::size_t kListedChanges = 10;

struct SolveOptions {
  std::string input, output;
  std::vector<std::string> wanted, kept, free, weights;
  ModelArguments model;
};

// What is solved, and where it came from.
struct SolveTask {
  Document document;
  FreeNumbers numbers;
  SolveRequest request;
  attention::Trace trace;
};

Expected<SolveTask> read_task(const SolveOptions& options, const Document& document,
                              const attention::Trace& trace) {
  SolveTask task{document, {}, {}, trace};
  for (const std::string& text : options.wanted) {
    const auto cell = parse_wanted(text, document, trace);
    if (!cell) return tl::make_unexpected(cell.error());
    task.request.wanted.push_back(*cell);
  }
  for (const std::string& text : options.kept) {
    const auto cells = parse_kept(text, document, trace);
    if (!cells) return tl::make_unexpected(cells.error());
    task.request.wanted.insert(task.request.wanted.end(), cells->begin(), cells->end());
  }
  std::vector<FreeChoice> choices;
  for (const std::string& text : options.free) {
    auto choice = parse_free(text, document);
    if (!choice) return tl::make_unexpected(choice.error());
    choices.push_back(std::move(*choice));
  }
  for (const std::string& text : options.weights)
    if (auto weighed = parse_weight(text, choices); !weighed)
      return tl::make_unexpected(weighed.error());
  auto numbers = free_numbers(document, choices);
  if (!numbers) return tl::make_unexpected(numbers.error());
  task.numbers = std::move(*numbers);
  task.request.free = task.numbers.rows;
  return task;
}

Expected<Solution> find_solution(const SolveTask& task) {
  attention::Solver solver(task.numbers.problem, task.request);
  if (solver.fault())
    return fail(ErrorKind::kBadInput, fault_text(task.document, task.request, *solver.fault()));
  solver.run();
  return solver.solution();
}

float value_before(const SolveTask& task, const attention::WantedCell& cell) {
  return (*stage_matrix(task.document.problem, task.trace, cell.stage, cell.head))(cell.row,
                                                                                   cell.col);
}

std::string solve_number(float value) { return explain::format_significant(value, 4); }

std::string signed_change(float value) { return (value < 0 ? "" : "+") + solve_number(value); }

// A line for each cell that was to change, and a table of what did.
std::string solve_report(const SolveTask& task, const Solution& solution) {
  std::string text;
  for (std::size_t i = 0; i < task.request.wanted.size(); ++i) {
    const attention::WantedCell& cell = task.request.wanted[i];
    if (!cell.value) continue;
    text += wanted_place(task.document, cell) + ": " + solve_number(value_before(task, cell)) +
            " -> " + solve_number(solution.values[i]) + "\n";
  }
  const auto changes = largest_changes(task.document, solution);
  text +=
      std::to_string(changes.size()) + (changes.size() == 1 ? " number" : " numbers") +
      " changed; root of the sum of squares: " + solve_number(static_cast<float>(solution.size)) +
      "\n";
  if (changes.empty()) return text;
  TextTable table({Side::kLeft, Side::kRight, Side::kRight, Side::kRight});
  table.add({"number", "before", "after", "change"});
  for (std::size_t i = 0; i < std::min(kListedChanges, changes.size()); ++i)
    table.add({changed_place(task.document, changes[i]), solve_number(changes[i].before),
               solve_number(changes[i].after),
               signed_change(changes[i].after - changes[i].before)});
  return text + table.text();
}

// What is said where it cannot be reached; the kept cells count too.
std::string shortfall(const SolveTask& task, const Solution& solution) {
  const attention::WantedCell& cell = task.request.wanted[solution.farthest];
  return wanted_place(task.document, cell) + " cannot be reached: it came to " +
         solve_number(solution.values[solution.farthest]) + ", not " + solve_number(*cell.value) +
         ", with what is free" + (task.request.wanted.size() > 1 ? " and the other cells" : "");
}

Expected<std::string> solved_session(const SolveOptions& options, const SolveTask& task,
                                     const SetBlocks& command, VerbRun& run) {
  if (!is_model(options.input)) {
    auto opened = open_whole_input(options.input);
    if (!opened) return tl::make_unexpected(opened.error());
    if (command.blocks.empty()) return files::write_session(opened->document, opened->view);
    const auto changed = apply(opened->document, command);
    if (!changed) return tl::make_unexpected(changed.error());
    run.record += to_json_line(Command(command)) + "\n";
    return files::write_session(*changed, opened->view);
  }
  const ModelCommand edit{task.document.layer.at, command};
  const std::string line = command.blocks.empty() ? "" : to_json_line(edit);
  return apply_to_model(options.input, options.model, {line, "solve"}, run.record);
}

Expected<void> solve_input(const SolveOptions& options, VerbRun& run) {
  if (!options.output.empty())
    if (auto fits = files::check_session_path(options.output); !fits) return fits;
  if (!options.output.empty() && options.input == "-")
    return fail(ErrorKind::kUsage, "IN is read twice: save it in a file first");
  const auto snapshot = open_snapshot(options.input, options.model);
  if (!snapshot) return tl::make_unexpected(snapshot.error());
  const auto task = read_task(options, snapshot->document, snapshot->trace);
  if (!task) return tl::make_unexpected(task.error());
  const auto solution = find_solution(*task);
  if (!solution) return tl::make_unexpected(solution.error());
  const SetBlocks command = solved_blocks(task->document, solution->problem, task->numbers.rows);
  if (!options.output.empty()) {
    const auto session = solved_session(options, *task, command, run);
    if (!session) return tl::make_unexpected(session.error());
    if (auto written = files::write_bytes(options.output, *session); !written) return written;
  }
  if (options.output != "-")
    if (auto shown = files::write_bytes("-", solve_report(*task, *solution)); !shown) return shown;
  if (solution->reached) return {};
  return fail(ErrorKind::kFailed,
              shortfall(*task, *solution) +
                  (options.output.empty() ? "" : "; OUT has the nearest that was found"));
}

}  // namespace

Action declare_solve(CLI::App& app) {
  const auto options = std::make_shared<SolveOptions>();
  set_help(
      app, "Finds the smallest change that gives a number another value.",
      "solve IN --want 'CELL=VALUE' [--want …] --free MATRIX[:HEAD] [--free X[:TOKEN]] …\n"
      "       [--keep CELL|ROW] [--weight MATRIX=NUMBER] [-o OUT]",
      "A CELL is STAGE[HEAD,ROW,COLUMN], or STAGE[ROW,COLUMN] for stages common to all heads; a\n"
      "ROW of a stage has no column. What is free is changed as little as possible (least\n"
      "squares); everything else stays as it is. The report shows the ten largest changes; with\n"
      "-o, IN with all changes is saved as a session. If the value cannot be reached, the nearest\n"
      "that was found is shown and saved, and the exit code is 1. For example:\n"
      "  attention-lab solve refer --want 'weights[1,it,animal]=0.9' --free W_Q:1 -o solved.json\n"
      "  attention-lab solve refer --want 'weights[1,it,animal]=0.9' --free X:it --free W_K:1 \\\n"
      "      --keep 'weights[1,animal]' --weight X=4");
  add_input(app, options->input);
  app.add_option("--want", options->wanted, "a cell and its new value; may be repeated")
      ->type_name("CELL=VALUE")
      ->required();
  app.add_option("--free", options->free,
                 "what may change: MATRIX, or MATRIX:HEAD or MATRIX:HEAD:ROWS\nof matrices that "
                 "every head has, or MATRIX:ROWS, such as\nX:it,cat; may be repeated")
      ->type_name("MATRIX[:…]")
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
  add_layer_option(app, options->model);
  return [options](VerbRun& run) { return solve_input(*options, run); };
}

}  // namespace lab::cli
