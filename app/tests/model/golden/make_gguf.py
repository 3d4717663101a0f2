"""Writes gguf/: the checkpoints here as GGUF files, blocks of each quantised format, and tokenizers.

    python3 make_gguf.py

NAME.gguf holds the weights of NAME/ with the names and conventions of llama.cpp's converter, written by the gguf
package: rows of Q and K reordered for pairs that lie side by side (llama, smollm3, granite), 1 added to Gemma's norms,
GPT-2's maps transposed. What it computes is NAME/golden.safetensors. Gemma's query_pre_attn_scalar, for which GGUF has no
key, is put into the weights of the queries. llama-version-2.gguf, llama-big-endian.gguf and llama-split-0000N-of-00003.gguf
hold the same as llama.gguf in other containers.
formats.safetensors: FORMAT.blocks [rows × bytes], random blocks, and FORMAT.values [rows × numbers], what the gguf package
makes of them.
tokenizer-NAME.gguf hold only the metadata of a tokenizer; tokenizers.json what the reference makes of some texts with
each: `tokenizers` for byte pairs, `sentencepiece` for llama.
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
from make_models import OUT, save
from safetensors.torch import load_file
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
import torch

FOLDER = OUT / "gguf"
ARCHITECTURES = {
    "llama": "LLAMA", "llama-untied": "LLAMA", "llama-llama3": "LLAMA", "llama-linear": "LLAMA", "mistral": "LLAMA",
    "qwen2": "QWEN2", "qwen3": "QWEN3", "smollm3": "SMOLLM3", "granite": "GRANITE",
    "glm4": "GLM4", "cohere": "COMMAND_R", "cohere2": "COHERE2", "phi": "PHI2", "phi3": "PHI3",
    "phi3-longrope": "PHI3", "stablelm": "STABLELM", "stablelm-parallel": "STABLELM", "starcoder2": "STARCODER2",
    "gemma": "GEMMA", "gemma2": "GEMMA2", "gemma3": "GEMMA3", "gpt2": "GPT2"}
REORDERED = ("LLAMA", "SMOLLM3", "GRANITE")
ROWS = 3  # of blocks of each format


def side_by_side(rows, heads):
    """Rows of each head in the order 0, d/2, 1, d/2 + 1 …"""
    return rows.reshape(heads, 2, rows.shape[0] // heads // 2, -1).swapaxes(1, 2).reshape(rows.shape)


def add_sizes(writer, config):
    get = lambda *names: next((config[name] for name in names if config.get(name) is not None), None)
    width, heads = get("hidden_size", "n_embd"), get("num_attention_heads", "n_head")
    head = config.get("head_dim") or width // heads
    rope = config.get("rope_parameters") or {}
    sliding = rope.get("sliding_attention")
    rope = rope.get("full_attention", rope)
    writer.add_context_length(get("max_position_embeddings", "n_positions"))
    writer.add_embedding_length(width)
    writer.add_block_count(get("num_hidden_layers", "n_layer"))
    writer.add_feed_forward_length(get("intermediate_size", "n_inner"))
    writer.add_head_count(heads)
    writer.add_head_count_kv(get("num_key_value_heads") or heads)
    writer.add_key_length(head)
    writer.add_value_length(head)
    for key, add in {"rms_norm_eps": writer.add_layer_norm_rms_eps, "layer_norm_eps": writer.add_layer_norm_eps,
                     "layer_norm_epsilon": writer.add_layer_norm_eps, "norm_epsilon": writer.add_layer_norm_eps,
                     "embedding_multiplier": writer.add_embedding_scale, "residual_multiplier": writer.add_residual_scale,
                     "attention_multiplier": writer.add_attention_scale, "logits_scaling": writer.add_logit_scale,
                     "attn_logit_softcapping": writer.add_attn_logit_softcapping,
                     "final_logit_softcapping": writer.add_final_logit_softcapping,
                     "logit_scale": writer.add_logit_scale, "use_parallel_residual": writer.add_parallel_residual}.items():
        if config.get(key) is not None:
            add(config[key])
    if config.get("sliding_window") and config.get("use_sliding_window", True):
        writer.add_sliding_window(config["sliding_window"])
    if not rope:
        return
    writer.add_rope_freq_base(rope["rope_theta"])
    writer.add_rope_dimension_count(int(head * rope.get("partial_rotary_factor", 1)))
    if sliding:
        writer.add_float32(f"{writer.arch}.rope.freq_base_swa", sliding["rope_theta"])
    if rope["rope_type"] == "linear":
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(rope["factor"])
    if rope["rope_type"] == "longrope":
        original = config["original_max_position_embeddings"]
        factor = config["max_position_embeddings"] / original
        writer.add_rope_scaling_orig_ctx_len(original)
        writer.add_rope_scaling_attn_factors(float(numpy.sqrt(1 + numpy.log(factor) / numpy.log(original))))


def rotary_tensors(config):
    """The tensors with factors of frequencies."""
    rope = config.get("rope_parameters") or {}
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
    if architecture == "GPT2" and tensor.ndim == 2 and ".h." in name:
        tensor = tensor.T
    if architecture.startswith("GEMMA") and name.endswith("norm.weight"):
        tensor = tensor + 1
    query = ".q_norm." if architecture == "GEMMA3" else ".q_proj."
    if architecture in ("GEMMA2", "GEMMA3") and query in name:
        tensor = tensor * (config["head_dim"] / config["query_pre_attn_scalar"]) ** 0.5
    return numpy.ascontiguousarray(tensor, dtype=numpy.float32)


def write(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def rewrite(name, file, **options):
    architecture = ARCHITECTURES[name]
    config = json.loads((OUT / name / "config.json").read_text())
    enum = gguf.MODEL_ARCH[architecture]
    names = gguf.get_tensor_name_map(enum, config.get("num_hidden_layers") or config.get("n_layer"))
    writer = gguf.GGUFWriter(str(FOLDER / file), gguf.MODEL_ARCH_NAMES[enum], **options)
    add_sizes(writer, config)
    for key, tensor in rotary_tensors(config).items():
        writer.add_tensor(key, tensor)
    for key, tensor in load_file(OUT / name / "model.safetensors").items():
        bits = CHECKPOINTS[name].stored
        numbers = stored(key, tensor.float().numpy(), architecture, config)
        new = names.get_name(key, try_suffixes=(".weight", ".bias"))
        if bits == torch.float16 and numbers.ndim == 2 and architecture not in REORDERED:
            writer.add_tensor(new, numbers.astype(numpy.float16))
        elif bits == torch.bfloat16 and numbers.ndim == 2 and not architecture.startswith("GEMMA"):
            data = gguf.quants.quantize(numbers, gguf.GGMLQuantizationType.BF16)
            writer.add_tensor(new, data, raw_dtype=gguf.GGMLQuantizationType.BF16)
        else:
            writer.add_tensor(new, numbers)
    write(writer)


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
         "Naïve café — 猫が座った 🙂 ﬁ e\u0301", "<|end|>a<|end|> b", "<0x41> ▁ ▁▁x", "a_b(c[0])\r\n\r\n  return x2;"]
LEARNED = ["The cat sat on the mat and the other cats sat there too.", "They don't sit; they'll stand in the café.",
           "numbers like 1 22 333 4444 55555 and 2026", "def f(x):\n    return x[0] + 1\n", "Naïve naïve café 猫 座った"] * 3
LLAMA_BPE = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
QWEN2 = LLAMA_BPE.replace(r"\p{N}{1,3}", r"\p{N}")


def byte_pairs(pre):
    """The tokenizer that the models have whose files say `pre`."""
    tokenizer = Tokenizer(models.BPE(ignore_merges=pre == "llama-bpe"))
    bytes_ = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=pre in ("gpt-2", "smollm"))
    pattern = {"llama-bpe": LLAMA_BPE, "qwen2": QWEN2}.get(pre)
    if pattern:
        bytes_ = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), "isolated"), bytes_])
    if pre == "smollm":
        bytes_ = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), bytes_])
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


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    for name in ARCHITECTURES:
        rewrite(name, f"{name}.gguf")
    containers()
    formats()
    ids = {pre: write_byte_pairs(pre) for pre in ("gpt-2", "llama-bpe", "qwen2", "smollm")}
    ids["llama"] = write_sentence_pieces()
    (FOLDER / "tokenizers.json").write_text(json.dumps({"texts": TEXTS, "ids": ids}, indent=1) + "\n")


if __name__ == "__main__":
    main()
