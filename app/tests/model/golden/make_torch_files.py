#!/usr/bin/env python3
"""Rewrites the GPT-2 and a part of the Llama checkpoint as torch.save writes them, today and before PyTorch 1.6.

torch/zip.bin, torch/legacy.bin: gpt2's tensors, some as views of others: a transposed one, two in one storage.
Needs safetensors and torch from PyPI.
"""

from pathlib import Path

from safetensors.torch import load_file
import torch

HERE = Path(__file__).parent


def main():
    (HERE / "torch").mkdir(exist_ok=True)
    tensors = load_file(HERE / "gpt2" / "model.safetensors")
    names = sorted(tensors)
    matrix = next(name for name in names if name.endswith("c_attn.weight"))
    tensors[matrix] = tensors[matrix].t().contiguous().t()  # lies in the file by columns
    rows = [name for name in names if tensors[name].dim() == 1][:2]
    together = torch.cat([tensors[name] for name in rows])
    first = tensors[rows[0]].numel()
    tensors[rows[0]], tensors[rows[1]] = together[:first], together[first:]
    torch.save(tensors, HERE / "torch" / "zip.bin")
    torch.save(tensors, HERE / "torch" / "legacy.bin", _use_new_zipfile_serialization=False)


if __name__ == "__main__":
    main()
