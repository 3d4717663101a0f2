"""Scripts as pre_tokenizers.UnicodeScripts of the reference knows them, found by asking it about every code point.

It cuts where the script changes. A code point without a script cuts nowhere and changes no script, and what has none
at the start of a text is lost. Kana count as Han.
"""
from tokenizers import pre_tokenizers

ASKED = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]


def begun(points, before=""):
    """The places in a list of code points, with `before` in front of each, at which UnicodeScripts begins a piece."""
    step = len(before) + 1
    pieces = pre_tokenizers.UnicodeScripts().pre_tokenize_str("".join(before + chr(c) for c in points))
    return [start // step for _, (start, _) in pieces if start % step == step - 1]


def joined(points, before):
    """The code points that join a character before them: those of its script and those without one."""
    cut = set(begun(points, before))
    return {c for place, c in enumerate(points) if place not in cut}


def runs_of_scripts():
    """The code points that have a script, cut where the next has another."""
    without = joined(ASKED, "a") & joined(ASKED, "я")
    points = [c for c in ASKED if c not in without]
    starts = begun(points)
    return [points[start:stop] for start, stop in zip(starts, [*starts[1:], len(points)])]


def scripts():
    """[code points of a script], in the order of their first ones."""
    runs, found = {run[0]: run for run in runs_of_scripts()}, []
    while runs:
        firsts = list(runs)
        same = joined(firsts, chr(firsts[0]))
        found.append([c for first in firsts if first in same for c in runs.pop(first)])
    return found
