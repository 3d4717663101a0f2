#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/words/detached_text.h"
#include "app/document/words/token_line.h"

// The cells that are detached by one edit, as its message names them.

namespace lab {

/// A message names this many of them.
inline constexpr std::size_t kMostNamedDetached = 3;

/// A cell that is detached: its name, and the removed tokens it stands on.
struct DetachedCell {
  std::string name;
  std::vector<std::string> words;

  /// The name of a row or column: that of its token, which is added to `words` if it was removed;
  /// the number when `line` is null.
  std::string index_name(const TokenLine* line, attention::Index at);
};

/// Cells, not all of which are named when they are very many.
struct DetachedCells {
  std::vector<DetachedCell> named;
  std::size_t count = 0;
};

/// The cells of `now` that `was` does not have, by their names: name_now(cell) and name_was(cell)
/// give a DetachedCell.
DetachedCells added_cells(const auto& now, const auto& was, auto&& name_now, auto&& name_was) {
  constexpr std::size_t kMostCompared = 10'000;
  DetachedCells fresh;
  if (now.size() > kMostCompared) {
    if (now.size() <= was.size()) return fresh;
    for (std::size_t i = 0; i <= kMostNamedDetached; ++i) fresh.named.push_back(name_now(now[i]));
    fresh.count = now.size() - was.size();
    return fresh;
  }
  std::map<std::string, int> known;
  for (const auto& cell : was) ++known[name_was(cell).name];
  for (const auto& cell : now) {
    DetachedCell named = name_now(cell);
    if (known[named.name]-- <= 0) fresh.named.push_back(std::move(named));
  }
  fresh.count = fresh.named.size();
  return fresh;
}

/// Adds cells of one kind to the report; `one` and `many` count them, "{} override".
void add_cells(DetachedReport& report, const DetachedCells& cells, std::string_view one,
               std::string_view many);

}  // namespace lab
