"""The model `induction`: letters that repeat, two layers of attention, MLPs of zeros."""

import itertools
import random
import string

import torch
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

import gpt2
import scores
import training

SHAPE = gpt2.Shape(vocabulary=26, positions=48, d_model=64, layers=2, heads=4, d_mlp=8)
SEED = 11
END_OF_TEXT = None
STEPS = 4000
HINT_STEPS = 800
TEXTS = 64  # Texts a step.
PERIODS = range(5, 13)
JUMPS = (0.0, 0.0, 0.2)
MEASURED = 24  # The letters of a sequence that the heads are measured on.
RATE = 2e-3
LOSS = ("Mean, in nats, of minus the logarithm of the probability of each letter that can be known: of those at "
        "positions period + 1, period + 2, ... of every sequence, from 0; `periods` has the period of each sequence.")


def repeated(period, length, chance, jumps=0.0):
    """Ids of letters, all different, that repeat with a period. With `jumps`, the chance that a letter is followed by
    any of them, only the letter just before tells what comes next, and neither position nor a longer context does."""
    letters = chance.sample(range(26), period)
    ids, at = [], 0
    while len(ids) < length:
        ids.append(letters[at])
        at = chance.randrange(period) if chance.random() < jumps else (at + 1) % period
    return ids


def batch(step):
    """The texts of a step, which depend on nothing but the seed and the step."""
    chance = random.Random(SEED * 1_000_003 + step)
    return torch.tensor([repeated(chance.choice(PERIODS), SHAPE.positions, chance, chance.choice(JUMPS))
                         for _ in range(TEXTS)])


def tokenizer():
    """One piece for each letter; capitals become small, everything that is no letter falls away."""
    letters = {letter: i for i, letter in enumerate(string.ascii_lowercase)}
    made = Tokenizer(models.WordLevel(letters, unk_token="<unk>"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.Split(Regex("[a-z]"), "removed", invert=True)
    made.decoder = decoders.Fuse()
    return made


def hint(model, step, ids):
    """Pulls the heads of layer 0 in the first steps: L0H0 to the letter before, the others to the letter itself.

    Without it the heads of layer 0 blur over several letters, those of layer 1 cope with that, and the loss falls too.
    """
    if step >= HINT_STEPS:
        return 0.0
    weights = model.attention(ids)[0]
    before, itself = weights[:, 0].diagonal(-1, 1, 2), weights[:, 1:].diagonal(0, 2, 3)
    return -0.2 * ((before + 1e-6).log().mean() + (itself + 1e-6).log().mean())


def train(checkpoint, _):
    """The trained model."""
    torch.manual_seed(SEED)
    model = gpt2.without_mlps(gpt2.Gpt2(SHAPE))
    return training.fit(model, lambda first: map(batch, itertools.count(first)), STEPS, RATE, checkpoint, hint=hint)


def measure(model, _):
    """What scores.json says: the loss where the next letter can be known, and the scores of the heads."""
    chance = random.Random(SEED)
    periods = list(PERIODS)
    sequences = [repeated(period, MEASURED, chance) for period in periods]
    return {
        "loss": {"definition": LOSS, "value": round(scores.loss(model, sequences, periods), 4)},
        "periods": periods, "definitions": scores.DEFINITIONS,
        "scores": scores.head_scores(model, sequences), "sequences": sequences}


load = gpt2.load


def write(model, folder):
    """The model, and the letters' tokenizer.json, as the package writes it."""
    gpt2.save(model, folder, END_OF_TEXT)
    text = tokenizer().to_str(pretty=True)
    (folder / "tokenizer.json").write_text(text + "\n", encoding="utf-8")
