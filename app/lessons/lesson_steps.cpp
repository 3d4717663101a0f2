#include "app/lessons/lesson_steps.h"

#include <filesystem>

#include "app/base/bad_input.h"
#include "app/document/words/detached_text.h"
#include "app/files/open.h"
#include "app/lessons/model/live_evaluator.h"
#include "app/lessons/model/model_edits.h"
#include "app/lessons/model/model_facts.h"
#include "app/lessons/model/model_indices.h"

namespace lab::lessons {
namespace {

// Runs directives. The stages are evaluated only if a directive needs them.
class DirectiveRunner {
 public:
  DirectiveRunner(Document document, const std::string& folder)
      : folder_(folder), start_{std::move(document), {}, {}} {}

  void operator()(const directive::Open& requested) {
    start_.document = opened(requested.source);
    start_.view.pins.clear();
  }
  void operator()(const directive::Apply& requested) {
    Document changed = value_or_bad_input(edited(start_.document, requested.edit));
    const DetachedReport report = detached_report(start_.document, changed);
    if (!report.empty()) start_.notes.push_back({line_, detached_text(report)});
    start_.document = std::move(changed);
  }
  void operator()(const directive::Select& requested) {
    start_.view.selected = cell_of(requested.cell);
    if (is_per_head(start_.view.selected->stage)) start_.view.head = start_.view.selected->head;
  }
  void operator()(const directive::Pin& requested) {
    start_.view.pins.push_back(cell_of(requested.cell));
  }
  void operator()(const directive::Sensitivity& requested) {
    start_.view.asked = cell_of(requested.cell);
  }
  void operator()(const directive::Head& requested) {
    go_to(requested.layer);
    const int heads = start_.document.problem.config.n_heads;
    if (requested.head >= heads)
      throw BadInput("there is no head " +
                     std::to_string(requested.head + (requested.layer ? 0 : 1)) +
                     "; there are heads " +
                     (requested.layer ? "0 to " + std::to_string(heads - 1)
                                      : "1 to " + std::to_string(heads)));
    start_.view.head = requested.head;
  }
  void operator()(const directive::Large& requested) {
    if (!is_active(start_.document.problem, requested.stage))
      throw BadInput("there is no " + std::string(stage_name(requested.stage)) + " in this model");
    start_.view.large = requested.stage;
  }
  void operator()(const directive::Range& requested) {
    start_.view.ranges[requested.stage] = requested.ends;
  }
  void operator()(const directive::Highlight& requested) {
    start_.view.highlights.push_back(requested.widget);
  }
  void operator()(const directive::Hide& requested) {
    start_.view.hidden.insert(requested.panels.begin(), requested.panels.end());
  }
  void operator()(const directive::Lock& requested) {
    start_.view.locked.insert(requested.controls.begin(), requested.controls.end());
  }
  void operator()(const directive::Tiles& requested) {
    expect_model("tiles");
    start_.view.tiles = requested.view;
  }
  // Of the row that is selected, else of the last one.
  void operator()(const directive::Answer& requested) {
    expect_model("answers");
    const Snapshot live = evaluator_.evaluate(start_.document);
    const auto& selected = start_.view.selected;
    const attention::Index row = selected ? selected->row : std::ssize(start_.document.tokens) - 1;
    start_.view.answer = answer_index({requested.tokens, false}, row, facts_of(live));
  }

  // The line of the directives that follow.
  void at_line(int line) { line_ = line; }
  StepStart take() { return std::move(start_); }

 private:
  Document opened(const LessonSource& source) const {
    std::error_code none;
    const std::filesystem::path relative = std::filesystem::path(folder_) / source.name;
    if (std::filesystem::is_regular_file(relative, none))
      return value_or_bad_input(files::open_document(relative.string()));
    if (is_training_source(source.name)) return value_or_bad_input(open_lesson_training(source));
    if (is_built_in_model(source.name)) return value_or_bad_input(open_lesson_model(source));
    if (source.text)
      throw BadInput("there is no built-in model " + in_quotes(source.name) + " to read a text");
    return value_or_bad_input(files::open_document(source.name));
  }
  void expect_model(const char* what) const {
    if (!start_.document.layer.model)
      throw BadInput("only a trained model has " + std::string(what) +
                     "; open one first, such as words");
  }
  // A step that names a head or a cell of another layer of a model shows that layer.
  void go_to(const std::optional<attention::network::LayerId>& layer) {
    if (!layer) return;
    expect_model("layers");
    start_.document = at_layer(start_.document, *layer);
  }
  StageCell cell_of(const Expression& expression) {
    const Snapshot live = evaluator_.evaluate(start_.document);
    const Value value = value_or_bad_input(expression.evaluate(live));
    const auto* cell = std::get_if<CellValue>(&value);
    if (!cell || !cell->cell)
      throw BadInput(in_quotes(expression.text()) +
                     " is not a cell of a map, such as "
                     "weights[1, it, animal]");
    go_to(cell->layer);
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
      std::visit(runner, one.action);
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
