"""The tables of the Precompiled normalizer, as sentencepiece writes them into its models.

Needs sentencepiece from PyPI; without it there are none, and whoever asks must leave those pipelines out."""

import base64
import functools
import io
import tempfile
from pathlib import Path

from .sample_text import SENTENCES

try:
    import sentencepiece
except ImportError:
    sentencepiece = None

# Rules of our own, small enough for a golden file: one to one, one to many, many to one, to nothing, a longer rule
# that begins like a shorter one, and one outside the first plane.
RULES = [("Ａ", "A"), ("ﬁ", "fi"), ("ﬃ", "ffi"), ("½", "1/2"), ("\u00ad", ""), ("\u200b", " "), ("\t", " "),
         ("e\u0301", "é"), ("e\u0302", "ê"), ("e\u0302\u0301", "ế"), ("か\u3099", "が"), ("㍿", "株式会社"),
         ("😀", ":)"), ("Ⅷ", "VIII"), ("…", "..."), ("—", "-"), ("\u3000", " "), ("ß", "ss")]


def available():
    return sentencepiece is not None


def number(data, at):
    """A variable-length number of a protocol buffer, and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at, value, shift = at + 1, value | (byte & 127) << shift, shift + 7
        if byte < 128:
            return value, at


def fields(data):
    """The fields of a protocol buffer message that hold bytes, as (number, bytes)."""
    at = 0
    while at < len(data):
        tag, at = number(data, at)
        kind = tag & 7
        if kind == 0:
            _, at = number(data, at)
        elif kind == 2:
            size, at = number(data, at)
            yield tag >> 3, data[at:at + size]
            at += size
        else:
            at += {1: 8, 5: 4}[kind]


def charsmap_of(model):
    """The table of a sentencepiece model: field 2 of its field 3, the normalizer."""
    normalizer = dict(fields(model)).get(3, b"")
    return dict(fields(normalizer)).get(2, b"")


def train(**options):
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(SENTENCES), model_writer=model, vocab_size=450,
                                             hard_vocab_limit=False, minloglevel=2, **options)
    return model.getvalue()


@functools.lru_cache(maxsize=None)
def charsmap(name):
    """The table named nmt_nfkc, nmt_nfkc_cf, nfkc, nfkc_cf, identity or, with the rules above, own; base64."""
    if name != "own":
        return base64.b64encode(charsmap_of(train(normalization_rule_name=name))).decode()
    lines = ["\t".join(" ".join(f"{ord(c):X}" for c in side) for side in rule) for rule in RULES]
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "rules.tsv"
        table.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return base64.b64encode(charsmap_of(train(normalization_rule_tsv=str(table)))).decode()


def precompiled(name):
    return {"type": "Precompiled", "precompiled_charsmap": charsmap(name)}
