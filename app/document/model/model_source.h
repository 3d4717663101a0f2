#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/document/training/training_position.h"
#include "app/tokenizer/tokenizer.h"
#include "core/network/network.h"

namespace lab {

/// A trained model as it was saved, which all documents of it share.
struct ModelSource {
  ModelSource() = default;
  ModelSource(const ModelSource&) = default;
  ModelSource(ModelSource&&) = default;
  ModelSource& operator=(const ModelSource&) = default;
  ModelSource& operator=(ModelSource&&) = default;
  virtual ~ModelSource() = default;

  std::string folder;  ///< its path
  std::string name;    ///< what it is called: the last part of that, or what its store calls it
  attention::network::Network network;
  std::shared_ptr<const tokenizer::Tokenizer> tokenizer;  ///< null without a tokenizer.json
  bool causal = true;                                     ///< the only stack, or the decoder, is
  bool reads_types = false;                               ///< tokens have types (BERT)
  std::optional<std::uint32_t> decoder_start;             ///< the first token of a decoder
  attention::Index max_positions = 0;                     ///< that it was trained for; 0: not known
  std::optional<TrainingPosition> training;               ///< unset: it is not trained here
};

}  // namespace lab
