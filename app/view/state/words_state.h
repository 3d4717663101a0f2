#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/document/document.h"
#include "app/document/words/dropped_numbers.h"
#include "app/document/words/token_line.h"
#include "app/view/state/selection.h"
#include "core/explain/explain.h"
#include "core/network/interventions.h"

namespace lab::view {

/// A pinned cell of a layer of a trained model; of the only layer made by hand, `at` is the first.
struct LayerPin {
  attention::network::LayerId at;
  attention::CellRef cell;
  bool operator==(const LayerPin&) const = default;
};

/// A selection whose word was removed. It is forgotten as soon as something else is selected.
struct DetachedSelection {
  attention::Index query = -1, key = -1;  ///< indices in the lines of words; −1: that word is there
  Selection instead;                      ///< what is selected until the word returns
};

/// The words that the view was last drawn with, by which what stands on words follows them, and the
/// pins and the selection of words that were removed.
struct WordsState {
  TokenLine queries, keys;
  /// Pins whose cell does not exist now. Rows and columns that stand for words are indices in those
  /// lines.
  std::vector<LayerPin> pins;
  DetachedSelection selected;
};

/// The message about what was detached or dropped, which stays until it is answered or the next
/// edit.
struct DetachedMessage {
  std::string text;                ///< empty: nothing to say
  std::string short_text;          ///< the same for a narrow window
  std::optional<Document> before;  ///< the document before that edit
  std::size_t state_before = 0;    ///< its History::state_id
  std::size_t pins_before = 0;     ///< the number of pins that were detached then
  DroppedNumbers dropped;          ///< by the edits since then
  std::optional<Document> now;     ///< the document that `text` is about
  std::size_t state = 0;           ///< its History::state_id
  std::size_t pins = 0;            ///< the number of pins that are detached
};

}  // namespace lab::view
