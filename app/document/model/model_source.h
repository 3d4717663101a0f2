#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/chat/template.h"
#include "app/tokenizer/tokenizer.h"
#include "core/network/network.h"
#include "core/training/training_state.h"

namespace lab {

class TrainingRun;

/// The step of a run of training that a model is at.
struct TrainingPosition {
  std::shared_ptr<TrainingRun> run;  ///< never null
  int branch = 0;
  attention::training::SharedState state;  ///< never null
};

/// A trained model as it was saved, which all documents of it share.
struct ModelSource {
  /// Without weights, name or tokenizer.
  ModelSource() = default;
  /// The copy shares the weights and the tokenizer.
  ModelSource(const ModelSource&) = default;
  /// What was moved from can only be destroyed or assigned to.
  ModelSource(ModelSource&&) = default;
  ModelSource& operator=(const ModelSource&) = default;
  ModelSource& operator=(ModelSource&&) = default;
  virtual ~ModelSource() = default;

  std::string folder;  ///< its path
  std::string name;    ///< what it is called: the last part of that, or what its store calls it
  attention::network::Network network;
  std::string adapter;  ///< the folder of the LoRA adapter that it was opened with; empty: none
  std::shared_ptr<const tokenizer::Tokenizer> tokenizer;  ///< null without a tokenizer.json
  /// For the texts that a decoder reads after an encoder, where they are cut in another way; its
  /// ids are those of the other.
  std::shared_ptr<const tokenizer::Tokenizer> target_tokenizer;
  /// Makes the texts of conversations; null: there is none, or it cannot be read.
  std::shared_ptr<const chat::Template> chat_template;
  std::string chat_problem;                    ///< why a chat template cannot be read
  bool causal = true;                          ///< the only stack, or the decoder, is
  bool reads_types = false;                    ///< tokens have types (BERT)
  std::optional<std::uint32_t> decoder_start;  ///< the first token of a decoder
  attention::Index max_positions = 0;          ///< that it was trained for; 0: not known
  std::optional<TrainingPosition> training;    ///< unset: it is not trained here

  /// The tokenizer of a text; null without one.
  const std::shared_ptr<const tokenizer::Tokenizer>& tokenizer_of(bool of_decoder) const {
    return of_decoder && target_tokenizer ? target_tokenizer : tokenizer;
  }
};

}  // namespace lab
