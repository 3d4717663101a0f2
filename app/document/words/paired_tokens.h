#pragma once

#include <vector>

#include "app/document/document.h"
#include "core/layer/stage_info.h"

namespace lab {

/// Which tokens the sentences of two documents, A and B, share: those that the shortest edit script
/// from A to B keeps (see shortest_edit), and of the others those that both have at different
/// places, in their order. A token is only in one of them when the other has it less often.
struct PairedTokens {
  /// For each query and each key of B the position of the same token in A, −1 where only B has it.
  std::vector<attention::Index> queries, keys;
  bool equal = true;  ///< both have the same tokens at the same positions

  /// Where A has what stands at `at` in B: the same token, or the same position where `axis` does
  /// not stand for tokens. −1 where only B has the token.
  attention::Index in_a(attention::Axis axis, attention::Index at) const;
  /// The same from A to B; −1 where only A has the token.
  attention::Index in_b(attention::Axis axis, attention::Index at) const;
  /// True when some position of that axis is in both.
  bool share(attention::Axis axis) const;
};

/// Pairs the tokens of both sentences.
PairedTokens paired_tokens(const Document& a, const Document& b);

/// `a`, a stage of A, by the rows and columns of `b`, the same stage of B: the number of the same
/// tokens, and that of B where A lacks a token, so that the difference there is 0. [rows × cols of
/// b]. Precondition: axes that do not stand for tokens are equally long in both.
attention::Matrix aligned_to_b(const PairedTokens& words, attention::Stage stage,
                               const attention::Matrix& a, const attention::Matrix& b);

}  // namespace lab
