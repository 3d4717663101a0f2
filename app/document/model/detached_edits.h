#pragma once

#include <vector>

#include "app/document/words/detached.h"
#include "core/network/interventions.h"

namespace lab {

/// What is done to cells of a model that its texts do not have at present, mostly because a token
/// was removed; it returns with the token. Rows and columns that stand for tokens are indices in
/// the line of their text (see words/token_line.h), in which every removed token has its own.
struct DetachedEdits {
  attention::network::Interventions edits = {};         ///< of those that have an effect; no gains
  attention::network::Interventions switched_off = {};  ///< of those that are switched off
  std::vector<RemovedToken> tokens = {};                ///< of ModelDocument::text
  std::vector<RemovedToken> decoder_tokens = {};        ///< of ModelDocument::decoder_text

  /// True when nothing is detached. Removed tokens to which nothing belongs are not kept.
  bool empty() const { return edits == Nothing{} && switched_off == Nothing{}; }
  bool operator==(const DetachedEdits&) const = default;

 private:
  using Nothing = attention::network::Interventions;
};

}  // namespace lab
