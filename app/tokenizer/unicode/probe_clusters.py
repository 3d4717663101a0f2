"""Grapheme clusters as normalizers.Precompiled of the reference cuts them, found by asking it about every code point.

Precompiled replaces a cluster of less than six bytes as a whole if a key stands at its start, and a longer one
character by character. Here every first byte but a line feed's is a key and stands for a star: a short cluster gives
one star and a longer one as many as it has characters, so the number of stars tells which characters are joined.

Only what changes a result can be seen so. Flags cannot: two regional indicators have eight bytes and give two stars,
joined or not, and whatever follows them. Their class is therefore Unicode's.
"""
import functools
import struct

from tokenizers import normalizers

# A line feed keeps the questions apart, and a carriage return would join with it.
ASKED = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000 and chr(c) not in "\r\n"]

NUMBER_SIGN = "\u0600"  # Prepend
ACUTE = "\u0301"  # Extend
JOINER = "\u200D"  # ZWJ
PICTURE = "\u00A9"  # ExtendedPictographic
LEADING, VOWEL, TRAILING = "\u1100", "\u1161", "\u11A8"  # L, V, T
KA, VIRAMA = "\u0915", "\u094D"  # consonant, linker


@functools.cache
def stars():
    """The normalizer. Its trie: the child for byte b stands at b, and all share the leaf at 256, which says 0."""
    trie = [0] * 512
    for byte in range(1, 256):
        if byte != ord("\n"):
            to_leaf = byte ^ 256
            trie[byte] = to_leaf << 10 | 1 << 8 | byte
    return normalizers.Precompiled(struct.pack("<513I", 4 * len(trie), *trie) + b"*\0")


@functools.cache
def with_stars(before, after, count):
    """The code points that give so many stars between the two texts."""
    normalizer, found = stars(), set()
    for start in range(0, len(ASKED), 0x1000):
        chunk = ASKED[start:start + 0x1000]
        results = normalizer.normalize_str("\n".join(before + chr(c) + after for c in chunk)).split("\n")
        found |= {c for c, result in zip(chunk, results, strict=True) if len(result) == count}
    return frozenset(found)


def hangul_classes(prepend, joins_left):
    """L, V, T, LV and LVT, from what they join on either side."""
    # The letter and its accent are a short cluster, and the sign and the vowel are one, unless the code point joins.
    before_l = with_stars("", LEADING + ACUTE, 3) - prepend
    before_v = with_stars("", VOWEL + ACUTE, 3) - prepend
    before_t = with_stars("", TRAILING + ACUTE, 3) - prepend
    after_v = with_stars(NUMBER_SIGN + VOWEL, "", 3) - joins_left
    return {"L": before_l, "V": before_v & after_v, "LV": (before_v & before_t) - after_v,
            "T": (before_t & after_v) - before_v, "LVT": before_t - before_v - after_v}


def cluster_classes():
    """{class: code points} of Grapheme_Cluster_Break and Extended_Pictographic; all others are Other."""
    joins_left = with_stars("a", "", 1)
    prepend = with_stars("", "a", 1)
    # Two pictures are joined by a joiner between them, also behind an Extend. Everything is one long cluster then.
    joiner = joins_left & with_stars(PICTURE, PICTURE + ACUTE, 4)
    extend = joins_left & with_stars(PICTURE, JOINER + PICTURE + ACUTE, 5)
    pictures = with_stars("", JOINER + PICTURE + ACUTE, 4)
    # The accent and the joiner are a short cluster only behind what nothing joins.
    control = with_stars("", ACUTE + JOINER, 2)
    return {"Control": control, "CR": {0x0D}, "LF": {0x0A}, "Extend": extend, "ZWJ": joiner,
            "SpacingMark": joins_left - extend - joiner, "Prepend": prepend,
            "RegionalIndicator": set(range(0x1F1E6, 0x1F200)), "ExtendedPictographic": pictures,
            **hangul_classes(prepend, joins_left)}


def indic_conjuncts():
    """{class: code points} of Indic_Conjunct_Break; all others are None."""
    joins_left = with_stars("a", "", 1)
    # Two consonants are joined by a linker between them, also before an Extend. Everything is one long cluster then.
    consonant = with_stars("", VIRAMA + KA + ACUTE, 4)
    linker = joins_left & with_stars(KA, KA + ACUTE, 4)
    return {"Consonant": consonant, "Linker": linker,
            "Extend": (joins_left & with_stars(KA + VIRAMA, KA + ACUTE, 5)) - linker}
