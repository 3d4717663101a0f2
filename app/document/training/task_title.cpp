#include "app/document/training/task_title.h"

#include "app/translation/words.h"

namespace lab {

using attention::training::TaskKind;

std::string task_title(TaskKind kind) {
  switch (kind) {
    case TaskKind::kRepeat:
      return tr("Repeat what was said");
    case TaskKind::kPrevious:
      return tr("Name the letter before");
    case TaskKind::kBrackets:
      return tr("Close the bracket");
    case TaskKind::kCopy:
      return tr("Copy from a distance");
    case TaskKind::kSort:
      return tr("Sort the letters");
    case TaskKind::kText:
      return tr("Next word of a text");
  }
  return {};
}

std::string task_words(TaskKind kind) {
  switch (kind) {
    case TaskKind::kRepeat:
      return tr(
          "Letters come once and then again, with a period that changes: the second time "
          "they can be known");
    case TaskKind::kPrevious:
      return tr("After each letter, the one before it is to be named");
    case TaskKind::kBrackets:
      return tr("After each bracket, the one that closes the innermost open one is to be named");
    case TaskKind::kCopy:
      return tr("Each letter is the one that stood a fixed distance before");
    case TaskKind::kSort:
      return tr("Letters, and then the same letters in the order of the alphabet");
    case TaskKind::kText:
      return tr("The next word of a text that you type or open");
  }
  return {};
}

}  // namespace lab
