"""Multi-head attention and its variants from the definition, in NumPy and float64."""
import math

import numpy as np

KEY_SIDE = ("K", "V", "normed_K", "normed_V", "rotated_K")


class Case:
    """The tensors and switches of a problem; switches that are not given have their defaults."""

    DEFAULTS = dict(scale=True, temperature=1.0, causal=False, key_count=0, window=0,
                    positions="none", rotary_base=10000.0, rotary_pairs="adjacent", biases=True,
                    head_norm=False, head_norm_epsilon=1e-6, head_norm_joint=False, value_norm=False, score_cap=0.0,
                    sink=False, dropout_rate=0.0, dropout_seed=0, residual=False, layer_norm=False,
                    layer_norm_epsilon=1e-5, head_mix=[], overrides=[])

    def __init__(self, tensors, switches):
        unknown = set(switches) - set(self.DEFAULTS)
        assert not unknown, unknown
        self.tensors = tensors
        self.given = switches
        self.__dict__.update(self.DEFAULTS | switches)
        self.dropout_rate = float(np.float32(self.dropout_rate))  # this exact value decides what is dropped
        self.heads, self.d_model, self.d_k = tensors["W_Q"].shape
        self.kv_heads, _, self.d_v = tensors["W_V"].shape
        self.group = self.heads // self.kv_heads
        self.cross = "X_kv" in tensors

    def __contains__(self, name):
        return name in self.tensors

    def __getitem__(self, name):
        return self.tensors[name].astype(np.float64)

    def bias(self, name):
        """A bias, broadcast over the rows; 0 when it is absent or biases are off."""
        if not self.biases or name not in self:
            return 0.0
        return self[name][:, None] if self[name].ndim == 2 else self[name]


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
    """The first and the second columns of the pairs that rotary positions rotate."""
    half = case.d_k // 2
    if case.rotary_pairs == "adjacent":
        return np.arange(0, case.d_k, 2), np.arange(1, case.d_k, 2)
    return np.arange(half), np.arange(half, case.d_k)


def head_norm(case, name, rows):
    """Each row divided by its root mean square, or by that of all heads, times the factors of that
    name."""
    of = (0, 2) if case.head_norm_joint else -1
    root = np.sqrt((rows**2).mean(of, keepdims=True) + case.head_norm_epsilon)
    factors = case[name] if name in case else np.ones(1)
    if case.head_norm_joint and name in case:
        factors = factors.reshape(len(rows), 1, -1)
    return rows / root * factors


def value_norm(case, V):
    """Each value divided by its root mean square."""
    return V / np.sqrt((V**2).mean(-1, keepdims=True) + case.head_norm_epsilon)


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


def sinks_of(case):
    """The score without a key of each head, [heads, 1, 1]; −∞ where there is none."""
    if not case.sink:
        return np.full((case.heads, 1, 1), -np.inf)
    return case["sink"][:, :, None] if "sink" in case else np.zeros((case.heads, 1, 1))


def softmax(scores, sinks):
    """Softmax of each row and the sink, whose own share is left out; a row without a finite score
    has weights 0."""
    largest = np.maximum(scores.max(-1, keepdims=True), sinks)
    largest = np.where(np.isfinite(largest), largest, 0.0)
    shifted = np.exp(scores - largest)
    total = shifted.sum(-1, keepdims=True) + np.exp(sinks - largest)
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
    """Every active stage, by name."""
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
    Q = stage("normed_Q", head_norm(case, "norm_Q", Q) if case.head_norm else Q, case.head_norm)
    K = stage("normed_K", head_norm(case, "norm_K", K) if case.head_norm else K, case.head_norm)
    V = stage("normed_V", value_norm(case, V) if case.value_norm else V, case.value_norm)
    rotary = case.positions == "rotary"
    Q = stage("rotated_Q", rotate(case, Q) if rotary else Q, rotary)
    K = stage("rotated_K", rotate(case, K) if rotary else K, rotary)
    K, V = np.repeat(K, case.group, 0), np.repeat(V, case.group, 0)

    scores = stage("scores", np.einsum("hik,hjk->hij", Q, K))
    divisor = (math.sqrt(case.d_k) if case.scale else 1.0) * case.temperature
    scores = stage("scaled_scores", scores / divisor, divisor != 1.0)
    cap = case.score_cap
    scores = stage("capped_scores", cap * np.tanh(scores / cap) if cap > 0 else scores, cap > 0)
    alibi = case.positions == "alibi"
    slopes = np.array(alibi_slopes(case.heads) if alibi else [0.0] * case.heads)
    allowed = may_attend(case, n, m)
    masked = scores + (case["bias"] if "bias" in case else 0.0)
    masked = np.where(allowed, masked - slopes[:, None, None] * distances(n, m), -np.inf)
    stays = np.array_equal(masked, scores)
    masked = stage("masked_scores", masked, not stays)

    weights = stage("weights", softmax(masked, sinks_of(case)))
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
