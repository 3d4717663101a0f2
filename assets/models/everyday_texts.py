"""What the model `everyday` learns from its teacher, SmolLM2: texts that it writes, and its probabilities.

SmolLM2 is asked for stories, letters, explanations and sentences about everyday things, and answers in the pieces that
`everyday` knows. With each token the probabilities of the likeliest ones are kept, which teach more than the token.
"""

import random

import gguf
import numpy as np
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from torch.nn import functional

import llama
import words

TOP = 24           # Of each token so many likeliest ones are kept, with their log probabilities.
NOT_KEPT = -1      # Stands for an id where fewer are known.
LONGEST = 200      # Tokens of an answer.
ANSWERS = 128      # Answers that are written side by side, and that a file holds.
TEMPERATURE, TOP_P = 0.7, 0.92
END_OF_ANSWER = 2  # <|im_end|>

TOPICS = """breakfast|the weather|a birthday party|a lost key|the first day at school|a trip to the sea|a broken window|\
shopping for food|a letter from a friend|learning to swim|a rainy day|a new neighbour|baking bread|a visit to the doctor|\
a walk in the forest|a football game|the old clock|a cat on the roof|a train journey|cooking soup|a garden in spring|\
the moon and the stars|a good book|a bad dream|a small village|the big city|going to bed|a family dinner|a phone call|\
a job in an office|cleaning the house|a dog that ran away|a wedding|a holiday by the lake|music at home|an old photograph|\
the market on Saturday|a snow storm|a bicycle|telling the truth|helping a friend|a quiet evening|a mistake at work|\
a bus that came late|the library|planting a tree|a boat on the river|winter clothes|how to make tea|why people sleep|\
what animals eat|how rain is made|why we need friends|how to be kind|what a teacher does|money and saving|the farm|\
a surprise|moving to a new house|sports|the kitchen|a day at work|healthy food|the human body|birds|summer|a painting|\
the night sky|a storm at sea|learning a language|an old man and his dog|a fire in the house|the bakery|a computer|\
a car that would not start|a game of cards|the hospital|a museum|the zoo|a secret|waiting for a friend|a promise|time|\
colours|numbers|the history of bread|what makes people happy""".split("|")

BEGINNINGS = """When|The|I|She|He|They|We|It was|Yesterday|Today|My mother|My father|Every morning|After dinner|\
In the evening|Last summer|There was|There is|If you|People|Most people|Some people|The children|The old man|The woman|\
The boy|The girl|A|One day|Once upon a time|In the morning|At school|At home|My friend|Our house|The dog|The cat|\
The weather|The train|The teacher|Do you|Can you|What|Why|How|Where|You|You can|Please|Thank you|This is|That|These|\
Many years ago|In winter|In spring|The city|The sea|The sun|The best|Almost|Before|While|As soon as|Although|Because|\
Nobody|Everyone|Something|Somewhere|For a long time|On Monday|On Sunday|The first|The last|Two|Three|Both|\
In the kitchen|In the garden|On the table|Next to""".split("|")

# What is asked for: {topic}, two names {a} and {b}, three words {x}, {y} and {z}, and the lists of sentences.txt. A line
# of the table is a share of the questions, and the questions that it is shared among.
QUESTIONS = [
    (0.22, ["Write a short story about {topic}.", "Write a story for children with the words {x}, {y} and {z}.",
            "Tell a story about {a} and {b} and {topic}.", "Tell a story about a {animal} and a {animal}.",
            "Write a story about a {job} named {a}."]),
    (0.18, ["Write a conversation between {a} and {b} about {topic}.", "Describe {topic}.",
            "Write a paragraph about {topic}.", "Write about a day in the life of a {job}.",
            "Describe the {room} of {a}'s house."]),
    (0.15, ["Explain {topic} to a child.", "Explain what a {job} does.", "Explain what a {x} is.",
            "What do you know about {animals}?", "Tell me five facts about {animals}, in full sentences.",
            "How is {dish} made?", "What is the difference between a {thing} and a {furniture}?"]),
    (0.15, ["Write a letter from {a} to {b} about {topic}.", "Write a diary entry about {topic}.",
            "I feel {feeling} today. What can I do?", "Give me advice about {topic}.",
            "Write a message to a friend about {topic}.", "Write about {topic} from the view of a {animal}."]),
    (0.10, ["Write ten short sentences about {topic}.", "Write ten everyday sentences with the word {x}.",
            "Write twelve different sentences that people say at home.", "Write ten sentences about {a} and {b}.",
            "Write ten questions about {topic}, each with a short answer."]),
    (0.20, ['Tell me a short story that begins with "{beginning}".'])]


def question(chance, lists):
    """What SmolLM2 is asked, and the beginning of its answer."""
    of = lambda name: chance.choice(lists[name])
    a, b = chance.sample(lists["name"], 2)
    nouns = lists["animal"] + lists["thing"] + lists["place"] + lists["job"] + lists["food"] + lists["furniture"]
    x, y, z = chance.sample(nouns, 3)
    beginning = chance.choice(BEGINNINGS)
    asked = chance.choice(chance.choices([one for _, one in QUESTIONS], [share for share, _ in QUESTIONS])[0])
    text = asked.format(topic=chance.choice(TOPICS), a=a, b=b, x=x, y=y, z=z, beginning=beginning,
                        **{name: of(name) for name in ("animal", "job", "room", "animals", "dish", "thing", "furniture",
                                                       "feeling")})
    return text, beginning if "{beginning}" in asked else ""


class Cache:
    """Keys and values of a layer, of texts that are padded on the left."""

    def __init__(self, shape, texts, length, dtype):
        size = (texts, shape.key_heads, length, shape.d_model // shape.heads)
        self.keys, self.values, self.n = torch.zeros(size, dtype=dtype), torch.zeros(size, dtype=dtype), 0

    def __call__(self, k, v):
        begin, self.n = self.n, self.n + k.shape[2]
        self.keys[:, :, begin:self.n], self.values[:, :, begin:self.n] = k, v
        return self.keys[:, :, :self.n], self.values[:, :, :self.n]

    def keep(self, texts):
        self.keys, self.values = self.keys[texts], self.values[texts]


class Writer:
    """Goes on with several texts at a time, in tokens that are allowed."""

    def __init__(self, model, allowed):
        self.model, self.allowed = model, allowed
        self.pieces = model.embed_tokens.weight[allowed]
        self.dtype = self.pieces.dtype

    def begin(self, prompts):
        longest = max(map(len, prompts))
        self.padding = torch.tensor([longest - len(ids) for ids in prompts])
        length, shape = longest + LONGEST, self.model.shape
        self.caches = [Cache(shape, len(prompts), length, self.dtype) for _ in self.model.layers]
        self.columns, (self.cosines, self.sines) = torch.arange(length), llama.rotations(shape, length)
        self.at = 0
        return torch.tensor([[0] * (longest - len(ids)) + ids for ids in prompts])

    def logits(self, ids):
        """Of the token after the last of `ids` [texts × n], which follow those of the calls before."""
        n = ids.shape[1]
        rows, columns = self.columns[self.at:self.at + n], self.columns[:self.at + n]
        positions = (rows[None] - self.padding[:, None]).clamp(min=0)
        cosines, sines = (of[positions][:, None].to(self.dtype) for of in (self.cosines, self.sines))
        seen = (columns <= rows[:, None])[None, None] & (columns >= self.padding[:, None])[:, None, None]
        seen = seen | (columns == rows[:, None])[None, None]  # a row of padding sees itself
        mask = torch.zeros(seen.shape, dtype=self.dtype).masked_fill(~seen, -1e9)
        x = self.model.embed_tokens(ids)
        for layer, cache in zip(self.model.layers, self.caches):
            x = layer(x, cosines, sines, mask, cache)
        self.at += n
        return functional.linear(self.model.norm(x[:, -1]), self.pieces).float()

    def keep(self, texts):
        self.padding = self.padding[texts]
        for cache in self.caches:
            cache.keep(texts)


def choose(logits, generator):
    """A token of each row, as temperature and top-p have it."""
    best = (logits / TEMPERATURE).topk(64, -1)
    shares = best.values.softmax(-1)
    shares[shares.cumsum(-1) - shares > TOP_P] = 0
    return best.indices.gather(1, torch.multinomial(shares, 1, generator=generator))[:, 0]


@torch.no_grad()
def answers(writer, prompts, generator):
    """For each prompt, a list of ids: what it is continued with. Beside each, the likeliest ids there and their log
    probabilities. Ids count in `writer.allowed`, in which 0 ends an answer. The last few that are still being written
    when nearly all have ended are left as they are."""
    texts = [[] for _ in prompts]
    ids, rows = writer.begin(prompts), torch.arange(len(prompts))
    for _ in range(LONGEST):
        logits = writer.logits(ids)
        top = logits.log_softmax(-1).topk(TOP, -1)
        chosen = choose(logits, generator)
        for i, row in enumerate(rows.tolist()):
            if not texts[row] or texts[row][-1][0] != 0:
                texts[row].append((chosen[i].item(), top.indices[i].int().numpy(), top.values[i].half().numpy()))
        ids = writer.allowed[chosen][:, None]
        going_on = torch.tensor([texts[row][-1][0] != 0 for row in rows.tolist()])
        if going_on.sum() < len(prompts) // 10:
            break
        if going_on.sum() < 0.75 * len(rows):
            writer.keep(going_on)
            rows, ids = rows[going_on], ids[going_on]
    return texts


def answered(writer, tokenizer, pieces, seed):
    """Questions and answers with this seed: a row for each token, of its id, the likeliest ids and their log
    probabilities, and the rows that answers start at. `pieces` are the ids of the writer's pieces in `tokenizer`."""
    chance, generator = random.Random(seed), torch.Generator().manual_seed(seed)
    encode = lambda text: tokenizer.encode(text).ids
    lists, new = words.written()[0], {old: i for i, old in enumerate(pieces)}
    asked = [question(chance, lists) for _ in range(ANSWERS)]
    prompts = [encode(f"<|im_start|>user\n{text}<|im_end|>\n<|im_start|>assistant\n{beginning}")
               for text, beginning in asked]
    rows, starts = [], []
    nothing = (np.full(TOP, NOT_KEPT, np.int32), np.zeros(TOP, np.float16))
    for (_, beginning), text in zip(asked, answers(writer, prompts, generator)):
        begun = encode(beginning)
        if len(text) >= 12 and all(i in new for i in begun):
            starts.append(len(rows))
            rows += [(new[i], *nothing) for i in begun] + text
    return rows, starts


@torch.no_grad()
def labelled(writer, texts):
    """Texts (ids among the writer's pieces, 0 at the end of each) that others wrote, with what the writer takes for
    likely there: rows and starts as those of answered(). They are read one after another, 256 ids at a time."""
    ids = torch.tensor([i for text in texts for i in text])
    rows, starts, window = [], [0], 256
    for part in ids.split(window):
        hidden = writer.model.hidden(writer.allowed[part][None])
        top = functional.linear(hidden, writer.pieces).float().log_softmax(-1).topk(TOP, -1)
        likeliest = torch.cat((torch.full((1, TOP), NOT_KEPT, dtype=torch.int32), top.indices[0, :-1].int()))
        logarithms = torch.cat((torch.zeros(1, TOP), top.values[0, :-1])).half()
        rows += list(zip(part.tolist(), likeliest.numpy(), logarithms.numpy()))
    for text in texts[:-1]:
        starts.append(starts[-1] + len(text))
    return rows, starts


def write_file(path, rows, starts):
    ids, top, logarithms = (np.array(column) for column in zip(*rows))
    unfinished = path.with_suffix(".new.npz")
    np.savez_compressed(unfinished, ids=ids.astype(np.int16), top=top.astype(np.int16), logp=logarithms, starts=starts)
    unfinished.replace(path)


def teacher_tokenizer(path):
    """The tokenizer in SmolLM2's GGUF file. Digits, of which these texts have few, are not cut apart as SmolLM2 does."""
    fields = gguf.GGUFReader(path).fields
    pieces, merges, types = (fields[f"tokenizer.ggml.{name}"].contents() for name in ("tokens", "merges", "token_type"))
    tokenizer = Tokenizer(models.BPE({piece: i for i, piece in enumerate(pieces)},
                                     [tuple(merge.split(" ")) for merge in merges]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([piece for piece, kind in zip(pieces, types) if kind == gguf.TokenType.CONTROL])
    return tokenizer


def load_teacher(path, pieces):
    """A writer of the GGUF file of SmolLM2-135M-Instruct, in bfloat16, that writes in `pieces`."""
    allowed = torch.tensor([END_OF_ANSWER, *pieces[1:]])  # in the place of <|endoftext|>
    return Writer(llama.load(path, positions=2048).bfloat16(), allowed)


def read_file(path):
    """The answers in a file: ids, and the likeliest ids and their log probabilities beside each."""
    stored = np.load(path)
    ends = [*stored["starts"], len(stored["ids"])]
    return [(stored["ids"][a:b].astype(np.int32), stored["top"][a:b], stored["logp"][a:b])
            for a, b in zip(ends, ends[1:])]
