#!/usr/bin/env python3
"""Times attention-bench and PyTorch side by side and prints the ratios.

    python3 compare_with_pytorch.py build/release/bin/attention-bench [--rounds 5] [--json FILE]

For each size and number of threads, in turn: the core's forward pass, which keeps every stage of
every head, and torch.nn.MultiheadAttention(need_weights=True, average_attn_weights=False), which
keeps the weights. The two alternate several times and the median of each is taken, so that other work
on the machine affects both alike. Needs PyTorch; nothing else does.
"""
import argparse
import json
import statistics
import subprocess
import sys
import time

try:
    import torch
except ImportError:
    sys.exit("compare_with_pytorch.py: PyTorch is not installed for this Python (pip install torch)")

# seq_len, d_model, n_heads, and the target ratio
SIZES = [(4, 8, 2, 0.2), (11, 32, 4, 0.2), (16, 512, 8, 0.8), (64, 512, 8, 1.0),
         (128, 512, 8, 1.0), (512, 512, 8, 1.0), (1024, 768, 12, 1.0)]


def core_microseconds(bench, size, threads, seconds):
    """Mean time of one forward pass by attention-bench."""
    name = "forward/" + "x".join(map(str, size)) + f"/threads:{threads}"
    command = [bench, f"--benchmark_filter=^{name}/", f"--benchmark_min_time={seconds}",
               "--benchmark_format=json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)["benchmarks"]
    if len(found) != 1:
        sys.exit(f"compare_with_pytorch.py: {bench} has no benchmark {name}")
    return found[0]["real_time"]


def torch_microseconds(size, threads, seconds):
    """Mean time of one call of torch.nn.MultiheadAttention, without gradients."""
    seq_len, d_model, n_heads = size
    torch.set_num_threads(threads)
    layer = torch.nn.MultiheadAttention(d_model, n_heads, batch_first=True).eval()
    X = torch.randn(1, seq_len, d_model)
    calls = 0
    with torch.inference_mode():
        for _ in range(3):
            layer(X, X, X, need_weights=True, average_attn_weights=False)
        start = time.perf_counter()
        while time.perf_counter() - start < seconds:
            layer(X, X, X, need_weights=True, average_attn_weights=False)
            calls += 1
        return (time.perf_counter() - start) / calls * 1e6


def compare(bench, size, threads, rounds, seconds):
    """The medians of both over the rounds, in microseconds."""
    core, peer = [], []
    for _ in range(rounds):
        core.append(core_microseconds(bench, size, threads, seconds))
        peer.append(torch_microseconds(size, threads, seconds))
    return statistics.median(core), statistics.median(peer)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bench", help="path of attention-bench")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.3, help="of each measurement")
    parser.add_argument("--json", help="file to write the figures to")
    arguments = parser.parse_args()
    print(f"PyTorch {torch.__version__}, {torch.backends.cpu.get_cpu_capability()}")
    print(f"{'size':>13} {'threads':>7} {'core µs':>10} {'PyTorch µs':>11} {'ratio':>6} {'aim':>5}")
    rows = []
    for *size, aim in SIZES:
        for threads in (1, 2):
            core, peer = compare(arguments.bench, size, threads, arguments.rounds,
                                 arguments.seconds)
            name = "x".join(map(str, size))
            rows.append({"size": name, "threads": threads, "core_us": core, "pytorch_us": peer,
                         "ratio": core / peer, "aim": aim})
            print(f"{name:>13} {threads:>7} {core:>10.1f} {peer:>11.1f} {core / peer:>6.2f} "
                  f"{aim:>5}", flush=True)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as out:
            json.dump(rows, out, indent=1)


if __name__ == "__main__":
    main()
