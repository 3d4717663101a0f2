"""What the reference, `tokenizers` from PyPI, says, and what the program says, in the same form."""

import contextlib
import json
import os
import subprocess
import tempfile
from pathlib import Path

os.environ.setdefault("RUST_BACKTRACE", "0")

# A text that the reference itself cannot do: it ends with an error or crashes. Nothing is asked of the program there.
GAVE_UP = "the reference gave up"
STOPS = 8  # So often may the program end at an input before a pipeline is given up.


@contextlib.contextmanager
def silence():
    """Keeps a crash of the reference from writing to the terminal."""
    kept, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)


def attempt(call, *given, **options):
    """What the call returns, or GAVE_UP. A crash of the reference is not an Exception."""
    try:
        with silence():
            return call(*given, **options)
    except KeyboardInterrupt:
        raise
    except BaseException:  # pylint: disable=broad-except
        return GAVE_UP


def as_fields(encoding):
    if encoding is GAVE_UP:
        return GAVE_UP
    return {"ids": encoding.ids, "tokens": encoding.tokens, "offsets": [list(span) for span in encoding.offsets],
            "type_ids": encoding.type_ids}


def encoded(tokenizer, texts, pair=None, special=True):
    """The fields of each text. One by one where padding looks at the longest of a batch, or where one of them fails."""
    inputs = texts if pair is None else [(text, pair) for text in texts]
    if tokenizer.padding is None:
        found = attempt(tokenizer.encode_batch, inputs, add_special_tokens=special)
        if found is not GAVE_UP:
            return [as_fields(one) for one in found]
    return [as_fields(attempt(tokenizer.encode, text, pair, add_special_tokens=special)) for text in texts]


def decoded(tokenizer, lists, skip_special):
    found = attempt(tokenizer.decode_batch, lists, skip_special_tokens=skip_special)
    if found is not GAVE_UP:
        return found
    return [attempt(tokenizer.decode, ids, skip_special_tokens=skip_special) for ids in lists]


class Mode:
    """A way to ask: encode with or without special tokens, alone or with a second text, or decode."""

    def __init__(self, name, options=(), pair=None, special=True, decode=False, skip=False):
        self.name, self.pair, self.special, self.decode, self.skip = name, pair, special, decode, skip
        self.options = [*options, *(["--pair", pair] if pair is not None else []),
                        *([] if special else ["--no-special"]), *(["--decode"] if decode else []),
                        *(["--skip-special"] if skip else [])]

    def reference(self, tokenizer, inputs):
        if self.decode:
            return decoded(tokenizer, inputs, self.skip)
        return encoded(tokenizer, inputs, self.pair, self.special)


ALONE = Mode("alone")
MODES = {mode.name: mode for mode in (
    ALONE, Mode("no special", special=False), Mode("pair", pair="The café's 12 cats."),
    Mode("pair, no special", pair=" New York\n", special=False), Mode("pair with nothing", pair=""),
    Mode("decode", decode=True), Mode("decode, skip special", decode=True, skip=True))}


def limits(spec):
    """The options with which the program cuts and fills up as its file says; the reference always does."""
    return ["--truncate"] * bool(spec["truncation"]) + ["--pad"] * bool(spec["padding"])


class Stopped(Exception):
    """The program ended before it had answered all lines."""


class Program:
    """The command `PROGRAM tokenize FILE`. It is asked with files, so that no pipe can fill up."""

    def __init__(self, path, options=(), seconds=300):
        self.path, self.options, self.seconds = path, options, seconds

    def run(self, tokenizer_file, mode, inputs, folder):
        """Answers as many of the inputs as the program does, and what it said when it stopped before the last."""
        asked, answers, errors = (Path(folder) / name for name in ("asked", "answers", "errors"))
        with asked.open("w", encoding="utf-8", newline="\n") as file:
            for i, one in enumerate(inputs):
                file.write(json.dumps(one, ensure_ascii=i % 2 == 0) + "\n")
        with asked.open("rb") as source, answers.open("wb") as out, errors.open("wb") as err:
            try:
                code = subprocess.run([self.path, "tokenize", tokenizer_file, *mode.options,
                                       *([] if mode.decode else self.options)], stdin=source, stdout=out, stderr=err,
                                      timeout=self.seconds, check=False).returncode
            except subprocess.TimeoutExpired:
                code = f"no end after {self.seconds} s"
        with answers.open("rb") as file:
            lines = [line for line in file if line.endswith(b"\n")]
        said = errors.read_text(encoding="utf-8", errors="replace").strip()[-400:]
        return lines, (None if code == 0 and len(lines) == len(inputs) else f"exit {code}: {said}")

    def first_stop(self, tokenizer_file, mode, inputs, folder):
        """The place of the first input at which the program ends, by halves: what it had written may be lost."""
        low, high = 0, len(inputs)
        while high - low > 1:
            middle = (low + high) // 2
            if self.run(tokenizer_file, mode, inputs[low:middle], folder)[1]:
                high = middle
            else:
                low = middle
        return low

    def ask(self, tokenizer_file, mode, inputs, folder):
        """One line for each input; for an input at which the program ends, {"stopped": why} as a line. Raises Stopped
        when it does so again and again, or with no input at all."""
        found, stops = [], 0
        while len(found) < len(inputs):
            rest = inputs[len(found):]
            lines, why = self.run(tokenizer_file, mode, rest, folder)
            if why is None:
                return found + lines
            stops += 1
            if stops > STOPS or self.run(tokenizer_file, mode, [], folder)[1]:
                raise Stopped(why)
            place = self.first_stop(tokenizer_file, mode, rest, folder)
            found += self.run(tokenizer_file, mode, rest[:place], folder)[0]
            found.append(json.dumps({"stopped": self.run(tokenizer_file, mode, [rest[place]], folder)[1]}).encode())
        return found


def differing(expected, line):
    """The names of the fields in which the program's line differs. A field that the program leaves out counts, except
    type_ids, which it need not tell."""
    if expected is GAVE_UP:
        return ()
    try:
        said = json.loads(line)
    except ValueError:
        return ("no JSON",)
    if isinstance(expected, str):
        return () if said == expected else ("text",)
    if not isinstance(said, dict):
        return ("no object",)
    if "stopped" in said:
        return ("stopped",)
    if "error" in said:
        return ("error",)
    return tuple(name for name, value in expected.items()
                 if said.get(name, value if name == "type_ids" else None) != value)


@contextlib.contextmanager
def written(spec):
    """A temporary folder with the tokenizer.json of a pipeline."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tokenizer.json"
        file.write_text(json.dumps(spec, ensure_ascii=False), encoding="utf-8")
        yield str(file), folder
