#!/usr/bin/env python3
"""Compares networks that the program trains with what transformers makes of their folders.

    python3 compare_trained_with_transformers.py build/release/bin/attention-lab

Trains one network of each kind for a few steps, opens its folder with AutoModelForCausalLM and
AutoTokenizer, and compares ids, attention of all heads and logits with those of the program. Needs
torch and transformers.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

TEXT = "It's a small, “well-known” tale of a cat. The cat sat; the dog did not, and it was a long tale. "
RUNS = [
    ("repeat", [], "h c m f a h c m"),
    ("repeat", ["--mlp"], "hcmfa hcm"),
    ("repeat", ["--positions", "rotary"], "h c m f a h c m"),
    ("repeat", ["--positions", "rotary", "--mlp", "--d-k", "6"], "h c m f a h c m"),
    ("repeat", ["--d-k", "8", "--layers", "3"], "h c m f a h c m"),
    ("brackets", [], "([{}])([]"),
    ("sort", ["--mlp"], "d a c b | a b"),
    ("text", ["--text", TEXT * 3], "The “cat” sat, and an elephant did not"),
]
LARGEST = 1e-5


def difference(program, task, options, text, folder):
    command = [program, "train", task, "--steps", "40", "-o", folder, *options]
    subprocess.run(command, check=True, capture_output=True)
    answer = Path(folder) / "answer.npz"
    subprocess.run([program, "compute", folder, "--text", text, "-o", answer], check=True)
    ours = np.load(answer)
    model = AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager").eval()
    ids = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")["input_ids"]
    with torch.no_grad():
        theirs = model(ids, output_attentions=True)
    assert ours["input_ids"].ravel().astype(int).tolist() == ids[0].tolist(), "other tokens"
    attention = max(np.abs(ours[f"attention.{i}"] - layer[0].numpy()).max()
                    for i, layer in enumerate(theirs.attentions))
    return attention, np.abs(ours["logits"] - theirs.logits[0].numpy()).max()


def main():
    program, worst = sys.argv[1], 0
    print(f"{'attention':>9} {'logits':>9}  largest difference")
    for task, options, text in RUNS:
        with tempfile.TemporaryDirectory() as folder:
            attention, logits = difference(program, task, options, text, folder)
        print(f"{attention:9.1e} {logits:9.1e}  {task} {' '.join(o for o in options if len(o) < 40)}")
        worst = max(worst, attention, logits)
    sys.exit(f"more than {LARGEST}" if worst > LARGEST else 0)


if __name__ == "__main__":
    main()
