"""Compares the stages of a case with the results of PyTorch or of a second formulation."""
import math

import numpy as np
import torch

from definition import alibi_slopes, may_attend, pair_columns, rotary_angles, splitmix64


def agrees(found, wanted, share=1e-10):
    """Asserts that both agree, relative to the largest magnitude. Rows that are NaN in `found` come
    from a softmax over nothing, which the definition sets to 0."""
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
            continue  # absent, or not from the table
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


def check_head_norm(case, stages):
    """torch.nn.RMSNorm over the features of each query and key, or over those of all heads."""
    if not case.head_norm or is_overridden(case, "normed_Q", "normed_K"):
        return []
    for name in ("Q", "K"):
        if case.head_norm_joint:
            heads, n, d_k = stages[name].shape
            side_by_side = lambda rows: torch.from_numpy(rows.transpose(1, 0, 2).reshape(n, -1))
            layer = torch.nn.RMSNorm(heads * d_k, eps=case.head_norm_epsilon, dtype=torch.float64)
            if "norm_" + name in case:
                layer.weight.data = torch.from_numpy(case["norm_" + name])
            agrees(layer(side_by_side(stages[name])), side_by_side(stages["normed_" + name]).numpy())
            continue
        layer = torch.nn.RMSNorm(case.d_k, eps=case.head_norm_epsilon, dtype=torch.float64)
        if "norm_" + name in case:
            layer.weight.data = torch.from_numpy(case["norm_" + name])
        agrees(layer(torch.from_numpy(stages[name])), stages["normed_" + name])
    return ["torch.nn.RMSNorm"]


def check_value_norm(case, stages):
    """torch.nn.RMSNorm without factors over the features of each value."""
    if not case.value_norm or is_overridden(case, "normed_V"):
        return []
    layer = torch.nn.RMSNorm(case.d_v, eps=case.head_norm_epsilon, elementwise_affine=False)
    agrees(layer(torch.from_numpy(stages["V"])), stages["normed_V"])
    return ["torch.nn.RMSNorm"]


def last_of(stages, name):
    """The queries or keys as the scores read them."""
    return next(s + name for s in ("rotated_", "normed_", "") if s + name in stages)


def check_rotation(case, stages):
    """Each pair as a complex number, times e^(i · angle)."""
    if case.positions != "rotary":
        return []
    seen = []
    first, second = pair_columns(case)
    for name in ("Q", "K"):
        if is_overridden(case, "rotated_" + name):
            continue
        vectors = torch.from_numpy(stages["normed_" + name if case.head_norm else name])
        points = torch.complex(vectors[..., first], vectors[..., second])
        angles = torch.from_numpy(rotary_angles(case, points.shape[1]))
        turned = points * torch.polar(torch.ones_like(angles), angles)
        agrees(turned.real, stages["rotated_" + name][..., first])
        agrees(turned.imag, stages["rotated_" + name][..., second])
        seen.append("rotation by torch.polar")
    return seen


def additive_mask(case, n, m):
    """bias, ALiBi and masks combined into one tensor to add to the scores, [n_heads × n × m]."""
    mask = torch.zeros(case.heads, n, m, dtype=torch.float64)
    if "bias" in case:
        mask += torch.from_numpy(case["bias"])
    if case.positions == "alibi":
        steps = (torch.arange(n)[:, None] - torch.arange(m)[None]).abs()
        mask -= torch.tensor(alibi_slopes(case.heads), dtype=torch.float64)[:, None, None] * steps
    return mask.masked_fill(~torch.from_numpy(may_attend(case, n, m)), float("-inf"))


def check_scaled_dot_product(case, stages):
    """The weights, computed as the outputs for identity values, and the head outputs."""
    if is_overridden(case, "scores", "scaled_scores", "masked_scores", "weights") or case.score_cap or case.sink:
        return []
    tensor = lambda name: torch.from_numpy(stages[name])[None]
    Q, K = tensor(last_of(stages, "Q")), tensor(last_of(stages, "K"))
    n, m = Q.shape[2], K.shape[2]
    scale = (1 / math.sqrt(case.d_k) if case.scale else 1.0) / case.temperature

    def attend(V):
        return torch.nn.functional.scaled_dot_product_attention(
            Q, K, V, attn_mask=additive_mask(case, n, m)[None], scale=scale,
            enable_gqa=case.group > 1)[0]

    identity = torch.eye(m, dtype=torch.float64).expand(1, case.kv_heads, m, m)
    agrees(attend(identity), stages["weights"])
    if "dropped_weights" not in stages and not is_overridden(case, "head_output"):
        agrees(attend(tensor("normed_V" if "normed_V" in stages else "V")), stages["head_output"])
    return ["scaled_dot_product_attention" + (" with enable_gqa" if case.group > 1 else "")]


def check_score_cap(case, stages):
    """Scores, cap, mask and softmax, all by PyTorch."""
    if not case.score_cap or is_overridden(case, "scores", "scaled_scores", "capped_scores"):
        return []
    Q, K = (torch.from_numpy(stages[last_of(stages, name)]) for name in ("Q", "K"))
    K = K.repeat_interleave(case.group, 0)
    divisor = (math.sqrt(case.d_k) if case.scale else 1.0) * case.temperature
    capped = torch.tanh(Q @ K.mT / divisor / case.score_cap) * case.score_cap
    agrees(capped, stages["capped_scores"])
    mask = additive_mask(case, Q.shape[1], K.shape[1])
    agrees(torch.softmax(capped + mask, -1), stages["weights"])
    return ["torch.tanh and torch.softmax"]


def check_sinks(case, stages):
    """torch.softmax of each row with the sink as one more score, which is then left out."""
    if not case.sink or is_overridden(case, "weights"):
        return []
    scores = torch.from_numpy(stages[next(s for s in ("masked_scores", "capped_scores",
                                                      "scaled_scores", "scores") if s in stages)])
    sinks = torch.from_numpy(case["sink"]) if "sink" in case else torch.zeros(case.heads, 1)
    column = sinks[:, None].expand(-1, scores.shape[1], 1)
    agrees(torch.softmax(torch.cat([scores, column], -1), -1)[..., :-1], stages["weights"])
    return ["torch.softmax with one more column"]


def multihead_can(case):
    """Whether torch.nn.MultiheadAttention supports the case; it cannot drop given weights."""
    fits = case.d_k * case.heads == case.d_model == case["W_O"].shape[1] and case.d_v == case.d_k
    plain = case.scale and case.temperature == 1.0 and case.positions != "rotary"
    changed = (case.overrides or case.head_mix or case.dropout_rate or case.head_norm
               or case.value_norm or case.score_cap or case.sink)
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


CHECKS = (check_positions, check_head_norm, check_value_norm, check_rotation, check_scaled_dot_product,
          check_score_cap, check_sinks, check_multihead, check_layer_norm, check_dropout)
