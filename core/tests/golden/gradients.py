"""Golden gradients for the problems in this folder, by PyTorch's autograd in float64.

For each NAME.problem.safetensors writes NAME.gradient.safetensors with the gradients of two numbers:
Σ seed · stage for the last stage (0.) and for the weights of the last head (1.). `0.seed` holds the
seed, `0.W_Q` the gradient of W_Q and so on, `0.stage.scores` that of a stage, as if its numbers were
moved and the stages after it followed. The definition is that of definition.py, written for PyTorch;
its stages are compared with the answers before anything is written.

The same versions give the same bytes. Needs numpy and torch: python3 gradients.py [OUT_DIR]
"""
import json
import math
import sys
from pathlib import Path

import numpy as np
import torch

from definition import (KEY_SIDE, Case, alibi_slopes, distances, dropped, head_gains, may_attend,
                        pair_columns, rotary_angles, sinusoids)
from tensors import load, save

HERE = Path(__file__).parent
OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE


class Graph:
    """The stages of a case as tensors that PyTorch can differentiate."""

    def __init__(self, case):
        self.case = case
        self.leaves = {name: torch.tensor(case[name], requires_grad=True) for name in case.tensors}
        self.stages = {}
        self.run()

    def factor(self, name, absent):
        return self.leaves[name] if name in self.leaves else absent

    def bias(self, name):
        if not self.case.biases or name not in self.leaves:
            return 0.0
        leaf = self.leaves[name]
        return leaf[:, None] if leaf.ndim == 2 else leaf

    def stage(self, name, value):
        """Numbers put there by hand replace computed ones; all of them can be moved."""
        mine = [o for o in self.case.overrides if o["stage"] == name]
        if mine:
            by_hand = torch.zeros_like(value, dtype=torch.bool)
            numbers = torch.zeros_like(value)
            for o in mine:
                head = (o["head"] - 1) // (self.case.group if name in KEY_SIDE else 1)
                place = (o["row"], o["col"]) if value.ndim == 2 else (head, o["row"], o["col"])
                by_hand[place] = True
                numbers[place] = float(np.float32(o["value"]))
            value = torch.where(by_hand, numbers, value)
        value = value * 1.0  # a tensor of its own also where nothing is computed
        value.retain_grad()
        self.stages[name] = value
        return value

    def with_positions(self, name, suffix, table):
        rows = self.leaves[name]
        if self.case.positions == "sinusoidal":
            position = torch.tensor(sinusoids(len(rows), self.case.d_model), requires_grad=True)
        elif self.case.positions == "learned":
            position = self.leaves[table][: len(rows)]
        else:
            return self.stage("X" + suffix, rows)
        return self.stage("X" + suffix, rows + self.stage("position" + suffix, position))

    def normed(self, name, rows):
        if not self.case.head_norm:
            return rows
        joint = self.case.head_norm_joint
        root = ((rows**2).mean((0, 2) if joint else -1, keepdim=True) + self.case.head_norm_epsilon).sqrt()
        factors = self.factor(name, 1.0)
        if joint and name in self.leaves:
            factors = factors.reshape(len(rows), 1, -1)
        return rows / root * factors

    def normed_values(self, V):
        return V / ((V**2).mean(-1, keepdim=True) + self.case.head_norm_epsilon).sqrt()

    def rotated(self, vectors):
        if self.case.positions != "rotary":
            return vectors
        first, second = pair_columns(self.case)
        angles = torch.tensor(rotary_angles(self.case, vectors.shape[1]))
        a, b = vectors[..., first], vectors[..., second]
        result = torch.empty_like(vectors)
        result[..., first] = a * angles.cos() - b * angles.sin()
        result[..., second] = a * angles.sin() + b * angles.cos()
        return result

    def masked(self, scores):
        n, m = scores.shape[1:]
        alibi = self.case.positions == "alibi"
        slopes = torch.tensor(alibi_slopes(self.case.heads) if alibi else [0.0] * self.case.heads)
        moved = scores + self.factor("bias", 0.0)
        moved = moved - slopes[:, None, None].double() * torch.tensor(distances(n, m))
        return torch.where(torch.tensor(may_attend(self.case, n, m)), moved, -math.inf)

    def softmax(self, scores):
        alive = (scores > -math.inf).any(-1, keepdim=True)
        scores, keys = torch.where(alive, scores, 0.0), scores.shape[-1]
        if self.case.sink:
            none = torch.zeros(self.case.heads, 1, dtype=torch.float64)
            sinks = self.factor("sink", none)[:, None].expand(-1, scores.shape[1], 1)
            scores = torch.cat([scores, sinks], -1)
        return torch.softmax(scores, -1)[..., :keys] * alive

    def run(self):
        case, leaves, stage = self.case, self.leaves, self.stage
        X = self.with_positions("X", "", "position_table")
        table = "position_table_kv" if "position_table_kv" in case else "position_table"
        X_kv = self.with_positions("X_kv", "_kv", table) if case.cross else X
        Q = stage("Q", X @ leaves["W_Q"] + self.bias("b_Q"))
        K = stage("K", X_kv @ leaves["W_K"] + self.bias("b_K"))
        V = stage("V", X_kv @ leaves["W_V"] + self.bias("b_V"))
        V = stage("normed_V", self.normed_values(V)) if case.value_norm else V
        Q = stage("rotated_Q", self.rotated(stage("normed_Q", self.normed("norm_Q", Q))))
        K = stage("rotated_K", self.rotated(stage("normed_K", self.normed("norm_K", K))))
        K, V = K.repeat_interleave(case.group, 0), V.repeat_interleave(case.group, 0)
        scores = stage("scores", Q @ K.transpose(1, 2))
        divisor = (math.sqrt(case.d_k) if case.scale else 1.0) * case.temperature
        scores = stage("scaled_scores", scores / divisor)
        cap = case.score_cap
        scores = stage("capped_scores", cap * (scores / cap).tanh() if cap > 0 else scores)
        weights = stage("weights", self.softmax(stage("masked_scores", self.masked(scores))))
        kept = ~torch.tensor(dropped(case, tuple(weights.shape)))
        weights = stage("dropped_weights", weights * kept / (1.0 - case.dropout_rate))
        outputs = stage("head_output", weights @ V)
        gained = outputs * torch.tensor(head_gains(case))[:, None, None]
        concat = stage("concat", torch.cat(list(gained), dim=1))
        output = stage("output", concat @ leaves["W_O"] + self.bias("b_O"))
        residual = stage("residual", X + output if case.residual else output)
        stage("layer_norm", self.layer_norm(residual))

    def layer_norm(self, rows):
        if not self.case.layer_norm:
            return rows
        centred = rows - rows.mean(-1, keepdim=True)
        spread = ((centred**2).mean(-1, keepdim=True) + self.case.layer_norm_epsilon).sqrt()
        return centred / spread * self.factor("gamma", 1.0) + self.factor("beta", 0.0)


def gradients(case, stage, head, random):
    """The seed, and the gradient of everything that the number depends on."""
    graph = Graph(case)
    values = graph.stages[stage] if head is None else graph.stages[stage][head]
    seed = torch.tensor(random.standard_normal(tuple(values.shape)).astype(np.float32))
    (values * seed.double()).sum().backward()
    found = {"seed": seed}
    for name, leaf in graph.leaves.items():
        if leaf.grad is not None:
            found[name] = leaf.grad
    for name, value in graph.stages.items():
        if value.grad is not None:
            found["stage." + name] = value.grad
    return {name: value.numpy().astype(np.float32) for name, value in found.items()}


def expect_answer(path, case):
    for name, wanted in load(str(path).replace(".problem.", ".answer."))[0].items():
        found = Graph(case).stages[name].detach().numpy()
        finite = np.isfinite(wanted)
        assert (np.isfinite(found) == finite).all(), (path, name)
        largest = np.abs(wanted[finite]).max(initial=0)
        assert np.abs(found - wanted)[finite].max(initial=0) <= 2e-6 * largest, (path, name)


def read_case(path):
    tensors, words = load(path)
    switches = {name: text if name in ("positions", "rotary_pairs") else json.loads(text)
                for name, text in words.items() if name != "n_heads"}
    return Case(tensors, {name: value for name, value in switches.items() if name in Case.DEFAULTS})


LATER = ["head_norm_joint", "head_norm_joint_cross", "value_norm", "value_norm_cross"]  # cases before them keep their seeds


def place(path):
    name = path.name.split(".")[0]
    return (LATER.index(name) if name in LATER else -1, name)


for number, path in enumerate(sorted(HERE.glob("*.problem.safetensors"), key=place)):
    case = read_case(path)
    expect_answer(path, case)
    random = np.random.default_rng(1000 + number)
    tensors = {}
    for part, (stage, head) in enumerate([("layer_norm", None), ("weights", case.heads - 1)]):
        for name, values in gradients(case, stage, head, random).items():
            tensors[f"{part}.{name}"] = values
    save(OUT / path.name.replace(".problem.", ".gradient."), tensors, {})
    print(path.name)
