#include "app/view/lesson/model_step.h"

#include <array>

namespace lab::view {
namespace {

// In the order of lessons::tile_views().
constexpr std::array kLessonTiles{TileView::kAttention, TileView::kEffect,    TileView::kWritten,
                                  TileView::kPrevious,  TileView::kInduction, TileView::kDuplicate,
                                  TileView::kFirst,     TileView::kEntropy};

}  // namespace

void show_model_step(ModelState& model, const lessons::StepView& view) {
  model.tiles = kLessonTiles.at(view.tiles.value_or(0));
  model.answer = view.answer;
}

}  // namespace lab::view
