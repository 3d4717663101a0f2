#pragma once

#include "app/files/model/config_reader.h"
#include "app/files/model/description.h"

// What the families around Llama have in common, for the files that describe them.

namespace lab::files {

/// The defaults in which they differ.
struct LlamaDefaults {
  attention::Index vocabulary, d_model, d_mlp, n_layers, n_heads;
  attention::Index n_kv_heads;  ///< 0: as many as heads
  attention::Index head_dim;    ///< 0: d_model / n_heads
  attention::Index positions;
};

/// The member that holds the epsilon of norms, and its default.
struct Epsilon {
  const char* name = "rms_norm_eps";
  double value = 1e-6;
};

/// Sizes, RMS norms, a gate, SiLU, no biases. Windows and rotary positions are set afterwards.
/// Throws BadInput, with the member's name, as do those below.
void describe_llama_like(const ConfigReader& config, Description& description,
                         const LlamaDefaults& defaults, const Epsilon& epsilon = {});

/// attention_bias, of all four maps.
void read_attention_bias(const ConfigReader& config, Description& description);

/// The window of sliding layers; 0 where there is none.
attention::Index read_window(const ConfigReader& config);

/// A cap of scores or logits: `default_value` where the member `name` is missing, 0 (none) where it
/// is null.
float read_cap(const ConfigReader& config, const char* name, double default_value);

/// The number of experts, in the member `count_name`, and num_experts_per_tok of them, which are
/// `count` and `chosen` where they are missing.
void read_experts(const ConfigReader& config, const char* count_name, attention::Index count,
                  attention::Index chosen, Description& description);

}  // namespace lab::files
