#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/document/model/detached_edits.h"
#include "app/document/model/model_batch.h"
#include "app/document/model/model_source.h"
#include "core/network/interventions.h"
#include "core/network/network_evaluator.h"

namespace lab {

/// What the user is working on when it is a trained model: a plain value. Matrices are shared
/// between copies and with the model, so a copy in a history costs only what changed.
struct ModelDocument {
  std::shared_ptr<const ModelSource> source;  ///< never null
  ModelText text;                             ///< what the only stack, or the encoder, reads
  ModelText decoder_text;                     ///< what a decoder reads after an encoder
  std::vector<std::uint32_t> types = {};      ///< of the tokens of `text`; empty: all 0
  attention::network::Network network;        ///< that of the source with edited weights
  attention::network::Interventions interventions = {};
  DetachedEdits detached = {};  ///< what is done to cells that these texts do not have
  /// What the user switched off for now, see with_switched().
  attention::network::Interventions switched_off = {};
  /// The source's network with those edits of weights that are switched off; unset: none are.
  std::optional<attention::network::Network> weights_off = {};
  std::optional<attention::network::LayerId> layer = {};  ///< the one that is shown
  ModelBatch batch = {};                                  ///< other texts over the same weights
  float adapter_gain = 1;  ///< multiplies what the source's adapter adds to weights, if it has one
  /// The source's network with that gain; null: it is 1.
  std::shared_ptr<const attention::network::Network> adapted = nullptr;
};

/// The network that edits of weights are counted from: that of the source, with the document's gain
/// of its adapter.
const attention::network::Network& unedited_network(const ModelDocument& document);

/// The tokens of a text that the model reads. What a decoder reads after an encoder begins with the
/// model's first token and has no others that a tokenizer adds: it is continued at its end. Fails
/// with kBadInput when there is no tokenizer, and as it fails.
Expected<tokenizer::Encoding> encode_text(const ModelSource& source, const std::string& text,
                                          bool of_decoder);

/// The same of a conversation as well, in which the chat template writes all special tokens.
Expected<tokenizer::Encoding> encode_text(const ModelSource& source, const ModelText& text,
                                          bool of_decoder);

/// A model that reads a text, or ids where they are given, without any edits. A decoder that gets
/// neither begins with the model's first token. Fails with kBadInput when there is no
/// tokenizer for a text, no token, or a second text for a single stack.
Expected<ModelDocument> make_model_document(std::shared_ptr<const ModelSource> source,
                                            ModelText text, ModelText decoder_text = {});

/// The document with other texts: edits of weights and gains stay, and what is done to single
/// numbers follows its tokens, see remap_edits(). Fails as make_model_document() does.
Expected<ModelDocument> with_texts(const ModelDocument& document, ModelText text,
                                   ModelText decoder_text);

/// The same model on the texts that are shown, without anything that was done to it and without the
/// other texts of its batch.
ModelDocument without_edits(const ModelDocument& document);

/// True when both are the same model and show the same texts, whatever is done to it and whatever
/// other texts wait.
bool reads_the_same(const ModelDocument& a, const ModelDocument& b);

/// True when anything is done to the model on the texts that are shown: to its heads, numbers or
/// weights.
bool is_edited(const ModelDocument& document);

/// What the forward pass reads.
attention::network::Tokens tokens_of(const ModelDocument& document);

/// Number of overrides and patches.
std::size_t cell_edit_count(const attention::network::Interventions& interventions);

}  // namespace lab
