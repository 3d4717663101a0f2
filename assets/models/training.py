"""The loop that both models are trained with. It goes on from a checkpoint where it was cut off."""

import time

import torch
from torch.nn import functional

import gpt2


def next_token_loss(model, ids):
    """The mean loss of predicting each id of a batch from those before it."""
    logits = model(ids[:, :-1])
    return functional.cross_entropy(logits.reshape(-1, logits.shape[-1]), ids[:, 1:].reshape(-1))


def restore(checkpoint, model, optimiser):
    """The step to go on from."""
    if not checkpoint.exists():
        return 0
    stored = torch.load(checkpoint)
    model.load_state_dict(stored["model"])
    optimiser.load_state_dict(stored["optimiser"])
    return stored["step"]


def keep(checkpoint, model, optimiser, step):
    checkpoint.parent.mkdir(exist_ok=True)
    written = checkpoint.with_suffix(".new")
    torch.save({"model": model.state_dict(), "optimiser": optimiser.state_dict(), "step": step}, written)
    written.replace(checkpoint)


def fit(model, batches, steps, rate, checkpoint, level=0.5, hint=None, bfloat16=False):
    """Trains for `steps` steps; `batches(step)` gives the batches from that step on.

    The learning rate falls after the share `level` of the steps. `hint(model, step, ids)` is added to the loss. With
    `bfloat16`, matrix products are rounded to it, which takes two thirds of the time.
    """
    optimiser = gpt2.adamw(model, weight_decay=0.1)
    begin = restore(checkpoint, model, optimiser)
    started, mean = time.time(), None
    for step, ids in zip(range(begin, steps), batches(begin)):
        gpt2.set_rate(optimiser, step, steps, rate, level)
        with torch.autocast("cpu", torch.bfloat16, enabled=bfloat16):
            loss = next_token_loss(model, ids)
        optimiser.zero_grad()
        (loss + hint(model, step, ids) if hint else loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        mean = loss.item() if mean is None else 0.98 * mean + 0.02 * loss.item()
        if (step + 1) % 100 == 0:
            print(f"step {step + 1}: loss {mean:.3f}, {time.time() - started:.0f} s", flush=True)
        if (step + 1) % 100 == 0 or step + 1 == steps:
            keep(checkpoint, model, optimiser, step + 1)
    return model.eval()
