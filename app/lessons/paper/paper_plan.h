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
  std::size_t state = 0;  ///< see PaperPlan::state
};

/// The model between two changes of its numbers, and what is asked about it, in order.
struct PaperState {
  Document document;
  std::vector<const Question*> questions;
};

/// A lesson played in thought: what opens another model is opened, and an edit that answers a
/// question is made. It refers to the lesson, which must outlive it.
class PaperPlan {
 public:
  /// Throws BadInput with the line where a step cannot begin. `folder` is where the lesson lies.
  PaperPlan(const Lesson& lesson, const std::string& folder);

  /// The steps of the lesson, in order.
  const std::vector<PaperStep>& steps() const { return steps_; }
  /// A step begins with the numbers of its state; each of its edits leads to the next one.
  const PaperState& state(std::size_t i) const { return states_[i]; }

 private:
  void begin(const Document& document) { states_.push_back({document, {}}); }
  void add(const Question& question, Document& document);

  std::vector<PaperStep> steps_;
  std::vector<PaperState> states_;
};

}  // namespace lab::lessons
