"""Golden problems and answers for the variants of multi-head attention.

The answers come from the definition in NumPy and float64. Wherever PyTorch can do the
case, or a part of it, its numbers are compared with them before anything is written.
Each case is a pair NAME.problem.safetensors and NAME.answer.safetensors; an answer holds
the stages that are steps of their own, and in its metadata `checked_by` what agreed with it.

The same versions give the same bytes. Needs numpy and torch (2.5 or later):
python3 make_golden.py [OUT_DIR]
"""
import json
import math
import sys
from pathlib import Path

import numpy as np
import torch

OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
KEY_SIDE = ("K", "V", "rotated_K")


class Case:
    """The tensors and switches of a problem; a switch that is not given has its default."""

    DEFAULTS = dict(scale=True, temperature=1.0, causal=False, key_count=0, window=0,
                    positions="none", rotary_base=10000.0, rotary_pairs="adjacent", biases=True,
                    dropout_rate=0.0, dropout_seed=0, residual=False, layer_norm=False,
                    layer_norm_epsilon=1e-5, head_mix=[], overrides=[])

    def __init__(self, tensors, switches):
        unknown = set(switches) - set(self.DEFAULTS)
        assert not unknown, unknown
        self.tensors = tensors
        self.given = switches
        self.__dict__.update(self.DEFAULTS | switches)
        self.dropout_rate = float(np.float32(self.dropout_rate))  # it decides what is dropped
        self.heads, self.d_model, self.d_k = tensors["W_Q"].shape
        self.kv_heads, _, self.d_v = tensors["W_V"].shape
        self.group = self.heads // self.kv_heads
        self.cross = "X_kv" in tensors

    def __contains__(self, name):
        return name in self.tensors

    def __getitem__(self, name):
        return self.tensors[name].astype(np.float64)

    def bias(self, name):
        """A bias, broadcast over the rows; 0 where there is none or all are off."""
        if not self.biases or name not in self:
            return 0.0
        return self[name][:, None] if self[name].ndim == 2 else self[name]


# ---- The definition, in NumPy ------------------------------------------------------------


def sinusoids(n, d_model):
    """Sines in even columns, cosines in odd ones, of position / 10000^(2i / d_model)."""
    angles = np.arange(n)[:, None] / 10000.0 ** (np.arange(0, d_model, 2) / d_model)
    table = np.empty((n, 2 * angles.shape[1]))
    table[:, 0::2] = np.sin(angles)
    table[:, 1::2] = np.cos(angles)
    return table[:, :d_model]


def position_of(case, n, table):
    if case.positions == "sinusoidal":
        return sinusoids(n, case.d_model)
    return case[table][:n] if case.positions == "learned" else None


def pair_columns(case):
    """The first and the second columns of the pairs that rotary positions turn."""
    half = case.d_k // 2
    if case.rotary_pairs == "adjacent":
        return np.arange(0, case.d_k, 2), np.arange(1, case.d_k, 2)
    return np.arange(half), np.arange(half, case.d_k)


def rotary_angles(case, n):
    return np.arange(n)[:, None] * case.rotary_base ** (-2.0 * np.arange(case.d_k // 2) / case.d_k)


def rotate(case, vectors):
    """Each pair times the matrix [[cos, −sin], [sin, cos]] of its angle."""
    first, second = pair_columns(case)
    angles = rotary_angles(case, vectors.shape[1])
    turn = np.array([[np.cos(angles), -np.sin(angles)], [np.sin(angles), np.cos(angles)]])
    pairs = np.stack([vectors[..., first], vectors[..., second]])
    turned = np.einsum("abnp,bhnp->ahnp", turn, pairs)
    result = np.empty_like(vectors)
    result[..., first], result[..., second] = turned
    return result


def alibi_slopes(heads):
    """2^(−8/heads), 2^(−16/heads) …; between powers of two the extra heads take every other
    slope of the next power (Press et al. 2021)."""
    if heads & (heads - 1) == 0:
        return [2.0 ** (-8.0 * (h + 1) / heads) for h in range(heads)]
    below = 1 << (heads.bit_length() - 1)
    return alibi_slopes(below) + alibi_slopes(2 * below)[0::2][: heads - below]


def distances(n, m):
    return np.abs(np.arange(n)[:, None] - np.arange(m)[None, :])


def may_attend(case, n, m):
    rows, keys = np.arange(n)[:, None], np.arange(m)[None, :]
    allowed = np.ones((n, m), dtype=bool)
    if case.causal:
        allowed &= keys <= rows
    if case.key_count > 0:
        allowed &= keys < case.key_count
    if case.window > 0:
        allowed &= distances(n, m) < case.window
    if "mask" in case:
        allowed &= case["mask"] != 0
    return allowed


def softmax(scores):
    """Of each row; one without a finite score has weights 0."""
    largest = scores.max(-1, keepdims=True)
    shifted = np.exp(scores - np.where(np.isfinite(largest), largest, 0.0))
    total = shifted.sum(-1, keepdims=True)
    return np.divide(shifted, total, out=np.zeros_like(shifted), where=total > 0)


def splitmix64(seed, numbers):
    """Outputs `numbers` (from 0) of the stream that `seed` starts (Steele, Lea, Flood 2014)."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed)
        z = z + np.uint64(0x9E3779B97F4A7C15) * (numbers.astype(np.uint64) + np.uint64(1))
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def dropped(case, shape):
    """Where a weight is dropped: number (head · 2048 + row) · 2048 + key of the stream, its
    upper 24 bits as a share of 2^24, is below the rate."""
    head, row, key = np.indices(shape)
    bits = splitmix64(case.dropout_seed, (head * 2048 + row) * 2048 + key) >> np.uint64(40)
    return bits.astype(np.float64) / 2.0**24 < case.dropout_rate


def head_gains(case):
    mix = case.head_mix or [{"mute": False, "solo": False, "scale": 1.0}] * case.heads
    solo = any(m["solo"] for m in mix)
    return np.array([0.0 if m["mute"] or (solo and not m["solo"]) else m["scale"] for m in mix])


def layer_norm(case, rows):
    centred = rows - rows.mean(-1, keepdims=True)
    spread = np.sqrt((centred**2).mean(-1, keepdims=True) + case.layer_norm_epsilon)
    gamma = case["gamma"] if "gamma" in case else 1.0
    beta = case["beta"] if "beta" in case else 0.0
    return centred / spread * gamma + beta


def solve(case):
    """Every stage that is a step of its own, by name."""
    stages = {}

    def stage(name, value, active=True):
        mine = [o for o in case.overrides if o["stage"] == name]
        if not active and not mine:
            return value
        value = np.array(value, dtype=np.float64)
        for o in mine:
            head = (o["head"] - 1) // (case.group if name in KEY_SIDE else 1)
            matrix = value if value.ndim == 2 else value[head]
            matrix[o["row"], o["col"]] = np.float32(o["value"])
        stages[name] = value
        return value

    def input_of(name, suffix, table):
        position = position_of(case, len(case[name]), table)
        if position is None:
            return stage("X" + suffix, case[name], active=False)
        return stage("X" + suffix, case[name] + stage("position" + suffix, position))

    X = input_of("X", "", "position_table")
    kv_table = "position_table_kv" if "position_table_kv" in case else "position_table"
    X_kv = input_of("X_kv", "_kv", kv_table) if case.cross else X
    n, m = len(X), len(X_kv)

    Q = stage("Q", X @ case["W_Q"] + case.bias("b_Q"))
    K = stage("K", X_kv @ case["W_K"] + case.bias("b_K"))
    V = stage("V", X_kv @ case["W_V"] + case.bias("b_V"))
    rotary = case.positions == "rotary"
    Q = stage("rotated_Q", rotate(case, Q) if rotary else Q, rotary)
    K = stage("rotated_K", rotate(case, K) if rotary else K, rotary)
    K, V = np.repeat(K, case.group, 0), np.repeat(V, case.group, 0)

    scores = stage("scores", np.einsum("hik,hjk->hij", Q, K))
    divisor = (math.sqrt(case.d_k) if case.scale else 1.0) * case.temperature
    scores = stage("scaled_scores", scores / divisor, divisor != 1.0)
    alibi = case.positions == "alibi"
    slopes = np.array(alibi_slopes(case.heads) if alibi else [0.0] * case.heads)
    allowed = may_attend(case, n, m)
    masked = scores + (case["bias"] if "bias" in case else 0.0)
    masked = np.where(allowed, masked - slopes[:, None, None] * distances(n, m), -np.inf)
    stays = np.array_equal(masked, scores)
    masked = stage("masked_scores", masked, not stays)

    weights = stage("weights", softmax(masked))
    kept = np.where(dropped(case, weights.shape), 0.0, weights / (1.0 - case.dropout_rate))
    weights = stage("dropped_weights", kept, case.dropout_rate > 0)
    outputs = stage("head_output", weights @ V)
    gained = outputs * head_gains(case)[:, None, None]
    concat = stage("concat", np.concatenate(list(gained), axis=1))
    output = stage("output", concat @ case["W_O"] + case.bias("b_O"))
    residual = stage("residual", X + output if case.residual else output, case.residual)
    normalised = layer_norm(case, residual) if case.layer_norm else residual
    stage("layer_norm", normalised, case.layer_norm)
    return stages


# ---- The same numbers from elsewhere --------------------------------------------------------


def agrees(found, wanted, share=1e-10):
    """Asserts that both are the same, by the largest magnitude. Rows that are NaN in `found` are
    those of a softmax over nothing, which the definition makes 0."""
    found = found.detach().numpy() if isinstance(found, torch.Tensor) else found
    assert found.shape == wanted.shape, (found.shape, wanted.shape)
    dead = np.isnan(found)
    assert (wanted[dead] == 0).all()
    errors = np.abs(np.where(dead, 0.0, found - wanted))
    assert errors.max() <= share * np.abs(wanted).max(), errors.max()


def is_overridden(case, *stages):
    return any(o["stage"] in stages for o in case.overrides)


def check_positions(case, stages):
    """Sinusoids as powers of a complex number; learned rows out of torch.nn.Embedding."""
    seen = []
    for name, table in (("position", "position_table"), ("position_kv", "position_table_kv")):
        if name not in stages or is_overridden(case, name):
            continue  # absent, or not what the table holds
        n = len(stages[name])
        if case.positions == "sinusoidal":
            step = np.exp(1j * 10000.0 ** (-np.arange(0, case.d_model, 2) / case.d_model))
            points = step[None] ** np.arange(n)[:, None]
            columns = np.stack([points.imag, points.real], -1).reshape(n, -1)
            agrees(columns[:, : case.d_model], stages[name])
            seen.append("powers of complex numbers")
        else:
            table = table if table in case else "position_table"
            rows = torch.nn.Embedding.from_pretrained(torch.from_numpy(case[table]))
            agrees(rows(torch.arange(n)), stages[name])
            seen.append("torch.nn.Embedding")
    return seen


def check_rotation(case, stages):
    """Each pair as a complex number, times e^(i · angle)."""
    if case.positions != "rotary":
        return []
    seen = []
    first, second = pair_columns(case)
    for name in ("Q", "K"):
        if is_overridden(case, "rotated_" + name):
            continue
        vectors = torch.from_numpy(stages[name])
        points = torch.complex(vectors[..., first], vectors[..., second])
        angles = torch.from_numpy(rotary_angles(case, points.shape[1]))
        turned = points * torch.polar(torch.ones_like(angles), angles)
        agrees(turned.real, stages["rotated_" + name][..., first])
        agrees(turned.imag, stages["rotated_" + name][..., second])
        seen.append("rotation by torch.polar")
    return seen


def additive_mask(case, n, m):
    """bias, ALiBi and masks as one tensor that is added to the scores, [n_heads × n × m]."""
    mask = torch.zeros(case.heads, n, m, dtype=torch.float64)
    if "bias" in case:
        mask += torch.from_numpy(case["bias"])
    if case.positions == "alibi":
        steps = (torch.arange(n)[:, None] - torch.arange(m)[None]).abs()
        mask -= torch.tensor(alibi_slopes(case.heads), dtype=torch.float64)[:, None, None] * steps
    return mask.masked_fill(~torch.from_numpy(may_attend(case, n, m)), float("-inf"))


def check_scaled_dot_product(case, stages):
    """The weights, as the outputs of values that are the identity, and the head outputs."""
    if is_overridden(case, "scores", "scaled_scores", "masked_scores", "weights"):
        return []
    tensor = lambda name: torch.from_numpy(stages[name])[None]
    Q = tensor("rotated_Q" if "rotated_Q" in stages else "Q")
    K = tensor("rotated_K" if "rotated_K" in stages else "K")
    n, m = Q.shape[2], K.shape[2]
    scale = (1 / math.sqrt(case.d_k) if case.scale else 1.0) / case.temperature

    def attend(V):
        return torch.nn.functional.scaled_dot_product_attention(
            Q, K, V, attn_mask=additive_mask(case, n, m)[None], scale=scale,
            enable_gqa=case.group > 1)[0]

    identity = torch.eye(m, dtype=torch.float64).expand(1, case.kv_heads, m, m)
    agrees(attend(identity), stages["weights"])
    if "dropped_weights" not in stages and not is_overridden(case, "head_output"):
        agrees(attend(tensor("V")), stages["head_output"])
    return ["scaled_dot_product_attention" + (" with enable_gqa" if case.group > 1 else "")]


def multihead_can(case):
    """Whether torch.nn.MultiheadAttention can do the case; it knows no dropout of given weights."""
    fits = case.d_k * case.heads == case.d_model == case["W_O"].shape[1] and case.d_v == case.d_k
    plain = case.scale and case.temperature == 1.0 and case.positions != "rotary"
    changed = case.overrides or case.head_mix or case.dropout_rate
    return fits and plain and case.group == 1 and not changed


def check_multihead(case, stages):
    if not multihead_can(case):
        return []
    d, F = case.d_model, torch.float64
    layer = torch.nn.MultiheadAttention(d, case.heads, batch_first=True, dtype=F)
    joined = lambda name: torch.from_numpy(case[name]).permute(0, 2, 1).reshape(d, d)
    row = lambda name: (torch.from_numpy(case[name]).reshape(d) if name in case and case.biases
                        else torch.zeros(d, dtype=F))
    X = torch.from_numpy(stages.get("X", case["X"]))[None]
    X_kv = torch.from_numpy(stages.get("X_kv", case["X_kv"]))[None] if case.cross else X
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.cat([joined("W_Q"), joined("W_K"), joined("W_V")]))
        layer.in_proj_bias.copy_(torch.cat([row("b_Q"), row("b_K"), row("b_V")]))
        layer.out_proj.weight.copy_(torch.from_numpy(case["W_O"]).T)
        layer.out_proj.bias.copy_(row("b_O"))
        mask = additive_mask(case, X.shape[1], X_kv.shape[1])
        Y, W = layer(X, X_kv, X_kv, attn_mask=mask, average_attn_weights=False)
    agrees(W[0], stages["weights"])
    live = ~np.isnan(Y[0].numpy()).any(-1)
    agrees(Y[0].numpy()[live], stages["output"][live])
    return ["torch.nn.MultiheadAttention"]


def check_layer_norm(case, stages):
    """torch.nn.LayerNorm over the sum of the input and the output."""
    if not case.layer_norm or is_overridden(case, "layer_norm"):
        return []
    d_out = stages["output"].shape[1]
    layer = torch.nn.LayerNorm(d_out, eps=case.layer_norm_epsilon, dtype=torch.float64)
    if "gamma" in case:
        layer.weight.data = torch.from_numpy(case["gamma"])
    if "beta" in case:
        layer.bias.data = torch.from_numpy(case["beta"])
    rows = torch.from_numpy(stages["output"])
    if case.residual:
        rows = rows + torch.from_numpy(stages.get("X", case["X"]))
    agrees(layer(rows), stages["layer_norm"])
    return ["torch.nn.LayerNorm"]


def check_dropout(case, stages):
    """The first words of splitmix64 from seed 1234567, as its authors' code prints them."""
    if not case.dropout_rate:
        return []
    known = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert splitmix64(1234567, np.arange(3)).tolist() == known
    gone = (stages["dropped_weights"] == 0) & (stages["weights"] > 0)
    assert gone.any() and not gone.all()
    return ["splitmix64"]


CHECKS = (check_positions, check_rotation, check_scaled_dot_product, check_multihead,
          check_layer_norm, check_dropout)


# ---- The cases ------------------------------------------------------------------------------


def tensors_of(seed, n, d, heads, d_k=None, d_v=None, d_out=None, kv_heads=None, kv=None,
               bias=False, table=0, table_kv=0, gamma=False, add=False, gain=1.0):
    """The tensors of a problem, about N(0, 1) and weights sized to keep that."""
    random = np.random.default_rng(seed)
    draw = lambda *shape, size=1.0: (random.standard_normal(shape) * size).astype(np.float32)
    d_k = d_k or d // heads
    d_v, d_out, kv_heads = d_v or d_k, d_out or d, kv_heads or heads
    t = {"X": draw(n, d, size=gain),
         "W_Q": draw(heads, d, d_k, size=d**-0.5), "W_K": draw(kv_heads, d, d_k, size=d**-0.5),
         "W_V": draw(kv_heads, d, d_v, size=d**-0.5),
         "W_O": draw(heads * d_v, d_out, size=(heads * d_v) ** -0.5)}
    if kv:
        t["X_kv"] = draw(kv, d, size=gain)
    if bias:
        t |= {"b_Q": draw(heads, d_k), "b_K": draw(kv_heads, d_k), "b_V": draw(kv_heads, d_v),
              "b_O": draw(d_out)}
    if table:
        t["position_table"] = draw(table, d)
    if table_kv:
        t["position_table_kv"] = draw(table_kv, d)
    if gamma:
        t |= {"gamma": 1 + draw(d_out, size=0.3), "beta": draw(d_out)}
    if add:
        t["bias"] = draw(n, kv or n)
    return {name: values.astype(np.float32) for name, values in t.items()}


def save(path, tensors, metadata):
    """A safetensors file, all F32: the header's length and the header as JSON, then the numbers."""
    header, end = {"__metadata__": metadata}, 0
    for name, values in tensors.items():
        header[name] = {"dtype": "F32", "shape": values.shape,
                        "data_offsets": [end, end + values.nbytes]}
        end += values.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    numbers = b"".join(values.astype("<f4").tobytes() for values in tensors.values())
    path.write_bytes(len(text).to_bytes(8, "little") + text + numbers)


def write(name, tensors, **switches):
    case = Case(tensors, switches)
    stages = solve(case)
    checked = [by for check in CHECKS for by in check(case, stages)]
    words = {"n_heads": str(case.heads)}
    for key, value in switches.items():
        words[key] = value if isinstance(value, str) else json.dumps(value)
    save(OUT / f"{name}.problem.safetensors", tensors, words)
    answer = {key: value.astype(np.float32) for key, value in stages.items()}
    save(OUT / f"{name}.answer.safetensors", answer, {"checked_by": json.dumps(checked)})
    print(f"{name:20}", ", ".join(checked) or "the definition alone")


def put(stage, head, row, col, value):
    return {"stage": stage, "head": head, "row": row, "col": col, "value": value}


def mix(mute=False, solo=False, scale=1.0):
    return {"mute": mute, "solo": solo, "scale": scale}


write("sinusoidal", tensors_of(101, 9, 15, 3), positions="sinusoidal")
write("learned_positions", tensors_of(102, 7, 16, 4, table=12), positions="learned")
write("rotary_adjacent", tensors_of(103, 10, 16, 2), positions="rotary")
write("rotary_halves", tensors_of(104, 9, 24, 3), positions="rotary", rotary_pairs="halves",
      rotary_base=500.0)
write("alibi_causal", tensors_of(105, 12, 32, 8), positions="alibi", causal=True)
write("alibi_six_heads", tensors_of(106, 10, 24, 6, bias=True), positions="alibi")
write("grouped_queries", tensors_of(107, 8, 16, 4, kv_heads=2))
write("multi_query", tensors_of(108, 7, 18, 3, kv_heads=1, bias=True))
write("key_count", tensors_of(109, 8, 16, 2, bias=True), key_count=5)
write("window", tensors_of(110, 11, 12, 2), window=3)
write("causal_window", tensors_of(111, 12, 16, 4), causal=True, window=4)
write("cross_learned", tensors_of(112, 5, 12, 3, kv=8, table=6, table_kv=8), positions="learned")
write("cross_one_table", tensors_of(113, 6, 10, 2, kv=4, table=6), positions="learned")
write("cross_sinusoidal", tensors_of(114, 4, 12, 2, kv=9), positions="sinusoidal", key_count=7)
write("biases_off", tensors_of(115, 6, 12, 3, bias=True), biases=False)
write("dropout", tensors_of(116, 10, 16, 4), dropout_rate=0.3, dropout_seed=7)
write("residual", tensors_of(117, 7, 14, 2, d_k=5, d_v=4, bias=True), residual=True)
write("residual_layer_norm", tensors_of(118, 8, 20, 4, gamma=True), residual=True,
      layer_norm=True)
write("layer_norm_alone", tensors_of(119, 6, 12, 2, d_out=9), layer_norm=True,
      layer_norm_epsilon=0.01)
write("mute_and_scale", tensors_of(120, 6, 16, 4, bias=True),
      head_mix=[mix(), mix(mute=True), mix(scale=-0.5), mix(scale=2.0)])
write("solo", tensors_of(121, 6, 16, 4),
      head_mix=[mix(solo=True, scale=1.5), mix(), mix(solo=True, mute=True), mix(solo=True)])
write("overrides", tensors_of(122, 7, 16, 2), causal=True,
      overrides=[put("Q", 1, 2, 3, 1.5), put("scores", 1, 4, 1, 6.0),
                 put("scaled_scores", 2, 5, 5, -2.0), put("masked_scores", 2, 1, 6, 0.5),
                 put("weights", 2, 3, 0, 0.75), put("head_output", 2, 6, 7, 0.125),
                 put("concat", 1, 0, 9, -3.0), put("output", 1, 6, 0, 10.0)])
write("overrides_early", tensors_of(123, 6, 16, 4, kv_heads=2), positions="rotary",
      overrides=[put("X", 1, 1, 0, 2.0), put("K", 3, 0, 2, -1.0), put("V", 1, 5, 1, 4.0),
                 put("rotated_Q", 4, 2, 2, 0.5), put("rotated_K", 1, 3, 3, 2.5)])
write("overrides_of_positions", tensors_of(124, 5, 12, 3, kv=7, table=8), positions="learned",
      overrides=[put("position", 1, 2, 4, 3.0), put("position_kv", 1, 6, 0, -1.5),
                 put("X_kv", 1, 0, 11, 2.0)])
write("overrides_of_skipped", tensors_of(125, 5, 12, 3),
      overrides=[put("rotated_Q", 2, 1, 1, 1.0), put("masked_scores", 1, 2, 2, 3.0),
                 put("dropped_weights", 3, 0, 4, 0.0), put("residual", 1, 4, 11, -1.0),
                 put("layer_norm", 1, 0, 0, 5.0)])
write("everything",
      tensors_of(126, 11, 24, 6, d_k=4, d_v=3, kv_heads=2, bias=True, gamma=True, add=True),
      positions="rotary", rotary_pairs="halves", rotary_base=1000.0, causal=True, window=6,
      key_count=10, temperature=0.8, dropout_rate=0.2, dropout_seed=2**64 - 59, residual=True,
      layer_norm=True, layer_norm_epsilon=1e-4,
      head_mix=[mix(), mix(scale=0.5), mix(mute=True), mix(scale=-1.0), mix(), mix(scale=3.0)],
      overrides=[put("scores", 2, 7, 5, 4.0), put("V", 4, 0, 1, -2.0)])
write("huge_logits", tensors_of(127, 8, 16, 2, gain=1e15))
write("dead_row_rules", tensors_of(128, 9, 12, 3, bias=True), key_count=4, window=3,
      residual=True)
