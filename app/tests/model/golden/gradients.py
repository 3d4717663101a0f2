"""What PyTorch's autograd says about a model's answer, in double precision.

gradient.safetensors holds input_ids (and decoder_input_ids) of 9 tokens, and the gradient of the logit of token 7 minus
that of token 4 after the last token but one: hidden.{layer} by the residual stream before each layer (the last by that
after the final norm) and attention.{layer} by the attention weights; with two stacks the names of golden.safetensors.
"""

import torch
from precision import KeepDouble

ROW, TOKEN, MINUS = 7, 7, 4


def gradient_answers(model, named, by_block, name):
    """The tensors of gradient.safetensors; nothing for a model without logits."""
    random = torch.Generator().manual_seed(7 + sum(name.encode()))
    keys = ("input_ids", *(["decoder_input_ids"] if model.config.is_encoder_decoder else []))
    ids = {key: torch.randint(3, model.config.vocab_size, (1, 9), generator=random) for key in keys}
    with KeepDouble():
        output = by_block(model, model(**ids, output_attentions=True, output_hidden_states=True, use_cache=False))
    if getattr(output, "logits", None) is None:
        return None
    kept = [getattr(output, member, None) or () for member in
            ("attentions", "encoder_attentions", "decoder_attentions", "cross_attentions", "hidden_states",
             "encoder_hidden_states", "decoder_hidden_states")]
    for tensors in kept:
        for tensor in tensors:
            if tensor is not None and tensor.requires_grad:
                tensor.retain_grad()
    row = output.logits[0, ROW]
    (row[TOKEN] - row[MINUS]).backward()
    found = {key: tensor[0] for key, tensor in ids.items()}
    for key, tensor in named(output, lambda one: one.grad if one.grad is not None else torch.zeros_like(one)).items():
        if key != "logits":
            found[key] = tensor.float().contiguous()
    return found
