#!/usr/bin/env python3
"""Times attention-bench and transformers side by side on a network of GPT-2's sizes.

    python3 compare_network_with_transformers.py build/release/bin/attention-bench [--rounds 3]

For 16, 32 and 128 tokens, in turn: a forward pass of the core with the attention weights of all heads
and all logits, and GPT2LMHeadModel with eager attention and output_attentions=True, both with random
weights and the same number of threads. The two alternate and the median of each is taken, so that
other work on the machine affects both alike. Needs PyTorch and transformers; nothing else does.
"""
import argparse
import json
import statistics
import subprocess
import sys
import time

try:
    import torch
    import transformers
except ImportError:
    sys.exit("PyTorch or transformers is not installed for this Python (pip install torch transformers)")

LENGTHS = [16, 32, 128]


def core_milliseconds(bench, length, threads, seconds):
    """Mean time of one forward pass by attention-bench."""
    name = f"network/forward/{length}/threads:{threads}"
    command = [bench, f"--benchmark_filter=^{name}/", f"--benchmark_min_time={seconds}",
               "--benchmark_format=json"]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return found["benchmarks"][0]["real_time"]


def peer_milliseconds(model, length, seconds):
    """Mean time of one call of the model, without gradients."""
    calls = 0
    with torch.inference_mode():
        for _ in range(2):
            model(torch.randint(0, 50257, (1, length)), output_attentions=True)
        start = time.perf_counter()
        while time.perf_counter() - start < seconds:
            model(torch.randint(0, 50257, (1, length)), output_attentions=True)
            calls += 1
    return (time.perf_counter() - start) / calls * 1e3


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bench")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    config = transformers.GPT2Config(attn_implementation="eager")
    model = transformers.GPT2LMHeadModel(config).eval()
    print(f"{'tokens':>6} {'core ms':>9} {'transformers ms':>16} {'ratio':>6}")
    for length in LENGTHS:
        core, peer = [], []
        for _ in range(arguments.rounds):
            core.append(core_milliseconds(arguments.bench, length, arguments.threads, arguments.seconds))
            peer.append(peer_milliseconds(model, length, arguments.seconds))
        ours, theirs = statistics.median(core), statistics.median(peer)
        print(f"{length:>6} {ours:>9.1f} {theirs:>16.1f} {ours / theirs:>6.2f}")


if __name__ == "__main__":
    main()
