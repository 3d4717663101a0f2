#pragma once

#include <memory>
#include <vector>

#include "app/document/analysis/model_pass.h"
#include "core/network/head_sweep.h"

namespace lab {

/// What heads are patched from: the model with its edited weights and gains on another text. The
/// decoder of a model with two stacks reads the same as in `document`. Fails as with_texts() does.
Expected<ModelDocument> patch_source(const ModelDocument& document, ModelText text);

/// How an answer changes when each head of each sublayer of a model is muted, or patched from
/// another text, in turn: the numbers of attention::network::knock_out_map() and patching_map(), a
/// group of heads at a time.
class AnswerSweep {
 public:
  /// What the passes refer to must outlive the sweep. `source`, unless null, is what heads are
  /// patched from. Throws as attention::network::HeadSweep does.
  AnswerSweep(const ModelPass& pass, const attention::network::Answer& answer,
              const ModelPass* source = nullptr);
  /// A sweep can be neither copied nor moved.
  AnswerSweep(const AnswerSweep&) = delete;
  AnswerSweep& operator=(const AnswerSweep&) = delete;

  /// True when the numbers of all heads are known.
  bool done() const;
  /// The share of the work that is done, from 0 to 1.
  double progress() const;
  /// Computes the next heads, see HeadSweep::step(). Precondition: not done().
  void step(attention::WorkWatch* watch = nullptr);
  /// A map for each sublayer that the model has; NaN where a number is not known yet.
  std::vector<HeadMap> maps() const;

 private:
  struct SublayerSweep {
    attention::network::Sublayer sublayer;
    std::unique_ptr<attention::network::HeadSweep> sweep;
  };

  attention::network::Tokens tokens_;
  std::vector<SublayerSweep> sweeps_;
};

}  // namespace lab
