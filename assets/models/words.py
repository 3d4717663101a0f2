"""The model `words`: four layers that continue English, trained on WordNet's glosses and on everyday sentences."""

import random
import re
import shutil
import sys
from pathlib import Path

import torch
from tokenizers import Tokenizer

import gpt2
import scores
import training

HERE = Path(__file__).resolve().parent
TOKENIZERS = HERE.parent / "tokenizers"
TOKENIZER = TOKENIZERS / "english" / "tokenizer.json"
sys.path.insert(0, str(TOKENIZERS))
from make_english import HELD_OUT, everyday, glosses  # noqa: E402

SHAPE = gpt2.Shape(vocabulary=4000, positions=128, d_model=128, layers=4, heads=4, d_mlp=512)
SEED = 7
END_OF_TEXT = 0
EVERYDAY_TIMES = 12  # How often an epoch holds each everyday sentence,
WRITTEN_TIMES = 50   # and each line of sentences.txt, whose blanks are filled anew each time.
LOWER_CASE = 0.1     # The share of these lines that is written without capitals, as people type.
TEXTS = 32           # Windows a step.
STEPS = 2052
LEVEL = 0.83
RATE = 2e-3
SEQUENCES, HALF = 8, 16  # Sequences that the heads are measured on: random words, then the same words again.
SHORT_TEXTS = 12         # Held-out glosses whose ids scores.json holds.
PROMPTS = ("a small", "a person who", "The cat sat on the", "Once upon a time there was a little",
           "She opened the door and", "I don't", "What is your",
           "When Mary and John went to the store, John gave a drink to")
LOSS = ("Mean, in nats, of minus the logarithm of the probability of each token of every text but its first, from the "
        "tokens before it.")


def examples(gloss):
    """The quoted examples of a gloss, written as sentences: a capital in front and a full stop at the end."""
    for quoted in re.findall(r'"([^"]+)"', gloss):
        text = quoted.strip()
        if len(text.split()) > 3:
            yield text[0].upper() + text[1:] + ("" if text[-1] in ".!?;," else ".")


def held_out(wordnet):
    """Every fiftieth gloss, which is never trained on."""
    return [gloss for i, gloss in enumerate(glosses(wordnet)) if i % HELD_OUT == 0]


def not_held_out(wordnet):
    """The other glosses."""
    return [gloss for i, gloss in enumerate(glosses(wordnet)) if i % HELD_OUT]


def from_wordnet(wordnet):
    for gloss in not_held_out(wordnet):
        yield gloss
        yield from examples(gloss)


def written():
    """sentences.txt: the lists that blanks are filled from, and the sentences."""
    lists, sentences = {}, []
    for line in (HERE / "sentences.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("@"):
            name, values = line[1:].split(":", 1)
            lists[name] = [value.strip() for value in values.split(",")]
        elif line and not line.startswith("#"):
            sentences.append(line)
    return lists, sentences


def filled(sentence, lists, chance):
    """The sentence with its blanks filled: {name} with any name, {name1} and {name2} with two that differ."""
    chosen = {}

    def value(match):
        blank = match.group(1)
        kind = blank.rstrip("0123456789")
        if blank not in chosen:
            taken = {other for key, other in chosen.items() if key.rstrip("0123456789") == kind}
            chosen[blank] = chance.choice([entry for entry in lists[kind] if entry not in taken])
        return chosen[blank]

    text = re.sub(r"\{(\w+)\}", value, sentence)
    text = re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", text)
    return text.lower() if chance.random() < LOWER_CASE else text[0].upper() + text[1:]


class Text:
    """Everything that is trained on, as ids, and the windows that an epoch cuts it into."""

    def __init__(self, wordnet):
        self.tokenizer = Tokenizer.from_file(str(TOKENIZER))
        self.lists, self.sentences = written()
        self.fixed = self.encode(list(from_wordnet(wordnet)))
        self.fixed += self.encode(everyday()) * EVERYDAY_TIMES

    def encode(self, texts):
        return [encoded.ids for encoded in self.tokenizer.encode_batch(texts)]

    def windows(self, epoch):
        """One epoch: the texts in random order, one after another, in windows that each begin with a text."""
        chance = random.Random(SEED * 1_000_003 + epoch)
        texts = self.fixed + self.encode(
            [filled(line, self.lists, chance) for line in self.sentences for _ in range(WRITTEN_TIMES)])
        chance.shuffle(texts)
        windows, window = [], []
        for ids in texts:
            window += ids + [END_OF_TEXT]
            if len(window) > SHAPE.positions:
                windows.append(window[:SHAPE.positions + 1])
                window = []
        return torch.tensor(windows)

    def batches(self, first):
        """The batches of each step from `first` on. They depend on nothing but the seed and the step."""
        epoch = step = 0
        while True:
            windows = self.windows(epoch)
            steps = len(windows) // TEXTS
            for at in range(max(0, first - step), steps):
                yield windows[at * TEXTS:(at + 1) * TEXTS]
            epoch, step = epoch + 1, step + steps


def train(checkpoint, given):
    """The trained model."""
    text = Text(given.wordnet)
    torch.manual_seed(SEED)
    return training.fit(gpt2.Gpt2(SHAPE), text.batches, STEPS, RATE, checkpoint, LEVEL, bfloat16=True)


def whole_words(tokenizer):
    """The ids of pieces that are a word in small letters."""
    return sorted(i for piece, i in tokenizer.get_vocab().items() if re.fullmatch("Ġ[a-z]{3,}", piece))


def repeated_words(tokenizer):
    """Sequences of random whole words, each of which comes twice."""
    chance = random.Random(SEED)
    whole = whole_words(tokenizer)
    return [2 * chance.sample(whole, HALF) for _ in range(SEQUENCES)]


def predictions(model, tokenizer, prompt):
    """The five tokens that the model takes for the most likely ones after a prompt."""
    ids = tokenizer.encode(prompt).ids
    with torch.no_grad():
        top = model(torch.tensor([ids]))[0, -1].softmax(-1).topk(5)
    return {"text": prompt, "ids": ids, "top": [
        {"token": tokenizer.decode([i]), "id": i, "probability": round(p, 4)}
        for i, p in zip(top.indices.tolist(), top.values.tolist())]}


def measure(model, wordnet):
    """What scores.json says: losses of held-out glosses, the scores of the heads, and some predictions."""
    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    held_out_ids = [encoded.ids[:SHAPE.positions] for encoded in tokenizer.encode_batch(held_out(wordnet))]
    held_out_ids = [ids for ids in held_out_ids if len(ids) > 1]
    texts = [ids for ids in held_out_ids if 12 <= len(ids) <= 24][::50][:SHORT_TEXTS]
    sequences = repeated_words(tokenizer)
    again = [HALF] * len(sequences)
    return {
        "loss": {"definition": LOSS, "value": round(scores.loss(model, texts), 4), "texts": texts},
        "loss_of_all_held_out_glosses": {
            "value": round(scores.loss(model, held_out_ids), 4), "tokens": sum(len(ids) - 1 for ids in held_out_ids)},
        "loss_of_repeated_words": {
            "definition": f"The same for `sequences`, only of the tokens from position {HALF + 1} on, from 0.",
            "value": round(scores.loss(model, sequences, again), 4)},
        "definitions": scores.DEFINITIONS,
        "scores": scores.head_scores(model, sequences), "sequences": sequences,
        "predictions": [predictions(model, tokenizer, prompt) for prompt in PROMPTS]}


load = gpt2.load


def write(model, folder):
    """The model; the built-in tokenizer, copied bit for bit; and the notice that goes with WordNet's text."""
    gpt2.save(model, folder, END_OF_TEXT)
    shutil.copyfile(TOKENIZER, folder / "tokenizer.json")
    shutil.copyfile(TOKENIZER.parent / "LICENSE-WordNet", folder / "LICENSE-WordNet")
