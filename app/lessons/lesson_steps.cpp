#include "app/lessons/lesson_steps.h"

#include <filesystem>

#include "app/document/words/detached_text.h"
#include "app/files/open.h"
#include "app/lessons/model/live_evaluator.h"
#include "app/lessons/model/model_edits.h"
#include "app/lessons/model/model_facts.h"
#include "app/lessons/model/model_indices.h"
#include "app/lessons/reading/value_or_throw.h"

namespace lab::lessons {
namespace {

// Runs directives. The stages are evaluated only if a directive needs them.
class DirectiveRunner {
 public:
  DirectiveRunner(Document document, const std::string& folder)
      : folder_(folder), start_{std::move(document), {}, {}} {}

  void operator()(const directive::Open& wanted) {
    start_.document = opened(wanted.source);
    start_.view.pins.clear();
  }
  void operator()(const directive::Apply& wanted) {
    Document changed = value_or_throw(edited(start_.document, wanted.edit));
    const DetachedReport report = detached_report(start_.document, changed);
    if (!report.empty()) start_.notes.push_back({line_, detached_text(report)});
    start_.document = std::move(changed);
  }
  void operator()(const directive::Select& wanted) {
    start_.view.selected = cell_of(wanted.cell);
    if (is_per_head(start_.view.selected->stage)) start_.view.head = start_.view.selected->head;
  }
  void operator()(const directive::Pin& wanted) {
    start_.view.pins.push_back(cell_of(wanted.cell));
  }
  void operator()(const directive::Moves& wanted) { start_.view.asked = cell_of(wanted.cell); }
  void operator()(const directive::Head& wanted) {
    look_at(wanted.layer);
    const int heads = start_.document.problem.config.n_heads;
    if (wanted.head >= heads)
      throw BadInput(
          "there is no head " + std::to_string(wanted.head + (wanted.layer ? 0 : 1)) +
          "; there are heads " +
          (wanted.layer ? "0 to " + std::to_string(heads - 1) : "1 to " + std::to_string(heads)));
    start_.view.head = wanted.head;
  }
  void operator()(const directive::Large& wanted) {
    if (!is_active(start_.document.problem, wanted.stage))
      throw BadInput("there is no " + std::string(stage_name(wanted.stage)) + " in this model");
    start_.view.large = wanted.stage;
  }
  void operator()(const directive::Range& wanted) {
    start_.view.ranges[wanted.stage] = wanted.ends;
  }
  void operator()(const directive::Highlight& wanted) {
    start_.view.highlights.push_back(wanted.widget);
  }
  void operator()(const directive::Hide& wanted) {
    start_.view.hidden.insert(wanted.panels.begin(), wanted.panels.end());
  }
  void operator()(const directive::Lock& wanted) {
    start_.view.locked.insert(wanted.controls.begin(), wanted.controls.end());
  }
  void operator()(const directive::Tiles& wanted) {
    expect_model("tiles");
    start_.view.tiles = wanted.view;
  }
  // Of the row that is selected, else of the last one.
  void operator()(const directive::Answer& wanted) {
    expect_model("answers");
    const Snapshot live = evaluator_.evaluate(start_.document);
    const auto& selected = start_.view.selected;
    const attention::Index row = selected ? selected->row : std::ssize(start_.document.tokens) - 1;
    start_.view.answer = answer_index({wanted.tokens, false}, row, facts_of(live));
  }

  // The line of the directives that follow.
  void at_line(int line) { line_ = line; }
  StepStart take() { return std::move(start_); }

 private:
  Document opened(const LessonSource& source) const {
    std::error_code none;
    const std::filesystem::path relative = std::filesystem::path(folder_) / source.name;
    if (std::filesystem::is_regular_file(relative, none))
      return value_or_throw(files::open_document(relative.string()));
    if (is_training_source(source.name)) return value_or_throw(open_lesson_training(source));
    if (is_built_in_model(source.name)) return value_or_throw(open_lesson_model(source));
    if (source.text)
      throw BadInput("there is no built-in model " + in_quotes(source.name) + " to read a text");
    return value_or_throw(files::open_document(source.name));
  }
  void expect_model(const char* what) const {
    if (!start_.document.layer.model)
      throw BadInput("only a trained model has " + std::string(what) +
                     "; open one first, such as words");
  }
  // A step that names a head or a cell of another layer of a model shows that layer.
  void look_at(const std::optional<attention::network::LayerPlace>& layer) {
    if (!layer) return;
    expect_model("layers");
    start_.document = at_layer(start_.document, *layer);
  }
  StageCell cell_of(const Expression& expression) {
    const Snapshot live = evaluator_.evaluate(start_.document);
    const Value value = value_or_throw(expression.evaluate(live));
    const auto* cell = std::get_if<CellValue>(&value);
    if (!cell || !cell->cell)
      throw BadInput(in_quotes(expression.text()) +
                     " is not a cell of a map, such as "
                     "weights[1, it, animal]");
    look_at(cell->layer);
    return *cell->cell;
  }

  const std::string& folder_;
  int line_ = 0;
  StepStart start_;
  LiveEvaluator evaluator_;
};

}  // namespace

tl::expected<StepStart, LessonProblem> start_step(const Step& step, const Document& before,
                                                  const std::string& folder) {
  DirectiveRunner runner(before, folder);
  for (const Directive& one : step.directives) {
    runner.at_line(one.line);
    const auto done = guarded([&] {
      std::visit(runner, one.what);
      return true;
    });
    if (!done) return tl::make_unexpected(LessonProblem{one.line, done.error().message});
  }
  return runner.take();
}

Expected<Document> initial_document() {
  const std::vector<files::ExampleInfo> known = files::examples();
  return files::open_document(known.empty() ? "refer" : known.front().name);
}

}  // namespace lab::lessons
