"""The model `everyday`: six layers of eight heads that continue English, taught by SmolLM2."""

import collections
import json
import random
import shutil
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch.nn import functional

import everyday_texts
import gpt2
import llama
import scores
import training
import words

HERE = Path(__file__).resolve().parent
FILE = "everyday.gguf"
CACHE = HERE / ".cache" / "everyday"
EXAMPLES = CACHE / "examples.npz"  # WordNet's examples, with the teacher's probabilities.
CHOSEN = CACHE / "pieces.json"  # The tokenizer, and the ids of its pieces in the teacher's.

SHAPE = llama.Shape(vocabulary=6144, positions=512, d_model=256, layers=6, heads=8, key_heads=8, d_mlp=704)
SEED = 11
END_OF_TEXT = 0
PRE = "gpt-2"        # What llama.cpp calls the way in which texts are cut before pieces are merged.
FREE_ANSWERS = 8     # Times ANSWERS answers whose words decide which pieces are kept,
FILES = 40           # and files of answers that are learned from.
WINDOW, WINDOWS = 256, 24
STEPS = 1500
LEVEL = 0.18         # The share of the steps with the full rates,
LEAST = 0.01         # and the share of them that is left at the end.
WARM = 50
RATE, RATE_OF_REST = 0.012, 0.003  # Of Muon for the maps, of AdamW for embeddings and norms.
PREVIOUS, INDUCTION = 0, 2         # The layers whose head 0 is pulled to what it should look at.
PULL = [(0.3, 0.1), (1.0, 0.06)]   # Until this share of the steps, so much of it is added to the loss.
SHARES = {"repeated": 0.05, "answers": 0.25, "glosses": 0.22, "examples": 0.37, "lines": 0.005, "sentences": 0.105}
SEQUENCES, HALF = 8, 24            # Sequences that the heads are measured on: random pieces, then the same again.

CAPITALS = [pair.split("=") for pair in """France=Paris|Germany=Berlin|Italy=Rome|Spain=Madrid|England=London|\
Austria=Vienna|Russia=Moscow|Japan=Tokyo|China=Beijing|India=Delhi|Egypt=Cairo|Greece=Athens|Portugal=Lisbon|\
Ireland=Dublin|Scotland=Edinburgh|Poland=Warsaw|Hungary=Budapest|Sweden=Stockholm|Norway=Oslo|Denmark=Copenhagen|\
Belgium=Brussels|Cuba=Havana|Canada=Ottawa|Turkey=Ankara|Iran=Tehran|Iraq=Baghdad|Peru=Lima|Kenya=Nairobi|\
Mexico=Mexico City|Argentina=Buenos Aires|Israel=Jerusalem|Korea=Seoul|Thailand=Bangkok|Vietnam=Hanoi|Ukraine=Kiev|\
Switzerland=Bern""".split("|")]
OF_CAPITALS = ["The capital of {c} is {k}.", "{k} is the capital of {c}.", "The capital of {c} is called {k}.",
               "What is the capital of {c}? The capital of {c} is {k}.", "What is the capital of {c}? It is {k}.",
               "The capital city of {c} is {k}.", "The government of {c} sits in {k}, its capital."]

# Two people, of whom one, {c}, gives something to the other. What is measured has other words around the names, and
# other pairs of them.
MEETINGS = ["When {a} and {b} went to the {p}, {c}", "After {a} and {b} went to the {p}, {c}",
            "Then, {a} and {b} went to the {p}. {c}", "{a} and {b} went to the {p}. {c}",
            "While {a} and {b} were working at the {p}, {c}", "{a} and {b} had lunch at the {p}. Afterwards {c}",
            "Yesterday {a} and {b} were at the {p}, and {c}", "One day {a} met {b} at the {p}, and {c}",
            "When {a} came to the {p} with {b}, {c}", "Once {a} and {b} had a long argument, and then {c}"]
GIFTS = ["gave a {t} to", "handed a {t} to", "passed the {t} to", "decided to give a {t} to", "sent a {t} to",
         "brought a {t} to", "showed a {t} to", "wanted to give the {t} to", "said goodbye to", "read a story to",
         "sold the {t} to", "threw a {t} to"]
LAST_WORDS = [".", ".", ", who was very happy.", ", who smiled.", ", and they went home."]
MEASURED = ["When {a} and {b} got a {t} at the {p}, {c} decided to give it to",
            "The {p} was closed, so {a} and {b} went home, where {c} gave a {t} to",
            "Friends {a} and {b} found a {t} at the {p}. {c} gave it to",
            "When {a} and {b} went to the {p}, {c} offered a {t} to",
            "Last Sunday {a} and {b} walked to the {p}, and {c} lent a {t} to"]
TWO_HUNDRED = 200
PROMPTS = ("The capital of France is", "When Mary and John went to the store, John gave a drink to",
           "The cat sat on the", "Once upon a time there was a little", "She opened the door and", "I don't",
           "What is your")


ABOUT = {"description": "Continues everyday English. Trained on what SmolLM2-135M-Instruct (Apache-2.0) wrote, on "
                        "WordNet 3.0, whose notice goes with every copy, and on sentences written for Attention Lab.",
         "languages": ["en"]}


def is_measured(a, b):
    """Whether a pair of names is one of the tenth that is never trained on."""
    names = words.written()[0]["name"]
    return (names.index(a) * 31 + names.index(b) * 17) % 10 == 0


def giving(chance, lists, measured=False):
    """A sentence without its last word, and that word."""
    while True:
        a, b = chance.sample(lists["name"], 2)
        if is_measured(a, b) == measured:
            break
    giver, other = chance.sample([a, b], 2)
    pattern = chance.choice(MEASURED) if measured else f"{chance.choice(MEETINGS)} {chance.choice(GIFTS)}"
    return pattern.format(a=a, b=b, c=giver, t=chance.choice(lists["thing"]), p=chance.choice(lists["place"])), other


def sentence(chance, lists, sentences):
    """A line of sentences.txt, one about two people, or a capital."""
    kind = chance.random()
    if kind < 0.15:
        return words.filled(chance.choice(sentences), lists, chance)
    if kind < 0.75:
        return " ".join(giving(chance, lists)) + chance.choice(LAST_WORDS)
    country, capital = chance.choice(CAPITALS)
    return chance.choice(OF_CAPITALS).format(c=country, k=capital)


class Pieces:
    """The commonest pieces of SmolLM2's tokenizer, and what they are merged from."""

    def __init__(self, tokenizer):
        self.whole = json.loads(tokenizer.to_str())
        self.vocabulary = self.whole["model"]["vocab"]
        self.parts = {}
        for merge in self.whole["model"]["merges"]:
            first, second = merge if isinstance(merge, list) else merge.split(" ")
            self.parts.setdefault(first + second, (first, second))
        self.kept = {piece for piece in self.vocabulary if len(piece) == 1}  # each byte

    def with_parts(self, piece):
        """The pieces that are missing for this one."""
        if piece in self.kept:
            return set()
        return {piece}.union(*(self.with_parts(part) for part in self.parts.get(piece, ())))

    def add(self, piece):
        """Keeps a piece, unless there is no more room; false then."""
        missing = self.with_parts(piece) if piece in self.vocabulary else set()
        if len(self.kept) + len(missing) > SHAPE.vocabulary - 1:
            return False
        self.kept |= missing
        return True

    def tokenizer(self):
        """What tokenizer.json says of them, in SmolLM2's order after <|endoftext|>, and their ids in SmolLM2's."""
        end = "<|endoftext|>"
        order = [end, *sorted(self.kept, key=self.vocabulary.get)]
        is_kept = lambda first, second: {first, second, first + second} <= self.kept
        merges = [merge if isinstance(merge, list) else merge.split(" ") for merge in self.whole["model"]["merges"]]
        model = {**self.whole["model"], "vocab": {piece: i for i, piece in enumerate(order)},
                 "merges": [merge for merge in merges if is_kept(*merge)]}
        added = [{**token, "id": 0} for token in self.whole["added_tokens"] if token["content"] == end]
        return {**self.whole, "model": model, "added_tokens": added}, [self.vocabulary[piece] for piece in order]


def choose_pieces(tokenizer, free, wordnet):
    """The tokenizer of `everyday`, and the ids of its pieces in SmolLM2's: names and capitals, then what is commonest
    in the texts `free` of SmolLM2 and in those that are trained on."""
    lists, sentences = words.written()
    chance, pieces, count = random.Random(SEED), Pieces(tokenizer), collections.Counter()
    kept = words.not_held_out(wordnet)
    examples = [one for gloss in kept for one in words.examples(gloss)]
    filled = [words.filled(line, lists, chance) for line in sentences for _ in range(20)]
    for weight, texts in ((1.0, free), (0.35, kept), (0.8, examples), (0.5, filled + words.everyday() * 5)):
        ids = [i for encoded in tokenizer.encode_batch(texts) for i in encoded.ids]
        for i in ids:
            count[i] += weight / len(ids)
    blanks = {word for values in lists.values() for value in values for word in value.split()}
    for word in sorted(blanks | {word for pair in CAPITALS for name in pair for word in name.split()}):
        pieces.add("Ġ" + word)
    for name in lists["name"]:
        pieces.add(name)
    for i, _ in count.most_common():
        if not pieces.add(tokenizer.id_to_token(i)):
            break
    return pieces.tokenizer()


class Pool:
    """Texts in random order, again and again."""

    def __init__(self, texts, seed):
        self.texts, self.chance, self.order = texts, random.Random(seed), []

    def next(self):
        if not self.order:
            self.order = list(range(len(self.texts)))
            self.chance.shuffle(self.order)
        return self.texts[self.order.pop()]


def certain(ids):
    """A text whose next token is certain, in the form of everyday_texts.read_file()."""
    top = np.full((len(ids), everyday_texts.TOP), everyday_texts.NOT_KEPT, np.int16)
    logarithms = np.zeros((len(ids), everyday_texts.TOP), np.float16)
    top[:, 0] = ids
    return np.array(ids, np.int32), top, logarithms


class Text:
    """Everything that is trained on, and the batches of windows that it is cut into."""

    def __init__(self, tokenizer, files, wordnet, seed):
        self.tokenizer, self.chance = tokenizer, random.Random(seed)
        self.lists, self.sentences = words.written()
        self.whole_words = words.whole_words(tokenizer)
        self.pools = {"answers": Pool([text for path in files for text in everyday_texts.read_file(path)], seed),
                      "glosses": Pool(self.encode(words.not_held_out(wordnet)), seed + 1),
                      "examples": Pool(everyday_texts.read_file(EXAMPLES), seed + 2),
                      "lines": Pool(self.encode(words.everyday()), seed + 3)}

    def encode(self, texts):
        return [encoded.ids for encoded in self.tokenizer.encode_batch(texts)]

    def piece(self, kind):
        if kind == "sentences" and self.chance.random() < 0.15:
            kind = "examples"
        if kind in ("answers", "examples"):
            return self.pools[kind].next()
        ids = self.encode([sentence(self.chance, self.lists, self.sentences)])[0] if kind == "sentences" else \
            self.pools[kind].next()
        return certain(ids + [END_OF_TEXT])

    def repeated(self):
        """Random pieces, again and again; nothing is to be learned from the first time."""
        period = self.chance.randint(6, 100)
        pool = self.whole_words if self.chance.random() < 0.3 else range(1, SHAPE.vocabulary)
        ids, top, logarithms = certain((self.chance.choices(pool, k=period) * (WINDOW // period + 2))[:WINDOW + 1])
        top[:period] = everyday_texts.NOT_KEPT
        return ids, top, logarithms

    def window(self):
        kind = self.chance.choices(list(SHARES), list(SHARES.values()))[0]
        if kind == "repeated":
            return *self.repeated(), True
        parts, n = [], 0
        while n <= WINDOW:
            parts.append(self.piece(kind))
            n += len(parts[-1][0])
        return *(np.concatenate(columns)[:WINDOW + 1] for columns in zip(*parts)), False

    def batch(self):
        """Ids [texts × (n + 1)], the likeliest ids and log probabilities after each, and which texts are repeated."""
        ids, top, logarithms, repeated = zip(*(self.window() for _ in range(WINDOWS)))
        tensor = lambda arrays, kind: torch.from_numpy(np.stack(arrays)).to(kind)
        return (tensor(ids, torch.long), tensor(top, torch.long)[:, 1:], tensor(logarithms, torch.float)[:, 1:],
                torch.tensor(repeated))


def taught_loss(logits, top, logarithms):
    """The mean cross-entropy with the teacher's probabilities of the ids `top`, where there are any."""
    shares = logarithms.exp().masked_fill(top == everyday_texts.NOT_KEPT, 0)
    sums = shares.sum(-1, keepdim=True)
    known = sums[..., 0] > 0
    chosen = (shares / sums.clamp(min=1e-6) * logits.gather(-1, top.clamp(min=0))).sum(-1)
    return ((torch.logsumexp(logits, -1) - chosen) * known).sum() / known.sum()


def looking_loss(model, ids, repeated):
    """How far head 0 of PREVIOUS is from looking at the token before, and that of INDUCTION, in repeated texts, at what
    followed the same token: minus the mean logarithm of the weight there."""
    least = 1e-4  # so that no weight is infinitely far
    loss = -torch.log(model.layers[PREVIOUS].self_attn.seen[:, 0].diagonal(-1, 1, 2) + least).mean()
    if not repeated.any():
        return loss
    ids, seen = ids[repeated], model.layers[INDUCTION].self_attn.seen[repeated, 0]
    followed = torch.zeros_like(seen, dtype=torch.bool)
    followed[:, :, 1:] = ids[:, :, None] == ids[:, None, :-1]
    followed = followed.tril(-1)
    weight, there = (seen * followed).sum(-1), followed.any(-1)
    return loss - (torch.log(weight + least) * there).sum() / there.sum()


def begin_from_teacher(model, pieces):
    """The embeddings of the teacher's pieces, in the directions in which they differ most, turned at random."""
    middle = pieces - pieces.mean(0)
    u, s, _ = torch.linalg.svd(middle, full_matrices=False)
    n = SHAPE.d_model
    turned = u[:, :n] * s[:n] @ torch.linalg.qr(torch.randn(n, n))[0]
    with torch.no_grad():
        model.embed_tokens.weight.copy_(turned / turned.std() * 0.02)


def optimisers_of(model):
    maps = [weight for name, weight in model.named_parameters() if weight.dim() == 2 and "embed" not in name]
    rest = [weight for name, weight in model.named_parameters() if weight.dim() != 2 or "embed" in name]
    return [torch.optim.Muon(maps, lr=RATE, momentum=0.95, weight_decay=0.1),
            torch.optim.AdamW(rest, lr=RATE_OF_REST, betas=(0.9, 0.95), weight_decay=0.0)]


def prepare(wordnet, teacher):
    """What is made before training: the tokenizer and its ids in the teacher's, the files of answers, and the teacher's
    embeddings of the pieces."""
    CACHE.mkdir(parents=True, exist_ok=True)
    theirs = everyday_texts.teacher_tokenizer(teacher)
    if not CHOSEN.exists():
        everything = list(range(theirs.get_vocab_size()))
        writer = everyday_texts.load_teacher(teacher, everything)
        free = []
        for k in range(FREE_ANSWERS):
            rows, starts = everyday_texts.answered(writer, theirs, everything, -1 - k)
            free += [theirs.decode([row[0] for row in rows[a:b]]) for a, b in zip(starts, [*starts[1:], len(rows)])]
        CHOSEN.write_text(json.dumps(choose_pieces(theirs, free, wordnet), ensure_ascii=False), encoding="utf-8")
    _, pieces = json.loads(CHOSEN.read_text(encoding="utf-8"))
    files, writer = [CACHE / f"{k}.npz" for k in range(FILES)], everyday_texts.load_teacher(teacher, pieces)
    for k, path in enumerate(files):
        if not path.exists():
            everyday_texts.write_file(path, *everyday_texts.answered(writer, theirs, pieces, k))
    if not EXAMPLES.exists():
        tokenizer = chosen_tokenizer()
        texts = [one for gloss in words.not_held_out(wordnet) for one in words.examples(gloss)]
        random.Random(SEED).shuffle(texts)
        ids = [encoded.ids + [END_OF_TEXT] for encoded in tokenizer.encode_batch(texts)]
        everyday_texts.write_file(EXAMPLES, *everyday_texts.labelled(writer, ids))
    return files, llama.load(teacher).embed_tokens.weight[torch.tensor(pieces)].detach()


def share_of_rate(step):
    """Of the full learning rates: a short rise, a level, and a straight fall."""
    done = step / STEPS
    return min(1, (step + 1) / WARM) * max(LEAST, min(1, (1 - done) / (1 - LEVEL)))


def train_step(model, optimisers, batch, step):
    """Returns the loss without what pulls heads."""
    ids, top, logarithms, repeated = batch
    for optimiser, rate in zip(optimisers, (RATE, RATE_OF_REST)):
        training.set_rate(optimiser, rate * share_of_rate(step))
    with torch.autocast("cpu", torch.bfloat16):
        logits = model(ids[:, :-1])
    loss = taught_loss(logits.float(), top, logarithms)
    pull = next(weight for until, weight in PULL if step < until * STEPS)
    (loss + pull * looking_loss(model, ids[:, :-1], repeated)).backward()
    torch.nn.utils.clip_grad_norm_(optimisers[1].param_groups[0]["params"], 1.0)
    for optimiser in optimisers:
        optimiser.step()
        optimiser.zero_grad()
    return loss.item()


def train(path, given):
    """The trained model."""
    files, pieces = prepare(given.wordnet, given.teacher)
    torch.manual_seed(SEED)
    model = llama.Llama(SHAPE)
    begin_from_teacher(model, pieces)
    for layer in (PREVIOUS, INDUCTION):
        model.layers[layer].self_attn.watched = [0]
    optimisers = optimisers_of(model)
    checkpoint = training.Checkpoint(path, model, optimisers)
    text = Text(chosen_tokenizer(), files, given.wordnet, SEED)
    training.run(checkpoint, STEPS, lambda step: train_step(model, optimisers, text.batch(), step))
    return model.eval()


def chosen_tokenizer():
    return Tokenizer.from_str(json.dumps(json.loads(CHOSEN.read_text(encoding="utf-8"))[0]))


def write(model, folder):
    """The file of the model with its tokenizer, and the notice that goes with WordNet's text."""
    shutil.copyfile(words.TOKENIZERS / "english" / "LICENSE-WordNet", folder / "LICENSE-WordNet")
    tokenizer, _ = json.loads(CHOSEN.read_text(encoding="utf-8"))
    llama.save(model, folder / FILE, "Everyday", tokenizer, PRE, END_OF_TEXT, ABOUT)


def load(folder):
    return llama.load(folder / FILE)


def two_hundred(model, tokenizer):
    """The share of sentences about giving that are ended with the right name, and by how many the giver's was taken."""
    chance, lists, right, giver = random.Random(SEED), words.written()[0], 0, 0
    for _ in range(TWO_HUNDRED):
        text, other = giving(chance, lists, measured=True)
        with torch.no_grad():
            said = tokenizer.decode([model(torch.tensor([tokenizer.encode(text).ids]))[0, -1].argmax().item()]).strip()
        right += said == other
        giver += said != other and said in text
    return {"sentences": TWO_HUNDRED, "right": right / TWO_HUNDRED, "another_name_of_the_sentence": giver / TWO_HUNDRED}


def loss_per_byte(model, tokenizer, texts):
    """In nats: the loss of all tokens of each text but its first, by the bytes of those tokens."""
    nats = bytes_ = 0
    for text in texts:
        ids = tokenizer.encode(text).ids[:SHAPE.positions]
        if len(ids) < 2:
            continue
        with torch.no_grad():
            logits = model(torch.tensor([ids]))[0, :-1]
        nats += functional.cross_entropy(logits, torch.tensor(ids[1:]), reduction="sum").item()
        bytes_ += len(tokenizer.decode(ids[1:]).encode("utf-8"))
    return nats / bytes_


def measure(model, wordnet):
    """What scores.json says."""
    tokenizer = everyday_texts.teacher_tokenizer(HERE / "everyday" / FILE)
    others = gpt2.load(HERE / "words"), Tokenizer.from_file(str(words.TOKENIZER))
    held_out = words.held_out(wordnet)
    texts = {"held_out_everyday": (HERE / "held_out.txt").read_text(encoding="utf-8").splitlines()[1:],
             "held_out_examples": [one for gloss in held_out for one in words.examples(gloss)],
             "held_out_glosses": held_out[::5]}
    chance = random.Random(SEED)
    sequences = [2 * chance.sample(range(1, SHAPE.vocabulary), HALF) for _ in range(SEQUENCES)]
    short = [tokenizer.encode(text).ids for text in texts["held_out_everyday"][:12]]
    return {
        "loss": {"definition": words.LOSS, "value": round(scores.loss(model, short), 4), "texts": short},
        "loss_per_byte": {name: {"value": round(loss_per_byte(model, tokenizer, some), 4),
                                 "of_words": round(loss_per_byte(*others, some), 4)} for name, some in texts.items()},
        "giving": two_hundred(model, tokenizer),
        "definitions": scores.DEFINITIONS,
        "scores": scores.head_scores(model, sequences), "sequences": sequences,
        "predictions": [words.predictions(model, tokenizer, prompt) for prompt in PROMPTS]}
