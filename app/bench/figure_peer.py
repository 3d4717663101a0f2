"""Times writing one annotated 11 × 11 map to a file, compared with matplotlib's savefig of the same map.

    python3 app/bench/figure_peer.py build/release/bin/figure-bench

Both are timed in one run, in processor time and including the layout; only the ratio is meaningful.
"""
import io
import json
import subprocess
import sys
import time

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy

WORDS = "The animal didn't cross the street because it was too tired".split()
INCHES = 89 / 25.4
ROUNDS = 9


def draw(ending):
    """Draws the map, saves it to memory, and returns the seconds."""
    weights = numpy.random.default_rng(7).dirichlet(numpy.ones(11), 11)
    start = time.process_time()
    figure, axes = plt.subplots(figsize=(INCHES, INCHES))
    image = axes.imshow(weights, vmin=0, vmax=1, cmap="Blues")
    axes.set_xticks(range(11), WORDS, rotation=50, fontsize=7)
    axes.set_yticks(range(11), WORDS, fontsize=7)
    for i in range(11):
        for j in range(11):
            axes.text(j, i, f"{weights[i, j]:.2f}", ha="center", va="center", fontsize=5)
    figure.colorbar(image)
    figure.savefig(io.BytesIO(), format=ending, dpi=300)
    plt.close(figure)
    return time.process_time() - start


def ours(program):
    """Milliseconds for each extension, as measured by the benchmark."""
    out = subprocess.run([program, "--benchmark_filter=/11x11$", "--benchmark_format=json"],
                         check=True, capture_output=True).stdout
    return {run["name"].split("/")[1]: run["cpu_time"] for run in json.loads(out)["benchmarks"]}


def main():
    times = ours(sys.argv[1])
    for ending in ("svg", "pdf", "png"):
        draw(ending)  # fonts are looked up only once
        peer = 1000 * min(draw(ending) for _ in range(ROUNDS))
        print(f"{ending}: {times[ending]:.1f} ms, matplotlib {peer:.1f} ms, {peer / times[ending]:.0f} times")


if __name__ == "__main__":
    main()
