#pragma once

#include <optional>
#include <string>

#include "app/document/model/model_document.h"
#include "app/document/model/model_source.h"

// How long a text a model can read, and whether there is memory for what it computes of it.

namespace lab {

/// The most tokens that the model has positions for; 0: it has no table of them, and no limit.
/// Rotary positions of type longrope have one.
attention::Index most_tokens(const ModelSource& source);

/// The longest beginning of `text` with at most most_tokens() tokens; nothing when the model reads
/// all of it, or no beginning either. See encode_text() for `of_decoder`.
std::optional<std::string> readable_beginning(const ModelSource& source, const std::string& text,
                                              bool of_decoder = false);

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

/// The same for a text that goes on until it is that of the document, which needs less: see
/// attention::network::Continuation.
Expected<void> check_continuation_memory(const ModelDocument& document, int threads);

/// The same for a document that is shown: the window keeps its trace twice, and all stages of a
/// layer. `former` is the one that it replaces, whose memory becomes free; null: none.
Expected<void> check_shown_memory(const ModelDocument& document, const ModelDocument* former);

}  // namespace lab
