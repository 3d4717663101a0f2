#pragma once

#include <optional>
#include <string>

#include "app/view/maps/model_heads.h"

namespace lab::view {

/// One number for each head of a sublayer, as tiles show it.
struct TileNumbers {
  attention::Matrix values;  ///< [layers × heads], NaN: not known (yet); empty: none
  figure::Range range;       ///< of their colours
  bool is_signed = false;    ///< coloured around 0
  std::string error;         ///< why there are none
  double progress = 1;       ///< share that is known
};

/// True when what is shown has such numbers: kPatched needs a state A on a text of as many tokens,
/// kReadOut a model that predicts, at the stack that it reads out.
bool can_show(const Ui& ui, TileView view);
/// The view that the user chose, or the attention where that cannot be shown.
TileView shown_tile_view(const Ui& ui);

/// What the buttons of the card call these views, in their order: tr_later().
const char* tile_view_name(TileView view);
/// What that view tells, in a sentence.
std::string tile_view_meaning(TileView view);

/// Asks for the numbers of `view`, and returns what is known of them. Nothing for kAttention.
std::optional<TileNumbers> tile_numbers(Ui& ui, TileView view);

}  // namespace lab::view
