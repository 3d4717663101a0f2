#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

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
  std::string name;    ///< the last part of that
  attention::network::Network network;
  std::shared_ptr<const tokenizer::Tokenizer> tokenizer;  ///< null without a tokenizer.json
  bool causal = true;                                     ///< the only stack, or the decoder, is
  bool reads_types = false;                               ///< tokens have types (BERT)
  std::optional<std::uint32_t> decoder_start;             ///< the first token of a decoder
  attention::Index max_positions = 0;                     ///< that it was trained for; 0: not known
  std::optional<TrainingPosition> training;               ///< unset: it is not trained here
};

}  // namespace lab
