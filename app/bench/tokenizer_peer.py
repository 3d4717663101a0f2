#!/usr/bin/env python3
"""Times tokenizer-bench beside the library tokenizers, on the same text, in turns.

    python3 app/bench/tokenizer_peer.py build/release/bin/tokenizer-bench [TEXT …]

Needs `tokenizers` from PyPI. The texts are joined and repeated to 1 MB; without any, those of the licences on this
machine and of this repository are used. WordPiece and byte-level BPE, of 30 000 pieces, are trained on them first.
Prints milliseconds of one thread and their ratio; the least of several turns counts.
"""
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RAYON_NUM_THREADS"] = "1"
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers  # noqa: E402

SIZE = 1_000_000
PIECES = 30_000
TURNS = 5
ROOT = Path(__file__).resolve().parent.parent.parent


def text_of(paths):
    paths = paths or sorted(Path("/usr/share/common-licenses").iterdir()) + sorted(ROOT.rglob("*.md"))
    text = "\n".join(Path(path).read_text(errors="replace") for path in paths if Path(path).is_file())
    return (text * (SIZE // len(text.encode()) + 1))[:SIZE]


def word_piece(text):
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.train_from_iterator([text], trainers.WordPieceTrainer(vocab_size=PIECES, special_tokens=["[UNK]"],
                                                                    show_progress=False))
    return tokenizer


def byte_level(text):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    tokenizer.train_from_iterator([text], trainers.BpeTrainer(vocab_size=PIECES, show_progress=False))
    return tokenizer


def ours(bench, tokenizer, text):
    """Milliseconds and number of tokens."""
    env = dict(os.environ, TOKENIZER=str(tokenizer), TEXT=str(text))
    run = subprocess.run([bench, "--benchmark_filter=^given$", "--benchmark_format=json"], env=env, check=True,
                         capture_output=True, text=True)
    result = json.loads(run.stdout)["benchmarks"][0]
    return result["cpu_time"], int(result["tokens"])


def theirs(tokenizer, text):
    begin = time.process_time()
    tokens = len(tokenizer.encode(text))
    return (time.process_time() - begin) * 1000, tokens


def main():
    bench, text = sys.argv[1], text_of(sys.argv[2:])
    with tempfile.TemporaryDirectory() as folder:
        text_file = Path(folder) / "text"
        text_file.write_text(text)
        for name, tokenizer in (("WordPiece", word_piece(text)), ("byte-level BPE", byte_level(text))):
            file = Path(folder) / "tokenizer.json"
            tokenizer.save(str(file))
            turns = [(ours(bench, file, text_file), theirs(tokenizer, text)) for _ in range(TURNS)]
            counts = {count for turn in turns for _, count in turn}
            if len(counts) != 1:
                sys.exit(f"{name}: different numbers of tokens: {counts}")
            mine, other = (min(turn[side][0] for turn in turns) for side in (0, 1))
            print(f"{name}: {len(text.encode()) / 1e6:.2f} MB, {counts.pop()} tokens: {mine:.0f} ms, "
                  f"tokenizers {other:.0f} ms, ratio {mine / other:.2f}")


if __name__ == "__main__":
    main()
