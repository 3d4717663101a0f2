#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/view/state/ui.h"

// The selection, pins, visited cells, the summarised block and the cursor of the Edit card stand on
// words, and follow them when a sentence is edited.

namespace lab::view {

/// Begins with the words of `document`, which was just opened.
void begin_words(ViewState& state, const Document& document);

/// A step of the frame (main_view.cpp), before anything reads the selection: moves everything that
/// stands on words to where these are now. What stood on a word that was removed moves to the word
/// that took its place, and the selection returns with its word unless something else was selected
/// since; pins are detached until the word returns, and a block loses that part.
void follow_words(Ui& ui);

/// A step of the frame (main_view.cpp), before follow_words(): in another layer of a trained model,
/// other pins are shown; those of this one are kept for when it is shown again.
void follow_pinned_layer(Ui& ui);

/// Detaches pins whose cell does not exist now, and brings back those that exist again.
void sort_pins(Ui& ui);

/// Pins that are detached.
struct NamedDetachedPins {
  std::vector<std::string> names;  ///< "pin weights, head 1 · it, animal"
  std::vector<std::string> words;  ///< the words of these that were removed
};
/// Up to `most` pins that are detached, the newest first.
NamedDetachedPins named_detached_pins(const Ui& ui, std::size_t most);

}  // namespace lab::view
