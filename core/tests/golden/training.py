"""Golden loss curves of small networks that PyTorch trains: training.json.

The batches and the first numbers are the trainer's, computed here from their definitions: random
numbers of splitmix64, the tasks "repeat" and "sort", embeddings about N(0, 1) and weights uniform in
±1 / √in. Network, gradients (autograd) and Adam are PyTorch's, in float32.

Needs numpy and torch: python3 training.py [OUT_DIR]
"""
import json
import math
import sys
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

HERE = Path(__file__).parent
OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
MASK = (1 << 64) - 1
STEPS = 200


class Random:
    """splitmix64 (Steele, Lea, Flood 2014)."""

    def __init__(self, seed):
        self.state = seed & MASK

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, count):
        return self.next() % count

    def uniform(self):
        return (self.next() >> 40) * 2.0**-24

    def normal(self):
        return (sum(self.next() >> 40 for _ in range(12)) - (6 << 24)) * 2.0**-24


def seed_of(seed, step, row):
    of_step = Random(Random(seed).next() ^ step).next()
    return Random(of_step ^ row).next()


def repeat(random, o):
    """ids, one more than the length: a period of letters again and again."""
    period = o["shortest_period"] + random.below(o["longest_period"] - o["shortest_period"] + 1)
    ids = []
    for i in range(o["length"] + 1):
        ids.append(random.below(o["vocabulary"]) if i < period else ids[i - period])
    return ids


def sort(random, o):
    """Letters, a bar, and the letters in order."""
    letters = [random.below(o["vocabulary"]) for _ in range(o["length"] // 2)]
    return letters + [o["vocabulary"]] + sorted(letters)


TASKS = {"repeat": repeat, "sort": sort}


def batch(o, step):
    ids = torch.tensor([TASKS[o["task"]](Random(seed_of(o["seed"], step, row)), o)
                        for row in range(o["batch"])])
    return ids[:, :-1], ids[:, 1:]


def first_numbers(o, tokens):
    """The parameters by name, in the order in which they are drawn."""
    random = Random(o["seed"])
    d, width = o["d_model"], o["heads"] * o["d_k"]

    def normal(rows, cols):
        return [[random.normal() for _ in range(cols)] for _ in range(rows)]

    def uniform(rows, cols):
        bound = np.float32(1) / np.sqrt(np.float32(rows))
        return [[bound * np.float32(2 * random.uniform() - 1) for _ in range(cols)] for _ in range(rows)]

    numbers = {"tokens": normal(tokens, d)}
    if o["positions"] == "learned":
        numbers["positions"] = normal(o["length"], d)
    for layer in range(o["layers"]):
        def add(name, values):
            numbers[f"{layer}.{name}"] = values
        add("norm.weight", [1.0] * d), add("norm.bias", [0.0] * d)
        add("qkv", uniform(d, 3 * width)), add("qkv.bias", [0.0] * 3 * width)
        add("output", uniform(width, d)), add("output.bias", [0.0] * d)
        if not o["mlp"]:
            continue
        add("mlp_norm.weight", [1.0] * d), add("mlp_norm.bias", [0.0] * d)
        add("up", uniform(d, 4 * d)), add("up.bias", [0.0] * 4 * d)
        add("down", uniform(4 * d, d)), add("down.bias", [0.0] * d)
    numbers |= {"norm.weight": [1.0] * d, "norm.bias": [0.0] * d, "read_out": uniform(d, tokens)}
    return {name: torch.tensor(np.array(values, np.float32), requires_grad=True)
            for name, values in numbers.items()}


def rotated(x):
    """Pairs (i, i + d_k / 2) of x [..., n, d_k] turned by position · 10 000^(−2i / d_k)."""
    n, d_k = x.shape[-2:]
    frequencies = torch.tensor([10000 ** (-2 * i / d_k) for i in range(d_k // 2)])
    angles = torch.arange(n)[:, None] * frequencies
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., : d_k // 2], x[..., d_k // 2:]
    return torch.cat([a * cos - b * sin, a * sin + b * cos], -1)


def logits(o, p, ids):
    d, heads, d_k = o["d_model"], o["heads"], o["d_k"]
    n = ids.shape[1]

    def norm(x, name):
        return functional.layer_norm(x, (d,), p[name + ".weight"], p[name + ".bias"])

    def split(x):
        return x.view(*x.shape[:2], heads, d_k).transpose(1, 2)

    x = p["tokens"][ids]
    if o["positions"] == "learned":
        x = x + p["positions"][:n]
    future = torch.ones(n, n).triu(1).bool()
    for layer in range(o["layers"]):
        at = f"{layer}."
        q, k, v = map(split, (norm(x, at + "norm") @ p[at + "qkv"] + p[at + "qkv.bias"]).chunk(3, -1))
        if o["positions"] == "rotary":
            q, k = rotated(q), rotated(k)
        weights = (q @ k.transpose(-1, -2) / math.sqrt(d_k)).masked_fill(future, -math.inf).softmax(-1)
        concat = (weights @ v).transpose(1, 2).flatten(2)
        x = x + concat @ p[at + "output"] + p[at + "output.bias"]
        if o["mlp"]:
            inner = norm(x, at + "mlp_norm") @ p[at + "up"] + p[at + "up.bias"]
            x = x + functional.gelu(inner, approximate="tanh") @ p[at + "down"] + p[at + "down.bias"]
    return norm(x, "norm") @ p["read_out"]


def curve(o):
    tokens = o["vocabulary"] + (o["task"] == "sort")
    parameters = first_numbers(o, tokens)
    adam = torch.optim.Adam(parameters.values(), lr=o["learning_rate"])
    losses = []
    for step in range(STEPS):
        ids, targets = batch(o, step)
        loss = functional.cross_entropy(logits(o, parameters, ids).flatten(0, 1), targets.flatten())
        adam.zero_grad()
        loss.backward()
        adam.step()
        losses.append(round(loss.item(), 7))
    return losses


USUAL = {"length": 12, "vocabulary": 10, "shortest_period": 3, "longest_period": 6, "layers": 2, "heads": 2,
         "d_model": 16, "d_k": 8, "batch": 16, "learning_rate": 0.003, "seed": 11}
RUNS = {
    "repeat, learned positions, attention only": USUAL | {"task": "repeat", "positions": "learned", "mlp": False},
    "sort, rotary positions, MLP": USUAL | {"task": "sort", "positions": "rotary", "mlp": True},
}

if __name__ == "__main__":
    torch.manual_seed(0)
    torch.set_num_threads(1)
    runs = [{"name": name, "options": o, "losses": curve(o)} for name, o in RUNS.items()]
    for run in runs:
        print(run["name"], run["losses"][0], run["losses"][-1])
    (OUT / "training.json").write_text(json.dumps(runs, indent=1).replace("\n   ", " ") + "\n")
