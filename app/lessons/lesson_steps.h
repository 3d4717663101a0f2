#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/lessons/lesson.h"
#include "core/network/attribution.h"

namespace lab::lessons {

/// The state of the window in a step, apart from the document.
struct StepView {
  std::optional<int> head;            ///< head to focus, from 0; unset: unchanged
  std::optional<StageCell> selected;  ///< selected cell; unset: unchanged
  std::vector<StageCell> pins;
  std::optional<StageCell> asked;  ///< "What moves this?" is asked about it, and stays so
  std::optional<attention::Stage> large;
  std::map<attention::Stage, files::ColourRange> ranges;  ///< of maps whose colours are fixed
  std::vector<std::string> highlights;                    ///< names of widgets
  std::set<std::string, std::less<>> hidden;              ///< names of panels
  std::set<Control> locked;
  std::optional<std::size_t> tiles;  ///< index into tile_views(): what those of a model show
  std::optional<attention::network::Answer> answer;  ///< of a model that is asked about; unset:
                                                     ///< the likeliest token
};

/// The document and the state of the window when a step begins.
struct StepStart {
  Document document;
  StepView view;
  std::vector<LessonProblem> notes =
      {};  ///< what directives detached (see detached_text()), with lines
};

/// Runs the directives of a step in order, starting from `before`, the document that the previous
/// step left. `folder` is the folder of the lesson file, where sessions are looked up. Fails with
/// the line of the directive that failed.
tl::expected<StepStart, LessonProblem> start_step(const Step& step, const Document& before,
                                                  const std::string& folder);

/// The document that a lesson starts from, before its first step opens anything: the first example.
/// Fails like files::open_document().
Expected<Document> initial_document();

}  // namespace lab::lessons
