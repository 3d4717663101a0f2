#!/usr/bin/env python3
"""Measures how long arrays take from Python to the screen, with the package in app/python.

    sh app/tests/with_xvfb.sh python3 app/bench/python_bench.py build/release/bin/attention-lab

Needs NumPy and a display (with_xvfb.sh provides one). Each time is the median of several runs; 12 heads with 128 tokens.
"""

import os
import pathlib
import statistics
import sys
import tempfile
import time

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
import attention_lab as lab  # noqa: E402
from attention_lab import program  # noqa: E402

RUNS, LOOP = 5, 100
PATIENCE = 30  # seconds


def weights(seed):
    raised = numpy.exp(numpy.random.default_rng(seed).standard_normal((12, 128, 128)).astype(numpy.float32))
    return raised / raised.sum(-1, keepdims=True)


def seconds(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def end_window():
    program._started[-1].terminate()
    program._started[-1].wait(PATIENCE)


def without_window(values):
    """From nothing to the screen: the window is started, too."""
    spent = seconds(lambda: lab.show(weights=values, wait=True, timeout=PATIENCE))
    end_window()
    return spent


def main():
    os.environ["ATTENTION_LAB"] = os.path.abspath(sys.argv[1])
    values = [weights(seed) for seed in range(8)]
    with tempfile.TemporaryDirectory() as folder:
        for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
            os.environ[name] = folder
        os.environ["ATTENTION_LAB_SOCKET"] = os.path.join(folder, "socket")
        start = statistics.median(without_window(values[run % 8]) for run in range(RUNS))
        handle = lab.show(weights=values[0], wait=True, timeout=PATIENCE)
        new = statistics.median(
            seconds(lambda: lab.show(weights=values[run % 8], name=f"run {run}", wait=True, timeout=PATIENCE))
            for run in range(RUNS))
        handle = lab.show(weights=values[0], wait=True, timeout=PATIENCE)
        again = statistics.median(seconds(lambda: handle.update(weights=values[run % 8], wait=True, timeout=PATIENCE))
                                  for run in range(RUNS))
        loop = seconds(lambda: [handle.update(weights=values[step % 8], timeout=PATIENCE) for step in range(LOOP)])
        end_window()
    print(f"shown without a window {1000 * start:8.0f} ms")
    print(f"shown in an open one   {1000 * new:8.0f} ms")
    print(f"updated and shown      {1000 * again:8.0f} ms")
    print(f"updates in a loop      {LOOP / loop:8.1f} in a second")


if __name__ == "__main__":
    main()
