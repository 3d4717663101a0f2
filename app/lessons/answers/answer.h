#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson.h"

namespace lab::lessons {

/// A student's answer to a question.
struct AnswerInput {
  std::vector<std::size_t> chosen;   ///< indices of the choices, ascending
  std::string typed;                 ///< a number, name or text
  std::optional<StageCell> clicked;  ///< the cell of a map
  bool operator==(const AnswerInput&) const = default;
};

/// The result of judging an answer.
enum class Verdict {
  kRight,
  kWrong,
  kUnclear,   ///< missing or unreadable; not counted as a try
  kUnchecked  ///< text, which is not checked
};

/// The name of a verdict in a table of answers: "right", "wrong", "unclear" or "not checked".
std::string_view verdict_name(Verdict verdict);
/// The verdict with this name, or nothing.
std::optional<Verdict> verdict_from_name(std::string_view name);

/// The verdict on an answer, with feedback.
struct Judgement {
  Verdict verdict = Verdict::kUnclear;
  std::string message;  ///< the program's feedback
  RichText feedback;    ///< the author's feedback; may be empty
};

/// Judges an answer by the current numbers. Fails with kBadInput if the question can no longer be
/// answered, for example because a token it refers to is not in the sentence any more.
Expected<Judgement> judge(const Question& question, const AnswerInput& input, const Snapshot& live);

/// A correct answer by the current numbers; empty for the type kMake, which is answered by an edit.
/// Fails like judge().
Expected<AnswerInput> right_answer(const Question& question, const Snapshot& live);

/// Wrong answers by the current numbers; at least one for each type that can be answered wrongly.
/// Fails like judge().
Expected<std::vector<AnswerInput>> wrong_answers(const Question& question, const Snapshot& live);

/// The largest accepted distance of a number from the answer: the question's tolerance, else
/// half a per cent of the answer but at least 0.005, so that two decimals are enough.
double tolerance_of(const Question& question, double answer);

/// The arithmetic that leads to the answer, one string per line; it is shown as the last hint.
/// Empty if there is none, as for text questions. Fails like judge().
Expected<std::vector<std::string>> arithmetic_of(const Question& question, const Snapshot& live);

/// The names that are right answers to a question of the type kName: of a token, "mat", or of a
/// head, "L1H3". Throws BadInput if an answer is not a name.
std::vector<std::string> right_names(const Question& question, const Snapshot& live);

/// True when a student who typed `typed` means `name`: upper and lower case, quotes and the mark of
/// the blank before a token make no difference.
bool means_name(std::string_view typed, std::string_view name);

/// The correct number as a student may write it: with as many decimals as the question's tolerance
/// distinguishes, at least four.
std::string answer_number(const Question& question, double value);

}  // namespace lab::lessons
