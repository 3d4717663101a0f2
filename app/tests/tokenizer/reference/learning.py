"""Learns merges from words, the same every time: the trainers of the reference number some pieces by chance."""

from collections import Counter, defaultdict


class Learner:
    """Words as lists of pieces, with the number of times that each pair of neighbours occurs."""

    def __init__(self, words):
        self.words = [(list(word), count) for word, count in sorted(Counter(map(tuple, words)).items())]
        self.pairs = Counter()
        self.where = defaultdict(set)
        for i in range(len(self.words)):
            self.count(i, 1)

    def count(self, i, sign):
        pieces, times = self.words[i]
        for pair in zip(pieces, pieces[1:]):
            self.pairs[pair] += sign * times
            self.where[pair].add(i)

    def merge(self, pair, joined):
        for i in sorted(self.where.pop(pair)):
            self.count(i, -1)
            pieces, times = self.words[i]
            out = []
            for piece in pieces:
                if out and (out[-1], piece) == pair and out[-1] is not None:
                    out[-1] = joined
                else:
                    out.append(piece)
            self.words[i] = (out, times)
            self.count(i, 1)

    def best(self):
        pair = min(self.pairs, key=lambda p: (-self.pairs[p], p), default=None)
        return pair if pair and self.pairs[pair] > 0 else None


def join_with(prefix):
    """How two pieces become one, where all pieces but the first of a word begin with `prefix`."""
    return lambda left, right: left + right[len(prefix):]


def learn(words, number, prefix=""):
    """The characters of the words, and up to `number` merges, the most frequent pair first."""
    join = join_with(prefix)
    alphabet = sorted({piece for word in words for piece in word})
    learner, merges = Learner(words), []
    while len(merges) < number and (pair := learner.best()):
        merges.append(pair)
        learner.merge(pair, join(*pair))
    return alphabet, merges


def vocabulary(first, alphabet, merges, prefix=""):
    """Numbers the pieces: those of `first`, the characters, and what the merges make."""
    join = join_with(prefix)
    pieces = dict.fromkeys([*first, *alphabet, *(join(*pair) for pair in merges)])
    return {piece: number for number, piece in enumerate(pieces)}
