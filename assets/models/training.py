"""What the loops have in common that train the models. They go on from a checkpoint where they were cut off."""

import time

import torch
from torch.nn import functional

import gpt2


def next_token_loss(model, ids):
    """The mean loss of predicting each id of a batch from those before it."""
    logits = model(ids[:, :-1])
    return functional.cross_entropy(logits.reshape(-1, logits.shape[-1]), ids[:, 1:].reshape(-1))


def set_rate(optimiser, rate):
    for group in optimiser.param_groups:
        group["lr"] = rate


class Checkpoint:
    """A file with a model, its optimisers, and the steps that were done."""

    def __init__(self, path, model, optimisers):
        self.path, self.model, self.optimisers = path, model, optimisers

    def restore(self):
        """The step to go on from."""
        if not self.path.exists():
            return 0
        stored = torch.load(self.path)
        self.model.load_state_dict(stored["model"])
        for optimiser, state in zip(self.optimisers, stored["optimisers"]):
            optimiser.load_state_dict(state)
        return stored["step"]

    def keep(self, step):
        self.path.parent.mkdir(exist_ok=True)
        written = self.path.with_suffix(".new")
        states = [optimiser.state_dict() for optimiser in self.optimisers]
        torch.save({"model": self.model.state_dict(), "optimisers": states, "step": step}, written)
        written.replace(self.path)


def run(checkpoint, steps, step_of):
    """Calls step_of(step), which returns a loss, for each step that is left; prints and keeps each hundredth."""
    started, mean = time.time(), None
    for step in range(checkpoint.restore(), steps):
        loss = step_of(step)
        mean = loss if mean is None else 0.98 * mean + 0.02 * loss
        if (step + 1) % 100 == 0:
            print(f"step {step + 1}: loss {mean:.3f}, {time.time() - started:.0f} s", flush=True)
        if (step + 1) % 100 == 0 or step + 1 == steps:
            checkpoint.keep(step + 1)


def fit(model, batches, steps, rate, path, level=0.5, hint=None, bfloat16=False):
    """Trains for `steps` steps; `batches(step)` gives the batches from that step on.

    The learning rate falls after the share `level` of the steps. `hint(model, step, ids)` is added to the loss. With
    `bfloat16`, matrix products are rounded to it, which takes two thirds of the time.
    """
    optimiser = gpt2.adamw(model, weight_decay=0.1)
    checkpoint = Checkpoint(path, model, [optimiser])
    coming = None

    def one_step(step):
        nonlocal coming
        coming = coming or batches(step)
        ids = next(coming)
        set_rate(optimiser, rate * gpt2.share_of_rate(step, steps, level))
        with torch.autocast("cpu", torch.bfloat16, enabled=bfloat16):
            loss = next_token_loss(model, ids)
        optimiser.zero_grad()
        (loss + hint(model, step, ids) if hint else loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        return loss.item()

    run(checkpoint, steps, one_step)
    return model.eval()
