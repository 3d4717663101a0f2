#include "app/view/lesson/model_step.h"

#include "app/lessons/lesson_parts.h"

namespace lab::view {

void show_model_step(ModelState& model, const lessons::StepView& view) {
  const std::string_view tiles = lessons::tile_views()[view.tiles.value_or(0)];
  model.tiles = tile_view_from_id(tiles).value_or(TileView::kAttention);
  model.answer = view.answer;
}

}  // namespace lab::view
