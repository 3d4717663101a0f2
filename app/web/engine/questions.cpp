// What a page asks about numbers: how they differ from a kept state, what moves one of them, what
// would give one another value, and tables of them.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/base/bad_input.h"
#include "app/document/solving/free_choice.h"
#include "app/document/solving/solve_words.h"
#include "app/explain/number_text.h"
#include "app/explain/sensitivity_text.h"
#include "app/files/number_formats.h"
#include "app/translation/words.h"
#include "app/web/engine/describe.h"
#include "app/web/engine/engine.h"
#include "app/web/engine/requests.h"
#include "core/analysis/combine.h"
#include "core/analysis/metrics.h"
#include "core/gradient/layer_gradient.h"
#include "core/layer/trace.h"
#include "core/solve/solver.h"

namespace lab::web {
namespace {

using attention::Index;
using attention::Stage;
using nlohmann::json;

constexpr std::size_t kListed = 20;  // of numbers that move another, or moved

attention::Stage stage_named(const json& request) {
  const std::string name = request.at("stage").get<std::string>();
  const auto stage = attention::stage_from_name(name);
  if (!stage) throw BadInput("there is no stage " + in_quotes(name));
  return *stage;
}

// The cell that a request names.
struct AskedCell {
  explicit AskedCell(const json& request)
      : stage(stage_named(request)),
        head(request.at("head").get<Index>()),
        row(request.at("row").get<Index>()),
        col(request.at("col").get<Index>()) {}

  Stage stage;
  Index head, row, col;
};

void check_exists(const Document& document, const attention::Trace& trace, const AskedCell& cell) {
  const attention::Shape shape =
      attention::stage_matrix(document.problem, trace, cell.stage, cell.head).shape();
  if (cell.row < 0 || cell.row >= shape.rows || cell.col < 0 || cell.col >= shape.cols)
    throw BadInput("there is no such cell");
}

/// What is shown becomes A, the state that later ones are compared with.
json keep(Engine& engine, const json& /*request*/) {
  engine.workspace();
  engine.keep();
  return json::object();
}
/// The comparison ends.
json forget(Engine& engine, const json& /*request*/) {
  engine.forget_kept();
  return json::object();
}

// The cells of a stage that changed most, over its heads.
void add_moved(Engine& engine, Stage stage, std::vector<json>& moved) {
  const Document& document = engine.workspace().document();
  const Index heads = attention::is_per_head(stage) ? document.problem.config.n_heads : 1;
  for (Index head = 0; head < heads; ++head) {
    const attention::Matrix* const difference =
        engine.difference(static_cast<int>(stage), static_cast<int>(head));
    if (difference == nullptr) continue;
    for (const attention::DifferenceCell& cell :
         attention::most_changed(*difference, static_cast<Index>(kListed)))
      moved.push_back(
          {{"stage", attention::stage_name(stage)},
           {"head", head},
           {"row", cell.row},
           {"col", cell.col},
           {"by", cell.by},
           {"text", explain::signed_text(cell.by)},
           {"title", explain::number_title(document, stage, head, cell.row, cell.col)}});
  }
}

/// What differs from A: "stages" in which numbers of the same words can be subtracted, and of
/// "stage" the cells that changed most, or of all stages if it is not given.
json compare(Engine& engine, const json& request) {
  const KeptState* const kept = engine.kept();
  if (kept == nullptr) return {{"kept", false}};
  const Document& document = engine.workspace().document();
  json stages = json::array();
  std::vector<json> moved;
  for (const Stage stage : attention::kAllStages) {
    if (engine.difference(static_cast<int>(stage), 0) == nullptr) continue;
    stages.push_back(attention::stage_name(stage));
    if (!request.contains("stage") || request["stage"] == attention::stage_name(stage))
      add_moved(engine, stage, moved);
  }
  std::ranges::stable_sort(moved, [](const json& a, const json& b) {
    return std::abs(a["by"].get<float>()) > std::abs(b["by"].get<float>());
  });
  if (moved.size() > kListed) moved.resize(kListed);
  return {{"kept", true},
          {"sameWords", kept->words.equal},
          {"state", describe_document(kept->a.document, kept->a.trace)},
          {"sameShape", kept->a.document.problem.config.n_heads == document.problem.config.n_heads},
          {"stages", std::move(stages)},
          {"moved", moved}};
}

/// What moves the number of a cell most: "stage", "head", "row", "col".
json sensitivity(Engine& engine, const json& request) {
  const Workspace& workspace = engine.workspace();
  const Document& document = workspace.document();
  const AskedCell cell(request);
  check_exists(document, workspace.trace(), cell);
  const std::string name =
      explain::number_title(document, cell.stage, cell.head, cell.row, cell.col);
  json answer{{"title", name}, {"numbers", json::array()}};
  answer["unmoved"] =
      explain::why_unmoved(document, workspace.trace(), cell.stage, cell.head, cell.row, cell.col);
  if (!answer["unmoved"].get<std::string>().empty()) return answer;
  const auto seed =
      attention::cell_seed(document.problem, cell.stage, cell.head, cell.row, cell.col);
  const auto gradient = attention::gradient_of(document.problem, workspace.trace(), seed);
  for (const attention::Sensitivity& one : attention::strongest(gradient, kListed))
    answer["numbers"].push_back({{"matrix", attention::matrix_name(one.matrix)},
                                 {"head", one.head},
                                 {"row", one.row},
                                 {"col", one.col},
                                 {"derivative", one.derivative},
                                 {"title", explain::contributor_title(document, one)},
                                 {"text", explain::short_move_text(one.derivative)},
                                 {"shared", explain::is_shared_vector(document, one)}});
  return answer;
}

std::vector<FreeChoice> free_choices(const json& list) {
  std::vector<FreeChoice> choices;
  for (const json& one : list) {
    const std::string name = one.at("matrix").get<std::string>();
    const auto matrix = attention::matrix_from_name(name);
    if (!matrix) throw BadInput("there is no matrix " + in_quotes(name));
    FreeChoice choice{.matrix = *matrix};
    if (one.contains("head")) choice.head = one["head"].get<int>();
    if (one.contains("rows")) choice.rows = one["rows"].get<std::vector<Index>>();
    choices.push_back(std::move(choice));
  }
  return choices;
}

json change_json(const Document& document, const attention::ChangedCell& cell) {
  return {{"title", changed_cell_text(document, cell)},
          {"before", explain::with_minus_signs(explain::format_significant(cell.before, 4))},
          {"after", explain::with_minus_signs(explain::format_significant(cell.after, 4))}};
}

/// The smallest change that gives the cells of "want" ("stage", "head", "row", "col", "value")
/// their values, by the numbers of "free" ("matrix", "head", "rows"); with "apply" it becomes a
/// step.
json solve(Engine& engine, const json& request) {
  const Document& document = engine.workspace().document();
  attention::SolveRequest asked;
  for (const json& one : request.at("want")) {
    const AskedCell cell(one);
    check_exists(document, engine.workspace().trace(), cell);
    asked.targets.push_back(
        {cell.stage, cell.head, cell.row, cell.col, one.at("value").get<float>()});
  }
  const auto numbers = value_or_bad_input(free_numbers(document, free_choices(request.at("free"))));
  asked.free = numbers.rows;
  attention::Solver solver(numbers.problem, asked);
  if (solver.fault()) throw BadInput(fault_text(document, asked, *solver.fault()));
  solver.run();
  const attention::Solution solution = solver.solution();
  json changes = json::array();
  const auto largest = largest_changes(document, solution);
  for (const attention::ChangedCell& cell : largest)
    if (changes.size() < kListed) changes.push_back(change_json(document, cell));
  json answer{{"reached", solution.reached},
              {"values", solution.values},
              {"count", largest.size()},
              {"changes", std::move(changes)}};
  if (request.value("apply", false)) {
    engine.workspace().queue(
        intent::Apply{.command = solved_blocks(document, solution.problem, numbers.rows)});
    answer["state"] = drained(engine);
  }
  return answer;
}

/// The numbers of "stage" and "head" (all, where they are not given) into the output, as a file of
/// that "ending" (.csv, .npy, .json).
json numbers(Engine& engine, const json& request) {
  const std::string ending = request.value("ending", ".csv");
  const files::NumberFormat* const format = files::find_number_format(ending);
  if (format == nullptr) throw BadInput("there is no format of numbers " + in_quotes(ending));
  files::NumberRequest asked;
  if (request.contains("stage")) asked.stage = stage_named(request);
  if (request.contains("head")) asked.head = request["head"].get<Index>();
  const Workspace& workspace = engine.workspace();
  engine.output() =
      value_or_bad_input(format->encode(workspace.document(), workspace.trace(), asked));
  return {{"bytes", engine.output().size()}};
}

/// What each head does: the measures of its weights, and how far the output moves without it.
json head_measures(Engine& engine, const json& /*request*/) {
  const Document& document = engine.workspace().document();
  const attention::Trace& trace = engine.workspace().trace();
  json heads = json::array();
  for (Index head = 0; head < document.problem.config.n_heads; ++head) {
    const auto weights = attention::stage_matrix(document.problem, trace, Stage::kWeights, head);
    heads.push_back({{"entropy", attention::mean_entropy(*weights)},
                     {"diagonal", attention::diagonal_weight(*weights)},
                     {"previous", attention::previous_token_weight(*weights)},
                     {"first", attention::first_token_weight(*weights)},
                     {"share", attention::output_share_of_head(document.problem, trace, head)}});
  }
  return {{"heads", std::move(heads)}};
}

constexpr std::array kQuestionRequests = std::to_array<Request>({
    {"keep", keep},
    {"forget", forget},
    {"compare", compare},
    {"sensitivity", sensitivity},
    {"solve", solve},
    {"numbers", numbers},
    {"measures", head_measures},
});

}  // namespace

std::span<const Request> question_requests() { return kQuestionRequests; }

}  // namespace lab::web
