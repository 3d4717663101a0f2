"""Compares `PROGRAM tokenize` with the tokenizers of PyPI: every code point and random strings through many pipelines.

    python3 compare_with_reference.py PROGRAM [--quick] [--only NAME] [--models DIR] [--jobs N]

PROGRAM is attention-lab. Needs `tokenizers` from PyPI; with `sentencepiece` there are pipelines with its tables too.
--models takes the tokenizers of checkpoints, DIR/*/tokenizer.json. Differences are printed shrunken, the most frequent
first; the exit code is 1 if there are any.
"""

import argparse
import gc
import hashlib
import json
import multiprocessing
import os
import random
import sys
import time
from pathlib import Path

os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("RAYON_NUM_THREADS", "1")
from tokenizers import Tokenizer  # noqa: E402

from reference import charsmaps, texts  # noqa: E402
from reference.every_option import every_option  # noqa: E402
from reference.families import families  # noqa: E402
from reference.models import Models  # noqa: E402
from reference.oracle import ALONE, GAVE_UP, MODES, Program, Stopped, differing, limits, written  # noqa: E402
from reference.reporting import report  # noqa: E402
from reference.shrinking import shrink  # noqa: E402

FORMS = ["{}", "a{}b", "a{}\u0301b"]
# Pipelines that tell code points apart, each in a way of its own: they are asked for all 1 112 064 of them.
EVERY_CODE_POINT = {
    "bert-uncased", "bert-clean-only", "gpt2", "llama3", "gpt4o", "deepseek", "bloom", "added-word", "cut-whitespace",
    "cut-unicodescripts", "cut-punctuation-isolated", "cut-digits", "normalizer-nfc", "normalizer-nfd",
    "normalizer-nfkc", "normalizer-nfkd", "normalizer-nmt", "normalizer-lowercase", "normalizer-strip-accents", "normalizer-strip-both",
    "normalizer-table-nmt-nfkc", "normalizer-table-nmt-nfkc-cf", "split-properties", "split-classes",
    "split-ignore-case"}
CHUNK = 20000
SHRUNK = 60  # How many of the differing inputs of a mode are made short.


class Sizes:
    """How many inputs of each kind a pipeline gets."""

    def __init__(self, given, name, whole):
        self.every = given.every_code_point or (not given.quick and name in EVERY_CODE_POINT)
        self.one_of = 40 if given.quick else 1
        few = 1500 if given.quick else 200000 if whole else 25000
        self.strings = given.strings if given.strings is not None else few


class Comparison:
    """One pipeline: asks both sides and keeps what differs."""

    def __init__(self, program, name, spec, sizes):
        self.program, self.name, self.spec, self.sizes = Program(program, limits(spec)), name, spec, sizes
        self.tokenizer = Tokenizer.from_str(json.dumps(spec))
        self.asked = 0
        self.refused = None
        self.code_points = {}
        self.shrunk = []  # (mode, fields, input, inputs that it stands for)

    def differences(self, mode, inputs, where):
        """The inputs whose answers differ, with the fields that do."""
        found = []
        for start in range(0, len(inputs), CHUNK):
            part = inputs[start:start + CHUNK]
            wanted = [(one, expected) for one, expected in zip(part, mode.reference(self.tokenizer, part))
                      if expected is not GAVE_UP]  # the program ends at such an input, too
            answers = self.program.ask(where[0], mode, [one for one, _ in wanted], where[1])
            for (one, expected), line in zip(wanted, answers):
                if fields := differing(expected, line):
                    found.append((one, fields))
            self.asked += len(wanted)
        return found

    def compare(self, mode, inputs, where):
        found = self.differences(mode, inputs, where)
        if not found:
            return 0
        stopped = [one for one, fields in found if fields == ("stopped",)]
        self.shrunk += [(mode.name, ("stopped",), self.shrink_stop(mode, one, where), 1) for one in stopped]
        return len(found) if len(stopped) == len(found) else self.compare_answers(mode, [
            pair for pair in found if pair[1] != ("stopped",)], where) + len(stopped)

    def shrink_stop(self, mode, one, where):
        """Shrinks an input at which the program ends, with a process for each try."""
        def stops(candidates):
            return [self.program.run(where[0], mode, [candidate], where[1])[1] is not None for candidate in candidates]

        return shrink([one], stops, 12)[0]

    def compare_answers(self, mode, found, where):
        """Shrinks some of the inputs whose answers differ, short ones and others, and keeps them."""
        picked = sorted(found, key=lambda pair: len(pair[0]))
        picked = picked[:SHRUNK // 2] + picked[SHRUNK // 2::max(1, len(picked) * 2 // SHRUNK)]

        def differ(candidates):
            wrong = [one for one, _ in self.differences(mode, candidates, where)]
            wrong = {json.dumps(one) for one in wrong}
            return [json.dumps(one) in wrong for one in candidates]

        small = shrink([one for one, _ in picked], differ)
        fields = dict((json.dumps(one), names) for one, names in self.differences(mode, small, where))
        for one in small:
            self.shrunk.append((mode.name, fields.get(json.dumps(one), ("?",)), one, len(found) / len(small)))
        return len(found)

    def compare_code_points(self, where):
        """Alone, a line each; between letters, 40 to a line, and those of a line that differs again by themselves."""
        draw, wrong = random.Random(self.name), 0
        for form in FORMS:
            every = self.sizes.every and form == FORMS[1]
            chosen = texts.code_points(every)[draw.randrange(self.sizes.one_of)::self.sizes.one_of]
            lines = chosen if form == "{}" else list(texts.packed(chosen, form))
            found = [one for one, _ in self.differences(ALONE, lines, where)]
            if form != "{}":
                again = [form.format(c) for line in found for c in self.unpacked(line, form)]
                single = [one for one, _ in self.differences(ALONE, again, where)]
                wrong += self.compare(ALONE, found[:1], where) if found and not single else 0
                found = single
            if found:
                self.code_points[form] = [self.character(one, form) for one in found]
                wrong += len(found)
        return wrong

    @staticmethod
    def character(text, form):
        return text[form.index("{"):len(text) - (len(form) - form.index("}") - 1)]

    def unpacked(self, line, form):
        width = len(form) - 1  # Each form holds one character, and a blank stands between two.
        return [self.character(line[i:i + width], form) for i in range(0, len(line), width + 1)]

    def id_lists(self, strings):
        """Ids as they come from texts, and at random."""
        draw = random.Random(self.name + " ids")
        with_ids = [fields["ids"] for fields in MODES["no special"].reference(self.tokenizer, strings)
                    if isinstance(fields, dict)]
        size = self.tokenizer.get_vocab_size(with_added_tokens=True)
        return with_ids + [draw.choices(range(size), k=draw.randrange(12)) for _ in strings]

    def run(self):
        strings = [*texts.fixed_strings(), *texts.random_strings(self.name, self.spec, self.sizes.strings)]
        few = strings[:100] + strings[100:100 + max(500, self.sizes.strings // 20)]
        with written(self.spec) as where:
            try:
                wrong = self.compare_code_points(where)
                for mode in MODES.values():
                    inputs = strings if mode is ALONE else self.id_lists(few) if mode.decode else few
                    wrong += self.compare(mode, inputs, where)
            except Stopped as stopped:
                self.refused, wrong = str(stopped), 1
        return wrong


def compare_one(job):
    """What a worker does: compares one pipeline and returns what is to be printed."""
    program, name, spec, sizes = job
    gc.disable()
    start = time.monotonic()
    one = Comparison(program, name, spec, sizes)
    wrong = one.run()
    gc.collect()
    return name, wrong, one.asked, time.monotonic() - start, one.refused, one.code_points, one.shrunk


def self_made():
    """The pipelines by name, and whether each is a model's own rather than one option."""
    models = Models()
    own = families(models)
    return {name: (spec, True) for name, spec in own.items()} | {
        name: (spec, False) for name, spec in every_option(models).items()}


def of_checkpoints(folder):
    """The tokenizers in a folder of checkpoints, each once."""
    found, seen = {}, set()
    for file in sorted(Path(folder).glob("*/tokenizer.json")):
        spec = json.loads(file.read_text(encoding="utf-8"))
        digest = hashlib.sha256(json.dumps(spec, sort_keys=True).encode()).hexdigest()
        if digest not in seen:
            seen.add(digest)
            found["model " + file.parent.name] = (spec, True)
    return found


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="attention-lab")
    parser.add_argument("--quick", action="store_true", help="few inputs, in under a minute")
    parser.add_argument("--only", metavar="NAME", action="append", help="pipelines whose name holds NAME")
    parser.add_argument("--models", metavar="DIR", help="a folder of checkpoints, whose tokenizers are compared too")
    parser.add_argument("--strings", type=int, help="random strings for each pipeline; otherwise 200 000 for a model's"
                        " own and 25 000 for one option")
    parser.add_argument("--every-code-point", action="store_true", help="all code points, for every pipeline")
    parser.add_argument("--jobs", type=int, default=1, help="pipelines at a time")
    parser.add_argument("--write", metavar="DIR", help="only write the tokenizer.json of each pipeline there")
    return parser.parse_args()


PIPELINES = {}


def main():
    given = arguments()
    PIPELINES.update(self_made() | (of_checkpoints(given.models) if given.models else {}))
    chosen = [name for name in PIPELINES if not given.only or any(part in name for part in given.only)]
    if given.write:
        for name in chosen:
            file = Path(given.write) / name.replace(" ", "-") / "tokenizer.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(PIPELINES[name][0], ensure_ascii=False), encoding="utf-8")
        return 0
    if not charsmaps.available():
        print("sentencepiece is missing: the pipelines with its tables are left out")
    jobs = [(given.program, name, PIPELINES[name][0], Sizes(given, name, PIPELINES[name][1])) for name in chosen]
    results = []
    with multiprocessing.Pool(given.jobs) as pool:
        for result in pool.imap(compare_one, jobs):
            results.append(result)
            name, wrong, asked, seconds, *_ = result
            said = f"{wrong} differ" if wrong else "equal"
            print(f"{name:36} {asked:9} inputs {seconds:7.1f} s  {said}", flush=True)
    report(results, given.program, PIPELINES)
    differ = sum(1 for result in results if result[1])
    print(f"\n{len(results)} pipelines, {sum(r[2] for r in results)} inputs: {differ or 'none'} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
