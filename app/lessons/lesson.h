#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/document/commands/command.h"
#include "app/lessons/answers/expression.h"
#include "app/lessons/lesson_parts.h"
#include "app/lessons/reading/rich_text.h"

namespace lab::lessons {

/// What a step does to the program when it begins.
namespace directive {
struct Open {
  std::string source;  ///< an example, or a session beside the lesson
};
struct Apply {
  Command command;
};
struct Select {
  Expression cell;
};
struct Pin {
  Expression cell;
};
struct Head {
  int head = 0;  ///< from 0
};
struct Large {
  attention::Stage stage{};
};  ///< the stage stands large over the others
struct Highlight {
  std::string widget;
};  ///< the widget of that name is framed for as long as the step lasts
struct Hide {
  std::set<std::string> panels;  ///< their names
};
struct Lock {
  std::set<Control> controls;
};
}  // namespace directive

struct Directive {
  int line = 0;  ///< of the file, from 1
  std::variant<directive::Open, directive::Apply, directive::Select, directive::Pin,
               directive::Head, directive::Large, directive::Highlight, directive::Hide,
               directive::Lock>
      what;
};

enum class QuestionKind {
  kChoice,  ///< one or more of several answers
  kNumber,  ///< a number, within a tolerance
  kCell,    ///< a cell of a map, to be clicked
  kMake,    ///< something of the model that is to become true
  kText     ///< words, which are not checked
};

/// "choice", "number", "cell", "make", "text".
std::string_view question_kind_name(QuestionKind kind);
/// The kind of that name, or nothing.
std::optional<QuestionKind> question_kind_from_name(std::string_view name);

/// One of the answers to choose from.
struct Choice {
  RichText text;
  bool right = false;
  std::optional<Expression> right_when;  ///< in place of `right`: depends on the numbers
  RichText because;                      ///< what is said to whoever chose it
};

struct Question {
  int line = 0;
  int answer_line = 0;  ///< of what tells the answer, if anything does; else the same
  QuestionKind kind = QuestionKind::kText;
  RichText prompt;
  std::vector<Choice> choices;
  std::vector<Expression> answers;  ///< the number; the cells, each of which is right
  std::optional<double> tolerance;  ///< absolute; nothing: see tolerance_of()
  std::optional<Expression> until;  ///< what is to become true
  std::vector<Command> solution;    ///< edits that make it true
  std::vector<RichText> hints;      ///< given one at a time
  RichText right, wrong;            ///< what is said then; empty: a word of the program's own
};

struct Step {
  int line = 0;
  std::string title;
  std::vector<Directive> directives;
  std::vector<std::variant<RichText, Question>> items;  ///< in reading order
};

struct Lesson {
  std::string title, goal, level;
  int minutes = 0;
  bool seeds = false;  ///< its words stay true with other numbers: worksheets may have them
  std::vector<Step> steps;
};

/// Something in a lesson's file that is not as it should be.
struct LessonProblem {
  int line = 0;  ///< from 1
  std::string message;
  bool operator==(const LessonProblem&) const = default;
};

/// What a lesson's file holds, as far as it can be understood, and what is wrong with it.
struct LessonReading {
  Lesson lesson;
  std::vector<LessonProblem> problems;  ///< in the order of lines; empty: the lesson can be played
};

/// The questions of a step, in order.
std::vector<const Question*> questions_of(const Step& step);

}  // namespace lab::lessons
