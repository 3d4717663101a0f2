#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/document/commands/command.h"
#include "app/files/session/session_view.h"
#include "app/lessons/answers/expression.h"
#include "app/lessons/lesson_names.h"
#include "app/lessons/model/model_edits.h"
#include "app/lessons/reading/rich_text.h"
#include "app/translation/words.h"

namespace lab::lessons {

/// The directives of a step, which take effect when the step begins.
namespace directive {
struct Open {
  LessonSource source;  ///< an example, a session in the lesson's folder, or a built-in model
};
struct Apply {
  ModelCommand edit;
};
struct Select {
  Expression cell;
};
struct Pin {
  Expression cell;
};
struct Sensitivity {
  Expression cell;
};  ///< the number about which "What moves this?" is asked
struct Head {
  int head = 0;                                           ///< from 0
  std::optional<attention::network::LayerId> layer = {};  ///< of a trained model
};
struct Large {
  attention::Stage stage{};
};  ///< the stage to show enlarged
struct Highlight {
  std::string widget;
};  ///< name of the widget to frame during the step
struct Range {
  attention::Stage stage{};
  files::ColourRange ends;
};  ///< the colours of the maps of a stage
struct Hide {
  std::set<std::string> panels;  ///< their names
};
struct Lock {
  std::set<Control> controls;
};
struct Tiles {
  std::size_t view = 0;  ///< index into tile_views()
};
struct Answer {
  std::string tokens;  ///< "mat", or "mat - floor"
};
}  // namespace directive

/// One directive with its position in the file.
struct Directive {
  int line = 0;  ///< line in the file, from 1
  std::variant<directive::Open, directive::Apply, directive::Select, directive::Pin,
               directive::Head, directive::Large, directive::Range, directive::Highlight,
               directive::Hide, directive::Lock, directive::Tiles, directive::Answer,
               directive::Sensitivity>
      action;
};

/// Where a text is shown: in the window, on worksheets, or in both.
enum class Medium { kBoth, kScreen, kPaper };

/// A text of a step.
struct Passage {
  RichText text;
  Medium medium = Medium::kBoth;
};

/// A table about a trained model, see model_table().
struct ModelTable {
  std::string
      text;  ///< as written: "predictions[last]", "knock_out[:, last, mat]", "weights[L1H3]"
  bool operator==(const ModelTable&) const = default;
};

/// A matrix that a worksheet prints beside a question.
struct NamedTable {
  std::variant<attention::Stage, MatrixId, ModelTable> id;
  int head = 0;  ///< from 0; without meaning for what all heads share, and of models
  bool operator==(const NamedTable&) const = default;
};

/// How a question is answered.
enum class QuestionType {
  kChoice,  ///< choose one or more answers
  kNumber,  ///< type a number, checked within a tolerance
  kName,    ///< type a name: of a token or of a head
  kCell,    ///< click a cell of a map
  kMake,    ///< edit the model until a condition is true
  kText     ///< write text, which is not checked
};

/// The name of the type in a lesson file: "choice", "number", "name", "cell", "make" or
/// "text".
std::string_view question_type_name(QuestionType type);
/// The type with this name, or std::nullopt.
std::optional<QuestionType> question_type_from_name(std::string_view name);

/// One answer of a multiple-choice question.
struct Choice {
  RichText text;
  bool right = false;
  std::optional<Expression> right_when;  ///< overrides `right`: depends on the live numbers
  RichText because;                      ///< feedback for students who chose it
};

/// One question of a step.
struct Question {
  int line = 0;         ///< line in the file, from 1
  int answer_line = 0;  ///< line of the answer if there is one, else `line`
  int last_line = 0;    ///< the last line of the question
  QuestionType type = QuestionType::kText;
  RichText prompt;
  RichText paper;  ///< the prompt on worksheets; if empty, `prompt`
  /// The matrices printed on worksheets; unset: those that the answer is computed from or found
  /// in.
  std::optional<std::vector<NamedTable>> tables;
  std::vector<Choice> choices;
  std::vector<Expression> answers;     ///< the number, or the cells or names, any of which is right
  std::optional<double> tolerance;     ///< absolute; if not set, see tolerance_of()
  std::optional<Expression> until;     ///< the condition to make true
  std::vector<ModelCommand> solution;  ///< edits that make `until` true
  std::vector<RichText> hints;         ///< shown one at a time
  RichText right, wrong;               ///< feedback; if empty, the program's standard text
};

/// One step of a lesson.
struct Step {
  int line = 0;  ///< line in the file, from 1
  std::string title;
  std::vector<Directive> directives;
  std::vector<std::variant<Passage, Question>> items = {};  ///< in reading order
  std::vector<std::string> unread = {};                     ///< directives with a mistake
};

/// A lesson as read from its file.
struct Lesson {
  std::string title, goal, level;
  int minutes = 0;
  std::optional<Language> language;  ///< of its text; std::nullopt: not stated
  bool seeds = false;  ///< the text also holds for random numbers, so worksheets may use them
  std::vector<Step> steps;
};

/// A mistake in a lesson file.
struct LessonProblem {
  int line = 0;  ///< from 1
  std::string message;
  bool operator==(const LessonProblem&) const = default;
};

/// The result of reading a lesson file: what could be understood, and the mistakes.
struct LessonReading {
  Lesson lesson;
  std::vector<LessonProblem> problems;  ///< ordered by line; empty if the lesson can be played
};

/// The questions of a step, in order.
std::vector<const Question*> questions_of(const Step& step);

}  // namespace lab::lessons
