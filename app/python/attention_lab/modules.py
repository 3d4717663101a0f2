"""Showing a layer of PyTorch, `torch.nn.MultiheadAttention`, with the input that it reads."""
from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import numpy as np

from .arrays import numbers, same, shape_text, to_numpy
from .connection import TIMEOUT
from .content import Content
from .errors import BadArgument
from .handle import Shown, show_content
from .layer import layer_content
from .tokens import Tokens

Arrays = Dict[str, np.ndarray]


def show_module(module: Any, x: Any, key: Any = None, value: Any = None, *, attn_mask: Any = None, batch: int = 0,
                tokens: Tokens = None, key_tokens: Tokens = None, name: str = "Python", title: Optional[str] = None,
                start: bool = True, wait: bool = False, timeout: float = TIMEOUT) -> Shown:
    """Opens a `torch.nn.MultiheadAttention` and its input in the window: every stage, to edit.

    `x` is what the module gets as `query`: `[n, embed_dim]`, or with a batch as the module's `batch_first` says, of
    which `batch` is shown. `key` and `value` are left out for self-attention; `value` is `key` if left out.
    `attn_mask` `[n, m]` is the module's: booleans are True where a query may *not* attend to a key. The other
    arguments are those of `show`. Dropout is not applied.

    Raises BadArgument for a module that is none, `add_zero_attn`, and inputs that do not fit; and what `show` does.
    """
    content = module_content(module, x, key, value, attn_mask=attn_mask, batch=batch, tokens=tokens,
                             key_tokens=key_tokens)
    return show_content(content, name, title, start, wait, timeout)


def module_content(module: Any, x: Any, key: Any = None, value: Any = None, attn_mask: Any = None, batch: int = 0,
                   tokens: Tokens = None, key_tokens: Tokens = None) -> Content:
    """The layer that `show_module` shows. Raises BadArgument."""
    _check_module(module)
    inputs = _inputs(module, x, key, value, batch)
    arrays = {**_weights(module), **_output(module)}
    query, keys = inputs["query"], inputs["key"]
    if keys is not query or inputs["value"] is not keys:
        query, keys, arrays = _joined(inputs, arrays)
    mask = _mask(attn_mask, int(module.num_heads))
    if getattr(module, "bias_k", None) is not None:
        query, keys, arrays = _with_bias_row(module, query, keys, arrays)
        mask = _with_open_column(mask)
        key_tokens = _with_bias_token(tokens if key is None and key_tokens is None else key_tokens)
    others = {} if keys is query else {"x_kv": keys}
    return layer_content(query, **arrays, **others, mask=mask, tokens=tokens, key_tokens=key_tokens)


def _check_module(module: Any) -> None:
    for member in ("num_heads", "embed_dim", "in_proj_weight", "out_proj"):
        if not hasattr(module, member):
            raise BadArgument(f"show_module shows a torch.nn.MultiheadAttention, and {type(module).__name__} has no "
                              f"{member}")
    if getattr(module, "add_zero_attn", False):
        raise BadArgument("add_zero_attn adds a key of zeros, which cannot be shown: make the module without it")


def _inputs(module: Any, x: Any, key: Any, value: Any, batch: int) -> Dict[str, np.ndarray]:
    widths = {"query": int(module.embed_dim), "key": int(getattr(module, "kdim", None) or module.embed_dim),
              "value": int(getattr(module, "vdim", None) or module.embed_dim)}
    query = _one_input(module, x, "x", widths["query"], batch)
    keys = query if key is None or key is x else _one_input(module, key, "key", widths["key"], batch)
    values = keys if value is None or value is key else _one_input(module, value, "value", widths["value"], batch)
    for name, array in (("key", keys), ("value", values)):
        same(name, "width", array.shape[1], widths[name], "the module")
    same("value", "positions", values.shape[0], keys.shape[0], "key")
    return {"query": query, "key": keys, "value": values}


def _one_input(module: Any, given: Any, name: str, width: int, batch: int) -> np.ndarray:
    array = to_numpy(given, name)
    if array.ndim == 3:
        axis = 0 if getattr(module, "batch_first", False) else 1
        if not 0 <= batch < array.shape[axis]:
            raise BadArgument(f"batch is {batch}, and {name} has {array.shape[axis]} in its shape "
                              f"{shape_text(array.shape)}")
        array = array.take(batch, axis)
    checked = numbers(array, name, ("n", "width"))
    same(name, "width", checked.shape[1], width, "the module")
    return checked


def _weights(module: Any) -> Arrays:
    """W_Q, W_K and W_V [heads, inputs, d] and their biases [heads, d]."""
    heads = int(module.num_heads)
    arrays = {}
    for letter, matrix in zip("qkv", _matrices(module)):
        arrays[f"w_{letter}"] = np.stack(np.split(matrix.T, heads, axis=1))
    bias = getattr(module, "in_proj_bias", None)
    if bias is not None:
        for letter, part in zip("qkv", np.split(to_numpy(bias, "in_proj_bias"), 3)):
            arrays[f"b_{letter}"] = part.reshape(heads, -1)
    return arrays


def _matrices(module: Any) -> Tuple[np.ndarray, ...]:
    if module.in_proj_weight is not None:
        return tuple(np.split(to_numpy(module.in_proj_weight, "in_proj_weight"), 3))
    return tuple(to_numpy(getattr(module, f"{letter}_proj_weight"), f"{letter}_proj_weight") for letter in "qkv")


def _output(module: Any) -> Arrays:
    arrays = {"w_o": to_numpy(module.out_proj.weight, "out_proj.weight").T}
    bias = getattr(module.out_proj, "bias", None)
    if bias is not None:
        arrays["b_o"] = to_numpy(bias, "out_proj.bias")
    return arrays


def _joined(inputs: Dict[str, np.ndarray], arrays: Arrays) -> Tuple[np.ndarray, np.ndarray, Arrays]:
    """One width for everything: keys and values that differ stand side by side, and rows of weights for what a
    projection does not read are 0, as are the columns that fill up shorter inputs.
    """
    apart = inputs["value"] is not inputs["key"]
    keys = np.hstack([inputs["key"], inputs["value"]]) if apart else inputs["key"]
    width = max(inputs["query"].shape[1], keys.shape[1])
    widened = dict(arrays)
    for name, before in (("w_q", 0), ("w_k", 0), ("w_v", inputs["key"].shape[1] if apart else 0)):
        after = width - before - arrays[name].shape[1]
        widened[name] = np.pad(arrays[name], ((0, 0), (before, after), (0, 0)))
    return _filled(inputs["query"], width), _filled(keys, width), widened


def _filled(array: np.ndarray, width: int) -> np.ndarray:
    return np.pad(array, ((0, 0), (0, width - array.shape[1])))


def _with_bias_row(module: Any, query: np.ndarray, keys: np.ndarray,
                   arrays: Arrays) -> Tuple[np.ndarray, np.ndarray, Arrays]:
    """`bias_k` and `bias_v` as what they are: one more key with vectors of its own. An input that is 1 there alone
    has these vectors, less the biases that the projections add, as its row of weights.
    """
    heads, width = int(module.num_heads), query.shape[1]
    row = np.zeros((1, width + 1), np.float32)
    row[0, -1] = 1
    extended = dict(arrays)
    for letter in "qkv":
        extended[f"w_{letter}"] = np.pad(arrays[f"w_{letter}"], ((0, 0), (0, 1), (0, 0)))
    for letter in "kv":
        vector = to_numpy(getattr(module, f"bias_{letter}"), f"bias_{letter}").reshape(heads, -1)
        extended[f"w_{letter}"][:, -1] = vector - arrays.get(f"b_{letter}", 0)
    return _filled(query, width + 1), np.vstack([_filled(keys, width + 1), row]), extended


def _mask(attn_mask: Any, heads: int) -> Optional[np.ndarray]:
    if attn_mask is None:
        return None
    mask = to_numpy(attn_mask, "attn_mask")
    if mask.ndim == 3 and (mask == mask[:1]).all():
        mask = mask[0]
    if mask.ndim != 2:
        raise BadArgument(f"attn_mask has the shape {shape_text(mask.shape)}; one mask [n, m] for all of the {heads} "
                          "heads can be shown")
    return ~mask if mask.dtype.kind == "b" else mask


def _with_open_column(mask: Optional[np.ndarray]) -> Optional[np.ndarray]:
    if mask is None:
        return None
    return np.pad(mask, ((0, 0), (0, 1)), constant_values=mask.dtype.kind == "b")


def _with_bias_token(tokens: Tokens) -> Tokens:
    if tokens is None:
        return None
    return [*(tokens.split() if isinstance(tokens, str) else tokens), "bias_k"]
