#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/document.h"
#include "app/lessons/answers/answer.h"

namespace lab::lessons {

/// An answer that was judged, for the table of results.
struct AnswerRecord {
  std::chrono::system_clock::time_point time;
  std::size_t step = 0, question = 0;  ///< from 0
  std::string answer;
  Verdict verdict{};
  int hints = 0;  ///< shown before
};

/// What a student has done at one question.
struct QuestionProgress {
  AnswerInput input;
  int tries = 0, hints = 0;
  bool solved = false;
  bool judged = false;  ///< the answer was judged and not changed since
};

/// Everything that a student has done in a lesson, as it is kept for a crash. It is JSON:
///   { "type": "attention-lab lesson answers", "version": 1, "lesson": path, "title": …,
///     "step": 1, "questions": [ [ {"kind": …, "typed": …, …}, … ], … ],
///     "results": [ {"time": …, "step": 1, "question": 1, "answer": …, …}, … ],
///     "sessions": [ {"step": 1, "session": the text of a session}, … ] }
/// Steps and questions count from 1 there.
struct LessonProgress {
  std::string path;                                      ///< of the lesson's file
  std::string title;                                     ///< of the lesson
  std::size_t step_index = 0;                            ///< the current step, from 0
  std::vector<std::vector<QuestionProgress>> questions;  ///< by step
  std::vector<std::vector<QuestionType>> types;          ///< of the same questions
  std::vector<AnswerRecord> results;
  std::map<std::size_t, Document> documents;  ///< that the student changed, by step
  std::vector<std::string> notes = {};        ///< what could not be read of the documents
};

/// The number of questions with an answer of any type.
std::size_t answered_count(const LessonProgress& progress);

/// The progress as JSON.
std::string write_progress(const LessonProgress& progress);

/// Reads what write_progress wrote. Fails with kBadInput and the reason when it is something else.
Expected<LessonProgress> read_progress(std::string_view json);

}  // namespace lab::lessons
