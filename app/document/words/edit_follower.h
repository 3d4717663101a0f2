#pragma once

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "app/document/words/detached.h"
#include "app/document/words/remapped_line.h"
#include "core/layer/stage_info.h"
#include "core/network/interventions.h"

namespace lab {

/// Says which of the two lines of tokens of a document the rows or columns of a stage along an axis
/// (queries or keys) stand for. Of a layer made by hand these are the sentence of the queries and
/// that of the keys; of a trained model, its text and the decoder's.
using IsOfSecondLine = std::function<bool(attention::network::Sublayer, attention::Axis)>;

/// Calls visit(sublayer, axis, index) for the row and the column of an edit where they stand for
/// tokens; `index` can be changed. A patch replaces all numbers and stands on none.
template <typename Visit>
void for_each_token(attention::Override& edit, attention::network::Sublayer sublayer,
                    Visit&& visit) {
  const attention::StageInfo& info = attention::stage_info(edit.stage);
  const auto visit_along = [&](attention::Axis axis, attention::Index& index) {
    if (axis == attention::Axis::kQueries || axis == attention::Axis::kKeys)
      visit(sublayer, axis, index);
  };
  visit_along(info.rows, edit.row);
  visit_along(info.cols, edit.col);
}
/// The same for an override of a layer made by hand, whose one attention counts as kSelf.
template <typename Visit>
void for_each_token(attention::Override& edit, Visit&& visit) {
  for_each_token(edit, attention::network::Sublayer::kSelf, visit);
}
/// The same for a cell of a model's layer, in its sublayer.
template <typename Visit>
void for_each_token(attention::network::CellOverride& edit, Visit&& visit) {
  for_each_token(edit.cell, edit.at.sublayer, visit);
}
/// The same for a row of the stream, which is a token; its column is a feature.
template <typename Visit>
void for_each_token(attention::network::StreamOverride& edit, Visit&& visit) {
  visit(edit.at.sublayer, attention::Axis::kQueries, edit.row);
}
/// Calls nothing: see above.
template <typename Visit>
void for_each_token(attention::network::HeadPatch&, Visit&&) {}

/// Moves edits of single numbers to where their tokens are after a change of the texts: for layers
/// made by hand and for trained models.
class EditFollower {
 public:
  /// Both lines must outlive it.
  EditFollower(const FollowedLine& first, const FollowedLine& second, IsOfSecondLine is_of_second)
      : lines_{RemappedLine(first), RemappedLine(second)}, is_of_second_(std::move(is_of_second)) {}

  /// The line of the queries' sentence, or of a model's text.
  RemappedLine& first() { return lines_.first; }
  /// The line of the keys' sentence, or of a model's second text, the decoder's.
  RemappedLine& second() { return lines_.second; }

  /// Moves the edits of `here`, which have an effect, and those of `waiting`, which are detached.
  /// Afterwards `here` has those whose cell exists, has(edit), and `detached` the others, on
  /// indices in the lines. Where two are on one cell, the one that had an effect stays there.
  template <typename Edit, typename Has>
  void remap(std::vector<Edit>& here, const std::vector<Edit>& waiting, std::vector<Edit>& detached,
             Has&& has) {
    std::vector<Edit> kept;
    std::set<decltype(cell_of(waiting.front()))> taken;
    const auto put = [&](const Edit& placed) {
      const Edit edit = mapped(placed, &RemappedLine::position);
      if (has(edit) && taken.insert(cell_of(edit)).second) return kept.push_back(edit);
      use_tokens_of(placed);
      detached.push_back(placed);
    };
    for (const Edit& edit : here) put(mapped(edit, &RemappedLine::of_token));
    for (const Edit& edit : waiting) put(mapped(edit, &RemappedLine::of_index));
    here = std::move(kept);
  }

  /// Gives detached edits their indices once RemappedLine::keep() has forgotten tokens.
  template <typename Edit>
  void renumber(std::vector<Edit>& detached) {
    for (Edit& edit : detached) edit = mapped(edit, &RemappedLine::renumbered);
  }

 private:
  using Mapping = attention::Index (RemappedLine::*)(attention::Index) const;

  // What no two edits may have in common.
  static auto cell_of(const attention::Override& edit) {
    return std::tuple(edit.stage, edit.head, edit.row, edit.col);
  }
  static auto cell_of(const attention::network::CellOverride& edit) {
    return std::tuple(edit.at.sublayer, edit.at.layer, cell_of(edit.cell));
  }
  static auto cell_of(const attention::network::StreamOverride& edit) {
    return std::tuple(edit.at.sublayer, edit.at.layer, edit.row, edit.col);
  }
  static auto cell_of(const attention::network::HeadPatch& patch) {
    return std::tuple(patch.at.sublayer, patch.at.layer, patch.head, patch.stage);
  }

  RemappedLine& line_of(attention::network::Sublayer sublayer, attention::Axis axis) {
    return is_of_second_(sublayer, axis) ? lines_.second : lines_.first;
  }

  template <typename Edit>
  Edit mapped(Edit edit, Mapping index) {
    for_each_token(edit, [&](auto sublayer, auto axis, attention::Index& at) {
      at = (line_of(sublayer, axis).*index)(at);
    });
    return edit;
  }

  template <typename Edit>
  void use_tokens_of(Edit placed) {
    for_each_token(placed, [&](auto sublayer, auto axis, attention::Index at) {
      line_of(sublayer, axis).use(at);
    });
  }

  std::pair<RemappedLine, RemappedLine> lines_;
  IsOfSecondLine is_of_second_;
};

}  // namespace lab
