#pragma once

#include <gtest/gtest.h>

#include <string>

#include "app/lessons/model/live_evaluator.h"
#include "app/lessons/model/model_edits.h"
#include "app/tests/lessons/support.h"

namespace lab::samples {

/// A built-in model on a text, with its numbers.
class LiveModel : public LiveExpressions {
 public:
  LiveModel(const std::string& name, const std::string& text)
      : document_(open_lesson_model({name, text}).value()) {}

  Snapshot live() override { return evaluator_.evaluate(document_); }
  const Document& document() const { return document_; }
  /// Makes an edit as a lesson writes it, which must succeed.
  void edit(const std::string& line) {
    const auto changed = lessons::edited(document_, lessons::read_edit(line).value());
    ASSERT_TRUE(changed) << changed.error().message;
    document_ = *changed;
  }

 private:
  Document document_;
  LiveEvaluator evaluator_;
};

}  // namespace lab::samples
