#include "app/lessons/paper/paper_plan.h"

#include <utility>

#include "app/base/bad_input.h"

namespace lab::lessons {

PaperPlan::PaperPlan(const Lesson& lesson, const std::string& folder) {
  Document document = value_or_bad_input(initial_document());
  begin(document);
  for (const Step& step : lesson.steps) {
    auto start = start_step(step, document, folder);
    if (!start)
      throw BadInput("line " + std::to_string(start.error().line) + ": " + start.error().message);
    if (!same_document(start->document, document)) begin(start->document);
    document = std::move(start->document);
    steps_.push_back({&step, std::move(start->view), states_.size() - 1});
    for (const Question* question : questions_of(step)) add(*question, document);
  }
}

void PaperPlan::add(const Question& question, Document& document) {
  if (question.type != QuestionType::kMake) return states_.back().questions.push_back(&question);
  for (const ModelCommand& edit : question.solution)
    document = value_or_bad_input(edited(document, edit));
  begin(document);
}

}  // namespace lab::lessons
