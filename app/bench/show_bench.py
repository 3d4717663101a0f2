#!/usr/bin/env python3
"""Measures how fast another program's arrays are on the screen: weights of 12 heads, 128 × 128.

    sh app/tests/with_xvfb.sh python3 app/bench/show_bench.py build/release/bin/attention-lab

Needs a display (with_xvfb.sh provides one, drawn by the processor) and NumPy. Times are medians of several runs.
"""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests" / "window"))
from socket_client import Client, safetensors, sample_weights  # noqa: E402

HEADS, TOKENS, STARTS, DOCUMENTS, UPDATES = 12, 128, 5, 10, 200


def connected(window):
    while window.poll() is None:
        try:
            return Client()
        except OSError:
            time.sleep(0.002)
    sys.exit("the window ended")


def show(client, name, payload):
    """Milliseconds until `payload` is on the screen."""
    start = time.monotonic()
    for answer in (client.ask("show", payload, name=name), client.ask("wait_shown", name=name)):
        if "error" in answer:
            sys.exit(answer["error"])
    return 1000 * (time.monotonic() - start)


def from_start(program, environment, payload):
    """Milliseconds from starting the program until `payload` is on the screen; the window and the connection."""
    start = time.monotonic()
    window = subprocess.Popen([program, "--new-window"], env=environment)
    client = connected(window)
    show(client, "attention", payload)
    return 1000 * (time.monotonic() - start), window, client


def end(window):
    window.terminate()
    window.wait(10)


def main():
    program = sys.argv[1]
    payloads = [safetensors(weights=sample_weights(HEADS, TOKENS, seed)) for seed in range(10)]
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, XDG_CONFIG_HOME=folder, XDG_STATE_HOME=folder)
        starts = []
        for _ in range(STARTS):
            took, window, client = from_start(program, environment, payloads[0])
            starts.append(took)
            if len(starts) < STARTS:
                end(window)
        time.sleep(1)
        documents = [show(client, f"attention {i}", payloads[i % 10]) for i in range(DOCUMENTS)]
        start = time.monotonic()
        for i in range(UPDATES):
            client.ask("show", payloads[i % 10], name="attention")
        accepted = UPDATES / (time.monotonic() - start)
        drawn = statistics.median(show(client, "attention", payloads[i % 10]) for i in range(UPDATES // 4))
        end(window)
    print(f"start to on screen      {statistics.median(starts):8.0f} ms")
    print(f"show to on screen       {statistics.median(documents):8.0f} ms")
    print(f"updates in a loop       {accepted:8.0f} /s")
    print(f"update to on screen     {drawn:8.0f} ms")


if __name__ == "__main__":
    main()
