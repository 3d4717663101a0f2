#pragma once

#include <span>
#include <vector>

#include "app/view/toolkit/rect.h"
#include "core/layer/trace.h"

namespace lab::view {

/// The rectangle of a stage's card.
struct StageBounds {
  attention::Stage stage;
  Rect rect;
};

/// The rectangles of the parts of the window.
struct WindowLayout {
  Rect top_bar, sentence, status;
  Rect left, centre, right;  ///< columns; right is empty in a narrow window
  bool folded = false;       ///< the right column shares the place of the left one, as tabs
  bool single = false;       ///< the centre shares it, too: there is only room for one column
};

/// The smallest height for the window's parts, in points; a lower window scrolls as a whole.
inline constexpr float kLeastHeight = 380;

/// Lays out a window of that size; `scale` turns points into pixels. `cross`: there are two
/// sentences. `chat`: the pixels by which a conversation is higher than a sentence.
WindowLayout window_layout(float width, float height, float scale, bool cross = false,
                           float chat = 0);

/// The cards of the centre from its top left corner: heads first, then the stages in reading order.
struct CentreLayout {
  Rect heads;
  std::vector<StageBounds> stages;
  float height = 0;  ///< in total; larger than the centre when it must scroll
};

/// True when the window has a card for `stage`: the nine stages of plain attention, and those that
/// positions, masks, dropout, the residual, the layer norm or an override activate.
bool has_card(const attention::Problem& problem, attention::Stage stage);

/// The stages that have cards, in reading order.
std::vector<attention::Stage> shown_stages(const attention::Problem& problem);

/// Lays out the centre with a card for each of `stages`, which are in reading order. `head_rows`:
/// the number of rows of thumbnails in the heads' card, which shows up to two at once. 0: there is
/// no such card.
CentreLayout centre_layout(const Rect& centre, float scale,
                           std::span<const attention::Stage> stages, int head_rows = 1);

}  // namespace lab::view
