#include "app/lessons/lesson_check.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "app/base/bad_input.h"
#include "app/base/strings.h"
#include "app/files/open.h"
#include "app/lessons/answers/answer.h"
#include "app/lessons/model/live_evaluator.h"
#include "app/lessons/paper/paper_plan.h"
#include "app/lessons/paper/paper_tables.h"
#include "app/lessons/paper/random_numbers.h"
#include "app/translation/words.h"

namespace lab::lessons {
namespace {

bool opens_something(const Step& step) {
  return std::ranges::any_of(step.directives, [](const Directive& one) {
    return std::holds_alternative<directive::Open>(one.action);
  });
}

// True when a directive that could not be read names an example or a session: a misspelt "open".
bool should_open(const Step& step, const std::string& folder) {
  return std::ranges::any_of(step.unread, [&](const std::string& line) {
    const std::size_t blank = std::min(line.find(' '), line.size());
    const std::string source(trimmed(std::string_view(line).substr(blank)));
    const auto examples = files::examples();
    std::error_code none;
    return std::ranges::find(examples, source, &files::ExampleInfo::name) != examples.end() ||
           std::filesystem::is_regular_file(std::filesystem::path(folder) / source, none);
  });
}

// A question with a mistake in it was not read as its author means it.
Lesson without_mistakes(const LessonReading& reading) {
  Lesson lesson = reading.lesson;
  for (Step& step : lesson.steps)
    std::erase_if(step.items, [&](const auto& item) {
      const auto* question = std::get_if<Question>(&item);
      return question && std::ranges::any_of(reading.problems, [&](const LessonProblem& problem) {
               return problem.line >= question->line && problem.line <= question->last_line;
             });
    });
  return lesson;
}

constexpr std::uint64_t kSheets = 12;  // with random numbers

// The sheets on which a question cannot be answered.
struct FailedSheets {
  std::uint64_t first = 0;  // its seed
  std::uint64_t count = 0;
  std::string message;  // of the first
};

std::string text_of(const FailedSheets& sheets) {
  return "with random numbers (seed " + std::to_string(sheets.first) + ", in all " +
         std::to_string(sheets.count) + " of " + std::to_string(kSheets) +
         " sheets): " + sheets.message +
         "; a lesson with \"seeds: yes\" can only ask what has an answer for all numbers";
}

class LessonPlayer {
 public:
  LessonPlayer(const std::string& folder, const WidgetNames& widgets,
               std::vector<LessonProblem>& problems)
      : folder_(folder), widgets_(widgets), problems_(problems) {}

  // Answers the questions if `answering`, else skips them.
  void play(const Lesson& lesson, bool answering) {
    auto document = initial_document();
    if (!document) return problem(1, document.error().message);
    bool certain = true;  // the document is the one that the author means
    for (const Step& step : lesson.steps) {
      const bool opens = opens_something(step);
      if ((!certain || should_open(step, folder_)) && !opens) {
        certain = false;
        continue;
      }
      auto start = begin(step, *document);
      certain = start.has_value();
      if (!certain) continue;
      locked_ = start->view.locked;
      if (answering) check_step(step, *start);
      document = std::move(start->document);
    }
  }

  // Answers every question that appears on worksheets, on several sheets with random numbers.
  void play_with_random_numbers(const Lesson& lesson) {
    const PaperPlan plan(lesson, folder_);
    std::map<int, FailedSheets> failed;
    for (std::uint64_t seed = 1; seed <= kSheets; ++seed)
      for (const PaperState& state : plan.states()) check_with_seed(state, seed, failed);
    for (const auto& [line, sheets] : failed) problem(line, text_of(sheets));
  }

 private:
  // The step without the directives that fail; nothing when one that opens a document does.
  std::optional<StepStart> begin(Step step, const Document& before) {
    for (;;) {
      auto start = start_step(step, before, folder_);
      if (start) return std::move(*start);
      const int line = start.error().line;
      problem(line, start.error().message);
      const auto failed = std::ranges::find(step.directives, line, &Directive::line);
      if (failed == step.directives.end() ||
          std::holds_alternative<directive::Open>(failed->action))
        return std::nullopt;
      step.directives.erase(failed);
    }
  }
  void check_with_seed(const PaperState& state, std::uint64_t seed,
                       std::map<int, FailedSheets>& failed) {
    const auto note = [&](int line, const std::string& message) {
      FailedSheets& sheets = failed.try_emplace(line, FailedSheets{seed, 0, message}).first->second;
      ++sheets.count;
    };
    const auto drawn = with_random_numbers(state.document, seed, state.questions);
    for (const Question* question : state.questions) {
      if (!drawn) {
        note(question->line, drawn.error().message);
        continue;
      }
      const auto right = right_answer(*question, live(*drawn));
      if (!right) note(question->answer_line, right.error().message);
    }
  }
  void problem(int line, const std::string& message) {
    const LessonProblem found{line, message};
    if (std::ranges::find(problems_, found) == problems_.end()) problems_.push_back(found);
  }

  // Leaves the document as changed by the answers.
  void check_step(const Step& step, StepStart& start) {
    check_widgets(step, start);
    for (const auto& item : step.items) {
      if (const auto* passage = std::get_if<Passage>(&item)) {
        check_text(passage->text, start.document);
      } else {
        check_question(std::get<Question>(item), start.document);
      }
    }
  }
  void check_widgets(const Step& step, const StepStart& start) {
    if (!widgets_ || start.view.highlights.empty()) return;
    const auto names = widgets_(start);
    if (!names) return;
    for (const Directive& one : step.directives) {
      const auto* highlight = std::get_if<directive::Highlight>(&one.action);
      if (highlight && !names->contains(highlight->widget))
        problem(one.line,
                "the window has no widget " + in_quotes(highlight->widget) + " in this step");
    }
  }
  Snapshot live(const Document& document) { return evaluator_.evaluate(document); }
  void check_text(const RichText& text, const Document& document) {
    for (const TextBlock& block : text) {
      for (const TextSpan& span : block.spans) {
        if (!span.label.empty() && !is_text_of_window(span.label, files::assets_folder()))
          problem(span.line, "the window has no text " + in_quotes(span.label) +
                                 "; assets/languages/en.json lists all");
        if (!span.live) continue;
        const auto value = span.live->evaluate(live(document));
        if (!value) problem(span.line, in_quotes(span.text) + ": " + value.error().message);
        if (value && !number_of(*value) && !std::holds_alternative<std::string>(*value))
          problem(span.line, in_quotes(span.text) + " is neither a number nor a name");
      }
    }
  }
  void check_question(const Question& question, Document& document) {
    for (const RichText& hint : question.hints) check_text(hint, document);
    for (const Choice& choice : question.choices) {
      check_text(choice.text, document);
      check_text(choice.because, document);
    }
    check_text(question.prompt, document);
    check_text(question.paper, document);
    check_tables(question, document);
    if (question.type == QuestionType::kMake) check_not_yet(question, document);
    if (question.type == QuestionType::kMake && !solve(question, document)) return;
    check_text(question.right, document);
    check_text(question.wrong, document);
    check_answers(question, document);
  }
  void check_tables(const Question& question, const Document& document) {
    if (!question.tables) return;
    for (const NamedTable& table : *question.tables)
      if (const auto there = table_exists(table, document); !there)
        problem(question.line, there.error().message);
  }
  void check_not_yet(const Question& question, const Document& document) {
    const auto there = question.until->truth(live(document));
    if (!there) problem(question.answer_line, there.error().message);
    if (there && *there)
      problem(question.line, "the condition is already true before the question is asked");
    if (question.solution.empty())
      problem(question.line, "there is no \"solution:\", so the question cannot be checked");
  }
  bool solve(const Question& question, Document& document) {
    for (const ModelCommand& edit : question.solution) {
      const Control control = control_of(edit.command);
      if (locked_.contains(control))
        problem(question.line, "the step locks what the question asks to edit: " +
                                   std::string(control_name(control)));
      auto changed = edited(document, edit);
      if (!changed) return problem(question.line, "solution: " + changed.error().message), false;
      document = std::move(*changed);
    }
    return true;
  }
  void check_answers(const Question& question, const Document& document) {
    const Snapshot numbers = live(document);
    const auto right = right_answer(question, numbers);
    if (!right) return problem(question.answer_line, right.error().message);
    expect(question, *right, numbers, true);
    const auto wrong = wrong_answers(question, numbers);
    if (!wrong) return problem(question.answer_line, wrong.error().message);
    for (const AnswerInput& input : *wrong) expect(question, input, numbers, false);
    if (const auto lines = arithmetic_of(question, numbers); !lines)
      problem(question.answer_line, lines.error().message);
  }
  void expect(const Question& question, const AnswerInput& input, const Snapshot& numbers,
              bool passes) {
    const auto judgement = judge(question, input, numbers);
    if (!judgement) return problem(question.answer_line, judgement.error().message);
    const bool passed =
        judgement->verdict == Verdict::kRight || judgement->verdict == Verdict::kUnchecked;
    if (passed != passes)
      problem(question.line, passes ? "the question rejects its own answer: " + judgement->message
                                    : "a wrong answer is accepted; is the tolerance too large?");
  }

  const std::string& folder_;
  const WidgetNames& widgets_;
  std::vector<LessonProblem>& problems_;
  std::set<Control> locked_;  // controls locked by the step
  LiveEvaluator evaluator_;
};

}  // namespace

std::vector<LessonProblem> check_lesson(const Lesson& lesson, const std::string& folder,
                                        const WidgetNames& widgets) {
  std::vector<LessonProblem> problems;
  LessonPlayer player(folder, widgets, problems);
  const bool begins = lesson.steps.empty() || opens_something(lesson.steps.front()) ||
                      should_open(lesson.steps.front(), folder);
  if (!begins)
    problems.push_back({lesson.steps.front().line,
                        "the first step opens nothing; start it with \"open\" and an example"});
  player.play(lesson, true);
  player.play(lesson, false);
  if (lesson.seeds && problems.empty()) player.play_with_random_numbers(lesson);
  std::ranges::stable_sort(problems, {}, &LessonProblem::line);
  return problems;
}

std::vector<LessonProblem> check_reading(const LessonReading& reading, const std::string& folder,
                                         const WidgetNames& widgets) {
  std::vector<LessonProblem> problems = reading.problems;
  const auto played = check_lesson(without_mistakes(reading), folder, widgets);
  problems.insert(problems.end(), played.begin(), played.end());
  std::ranges::stable_sort(problems, {}, &LessonProblem::line);
  return problems;
}

std::vector<LessonProblem> lesson_notes(const Lesson& lesson, const std::string& folder) {
  std::vector<LessonProblem> notes;
  auto document = initial_document();
  if (!document) return notes;
  for (const Step& step : lesson.steps) {
    auto start = start_step(step, *document, folder);
    if (!start) return notes;
    notes.insert(notes.end(), start->notes.begin(), start->notes.end());
    document = std::move(start->document);
  }
  return notes;
}

}  // namespace lab::lessons
