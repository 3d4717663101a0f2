#include "app/document/training/task_title.h"

#include "app/translation/words.h"

namespace lab {

using attention::training::TaskType;

std::string task_title(TaskType type) {
  switch (type) {
    case TaskType::kRepeat:
      return tr("Repeat what was said");
    case TaskType::kPrevious:
      return tr("Name the letter before");
    case TaskType::kBrackets:
      return tr("Close the bracket");
    case TaskType::kCopy:
      return tr("Copy from a distance");
    case TaskType::kSort:
      return tr("Sort the letters");
    case TaskType::kText:
      return tr("Next word of a text");
  }
  return {};
}

std::string task_words(TaskType type) {
  switch (type) {
    case TaskType::kRepeat:
      return tr(
          "Letters come once and then again, with a period that changes: the second time "
          "they can be known");
    case TaskType::kPrevious:
      return tr("After each letter, the one before it is to be named");
    case TaskType::kBrackets:
      return tr("After each bracket, the one that closes the innermost open one is to be named");
    case TaskType::kCopy:
      return tr("Each letter is the one that stood a fixed distance before");
    case TaskType::kSort:
      return tr("Letters, and then the same letters in the order of the alphabet");
    case TaskType::kText:
      return tr("The next word of a text that you type or open");
  }
  return {};
}

}  // namespace lab
