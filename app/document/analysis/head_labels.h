#pragma once

#include <string>
#include <vector>

#include "app/document/model/layer_name.h"
#include "app/document/model/model_document.h"
#include "core/network/head_labels.h"

namespace lab {

/// How much a head attends in known patterns.
struct LabelledHead {
  HeadRef at;
  attention::network::HeadScores scores;
};

/// The heads of each stack, layer by layer: those of the only stack or the decoder, then those of
/// the encoder. Those of a decoder to its encoder attend to another text, in which there are no
/// such patterns.
struct LabelledHeads {
  std::vector<LabelledHead> heads;
  bool without_cross = false;  ///< the model has such heads
};

/// A head that attends in a pattern with less than this on average has no label.
inline constexpr float kLeastLabelled = 0.4f;

/// The pattern in which a head with these scores attends most: "previous token", "first token",
/// "duplicate token" or "induction", to be translated where it is shown; empty when that is less
/// than kLeastLabelled.
std::string label_of(const attention::network::HeadScores& scores);

/// Measures the heads of a model on random tokens that are repeated, which no text can make easy.
/// Of what is done to the heads only gains count, as overrides and patches are of another text.
class HeadLabelling {
 public:
  /// Prepares the texts. Throws std::system_error when the threads cannot be started.
  HeadLabelling(const ModelDocument& document, int threads);

  /// True when all texts were read.
  bool done() const { return texts_read_ == kTexts; }
  /// The share of the texts that were read, from 0 to 1.
  double progress() const { return static_cast<double>(texts_read_) / static_cast<double>(kTexts); }
  /// Reads the next text. Throws as NetworkEvaluator::evaluate() does; the step can then be
  /// repeated. Precondition: not done().
  void step(attention::WorkWatch* watch = nullptr);
  /// The heads on what was read so far.
  LabelledHeads heads() const;

 private:
  static constexpr std::uint64_t kTexts = 4;

  attention::network::Network network_;
  attention::network::Interventions gains_;
  attention::Index longest_;  // positions that the model knows, 0: any number
  attention::network::NetworkEvaluator evaluator_;
  attention::network::HeadScoreMeter meter_, encoder_meter_;
  std::uint64_t texts_read_ = 0;
};

/// All steps at once.
LabelledHeads labelled_heads(const ModelDocument& document, int threads);

}  // namespace lab
