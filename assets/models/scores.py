"""What the heads of a model do, as four numbers each, and what a model loses on given texts."""

import torch
from torch.nn import functional

DEFINITIONS = {
    "previous_token": "A head's weights are A[i][j], row i for the token that looks, column j for the one looked at, "
                      "both from 0; t[i] is a token's id. Mean of A[i][i-1] over every i >= 1 of every sequence.",
    "first_token": "Mean of A[i][0] over every i >= 1 of every sequence.",
    "duplicate_token": "Sum of A[i][j] over every j < i with t[j] = t[i]; the mean of it over every i, in all "
                       "sequences together, that has such a j.",
    "induction": "Sum of A[i][j] over every j with 1 <= j < i and t[j-1] = t[i]; the mean of it over every i, in all "
                 "sequences together, that has such a j.",
}


def looks_at(kind, ids, i):
    """The positions that token i looks at if a head does nothing but this kind of work."""
    if kind == "previous_token":
        return [i - 1] if i > 0 else []
    if kind == "first_token":
        return [0] if i > 0 else []
    if kind == "duplicate_token":
        return [j for j in range(i) if ids[j] == ids[i]]
    return [j for j in range(1, i) if ids[j - 1] == ids[i]]


def head_scores(model, sequences):
    """Kind of work → [layers][heads], how much of its attention each head gives to that work."""
    with torch.no_grad():
        attention = [torch.cat(model.attention(torch.tensor([ids]))) for ids in sequences]
    return {kind: score(kind, sequences, attention) for kind in DEFINITIONS}


def score(kind, sequences, attention):
    rows = []
    for ids, weights in zip(sequences, attention):
        targets = ((i, looks_at(kind, ids, i)) for i in range(len(ids)))
        rows += [weights[:, :, i, columns].sum(-1) for i, columns in targets if columns]
    return [[round(float(value), 4) for value in layer] for layer in torch.stack(rows).mean(0)]


def loss(model, sequences, begins=None):
    """The mean loss in nats of predicting each token from those before it, from position `begins` of a sequence on."""
    losses = []
    with torch.no_grad():
        for at, ids in enumerate(sequences):
            each = functional.cross_entropy(model(torch.tensor([ids]))[0, :-1], torch.tensor(ids[1:]), reduction="none")
            losses.append(each[begins[at] if begins else 0:])
    return float(torch.cat(losses).mean())


def table(scores):
    """The scores as lines of text, one for each head."""
    lines = ["head  " + "  ".join(scores)]
    for layer, heads in enumerate(scores["induction"]):
        for head in range(len(heads)):
            numbers = (f"{scores[kind][layer][head]:{len(kind)}.2f}" for kind in scores)
            lines.append(f"L{layer}H{head}  " + "  ".join(numbers))
    return "\n".join(lines)
