#pragma once

#include <string>
#include <vector>

#include "app/cli/model/model_run.h"
#include "core/network/head_labels.h"

namespace lab::cli {

/// How much a head attends in known patterns.
struct LabelledHead {
  std::string name;  ///< "L1H0", "encoder.L1H0"
  attention::network::HeadScores scores;
};

/// The heads of each stack, layer by layer. Those of a decoder to its encoder attend to another
/// text, in which there are no such patterns.
struct LabelledHeads {
  std::vector<LabelledHead> heads;
  bool without_cross = false;  ///< the model has such heads
};

/// A head that attends in a pattern with less than this on average has no label.
inline constexpr float kLeastLabelled = 0.4f;

/// Measures the heads on random tokens that are repeated, which no text can make easy. Of what is
/// done to the heads only gains count. Fails with kIo when weights cannot be read.
Expected<LabelledHeads> labelled_heads(const files::ModelSession& session);

/// The pattern in which a head with these scores attends most: "previous token", "first token",
/// "duplicate token" or "induction"; empty when that is less than kLeastLabelled.
std::string label_of(const attention::network::HeadScores& scores);

/// The heads as a table.
std::string labels_text(const LabelledHeads& heads);
/// The heads as JSON.
std::string labels_json(const LabelledHeads& heads);

}  // namespace lab::cli
