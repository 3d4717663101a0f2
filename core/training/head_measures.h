#pragma once

#include <vector>

#include "core/network/head_labels.h"
#include "core/training/task.h"

namespace attention::training {

/// What a head attends to, on average over examples; each from 0 to 1.
struct HeadMeasures {
  network::HeadScores scores;  ///< previous, first, duplicate, induction: see HeadScores
  float self = 0;              ///< the token itself, over the rows from 1 on
  float entropy = 0;           ///< mean over the rows from 1 on of entropy ÷ ln(keys that the row
                               ///< sees): 0 one key, 1 all the same

  bool operator==(const HeadMeasures&) const = default;
};

/// Those of each head of `network`, layer by layer.
std::vector<HeadMeasures> measure_heads(const network::Network& network,
                                        const std::vector<Example>& examples);

}  // namespace attention::training
