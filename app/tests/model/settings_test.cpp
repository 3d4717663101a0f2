#include <nlohmann/json.hpp>

#include "app/tests/model/support.h"

// The goldens tell every setting from a similar one: with another value in its config.json a model
// no longer agrees.

namespace lab {
namespace {

using nlohmann::json;

struct Setting {
  const char* model;
  const char* file;    // config.json or config.v4.json
  const char* member;  // as a JSON pointer
  json other;
};

constexpr const char* kNow = "config.json";
constexpr const char* kThen = "config.v4.json";

const Setting kSettings[] = {
    {"gpt2", kNow, "/activation_function", "gelu"},
    {"gpt2", kNow, "/layer_norm_epsilon", 1e-3},
    {"gpt2", kNow, "/scale_attn_weights", false},
    {"gpt2-scaled-by-layer", kNow, "/scale_attn_by_inverse_layer_idx", false},
    {"gpt-neo", kNow, "/window_size", 6},
    {"gpt-neo", kNow, "/attention_layers", {"local", "global"}},
    {"gpt-neox", kNow, "/use_parallel_residual", false},
    {"gpt-neox", kNow, "/rope_parameters/rope_theta", 52.0},
    {"gpt-neox", kNow, "/rope_parameters/partial_rotary_factor", 0.5},
    {"gpt-neox-serial", kNow, "/use_parallel_residual", true},
    {"gpt-neox-serial", kThen, "/rotary_pct", 0.25},
    {"gpt-neox-serial", kThen, "/rotary_emb_base", 310.0},
    {"opt", kNow, "/do_layer_norm_before", false},
    {"opt", kNow, "/activation_function", "gelu"},
    {"llama", kNow, "/hidden_act", "gelu"},
    {"llama", kNow, "/rms_norm_eps", 1e-3},
    {"llama", kThen, "/rope_theta", 11000.0},
    {"llama-llama3", kNow, "/rope_parameters/factor", 4.5},
    {"llama-llama3", kNow, "/rope_parameters/low_freq_factor", 1.2},
    {"llama-llama3", kNow, "/rope_parameters/high_freq_factor", 3.5},
    {"llama-llama3", kNow, "/rope_parameters/original_max_position_embeddings", 70},
    {"llama-llama3", kThen, "/rope_scaling/factor", 4.5},
    {"llama-linear", kNow, "/rope_parameters/factor", 3.1},
    {"llama-linear", kThen, "/rope_scaling/factor", 3.1},
    {"llama-yarn", kNow, "/rope_parameters/factor", 4.5},
    {"llama-yarn", kNow, "/rope_parameters/beta_fast", 4.0},
    {"llama-yarn", kNow, "/rope_parameters/beta_slow", 2.0},
    {"llama-yarn", kNow, "/rope_parameters/attention_factor", 1.0},
    {"llama-yarn", kNow, "/rope_parameters/original_max_position_embeddings", 30},
    {"llama-yarn", kThen, "/rope_scaling/factor", 4.5},
    {"mistral", kNow, "/sliding_window", 7},
    {"qwen2-window", kNow, "/sliding_window", 8},
    {"qwen2-window", kNow, "/layer_types/0", "sliding_attention"},
    {"qwen2-window", kThen, "/max_window_layers", 0},
    {"qwen2-window", kThen, "/use_sliding_window", false},
    {"gemma2", kNow, "/query_pre_attn_scalar", 21},
    {"gemma2", kNow, "/attn_logit_softcapping", 3.1},
    {"gemma2", kNow, "/final_logit_softcapping", 2.6},
    {"gemma2", kNow, "/sliding_window", 7},
    {"gemma2", kNow, "/layer_types", {"full_attention", "sliding_attention"}},
    {"gemma2", kNow, "/hidden_activation", "gelu"},
    {"gemma2", kThen, "/sliding_window", 7},
    {"gemma3", kNow, "/rope_parameters/full_attention/rope_theta", 1000.0},
    {"gemma3", kNow, "/rope_parameters/full_attention/factor", 2.2},
    {"gemma3", kNow, "/rope_parameters/sliding_attention/rope_theta", 70.0},
    {"gemma3", kThen, "/rope_theta", 1000.0},
    {"gemma3", kThen, "/rope_scaling/factor", 2.2},
    {"gemma3", kThen, "/rope_local_base_freq", 70.0},
    {"gemma3", kThen, "/sliding_window_pattern", 3},
    {"bert", kNow, "/hidden_act", "gelu_new"},
    {"bert", kNow, "/layer_norm_eps", 1e-3},
    {"roberta", kNow, "/pad_token_id", 2},
    {"distilbert", kNow, "/activation", "relu"},
    {"bart", kNow, "/scale_embedding", true},
    {"marian", kNow, "/scale_embedding", false},
    {"marian", kNow, "/activation_function", "gelu"},
    {"t5", kNow, "/relative_attention_max_distance", 20},
    {"t5", kNow, "/scale_decoder_outputs", false},
    {"t5-gated", kNow, "/scale_decoder_outputs", true},
    {"t5-gated", kThen, "/tie_word_embeddings", true},
    {"t5-gated", kNow, "/layer_norm_epsilon", 1e-3},
};

// The largest error of all tensors, in parts of what is allowed.
double disagreement(const Model& model, const TensorFile& golden) {
  double most = 0;
  for (const std::string length : {"9", "60"}) {
    const TensorFile answer = computed(model, tokens_of(golden, length + "."));
    for (const Tensor& found : answer.tensors) {
      if (found.name.ends_with("input_ids")) continue;
      const double error = relative_error(found, *golden.find(length + "." + found.name));
      most = std::max(most, error / allowed_error(found.name));
    }
  }
  return most;
}

TEST(Settings, EachOneCounts) {
  for (const Setting& setting : kSettings) {
    SCOPED_TRACE(std::string(setting.model) + " " + setting.member);
    const TemporaryFolder folder;
    copy_model(setting.model, folder);
    json config = json::parse(text_of_file(golden_path(setting.model, setting.file)));
    config[json::json_pointer(setting.member)] = setting.other;
    folder.write("config.json", config.dump());
    const Model model = opened_model(folder.path().string());
    EXPECT_GT(disagreement(model, golden_tensors(setting.model, "golden.safetensors")), 10);
  }
}

}  // namespace
}  // namespace lab
