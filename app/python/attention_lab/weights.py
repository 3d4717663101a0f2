"""Attention weights as content."""
from __future__ import annotations

from typing import Any, Callable, Optional, Tuple

import numpy as np

from .arrays import as_float32, masked_out, not_negative, shape_text, shaped, to_numpy
from .content import Arrays, Content
from .errors import BadArgument
from .many_layers import layers_of
from .tokens import Tokens, both_tokens

SENT_AT_ONCE = 4 << 20  # bytes; of more, layers are sent when the window asks for them


def weights_content(weights: Any, layers: Optional[int] = None, lazy: Optional[bool] = None, tokens: Tokens = None,
                    key_tokens: Tokens = None, mask: Any = None) -> Content:
    """Attention weights: [n, m], [heads, n, m], [layers, heads, n, m], a list of layers, or a function of the layer.

    Raises BadArgument.
    """
    if mask is not None:
        raise BadArgument("a mask does not go together with weights, which are what remains after it")
    source, count = layers_of(_without_hidden(weights), "weights", 4, layers)
    first = _weights_of(source(0), "weights", None)

    def layer_of(k: int) -> Arrays:
        return {"weights": first if k == 0 else _weights_of(source(k), f"weights of layer {k}", first.shape)}

    heads, n, m = (int(length) for length in first.shape)
    lazily = _is_lazy(lazy, callable(weights), count, first.nbytes)
    arrays = layer_of(0) if lazily or count == 1 else _stacked(layer_of, count)
    rows, columns = both_tokens(tokens, key_tokens, n, m)
    return Content("weights", arrays, (heads, n, m), count, layer_of if lazily else None, rows, columns,
                   at_hand=not callable(weights) and not lazy)


def _weights_of(value: Any, name: str, expected: Optional[Tuple[int, ...]]) -> np.ndarray:
    array = to_numpy(_without_hidden(value), name)
    if array.ndim == 2:
        array = array[np.newaxis]
    if array.ndim == 4 and array.shape[0] == 1:  # a batch of one
        array = array[0]
    array = not_negative(as_float32(shaped(array, name, ("heads", "n", "m")), name), name)
    if expected is not None and array.shape != expected:
        raise BadArgument(f"{name} have the shape {shape_text(array.shape)}, and those of layer 0 "
                          f"{shape_text(expected)}")
    return array


def _without_hidden(value: Any) -> Any:
    """`value` with the weight 0 for the pairs that numpy.ma masks out: a key that is masked gets no attention."""
    hidden = masked_out(value)
    if hidden is None:
        return value
    weights = [np.ma.getdata(part) for part in value] if isinstance(value, (list, tuple)) else np.ma.getdata(value)
    return np.where(hidden, 0, weights)


def _is_lazy(asked: Optional[bool], is_function: bool, layers: int, layer_bytes: int) -> bool:
    if layers == 1:
        return False
    if asked is None or is_function:
        return is_function or layers * layer_bytes > SENT_AT_ONCE
    return bool(asked)


def _stacked(layer_of: Callable[[int], Arrays], layers: int) -> Arrays:
    return {"weights": np.stack([layer_of(k)["weights"] for k in range(layers)])}
