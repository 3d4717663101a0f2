#include "app/lessons/lesson_steps.h"

#include <filesystem>

#include "app/document/commands/reducer.h"
#include "app/document/words/aside_text.h"
#include "app/files/open.h"
#include "app/lessons/reading/value_or_throw.h"
#include "core/layer/evaluator.h"

namespace lab::lessons {
namespace {

// Runs directives. The stages are evaluated only if a directive needs them.
class DirectiveRunner {
 public:
  DirectiveRunner(Document document, const std::string& folder)
      : folder_(folder), start_{std::move(document), {}, {}} {}

  void operator()(const directive::Open& wanted) {
    std::error_code none;
    const std::filesystem::path relative = std::filesystem::path(folder_) / wanted.source;
    const bool is_file = std::filesystem::is_regular_file(relative, none);
    start_.document =
        value_or_throw(files::open_document(is_file ? relative.string() : wanted.source));
    start_.view.pins.clear();
  }
  void operator()(const directive::Apply& wanted) {
    Document changed = value_or_throw(lab::apply(start_.document, wanted.command));
    const AsideNews news = aside_news(start_.document, changed);
    if (!news.empty()) start_.notes.push_back({line_, aside_text(news)});
    start_.document = std::move(changed);
  }
  void operator()(const directive::Select& wanted) {
    start_.view.selected = cell_of(wanted.cell);
    if (is_per_head(start_.view.selected->stage)) start_.view.head = start_.view.selected->head;
  }
  void operator()(const directive::Pin& wanted) {
    start_.view.pins.push_back(cell_of(wanted.cell));
  }
  void operator()(const directive::Head& wanted) {
    const int heads = start_.document.problem.config.n_heads;
    if (wanted.head >= heads)
      throw BadInput("there is no head " + std::to_string(wanted.head + 1) +
                     "; there are heads 1 to " + std::to_string(heads));
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

  // The line of the directives that follow.
  void at_line(int line) { line_ = line; }
  StepStart take() { return std::move(start_); }

 private:
  StageCell cell_of(const Expression& expression) {
    const attention::Trace& trace = evaluator_.evaluate(start_.document.problem);
    const Value value = value_or_throw(expression.evaluate({start_.document, trace}));
    const auto* cell = std::get_if<CellValue>(&value);
    if (!cell || !cell->cell)
      throw BadInput(in_quotes(expression.text()) +
                     " is not a cell of a map, such as "
                     "weights[1, it, animal]");
    return *cell->cell;
  }

  const std::string& folder_;
  int line_ = 0;
  StepStart start_;
  attention::Evaluator evaluator_;
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
