#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "app/base/error.h"
#include "app/document/commands/batch_commands.h"
#include "app/document/model/detached_edits.h"
#include "app/document/model/model_text.h"
#include "core/network/interventions.h"

// Several texts that a model reads in turn: a batch (see batch/batch.h) over its weights.

namespace lab {

struct ModelDocument;

/// A text of a batch while another one is shown, with all that belongs to its tokens. Members are
/// those of ModelDocument.
struct WaitingText {
  ModelText text, decoder_text = {};
  std::vector<std::uint32_t> types = {};
  /// What is done to its numbers; no gains, which all texts share.
  attention::network::Interventions edits = {}, switched_off = {};
  DetachedEdits detached = {};
  bool operator==(const WaitingText&) const = default;
};

/// The texts of a batch. The one that is shown is in the document itself, and its place in the list
/// is null.
struct ModelBatch {
  std::vector<std::shared_ptr<const WaitingText>> texts = {};  ///< none: there is a single text
  std::size_t current = 0;                                     ///< from 0: the one that is shown
  /// Compares texts by identity.
  bool operator==(const ModelBatch&) const = default;
};

/// What of `document` waits while another text is shown.
WaitingText waiting_text(const ModelDocument& document);
/// `document` with that text instead of its own: gains, weights and the batch stay.
ModelDocument with_waiting_text(ModelDocument document, WaitingText shown);

/// True when both show the same place of as many texts.
bool shows_the_same_text(const ModelDocument& a, const ModelDocument& b);

/// The text after the present one, which is shown then; in a model with two stacks it is what the
/// encoder reads, and the decoder's begins anew. Fails as make_model_document() does, and beyond
/// kMostSentences.
Expected<ModelDocument> reduce(const ModelDocument& document, const AddSentence& command);
/// Without the text that is shown. Fails when it is the only one.
Expected<ModelDocument> reduce(const ModelDocument& document, const RemoveSentence& command);
/// Shows another text. What was done to the numbers of the present one waits with it, and returns
/// exactly as it was. Fails when there is no such text.
Expected<ModelDocument> reduce(const ModelDocument& document, const GoToSentence& command);
/// Always fails, see SetPadding.
Expected<ModelDocument> reduce(const ModelDocument& document, const SetPadding& command);

}  // namespace lab
