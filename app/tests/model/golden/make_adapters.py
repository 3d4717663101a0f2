#!/usr/bin/env python3
"""Makes adapters/: LoRA adapters as PEFT writes them, for checkpoints of this folder, with what PEFT computes.

Each folder has adapter_config.json and adapter_model.safetensors, whose base_model_name_or_path leads to the base, and
golden.safetensors: what the base with the adapter computes for a text of 9 tokens, named as in make_models.py.
Needs torch, transformers and peft from PyPI.
"""

import json
import shutil
import warnings
from pathlib import Path

import peft
import torch
import transformers as hf
from make_models import forward, named, random_ids, save
from safetensors.torch import load_file

HERE = Path(__file__).resolve().parent
OUT = HERE / "adapters"
ADAPTERS = {
    "plain": ("llama", dict(r=4, lora_alpha=8, target_modules=["q_proj", "v_proj"])),
    "patterns": ("llama", dict(
        r=2, lora_alpha=3, use_rslora=True, target_modules="all-linear",
        rank_pattern={"mlp.down_proj": 4, r"layers\.1\.self_attn\.q_proj": 3}, alpha_pattern={"up_proj|o_proj": 5})),
    "conv1d": ("gpt2", dict(r=2, lora_alpha=4, fan_in_fan_out=True, bias="all",
                            target_modules=["c_attn", "c_proj", "c_fc"])),
    "embeddings": ("llama-linear", dict(r=2, lora_alpha=4, target_modules=["embed_tokens", "k_proj"])),
    "read-out": ("llama-linear", dict(r=2, lora_alpha=2, target_modules=["gate_proj"], modules_to_save=["lm_head"])),
    "on-nf4": ("quantised/nf4", dict(r=2, lora_alpha=4, target_modules=["k_proj", "down_proj"])),
}


def base_model(name):
    """In float32; a quantised one with its widened weights."""
    folder = HERE / name
    if name.startswith("quantised/"):
        config = json.loads((folder / "config.json").read_text())
        del config["quantization_config"]
        model = hf.AutoModelForCausalLM.from_config(hf.AutoConfig.for_model(**config), attn_implementation="eager")
        tensors = load_file(folder / "model.safetensors") | load_file(folder / "widened.safetensors")
        known = model.state_dict()
        model.load_state_dict({key: tensor.float() for key, tensor in tensors.items() if key in known})
        return model.float()
    return hf.AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32)


def make(name, base, settings):
    random = torch.Generator().manual_seed(len(name))
    torch.manual_seed(0)
    model = peft.get_peft_model(base_model(base), peft.LoraConfig(task_type="CAUSAL_LM", **settings)).eval()
    for key, parameter in model.named_parameters():
        if parameter.requires_grad:
            noise = torch.randn(parameter.shape, generator=random)
            parameter.data.copy_(noise * (0.3 if "lora_" in key else 0.5))
    folder = OUT / name
    shutil.rmtree(folder, ignore_errors=True)
    model.peft_config["default"].base_model_name_or_path = "../" + base
    model.save_pretrained(folder)
    (folder / "README.md").unlink(missing_ok=True)
    save(load_file(folder / "adapter_model.safetensors"), folder / "adapter_model.safetensors")
    ids = random_ids(random, 9, model.config.vocab_size)
    save({"input_ids": ids[0], **named(forward(model.double(), input_ids=ids))}, folder / "golden.safetensors")


def main():
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    for name, (base, settings) in ADAPTERS.items():
        make(name, base, settings)


if __name__ == "__main__":
    main()
