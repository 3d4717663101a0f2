"""Trains the built-in tokenizer, english/tokenizer.json: a byte-level BPE of 4 000 pieces. The same bytes every time.

    pip install tokenizers==0.23.3
    apt-get install wordnet-base
    python3 make_english.py [--wordnet /usr/share/wordnet] [--check]

--check prints how the written file cuts text that it was not trained on, and writes nothing.
"""

import argparse
import json
import os
from pathlib import Path

os.environ["RAYON_NUM_THREADS"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers  # noqa: E402

HERE = Path(__file__).resolve().parent
OUT = HERE / "english" / "tokenizer.json"
PIECES = 4000
END_OF_TEXT = "<|endoftext|>"
EVERYDAY_TIMES = 120  # Glosses hold 1.4 million words, the everyday sentences 4 000.
HELD_OUT = 50        # Every fiftieth gloss is kept for the check.
COMMON = """the of and to in a is that for it was on with as be at by he this have from or one had not but what all were
when we there can an your which their said if do will each about how up out them then she many some so these would other
into has more her two like him see time could no make than first been its who now people my made over did down only way
find use may water long little very after words called just where most know attention because head token weights model
sentence street animal tired bank river money question answer something nothing everybody myself don't""".split()


def glosses(folder):
    """The definitions and examples of WordNet, one text for each meaning, in the order of its files."""
    for name in ("data.adj", "data.adv", "data.noun", "data.verb"):
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            if not line.startswith("  ") and "|" in line:
                yield line.split("|", 1)[1].strip()


def everyday():
    return (HERE / "everyday.txt").read_text(encoding="utf-8").splitlines()


def training_text(folder):
    yield from (gloss for i, gloss in enumerate(glosses(folder)) if i % HELD_OUT)
    for _ in range(EVERYDAY_TIMES):
        yield from everyday()


def train(texts):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(
        vocab_size=PIECES, special_tokens=[END_OF_TEXT], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False))
    return tokenizer


def as_lines(tokenizer):
    """The JSON text with each section on a line of its own, so that differences can be read."""
    whole = json.loads(tokenizer.to_str())
    model = whole.pop("model")
    model["merges"] = [" ".join(pair) for pair in model["merges"]]
    write = lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    sections = lambda members: ",\n".join(f"{write(key)}:{write(value)}" for key, value in members.items())
    return "{\n" + sections(whole) + ',\n"model":{\n' + sections(model) + "\n}}\n"


def pieces_per_word(tokenizer, texts):
    texts = list(texts)
    pieces = sum(len(encoded.ids) for encoded in tokenizer.encode_batch(texts))
    words = sum(len(text.split()) for text in texts)
    return f"{pieces / words:.3f} pieces a word ({words} words)"


def check(folder):
    tokenizer = Tokenizer.from_str(OUT.read_text(encoding="utf-8"))
    held_out = [gloss for i, gloss in enumerate(glosses(folder)) if i % HELD_OUT == 0]
    guide = [line for file in sorted((HERE.parent / "guide").glob("*.md"))
             for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    print("held-out glosses:", pieces_per_word(tokenizer, held_out))
    print("the guide (not trained on):", pieces_per_word(tokenizer, guide))
    for texts in (held_out, guide, everyday(), [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]):
        for text, encoded in zip(texts, tokenizer.encode_batch(texts)):
            assert tokenizer.decode(encoded.ids, skip_special_tokens=False) == text, text
    print("round trip: every code point, the guide and the held-out glosses")
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    assert len(alphabet) == 256 and all(tokenizer.token_to_id(byte) is not None for byte in alphabet)
    print("every byte has a piece;", tokenizer.get_vocab_size(), "pieces;", OUT.stat().st_size, "bytes")
    cut = [word for word in COMMON if len(tokenizer.encode(" " + word).ids) > (2 if "'" in word else 1)]
    print("common words that take more than one piece:", " ".join(cut) or "none")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    if given.check:
        return check(given.wordnet)
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(as_lines(train(training_text(given.wordnet))), encoding="utf-8")
    return None


if __name__ == "__main__":
    main()
