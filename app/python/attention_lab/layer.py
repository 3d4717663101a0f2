"""An input and the weights of a layer as content."""
from __future__ import annotations

from typing import Any, Dict

import numpy as np

from .arrays import as_float32, check_shared, mask_of, numbers, per_head, same, shape_text, shaped, to_numpy
from .content import Arrays, Content
from .errors import BadArgument
from .tokens import Tokens, both_tokens

MOST_SENTENCES = 64


def layer_content(x: Any, w_q: Any = None, w_k: Any = None, w_v: Any = None, w_o: Any = None, b_q: Any = None,
                  b_k: Any = None, b_v: Any = None, b_o: Any = None, x_kv: Any = None, tokens: Tokens = None,
                  key_tokens: Tokens = None, mask: Any = None) -> Content:
    """x [n, d_model] or [batch, n, d_model], w_q and w_k [heads, d_model, d_k], w_v [heads, d_model, d_v] and
    w_o [heads·d_v, d_out].

    A batch is of 1 to 64 sentences; `tokens` may then be a list for each of them, of which shorter ones leave out
    padding, and `mask` [batch, n, m]. w_k and w_v may have fewer heads. Without w_o, heads stand side by side in the
    output. Raises BadArgument.
    """
    for name, value in (("w_q", w_q), ("w_k", w_k), ("w_v", w_v)):
        if value is None:
            raise BadArgument(f"{name} is missing: x, w_q, w_k and w_v belong together")
    arrays = {"x": _input(x, "x"), **_projections(w_q, w_k, w_v)}
    if x_kv is not None:
        arrays["x_kv"] = _input(x_kv, "x_kv")
    _check_widths(arrays)
    arrays["w_o"] = _output_weights(w_o, arrays["w_q"].shape[0], arrays["w_v"].shape[2])
    arrays.update(_biases({"b_q": b_q, "b_k": b_k, "b_v": b_v}, arrays))
    if b_o is not None:
        arrays["b_o"] = numbers(b_o, "b_o", ("d_out",))
        same("b_o", "d_out", arrays["b_o"].shape[0], arrays["w_o"].shape[1], "w_o")
    return _with_places(arrays, tokens, key_tokens, mask)


def _with_places(arrays: Arrays, tokens: Tokens, key_tokens: Tokens, mask: Any) -> Content:
    n, m = arrays["x"].shape[-2], arrays.get("x_kv", arrays["x"]).shape[-2]
    batch = _batch(arrays)
    hidden = mask_of(mask, n, m, batch)
    if hidden is not None:
        arrays["mask"] = hidden
    rows, columns = both_tokens(tokens, key_tokens, n, m, batch)
    return Content("layer", arrays, (arrays["w_q"].shape[0], n, m), tokens=rows, key_tokens=columns)


def _batch(arrays: Arrays) -> int:
    """The number of sentences; 0 if there is no batch."""
    x, x_kv = arrays["x"], arrays.get("x_kv", arrays["x"])
    if x.ndim != x_kv.ndim or (x.ndim == 3 and x.shape[0] != x_kv.shape[0]):
        raise BadArgument(f"x_kv has the shape {shape_text(x_kv.shape)} and should be of as many sentences as x, "
                          f"{shape_text(x.shape)}")
    if x.ndim == 3 and x.shape[0] > MOST_SENTENCES:
        raise BadArgument(f"x has {x.shape[0]} sentences; at most {MOST_SENTENCES} can be shown")
    return x.shape[0] if x.ndim == 3 else 0


def _input(value: Any, name: str) -> np.ndarray:
    array = to_numpy(value, name)
    if array.ndim == 3 and array.shape[0] > 1:
        return as_float32(shaped(array, name, ("batch", "n", "d_model")), name)
    return as_float32(shaped(array[0] if array.ndim == 3 and len(array) else array, name, ("n", "d_model")), name)


def _projections(w_q: Any, w_k: Any, w_v: Any) -> Arrays:
    arrays = {name: per_head(value, name, ("heads", "d_model", size))
              for name, value, size in (("w_q", w_q, "d_k"), ("w_k", w_k, "d_k"), ("w_v", w_v, "d_v"))}
    same("w_k", "d_k", arrays["w_k"].shape[2], arrays["w_q"].shape[2], "w_q")
    same("w_v", "heads", arrays["w_v"].shape[0], arrays["w_k"].shape[0], "w_k")
    check_shared("w_k", arrays["w_k"].shape[0], "w_q", arrays["w_q"].shape[0])
    return arrays


def _check_widths(arrays: Arrays) -> None:
    width = arrays["x"].shape[-1]
    for name in ("x_kv", "w_q", "w_k", "w_v"):
        if name in arrays:
            same(name, "d_model", arrays[name].shape[-1 if name == "x_kv" else 1], width, "x")


def _output_weights(w_o: Any, heads: int, d_v: int) -> np.ndarray:
    if w_o is None:
        return np.eye(heads * d_v, dtype=np.float32)
    array = to_numpy(w_o, "w_o")
    if array.ndim == 3 and array.shape[:2] == (heads, d_v):
        array = array.reshape(heads * d_v, -1)
    array = as_float32(shaped(array, "w_o", ("heads·d_v", "d_out")), "w_o")
    same("w_o", "heads·d_v", array.shape[0], heads * d_v, "w_v together")
    return array


def _biases(given: Dict[str, Any], arrays: Arrays) -> Arrays:
    biases = {}
    for name, value in given.items():
        if value is None:
            continue
        heads, _, size = arrays["w" + name[1:]].shape
        array = to_numpy(value, name)
        if array.shape != (heads, size) and array.shape != (heads * size,):
            raise BadArgument(f"{name} has the shape {shape_text(array.shape)} and should be [{heads}, {size}]")
        biases[name] = as_float32(array.reshape(heads, size), name)
    return biases
