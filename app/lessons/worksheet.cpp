#include "app/lessons/worksheet.h"

#include <algorithm>
#include <random>

#include "app/document/reducer.h"
#include "app/figure/stage_text.h"
#include "app/lessons/answer.h"
#include "app/lessons/demand.h"
#include "app/lessons/lesson_run.h"
#include "app/lessons/lesson_steps.h"
#include "app/lessons/other_numbers.h"
#include "app/lessons/paper.h"
#include "app/lessons/paper_tables.h"
#include "core/evaluator.h"

namespace lab {
namespace {

using attention::Index;
using attention::Stage;

void put_tables(Paper& paper, const std::vector<PaperTable>& tables) {
  if (!paper.tables(tables))
    throw BadInput(
        "the matrices are too large for a page; use a shorter sentence or a smaller "
        "model");
}

std::string seed_text(const WorksheetOptions& options) {
  return options.seed ? " (sheet " + std::to_string(*options.seed) + ")" : "";
}

// About half of the cells, one at least, the same each time.
LeftOut half_of(attention::Shape shape, Stage stage) {
  std::mt19937 engine(static_cast<std::uint32_t>(stage) + 1);
  std::vector<bool> out(static_cast<std::size_t>(shape.rows * shape.cols));
  std::generate(out.begin(), out.end(), [&engine] { return engine() % 2 == 0; });
  if (std::ranges::count(out, true) == 0) out.back() = true;
  return [out, columns = shape.cols](Index i, Index j) {
    return out[static_cast<std::size_t>(i * columns + j)];
  };
}

// The stages of one head to be worked through, in the order of the formula.
std::vector<Stage> stages_of(const attention::Problem& problem) {
  std::vector<Stage> stages;
  for (const Stage stage : pipeline_stages(problem))
    if (stage >= Stage::kQ && stage <= Stage::kHeadOutput && is_active(problem, stage))
      stages.push_back(stage);
  return stages;
}

std::vector<PaperTable> given_tables(const LiveNumbers& live, int head) {
  std::vector<PaperTable> tables;
  for (const Stage stage : {Stage::kQ, Stage::kK, Stage::kV}) {
    for (PaperTable& table : tables_behind(live, stage, head)) {
      const auto there = std::ranges::find(tables, table.title, &PaperTable::title);
      if (there == tables.end()) tables.push_back(std::move(table));
    }
  }
  return tables;
}

std::vector<Figure> session_pages(const Document& document, const WorksheetOptions& options) {
  attention::Evaluator evaluator;
  const LiveNumbers live{document, evaluator.evaluate(document.problem)};
  Paper paper(document.title + seed_text(options), options.answers);
  paper.heading("What goes in");
  put_tables(paper, given_tables(live, options.head));
  paper.heading("Fill in what is missing");
  std::vector<PaperTable> tables;
  for (const Stage stage : stages_of(document.problem)) {
    const attention::Shape shape = stage_shape(document.problem, stage);
    tables.push_back(
        stage_table(live, stage, options.head, options.answers, half_of(shape, stage)));
  }
  put_tables(paper, tables);
  return paper.take();
}

// Writes the questions of a lesson that paper can take.
class LessonPaper {
 public:
  LessonPaper(const Lesson& lesson, const std::string& folder, const WorksheetOptions& options)
      : lesson_(lesson),
        folder_(folder),
        options_(options),
        paper_(lesson.title + seed_text(options), options.answers) {}

  std::vector<Figure> write() {
    paper_.text(lesson_.goal);
    Document document = demand(lesson_beginning());
    for (const Step& step : lesson_.steps) {
      auto start = start_step(step, document, folder_);
      if (!start)
        throw BadInput("line " + std::to_string(start.error().line) + ": " + start.error().message);
      document = std::move(start->document);
      write_step(step, document);
    }
    return paper_.take();
  }

 private:
  void write_step(const Step& step, Document& document) {
    bool first = true;
    for (const Question* question : questions_of(step)) {
      if (question->kind == QuestionKind::kMake) {
        document = solved(*question, document);
        continue;
      }
      if (std::exchange(first, false)) begin_step(step);
      // The model itself goes on as it is: edits of later steps may not suit other numbers.
      write_question(*question, options_.seed ? demand(with_other_numbers(document, *options_.seed))
                                              : document);
    }
  }
  void begin_step(const Step& step) {
    constexpr double kWithItsQuestion = 180;
    paper_.need(kWithItsQuestion);
    paper_.heading(step.title);
  }
  static Document solved(const Question& question, Document document) {
    for (const Command& command : question.solution)
      document = demand(lab::apply(document, command));
    return document;
  }
  void write_question(const Question& question, const Document& document) {
    const LiveNumbers live{document, evaluator_.evaluate(document.problem)};
    constexpr double kWithItsTables = 130;
    paper_.need(kWithItsTables);
    paper_.text(std::to_string(++count_) + ". " + plain_text(question.prompt, live));
    write_tables(question, live);
    for (const Choice& choice : question.choices)
      paper_.text("☐  " + plain_text(choice.text, live), kIndent);
    if (options_.answers) {
      write_answer(question, live);
    } else if (question.choices.empty()) {
      paper_.lines(question.kind == QuestionKind::kText ? 3 : 1, kIndent);
    }
  }
  // What the answer, if it is a cell, is computed from.
  void write_tables(const Question& question, const LiveNumbers& live) {
    if (question.answers.empty()) return;
    const Value value = demand(question.answers.front().evaluate(live));
    const auto* answer = std::get_if<CellValue>(&value);
    if (!answer || !answer->cell) return;
    const auto& [stage, head, row, col] = *answer->cell;
    if (question.kind == QuestionKind::kCell)
      return put_tables(
          paper_, {stage_table(live, stage, head, false, [](Index, Index) { return false; })});
    put_tables(paper_, tables_behind(live, stage, head));
  }
  void write_answer(const Question& question, const LiveNumbers& live) {
    if (question.kind == QuestionKind::kText)
      return paper_.answer(plain_text(question.right, live), kIndent);
    const Given right = demand(right_answer(question, live));
    const auto number = typed_number(right.typed);
    paper_.answer(number ? plain_number(*number, 4) : given_text(question, right, live), kIndent);
  }

  static constexpr double kIndent = 16;

  const Lesson& lesson_;
  const std::string& folder_;
  const WorksheetOptions& options_;
  Paper paper_;
  attention::Evaluator evaluator_;
  int count_ = 0;
};

}  // namespace

Expected<std::vector<Figure>> session_worksheet(const Document& document,
                                                const WorksheetOptions& options) {
  const int heads = document.problem.config.n_heads;
  if (options.head < 0 || options.head >= heads)
    return fail(ErrorKind::kBadInput, "there is no head " + std::to_string(options.head + 1) +
                                          "; there are heads 1 to " + std::to_string(heads));
  return guarded([&] {
    if (!options.seed) return session_pages(document, options);
    return session_pages(demand(with_other_numbers(document, *options.seed)), options);
  });
}

Expected<std::vector<Figure>> lesson_worksheet(const Lesson& lesson, const std::string& folder,
                                               const WorksheetOptions& options) {
  if (options.seed && !lesson.seeds)
    return fail(ErrorKind::kBadInput,
                "the words of this lesson are about its own numbers, so there is no sheet with "
                "others; lessons whose front matter has \"seeds: yes\" allow it, and sessions do");
  return guarded([&] { return LessonPaper(lesson, folder, options).write(); });
}

}  // namespace lab
