"""The texts of the comparison: every code point, and random strings of all that has ever been cut wrongly."""

import functools
import itertools
import random

from .sample_text import SENTENCES

LAST = 0x110000
# Ideographs, syllables, private use and what nothing is assigned to: a sample does for most pipelines.
SPARSE = [(0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xE000, 0xF8FF), (0x12000, 0x16700),
          (0x17000, 0x1AFF0), (0x20000, 0x2A6E0), (0x2A700, 0x2EBF0), (0x30000, 0x323B0), (0x32400, 0xE0000), (0xE1000, LAST)]

BLANKS = [chr(c) for c in (*range(9, 14), *range(28, 33), 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029,
                           0x202F, 0x205F, 0x3000)]
INVISIBLE = [chr(c) for c in (0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x202E, 0x2060, 0xFEFF, 0x180E, 0xFE0F, 0xFE0E,
                              0x34F, 0x61C, 0xE0061, 0xE007F, 0xFFF9)]
CONTROLS = [chr(c) for c in (*range(9), *range(14, 28), 0x7F, *range(0x80, 0xA0), 0xFFFD, 0xFFFE, 0xFFFF, 0xFDD0,
                             0xE000, 0xF8FF, 0x10FFFF, 0x1FFFE, 0x378, 0xE0080)]
CASES = list("İıſßẞΣςσǅǆŉﬁﬃKÅΩΐᾳᾼӀӏẚẛₐⅧⓐᏣꭰᲐაꙊᲈ𐐀𐐨𞤀") + ["i̇", "ΑΣ", "ΑΣ ", "ΑΣΑ", "Ǆ", "ʼn", "J̌", "SS", "ss"]
MARKS = [chr(c) for c in (0x300, 0x301, 0x302, 0x303, 0x307, 0x308, 0x30A, 0x316, 0x323, 0x327, 0x328, 0x345, 0x483,
                          0x591, 0x5B8, 0x64B, 0x651, 0x670, 0x93C, 0x94D, 0x9BE, 0xBBE, 0xE31, 0xE48, 0x1DC0, 0x20D0, 0x20E3,
                          0x302A, 0x3099, 0x309A, 0xFE20, 0x1D165, 0x1E130)]
LETTERS = list("aabcdeeefghiijklmnoopqrssttuuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") + list(
    "éèêëàâäöüñçøåæœðþłžčšřěąężğışİŒ" "αβγδεσςΩἈᾳ" "абвгдежйёЁЪЯ" "אבגד" "ابتثجىئؤآ" "अआकखगज्ञड़" "กขคงจ" "ႠაბԱբ"
    "猫犬東京天地龍𠀀𠮷" "あいうえおがぱアイウガパｶﾞﾊﾟ" "가각힣안녕" "ᄀ까ᅢᆨᆩ" "ሀለሐ" "ᐁᐂ" "ԀԱ" "𝐀𝒜𝔸𝟘" "ªºʰˆ々ー")
DIGITS = list("0123456789") + list("०१٠١۴๑๓０９²³¹⁰₂½¾⅐Ⅷⅳↀ①⑳❶㊿〇一二三零𝟎𝟗𞣇༳௧፩")
PUNCTUATION = list("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~") + list(
    "¡§«·»¿‐–—‘’“”„†•…‰′‹›‽⁂⁄、。〈「」〜・！，．？｛｡､׃؛؟।۔።᠀⸮" "€£¥©®°±×÷¬¦´¨¯¸^`˝→↔∀∑≠∞⌘①▁■★☃♥✓⠿㎏㍿﷽￼")
EMOJI = ["😀", "👍🏽", "👩‍👩‍👧", "👩🏿‍🚀", "🇩🇪", "🇯🇵🇫", "❤️", "❤", "1️⃣", "#⃣", "☺︎",
         "🏴\U000e0067\U000e0062\U000e007f", "🏳️‍🌈", "\u200d"]
SHORT = ["'s", "'S", "'t", "'RE", "'ll", "'LL", "'ſ", "'d", "'ve", "'m", "’s", "n't", " '", "\r\n", "\n\n", "  ", "   ",
         " \n", "\t\t", "\n ", "``", "''", "##", "##a", "</w>", "<unk>", "<s>", "[UNK]", "Ġ", "▁", "▁▁", " ▁", "<0x0A>",
         "<0xE2>", "<|endoftext|>", "http://", "e.g.", "3.14", "1,000", "2024", "12345678", "ffi", "株式会社"]
DECOMPOSED = ["e\u0301", "e\u0302\u0301", "a\u0323\u0307", "a\u0307\u0323", "n\u0303", "A\u030A", "q\u0323\u0307\u0301",
              "か\u3099", "ハ\u309A", "ᄒ\u1161\u11ab", "가\u11a8", "\u0915\u093c", "ſ\u0323\u0307", "\u0344", "\u0340",
              "\u2126", "\uFB1D", "\uF900", "\U0002F800", "ẛ̣", "D\u0307\u0323", "\u0f71\u0f72\u0f74", "ở", "ǭ"]
WORDS = sorted({word for sentence in SENTENCES for word in sentence.split()})
# How often each kind of ingredient is taken.
KINDS = [(WORDS, 18), ([" "], 22), (LETTERS, 16), (BLANKS, 5), (INVISIBLE, 3), (CONTROLS, 3), (CASES, 5), (MARKS, 5),
         (DIGITS, 6), (PUNCTUATION, 9), (EMOJI, 3), (SHORT, 9), (DECOMPOSED, 4)]


@functools.lru_cache(maxsize=None)
def code_points(every):
    """All code points but the surrogates; unless `every`, one of 61 where there is nothing to tell them apart."""
    steps = bytearray([1]) * LAST  # 0: left out
    steps[0xD800:0xE000] = bytes(0x800)
    for begin, end in [] if every else SPARSE:
        steps[begin:end] = bytes(code % 61 == 0 for code in range(begin, end))
    return [chr(code) for code in itertools.compress(range(LAST), steps)]


def packed(characters, form, number=40):
    """The characters in a form such as "a{}b", some to a line, blanks between them."""
    characters = list(characters)
    for i in range(0, len(characters), number):
        yield " ".join(form.format(c) for c in characters[i:i + number])


def ingredients(spec):
    """What the strings of a pipeline are made of: the usual, its added tokens and its vocabulary, with weights."""
    names = [token["content"] for token in spec["added_tokens"]]
    vocab = spec["model"]["vocab"]
    pieces = [piece for piece in (vocab if isinstance(vocab, dict) else (row[0] for row in vocab)) if len(piece) < 20]
    kinds = [*KINDS, (pieces or ["a"], 14)]
    if names:
        broken = [name[:i] for name in names for i in (1, len(name) // 2, -1)] + [name[1:] for name in names]
        around = [f"{left}{name}{right}" for name in names[:40] for left in ("", " ", "a", "_", "é") for right in
                  ("", " ", "b", "1", "\u0301")]
        cased = [name.upper() for name in names] + [name.lower() for name in names]
        kinds += [(names, 8), (around, 6), ([part for part in broken if part] or names, 2), (cased, 2)]
    return kinds


def random_code_point(draw):
    code = draw.choice((draw.randrange(0x3000), draw.randrange(0x20000), draw.randrange(LAST)))
    return "" if 0xD800 <= code < 0xE000 else chr(code)


def random_strings(name, spec, number):
    """`number` strings, the same for the same name."""
    draw = random.Random(name)
    kinds = ingredients(spec)
    lists, weights = [kind for kind, _ in kinds], [weight for _, weight in kinds]
    lengths = draw.choices([1, 2, 3, 4, 5, 6, 8, 10, 14, 20], [8, 12, 14, 14, 14, 12, 10, 8, 5, 3], k=number)
    for length in lengths:
        luck = draw.random()
        if luck < 0.12:  # Only pieces of the vocabulary: merges and scores decide.
            pieces = lists[len(KINDS)]
            yield "".join(draw.choice(pieces) for _ in range(length))
            continue
        parts = [draw.choice(kind) for kind in draw.choices(lists, weights, k=length)]
        if luck < 0.2:
            parts.insert(draw.randrange(length), random_code_point(draw))
        elif luck < 0.23:
            parts.insert(draw.randrange(length), draw.choice(draw.choice(lists)) * draw.randrange(2, 40))
        yield "".join(parts)


def fixed_strings():
    """What every pipeline must be asked: nothing, blanks, very long words, the sample."""
    yield from ("", " ", "  ", "\n", "\0", "a", "▁", "\u0301", "é", "\ufeff", " a", "a ", " a ")
    yield from (letter * times for letter in ("a", " ", "é", "猫", "1", "\u0301", "ab", "😀", "\n", "Z")
                for times in (99, 100, 101, 256, 1000))
    yield from SENTENCES
    yield " ".join(SENTENCES)
