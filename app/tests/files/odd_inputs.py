"""Puts damaged and odd inputs through the verbs: odd_inputs.py PROGRAM [--all] [--keep FOLDER]

Makes the same inputs each time. Each run must end with 0, 2, 5 or 6, and say on standard error in one
sentence why it refuses. Without --all, a part of the inputs is tried, in less than 20 seconds.
"""

import argparse
import io
import itertools
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor

DTYPES = {"f2": 2, "f4": 4, "f8": 8, "i1": 1, "i2": 2, "i4": 4, "i8": 8, "u1": 1, "u2": 2, "u4": 4, "u8": 8,
          "b1": 1, "c8": 8, "O": 8, "U3": 12, "S3": 3, "M8[s]": 8, "V5": 5}
NUMBERS = {"f2": "e", "f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H",
           "u4": "I", "u8": "Q", "b1": "B"}
ALLOWED = {0, 2, 5, 6}
CRASH_WORDS = ("Sanitizer", "runtime error", "Segmentation", "terminate called", "Assertion")


def npy(shape, dtype="f4", order="<", fortran=False, values=None, version=1):
    count = 1
    for side in shape:
        count *= side
    if dtype in NUMBERS:
        numbers = values if values is not None else [1 / shape[-1] if shape and shape[-1] else 1] * count
        if not dtype.startswith("f"):
            numbers = [int(number) & 1 for number in numbers]
        data = struct.pack((order if order in "<>" else "<") + str(count) + NUMBERS[dtype], *numbers)
    else:
        data = b"\1" * (count * DTYPES[dtype])
    sides = "(" + ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"
    header = f"{{'descr': '{order}{dtype}', 'fortran_order': {fortran}, 'shape': {sides}, }}\n".encode()
    length = struct.pack("<H" if version == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([version, 0]) + length + header + data


def archive(files, method=zipfile.ZIP_STORED):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as target:
        for name, content in files:
            target.writestr(zipfile.ZipInfo(name), content, method)
    return data.getvalue()


def safetensors(header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def f32(shape, first, last):
    return {"dtype": "F32", "shape": shape, "data_offsets": [first, last]}


def damaged(rng, content, count):
    """Cut off, with flipped bits, with parts left out, doubled or overwritten."""
    for _ in range(count):
        data = bytearray(content)
        at, size = rng.randrange(len(data)), rng.randrange(1, 9)
        kind = rng.randrange(5)
        if kind == 0:
            data = data[:at]
        elif kind == 1:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 2:
            del data[at:at + size]
        elif kind == 3:
            data[at:at] = data[at:at + size]
        else:
            data[at:at + size] = bytes([rng.choice((0, 1, 127, 255))]) * min(size, len(data) - at)
        yield bytes(data)


def arrays(rng):
    for rank in range(13):
        for zero in [None, *range(rank)]:
            shape = [2 if rank < 9 or side < 3 else 1 for side in range(rank)]
            if zero is not None:
                shape[zero] = 0
            yield f"rank{rank}-zero{zero}.npy", npy(shape)
            if zero in (None, 0, rank - 1):
                yield f"rank{rank}-zero{zero}.npz", archive([("x.npy", npy(shape))])
                size = 4 * (0 if zero is not None else 2 ** shape.count(2))
                header = {"x": f32(shape, 0, size)}
                yield f"rank{rank}-zero{zero}.safetensors", safetensors(header, struct.pack("<f", 0.5) * (size // 4))
                yield f"rank{rank}-zero{zero}-f.npy", npy(shape, "f8", ">", True)
    for (dtype, order), shape in itertools.product(itertools.product(DTYPES, "<>|="), ([2, 2], [2, 2, 2], [1, 0, 2])):
        yield f"{dtype}{order}{len(shape)}.npy".replace("[", "").replace("]", "").replace(">", "big"), \
            npy(shape, dtype, order, len(shape) == 3)
    nan, infinity = float("nan"), float("inf")
    for number, values in enumerate([[nan] * 8, [0] * 8, [nan, 1] * 4, [infinity] * 8, [-1] * 8, [1e30] * 8,
                                     [nan, nan, 0.5, 0.5] * 2, [0, 0, 0.5, 0.5] * 2]):
        yield f"values{number}.npy", npy([2, 2, 2], values=values)
    for version in (0, 1, 2, 3, 4, 255):
        yield f"version{version}.npy", npy([2, 2, 2], version=version)
    for number, sides in enumerate([[-1, 2, 2], [2 ** 62, 4, 4], [2 ** 31, 2 ** 31, 2], [2 ** 63, 1, 1]]):
        content = npy([2, 2, 2]).replace(b"(2, 2, 2)", str(tuple(sides)).encode())
        yield f"sides{number}.npy", content
    for number, content in enumerate(damaged(rng, npy([2, 3, 3]), 250)):
        yield f"damaged{number}.npy", content


def archives(rng):
    one = npy([2, 2, 2])
    both = archive([("arr_0.npy", one), ("arr_1.npy", one)], zipfile.ZIP_DEFLATED)
    yield "layers.npz", both
    yield "empty.npz", archive([])
    yield "nested.npz", archive([("inner.npz", both)])
    yield "folder.npz", archive([("a/", b""), ("a/x.npy", one)])
    yield "outside.npz", archive([("../x.npy", one)])
    yield "no-name.npz", archive([("", one)])
    yield "text.npz", archive([("readme.txt", b"hello")])
    yield "many.npz", archive([(f"arr_{i}.npy", one) for i in range(1100)])
    yield "mixed.npz", archive([("arr_0.npy", one), ("arr_1.npy", npy([3]))])
    yield "gap.npz", archive([("arr_0.npy", one), ("arr_7.npy", npy([3, 3, 3]))])
    yield "zeros.npz", archive([("x.npy", npy([2000, 1000]))], zipfile.ZIP_DEFLATED)
    with_twice = archive([("arr_0.npy", one), ("arr_1.npy", one)]).replace(b"arr_1", b"arr_0")
    yield "twice.npz", with_twice
    for number, size in enumerate((0, 1, 2 ** 31, 2 ** 32 - 1)):
        data = bytearray(both)
        at = data.rfind(b"PK\1\2")
        data[at + 24:at + 28] = struct.pack("<I", size)
        yield f"declared{number}.npz", bytes(data)
    for number, content in enumerate(damaged(rng, both, 300)):
        yield f"damaged{number}.npz", content


def checkpoints(rng):
    data = struct.pack("<8f", *[0.5] * 8)
    good = safetensors({"attention": f32([2, 2, 2], 0, 32)}, data)
    headers = [{"a": f32([2, 2], 0, 16), "b": f32([2, 2], 8, 24)}, {"a": f32([2, 2], 16, 0)},
               {"a": f32([2, 2], 0, 64)}, {"a": f32([-2, 2], 0, 16)}, {"a": f32([2 ** 62, 4], 0, 32)},
               {"a": f32([2.5], 0, 8)}, {"a": f32("2", 0, 8)}, {"a": {}}, {"a": None}, [], {},
               {"__metadata__": {"tokens": "[1"}, "attention": f32([2, 2, 2], 0, 32)},
               {"__metadata__": {"tokens": "[\"a\"]"}, "attention": f32([2, 2, 2], 0, 32)},
               {"__metadata__": 5, "attention": f32([2, 2, 2], 0, 32)}]
    for number, header in enumerate(headers):
        yield f"header{number}.safetensors", safetensors(header, data)
    for dtype in ("F8_E4M3", "F64", "BF16", "I64", "BOOL", "C64", "", "f32"):
        entry = {"dtype": dtype, "shape": [2, 2], "data_offsets": [0, 32]}
        yield f"dtype-{dtype}.safetensors", safetensors({"a": entry}, data)
    for length in (0, 1, 2 ** 32, 2 ** 63, 2 ** 64 - 1):
        yield f"length{length}.safetensors", struct.pack("<Q", length) + good[8:]
    for number, content in enumerate(damaged(rng, good, 250)):
        yield f"damaged{number}.safetensors", content


def tables(rng):
    tokens = ["a", "1", " ", '"', ",", ";", "\n", "\r", "\a", "#", "é", "", "NaN", "sep=;"]
    for number in range(200):
        separator, end = rng.choice(",;\t "), rng.choice(("\n", "\r\n", "\r"))
        count, keys = rng.randrange(1, 5), rng.randrange(1, 5)
        comma = rng.random() < 0.5

        def field(value):
            text = str(value).replace(".", ",") if comma and isinstance(value, float) else str(value)
            return '"' + text.replace('"', '""') + '"' if rng.random() < 0.3 else text

        lines = [[rng.choice(("", "tok", "1"))] + [rng.choice(tokens) for _ in range(keys)]]
        lines += [[rng.choice(tokens)] + [rng.choice((1 / keys, 1 / keys, 1 / keys, "", "NaN", "x", 0.5))
                                          for _ in range(keys)] for _ in range(count)]
        text = rng.choice(("", "", "sep=" + separator + end)) + end.join(separator.join(map(field, line)) for line in lines)
        for name, content in (("utf8", text.encode()), ("bom", b"\xef\xbb\xbf" + text.encode()),
                              ("utf16", text.encode("utf-16")), ("latin1", text.encode("latin-1"))):
            if name == "utf8" or number % 4 == 0:
                yield f"table{number}-{name}.csv", content
    for number, content in enumerate(damaged(rng, b",a,b\r\na,0.25,0.75\r\nb,0.5,0.5\r\n", 250)):
        yield f"damaged{number}.csv", content


def folders(rng):
    """Model folders and caches of Hugging Face: maps from names to contents."""
    config = {"model_type": "gpt2", "n_embd": 4, "n_head": 2, "n_layer": 1, "vocab_size": 5, "n_positions": 8}
    weights = safetensors({"wte.weight": f32([5, 4], 0, 80)}, b"\0" * 80)
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n"
    yield "empty", {}
    yield "config-only", {"config.json": json.dumps(config).encode()}
    for name, content in (("pointer", pointer), ("html", b"<!DOCTYPE html><html></html>"), ("nothing", b""),
                          ("weights", weights)):
        yield f"model-{name}", {"config.json": json.dumps(config).encode(), "model.safetensors": content}
    for key, value in itertools.product(config, (None, -1, 0, 1.5, 2 ** 40, "x", [], {})):
        yield f"{key}-{value}".replace("{}", "object").replace("[]", "list"), {
            "config.json": json.dumps({**config, key: value}).encode(), "model.safetensors": weights}
    for number, content in enumerate(damaged(rng, json.dumps(config).encode(), 60)):
        yield f"damaged-config{number}", {"config.json": content, "model.safetensors": weights}
    for number, content in enumerate(damaged(rng, weights, 60)):
        yield f"damaged-model{number}", {"config.json": json.dumps(config).encode(), "model.safetensors": content}
    for name, ref in (("gone", b"0000"), ("empty", b""), ("outside", b"../../.."), ("binary", b"\0\xff"), ("good", b"a1")):
        yield f"cache-{name}", {"refs/main": ref, "snapshots/a1/config.json": json.dumps(config).encode(),
                                "snapshots/a1/model.safetensors": weights}


def write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def made_inputs(folder):
    """Writes all inputs. Returns the path of each, and whether it is a model."""
    paths = []
    for kind, make in (("arrays", arrays), ("archives", archives), ("checkpoints", checkpoints), ("tables", tables)):
        for name, content in make(random.Random(kind)):
            paths.append((os.path.join(folder, kind, name), False))
            write(paths[-1][0], content)
    for name, files in folders(random.Random("folders")):
        root = os.path.join(folder, "models", name)
        os.makedirs(root, exist_ok=True)
        for file, content in files.items():
            write(os.path.join(root, file), content)
        paths.append((root, True))
    return paths


def commands(path, is_model, output):
    ids = ["--ids", "1,2"] if is_model else []
    yield ["compute", path, *ids, "-o", output + ".npz"]
    yield ["check", path, *ids]
    yield ["export", path, *ids, "-o", output + ".csv"]
    yield ["explain", path, *ids, "--row", "0", "--col", "0"]
    if not is_model:
        yield ["convert", path, output + ".safetensors"]


def complaint(program, arguments):
    """What is wrong with a run, or nothing."""
    try:
        run = subprocess.run([program, *arguments], capture_output=True, timeout=120, stdin=subprocess.DEVNULL,
                             check=False)
    except subprocess.TimeoutExpired:
        return "takes longer than two minutes"
    errors = run.stderr.decode("utf-8", "replace")
    lines = [line for line in errors.splitlines() if line.strip()]
    if run.returncode not in ALLOWED or any(word in errors for word in CRASH_WORDS):
        return f"exit {run.returncode}: {errors[-2000:]}"
    if run.returncode == 5 and len([line for line in lines if not line.startswith("note")]) != 1:
        return f"not one sentence: {errors[-500:]}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--keep", help="the folder in which the inputs stay")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        inputs = made_inputs(folder)
        if not options.all:
            inputs = inputs[::25]
        runs = []
        for number, (path, is_model) in enumerate(inputs):
            every = list(commands(path, is_model, os.path.join(temporary, f"out{number}")))
            runs += every if options.all else [every[number % len(every)]]
        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda run: complaint(options.program, run), runs))
    wrong = [(run, what) for run, what in zip(runs, found) if what]
    for run, what in wrong[:50]:
        print(" ".join(run), "\n  ", what)
    print(f"{len(inputs)} inputs, {len(runs)} runs, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
