#pragma once

#include "app/document/model/model_document.h"

// Whether there is memory for what a model computes of a text.

namespace lab {

/// What is made of a forward pass besides its trace.
struct PassUse {
  bool stages = false;       ///< all stages of one layer
  int copies = 0;            ///< how many times all its numbers are kept again, with all logits
  bool attribution = false;  ///< one layer is computed again; a rollout and its text
};

/// Fails with kBadInput, saying how much memory is needed, how much there is and what to do, when
/// a forward pass of the document on `threads` threads, and what is made of it, need more than is
/// available.
Expected<void> check_pass_memory(const ModelDocument& document, int threads, PassUse use = {});

/// The same for a document that is shown: the window keeps its trace twice, and all stages of a
/// layer. `former` is the one that it replaces, whose memory becomes free; null: none.
Expected<void> check_shown_memory(const ModelDocument& document, const ModelDocument* former);

}  // namespace lab
