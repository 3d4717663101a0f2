#include "app/document/words/aside_cells.h"

#include "app/base/text_direction.h"
#include "app/base/wording.h"
#include "app/translation/words.h"

namespace lab {

std::string AsideCell::place(const WordLine* line, attention::Index at) {
  if (line == nullptr) return std::to_string(at);
  const PlacedWord& word = (*line)[at];
  std::string shown = isolated(token_label(word.token));
  if (word.gone) words.push_back(shown);
  return shown;
}

void add_cells(AsideNews& news, const AsideCells& cells, std::string_view one,
               std::string_view many) {
  if (cells.count == 0) return;
  std::vector<std::string> names, words;
  for (const AsideCell& cell : cells.named) {
    names.push_back(cell.name);
    words.insert(words.end(), cell.words.begin(), cell.words.end());
  }
  news.add(tr_count(one, many, static_cast<long>(cells.count)), cells.count, names, words);
}

}  // namespace lab
