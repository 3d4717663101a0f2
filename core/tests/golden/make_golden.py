"""Golden problems and answers for the variants of multi-head attention.

The answers come from the definition (definition.py). If PyTorch supports the case, or a
part of it, its numbers are compared with them (agreement.py) before anything is written.
Each case is a pair NAME.problem.safetensors and NAME.answer.safetensors; an answer contains
the active stages, and its metadata `checked_by` says what it was checked against.

The same versions give the same bytes. Needs numpy and torch (2.5 or later):
python3 make_golden.py [OUT_DIR]
"""
import json
import sys
from pathlib import Path

import numpy as np

from agreement import CHECKS
from definition import Case, solve
from tensors import save

OUT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent


def tensors_of(seed, n, d, heads, d_k=None, d_v=None, d_out=None, kv_heads=None, kv=None,
               bias=False, table=0, table_kv=0, gamma=False, add=False, gain=1.0,
               norms=False, joint_norms=False, sinks=False):
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
    if norms:
        t |= {"norm_Q": 1 + draw(d_k, size=0.5), "norm_K": 1 + draw(d_k, size=0.5)}
    if sinks:
        t["sink"] = draw(heads, 1, size=2.0)
    if joint_norms:
        t |= {"norm_Q": 1 + draw(heads * d_k, size=0.5), "norm_K": 1 + draw(kv_heads * d_k, size=0.5)}
    if add:
        t["bias"] = draw(n, kv or n)
    return {name: values.astype(np.float32) for name, values in t.items()}


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
write("cross_learned", tensors_of(112, 5, 12, 3, kv=8, table=9, table_kv=8), positions="learned")
write("cross_one_table", tensors_of(113, 6, 10, 2, kv=4, table=6), positions="learned")
write("cross_sinusoidal", tensors_of(114, 4, 12, 2, kv=9), positions="sinusoidal", key_count=7)
write("biases_off", tensors_of(115, 6, 12, 3, bias=True), biases=False)
write("dropout", tensors_of(116, 10, 16, 4), dropout_rate=0.3, dropout_seed=7)
write("residual", tensors_of(117, 7, 14, 2, d_k=5, d_v=4, bias=True), residual=True)
write("residual_layer_norm", tensors_of(118, 8, 20, 4, gamma=True), residual=True,
      layer_norm=True)
write("first_layer", tensors_of(129, 9, 16, 4, bias=True, gamma=True), positions="sinusoidal",
      causal=True, residual=True, layer_norm=True)
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
write("head_norm", tensors_of(130, 8, 16, 4, kv_heads=2, bias=True, norms=True),
      positions="rotary", rotary_pairs="halves", head_norm=True, causal=True)
write("head_norm_alone", tensors_of(131, 6, 12, 3, d_k=5, d_v=4, kv=9), head_norm=True,
      head_norm_epsilon=0.01,
      overrides=[put("normed_Q", 2, 3, 1, 0.5), put("normed_K", 3, 8, 4, -2.0)])
write("head_norm_joint", tensors_of(134, 8, 16, 4, kv_heads=2, bias=True, joint_norms=True),
      positions="rotary", rotary_pairs="halves", head_norm=True, head_norm_joint=True, causal=True,
      overrides=[put("Q", 2, 3, 1, 2.5), put("K", 3, 1, 0, -3.0)])
write("head_norm_joint_cross", tensors_of(135, 6, 12, 3, d_k=5, d_v=4, kv=9), head_norm=True,
      head_norm_joint=True, head_norm_epsilon=0.01)
write("value_norm", tensors_of(136, 8, 16, 4, kv_heads=2, bias=True, norms=True), positions="rotary",
      rotary_pairs="halves", head_norm=True, value_norm=True, scale=False, causal=True,
      overrides=[put("V", 3, 1, 0, -3.0), put("V", 1, 2, 1, 0.5)])
write("value_norm_cross", tensors_of(137, 6, 12, 3, d_k=5, d_v=4, kv=9), value_norm=True, head_norm_epsilon=0.01,
      overrides=[put("normed_V", 2, 3, 1, 0.5)])
write("score_cap", tensors_of(132, 9, 16, 2, gain=4.0, add=True), score_cap=3.0, causal=True)
write("score_cap_of_overrides", tensors_of(133, 7, 12, 3), score_cap=0.75,
      overrides=[put("scaled_scores", 1, 2, 3, 40.0), put("capped_scores", 2, 4, 4, 5.0)])
write("with_sinks", tensors_of(134, 8, 16, 4, kv_heads=2, bias=True, sinks=True), sink=True, causal=True,
      window=4, positions="rotary", rotary_pairs="halves", dropout_rate=0.2, dropout_seed=8)
write("with_sinks_of_zero", tensors_of(135, 7, 12, 3, gain=3.0), sink=True, key_count=3, window=2,
      overrides=[put("masked_scores", 1, 1, 2, 6.0), put("weights", 3, 2, 1, 0.75)])
