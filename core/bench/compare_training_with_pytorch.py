#!/usr/bin/env python3
"""Times attention-bench and PyTorch side by side on steps of training.

    python3 compare_training_with_pytorch.py build/release/bin/attention-bench [--rounds 5]

The default training of the program: 2 layers of 4 heads, d_model 64, d_k 16, attention only, 26 letters,
24 long, 64 sequences a batch, Adam. A step draws a batch, computes loss and gradients, and moves the
parameters; PyTorch draws its batch with one call per kind of number. The two alternate with the same
number of threads and the median of each is taken, so that other work on the machine affects both alike.
Needs PyTorch; nothing else does.
"""
import argparse
import json
import statistics
import subprocess
import sys
import time

try:
    import torch
    from torch import nn
    from torch.nn import functional
except ImportError:
    sys.exit("PyTorch is not installed for this Python (pip install torch)")

LAYERS, HEADS, D_MODEL, D_K, VOCABULARY, LENGTH, BATCH = 2, 4, 64, 16, 26, 24, 64


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(D_MODEL)
        self.qkv = nn.Linear(D_MODEL, 3 * HEADS * D_K)
        self.output = nn.Linear(HEADS * D_K, D_MODEL)

    def forward(self, x):
        q, k, v = (part.view(*x.shape[:2], HEADS, D_K).transpose(1, 2)
                   for part in self.qkv(self.norm(x)).chunk(3, -1))
        mixed = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return x + self.output(mixed.transpose(1, 2).flatten(2))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(VOCABULARY, D_MODEL), nn.Embedding(LENGTH, D_MODEL)
        self.blocks = nn.Sequential(*[Block() for _ in range(LAYERS)])
        self.norm, self.read_out = nn.LayerNorm(D_MODEL), nn.Linear(D_MODEL, VOCABULARY, bias=False)

    def forward(self, ids):
        x = self.tokens(ids) + self.positions(torch.arange(ids.shape[1]))
        return self.read_out(self.norm(self.blocks(x)))


def batch():
    """Letters that begin again after a random period."""
    periods = torch.randint(5, 13, (BATCH, 1))
    places = torch.arange(LENGTH + 1)[None, :] % periods
    ids = torch.randint(0, VOCABULARY, (BATCH, 12)).gather(1, places)
    return ids[:, :-1], ids[:, 1:]


def core_milliseconds(bench, threads, seconds):
    """Mean time of one step by attention-bench."""
    name = f"train/attention_only/threads:{threads}"
    command = [bench, f"--benchmark_filter=^{name}/", f"--benchmark_min_time={seconds}",
               "--benchmark_format=json"]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return found["benchmarks"][0]["real_time"]


def peer_milliseconds(step, seconds):
    """Mean time of one step of PyTorch."""
    for _ in range(5):
        step()
    start, calls = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        step()
        calls += 1
    return (time.perf_counter() - start) / calls * 1e3


def peer_step():
    model = Model()
    adam = torch.optim.Adam(model.parameters(), lr=0.003)

    def step():
        ids, targets = batch()
        loss = functional.cross_entropy(model(ids).flatten(0, 1), targets.flatten())
        adam.zero_grad()
        loss.backward()
        adam.step()
        return loss.item()

    return step


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bench")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    arguments = parser.parse_args()
    print(f"{'threads':>7} {'core steps/s':>13} {'PyTorch steps/s':>16} {'ratio':>6}")
    for threads in arguments.threads:
        torch.set_num_threads(threads)
        core, peer, step = [], [], peer_step()
        for _ in range(arguments.rounds):
            core.append(core_milliseconds(arguments.bench, threads, arguments.seconds))
            peer.append(peer_milliseconds(step, arguments.seconds))
        ours, theirs = statistics.median(core), statistics.median(peer)
        print(f"{threads:>7} {1e3 / ours:>13.0f} {1e3 / theirs:>16.0f} {theirs / ours:>6.2f}")


if __name__ == "__main__":
    main()
