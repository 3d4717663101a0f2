"""The small checkpoints: one for each family, and one more for each setting that changes what is computed."""

from dataclasses import dataclass, field
from typing import Callable

import torch
import transformers as hf

VOCABULARY, POSITIONS = 37, 64


@dataclass
class Checkpoint:
    """How one is made and stored."""

    model_class: type
    config_class: type
    settings: dict
    stored: torch.dtype = torch.float32
    shards: str = ""
    version_4: bool = False
    old_norm_names: bool = False
    untied: bool = False  # gives a T5 a read-out of its own, which its settings cannot
    interventions: list = field(default_factory=list)  # [sublayer, layer, head] that they are about

    def model(self):
        torch.manual_seed(0)
        return self.model_class(self.config_class(vocab_size=VOCABULARY, attn_implementation="eager", **self.settings))


def gpt2(**more):
    return dict(n_positions=POSITIONS, n_embd=16, n_layer=2, bos_token_id=0, eos_token_id=0) | more


def neox(**more):
    return dict(hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=20,
                max_position_embeddings=POSITIONS) | more


def opt(**more):
    return dict(hidden_size=16, ffn_dim=20, num_hidden_layers=2, num_attention_heads=2,
                max_position_embeddings=POSITIONS, word_embed_proj_dim=16, pad_token_id=1) | more


def llama(**more):
    return dict(hidden_size=16, intermediate_size=20, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
                max_position_embeddings=128) | more


def rope(kind, **more):
    """A small base, so that every pair of features turns visibly within 60 positions."""
    return dict(num_attention_heads=2, num_key_value_heads=2, max_position_embeddings=256, tie_word_embeddings=True,
                rope_parameters={"rope_type": kind, "rope_theta": 100.0, **more})


def gemma(**more):
    return llama(num_attention_heads=2, num_key_value_heads=1, head_dim=12, query_pre_attn_scalar=20, sliding_window=6,
                 pad_token_id=0, bos_token_id=1, eos_token_id=2) | more


def bert(**more):
    return dict(hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=20,
                max_position_embeddings=POSITIONS) | more


def bart(**more):
    return dict(d_model=16, encoder_layers=1, decoder_layers=2, encoder_attention_heads=2, decoder_attention_heads=4,
                encoder_ffn_dim=20, decoder_ffn_dim=24, max_position_embeddings=POSITIONS, pad_token_id=1,
                bos_token_id=0, eos_token_id=2, decoder_start_token_id=2, forced_eos_token_id=None) | more


def t5(**more):
    return dict(d_model=16, d_ff=20, num_layers=2, num_decoder_layers=1, num_heads=2, relative_attention_num_buckets=8,
                relative_attention_max_distance=16, decoder_start_token_id=0, pad_token_id=0, eos_token_id=1) | more


CHECKPOINTS = {
    "gpt2": Checkpoint(hf.GPT2LMHeadModel, hf.GPT2Config, gpt2(n_head=4, n_inner=20), interventions=["self", 1, 2]),
    "gpt2-scaled-by-layer": Checkpoint(
        hf.GPT2LMHeadModel, hf.GPT2Config,
        gpt2(n_head=2, n_inner=24, scale_attn_by_inverse_layer_idx=True, tie_word_embeddings=False),
        stored=torch.float16),
    "gpt-neo": Checkpoint(hf.GPTNeoForCausalLM, hf.GPTNeoConfig, dict(
        max_position_embeddings=POSITIONS, hidden_size=16, num_layers=2, num_heads=2, intermediate_size=20,
        attention_types=[[["global", "local"], 1]], window_size=5, bos_token_id=0, eos_token_id=0)),
    "gpt-neox": Checkpoint(hf.GPTNeoXForCausalLM, hf.GPTNeoXConfig, neox(
        rope_parameters={"rope_type": "default", "rope_theta": 50.0, "partial_rotary_factor": 0.25}),
        version_4=True, stored=torch.bfloat16),
    "gpt-neox-serial": Checkpoint(hf.GPTNeoXForCausalLM, hf.GPTNeoXConfig, neox(
        hidden_size=16, use_parallel_residual=False,
        rope_parameters={"rope_type": "default", "rope_theta": 300.0, "partial_rotary_factor": 0.5}),
        version_4=True, stored=torch.float16),
    "opt": Checkpoint(hf.OPTForCausalLM, hf.OPTConfig, opt()),
    "opt-projected": Checkpoint(hf.OPTForCausalLM, hf.OPTConfig, opt(
        do_layer_norm_before=False, word_embed_proj_dim=12), stored=torch.float16),
    "llama": Checkpoint(hf.LlamaForCausalLM, hf.LlamaConfig, llama(tie_word_embeddings=True), version_4=True,
                        interventions=["self", 0, 3]),
    "llama-untied": Checkpoint(hf.LlamaForCausalLM, hf.LlamaConfig, llama(num_attention_heads=2, num_key_value_heads=2),
                               stored=torch.bfloat16),
    "llama-llama3": Checkpoint(hf.LlamaForCausalLM, hf.LlamaConfig, llama(**rope(
        "llama3", factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=64)),
        version_4=True),
    "llama-linear": Checkpoint(hf.LlamaForCausalLM, hf.LlamaConfig, llama(**rope("linear", factor=3.0)),
                               version_4=True, stored=torch.float16),
    "llama-yarn": Checkpoint(hf.LlamaForCausalLM, hf.LlamaConfig, llama(**rope(
        "yarn", factor=4.0, beta_fast=2.0, beta_slow=1.0, original_max_position_embeddings=64)),
        version_4=True, stored=torch.bfloat16),
    "llama-sharded": Checkpoint(hf.LlamaForCausalLM, hf.LlamaConfig, llama(
        num_attention_heads=2, num_key_value_heads=1, head_dim=12), shards="10KB"),
    "mistral": Checkpoint(hf.MistralForCausalLM, hf.MistralConfig, llama(
        num_attention_heads=2, num_key_value_heads=1, head_dim=8, sliding_window=6), version_4=True),
    "qwen2": Checkpoint(hf.Qwen2ForCausalLM, hf.Qwen2Config, llama(
        num_attention_heads=2, num_key_value_heads=1, tie_word_embeddings=True), version_4=True),
    "qwen2-window": Checkpoint(hf.Qwen2ForCausalLM, hf.Qwen2Config, llama(
        num_attention_heads=2, num_key_value_heads=1, use_sliding_window=True, max_window_layers=1, sliding_window=7),
        version_4=True),
    "qwen3": Checkpoint(hf.Qwen3ForCausalLM, hf.Qwen3Config, llama(
        num_attention_heads=2, num_key_value_heads=1, head_dim=10, tie_word_embeddings=True), version_4=True),
    "gemma2": Checkpoint(hf.Gemma2ForCausalLM, hf.Gemma2Config, gemma(
        attn_logit_softcapping=3.0, final_logit_softcapping=2.5), version_4=True, interventions=["self", 1, 1]),
    "gemma3": Checkpoint(hf.Gemma3ForCausalLM, hf.Gemma3TextConfig, gemma(
        num_hidden_layers=6, head_dim=8, intermediate_size=12, sliding_window=5, rope_parameters={
            "full_attention": {"rope_type": "linear", "rope_theta": 900.0, "factor": 2.0},
            "sliding_attention": {"rope_type": "default", "rope_theta": 60.0}}), version_4=True, stored=torch.bfloat16),
    "bert": Checkpoint(hf.BertForMaskedLM, hf.BertConfig, bert(), old_norm_names=True, version_4=True,
                       interventions=["self", 0, 1]),
    "bert-without-head": Checkpoint(hf.BertModel, hf.BertConfig, bert(num_attention_heads=4),
                                    stored=torch.float16),
    "roberta": Checkpoint(hf.RobertaForMaskedLM, hf.RobertaConfig, bert(
        max_position_embeddings=POSITIONS + 2, pad_token_id=1, bos_token_id=0, eos_token_id=2, type_vocab_size=1),
        stored=torch.bfloat16),
    "distilbert": Checkpoint(hf.DistilBertForMaskedLM, hf.DistilBertConfig, dict(
        dim=16, n_layers=2, n_heads=2, hidden_dim=20, max_position_embeddings=POSITIONS),
        stored=torch.float16),
    "bart": Checkpoint(hf.BartForConditionalGeneration, hf.BartConfig, bart(), stored=torch.float16,
                       interventions=["cross", 1, 2]),
    "marian": Checkpoint(hf.MarianMTModel, hf.MarianConfig, bart(
        encoder_layers=2, decoder_layers=1, decoder_attention_heads=2, scale_embedding=True,
        activation_function="swish"),
        stored=torch.bfloat16),
    "t5": Checkpoint(hf.T5ForConditionalGeneration, hf.T5Config, t5(d_kv=8, feed_forward_proj="relu"),
                     interventions=["encoder", 0, 1]),
    "t5-gated": Checkpoint(hf.T5ForConditionalGeneration, hf.T5Config, t5(
        d_kv=6, feed_forward_proj="gated-gelu", num_layers=1, num_decoder_layers=2, tie_word_embeddings=False),
        untied=True, version_4=True, stored=torch.float16),
    # Nothing divides anything: d_kv is not d_model / heads, half of the buckets is odd, texts of 60 go far past the
    # largest distance.
    "t5-odd": Checkpoint(hf.T5ForConditionalGeneration, hf.T5Config, t5(
        d_model=18, d_kv=5, num_heads=3, d_ff=14, num_layers=3, num_decoder_layers=2, feed_forward_proj="gated-gelu",
        relative_attention_num_buckets=10, relative_attention_max_distance=23), stored=torch.bfloat16, version_4=True,
        interventions=["encoder", 2, 1]),
}
