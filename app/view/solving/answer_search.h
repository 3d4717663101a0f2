#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/document/model/model_document.h"
#include "app/document/solving/free_choice.h"
#include "core/solve/answer_solver.h"

namespace lab::view {

/// A search for the smallest change with which the first of some numbers has another value and the
/// others keep theirs.
class AnswerSearch {
 public:
  virtual ~AnswerSearch() = default;

  /// Asks for another value; returns why it cannot be tried, if so.
  virtual std::optional<attention::SolveFault> want(float value) = 0;
  /// Takes a step. False when there is nothing left to do.
  virtual bool step() = 0;
  /// What has been found.
  virtual attention::Solution solution() = 0;
};

/// What to search for: made on the thread of the window, begun on another.
class AnswerTask {
 public:
  virtual ~AnswerTask() = default;

  /// Begins; returns why it cannot be tried, if so. The task must outlive the search.
  virtual tl::expected<std::unique_ptr<AnswerSearch>, attention::SolveFault> begin() const = 0;
  /// A fault as a sentence without a full stop. `value` is the one that was asked for.
  virtual std::string words(const attention::SolveFault& fault, float value) const = 0;
  /// The document to change, and what is free in it.
  virtual const Document& document() const = 0;
  /// What is free in document().
  virtual const FreeNumbers& numbers() const = 0;
};

/// For cells of the layer: the first of `targets`, which has a value, and others that are kept.
std::unique_ptr<AnswerTask> task_for_cells(const Document& document, FreeNumbers numbers,
                                           std::vector<attention::TargetCell> targets);
/// For logits of the trained model that the document is a layer of.
std::unique_ptr<AnswerTask> task_for_logits(const Document& document, FreeNumbers numbers,
                                            std::vector<attention::network::TargetAnswer> targets);

}  // namespace lab::view
