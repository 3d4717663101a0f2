#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "app/document/history/history.h"

namespace lab {

struct Work;

/// Edits of a layer that is not shown.
struct LayerEdits {
  History history;
  std::string path = {};                 ///< see Work
  bool saves_there = true;               ///< see Work
  std::size_t saved = 0;                 ///< see Work
  std::shared_ptr<const Document> base;  ///< the layer as it was given when it was left
};

/// What a document was made from, when another program shows its arrays: one layer of them.
struct ShownArrays {
  std::string name;     ///< what the other program calls them
  std::string program;  ///< that program, for people: "Python"
  int layers = 1;
  int layer = 0;                         ///< the one that is shown, from 0
  std::shared_ptr<const Document> base;  ///< that layer as it was given last, without edits
  int updates = 0;                       ///< how often it was given since it was opened
  std::string lost;  ///< edits that the last update had no place for, one sentence; empty: none
  /// The edits of other layers, by layer.
  std::map<int, std::shared_ptr<const LayerEdits>> others = {};

  /// True when another layer has edits that are not saved.
  bool other_layer_has_unsaved_steps() const;
};

/// Gives `work` the new numbers `arrays`, under every state of its history; its edits stay as
/// Rebase says. Returns false when they have other sizes. Does nothing, and returns true, when the
/// work was made from other arrays or shows another layer.
bool update_arrays(Work& work, const ShownArrays& arrays);

/// Shows `layer` of the arrays that `work` was made from, as it was edited before; its numbers are
/// those of `base`. The edits of the layer before are kept in ShownArrays::others. Precondition:
/// work.arrays.
void show_array_layer(Work& work, int layer, std::shared_ptr<const Document> base);

}  // namespace lab
