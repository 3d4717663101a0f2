#include "app/lessons/paper/worksheet.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "app/base/bad_input.h"
#include "app/explain/stage_text.h"
#include "app/lessons/answers/expression.h"
#include "app/lessons/paper/lesson_paper.h"
#include "app/lessons/paper/paper.h"
#include "app/lessons/paper/paper_tables.h"
#include "app/lessons/paper/random_numbers.h"
#include "app/translation/words.h"
#include "core/layer/evaluator.h"

namespace lab::lessons {
namespace {

using attention::Index;
using attention::Stage;

// About half of the cells and at least one, the same ones each time.
IsBlank half_of(attention::Shape shape, Stage stage) {
  std::mt19937 engine(static_cast<std::uint32_t>(stage) + 1);
  std::vector<bool> out(static_cast<std::size_t>(shape.rows * shape.cols));
  std::generate(out.begin(), out.end(), [&engine] { return engine() % 2 == 0; });
  if (std::ranges::count(out, true) == 0) out.back() = true;
  return [out, columns = shape.cols](Index i, Index j) {
    return out[static_cast<std::size_t>(i * columns + j)];
  };
}

// The stages of one head that the worksheet asks for, in order of computation.
std::vector<Stage> stages_of(const attention::Problem& problem) {
  std::vector<Stage> stages;
  for (const Stage stage : explain::pipeline_stages(problem))
    if (is_per_head(stage) && is_active(problem, stage)) stages.push_back(stage);
  return stages;
}

std::vector<PaperTable> shown_tables(const Snapshot& live, int head, int digits) {
  std::vector<PaperTable> tables;
  for (const Stage stage : {Stage::kQ, Stage::kK, Stage::kV}) {
    for (PaperTable& table : input_tables(live, stage, head, digits)) {
      const auto there = std::ranges::find(tables, table.title, &PaperTable::title);
      if (there == tables.end()) tables.push_back(std::move(table));
    }
  }
  return tables;
}

// What the reader has to know beside the formulas: what scores are divided by, and how to round.
std::string instruction_for(const attention::Config& config, int digits) {
  const std::string rounding =
      tr("Round to {} decimals; rounding on the way can change the last one by 1 or 2.",
         {std::to_string(digits)});
  const double divisor = std::sqrt(static_cast<double>(config.d_k));
  const std::string root = "√d_k = √" + std::to_string(config.d_k);
  const bool whole = divisor == std::floor(divisor);
  const std::string by = root + (whole ? " = " : " ≈ ") + plain_number(divisor, 4);
  if (!config.scale) return tr("The scores are not divided by √d_k.") + " " + rounding;
  return tr("Divide the scores by {}.", {by}) + " " + rounding;
}

std::vector<figure::Figure> session_pages(const Document& document,
                                          const WorksheetOptions& options) {
  attention::Evaluator evaluator;
  const Snapshot live{document, evaluator.evaluate(document.problem)};
  const std::vector<PaperTable> input = shown_tables(live, options.head, options.digits);
  std::vector<PaperTable> tables;
  for (const Stage stage : stages_of(document.problem)) {
    const attention::Shape shape = stage_shape(document.problem, stage);
    tables.push_back(stage_table(live, stage, options.head, options.digits, options.answers,
                                 half_of(shape, stage)));
  }
  const std::string instruction = instruction_for(document.problem.config, options.digits);
  return well_filled([&](double print) {
    Paper paper(worksheet_title(document.title, options), options.answers, print);
    paper.heading(tr("Inputs"));
    put_tables(paper, input);
    paper.ensure_room(paper.height_of_heading() + paper.height_of(instruction, 0) +
                      paper.height_of({tables.front()}));
    paper.heading(tr("Fill in the blanks"));
    paper.text(instruction);
    put_tables(paper, tables);
    return paper;
  });
}

}  // namespace

Expected<std::vector<figure::Figure>> session_worksheet(const Document& document,
                                                        const WorksheetOptions& options) {
  const int heads = document.problem.config.n_heads;
  if (options.head < 0 || options.head >= heads)
    return fail(ErrorType::kBadInput, "there is no head " + std::to_string(options.head + 1) +
                                          "; there are heads 1 to " + std::to_string(heads));
  return guarded([&] {
    if (!options.seed) return session_pages(document, options);
    return session_pages(value_or_bad_input(with_random_numbers(document, *options.seed)), options);
  });
}

Expected<std::vector<figure::Figure>> lesson_worksheet(const Lesson& lesson,
                                                       const std::string& folder,
                                                       const WorksheetOptions& options) {
  if (options.seed && !lesson.seeds)
    return fail(
        ErrorType::kBadInput,
        "the text of this lesson is about its own numbers, so random numbers cannot be used; "
        "they can be for sessions, and for lessons with \"seeds: yes\" in their front matter");
  return guarded([&] { return lesson_pages(lesson, folder, options); });
}

}  // namespace lab::lessons
