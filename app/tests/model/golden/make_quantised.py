#!/usr/bin/env python3
"""Makes quantised/: tiny checkpoints whose linear maps are stored quantised, with what other programs make of them.

Each folder has config.json and model.safetensors as such checkpoints have them; widened.safetensors, the linear maps
as the reference widens them, in its type; golden.safetensors, what transformers computes with those in float32, named
as in make_models.py, for one text of 9 tokens. The reference is a package's own function on a CPU where there is one:
transformers (Fp8Dequantize), compressed_tensors (decompress), bitsandbytes (dequantize_4bit, int8_vectorwise_dequant).
GPTQ, AWQ, fbgemm and blocks that do not fill a matrix are written down here from the description of the format (the first
two agree with what AutoGPTQ 0.7 and AutoAWQ 0.2 make of the files).
quantised-experts/mxfp4: a gpt-oss, whose experts are random blocks; transformers (convert_moe_packed_tensors) widens
them.
Needs torch, transformers, compressed_tensors and bitsandbytes from PyPI.
"""

import json
import shutil
from pathlib import Path

import bitsandbytes.functional as bnb
import numpy as np
import torch
import transformers as hf
from bitsandbytes.backends.default.ops import _dequantize_4bit_compute
from compressed_tensors.compressors import BaseCompressor
from compressed_tensors.quantization import QuantizationArgs, QuantizationScheme
from make_models import forward, named, random_ids, save, shake
from transformers.integrations.finegrained_fp8 import Fp8Dequantize
from transformers.integrations.mxfp4 import convert_moe_packed_tensors

OUT = Path(__file__).resolve().parent / "quantised"
F16, BF16, F32, F8 = torch.float16, torch.bfloat16, torch.float32, torch.float8_e4m3fn
VOCABULARY, GROUP = 37, 16
MOST_FLOAT8 = 448.0


def in_words(numbers, bits, dim):
    """Whole numbers packed into words of 32 bits along a dimension, the first in the lowest bits."""
    numbers = np.moveaxis(np.asarray(numbers, dtype=np.uint32), dim, -1)
    parts = numbers.reshape(*numbers.shape[:-1], -1, 32 // bits)
    words = (parts << (np.arange(32 // bits, dtype=np.uint32) * bits)).sum(-1, dtype=np.uint32)
    return torch.from_numpy(np.moveaxis(words, -1, dim).astype(np.int64).astype(np.int32).copy())


def with_zeros(weight, groups, bits):
    """[in × out] as whole numbers, with scales in float16 and zeros for each group of inputs."""
    count = int(max(groups)) + 1
    scales, zeros = np.zeros((count, weight.shape[1]), np.float16), np.zeros((count, weight.shape[1]), np.int64)
    numbers = np.zeros(weight.shape, np.int64)
    most = 2 ** bits - 1
    for group in range(count):
        rows = groups == group
        low, high = np.minimum(weight[rows].min(0), 0), np.maximum(weight[rows].max(0), 0)
        scales[group] = ((high - low) / most).astype(np.float16)
        zeros[group] = np.clip(np.rint(-low / scales[group]), 1, most)
        numbers[rows] = np.clip(np.rint(weight[rows] / scales[group]) + zeros[group], 0, most)
    return numbers, scales, zeros


def widened_groups(numbers, scales, zeros, groups):
    """(number − zero) · scale in float16, as [out × in]."""
    return torch.from_numpy(((numbers - zeros[groups]).astype(np.float16) * scales[groups]).T.copy())


def gptq(bits, version, ordered):
    config = {"quant_method": "gptq", "bits": bits, "group_size": GROUP, "desc_act": not ordered, "sym": False,
              "checkpoint_format": version}

    def store(name, weight, random):
        weight = weight.T.numpy()
        order = np.arange(len(weight)) if ordered else torch.randperm(len(weight), generator=random).numpy()
        groups = np.empty(len(weight), np.int64)
        groups[order] = np.arange(len(weight)) // GROUP
        numbers, scales, zeros = with_zeros(weight, groups, bits)
        tensors = {"qweight": in_words(numbers, bits, 0), "scales": torch.from_numpy(scales),
                   "qzeros": in_words(zeros - (version == "gptq"), bits, 1),
                   "g_idx": torch.from_numpy(groups.astype(np.int32))}
        return tensors, widened_groups(numbers, scales, zeros, groups)
    return config, F16, store


def awq():
    config = {"quant_method": "awq", "bits": 4, "group_size": GROUP, "version": "gemm", "zero_point": True}

    def in_turns(numbers):
        """The outputs of a word lie in it in the order 0 2 4 6 1 3 5 7."""
        eights = numbers.reshape(len(numbers), -1, 8)[:, :, [0, 2, 4, 6, 1, 3, 5, 7]]
        return in_words(eights.reshape(len(numbers), -1), 4, 1)

    def store(name, weight, random):
        weight = weight.T.numpy()
        groups = np.arange(len(weight)) // GROUP
        numbers, scales, zeros = with_zeros(weight, groups, 4)
        tensors = {"qweight": in_turns(numbers), "qzeros": in_turns(zeros), "scales": torch.from_numpy(scales)}
        return tensors, widened_groups(numbers, scales, zeros, groups)
    return config, F16, store


def float8(weight, height, width):
    """E4M3 numbers and the scales of blocks; at the edges a block may be smaller."""
    rows, columns = weight.shape
    scales = torch.empty(-(-rows // height), -(-columns // width))
    numbers = torch.empty(weight.shape, dtype=F8)
    for i in range(scales.shape[0]):
        for j in range(scales.shape[1]):
            block = np.s_[i * height:(i + 1) * height, j * width:(j + 1) * width]
            scales[i, j] = weight[block].abs().max() / MOST_FLOAT8
            numbers[block] = (weight[block] / scales[i, j]).to(F8)
    return numbers, scales


def spread(scales, shape, height, width):
    """Scales of blocks as a matrix of that shape."""
    return scales.repeat_interleave(height, 0).repeat_interleave(width, 1)[:shape[0], :shape[1]]


def fp8(block, by_transformers=True):
    config = {"quant_method": "fp8", "activation_scheme": "dynamic" if block else "static", "weight_block_size": block}

    def store(name, weight, random):
        height, width = block or weight.shape
        numbers, scales = float8(weight, height, width)
        if block:
            tensors = {"weight": numbers, "weight_scale_inv": scales}
        else:
            tensors = {"weight": numbers, "weight_scale_inv": scales.reshape(()), "activation_scale": torch.ones(())}
        if by_transformers:
            return tensors, Fp8Dequantize(None)._dequantize_one(numbers, scales, BF16)
        return tensors, (numbers.to(F32) * spread(scales, weight.shape, height, width)).to(BF16)
    return config, BF16, store


def fbgemm():
    config = {"quant_method": "fbgemm_fp8", "activation_scale_ub": 1200.0}

    def store(name, weight, random):
        numbers, scales = float8(weight, 1, weight.shape[1])
        tensors = {"weight": numbers, "weight_scale": scales, "input_scale_ub": torch.tensor([1200.0])}
        return tensors, numbers.to(F32) * scales
    return config, BF16, store


def compressed(layout, scale_type, zeros=None, activations=None, **weights):
    """As compressed_tensors compresses and decompresses a module; `zeros` makes the scales asymmetric."""
    arguments = QuantizationArgs(symmetric=zeros is None, **weights)
    scheme = QuantizationScheme(targets=["Linear"], weights=arguments,
                                input_activations=activations and QuantizationArgs(**activations))
    config = {"quant_method": "compressed-tensors", "format": layout, "quantization_status": "compressed",
              "ignore": ["lm_head"], "config_groups": {"group_0": {
                  "targets": ["Linear"], "weights": {"symmetric": zeros is None, **weights},
                  "input_activations": activations}}}
    most = MOST_FLOAT8 if weights["type"] == "float" else 2 ** (weights["num_bits"] - 1) - 1

    def store(name, weight, random):
        height, width = {"group": (1, weights.get("group_size")), "channel": (1, weight.shape[1]),
                         "tensor": weight.shape, "block": weights.get("block_structure")}[weights["strategy"]]
        shape = -(-weight.shape[0] // height), -(-weight.shape[1] // width)
        scales = torch.empty(shape)
        for i in range(shape[0]):
            for j in range(shape[1]):
                scales[i, j] = weight[i * height:(i + 1) * height, j * width:(j + 1) * width].abs().max() / most
        state = {"weight": weight.to(scale_type), "weight_scale": scales.to(scale_type)}
        if zeros is not None:
            state["weight_zero_point"] = torch.randint(-zeros, zeros + 1, shape, generator=random, dtype=torch.int8)
        method = BaseCompressor.get_value_from_registry(layout)
        stored = method.compress(state, scheme)
        return dict(stored), method.decompress(stored, scheme)["weight"]
    return config, BF16, store


def bitsandbytes_4(kind, nested, dtype):
    config = {"quant_method": "bitsandbytes", "load_in_4bit": True, "load_in_8bit": False, "bnb_4bit_quant_type": kind,
              "bnb_4bit_use_double_quant": nested, "bnb_4bit_compute_dtype": str(dtype).split(".")[1]}

    def store(name, weight, random):
        packed, state = bnb.quantize_4bit(weight.to(dtype), blocksize=64, compress_statistics=nested, quant_type=kind)
        magnitudes = state.absmax
        if nested:
            magnitudes = bnb.dequantize_blockwise(state.absmax, state.state2) + state.offset
        # Not the kernel for CPUs, which takes every row as whole blocks.
        widened = _dequantize_4bit_compute(packed.reshape(-1), magnitudes, bnb.get_4bit_type(kind, "cpu"), 64, weight.shape,
                                           dtype)
        return {"weight": packed, **{f"weight.{key}": t for key, t in state.as_dict(packed=True).items()}}, widened
    return config, dtype, store


def bitsandbytes_8():
    config = {"quant_method": "bitsandbytes", "load_in_8bit": True, "load_in_4bit": False}

    def store(name, weight, random):
        magnitudes = weight.to(F16).float().abs().max(1).values
        numbers = (weight.to(F16).float() * (127 / magnitudes[:, None])).round().to(torch.int8)
        tensors = {"weight": numbers, "SCB": magnitudes, "weight_format": torch.tensor(0, dtype=torch.uint8)}
        return tensors, bnb.int8_vectorwise_dequant(numbers, magnitudes)
    return config, F16, store


GROUPS = dict(strategy="group", group_size=GROUP)
FORMS = {
    "fp8-blocks": fp8([16, 16]),
    "fp8-whole": fp8(None),
    "fp8-uneven": fp8([32, 24], by_transformers=False),
    "fbgemm-fp8": fbgemm(),
    "gptq-4": gptq(4, "gptq", ordered=False),
    "gptq-8": gptq(8, "gptq_v2", ordered=True),
    "awq": awq(),
    "nf4": bitsandbytes_4("nf4", True, BF16),
    "fp4": bitsandbytes_4("fp4", False, F16),
    "int8": bitsandbytes_8(),
    "packed-4": compressed("pack-quantized", BF16, zeros=3, num_bits=4, type="int", **GROUPS),
    "packed-8": compressed("pack-quantized", F16, num_bits=8, type="int", strategy="channel"),
    "int-quantized": compressed("int-quantized", BF16, num_bits=8, type="int", strategy="channel", activations=dict(
        num_bits=8, type="int", strategy="token", dynamic=True)),
    "float-channels": compressed("float-quantized", BF16, num_bits=8, type="float", strategy="channel"),
    "float-blocks": compressed("float-quantized", F32, num_bits=8, type="float", strategy="block",
                               block_structure=[16, 24]),
}


def tiny_model(name):
    settings = dict(vocab_size=VOCABULARY, hidden_size=16, intermediate_size=48, num_hidden_layers=1,
                    num_attention_heads=2, num_key_value_heads=1, head_dim=8, max_position_embeddings=64,
                    tie_word_embeddings=False, attn_implementation="eager")
    if name == "fp8-blocks":
        return hf.Qwen3ForCausalLM(hf.Qwen3Config(**settings))
    return hf.LlamaForCausalLM(hf.LlamaConfig(**settings))


def make(name, config, dtype, store):
    random = torch.Generator().manual_seed(len(name))
    model = tiny_model(name).eval()
    shake(model, dtype, random)
    stored, widened = {}, {}
    for key, weight in model.state_dict().items():
        module = key.removesuffix(".weight")
        if key.startswith("model.layers.") and module.endswith("_proj"):
            tensors, widened[key] = store(module, weight.float().clone(), random)
            stored.update({f"{module}.{ending}": tensor for ending, tensor in tensors.items()})
        else:
            stored[key] = weight.to(dtype)
    model.load_state_dict({key: t.float() for key, t in (stored | widened).items() if key in model.state_dict()})
    write_folder(OUT / name, model.double(), dtype, config, stored, widened, random)


def make_mxfp4():
    """A gpt-oss of one layer, of which each expert has blocks with several powers of two."""
    random = torch.Generator().manual_seed(5)
    model = hf.GptOssForCausalLM(hf.GptOssConfig(
        vocab_size=VOCABULARY, hidden_size=64, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=1, head_dim=8, num_local_experts=3, num_experts_per_tok=2, max_position_embeddings=64,
        rope_parameters={"rope_type": "default", "rope_theta": 100.0}, attn_implementation="eager",
        experts_implementation="eager")).eval()
    shake(model, BF16, random)
    stored, widened = {}, {}
    for key, weight in model.state_dict().items():
        if not key.endswith(("experts.gate_up_proj", "experts.down_proj")):
            stored[key] = weight.to(BF16)
            continue
        experts, ins, outs = weight.shape
        blocks = torch.randint(0, 256, (experts, outs, ins // 32, 16), generator=random, dtype=torch.uint8)
        scales = torch.randint(119, 126, blocks.shape[:3], generator=random, dtype=torch.uint8)
        stored |= {f"{key}_blocks": blocks, f"{key}_scales": scales}
        widened[key] = convert_moe_packed_tensors(blocks, scales)
    model.load_state_dict({key: t.float() for key, t in (stored | widened).items() if key in model.state_dict()})
    write_folder(OUT.parent / "quantised-experts" / "mxfp4", model.double(), BF16, {
        "quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn", "model.layers.*.mlp.router",
                                                            "model.embed_tokens", "lm_head"]}, stored, widened, random)


def write_folder(folder, model, dtype, config, stored, widened, random):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    written = model.config.to_dict() | {"dtype": str(dtype).split(".")[1], "quantization_config": config}
    written = {key: value for key, value in written.items() if value is not None and not key.startswith("_")}
    (folder / "config.json").write_text(json.dumps(written, indent=2, sort_keys=True) + "\n")
    save(stored, folder / "model.safetensors")
    save(widened, folder / "widened.safetensors")
    ids = random_ids(random, 9, VOCABULARY)
    save({"input_ids": ids[0], **named(forward(model, input_ids=ids))}, folder / "golden.safetensors")


def main():
    torch.set_num_threads(1)
    for name, form in FORMS.items():
        make(name, *form)
    make_mxfp4()


if __name__ == "__main__":
    main()
