"""Writes gguf/: the checkpoints here as GGUF files, blocks of each quantised format, and tokenizers.

    python3 make_gguf.py

NAME.gguf holds the weights of NAME/ with the names and conventions of llama.cpp's converter, written by the gguf
package: rows of Q and K reordered for pairs that lie side by side (llama, mixtral, smollm3, granite), 1 added to the norms
of Gemma and Nemotron, GPT-2's maps transposed, Q, K and V of all heads after each other (gpt-neox, bloom, falcon), the maps
of a layer's experts in one tensor, BERT, XLM-RoBERTa and ModernBERT without what follows their last layer. What it
computes is NAME/golden.safetensors.
Gemma's query_pre_attn_scalar, for which GGUF has no key, is put into the weights of the queries.
quantised-experts.gguf: a Mixtral with quantised experts, stacked, gate and up in one, and alone, as in the first files;
quantised-experts.safetensors: what transformers computes with the numbers that the gguf package makes of them. llama-version-2.gguf, llama-big-endian.gguf and llama-split-0000N-of-00003.gguf
hold the same as llama.gguf in other containers.
formats.safetensors: FORMAT.blocks [rows × bytes], random blocks, and FORMAT.values [rows × numbers], what the gguf package
makes of them.
tokenizer-NAME.gguf hold only the metadata of a tokenizer; tokenizers.json what the reference makes of some texts with
each: `tokenizers` for byte pairs and BERT's pieces of words, `sentencepiece` for llama and unigrams.
Needs gguf, numpy, safetensors, sentencepiece, tokenizers, torch and transformers from PyPI.
"""

import io
import json
import re
import shutil

import gguf
import numpy
import sentencepiece
from checkpoints import CHECKPOINTS
from make_models import OUT, answers, save, shake
from safetensors.torch import load_file
from sentencepiece import sentencepiece_model_pb2
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
import torch
import transformers

FOLDER = OUT / "gguf"
ARCHITECTURES = {
    "llama": "LLAMA", "llama-untied": "LLAMA", "llama-llama3": "LLAMA", "llama-linear": "LLAMA", "mistral": "LLAMA",
    "qwen2": "QWEN2", "qwen3": "QWEN3", "smollm3": "SMOLLM3", "granite": "GRANITE",
    "glm4": "GLM4", "cohere": "COMMAND_R", "cohere2": "COHERE2", "phi": "PHI2", "phi3": "PHI3",
    "phi3-longrope": "PHI3", "stablelm": "STABLELM", "stablelm-parallel": "STABLELM", "starcoder2": "STARCODER2",
    "gemma": "GEMMA", "gemma2": "GEMMA2", "gemma3": "GEMMA3", "gemma4": "GEMMA4", "gemma4-moe": "GEMMA4", "gpt2": "GPT2",
    "mixtral": "LLAMA", "qwen2-moe": "QWEN2MOE", "qwen3-moe": "QWEN3MOE", "glm4-moe": "GLM4_MOE",
    "gpt-oss": "GPT_OSS", "olmo2": "OLMO2", "olmo3": "OLMO2", "olmoe": "OLMOE", "lfm2": "LFM2",
    "exaone4": "EXAONE4", "nemotron": "NEMOTRON", "gpt-neox": "GPTNEOX", "gpt-neox-serial": "GPTNEOX", "bloom": "BLOOM",
    "falcon": "FALCON", "falcon-new": "FALCON",
    "deepseek-v2": "DEEPSEEK2", "deepseek-v3": "DEEPSEEK2", "bert": "BERT", "bert-without-head": "BERT",
    "xlm-roberta": "BERT", "modernbert": "MODERN_BERT"}
REORDERED = ("LLAMA", "SMOLLM3", "GRANITE")
ONE_ADDED = ("GEMMA", "GEMMA2", "GEMMA3", "NEMOTRON")
FUSED = ("GPTNEOX", "BLOOM", "FALCON")  # by head, or by key head
MIXTRAL_MAPS = {"w1": "gate", "w2": "down", "w3": "up"}
ROWS = 3  # of blocks of each format


def side_by_side(rows, heads):
    """Rows of each head in the order 0, d/2, 1, d/2 + 1 …"""
    return rows.reshape(heads, 2, rows.shape[0] // heads // 2, -1).swapaxes(1, 2).reshape(rows.shape)


def by_part(tensor, config):
    """Q of all heads, then K, then V, of rows in which those of each head, or those that share a key head, follow each other."""
    heads = config.get("num_attention_heads") or config["n_head"]
    keys = key_heads(config)
    groups = tensor.reshape(keys, heads // keys + 2, config["hidden_size"] // heads, -1)
    parts = groups[:, :-2], groups[:, -2:-1], groups[:, -1:]
    return numpy.concatenate([part.reshape(-1, groups.shape[-1]) for part in parts]).reshape(tensor.shape)


def key_heads(config):
    heads = config.get("num_attention_heads") or config["n_head"]
    if config["model_type"] == "falcon":
        return config["num_kv_heads"] if config["new_decoder_architecture"] else 1
    return config.get("num_key_value_heads") or heads


def add_experts(writer, config):
    if not config.get("enable_moe_block", True):
        return
    get = lambda *names: next((config[name] for name in names if config.get(name) is not None), None)
    for value, add in ((get("num_local_experts", "num_experts", "n_routed_experts"), writer.add_expert_count),
                       (get("num_experts_per_tok"), writer.add_expert_used_count),
                       (get("moe_intermediate_size"), writer.add_expert_feed_forward_length),
                       (get("shared_expert_intermediate_size"), writer.add_expert_shared_feed_forward_length),
                       (get("n_shared_experts"), writer.add_expert_shared_count),
                       (get("n_group"), writer.add_expert_group_count),
                       (get("topk_group"), writer.add_expert_group_used_count),
                       (get("routed_scaling_factor"), writer.add_expert_weights_scale),
                       (get("first_k_dense_replace"), writer.add_leading_dense_block_count)):
        if value is not None:
            add(value)
    if config["model_type"] == "gpt_oss":
        writer.add_expert_feed_forward_length(config["intermediate_size"])
    if config["model_type"] == "deepseek_v2":
        writer.add_expert_weights_norm(config["norm_topk_prob"])
        writer.add_expert_gating_func(gguf.ExpertGatingFuncType.SOFTMAX)
    if config["model_type"] in ("glm4_moe", "deepseek_v3"):
        writer.add_expert_weights_norm(config["norm_topk_prob"])
        writer.add_expert_gating_func(gguf.ExpertGatingFuncType.SIGMOID)


def is_split(config):
    """Keys and values from the compressed row have maps of their own, as the converter has written since 2025."""
    return config["model_type"] == "deepseek_v3"


def add_latent_sizes(writer, config):
    """The keys of latent attention; with two maps, as if all heads shared one key: the compressed row and its rotary part."""
    head, value, rank = config["qk_head_dim"], config["v_head_dim"], config["kv_lora_rank"]
    writer.add_head_count_kv(1 if is_split(config) else config["num_attention_heads"])
    writer.add_kv_lora_rank(rank)
    if config["q_lora_rank"]:
        writer.add_q_lora_rank(config["q_lora_rank"])
    if is_split(config):
        writer.add_key_length_mla(head)
        writer.add_value_length_mla(value)
        head, value = rank + config["qk_rope_head_dim"], rank
    writer.add_key_length(head)
    writer.add_value_length(value)


def add_yarn(writer, rope):
    writer.add_rope_scaling_type(gguf.RopeScalingType.YARN)
    writer.add_rope_scaling_factor(rope["factor"])
    writer.add_rope_scaling_orig_ctx_len(rope["original_max_position_embeddings"])
    writer.add_rope_scaling_yarn_beta_fast(rope["beta_fast"])
    writer.add_rope_scaling_yarn_beta_slow(rope["beta_slow"])
    writer.add_rope_scaling_yarn_log_mul(0.1 * rope["mscale_all_dim"])


def position_offset(config):
    """The rows of the table of positions before that of the first token, which the converter leaves out."""
    return config["pad_token_id"] + 1 if config["model_type"] == "xlm-roberta" else 0


def layer_sizes(config, name):
    """The size of that name in each layer of Gemma 4."""
    sizes = config["per_layer_config"]
    return [sizes.get(str(layer), {}).get(name, config[name]) for layer in range(config["num_hidden_layers"])]


def add_gemma4_sizes(writer, config):
    """What layers that see all keys have in another size than sliding ones; the latter have keys of their own."""
    full = max(layer_sizes(config, "head_dim"))
    layers, shared = config["num_hidden_layers"], config["num_kv_shared_layers"]
    wide = [config["use_double_wide_mlp"] and layer >= layers - shared for layer in range(layers)]
    writer.add_feed_forward_length([config["intermediate_size"] * (2 if double else 1) for double in wide])
    writer.add_head_count_kv(layer_sizes(config, "num_key_value_heads"))
    writer.add_key_length(full)
    writer.add_value_length(full)
    writer.add_key_length_swa(config["head_dim"])
    writer.add_value_length_swa(config["head_dim"])
    writer.add_shared_kv_layers(shared)
    writer.add_embedding_length_per_layer_input(config["hidden_size_per_layer_input"])
    writer.add_sliding_window_pattern([kind == "sliding_attention" for kind in config["layer_types"]])
    if config["enable_moe_block"]:
        writer.add_expert_used_count(config["top_k_experts"])


def adjusted_width(config):
    """The width of LFM2's MLPs, which GGUF has as it is."""
    if not config.get("block_auto_adjust_ff_dim"):
        return None
    width, multiple = int(config["block_ffn_dim_multiplier"] * int(2 * config["intermediate_size"] / 3)), config["block_multiple_of"]
    return (width + multiple - 1) // multiple * multiple


def add_sizes(writer, config):
    get = lambda *names: next((config[name] for name in names if config.get(name) is not None), None)
    width, heads = get("hidden_size", "n_embd"), get("num_attention_heads", "n_head")
    head = config.get("head_dim") or width // heads
    rope = config.get("rope_parameters") or {}
    sliding = rope.get("sliding_attention")
    rope = rope.get("full_attention", rope)
    writer.add_context_length((get("max_position_embeddings", "n_positions") or 64) - position_offset(config))
    writer.add_embedding_length(width)
    writer.add_block_count(get("num_hidden_layers", "n_layer"))
    gemma4 = config["model_type"] == "gemma4_text"
    if not gemma4:
        writer.add_feed_forward_length(
            adjusted_width(config) or get("intermediate_size", "n_inner", "ffn_hidden_size") or 4 * width)
    writer.add_head_count(heads)
    if gemma4:
        add_gemma4_sizes(writer, config)
    elif "kv_lora_rank" in config:
        add_latent_sizes(writer, config)
    elif config["model_type"] == "lfm2":  # its converter says no length of a head
        writer.add_head_count_kv([0 if kind == "conv" else key_heads(config) for kind in config["layer_types"]])
        writer.add_shortconv_l_cache(config["conv_L_cache"])
    else:
        writer.add_head_count_kv(key_heads(config))
        writer.add_key_length(head)
        writer.add_value_length(head)
    add_experts(writer, config)
    if config["model_type"] == "modernbert":
        writer.add_sliding_window(config["local_attention"])
        writer.add_sliding_window_pattern(3)
        writer.add_string(f"{writer.arch}.hidden_activation", config["hidden_activation"])
    if config["model_type"] in ("bert", "xlm-roberta", "modernbert"):
        writer.add_causal_attention(False)
    if config["model_type"] in ("bert", "xlm-roberta"):
        writer.add_token_type_count(config["type_vocab_size"])
    for key, add in {"rms_norm_eps": writer.add_layer_norm_rms_eps, "layer_norm_eps": writer.add_layer_norm_eps,
                     "layer_norm_epsilon": writer.add_layer_norm_eps, "norm_epsilon": writer.add_layer_norm_eps,
                     "norm_eps": writer.add_layer_norm_rms_eps if config["model_type"] == "lfm2" else writer.add_layer_norm_eps,
                     "embedding_multiplier": writer.add_embedding_scale, "residual_multiplier": writer.add_residual_scale,
                     "attention_multiplier": writer.add_attention_scale, "logits_scaling": writer.add_logit_scale,
                     "attn_logit_softcapping": writer.add_attn_logit_softcapping,
                     "final_logit_softcapping": writer.add_final_logit_softcapping,
                     "logit_scale": writer.add_logit_scale, "use_parallel_residual": writer.add_parallel_residual}.items():
        if config.get(key) is not None:
            add(config[key])
    if config.get("sliding_window") and config.get("use_sliding_window", True):
        writer.add_sliding_window(config["sliding_window"])
        if config["model_type"] in ("exaone4", "olmo3"):
            writer.add_sliding_window_pattern([kind == "sliding_attention" for kind in config["layer_types"]])
    if not rope:
        return
    writer.add_rope_freq_base(rope["rope_theta"])
    if gemma4:
        writer.add_rope_dimension_count(max(layer_sizes(config, "head_dim")))
        writer.add_rope_dimension_count_swa(head)
    else:
        writer.add_rope_dimension_count(int(head * rope.get("partial_rotary_factor", 1)))
    if sliding:
        writer.add_float32(f"{writer.arch}.rope.freq_base_swa", sliding["rope_theta"])
    if rope["rope_type"] == "linear":
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(rope["factor"])
    if rope["rope_type"] == "yarn":
        add_yarn(writer, rope)
    if rope["rope_type"] == "longrope":
        original = config["original_max_position_embeddings"]
        factor = config["max_position_embeddings"] / original
        writer.add_rope_scaling_orig_ctx_len(original)
        writer.add_rope_scaling_attn_factors(float(numpy.sqrt(1 + numpy.log(factor) / numpy.log(original))))


def rotary_tensors(config):
    """The tensors with factors of frequencies."""
    rope = config.get("rope_parameters") or {}
    if config["model_type"] == "gemma4_text":  # pairs that are not rotated have a frequency that is divided to nothing
        pairs = max(layer_sizes(config, "head_dim")) // 2
        rotated = int(pairs * rope["full_attention"]["partial_rotary_factor"])
        return {"rope_freqs.weight": numpy.float32([1.0] * rotated + [1e30] * (pairs - rotated))}
    if rope.get("rope_type") == "longrope":
        return {f"rope_factors_{name}.weight": numpy.float32(rope[f"{name}_factor"]) for name in ("long", "short")}
    if rope.get("rope_type") != "llama3":
        return {}
    head = config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]
    waves = 2 * numpy.pi * rope["rope_theta"] ** (numpy.arange(0, head, 2) / head)
    turns = rope["original_max_position_embeddings"] / waves
    low, high, factor = rope["low_freq_factor"], rope["high_freq_factor"], rope["factor"]
    smooth = numpy.clip((turns - low) / (high - low), 0, 1)
    return {"rope_freqs.weight": numpy.float32(1 / ((1 - smooth) / factor + smooth))}


def stored(name, tensor, architecture, config):
    """A tensor as GGUF has it."""
    if architecture in REORDERED and (".q_proj." in name or ".k_proj." in name):
        heads = config["num_attention_heads" if ".q_proj." in name else "num_key_value_heads"]
        tensor = side_by_side(tensor, heads)
    if name == "embeddings.position_embeddings.weight":
        tensor = tensor[position_offset(config):]
    if architecture == "GPT2" and tensor.ndim == 2 and ".h." in name:
        tensor = tensor.T
    if architecture in FUSED and ".query_key_value." in name:
        tensor = by_part(tensor, config)
    if architecture in ONE_ADDED and name.endswith("norm.weight"):
        tensor = tensor + 1
    query = ".q_norm." if architecture == "GEMMA3" else ".q_proj."
    if architecture in ("GEMMA2", "GEMMA3") and query in name:
        tensor = tensor * (config["head_dim"] / config["query_pre_attn_scalar"]) ** 0.5
    if ".conv.conv." in name:
        tensor = tensor.squeeze(1)
    return numpy.ascontiguousarray(tensor, dtype=numpy.float32)


def write(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def add(writer, name, numbers, bits, architecture):
    if bits == torch.float16 and numbers.ndim > 1 and architecture not in REORDERED:
        writer.add_tensor(name, numbers.astype(numpy.float16))
    elif bits == torch.bfloat16 and numbers.ndim > 1 and not architecture.startswith("GEMMA"):
        data = gguf.quants.quantize(numbers, gguf.GGMLQuantizationType.BF16)
        writer.add_tensor(name, data, raw_dtype=gguf.GGMLQuantizationType.BF16)
    else:
        writer.add_tensor(name, numbers)


def tensors_in(folder):
    """All tensors, by the names that the converter looks up."""
    found = {}
    for path in sorted(folder.glob("model*.safetensors")):
        found |= load_file(path)
    return {key.replace(".gamma", ".weight").replace(".beta", ".bias").removeprefix("bert.").removeprefix("roberta.")
            .replace("e_score_correction_bias", "e_score_correction.bias"): tensor for key, tensor in found.items()}


def stack_experts(tensors):
    """The maps of a layer's experts in one tensor, by the name of the GGUF tensor."""
    stacks = {}
    for key in list(tensors):
        match = re.match(r"model\.layers\.(\d+)\..*experts\.(\d+)\.(\w+?)(_proj)?\.weight", key)
        if match:
            layer, expert, part = match[1], int(match[2]), MIXTRAL_MAPS.get(match[3], match[3])
            stacks.setdefault(f"blk.{layer}.ffn_{part}_exps.weight", {})[expert] = tensors.pop(key)
    return {name: torch.stack([maps[i] for i in range(len(maps))]) for name, maps in stacks.items()} | gpt_oss_stacks(tensors) | gemma4_stacks(tensors)


def gemma4_stacks(tensors):
    """Gemma 4 stores them so already, [experts × out × in], gate and up in one."""
    stacks = {}
    for key in list(tensors):
        match = re.match(r"model\.layers\.(\d+)\.experts\.(gate_up|down)_proj$", key)
        if match:
            stacks[f"blk.{match[1]}.ffn_{match[2]}_exps.weight"] = tensors.pop(key)
    return stacks


def gpt_oss_stacks(tensors):
    """gpt-oss stores them so already, [experts × in × out], with gate and up in turns; GGUF has them apart."""
    stacks = {}
    for key in list(tensors):
        match = re.match(r"model\.layers\.(\d+)\.mlp\.experts\.(gate_up|down)_proj(_bias)?$", key)
        if not match:
            continue
        tensor, end = tensors.pop(key), "bias" if match[3] else "weight"
        tensor = tensor if match[3] else tensor.transpose(1, 2)
        parts = {"gate": tensor[:, 0::2], "up": tensor[:, 1::2]} if match[2] == "gate_up" else {"down": tensor}
        stacks |= {f"blk.{match[1]}.ffn_{part}_exps.{end}": rows.contiguous() for part, rows in parts.items()}
    return stacks


def split_latent(tensors, config):
    """The map from the compressed row to keys and values as two, that of keys with rows and columns exchanged."""
    for key in [key for key in tensors if key.endswith(".kv_b_proj.weight")]:
        own, value = config["qk_nope_head_dim"], config["v_head_dim"]
        heads = tensors.pop(key).reshape(config["num_attention_heads"], own + value, -1)
        tensors[key.replace("kv_b", "k_b")] = heads[:, :own].transpose(1, 2)
        tensors[key.replace("kv_b", "v_b")] = heads[:, own:]


def rewrite(name, file, add_more=lambda writer: None, widened=False, **options):
    architecture = ARCHITECTURES[name]
    config = json.loads((OUT / name / "config.json").read_text())
    enum = gguf.MODEL_ARCH[architecture]
    layers = config.get("num_hidden_layers") or config.get("n_layer")
    names = gguf.get_tensor_name_map(enum, layers)
    dense = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, layers)  # for layers of Qwen's without experts
    writer = gguf.GGUFWriter(str(FOLDER / file), gguf.MODEL_ARCH_NAMES[enum], **options)
    add_sizes(writer, config)
    add_more(writer)
    for key, tensor in rotary_tensors(config).items():
        writer.add_tensor(key, tensor)
    bits = torch.float32 if widened else CHECKPOINTS[name].stored
    tensors = tensors_in(OUT / name)
    for new, tensor in stack_experts(tensors).items():
        add(writer, new, numpy.ascontiguousarray(tensor.float().numpy()), bits, architecture)
    if "kv_lora_rank" in config and is_split(config):
        split_latent(tensors, config)
    for key, tensor in tensors.items():
        if architecture == "BLOOM":
            key = key.removeprefix("transformer.")
        if architecture == "MODERN_BERT":
            key = key.removeprefix("model.")
        if architecture in ("BERT", "MODERN_BERT") and key.startswith(
                ("cls.", "pooler.", "head.", "decoder.", "lm_head.")):
            continue
        if key.endswith((".sinks", ".layer_scalar")):
            key += ".weight"
        if key.endswith(("router.scale", "per_expert_scale")):
            layer = re.search(r"layers\.(\d+)", key)[1]
            part = "ffn_gate_inp" if key.endswith("router.scale") else "ffn_down_exps"
            writer.add_tensor(f"blk.{layer}.{part}.scale", tensor.float().numpy())
            continue
        new = names.get_name(key, try_suffixes=(".weight", ".bias")) or dense.get_name(key, try_suffixes=(".weight",))
        assert new, key
        add(writer, new, stored(key, tensor.float().numpy(), architecture, config), bits, architecture)
    write(writer)


def quantised_experts():
    """One of two layers has gate and up in one tensor, the other has each map alone."""
    kinds = {"gate_up": "Q8_0", "down": "Q4_0", "gate": "Q5_1", "up": "Q8_0"}
    config = transformers.MixtralConfig(
        vocab_size=37, hidden_size=32, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=1, num_local_experts=3, num_experts_per_tok=2, max_position_embeddings=64,
        tie_word_embeddings=True, attn_implementation="eager", experts_implementation="eager")
    random = torch.Generator().manual_seed(11)
    model = transformers.MixtralForCausalLM(config).eval()
    shake(model, torch.float32, random)
    said = json.loads(config.to_json_string(use_diff=False)) | {"head_dim": 16}
    writer = gguf.GGUFWriter(str(FOLDER / "quantised-experts.gguf"), "llama")
    add_sizes(writer, said)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, 2)

    def add_quantised(name, numbers, kind):
        """Adds `numbers`, and returns what they are afterwards."""
        kind = gguf.GGMLQuantizationType[kinds[kind]]
        data = gguf.quants.quantize(numpy.ascontiguousarray(numbers), kind)
        writer.add_tensor(name, data, raw_dtype=kind)
        return torch.from_numpy(gguf.quants.dequantize(data, kind).reshape(numbers.shape))

    for layer, block in enumerate(model.model.layers):
        experts = block.mlp.experts  # gate_up_proj [experts × 2 rows × columns], down_proj
        both, down = experts.gate_up_proj.data, experts.down_proj.data
        if layer == 0:
            both.copy_(add_quantised("blk.0.ffn_gate_up_exps.weight", both.numpy(), "gate_up"))
            down.copy_(add_quantised("blk.0.ffn_down_exps.weight", down.numpy(), "down"))
            continue
        for expert in range(3):
            for part, map_ in (("gate", both[expert, :32]), ("up", both[expert, 32:]), ("down", down[expert])):
                map_.copy_(add_quantised(f"blk.1.ffn_{part}.{expert}.weight", map_.numpy(), part))
    for key, tensor in model.state_dict().items():
        if ".experts." not in key and key != "lm_head.weight":
            key = key.replace(".mlp.gate.", ".block_sparse_moe.gate.")
            new = names.get_name(key, try_suffixes=(".weight",))
            writer.add_tensor(new, stored(key, tensor.numpy(), "LLAMA", said))
    write(writer)
    save(answers(model.double(), random), FOLDER / "quantised-experts.safetensors")


def containers():
    rewrite("llama", "llama-big-endian.gguf", endianess=gguf.GGUFEndian.BIG)
    rewrite("llama", "llama-split.gguf", split_max_tensors=9)
    bytes_ = bytearray((FOLDER / "llama.gguf").read_bytes())
    bytes_[4:8] = (2).to_bytes(4, "little")
    (FOLDER / "llama-version-2.gguf").write_bytes(bytes_)


# Where the float16 scales of a block are, and a byte that is an exponent.
SCALES = {"Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q2_K": [80, 82], "Q3_K": [108],
          "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208], "IQ1_S": [0], "IQ2_XXS": [0], "IQ2_XS": [0], "IQ2_S": [0],
          "IQ3_XXS": [0], "IQ3_S": [0], "IQ4_NL": [0], "IQ4_XS": [0], "TQ1_0": [52], "TQ2_0": [64]}


def formats():
    random = numpy.random.default_rng(5)
    found = {}
    for kind in gguf.GGMLQuantizationType:
        numbers, size = gguf.GGML_QUANT_SIZES.get(kind, (1, 0))
        if numbers == 1 or kind.name in ("Q8_1", "Q8_K"):  # those are never stored
            continue
        blocks = random.integers(0, 256, (ROWS, size), dtype=numpy.uint8)
        for place in SCALES.get(kind.name, []):
            scales = numpy.float16(random.uniform(-2, 2, (ROWS, 1)))
            blocks[:, place:place + 2] = scales.view(numpy.uint8).reshape(ROWS, 2)
        if kind.name == "IQ1_M":  # four bits of its scale lie in each of four numbers: 0x3C00 is 1
            blocks[:, 49::2] &= 0x0F
            blocks[:, [53, 55]] |= numpy.uint8([0xC0, 0x30])
        if kind.name == "MXFP4":
            blocks[:, 0] = random.integers(110, 140, ROWS)
        try:
            values = gguf.quants.dequantize(blocks, kind)
        except NotImplementedError:
            print("the package does not read", kind.name)
            continue
        assert numpy.isfinite(values).all(), kind
        found[f"{kind.name}.blocks"] = torch.from_numpy(blocks)
        found[f"{kind.name}.values"] = torch.from_numpy(numpy.ascontiguousarray(values, dtype=numpy.float32))
    save(found, FOLDER / "formats.safetensors")


TEXTS = ["", "x", " x", "The cat sat on the mat: 12345 mats!", "  two  spaces\tand\n\n3.14159 ", "Don't they'LL WE'd",
         "Naïve café — 猫が座った 🙂 ﬁ e\u0301", "<|end|>a<|end|> b", "[CLS] a [MASK][SEP]b [unused0]", "12 1234 ½6 мир", "<0x41> ▁ ▁▁x", "a_b(c[0])\r\n\r\n  return x2;"]
LEARNED = ["The cat sat on the mat and the other cats sat there too.", "They don't sit; they'll stand in the café.",
           "numbers like 1 22 333 4444 55555 and 2026", "def f(x):\n    return x[0] + 1\n", "Naïve naïve café 猫 座った"] * 3
LLAMA_BPE = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN2 = LLAMA_BPE.replace(r"\p{N}{1,3}", r"\p{N}")
BLOOM = r" ?[^(\s|[.,!?…。，、।۔،])]+"
ENDINGS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
UPPER, LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
GPT_4O = "|".join([rf"[^\r\n\p{{L}}\p{{N}}]?[{UPPER}]*[{LOWER}]+{ENDINGS}", rf"[^\r\n\p{{L}}\p{{N}}]?[{UPPER}]+[{LOWER}]*{ENDINGS}",
                   r"\p{N}{1,3}", r" ?[^\s\p{L}\p{N}]+[\r\n/]*", r"\s*[\r\n]+", r"\s+(?!\S)", r"\s+"])
BYTE_PAIRS = ("gpt-2", "llama-bpe", "qwen2", "gpt-4o", "smollm", "bloom", "falcon")


def byte_pairs(pre):
    """The tokenizer that the models have whose files say `pre`."""
    tokenizer = Tokenizer(models.BPE(ignore_merges=pre == "llama-bpe"))
    bytes_ = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=pre in ("gpt-2", "smollm", "falcon"))
    pattern = {"llama-bpe": LLAMA_BPE, "qwen2": QWEN2, "gpt-4o": GPT_4O, "bloom": BLOOM}.get(pre)
    if pattern:
        bytes_ = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), "isolated"), bytes_])
    if pre == "smollm":
        bytes_ = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), bytes_])
    if pre == "falcon":
        bytes_ = pre_tokenizers.Sequence([
            pre_tokenizers.Punctuation(behavior="contiguous"), bytes_, pre_tokenizers.Digits(individual_digits=False),
            pre_tokenizers.Split(Regex("[0-9][0-9][0-9]"), "isolated")])
    if pre == "qwen2":
        tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer, tokenizer.decoder = bytes_, decoders.ByteLevel()
    tokenizer.train_from_iterator(LEARNED, trainers.BpeTrainer(
        vocab_size=330, special_tokens=["<|end|>"], show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    return tokenizer


def write_tokenizer(name, add):
    writer = gguf.GGUFWriter(str(FOLDER / f"tokenizer-{name}.gguf"), "llama")
    add(writer)
    write(writer)


def write_byte_pairs(pre):
    tokenizer = byte_pairs(pre)
    told = json.loads(tokenizer.to_str())
    tokens = [token for token, _ in sorted(told["model"]["vocab"].items(), key=lambda item: item[1])]

    def add(writer):
        writer.add_tokenizer_model("gpt2")
        writer.add_tokenizer_pre(pre)
        writer.add_token_list(tokens)
        writer.add_token_types([gguf.TokenType.CONTROL if token == "<|end|>" else gguf.TokenType.NORMAL
                                for token in tokens])
        writer.add_token_merges([" ".join(merge) for merge in told["model"]["merges"]])
        writer.add_bos_token_id(0)
        writer.add_add_bos_token(False)

    write_tokenizer(pre, add)
    return [tokenizer.encode(text).ids for text in TEXTS]


def write_word_pieces(lower_case):
    """BERT's tokens with a space's sign before words instead of ## before the others."""
    normalizer, splitter = normalizers.BertNormalizer(lowercase=lower_case), pre_tokenizers.BertPreTokenizer()
    words = {word for line in LEARNED for word, _ in splitter.pre_tokenize_str(normalizer.normalize_str(line))}
    letters = {letter for word in words for letter in word}
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    pieces = {f"##{part}" for word in words for part in (word[2:], *word[1:]) if part}
    tokens = special + sorted(letters | {word for word in words if len(word) < 5}) + sorted(pieces)
    tokenizer = Tokenizer(models.WordPiece({token: i for i, token in enumerate(tokens)}, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, splitter
    tokenizer.add_special_tokens(special)
    first, last = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", last), ("[CLS]", first))
    control = [token in special for token in tokens]

    def add(writer):
        writer.add_tokenizer_model("bert")
        writer.add_token_list([token if is_control else token[2:] if token.startswith("##") else "\u2581" + token
                               for token, is_control in zip(tokens, control)])
        writer.add_token_types([gguf.TokenType.CONTROL if is_control else gguf.TokenType.NORMAL for is_control in control])
        writer.add_bos_token_id(first)
        writer.add_sep_token_id(last)
        writer.add_unk_token_id(tokenizer.token_to_id("[UNK]"))
        writer.add_mask_token_id(tokenizer.token_to_id("[MASK]"))

    write_tokenizer("bert-lower" if lower_case else "bert-cased", add)
    return [tokenizer.encode(text).ids for text in TEXTS]


def write_sentence_pieces():
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(LEARNED), model_writer=model, vocab_size=340, model_type="bpe", byte_fallback=True,
        character_coverage=1.0, normalization_rule_name="identity", remove_extra_whitespaces=False,
        hard_vocab_limit=False, user_defined_symbols=["<|end|>"], minloglevel=2)
    pieces = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    kind = lambda i: (gguf.TokenType.UNKNOWN if pieces.is_unknown(i) else gguf.TokenType.CONTROL if pieces.is_control(i)
                      else gguf.TokenType.BYTE if pieces.is_byte(i)
                      else gguf.TokenType.USER_DEFINED if pieces.id_to_piece(i) == "<|end|>" else gguf.TokenType.NORMAL)

    def add(writer):
        writer.add_tokenizer_model("llama")
        writer.add_token_list([pieces.id_to_piece(i) for i in range(len(pieces))])
        writer.add_token_scores([pieces.get_score(i) for i in range(len(pieces))])
        writer.add_token_types([kind(i) for i in range(len(pieces))])
        writer.add_bos_token_id(pieces.bos_id())
        writer.add_eos_token_id(pieces.eos_id())
        writer.add_unk_token_id(pieces.unk_id())

    write_tokenizer("llama", add)

    def encode(text):
        """As llama.cpp: the text between user-defined tokens begins with a space each time."""
        ids = [pieces.bos_id()]
        for fragment in re.split(r"(<\|end\|>)", text):
            ids += [pieces.piece_to_id(fragment)] if fragment == "<|end|>" else pieces.encode(fragment)
        return ids

    return [encode(text) for text in TEXTS]


def write_unigrams(name, wraps):
    """Unigrams; `wraps`: with XLM-RoBERTa's ends of a text and a table that normalises it, else with T5's end."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(LEARNED), model_writer=model, vocab_size=120, model_type="unigram",
        character_coverage=1.0, normalization_rule_name="nmt_nfkc" if wraps else "identity",
        hard_vocab_limit=False, pad_id=3,
        user_defined_symbols=["<|end|>"], minloglevel=2)
    proto = sentencepiece_model_pb2.ModelProto.FromString(model.getvalue())
    pieces = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())

    def add(writer):
        writer.add_tokenizer_model("t5")
        writer.add_token_list([piece.piece for piece in proto.pieces])
        writer.add_token_scores([piece.score for piece in proto.pieces])
        writer.add_token_types([gguf.TokenType(piece.type) for piece in proto.pieces])
        writer.add_add_space_prefix(True)
        writer.add_remove_extra_whitespaces(proto.normalizer_spec.remove_extra_whitespaces)
        if wraps:
            writer.add_precompiled_charsmap(proto.normalizer_spec.precompiled_charsmap)
        writer.add_bos_token_id(pieces.bos_id())
        writer.add_eos_token_id(pieces.eos_id())
        writer.add_unk_token_id(pieces.unk_id())
        if wraps:
            writer.add_add_bos_token(True)
            writer.add_add_eos_token(True)

    write_tokenizer(name, add)

    def encode(text):
        ids = [pieces.bos_id()] if wraps else []
        for fragment in re.split(r"(<\|end\|>)", text):
            ids += [pieces.piece_to_id(fragment)] if fragment == "<|end|>" else pieces.encode(fragment)
        return ids + [pieces.eos_id()]

    return [encode(text) for text in TEXTS]


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    for name in ARCHITECTURES:
        rewrite(name, f"{name}.gguf")
    containers()
    quantised_experts()
    formats()
    ids = {pre: write_byte_pairs(pre) for pre in BYTE_PAIRS}
    ids["llama"] = write_sentence_pieces()
    ids["t5"], ids["xlm-roberta"] = write_unigrams("t5", False), write_unigrams("xlm-roberta", True)
    ids["bert-lower"], ids["bert-cased"] = write_word_pieces(True), write_word_pieces(False)
    (FOLDER / "tokenizers.json").write_text(json.dumps({"texts": TEXTS, "ids": ids}, indent=1) + "\n")


if __name__ == "__main__":
    main()
