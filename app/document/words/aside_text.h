#pragma once

#include <string>

#include "app/document/document.h"

namespace lab {

/// What an edit set aside.
struct AsideNews {
  std::string words;  ///< the words that are gone: “cat”, “sat”
  std::string cells;  ///< what belongs to them, the first few cells by name
  std::string count;  ///< the same in numbers: 1 override, 3 mask cells
  /// True when nothing was set aside.
  bool empty() const { return count.empty(); }
};

/// What `after` has set aside and `before` has not.
AsideNews aside_news(const Document& before, const Document& after);

/// The news in two sentences, the second of which says how to get it back; empty when there are
/// none.
std::string aside_text(const AsideNews& news);
/// The news as a short note beside the name of the step; empty when there are none.
std::string aside_note(const AsideNews& news);

}  // namespace lab
