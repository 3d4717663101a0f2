#!/usr/bin/env python3
"""Measures the running program: time from start to first frame, memory, and activity while idle.

    sh app/tests/with_xvfb.sh python3 app/bench/program_bench.py build/release/bin/attention-lab

Needs a display (with_xvfb.sh provides one). Each number is the median of several runs.
"""

import json
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 5
SETTLED, IDLE = 2.0, 5.0  # seconds


def processor_seconds(pid):
    """User and system time used by the process."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(program, folder, idle):
    """Runs the window for a while; returns its statistics and the share of a core that it used when idle."""
    stats = pathlib.Path(folder) / "stats.json"
    environment = dict(os.environ, XDG_CONFIG_HOME=folder, XDG_STATE_HOME=folder)
    window = subprocess.Popen([program, "--stats", str(stats)], env=environment)
    time.sleep(SETTLED)
    before, start = processor_seconds(window.pid), time.monotonic()
    time.sleep(idle)
    share = (processor_seconds(window.pid) - before) / (time.monotonic() - start)
    window.send_signal(signal.SIGTERM)
    window.wait(10)
    return dict(json.loads(stats.read_text()), idle_share=share)


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        runs = [run(program, folder, 0.1) for _ in range(RUNS)]
        idle = run(program, folder, IDLE)
    median = lambda name: statistics.median(one[name] for one in runs)
    print(f"start to first frame   {median('first_frame_ms'):8.0f} ms")
    print(f"resident memory        {median('rss_mb'):8.0f} MiB at most")
    print(f"building a frame       {median('build_ms_median'):8.2f} ms")
    print(f"frames in {IDLE:.0f} s idle     {idle['frames'] - median('frames'):8.0f}")
    print(f"processor while idle   {100 * idle['idle_share']:8.2f} % of a core")


if __name__ == "__main__":
    main()
