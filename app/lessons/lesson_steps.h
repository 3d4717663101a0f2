#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/lessons/lesson.h"

namespace lab::lessons {

/// How the window stands in a step, apart from the document.
struct StepView {
  std::optional<int> head;            ///< to be focused, from 0; nothing: as it was
  std::optional<StageCell> selected;  ///< nothing: as it was
  std::vector<StageCell> pins;
  std::optional<attention::Stage> large;
  std::vector<std::string> highlights;        ///< names of widgets
  std::set<std::string, std::less<>> hidden;  ///< names of panels
  std::set<Control> locked;
};

/// How a step begins.
struct StepStart {
  Document document;
  StepView view;
};

/// Carries out the directives of a step, in order, on the document as the step before left it.
/// `folder` is where the lesson lies; sessions are looked for there. Fails with the line of the
/// directive that could not be carried out.
tl::expected<StepStart, LessonProblem> start_step(const Step& step, const Document& before,
                                                  const std::string& folder);

/// What a lesson begins with, before its first step opens anything: the first example. Fails as
/// open_document() does.
Expected<Document> lesson_beginning();

}  // namespace lab::lessons
