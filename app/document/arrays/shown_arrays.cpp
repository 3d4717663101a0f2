#include "app/document/arrays/shown_arrays.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "app/document/arrays/rebase.h"
#include "app/document/workspace.h"

namespace lab {
namespace {

// A History::state_id that no state has.
constexpr std::size_t kNotSaved = static_cast<std::size_t>(-1);

// Makes the edits of edits.base the same ones of `now`. A file that holds them has the old
// numbers.
void rebase_edits(LayerEdits& edits, const std::shared_ptr<const Document>& now) {
  Rebase rebase(*edits.base, *now);
  edits.history.rebase(std::ref(rebase));
  if (!edits.path.empty()) edits.saved = kNotSaved;
  edits.base = now;
}

LayerEdits edits_of(const Work& work) {
  return {work.history, work.path, work.saves_there, work.saved, work.arrays->base};
}

void resume_edits(Work& work, LayerEdits edits) {
  work.history = std::move(edits.history);
  work.path = std::move(edits.path);
  work.saves_there = edits.saves_there;
  work.saved = edits.saved;
  work.saved_too.clear();
}

bool is_worth_keeping(const LayerEdits& edits) {
  return edits.history.can_undo() || edits.history.can_redo() || !edits.path.empty();
}

}  // namespace

bool ShownArrays::other_layer_has_unsaved_steps() const {
  return std::ranges::any_of(others, [](const auto& other) {
    return other.second->history.state_id() != other.second->saved;
  });
}

bool update_arrays(Work& work, const ShownArrays& arrays) {
  if (!work.arrays || work.arrays->name != arrays.name || work.arrays->layer != arrays.layer)
    return true;
  const Document& before = *work.arrays->base;
  ShownArrays updated = arrays;
  updated.base = std::make_shared<const Document>(sharing_matrices(*arrays.base, before));
  updated.others = work.arrays->others;
  updated.updates = work.arrays->updates + 1;
  updated.lost = Rebase(before, *updated.base).lost(work.history.committed());
  const bool same = Rebase(before, *updated.base).same_sizes();
  LayerEdits edits = edits_of(work);
  rebase_edits(edits, updated.base);
  resume_edits(work, std::move(edits));
  work.arrays = std::make_shared<const ShownArrays>(std::move(updated));
  return same;
}

void show_array_layer(Work& work, int layer, std::shared_ptr<const Document> base) {
  work.history.cancel();
  ShownArrays shown = *work.arrays;
  LayerEdits left = edits_of(work);
  LayerEdits next{History(*base), {}, true, 0, base};
  if (const auto found = shown.others.find(layer); found != shown.others.end()) {
    next = *found->second;
    if (next.base != base) rebase_edits(next, base);
    shown.others.erase(found);
  }
  if (is_worth_keeping(left))
    shown.others[shown.layer] = std::make_shared<const LayerEdits>(std::move(left));
  resume_edits(work, std::move(next));
  shown.layer = layer;
  shown.base = std::move(base);
  shown.lost.clear();
  work.arrays = std::make_shared<const ShownArrays>(std::move(shown));
}

}  // namespace lab
