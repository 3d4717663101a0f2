#pragma once

#include <string>
#include <vector>

#include "app/lessons/lesson.h"
#include "app/lessons/lesson_steps.h"

namespace lab::lessons {

/// A step of a lesson on paper.
struct PaperStep {
  const Step* step = nullptr;
  StepView view;
  std::size_t state = 0;  ///< index in PaperPlan::states()
};

/// The model between two changes of its numbers, with the questions about it in order.
struct PaperState {
  Document document;
  std::vector<const Question*> questions;
};

/// A dry run of a lesson: opens the models that it opens and makes the edits that answer its
/// questions. Refers to the lesson, which must outlive it.
class PaperPlan {
 public:
  /// Throws BadInput with the line if a step cannot begin. `folder` is the folder of the lesson
  /// file.
  PaperPlan(const Lesson& lesson, const std::string& folder);

  /// The steps in order.
  const std::vector<PaperStep>& steps() const { return steps_; }
  /// The states in order. A step begins in its state; each edit in it leads to the next.
  const std::vector<PaperState>& states() const { return states_; }

 private:
  void begin(const Document& document) { states_.push_back({document, {}}); }
  void add(const Question& question, Document& document);

  std::vector<PaperStep> steps_;
  std::vector<PaperState> states_;
};

}  // namespace lab::lessons
