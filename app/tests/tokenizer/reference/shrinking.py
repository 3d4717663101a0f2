"""Makes the inputs that differ as short as they can be while they still differ, many at a time."""

import unicodedata
from collections import Counter

LONG = 48


def shorter(one):
    """What may be tried instead of a text or a list of ids: parts left out, then single characters made plain."""
    size = len(one)
    step = size // 2
    while step >= 1:
        if step > 1 or size <= LONG:
            for at in range(0, size, step):
                yield one[:at] + one[at + step:]
        step //= 2
    if isinstance(one, str) and size <= 12:
        for at, character in enumerate(one):
            if character not in "a ":
                yield one[:at] + "a" + one[at + 1:]


def shrink(inputs, differ, rounds=40):
    """The inputs made short. `differ` takes a list and says for each of it whether the two sides still differ."""
    open_ones, done = list(inputs), []
    for _ in range(rounds):
        tries = [list(shorter(one)) for one in open_ones]
        answers = iter(differ([candidate for some in tries for candidate in some]))
        following = []
        for one, some in zip(open_ones, tries):
            still = [candidate for candidate in some if next(answers)]
            (following if still else done).append(min(still, key=len) if still else one)
        open_ones = following
        if not open_ones:
            break
    return done + open_ones


def kind_of(one):
    """What a shrunken input is grouped by: the categories of its characters, with "a", blanks and "'" as they are."""
    if not isinstance(one, str):
        return f"{len(one)} ids"
    return " ".join(repr(c) if c in "a '" else unicodedata.category(c) for c in one) or "nothing"


def ranges(characters):
    """Code points as ranges: U+0041–U+005A, U+0061."""
    codes, parts = sorted({ord(c) for c in characters}), []
    for code in codes:
        if parts and parts[-1][1] == code - 1:
            parts[-1][1] = code
        else:
            parts.append([code, code])
    return ", ".join(f"U+{a:04X}" if a == b else f"U+{a:04X}–U+{b:04X}" for a, b in parts)


def categories(characters):
    return dict(Counter(unicodedata.category(c) for c in characters).most_common())
