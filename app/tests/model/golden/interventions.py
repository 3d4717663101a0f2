"""What hooks in transformers' modules make of a forward pass, for the same interventions in the program.

interventions.safetensors holds input_ids (and decoder_input_ids), and for each case what changed: CASE.{name}, as in
golden.safetensors, and CASE.values of a patch. Its metadata says in CASE what was done.
"""

import json
from contextlib import ExitStack

import torch

BOTH_WAYS = ("bert", "electra", "mpnet", "modernbert", "deberta", "deberta-v2")
QUERY_CELLS = ("deberta-v2",)  # their queries are compared twice
SHARED_KEYS = "gemma4_text"  # late layers use the keys and values of others
NORMS_OF_ALL_HEADS = ("olmo2", "olmo3", "olmoe")  # a number of one head reaches all


def key_layer(config, layer):
    """The layer that makes the keys and values of `layer`."""
    own = config.num_hidden_layers - config.num_kv_shared_layers
    if layer < own:
        return layer
    return max(i for i in range(own) if config.layer_types[i] == config.layer_types[layer])


def sublayer_modules(model, sublayer, layer):
    """The block, the module that gives V, and the one that takes the heads' outputs side by side."""
    kind, base = model.config.model_type, model.base_model
    if kind == "gpt2":
        block = base.h[layer]
        return block, block.attn.c_attn, block.attn.c_proj
    if kind == "gptj":
        block = base.h[layer]
        return block, block.attn.v_proj, block.attn.out_proj
    if kind == "codegen":
        block = base.h[layer]
        return block, block.attn.qkv_proj, block.attn.out_proj
    if kind in ("bloom", "falcon"):
        block = base.h[layer]
        return block, block.self_attention.query_key_value, block.self_attention.dense
    if kind == "modernbert":
        block = base.layers[layer]
        return block, block.attn.Wqkv, block.attn.Wo
    if kind == "mpnet":
        block = base.encoder.layer[layer]
        return block, block.attention.attn.v, block.attention.attn.o
    if kind.startswith("deberta"):
        block = base.encoder.layer[layer]
        attention = block.attention.self
        return block, attention.in_proj if kind == "deberta" else attention.value_proj, block.attention.output.dense
    if kind in ("bert", "electra"):
        block = base.encoder.layer[layer]
        return block, block.attention.self.value, block.attention.output.dense
    if kind in ("bart", "mbart", "m2m_100"):
        block = base.decoder.layers[layer]
        attention = block.encoder_attn if sublayer == "cross" else block.self_attn
        return block, attention.v_proj, attention.out_proj
    if kind in ("t5", "umt5"):
        block = base.encoder.block[layer]
        attention = block.layer[0].SelfAttention
        return block, attention.v, attention.o
    block = base.layers[layer]
    if kind == SHARED_KEYS:  # values are normalised
        return block, base.layers[key_layer(model.config, layer)].self_attn.v_norm, block.self_attn.o_proj
    if kind.startswith("deepseek"):
        return block, block.self_attn.kv_b_proj, block.self_attn.o_proj
    if kind == "phi":
        return block, block.self_attn.v_proj, block.self_attn.dense
    if kind.startswith("lfm2"):
        attention = getattr(block, "self_attn", None)  # none where it is a convolution
        return block, getattr(attention, "v_proj", None), getattr(attention, "out_proj", None)
    if kind == "phi3":
        return block, block.self_attn.qkv_proj, block.self_attn.o_proj
    return block, block.self_attn.v_proj, block.self_attn.o_proj


def value_columns(config, kv_heads, kv_head, heads, width, columns):
    """Where the values of a key head stand in `columns` columns of the module that gives them."""
    kind = config.model_type
    if kind in ("bloom", "deberta"):  # Q, K and V of each head
        first = (3 * kv_head + 2) * width
    elif kind == "falcon":  # the queries that share a key head, the key head, its values
        first = ((heads // kv_heads + 2) * (kv_head + 1) - 1) * width
    elif kind == "codegen":  # Q, V, K of each quarter of the heads
        quarter = heads // 4
        first = (3 * (kv_head // quarter) * quarter + quarter + kv_head % quarter) * width
    elif kind.startswith("deepseek"):  # the part of its key that is not rotated, then its values
        own = config.qk_nope_head_dim
        first = (own + width) * kv_head + own
    else:  # alone, or after Q and K
        first = columns - (kv_heads - kv_head) * width
    return slice(first, first + width)


class HeadHooks:
    """The values and the outputs of one head while a model runs."""

    def __init__(self, model, sublayer, layer, head):
        config = model.config
        block, self.value, self.output = sublayer_modules(model, sublayer, layer)
        self.heads = config.decoder_attention_heads if sublayer == "cross" else config.num_attention_heads
        config = config.per_layer_config[layer] if config.model_type == SHARED_KEYS else config
        self.kv_heads = getattr(config, "num_key_value_heads", None) or getattr(config, "num_kv_heads", None) or self.heads
        self.config = model.config
        weight = self.output.weight
        self.width = (weight.shape[0] if config.model_type == "gpt2" else weight.shape[1]) // self.heads
        self.columns = slice(head * self.width, (head + 1) * self.width)
        self.kv_head = head // (self.heads // self.kv_heads)
        # What is added to them later.
        self.bias = block.attention.self.v_bias[self.columns] if config.model_type == "deberta" else 0
        self.values = None

    def see_values(self, module, args, result):
        if self.config.model_type == SHARED_KEYS:  # [texts × tokens × heads × features]
            result = result.flatten(2)
        columns = value_columns(self.config, self.kv_heads, self.kv_head, self.heads, self.width, result.shape[-1])
        self.values = result.flatten(0, -2)[:, columns] + self.bias

    def run(self, change, forward, **ids):
        """A forward pass in which change(output, values) replaces the head's output."""

        def before_output(module, args):
            heads = args[0].clone()
            heads[0, :, self.columns] = change(heads[0, :, self.columns].clone(), self.values)
            return (heads, *args[1:])

        with ExitStack() as hooks:
            for handle in (self.value.register_forward_hook(self.see_values),
                           self.output.register_forward_pre_hook(before_output)):
                hooks.callback(handle.remove)
            return forward(**ids)


def uniform_weights(rows, columns, causal):
    """Each query attends to all keys that it may see alike."""
    allowed = torch.ones(rows, columns, dtype=torch.float64)
    allowed = allowed.tril() if causal else allowed
    return allowed / allowed.sum(-1, keepdim=True)


def with_stream_cell(model, sublayer, layer, row, col, value, forward, **ids):
    """A forward pass in which one number of the residual stream before a block is replaced."""
    block, _, _ = sublayer_modules(model, sublayer, layer)

    def before_block(module, args, named):
        stream = (args[0] if args else named["hidden_states"]).clone()
        stream[0, row, col] = value
        return ((stream, *args[1:]), named) if args else (args, named | {"hidden_states": stream})

    handle = block.register_forward_pre_hook(before_block, with_kwargs=True)
    output = forward(**ids)
    handle.remove()
    return output


def with_projected_cell(model, part, layer, number, row, col, value, forward, **ids):
    """A forward pass in which one number of a head's queries, keys or values is replaced, before they are normalised;
    `part`: q, k or v."""
    width = None
    if model.config.model_type in QUERY_CELLS:
        projection = model.base_model.encoder.layer[layer].attention.self.query_proj
    else:
        attention = model.base_model.layers[layer].self_attn
        projection = getattr(attention, part + "_proj")
        if model.config.model_type == SHARED_KEYS:
            width = attention.q_norm.weight.shape[0]
    width = width or projection.weight.shape[0] // model.config.num_attention_heads

    def after_projection(module, args, result):
        if result.shape[1] != ids["input_ids"].shape[1]:  # those of distances
            return result
        queries = result.clone()
        queries[0, row, number * width + col] = value
        return queries

    handle = projection.register_forward_hook(after_projection)
    output = forward(**ids)
    handle.remove()
    return output


def intervention_answers(model, forward, named, ids, others, place):
    """The tensors and the metadata of interventions.safetensors."""
    sublayer, layer, head = place
    run = lambda **given: forward(model, **given)
    usual = named(run(**ids))
    hooks = HeadHooks(model, sublayer, layer, head)
    seen = []
    hooks.run(lambda output, values: seen.append(output) or output, run, **others)
    weights = uniform_weights(len(seen[0]), 9, causal=sublayer == "self" and model.config.model_type not in BOTH_WAYS)
    about = {"sublayer": sublayer, "layer": layer, "head": head}
    cell = {"row": 4, "col": 5, "value": 2.5}
    cases = {
        "mute": ({"gain": 0.0}, None, lambda: hooks.run(lambda output, values: 0 * output, run, **ids)),
        "half": ({"gain": 0.5}, None, lambda: hooks.run(lambda output, values: 0.5 * output, run, **ids)),
        "weights": ({}, weights, lambda: hooks.run(lambda output, values: weights @ values, run, **ids)),
        "output": ({}, seen[0], lambda: hooks.run(lambda output, values: seen[0], run, **ids)),
    }
    stream_layer = 1
    stream_place = {"sublayer": "self" if sublayer == "cross" else sublayer, "layer": stream_layer, **cell}
    stream = named(with_stream_cell(model, sublayer, stream_layer, *cell.values(), run, **ids))
    before = ("encoder_hidden." if sublayer == "encoder" else "decoder_hidden." if sublayer == "cross" else "hidden.")
    stream[f"{before}{stream_layer}"][cell["row"], cell["col"]] = cell["value"]

    tensors = {name: tensor[0] for name, tensor in ids.items()}
    metadata = {"stream": json.dumps(stream_place)}
    found = {"stream": stream}
    if model.config.model_type in NORMS_OF_ALL_HEADS + QUERY_CELLS:
        query = {"row": 5, "col": 1, "value": 8.0}
        metadata["query"] = json.dumps(about | query)
        found["query"] = named(with_projected_cell(model, "q", layer, head, *query.values(), run, **ids))
    if model.config.model_type == SHARED_KEYS and model.config.num_kv_shared_layers > 0:
        maker = key_layer(model.config, layer)
        kv_head, group = hooks.kv_head, hooks.heads // hooks.kv_heads
        for case, part in (("key", "k"), ("value", "v")):
            number = {"row": 2, "col": 1, "value": -1.5}
            metadata[case] = json.dumps({"sublayer": sublayer, "layer": maker, "head": kv_head * group} | number)
            found[case] = named(with_projected_cell(model, part, maker, kv_head, *number.values(), run, **ids))
    for case, (said, values, compute) in cases.items():
        metadata[case] = json.dumps(about | said)
        found[case] = named(compute())
        if values is not None:
            tensors[f"{case}.values"] = values.float().contiguous()
    for case, answer in found.items():
        for name, tensor in answer.items():
            of_result = "hidden" in name or name == "logits"
            if of_result and not torch.equal(tensor, usual[name]):
                tensors[f"{case}.{name}"] = tensor.float().contiguous()
    return tensors, metadata
