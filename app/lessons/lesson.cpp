#include "app/lessons/lesson.h"

#include <array>

#include "app/base/names.h"

namespace lab::lessons {
namespace {

constexpr std::array<std::string_view, 6> kTypes{"choice", "number", "name",
                                                 "cell",   "make",   "text"};

}  // namespace

std::string_view question_type_name(QuestionType type) { return name_of_id(kTypes, type); }

std::optional<QuestionType> question_type_from_name(std::string_view name) {
  return id_from_name<QuestionType>(kTypes, name);
}

std::vector<const Question*> questions_of(const Step& step) {
  std::vector<const Question*> questions;
  for (const auto& item : step.items)
    if (const auto* question = std::get_if<Question>(&item)) questions.push_back(question);
  return questions;
}

}  // namespace lab::lessons
