#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/document/listed_edits.h"
#include "app/document/model/layer_name.h"
#include "app/view/state/words_state.h"
#include "core/network/attribution.h"

namespace lab::view {

/// What the tiles of all heads of a trained model show.
enum class TileView {
  kAttention,    ///< a small map of the weights
  kEffect,       ///< what the answer loses without the head
  kWritten,      ///< what the head writes to the answer directly
  kPrevious,     ///< attention to the token before
  kInduction,    ///< to what followed an equal token
  kDuplicate,    ///< to an equal token
  kFirst,        ///< to the first token
  kEntropy,      ///< of the weights
  kPatched,      ///< what the answer becomes with the head's output in A
  kReadOut,      ///< no heads: what would be read out after each layer, at every token
  kSensitivity,  ///< the derivative of the answer, or of what is asked about, by the head's gain
};

/// What files and lessons call it: "attention", "effect", …, "patched", "read-out", "moves".
std::string_view tile_view_id(TileView view);
/// The view that is called so; nothing when none is.
std::optional<TileView> tile_view_from_id(std::string_view id);

/// The edits of a state of a model, which is null when they are those of a layer made by hand.
struct EditList {
  std::shared_ptr<const ModelDocument> of;
  std::vector<ListedEdit> edits;
};

/// How the model goes on with the text, as the popup of the next token has it; kept from one
/// document to the next.
struct GoOnState {
  float temperature = 0.8f;
  int top_k = 0;
  float top_p = 0.95f;
  std::uint64_t seed = 0;
  int count = 20;
};

/// How a trained model is shown.
struct ModelState {
  TileView tiles = TileView::kAttention;
  bool sorted = false;  ///< heads of a layer by the number shown, the largest first
  float zoom = 1;       ///< of the tiles
  float scrolled = 0;   ///< pixels by which they were scrolled in the last frame
  /// Unset: the likeliest token of the model without edits.
  std::optional<attention::network::Answer> answer;
  std::vector<std::uint32_t> pinned;                 ///< tokens that Next token always shows
  std::string watched;                               ///< what was typed to find a token to pin
  std::shared_ptr<const std::string> explored;       ///< a longer text that heads are explored over
  std::string explored_name;                         ///< where it comes from
  EditList edits;                                    ///< as they were listed last
  std::optional<std::string> adapter_text;           ///< the adapter's gain while it is being typed
  std::shared_ptr<const ModelDocument> read;         ///< shown in the last frame
  attention::Index rows = 0;                         ///< that can predict, in the last frame
  attention::Index tokens = 0;                       ///< of the text in the last frame
  bool at_end = false;                               ///< its last token was selected then
  std::optional<attention::network::LayerId> go_to;  ///< as a view that is shown wants it
  attention::network::LayerId pins_at;               ///< the layer that Inspection::pins belong to
  std::vector<LayerPin> other_pins;                  ///< of the layers that are not shown
  std::map<attention::network::Sublayer, WordsState> other_words;  ///< of those stacks
  attention::Index read_out_at = 0;              ///< the token that the read-out scrolled to
  std::optional<attention::Index> tile_in_view;  ///< the layer that the tiles were scrolled to
};

/// The arrays of another program that the document was made from, as far as the window deals with
/// that program; what they are is in Workspace::arrays.
struct ArraysState {
  std::optional<int> requested_layer;  ///< that the user chose, from 0; the shell gets it
  std::optional<int> waiting_for;      ///< the layer that the program was asked for
  std::string problem;                 ///< why a layer cannot be shown; empty: nothing is wrong
  bool connected = false;              ///< the program is still there
};

/// Arrays that a program goes on showing although the user left them for another document.
struct ArraysOffer {
  std::string program, name;
};

}  // namespace lab::view
