#pragma once

#include "app/document/background_evaluator.h"
#include "app/document/snapshot.h"

namespace lab::lessons {

/// Computes the numbers that a lesson refers to, of documents made by hand and of layers of trained
/// models; after an edit only what depends on it.
class LiveEvaluator {
 public:
  /// The document with its numbers. That of a layer of a trained model has the X that the layers
  /// before it give, and comes with the forward pass of the whole model. Throws
  /// std::invalid_argument when the model cannot read its text.
  Snapshot evaluate(const Document& document) {
    const lab::Evaluation done = evaluator_.run(document);
    return {done.completed ? *done.completed : document, evaluator_.trace(), done.network};
  }

 private:
  BackgroundEvaluator evaluator_{1};
};

}  // namespace lab::lessons
