#include "app/document/words/detached_cells.h"

#include "app/base/text_direction.h"
#include "app/translation/words.h"

namespace lab {

std::string DetachedCell::index_name(const TokenLine* line, attention::Index at) {
  if (line == nullptr) return std::to_string(at);
  const LineToken& word = (*line)[at];
  std::string shown = isolated(token_label(word.token));
  if (word.removed) words.push_back(shown);
  return shown;
}

void add_cells(DetachedReport& report, const DetachedCells& cells, std::string_view one,
               std::string_view many) {
  if (cells.count == 0) return;
  std::vector<std::string> names, words;
  for (const DetachedCell& cell : cells.named) {
    names.push_back(cell.name);
    words.insert(words.end(), cell.words.begin(), cell.words.end());
  }
  report.add(tr_count(one, many, static_cast<long>(cells.count)), cells.count, names, words);
}

}  // namespace lab
