#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/lessons/lesson.h"

namespace lab::lessons {

/// What a student gave as an answer.
struct Given {
  std::vector<std::size_t> chosen;   ///< of the choices, in ascending order
  std::string typed;                 ///< a number, or words
  std::optional<StageCell> clicked;  ///< a cell
};

enum class Verdict {
  kRight,
  kWrong,
  kUnclear,   ///< no answer yet, or none that can be understood: no try is counted
  kUnchecked  ///< words, which nobody looks at
};

/// What is said to an answer.
struct Judgement {
  Verdict verdict = Verdict::kUnclear;
  std::string message;  ///< of the program's own, in plain words
  RichText words;       ///< of the lesson's author; empty: none
};

/// Judges an answer by the numbers as they are now. Fails with kBadInput when they cannot give one:
/// a word of the question is not in the sentence any more.
Expected<Judgement> judge(const Question& question, const Given& given, const Snapshot& live);

/// An answer that is right by the numbers as they are now; of a question of the kind kMake, which
/// is answered by an edit, an empty one. Fails as judge() does.
Expected<Given> right_answer(const Question& question, const Snapshot& live);

/// Answers that are wrong by them: at least one of the kinds that can be wrong at all.
Expected<std::vector<Given>> wrong_answers(const Question& question, const Snapshot& live);

/// How far a number may be from the answer: as the question says, else half a per cent of it, and
/// 0.005 at least, so that two places are enough.
double tolerance_of(const Question& question, double answer);

/// The number that a person typed: "0.52", "0,52", "52 %", "1/2", "− 3", "2,097,152"; nothing when
/// it is none. A single comma or point is a decimal one.
std::optional<double> typed_number(std::string_view text);
/// The numbers that it can be meant as: "1,024" is 1.024 and 1024. Empty when it is none.
std::vector<double> meant_numbers(std::string_view text);

/// The arithmetic that leads to the answer, a line each: the last hint. Empty when there is none,
/// as for words.
Expected<std::vector<std::string>> arithmetic_of(const Question& question, const Snapshot& live);

}  // namespace lab::lessons
