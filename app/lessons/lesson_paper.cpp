#include "app/lessons/lesson_paper.h"

#include <algorithm>
#include <set>
#include <span>

#include "app/document/reducer.h"
#include "app/lessons/answer.h"
#include "app/lessons/asked_cells.h"
#include "app/lessons/demand.h"
#include "app/lessons/lesson_run.h"
#include "app/lessons/lesson_steps.h"
#include "app/lessons/other_numbers.h"
#include "app/lessons/paper_tables.h"
#include "core/evaluator.h"

namespace lab {
namespace {

using Tables = std::vector<PaperTable>;

constexpr double kIndent = 16;
constexpr const char* kToFillIn = "______";

// Cells that the answer of a question is found in.
std::vector<StageCell> cells_read(const Question& question, const LiveNumbers& live) {
  std::vector<StageCell> cells;
  const auto add = [&](const Expression& expression) {
    const auto more = demand(expression.cells(live));
    cells.insert(cells.end(), more.begin(), more.end());
  };
  for (const Expression& answer : question.answers) add(answer);
  for (const Choice& choice : question.choices)
    if (choice.right_when) add(*choice.right_when);
  return cells;
}

void add_stage(Tables& tables, const LiveNumbers& live, const StageCell& cell) {
  const StageCell origin{cell.stage, cell.head};
  if (std::ranges::find(tables, origin, &PaperTable::origin) == tables.end())
    tables.push_back(whole_stage(live, cell.stage, cell.head));
}

// Those that a question needs: what its number is computed from, and where it stands; else where
// its answer is found; else what the step shows.
Tables tables_of(const Question& question, const StepView& view, const LiveNumbers& live) {
  Tables tables;
  const auto asked = asked_cell(question, live);
  if (asked) tables = tables_behind(live, asked->stage, asked->head);
  for (const StageCell& cell : cells_read(question, live)) add_stage(tables, live, cell);
  const bool tells_none =
      question.kind == QuestionKind::kChoice || question.kind == QuestionKind::kText;
  if (tables.empty() && tells_none && view.selected) add_stage(tables, live, *view.selected);
  return tables;
}

// Writes a lesson for pencil and paper, step by step.
class LessonPaper {
 public:
  LessonPaper(const Lesson& lesson, const std::string& folder, const WorksheetOptions& options)
      : lesson_(lesson),
        folder_(folder),
        options_(options),
        paper_(worksheet_title(lesson.title, options), options.answers) {}

  std::vector<Figure> write() {
    paper_.text(lesson_.goal);
    document_ = demand(lesson_beginning());
    for (const Step& step : lesson_.steps) {
      auto start = start_step(step, document_, folder_);
      if (!start)
        throw BadInput("line " + std::to_string(start.error().line) + ": " + start.error().message);
      if (!same_document(start->document, document_)) forget();
      document_ = std::move(start->document);
      write_step(step, start->view);
    }
    return paper_.take();
  }

 private:
  // What was printed and asked is not about the numbers that come now.
  void forget() {
    asked_ = {};
    printed_.clear();
  }
  // What is printed. The model itself goes on as it is: later edits may not suit other numbers.
  LiveNumbers numbers() {
    shown_ = options_.seed ? demand(with_other_numbers(document_, *options_.seed)) : document_;
    return {shown_, evaluator_.evaluate(shown_.problem)};
  }
  // Those up to the next edit ask for numbers as they are now.
  void ask(std::span<const Question* const> questions) {
    const LiveNumbers live = numbers();
    for (const Question* question : questions) {
      if (question->kind == QuestionKind::kMake) return;
      asked_.add(*question, live);
    }
  }
  void write_step(const Step& step, const StepView& view) {
    constexpr double kWithItsText = 110;
    paper_.need(kWithItsText);
    paper_.heading(step.title);
    const std::vector<const Question*> questions = questions_of(step);
    std::span<const Question* const> ahead = questions;
    ask(ahead);
    for (const auto& item : step.items) {
      if (const auto* text = std::get_if<RichText>(&item)) {
        write_text(*text, numbers(), 0);
        continue;
      }
      const Question& question = *ahead.front();
      ahead = ahead.subspan(1);
      write_question(question, view);
      if (question.kind != QuestionKind::kMake) continue;
      solve(question);
      ask(ahead);
    }
  }

  void write_question(const Question& question, const StepView& view) {
    const LiveNumbers live = numbers();
    const std::string number = std::to_string(++count_) + ". ";
    if (question.kind == QuestionKind::kMake) {
      write_text(question.prompt, live, 0, number + "☐  At the screen: ");
      if (options_.answers)
        for (const RichText& hint : question.hints) paper_.answer(plain_text(hint, live), kIndent);
      return;
    }
    const Tables tables = tables_to_print(question, view, live);
    constexpr double kAround = 60, kChoice = 20;
    paper_.need(kAround + paper_.height_of(tables) +
                kChoice * static_cast<double>(question.choices.size()));
    write_text(question.prompt, live, 0, number);
    write_tables(question, tables);
    for (const Choice& choice : question.choices) write_text(choice.text, live, kIndent, "☐  ");
    if (options_.answers) return write_answer(question, live);
    if (question.kind == QuestionKind::kCell) return paper_.text("Draw a ring around it.", kIndent);
    if (question.choices.empty())
      paper_.lines(question.kind == QuestionKind::kText ? 3 : 1, kIndent);
  }
  // As it goes on after that edit.
  void solve(const Question& question) {
    for (const Command& command : question.solution)
      document_ = demand(lab::apply(document_, command));
    forget();
  }
  // Each is printed once.
  Tables tables_to_print(const Question& question, const StepView& view, const LiveNumbers& live) {
    Tables tables = tables_of(question, view, live);
    std::erase_if(tables, [this](const PaperTable& one) { return printed_.contains(one.title); });
    for (PaperTable& table : tables) asked_.leave_out(table, options_.answers);
    return tables;
  }
  // A question that is not about its numbers can do without a matrix that is too large for a page.
  void write_tables(const Question& question, const Tables& tables) {
    const bool needed =
        question.kind == QuestionKind::kNumber || question.kind == QuestionKind::kCell;
    if (needed) put_tables(paper_, tables);
    if (!needed && !paper_.tables(tables)) return;
    for (const PaperTable& table : tables) printed_.insert(table.title);
  }
  void write_answer(const Question& question, const LiveNumbers& live) {
    if (question.kind == QuestionKind::kText)
      return paper_.answer(plain_text(question.right, live), kIndent);
    const Given right = demand(right_answer(question, live));
    const auto number = typed_number(right.typed);
    paper_.answer(number ? plain_number(*number, 4) : given_text(question, right, live), kIndent);
  }

  // `before` stands before the first words.
  void write_text(const RichText& text, const LiveNumbers& live, double indent,
                  std::string before = {}) {
    for (const TextBlock& block : text) {
      const std::string words = std::exchange(before, {}) + words_of(block, live);
      const bool inset = block.kind == TextBlock::Kind::kQuote ||
                         block.kind == TextBlock::Kind::kFormula ||
                         block.kind == TextBlock::Kind::kCode;
      const double left = indent + kIndent * (inset ? 1 : std::max(0, block.depth - 1));
      if (block.kind == TextBlock::Kind::kCode) {
        paper_.code(words, left);
      } else {
        paper_.text(block.marker.empty() ? words : block.marker + "  " + words, left);
      }
    }
  }
  // Words that are set off on the screen stand in quotation marks.
  std::string words_of(const TextBlock& block, const LiveNumbers& live) const {
    std::string words;
    for (const TextSpan& span : block.spans) {
      const bool kept = !options_.answers && span.live && asked_.asks(*span.live, live);
      const std::string text = kept ? kToFillIn : span_text(span, live);
      words += span.look == TextSpan::Look::kEmphasis ? "“" + text + "”" : text;
    }
    return words;
  }

  const Lesson& lesson_;
  const std::string& folder_;
  const WorksheetOptions& options_;
  Paper paper_;
  attention::Evaluator evaluator_;
  Document document_, shown_;
  AskedCells asked_;
  std::set<std::string> printed_;  // titles of tables
  int count_ = 0;
};

}  // namespace

std::vector<Figure> lesson_pages(const Lesson& lesson, const std::string& folder,
                                 const WorksheetOptions& options) {
  return LessonPaper(lesson, folder, options).write();
}

std::string worksheet_title(const std::string& title, const WorksheetOptions& options) {
  return options.seed ? title + " (sheet " + std::to_string(*options.seed) + ")" : title;
}

void put_tables(Paper& paper, const std::vector<PaperTable>& tables) {
  if (!paper.tables(tables))
    throw BadInput(
        "the matrices are too large for a page; use a shorter sentence or a smaller "
        "model");
}

}  // namespace lab
