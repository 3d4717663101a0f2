#include "app/lessons/paper/worksheet.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <span>

#include "app/base/bad_input.h"
#include "app/base/text_direction.h"
#include "app/explain/stage_text.h"
#include "app/lessons/answers/answer.h"
#include "app/lessons/answers/asked_cells.h"
#include "app/lessons/answers/expression.h"
#include "app/lessons/model/live_evaluator.h"
#include "app/lessons/paper/paper.h"
#include "app/lessons/paper/paper_plan.h"
#include "app/lessons/paper/paper_tables.h"
#include "app/lessons/paper/random_numbers.h"
#include "app/translation/words.h"
#include "core/layer/evaluator.h"

namespace lab::lessons {
namespace {

using attention::Index;
using attention::Stage;
using Tables = std::vector<PaperTable>;

constexpr double kIndent = 16;
constexpr int kMostDigits = 6;  // of numbers in tables
constexpr const char* kToFillIn = "______";

// Cells that the answer to a question is read from.
std::vector<StageCell> cells_read(const Question& question, const Snapshot& live) {
  std::vector<StageCell> cells;
  const auto add = [&](const Expression& expression) {
    const auto more = value_or_bad_input(expression.cells(live));
    cells.insert(cells.end(), more.begin(), more.end());
  };
  for (const Expression& answer : question.answers) add(answer);
  for (const Choice& choice : question.choices)
    if (choice.right_when) add(*choice.right_when);
  return cells;
}

void add_stage(Tables& tables, const Snapshot& live, const StageCell& cell, int digits) {
  const StageCell origin{cell.stage, cell.head};
  if (std::ranges::find(tables, origin, &PaperTable::origin) == tables.end())
    tables.push_back(full_stage_table(live, cell.stage, cell.head, digits));
}

// The tables that its author names.
Tables named_tables(const std::vector<NamedTable>& names, const Snapshot& live, int digits) {
  Tables tables;
  for (const NamedTable& name : names) {
    if (const auto there = table_exists(name, live.document); !there)
      throw BadInput(there.error().message);
    tables.push_back(table_of(live, name, digits));
  }
  return tables;
}

// The tables that a question needs: those that its author names, else the inputs of the number and
// those that the answer is read from.
Tables tables_of(const Question& question, const Snapshot& live, int digits) {
  if (question.tables) return named_tables(*question.tables, live, digits);
  Tables tables;
  const auto asked = asked_cell(question, live);
  if (asked) tables = input_tables(live, asked->stage, asked->head, digits);
  for (const StageCell& cell : cells_read(question, live)) add_stage(tables, live, cell, digits);
  return tables;
}

const RichText& prompt_of(const Question& question) {
  return question.paper.empty() ? question.prompt : question.paper;
}

bool is_printed(const Passage& passage) { return passage.medium != Medium::kScreen; }

// All correct cells, for questions that accept several.
std::vector<StageCell> answer_cells(const Question& question, const Snapshot& live) {
  std::vector<StageCell> cells;
  for (const Expression& answer : question.answers)
    if (const auto cell = cell_of(answer, live)) cells.push_back(*cell);
  return cells;
}

void mark(Tables& tables, const StageCell& cell) {
  for (PaperTable& table : tables)
    if (table.origin == StageCell{cell.stage, cell.head})
      table.marked[static_cast<std::size_t>(cell.row)][static_cast<std::size_t>(cell.col)] = true;
}

std::string titles_of(const std::vector<PaperTable>& tables) {
  std::string titles;
  for (const PaperTable& table : tables) titles += (titles.empty() ? "" : ", ") + table.title;
  return titles;
}

// The title, followed by the seed if there is one.
std::string worksheet_title(const std::string& title, const WorksheetOptions& options) {
  return options.seed ? tr("{} (sheet {})", {title, std::to_string(*options.seed)}) : title;
}

// As Paper::tables; throws BadInput if a table is too large for a page.
void put_tables(Paper& paper, const std::vector<PaperTable>& tables, double after = 0) {
  if (!paper.tables(tables, after))
    throw BadInput("the matrices are too large for a page: " + titles_of(tables) +
                   "; use a shorter sentence or a smaller model");
}

// The model of each state with the numbers that are printed. The plan itself keeps the lesson's
// own numbers, because later edits may not be valid for random ones.
std::vector<Document> printed_models(const PaperPlan& plan,
                                     const std::optional<std::uint64_t>& seed) {
  std::vector<Document> models;
  for (const PaperState& state : plan.states())
    models.push_back(
        seed ? value_or_bad_input(with_random_numbers(state.document, *seed, state.questions))
             : state.document);
  return models;
}

// Lays out a lesson as a worksheet, step by step.
class LessonPaper {
 public:
  LessonPaper(const Lesson& lesson, const PaperPlan& plan, const std::vector<Document>& models,
              const WorksheetOptions& options, double print)
      : plan_(plan),
        models_(models),
        options_(options),
        paper_(worksheet_title(lesson.title, options), options.answers, print) {
    paper_.text(lesson.goal);
  }

  Paper write() && {
    for (const PaperStep& step : plan_.steps()) write_step(step);
    return std::move(paper_);
  }

 private:
  // Switches to the numbers of a state.
  void enter(std::size_t state) {
    if (state_ == state) return;
    state_ = state;
    live_ = evaluator_.evaluate(models_[state]);
    asked_ = AskedCells(plan_.states()[state].questions, live());
    passed_ = 0;
    printed_.clear();
  }
  const Snapshot& live() const { return live_; }

  void write_step(const PaperStep& step) {
    enter(step.state);
    printed_.clear();  // each step prints the tables it needs
    const Room beginning = room_for_beginning(step);
    paper_.ensure_room(beginning.whole, beginning.first);
    paper_.heading(step.step->title);
    for (const auto& item : step.step->items) {
      const auto* passage = std::get_if<Passage>(&item);
      if (!passage) {
        write_question_of(std::get<Question>(item));
      } else if (is_printed(*passage)) {
        write_text(passage->text, 0);
      }
    }
  }
  // Adds the line of the question to errors, for the author.
  void write_question_of(const Question& question) {
    try {
      write_question(question);
    } catch (const BadInput& problem) {
      throw BadInput("line " + std::to_string(question.line) + ": " + problem.what());
    }
  }
  void write_question(const Question& question) {
    const std::string number = std::to_string(++count_) + ". ";
    if (question.type == QuestionType::kMake) return write_edit(question, number);
    const Tables tables = tables_to_print(question);
    const Room room = room_for(question, tables);
    paper_.ensure_room(room.whole, room.first);
    ++passed_;
    write_passage(prompt_of(question), 0, number, exactness(question));
    write_tables(question, tables);
    write_choices(question);
    if (options_.answers) return write_answer(question);
    if (question.type == QuestionType::kCell) return paper_.text(tr("Circle it."), kIndent);
    if (question.choices.empty()) paper_.lines(lines_for(question), kIndent);
  }
  void write_edit(const Question& question, const std::string& number) {
    paper_.ensure_room(height_of_edit(question));
    write_passage(prompt_of(question), 0, number + "☐  " + tr("On the computer:") + " ");
    if (options_.answers) {
      for (const RichText& hint : question.hints) write_in_key(hint, "");
      write_solution(question);
    }
    enter(state_.value_or(0) + 1);
  }
  // In the key, with the hints and a line for the solution.
  double height_of_edit(const Question& question) const {
    double height = height_of(prompt_of(question));
    if (!options_.answers) return height;
    for (const RichText& hint : question.hints) height += height_of(hint);
    return height + paper_.height_of("A solution", kIndent);
  }
  // The edits that answer the question, as the history names them. With random numbers they may be
  // refused.
  void write_solution(const Question& question) {
    Document now = live_.document;
    for (const ModelCommand& edit : question.solution) {
      const auto changed = edited(now, edit);
      if (!changed) return;
      paper_.answer(tr("A solution: {}", {edit_label(edit, now, *changed)}), kIndent);
      now = *changed;
    }
  }
  void write_choices(const Question& question) {
    std::vector<std::size_t> right;
    if (options_.answers && !question.choices.empty())
      right = value_or_bad_input(right_answer(question, live())).chosen;
    for (std::size_t i = 0; i < question.choices.size(); ++i) {
      const RichText& text = question.choices[i].text;
      if (std::ranges::find(right, i) == right.end()) {
        write_passage(text, kIndent, "☐  ");
      } else {
        write_in_key(text, "☒  ");
      }
    }
  }
  void write_answer(const Question& question) {
    if (question.type == QuestionType::kText) return write_in_key(question.right, "");
    if (question.type == QuestionType::kName)
      return paper_.answer(right_names(question, live()).front(), kIndent);
    if (question.type == QuestionType::kNumber)
      return paper_.answer(
          answer_number(question, value_or_bad_input(question.answers.front().number(live()))),
          kIndent);
    for (const StageCell& cell : answer_cells(question, live()))
      paper_.answer(pair_text(row_label(live_.document, cell.stage, cell.row),
                              column_label(live_.document, cell.stage, cell.col)),
                    kIndent);
  }

  // Decimals of the tables beside a question: enough to answer it within its tolerance.
  int digits_for(const Question& question) const {
    int digits = options_.digits;
    if (question.type != QuestionType::kNumber || !question.tolerance) return digits;
    for (double unit = std::pow(10, -digits);
         unit > *question.tolerance * (1 + 1e-9) && *question.tolerance > 0 && digits < kMostDigits;
         unit /= 10)
      ++digits;
    return digits;
  }

  // Tables that were not printed in this step yet with as many decimals as the question needs.
  Tables tables_to_print(const Question& question) {
    const int digits = digits_for(question);
    Tables tables = tables_of(question, live(), digits);
    std::erase_if(tables, [&](const PaperTable& one) {
      const auto printed = printed_.find(one.title);
      return printed != printed_.end() && printed->second >= digits;
    });
    for (PaperTable& table : tables) asked_.blank_out(table, options_.answers);
    if (options_.answers && question.type == QuestionType::kCell)
      for (const StageCell& cell : answer_cells(question, live())) mark(tables, cell);
    return tables;
  }
  // Only number and cell questions need their tables; others omit tables that are too large.
  void write_tables(const Question& question, const Tables& tables) {
    const bool needed = question.type == QuestionType::kNumber ||
                        question.type == QuestionType::kName ||
                        question.type == QuestionType::kCell;
    const double after = height_after_tables(question);
    if (needed) put_tables(paper_, tables, after);
    if (!needed && !paper_.tables(tables, after)) return;
    for (const PaperTable& table : tables) printed_[table.title] = digits_for(question);
  }

  // The height of a question in points: all of it, and what must be on one page.
  struct Room {
    double whole, first;
  };
  Room room_for(const Question& question, const Tables& tables) const {
    const double prompt = height_of(prompt_of(question)), after = height_after_tables(question);
    return {prompt + paper_.height_of(tables) + after,
            prompt + paper_.height_of_first(tables, after)};
  }
  double height_after_tables(const Question& question) const {
    if (question.choices.empty()) return paper_.height_of_lines(lines_for(question));
    double height = 0;
    for (const Choice& choice : question.choices) height += height_of(choice.text);
    return height;
  }
  // How far a number may be from the answer; empty for other questions. A share of the answer would
  // tell its size.
  static std::string exactness(const Question& question) {
    const double apart = question.tolerance.value_or(tolerance_of(question, 0));
    const bool said = question.type == QuestionType::kNumber && apart > 0;
    return said ? " (±" + plain_number(apart, 4) + ")" : std::string();
  }
  // Lines to write an answer on.
  static int lines_for(const Question& question) {
    return question.type == QuestionType::kText ? 3 : 1;
  }
  double height_of(const RichText& text) const {
    double height = 0;
    for (const TextBlock& block : text) height += paper_.height_of(block_text(block, 0), kIndent);
    return height;
  }
  // Room for the heading and what must not be separated from it: the first paragraph or question.
  Room room_for_beginning(const PaperStep& step) {
    constexpr double kHeading = 48;  // and a line, if a number before the text breaks it anew
    const auto together = [](double height) { return Room{kHeading + height, kHeading + height}; };
    for (const auto& item : step.step->items) {
      const auto* passage = std::get_if<Passage>(&item);
      if (passage && is_printed(*passage) && !passage->text.empty())
        return together(height_of({passage->text.front()}));
      const auto* question = std::get_if<Question>(&item);
      if (question && question->type == QuestionType::kMake)
        return together(height_of(prompt_of(*question)));
      if (!question) continue;
      const Room room = room_for(*question, tables_to_print(*question));
      return {kHeading + room.whole, kHeading + room.first};
    }
    return together(0);
  }

  void write_text(const RichText& text, double indent) {
    for (const TextBlock& block : text)
      write_block(block, block_text(block, asked_.count()), indent);
  }
  // Writes in the answer key's colour, with all numbers.
  void write_in_key(const RichText& text, std::string before) {
    for (const TextBlock& block : text)
      paper_.answer(std::exchange(before, {}) + block_text(block, asked_.count()), kIndent);
  }
  // Writes a passage of a question, preceded by `before` and followed by `after`. Numbers that only
  // later questions ask for are kept, because this question may need them.
  void write_passage(const RichText& text, double indent, std::string before,
                     const std::string& after = {}) {
    for (const TextBlock& block : text) {
      const std::string content = std::exchange(before, {}) + block_text(block, passed_);
      write_block(block, &block == &text.back() ? content + after : content, indent);
    }
  }
  void write_block(const TextBlock& block, const std::string& content, double indent) {
    using Type = TextBlock::Type;
    const bool inset =
        block.type == Type::kQuote || block.type == Type::kFormula || block.type == Type::kCode;
    const double left = indent + kIndent * (inset ? 1 : std::max(0, block.depth - 1));
    if (block.type == Type::kCode) {
      paper_.code(content, left);
    } else {
      paper_.text(block.marker.empty() ? content : block.marker + "  " + content, left);
    }
  }
  // The text of a block, with quotation marks in place of emphasis. Numbers that the first `count`
  // questions ask for are left out.
  std::string block_text(const TextBlock& block, std::size_t count) const {
    std::string content;
    for (const TextSpan& span : block.spans) {
      const bool kept = !options_.answers && span.live && asked_.covers(*span.live, live(), count);
      const std::string text = kept ? kToFillIn : span_text(span, live());
      content += span.look == TextSpan::Look::kEmphasis ? tr("“{}”", {text}) : text;
    }
    return content;
  }

  const PaperPlan& plan_;
  const std::vector<Document>& models_;
  const WorksheetOptions& options_;
  Paper paper_;
  LiveEvaluator evaluator_;
  std::optional<std::size_t> state_;
  Snapshot live_;
  AskedCells asked_;
  std::size_t passed_ = 0;              // number of questions about this state already written
  std::map<std::string, int> printed_;  // tables printed in this step: title and decimals
  int count_ = 0;
};

std::vector<figure::Figure> lesson_pages(const Lesson& lesson, const std::string& folder,
                                         const WorksheetOptions& options) {
  const PaperPlan plan(lesson, folder);
  const std::vector<Document> models = printed_models(plan, options.seed);
  return well_filled(
      [&](double print) { return LessonPaper(lesson, plan, models, options, print).write(); });
}

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
