#include "app/files/model/tensor_names.h"

// One table for each family, as transformers names its tensors; the ties are its
// _tied_weights_keys.

namespace lab::files {

const ModelNames kGpt2Names = {
    .prefixes = {"transformer.", ""},
    .stack = {.tokens = "wte",
              .positions = "wpe",
              .layer = "h.{}.",
              .attention = {.fused = "attn.c_attn",
                            .output = "attn.c_proj",
                            .norms = {.before = "ln_1"}},
              .up = "mlp.c_fc",
              .down = "mlp.c_proj",
              .mlp_norms = {.before = "ln_2"},
              .final_norm = "ln_f"},
    .read_out = {.tokens = "lm_head"},
    .ties = {{{"lm_head.weight", "*wte.weight"}}},
    .stored_in_out = true,
};

const ModelNames kGptNeoNames = {
    .prefixes = {"transformer.", ""},
    .stack = {.tokens = "wte",
              .positions = "wpe",
              .layer = "h.{}.",
              .attention = {.query = "attn.attention.q_proj",
                            .key = "attn.attention.k_proj",
                            .value = "attn.attention.v_proj",
                            .output = "attn.attention.out_proj",
                            .norms = {.before = "ln_1"}},
              .up = "mlp.c_fc",
              .down = "mlp.c_proj",
              .mlp_norms = {.before = "ln_2"},
              .final_norm = "ln_f"},
    .read_out = {.tokens = "lm_head"},
    .ties = {{{"lm_head.weight", "*wte.weight"}}},
};

const ModelNames kGptNeoxNames = {
    .prefixes = {"gpt_neox.", ""},
    .stack = {.tokens = "embed_in",
              .layer = "layers.{}.",
              .attention = {.fused = "attention.query_key_value",
                            .output = "attention.dense",
                            .norms = {.before = "input_layernorm"}},
              .up = "mlp.dense_h_to_4h",
              .down = "mlp.dense_4h_to_h",
              .mlp_norms = {.before = "post_attention_layernorm"},
              .final_norm = "final_layer_norm"},
    .read_out = {.tokens = "embed_out"},
    .ties = {{{"embed_out.weight", "*embed_in.weight"}}},
};

const ModelNames kOptNames = {
    .prefixes = {"model.decoder.", "decoder."},
    .stack = {.tokens = "embed_tokens",
              .positions = "embed_positions",
              .embedding_projection = "project_in",
              .layer = "layers.{}.",
              .attention = {.query = "self_attn.q_proj",
                            .key = "self_attn.k_proj",
                            .value = "self_attn.v_proj",
                            .output = "self_attn.out_proj",
                            .norms = {.before = "self_attn_layer_norm",
                                      .after = "self_attn_layer_norm"}},
              .up = "fc1",
              .down = "fc2",
              .mlp_norms = {.before = "final_layer_norm", .after = "final_layer_norm"},
              .final_norm = "final_layer_norm"},
    .read_out = {.projection = "project_out", .tokens = "lm_head"},
    .ties = {{{"lm_head.weight", "*embed_tokens.weight"}}},
};

const ModelNames kLlamaNames = {
    .prefixes = {"model.", ""},
    .stack = {.tokens = "embed_tokens",
              .layer = "layers.{}.",
              .attention = {.query = "self_attn.q_proj",
                            .key = "self_attn.k_proj",
                            .value = "self_attn.v_proj",
                            .output = "self_attn.o_proj",
                            .query_norm = "self_attn.q_norm",
                            .key_norm = "self_attn.k_norm",
                            .norms = {.before = "input_layernorm"}},
              .gate = "mlp.gate_proj",
              .up = "mlp.up_proj",
              .down = "mlp.down_proj",
              .mlp_norms = {.before = "post_attention_layernorm"},
              .final_norm = "norm"},
    .read_out = {.tokens = "lm_head"},
    .ties = {{{"lm_head.weight", "*embed_tokens.weight"}}},
};

namespace {

// The names of another family, with what differs in the stack.
ModelNames changed(ModelNames names, void (*change)(StackNames&)) {
  change(names.stack);
  return names;
}

ModelNames with_experts(const ExpertNames& experts) {
  ModelNames names = kLlamaNames;
  names.stack.experts = experts;
  return names;
}

// An MLP of two maps.
void set_plain_mlp(StackNames& stack, const char* up, const char* down) {
  stack.gate = nullptr;
  stack.up = up;
  stack.down = down;
}

// Gate and up in one.
void set_gate_up(StackNames& stack, const char* gate_up, const char* down) {
  stack.gate = stack.up = nullptr;
  stack.gate_up = gate_up;
  stack.down = down;
}

}  // namespace

const ModelNames kGemmaNames = changed(kLlamaNames, [](StackNames& stack) {
  stack.attention.norms.branch = "post_attention_layernorm";
  stack.mlp_norms = {.before = "pre_feedforward_layernorm", .branch = "post_feedforward_layernorm"};
});

const ModelNames kMixtralNames = with_experts({.router = "block_sparse_moe.gate",
                                               .gate = "block_sparse_moe.experts.{}.w1",
                                               .up = "block_sparse_moe.experts.{}.w3",
                                               .down = "block_sparse_moe.experts.{}.w2"});

const ModelNames kQwenMoeNames = with_experts({.router = "mlp.gate",
                                               .gate = "mlp.experts.{}.gate_proj",
                                               .up = "mlp.experts.{}.up_proj",
                                               .down = "mlp.experts.{}.down_proj",
                                               .shared_gate = "mlp.shared_expert_gate",
                                               .shared_mlp_gate = "mlp.shared_expert.gate_proj",
                                               .shared_up = "mlp.shared_expert.up_proj",
                                               .shared_down = "mlp.shared_expert.down_proj"});

const ModelNames kGlm4MoeNames = with_experts({.router = "mlp.gate",
                                               .correction = "mlp.gate.e_score_correction_bias",
                                               .gate = "mlp.experts.{}.gate_proj",
                                               .up = "mlp.experts.{}.up_proj",
                                               .down = "mlp.experts.{}.down_proj",
                                               .shared_mlp_gate = "mlp.shared_experts.gate_proj",
                                               .shared_up = "mlp.shared_experts.up_proj",
                                               .shared_down = "mlp.shared_experts.down_proj"});

const ModelNames kGptOssNames =
    changed(with_experts({.router = "mlp.router",
                          .gate_up = "mlp.experts.gate_up_proj.{}",
                          .gate = "mlp.experts.gate_proj.{}",
                          .up = "mlp.experts.up_proj.{}",
                          .down = "mlp.experts.down_proj.{}"}),
            [](StackNames& stack) { stack.attention.sinks = "self_attn.sinks"; });

const ModelNames kDeepseekNames = changed(kGlm4MoeNames, [](StackNames& stack) {
  stack.attention = {.query = "self_attn.q_proj",
                     .output = "self_attn.o_proj",
                     .latent = {.query_down = "self_attn.q_a_proj",
                                .query_norm = "self_attn.q_a_layernorm",
                                .query_up = "self_attn.q_b_proj",
                                .key_value_down = "self_attn.kv_a_proj_with_mqa",
                                .key_value_norm = "self_attn.kv_a_layernorm",
                                .key_value_up = "self_attn.kv_b_proj",
                                .key_up = "self_attn.k_b_proj",
                                .value_up = "self_attn.v_b_proj"},
                     .norms = {.before = "input_layernorm"}};
});

const ModelNames kGlm4Names = changed(kLlamaNames, [](StackNames& stack) {
  stack.attention.norms.branch = "post_self_attn_layernorm";
  set_gate_up(stack, "mlp.gate_up_proj", "mlp.down_proj");
  stack.mlp_norms.branch = "post_mlp_layernorm";
});

const ModelNames kGptjNames = {
    .prefixes = {"transformer.", ""},
    .stack = {.tokens = "wte",
              .layer = "h.{}.",
              .attention = {.query = "attn.q_proj",
                            .key = "attn.k_proj",
                            .value = "attn.v_proj",
                            .output = "attn.out_proj",
                            .norms = {.before = "ln_1"}},
              .up = "mlp.fc_in",
              .down = "mlp.fc_out",
              .final_norm = "ln_f"},
    .read_out = {.tokens = "lm_head", .bias = "lm_head.bias"},
    .ties = {{{"lm_head.weight", "*wte.weight"}}},
};

const ModelNames kBioGptNames = {
    .prefixes = {"biogpt.", ""},
    .stack = {.tokens = "embed_tokens",
              .positions = "embed_positions",
              .layer = "layers.{}.",
              .attention = {.query = "self_attn.q_proj",
                            .key = "self_attn.k_proj",
                            .value = "self_attn.v_proj",
                            .output = "self_attn.out_proj",
                            .norms = {.before = "self_attn_layer_norm"}},
              .up = "fc1",
              .down = "fc2",
              .mlp_norms = {.before = "final_layer_norm"},
              .final_norm = "layer_norm"},
    .read_out = {.tokens = "output_projection"},
    .ties = {{{"output_projection.weight", "*embed_tokens.weight"}}},
};

const ModelNames kPhiNames = {
    .prefixes = {"model.", ""},
    .stack = {.tokens = "embed_tokens",
              .layer = "layers.{}.",
              .attention = {.query = "self_attn.q_proj",
                            .key = "self_attn.k_proj",
                            .value = "self_attn.v_proj",
                            .output = "self_attn.dense",
                            .query_norm = "self_attn.q_layernorm",
                            .key_norm = "self_attn.k_layernorm",
                            .norms = {.before = "input_layernorm"}},
              .up = "mlp.fc1",
              .down = "mlp.fc2",
              .final_norm = "final_layernorm"},
    .read_out = {.tokens = "lm_head", .bias = "lm_head.bias"},
    .ties = {{{"lm_head.weight", "*embed_tokens.weight"}}},
};

const ModelNames kPhi3Names = changed(kLlamaNames, [](StackNames& stack) {
  stack.attention = {.fused = "self_attn.qkv_proj",
                     .output = "self_attn.o_proj",
                     .norms = {.before = "input_layernorm"}};
  set_gate_up(stack, "mlp.gate_up_proj", "mlp.down_proj");
});

const ModelNames kStarcoder2Names =
    changed(kLlamaNames, [](StackNames& stack) { set_plain_mlp(stack, "mlp.c_fc", "mlp.c_proj"); });

const ModelNames kCodegenNames = changed(kGptjNames, [](StackNames& stack) {
  stack.attention = {
      .fused = "attn.qkv_proj", .output = "attn.out_proj", .norms = {.before = "ln_1"}};
});

namespace {

// BLOOM and Falcon, by what the norms before attention and before the MLP are called.
ModelNames bloom_names(const char* attention_norm, const char* mlp_norm) {
  return {
      .prefixes = {"transformer.", ""},
      .stack = {.tokens = "word_embeddings",
                .embedding_norm = "word_embeddings_layernorm",
                .layer = "h.{}.",
                .attention = {.fused = "self_attention.query_key_value",
                              .output = "self_attention.dense",
                              .norms = {.before = attention_norm}},
                .up = "mlp.dense_h_to_4h",
                .down = "mlp.dense_4h_to_h",
                .mlp_norms = {.before = mlp_norm},
                .final_norm = "ln_f"},
      .read_out = {.tokens = "lm_head"},
      .ties = {{{"lm_head.weight", "*word_embeddings.weight"}}},
  };
}

}  // namespace

const ModelNames kBloomNames = bloom_names("input_layernorm", "post_attention_layernorm");
const ModelNames kFalconNames = bloom_names("input_layernorm", nullptr);
const ModelNames kFalconTwoNormNames = bloom_names("ln_attn", "ln_mlp");

// Also of OLMo 2 and 3.
const ModelNames kExaone4Names = changed(kLlamaNames, [](StackNames& stack) {
  stack.attention.norms = {.branch = "post_attention_layernorm"};
  stack.mlp_norms = {.branch = "post_feedforward_layernorm"};
});

const ModelNames kNemotronNames = changed(
    kLlamaNames, [](StackNames& stack) { set_plain_mlp(stack, "mlp.up_proj", "mlp.down_proj"); });

const ModelNames kNanochatNames = changed(kLlamaNames, [](StackNames& stack) {
  stack.embedding_norm = "norm";
  set_plain_mlp(stack, "mlp.fc1", "mlp.fc2");
});

const ModelNames kBertNames = {
    .prefixes = {"bert.", ""},
    .stack = {.tokens = "embeddings.word_embeddings",
              .positions = "embeddings.position_embeddings",
              .types = "embeddings.token_type_embeddings",
              .embedding_norm = "embeddings.LayerNorm",
              .layer = "encoder.layer.{}.",
              .attention = {.query = "attention.self.query",
                            .key = "attention.self.key",
                            .value = "attention.self.value",
                            .output = "attention.output.dense",
                            .norms = {.after = "attention.output.LayerNorm"}},
              .up = "intermediate.dense",
              .down = "output.dense",
              .mlp_norms = {.after = "output.LayerNorm"}},
    .read_out = {.transform = "cls.predictions.transform.dense",
                 .norm = "cls.predictions.transform.LayerNorm",
                 .tokens = "cls.predictions.decoder",
                 .bias = "cls.predictions.decoder.bias"},
    .ties = {{{"cls.predictions.decoder.weight", "*embeddings.word_embeddings.weight"},
              {"cls.predictions.decoder.bias", "cls.predictions.bias"}}},
};

const ModelNames kRobertaNames = {
    .prefixes = {"roberta.", ""},
    .stack = kBertNames.stack,
    .read_out = {.transform = "lm_head.dense",
                 .norm = "lm_head.layer_norm",
                 .tokens = "lm_head.decoder",
                 .bias = "lm_head.decoder.bias"},
    .ties = {{{"lm_head.decoder.weight", "*embeddings.word_embeddings.weight"},
              {"lm_head.decoder.bias", "lm_head.bias"}}},
};

namespace {

constexpr StackNames with_projection(StackNames stack, const char* rotary_table = nullptr) {
  stack.embedding_projection = "embeddings_project";
  stack.rotary_table = rotary_table;
  return stack;
}

}  // namespace

const ModelNames kElectraNames = {
    .prefixes = {"electra.", ""},
    .stack = with_projection(kBertNames.stack),
    .read_out = {.transform = "generator_predictions.dense",
                 .norm = "generator_predictions.LayerNorm",
                 .tokens = "generator_lm_head",
                 .bias = "generator_lm_head.bias"},
    .ties = {{{"generator_lm_head.weight", "*embeddings.word_embeddings.weight"}}},
};

const ModelNames kRoformerNames = {
    .prefixes = {"roformer.", ""},
    .stack = with_projection(kBertNames.stack, "encoder.embed_positions"),
    .read_out = kBertNames.read_out,
    .ties = kBertNames.ties,
};

const ModelNames kAlbertNames = {
    .prefixes = {"albert.", ""},
    .stack = {.tokens = "embeddings.word_embeddings",
              .positions = "embeddings.position_embeddings",
              .types = "embeddings.token_type_embeddings",
              .embedding_norm = "embeddings.LayerNorm",
              .embedding_projection = "encoder.embedding_hidden_mapping_in",
              .layer = "encoder.albert_layer_groups.{}.",
              .attention = {.query = "attention.query",
                            .key = "attention.key",
                            .value = "attention.value",
                            .output = "attention.dense",
                            .norms = {.after = "attention.LayerNorm"}},
              .up = "ffn",
              .down = "ffn_output",
              .mlp_norms = {.after = "full_layer_layer_norm"}},
    .read_out = {.transform = "predictions.dense",
                 .norm = "predictions.LayerNorm",
                 .tokens = "predictions.decoder",
                 .bias = "predictions.decoder.bias"},
    .ties = {{{"predictions.decoder.weight", "*embeddings.word_embeddings.weight"},
              {"predictions.decoder.bias", "predictions.bias"}}},
};

const ModelNames kMpnetNames = {
    .prefixes = {"mpnet.", ""},
    .stack = {.tokens = "embeddings.word_embeddings",
              .positions = "embeddings.position_embeddings",
              .embedding_norm = "embeddings.LayerNorm",
              .layer = "encoder.layer.{}.",
              .attention = {.query = "attention.attn.q",
                            .key = "attention.attn.k",
                            .value = "attention.attn.v",
                            .output = "attention.attn.o",
                            .distance_bias = "*encoder.relative_attention_bias",
                            .norms = {.after = "attention.LayerNorm"}},
              .up = "intermediate.dense",
              .down = "output.dense",
              .mlp_norms = {.after = "output.LayerNorm"}},
    .read_out = kRobertaNames.read_out,
    .ties = kRobertaNames.ties,
};

namespace {

// DeBERTa, by the names of what its heads are computed from, and the head that fills gaps.
ModelNames deberta_names(const AttentionNames& attention, bool newer_head) {
  ModelNames names = {
      .prefixes = {"deberta.", ""},
      .stack = {.tokens = "embeddings.word_embeddings",
                .positions = "embeddings.position_embeddings",
                .types = "embeddings.token_type_embeddings",
                .embedding_norm = "embeddings.LayerNorm",
                .embedding_projection = "embeddings.embed_proj",
                .layer = "encoder.layer.{}.",
                .attention = attention,
                .up = "intermediate.dense",
                .down = "output.dense",
                .mlp_norms = {.after = "output.LayerNorm"},
                .distances = "encoder.rel_embeddings",
                .distance_norm = "encoder.LayerNorm",
                .convolution = "encoder.conv.conv",
                .convolution_norm = "encoder.conv.LayerNorm"},
      .read_out = kBertNames.read_out,
      .ties = kBertNames.ties,
  };
  if (!newer_head) return names;
  names.read_out = {.transform = "lm_predictions.lm_head.dense",
                    .norm = "lm_predictions.lm_head.LayerNorm",
                    .tokens = "deberta.embeddings.word_embeddings",
                    .bias = "lm_predictions.lm_head.bias"};
  names.ties = {};
  return names;
}

constexpr AttentionNames kDebertaAttention = {.fused = "attention.self.in_proj",
                                              .output = "attention.output.dense",
                                              .query_bias = "attention.self.q_bias",
                                              .value_bias = "attention.self.v_bias",
                                              .position_key = "attention.self.pos_proj",
                                              .position_query = "attention.self.pos_q_proj",
                                              .norms = {.after = "attention.output.LayerNorm"}};

constexpr AttentionNames kDebertaV2Attention = {.query = "attention.self.query_proj",
                                                .key = "attention.self.key_proj",
                                                .value = "attention.self.value_proj",
                                                .output = "attention.output.dense",
                                                .position_key = "attention.self.pos_key_proj",
                                                .position_query = "attention.self.pos_query_proj",
                                                .norms = {.after = "attention.output.LayerNorm"}};

}  // namespace

const ModelNames kDebertaNames = deberta_names(kDebertaAttention, false);
const ModelNames kDebertaNewerNames = deberta_names(kDebertaAttention, true);
const ModelNames kDebertaV2Names = deberta_names(kDebertaV2Attention, false);
const ModelNames kDebertaV2NewerNames = deberta_names(kDebertaV2Attention, true);

const ModelNames kModernBertNames = {
    .prefixes = {"model.", ""},
    .stack = {.tokens = "embeddings.tok_embeddings",
              .embedding_norm = "embeddings.norm",
              .layer = "layers.{}.",
              .attention = {.fused = "attn.Wqkv",
                            .output = "attn.Wo",
                            .norms = {.before = "attn_norm"}},
              .gate_up = "mlp.Wi",
              .down = "mlp.Wo",
              .mlp_norms = {.before = "mlp_norm"},
              .final_norm = "final_norm"},
    .read_out = {.transform = "head.dense",
                 .norm = "head.norm",
                 .tokens = "decoder",
                 .bias = "decoder.bias"},
    .ties = {{{"decoder.weight", "*embeddings.tok_embeddings.weight"}}},
};

const ModelNames kDistilBertNames = {
    .prefixes = {"distilbert.", ""},
    .stack = {.tokens = "embeddings.word_embeddings",
              .positions = "embeddings.position_embeddings",
              .embedding_norm = "embeddings.LayerNorm",
              .layer = "transformer.layer.{}.",
              .attention = {.query = "attention.q_lin",
                            .key = "attention.k_lin",
                            .value = "attention.v_lin",
                            .output = "attention.out_lin",
                            .norms = {.after = "sa_layer_norm"}},
              .up = "ffn.lin1",
              .down = "ffn.lin2",
              .mlp_norms = {.after = "output_layer_norm"}},
    .read_out = {.transform = "vocab_transform",
                 .norm = "vocab_layer_norm",
                 .tokens = "vocab_projector",
                 .bias = "vocab_projector.bias"},
    .ties = {{{"vocab_projector.weight", "*embeddings.word_embeddings.weight"}}},
};

// Also of mBART and Pegasus, whose norms stand before sublayers.
const ModelNames kBartNames = {
    .prefixes = {"model.", ""},
    .stack = {.tokens = "decoder.embed_tokens",
              .positions = "decoder.embed_positions",
              .embedding_norm = "decoder.layernorm_embedding",
              .layer = "decoder.layers.{}.",
              .attention = {.query = "self_attn.q_proj",
                            .key = "self_attn.k_proj",
                            .value = "self_attn.v_proj",
                            .output = "self_attn.out_proj",
                            .norms = {.before = "self_attn_layer_norm",
                                      .after = "self_attn_layer_norm"}},
              .cross_attention = {.query = "encoder_attn.q_proj",
                                  .key = "encoder_attn.k_proj",
                                  .value = "encoder_attn.v_proj",
                                  .output = "encoder_attn.out_proj",
                                  .norms = {.before = "encoder_attn_layer_norm",
                                            .after = "encoder_attn_layer_norm"}},
              .up = "fc1",
              .down = "fc2",
              .mlp_norms = {.before = "final_layer_norm", .after = "final_layer_norm"},
              .final_norm = "decoder.layer_norm"},
    .encoder = {.tokens = "encoder.embed_tokens",
                .positions = "encoder.embed_positions",
                .embedding_norm = "encoder.layernorm_embedding",
                .layer = "encoder.layers.{}.",
                .attention = {.query = "self_attn.q_proj",
                              .key = "self_attn.k_proj",
                              .value = "self_attn.v_proj",
                              .output = "self_attn.out_proj",
                              .norms = {.before = "self_attn_layer_norm",
                                        .after = "self_attn_layer_norm"}},
                .up = "fc1",
                .down = "fc2",
                .mlp_norms = {.before = "final_layer_norm", .after = "final_layer_norm"},
                .final_norm = "encoder.layer_norm"},
    .read_out = {.tokens = "lm_head", .bias = "final_logits_bias", .bias_may_miss = true},
    .ties = {{{"lm_head.weight", "*shared.weight"},
              {"*decoder.embed_tokens.weight", "*shared.weight"},
              {"*encoder.embed_tokens.weight", "*shared.weight"}}},
};

const ModelNames kMarianNames = {
    .prefixes = kBartNames.prefixes,
    .stack = kBartNames.stack,
    .encoder = kBartNames.encoder,
    .read_out = kBartNames.read_out,
    .ties = kBartNames.ties,
    .ties_of_unshared = {{{"lm_head.weight", "*decoder.embed_tokens.weight"}}},
};

const ModelNames kT5Names = {
    .prefixes = {""},
    .stack = {.tokens = "decoder.embed_tokens",
              .layer = "decoder.block.{}.",
              .attention = {.query = "layer.0.SelfAttention.q",
                            .key = "layer.0.SelfAttention.k",
                            .value = "layer.0.SelfAttention.v",
                            .output = "layer.0.SelfAttention.o",
                            .distance_bias = "layer.0.SelfAttention.relative_attention_bias",
                            .norms = {.before = "layer.0.layer_norm"}},
              .cross_attention = {.query = "layer.1.EncDecAttention.q",
                                  .key = "layer.1.EncDecAttention.k",
                                  .value = "layer.1.EncDecAttention.v",
                                  .output = "layer.1.EncDecAttention.o",
                                  .norms = {.before = "layer.1.layer_norm"}},
              .gate = "layer.2.DenseReluDense.wi_0",
              .up = "layer.2.DenseReluDense.wi",
              .gated_up = "layer.2.DenseReluDense.wi_1",
              .down = "layer.2.DenseReluDense.wo",
              .mlp_norms = {.before = "layer.2.layer_norm"},
              .final_norm = "decoder.final_layer_norm"},
    .encoder = {.tokens = "encoder.embed_tokens",
                .layer = "encoder.block.{}.",
                .attention = {.query = "layer.0.SelfAttention.q",
                              .key = "layer.0.SelfAttention.k",
                              .value = "layer.0.SelfAttention.v",
                              .output = "layer.0.SelfAttention.o",
                              .distance_bias = "layer.0.SelfAttention.relative_attention_bias",
                              .norms = {.before = "layer.0.layer_norm"}},
                .gate = "layer.1.DenseReluDense.wi_0",
                .up = "layer.1.DenseReluDense.wi",
                .gated_up = "layer.1.DenseReluDense.wi_1",
                .down = "layer.1.DenseReluDense.wo",
                .mlp_norms = {.before = "layer.1.layer_norm"},
                .final_norm = "encoder.final_layer_norm"},
    .read_out = {.tokens = "lm_head"},
    .ties = {{{"*encoder.embed_tokens.weight", "*shared.weight"},
              {"*decoder.embed_tokens.weight", "*shared.weight"},
              {"lm_head.weight", "*shared.weight"}}},
};

}  // namespace lab::files
