#pragma once

#include <vector>

#include "core/network/head_labels.h"
#include "core/network/network.h"
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

/// How much of what a head reads is what an earlier head writes: ‖A B‖ / (‖A‖ ‖B‖) with Frobenius
/// norms, where A = W_V W_O is what the earlier head writes and B what the later one reads it by
/// (Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits"): 0 … 1, small for
/// matrices at random. The factors of the norm before the later head count to what it reads.
struct Composition {
  float query = 0;  ///< by its queries: B = W_Q W_Kᵀ
  float key = 0;    ///< by its keys: B = W_K W_Qᵀ
  float value = 0;  ///< by its values: B = W_V W_O

  bool operator==(const Composition&) const = default;
};

/// A head of a stack, both from 0.
struct HeadId {
  Index layer = 0, head = 0;
  bool operator==(const HeadId&) const = default;
};

/// The composition of `later` with `earlier`. Precondition: both exist, `later` in a later layer.
Composition composition(const network::Network& network, const HeadId& earlier,
                        const HeadId& later);

/// A head of an earlier layer and how a later one composes with it.
struct ComposedHead {
  HeadId head;
  Composition composition;
};
/// The heads of earlier layers that `later` composes with, layer by layer; empty in layer 0.
std::vector<ComposedHead> compositions(const network::Network& network, const HeadId& later);

}  // namespace attention::training
