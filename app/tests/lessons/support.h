#pragma once

#include <string>
#include <vector>

#include "app/document/commands/command.h"
#include "app/lessons/lesson.h"
#include "app/tests/rooms.h"
#include "core/layer/evaluator.h"

namespace lab::samples {

/// What expressions come to by the numbers of a document.
class LiveExpressions {
 public:
  LiveExpressions() = default;
  LiveExpressions(const LiveExpressions&) = delete;
  LiveExpressions& operator=(const LiveExpressions&) = delete;
  virtual ~LiveExpressions() = default;

  virtual Snapshot live() = 0;

  /// What the expression comes to; a test failure where it comes to nothing.
  double number(const std::string& text);
  bool truth(const std::string& text);
  std::string text(const std::string& text);
  CellValue cell(const std::string& text);
  /// Why the expression cannot be read or evaluated; a test failure where it can.
  std::string error(const std::string& text);

 private:
  Value value(const std::string& text);
};

/// A document with its numbers.
class LiveDocument : public LiveExpressions {
 public:
  /// The built-in example of that name.
  explicit LiveDocument(const std::string& example);

  Snapshot live() override { return {document_, evaluator_.evaluate(document_.problem)}; }
  const Document& document() const { return document_; }
  /// Executes a command, which must succeed.
  void apply(const Command& command);

 private:
  Document document_;
  attention::Evaluator evaluator_;
};

/// Front matter of a lesson, 6 lines.
inline const std::string kFront = "---\ntitle: T\ngoal: G\nminutes: 5\nlevel: L\n---\n";

/// The lesson of that text, which must be without problems.
Lesson lesson_of(const std::string& text);

/// "line: message" of every problem.
std::vector<std::string> texts_of(const std::vector<LessonProblem>& problems);

}  // namespace lab::samples
