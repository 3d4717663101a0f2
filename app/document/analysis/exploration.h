#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/model/layer_name.h"
#include "app/document/model/model_document.h"
#include "core/network/head_labels.h"

namespace lab {

/// Longest text that is explored, in bytes.
inline constexpr std::size_t kLongestExplored = std::size_t{1} << 20U;

/// What to look for in a longer text.
struct ExplorationRequest {
  std::shared_ptr<const std::string> text;  ///< UTF-8, at most kLongestExplored
  std::optional<HeadRef> head;   ///< of the only stack or the decoder, or the encoder; unset:
                                 ///< all of these
  attention::Index piece = 128;  ///< tokens that the model reads at a time, if it can
  attention::Index pairs = 20;   ///< strongest pairs that are kept of each head
  bool operator==(const ExplorationRequest&) const = default;
};

/// A place in a text where a head attends strongly.
struct AttendedPair {
  attention::Index query = 0, key = 0;  ///< positions in Exploration::ids
  float weight = 0;
};

/// What a head attends to in a text.
struct ExploredHead {
  HeadRef at;
  attention::network::HeadScores scores;  ///< mean over the rows of all pieces
  /// The strongest first, of equal ones that which is earlier in the text. Of pairs of the same two
  /// tokens only the strongest is here. Left out are pairs with the first token of a piece, where
  /// heads rest that find nothing, and with tokens that are not of the text, such as [CLS].
  std::vector<AttendedPair> pairs;
};

/// What heads attend to in a text, or in the part of it that was read so far.
struct Exploration {
  std::shared_ptr<const std::vector<std::uint32_t>> ids;  ///< of the tokens of the whole text
  attention::Index read = 0;                              ///< number of them that were read
  std::vector<ExploredHead> heads;                        ///< layer by layer
};

/// The label of each of the tokens around a position, such as that of a query or a key: `before`
/// and `after` more where the text has them, the one at the position in ⟨…⟩.
std::string context_of(const ModelSource& model, const std::vector<std::uint32_t>& ids,
                       attention::Index position, attention::Index before, attention::Index after);

}  // namespace lab
