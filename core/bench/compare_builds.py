#!/usr/bin/env python3
"""Compares two builds of attention-bench, benchmark by benchmark.

    python3 core/bench/compare_builds.py build/release/bin/attention-bench build/package/bin/attention-bench

Runs both in turn, so that what else the machine does slows both; of each benchmark the fastest run counts. Prints
processor time of both and their ratio. FILTER and the number of ROUNDS may follow.
"""

import json
import math
import subprocess
import sys

FILTER = "threads:1|^first_forward|^edit_|^explain|^gradient|^solve"
ROUNDS = 5


def run(program, chosen):
    printed = subprocess.run([program, f"--benchmark_filter={chosen}", "--benchmark_min_time=0.05",
                              "--benchmark_format=json"], capture_output=True, text=True, check=True).stdout
    return {one["name"]: one["cpu_time"] for one in json.loads(printed)["benchmarks"]}


def fastest(programs, chosen, rounds):
    best = [{}, {}]
    for turn in range(rounds):
        for which in (0, 1) if turn % 2 == 0 else (1, 0):
            for name, time in run(programs[which], chosen).items():
                best[which][name] = min(time, best[which].get(name, math.inf))
    return best


def main():
    programs, rest = sys.argv[1:3], sys.argv[3:]
    first, second = fastest(programs, rest[0] if rest else FILTER, int(rest[1]) if len(rest) > 1 else ROUNDS)
    ratios = {name: second[name] / first[name] for name in first if name in second}
    for name, ratio in ratios.items():
        print(f"{name:44} {first[name]:14.0f} {second[name]:14.0f} {ratio:7.3f}")
    mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
    print(f"geometric mean {mean:.3f}, largest {max(ratios.values()):.3f}, {len(ratios)} benchmarks")


if __name__ == "__main__":
    main()
