#include "app/lessons/model/live_evaluator.h"

namespace lab::lessons {

Snapshot LiveEvaluator::evaluate(const Document& document) {
  const lab::Evaluation done = evaluator_.run(document);
  return {done.completed ? *done.completed : document, evaluator_.trace(), done.network};
}

}  // namespace lab::lessons
