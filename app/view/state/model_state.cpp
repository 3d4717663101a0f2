#include "app/view/state/model_state.h"

#include <array>

#include "app/base/names.h"

namespace lab::view {
namespace {

constexpr std::array<std::string_view, 11> kTileViewIds{
    "attention", "effect",  "written", "previous", "induction", "duplicate",
    "first",     "entropy", "patched", "read-out", "moves"};

}  // namespace

std::string_view tile_view_id(TileView view) { return name_of_id(kTileViewIds, view); }

std::optional<TileView> tile_view_from_id(std::string_view id) {
  return id_from_name<TileView>(kTileViewIds, id);
}

}  // namespace lab::view
