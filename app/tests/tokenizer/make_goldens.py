"""Writes golden/NAME.json: small tokenizers, and what the reference makes of some texts, for tests without Python.

    python3 make_goldens.py [--models DIR]

Each file is {"tokenizer": {…}, "cases": [{"text", "pair" where there is one, "add_special_tokens", "ids", "tokens",
"offsets", "type_ids" unless all are 0, "decoded", and "decoded_plain" where leaving out special tokens makes a
difference}]}; what the file says of truncation and padding was done. Needs
`tokenizers` and `sentencepiece` from PyPI. --models takes the tokenizers of checkpoints and the sentences of their
golden.json.
"""

import argparse
import json
from pathlib import Path

from compare_with_reference import of_checkpoints
from reference.every_option import every_option
from reference.families import families
from reference.models import Models
from reference.oracle import GAVE_UP, decoded, encoded
from tokenizers import Tokenizer

OUT = Path(__file__).resolve().parent / "golden"

# What the small models learn from: few enough characters that a vocabulary takes a kilobyte.
SENTENCES = """The cat didn't sit, it's New York! <a>
hello new world 12.3 Hi
café Straße ΑΣ İi é
猫が 가각 नम שלו e\u0301 ▁x
aab abc abcé cab bca""".splitlines()

# Texts by what they are about. The models' own pipelines get the first of each, and all of "".
TEXTS = {
    "": ["The cat didn't sit, it's 12!", " New York  café\n", ""],
    "blanks": ["\r\n \n x\u00a0\u200bz\0\u0085 ", "\ufeffa\u3000d\u2028b\t"],
    "case": ["Straße ΑΣ İi ﬁ 'S'll", "ΑΣΑ ǅ K ’T"],
    "marks": ["e\u0301 a\u0307\u0323 ＡＢ ｶﾞ 가", "\u0301½① ㍿か\u3099가Å Å"],
    "scripts": ["猫が。zQ👍🏽½ नमस्", "३१४²Ⅷ1234567 猫x犬カ한", "👩\u200d👩 🇩🇪\uffff\u0378שָم"],
    "marked": ["<a>b [MASK]x</s> ▁x▁▁", "new york cityNEW York", "x\n<a><a>é New Yorkerabcd"],
    "signs": ["``hi'' (a.b)…c!!x--y $5©"],
    "pieces": ["aaab abcéabcab", "bcacatdidnéabé", "a" * 13],
}
ABOUT = {"normalizer-": ("blanks", "marks", "case"), "cut-": ("scripts", "signs"), "split-": ("", "scripts"),
         "added-": ("marked",), "post-": ("",), "limit-": ("",), "decode-": ("marked",), "bpe-": ("pieces",),
         "unigram-": ("pieces",), "wordpiece-": ("pieces",), "words": ("", "case"), "": ("",)}
PAIRED = ("post-", "limit-", "bert-uncased", "bert-accents-kept", "roberta", "llama2")
# They would tell nothing that other golden files do not, or hold a table of 240 kilobytes.
LEFT_OUT = ("table-nmt", "t5", "albert", "xlm-roberta", "-text-inverted", "added-many", "metaspace-always-whole",
            "metaspace-never-split", "cut-fixed-7", "unigram-equal", "metaspace-first-whole", "bpe-tangled-4",
            "unigram-tangled-3", "gpt2-as-pattern", "-after-cut", "llama3-merges", "roberta-untrimmed", "mistral",
            "unigram-length", "byte-level-whole", "bert-without-chinese",
            "bytes-with-holes-unfused", "split-any", "split-mergedwithnext-text", "split-contiguous-text",
            "decode-metaspace-never", "added-normalized-word-bytes", "added-stripped-word-bytes", "added-common-bytes",
            "strip-left", "limit-cut-and-pad", "split-removed-text", "split-isolated-text", "bert-cased",
            "added-lstrip-bytes", "added-rstrip-bytes", "added-word-bytes", "post-bytes-untrimmed", "decode-strip-end",
            "bloom", "gpt4.", "cut-punctuation-mergedwithprevious", "cut-fixed-1", "bpe-suffix", "limit-cut-first",
            "post-bytes-then-template", "decode-wordpiece-plain", "decode-ctc-plain", "roberta-prefixed")


def texts_for(name, is_family):
    """A few texts that are about what the pipeline does."""
    prefix = next((prefix for prefix in ABOUT if name.startswith(prefix)), "")
    if is_family:
        return TEXTS[""] + [texts[0] for about, texts in TEXTS.items() if about]
    return [text for about in ABOUT[prefix] for text in TEXTS[about]]


def case(tokenizer, text, special=True, pair=None):
    """What the reference says of a text, or None if it cannot do it."""
    fields = encoded(tokenizer, [text], pair, special)[0]
    if fields is GAVE_UP:
        return None
    plain, whole = (decoded(tokenizer, [fields["ids"]], skip)[0] for skip in (True, False))
    if not any(fields["type_ids"]):
        del fields["type_ids"]
    found = {"text": text} | ({} if pair is None else {"pair": pair}) | {"add_special_tokens": special, **fields}
    return found | {"decoded": whole} | ({"decoded_plain": plain} if plain != whole else {})


def cases(name, spec, is_family):
    tokenizer, texts = Tokenizer.from_str(json.dumps(spec)), texts_for(name, is_family)
    found = [case(tokenizer, text) for text in texts]
    if spec["post_processor"]:
        found += [case(tokenizer, text, False) for text in texts[:1]]
    if any(name.startswith(prefix) for prefix in PAIRED):
        pairs = [(" Hello", "é x", True), ("a", "", True), ("", "the cat", False), (texts[1], " x", True)]
        found += [case(tokenizer, first, special, second) for first, second, special in pairs]
    return [one for one in found if one]


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def write(name, spec, found):
    """One line for each section of the tokenizer and for each case."""
    sections = ",\n".join(f"{compact(key)}:{compact(value)}" for key, value in spec.items())
    lines = ",\n".join(map(compact, found))
    (OUT / f"{name}.json").write_text(f'{{"tokenizer":{{\n{sections}\n}},\n"cases":[\n{lines}\n]}}\n', encoding="utf-8")


def small_pipelines():
    """The pipelines of the comparison with smaller models; whether each is a model's own."""
    said = sorted({byte for texts in TEXTS.values() for text in texts for byte in text.encode()})
    models = Models(16, SENTENCES, all_bytes=False, fallback=said)
    own = families(models)
    found = {name: (spec, True) for name, spec in own.items()} | {
        name: (spec, False) for name, spec in every_option(models).items()}
    return {name: pair for name, pair in found.items() if not any(part in name for part in LEFT_OUT)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", metavar="DIR", help="a folder of checkpoints")
    given = parser.parse_args()
    OUT.mkdir(exist_ok=True)
    for name, (spec, is_family) in small_pipelines().items():
        write(name, spec, cases(name, spec, is_family))
    for name, (spec, _) in (of_checkpoints(given.models) if given.models else {}).items():
        folder = name.removeprefix("model ")
        told = json.loads((Path(given.models) / folder / "golden.json").read_text(encoding="utf-8"))
        tokenizer = Tokenizer.from_str(json.dumps(spec))
        found = [case(tokenizer, text) for text in told["sentences"]]
        assert all([one[key] for one in found] == told[key] for key in ("tokens", "offsets")), name
        write("model-" + folder, spec, found)


if __name__ == "__main__":
    main()
