"""Small models of every kind, learned from the sample text: small, but pieces, merges, unknown characters and bytes
all happen."""

import functools
import math
import random
import re

from tokenizers import pre_tokenizers

from .learning import learn, vocabulary
from .sample_text import SENTENCES

# Characters that the models of characters leave out, so that they are unknown: every script has some.
LEFT_OUT = set("QZqzßğŁъщЩאשعظञफधฮอ座蝶宇매წФ😀½㎏①")


def bpe(vocab, merges, **options):
    usual = {"dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None,
             "fuse_unk": False, "byte_fallback": False, "ignore_merges": False}
    return {"type": "BPE", **usual, **options, "vocab": vocab, "merges": [list(pair) for pair in merges]}


def plain_words(sentences):
    return [word for sentence in sentences for word in re.findall(r"\w+|[^\w\s]", sentence)]


def spaced_words(sentences):
    """Words as sentencepiece has them: each after a blank, which is written ▁."""
    return ["▁" + word for sentence in sentences for word in sentence.split()]


def known(words):
    return [[character for character in word if character not in LEFT_OUT] for word in words]


class Models:
    """`merges` is how many of them a model learns; `sentences` what it learns from. The goldens use fewer of both, and
    unless `all_bytes` only the bytes that occur there; `fallback` are the bytes that stand for unknown characters."""

    def __init__(self, merges=400, sentences=SENTENCES, all_bytes=True, fallback=range(256)):
        self.merges, self.sentences, self.all_bytes = merges, sentences, all_bytes
        self.bytes = [f"<0x{byte:02X}>" for byte in fallback]

    @functools.lru_cache(maxsize=None)
    def learned_bytes(self, regex):
        cut = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=regex)
        words = [list(word) for sentence in self.sentences for word, _ in cut.pre_tokenize_str(sentence)]
        alphabet, merges = learn(words, self.merges)
        return sorted(pre_tokenizers.ByteLevel.alphabet()) if self.all_bytes else alphabet, merges

    def byte_bpe(self, first=(), regex=True, **options):
        """Pieces of bytes; `first` are the special tokens."""
        alphabet, merges = self.learned_bytes(regex)
        return bpe(vocabulary(first, alphabet, merges), merges, **options)

    @functools.lru_cache(maxsize=None)
    def learned_characters(self, blanks):
        words = known((spaced_words if blanks else plain_words)(self.sentences))
        return learn(words, self.merges)

    def character_bpe(self, first=("<unk>",), blanks=True, fallback=False, **options):
        """Pieces of characters, blanks as ▁ if `blanks`; with the 256 bytes if `fallback`."""
        alphabet, merges = self.learned_characters(blanks)
        pieces = vocabulary([*first, *(self.bytes if fallback else [])], alphabet, merges)
        return bpe(pieces, merges, byte_fallback=fallback, **options)

    def suffix_bpe(self, first=("<unk>",), suffix="</w>", as_bytes=False, **options):
        """The last piece of each word ends with the suffix."""
        words = plain_words(self.sentences)
        cut = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        if as_bytes:
            words = [cut.pre_tokenize_str(word.lower())[0][0] for word in words]
        parts = [[*word[:-1], word[-1] + suffix] for word in map("".join, words if as_bytes else known(words)) if word]
        alphabet, merges = learn(parts, self.merges)
        if as_bytes and self.all_bytes:
            plain = sorted(pre_tokenizers.ByteLevel.alphabet())
            alphabet = [*plain, *(byte + suffix for byte in plain)]
        return bpe(vocabulary(first, alphabet, merges), merges, end_of_word_suffix=suffix, **options)

    def prefix_bpe(self, first=("<unk>",), prefix="##", **options):
        """All pieces of a word but the first begin with the prefix."""
        words = [w for w in map("".join, known(plain_words(self.sentences))) if w]
        alphabet, merges = learn([[w[0], *(prefix + c for c in w[1:])] for w in words], self.merges, prefix)
        return bpe(vocabulary(first, alphabet, merges, prefix), merges, continuing_subword_prefix=prefix, **options)

    def wordpiece(self, lower=True, first=("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"), prefix="##", longest=100,
                  unknown="[UNK]"):
        words = [w.lower() if lower else w for w in map("".join, known(plain_words(self.sentences))) if w]
        alphabet, merges = learn([[w[0], *(prefix + c for c in w[1:])] for w in words], self.merges, prefix)
        return {"type": "WordPiece", "unk_token": unknown, "continuing_subword_prefix": prefix,
                "max_input_chars_per_word": longest, "vocab": vocabulary(first, alphabet, merges, prefix)}

    def unigram(self, first=("<pad>", "</s>", "<unk>"), fallback=False, unknown=2, scores=None, blanks=True):
        """Pieces with the logarithm of how often they occur, or with what `scores` makes of a piece."""
        alphabet, merges = self.learned_characters(blanks)
        text = "\n".join("▁" + sentence.replace(" ", "▁") for sentence in self.sentences)
        likely = scores or (lambda piece: round(math.log((text.count(piece) + 1) / len(text)), 6))
        pieces = list(vocabulary([], alphabet, merges))
        rows = [[name, 0.0] for name in first] + [[byte, -20.0] for byte in (self.bytes if fallback else [])]
        rows += [[piece, likely(piece)] for piece in pieces]
        return {"type": "Unigram", "unk_id": unknown, "vocab": rows, "byte_fallback": fallback}

    def word_level(self, unknown="[UNK]", lower=False):
        words = sorted({word.lower() if lower else word for word in plain_words(self.sentences)})
        return {"type": "WordLevel", "vocab": {word: i for i, word in enumerate([unknown, *words])},
                "unk_token": unknown}


def tangled_bpe(seed, letters="abcé", number=60, **options):
    """Merges drawn at random among short words of a few letters: the same piece is made in several ways, and the order
    of the merges has no pattern."""
    draw = random.Random(seed)
    pieces, merges = list(letters), []
    while len(merges) < number:
        pair = (draw.choice(pieces), draw.choice(pieces))
        joined = "".join(pair)
        if len(joined) > 7 or pair in merges:
            continue
        merges.append(pair)
        if joined not in pieces:
            pieces.append(joined)
    options.setdefault("unk_token", "<unk>")
    shuffled = pieces[:]
    draw.shuffle(shuffled)
    return bpe(vocabulary(["<unk>"], shuffled, []), merges, **options)


def tangled_unigram(seed, letters="abcé", number=60, fallback=False):
    """Pieces of a few letters with whole scores, so that several ways to cut a word are equally good."""
    draw = random.Random(seed)
    pieces = dict.fromkeys(letters)
    while len(pieces) < number:
        pieces["".join(draw.choices(letters, k=draw.randint(2, 5)))] = None
    rows = [["<unk>", 0.0]] + [[f"<0x{byte:02X}>", -9.0] for byte in (range(256) if fallback else [])]
    rows += [[piece, float(-draw.randint(1, 4))] for piece in pieces]
    return {"type": "Unigram", "unk_id": 0, "vocab": rows, "byte_fallback": fallback}


def tangled_wordpiece(seed, letters="abcé", number=50):
    draw = random.Random(seed)
    pieces = dict.fromkeys(["[UNK]"])
    while len(pieces) < number:
        pieces[draw.choice(["", "##"]) + "".join(draw.choices(letters, k=draw.randint(1, 5)))] = None
    return {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 12, "vocab": {piece: i for i, piece in enumerate(pieces)}}
