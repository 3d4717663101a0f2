"""What is shown: attention weights, or queries, keys and values, or an input with the weights of a layer.

Each of the three forms is checked here, whole, before anything is sent or written.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

import numpy as np

from .arrays import as_float32, mask_of, not_negative, numbers, same, shape_text, shaped, to_numpy
from .errors import BadArgument
from .tokens import Tokens, checked_tokens

Arrays = Dict[str, np.ndarray]
LayerSource = Callable[[int], Any]

SENT_AT_ONCE = 4 << 20  # bytes; of more, layers are sent when the window asks for them


@dataclass(frozen=True)
class Content:
    """Checked arrays in the form in which the window gets them.

    `arrays` are those of layer 0, or of all layers in one array if `layer_of` is None. `layer_of(k)` returns those
    of layer k and raises BadArgument if they do not fit. `size` is [heads, queries, keys].
    """

    what: str
    arrays: Arrays
    size: Tuple[int, int, int]
    layers: int = 1
    layer_of: Optional[Callable[[int], Arrays]] = None
    tokens: Optional[List[str]] = None
    key_tokens: Optional[List[str]] = None
    extra: Dict[str, Any] = field(default_factory=dict)

    def message(self) -> Dict[str, Any]:
        """The members of a `show` request that describe the arrays."""
        return {"what": self.what, "tokens": self.tokens, "key_tokens": self.key_tokens, "mask": "mask" in self.arrays,
                "layers": self.layers, "heads": self.size[0], "lazy": self.layer_of is not None, **self.extra}

    def layer(self, k: int) -> Arrays:
        """The arrays of layer k alone. Raises BadArgument if there is none."""
        if not 0 <= k < self.layers:
            raise BadArgument(f"there is no layer {k}: there are {self.layers}, counted from 0")
        if self.layer_of is not None:
            return self.layer_of(k)
        if self.what == "weights" and self.layers > 1:
            return {"weights": self.arrays["weights"][k]}
        return self.arrays


def content_of(positional: Tuple[Any, ...], named: Mapping[str, Any]) -> Content:
    """The content that the arguments of `show`, `page` and `figure` describe; see `show` for their shapes.

    Raises BadArgument, and TypeError for an argument that there is none of.
    """
    unknown = sorted(set(named) - CONTENT_NAMES)
    if unknown:
        raise TypeError(f"unexpected argument {unknown[0]!r}")
    given = {name: value for name, value in named.items() if value is not None}
    given.update(_named_by_position(positional, given))
    for form, need in (("weights", _WEIGHTS), ("qkv", _QKV), ("layer", _LAYER)):
        if need[0] in given:
            return _FORMS[form](**_only(given, need))
    raise BadArgument("there is nothing to show: give weights=…, or q, k, v, or x, w_q, w_k, w_v, w_o")


_COMMON = ("tokens", "key_tokens", "mask")
_WEIGHTS = ("weights", "layers", "lazy", *_COMMON)
_QKV = ("q", "k", "v", "layers", "lazy", *_COMMON)
_LAYER = ("x", "w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o", "x_kv", *_COMMON)
CONTENT_NAMES = frozenset((*_WEIGHTS, *_QKV, *_LAYER))
_BY_COUNT = {0: (), 1: ("weights",), 3: ("q", "k", "v"), 4: ("x", "w_q", "w_k", "w_v"),
             5: ("x", "w_q", "w_k", "w_v", "w_o")}


def _named_by_position(positional: Tuple[Any, ...], given: Mapping[str, Any]) -> Dict[str, Any]:
    names = _BY_COUNT.get(len(positional))
    if names is None:
        raise BadArgument(f"there are {len(positional)} arrays without a name: one is weights, three are q, k, v, "
                          "five are x, w_q, w_k, w_v, w_o")
    twice = [name for name in names if name in given]
    if twice:
        raise BadArgument(f"{twice[0]} is given twice")
    return dict(zip(names, positional))


def _only(given: Mapping[str, Any], allowed: Tuple[str, ...]) -> Dict[str, Any]:
    for name in given:
        if name not in allowed:
            raise BadArgument(f"{name} does not go together with {allowed[0]}")
    return dict(given)


# Weights.


def weights_content(weights: Any, layers: Optional[int] = None, lazy: Optional[bool] = None, tokens: Tokens = None,
                    key_tokens: Tokens = None, mask: Any = None) -> Content:
    """Attention weights: [n, m], [heads, n, m], [layers, heads, n, m], a list of layers, or a function of the layer.

    Raises BadArgument.
    """
    if mask is not None:
        raise BadArgument("a mask does not go together with weights, which are what remains after it")
    source, count = _layers_of(weights, "weights", 4, layers)
    first = _weights_of(source(0), "weights", None)

    def layer_of(k: int) -> Arrays:
        return {"weights": first if k == 0 else _weights_of(source(k), f"weights of layer {k}", first.shape)}

    heads, n, m = (int(length) for length in first.shape)
    lazily = _is_lazy(lazy, callable(weights), count, first.nbytes)
    arrays = layer_of(0) if lazily or count == 1 else _stacked(layer_of, count)
    rows, columns = _both_tokens(tokens, key_tokens, n, m)
    return Content("weights", arrays, (heads, n, m), count, layer_of if lazily else None, rows, columns)


def _weights_of(value: Any, name: str, expected: Optional[Tuple[int, ...]]) -> np.ndarray:
    array = to_numpy(value, name)
    if array.ndim == 2:
        array = array[np.newaxis]
    if array.ndim == 4 and array.shape[0] == 1:  # a batch of one
        array = array[0]
    array = not_negative(as_float32(shaped(array, name, ("heads", "n", "m")), name), name)
    if expected is not None and array.shape != expected:
        raise BadArgument(f"{name} have the shape {shape_text(array.shape)}, and those of layer 0 "
                          f"{shape_text(expected)}")
    return array


def _layers_of(value: Any, name: str, dimensions: int, layers: Optional[int]) -> Tuple[LayerSource, int]:
    """A function of the layer, and how many there are, of an array that has `dimensions` if it has several layers."""
    if callable(value) and not hasattr(value, "shape"):
        return value, _count(layers, None, name)
    if isinstance(value, (list, tuple)) and value and getattr(value[0], "ndim", 0) >= dimensions - 1:
        return (lambda k: value[k]), _count(layers, len(value), name)
    array = value if hasattr(value, "shape") else to_numpy(value, name)
    if len(array.shape) != dimensions:
        return (lambda k: array), _count(layers, 1, name)
    if array.shape[0] == 0:
        raise BadArgument(f"{name} is empty: its shape is {shape_text(array.shape)}")
    return (lambda k: array[k]), _count(layers, int(array.shape[0]), name)


def _count(given: Optional[int], found: Optional[int], name: str) -> int:
    if given is None and found is None:
        raise BadArgument(f"{name} is a function of the layer: say how many layers there are, with layers=…")
    if given is not None and (isinstance(given, bool) or int(given) != given or given < 1):
        raise BadArgument(f"layers is {given!r} and should be a number of layers")
    if given is not None and found is not None and given != found:
        raise BadArgument(f"layers is {given}, and {name} has {found}")
    return int(given if given is not None else found or 1)


def _is_lazy(asked: Optional[bool], is_function: bool, layers: int, layer_bytes: int) -> bool:
    if layers == 1:
        return False
    if asked is None or is_function:
        return is_function or layers * layer_bytes > SENT_AT_ONCE
    return bool(asked)


def _stacked(layer_of: Callable[[int], Arrays], layers: int) -> Arrays:
    return {"weights": np.stack([layer_of(k)["weights"] for k in range(layers)])}


def _both_tokens(tokens: Tokens, key_tokens: Tokens, n: int,
                 m: int) -> Tuple[Optional[List[str]], Optional[List[str]]]:
    return (checked_tokens(tokens, "tokens", n, "queries (rows)"),
            checked_tokens(key_tokens, "key_tokens", m, "keys (columns)"))


# Queries, keys and values.


def qkv_content(q: Any, k: Any = None, v: Any = None, layers: Optional[int] = None, lazy: Optional[bool] = None,
                tokens: Tokens = None, key_tokens: Tokens = None, mask: Any = None) -> Content:
    """q [heads, n, d_k], k [heads, m, d_k] and v [heads, m, d_v]; also [layers, heads, n, d], or without heads.

    k and v may have fewer heads, of which each then serves several of q. Raises BadArgument.
    """
    if k is None or v is None:
        raise BadArgument(f"{'k' if k is None else 'v'} is missing: q, k and v belong together")
    sources, count = _qkv_layers({"q": q, "k": k, "v": v}, layers)
    first = _qkv_of({name: source(0) for name, source in sources.items()})
    heads, n, m = first["q"].shape[0], first["q"].shape[1], first["k"].shape[1]
    hidden = mask_of(mask, n, m)
    masks = {} if hidden is None else {"mask": hidden}

    def layer_of(layer: int) -> Arrays:
        return {**_qkv_of({name: source(layer) for name, source in sources.items()}), **masks}

    rows, columns = _both_tokens(tokens, key_tokens, n, m)
    return Content("qkv", {**first, **masks}, (heads, n, m), count, layer_of if count > 1 else None, rows, columns)


def _qkv_layers(values: Dict[str, Any], layers: Optional[int]) -> Tuple[Dict[str, LayerSource], int]:
    sources: Dict[str, LayerSource] = {}
    counts = []
    for name, value in values.items():
        sources[name], count = _layers_of(value, name, 4, layers)
        counts.append(count)
        same(name, "layers", count, counts[0], "q")
    return sources, counts[0]


def _qkv_of(values: Dict[str, Any]) -> Arrays:
    q, k, v = (_per_head(values[name], name, axes) for name, axes in (
        ("q", ("heads", "n", "d_k")), ("k", ("heads", "m", "d_k")), ("v", ("heads", "m", "d_v"))))
    same("k", "d_k", k.shape[2], q.shape[2], "q")
    same("v", "keys", v.shape[1], k.shape[1], "k")
    return {"q": q, "k": _for_heads(k, "k", q.shape[0]), "v": _for_heads(v, "v", q.shape[0])}


def _per_head(value: Any, name: str, axes: Tuple[str, str, str]) -> np.ndarray:
    array = to_numpy(value, name)
    if array.ndim == 4 and array.shape[0] == 1:
        array = array[0]
    return as_float32(shaped(array[np.newaxis] if array.ndim == 2 else array, name, axes), name)


def _for_heads(array: np.ndarray, name: str, heads: int) -> np.ndarray:
    if heads % array.shape[0]:
        raise BadArgument(f"{name} has {array.shape[0]} heads, and q has {heads}, which is no multiple of it")
    return np.repeat(array, heads // array.shape[0], axis=0)


# An input and the weights of a layer.


def layer_content(x: Any, w_q: Any = None, w_k: Any = None, w_v: Any = None, w_o: Any = None, b_q: Any = None,
                  b_k: Any = None, b_v: Any = None, b_o: Any = None, x_kv: Any = None, tokens: Tokens = None,
                  key_tokens: Tokens = None, mask: Any = None) -> Content:
    """x [n, d_model] or [batch, n, d_model], w_q and w_k [heads, d_model, d_k], w_v [heads, d_model, d_v] and
    w_o [heads·d_v, d_out].

    w_k and w_v may have fewer heads. Without w_o, heads stand side by side in the output. Raises BadArgument.
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
    hidden = mask_of(mask, n, m)
    if hidden is not None:
        arrays["mask"] = hidden
    rows, columns = _both_tokens(tokens, key_tokens, n, m)
    return Content("layer", arrays, (arrays["w_q"].shape[0], n, m), tokens=rows, key_tokens=columns)


def _input(value: Any, name: str) -> np.ndarray:
    array = to_numpy(value, name)
    if array.ndim == 3 and array.shape[0] > 1:
        return as_float32(shaped(array, name, ("batch", "n", "d_model")), name)
    return as_float32(shaped(array[0] if array.ndim == 3 and len(array) else array, name, ("n", "d_model")), name)


def _projections(w_q: Any, w_k: Any, w_v: Any) -> Arrays:
    arrays = {name: _per_head(value, name, ("heads", "d_model", size))
              for name, value, size in (("w_q", w_q, "d_k"), ("w_k", w_k, "d_k"), ("w_v", w_v, "d_v"))}
    same("w_k", "d_k", arrays["w_k"].shape[2], arrays["w_q"].shape[2], "w_q")
    same("w_v", "heads", arrays["w_v"].shape[0], arrays["w_k"].shape[0], "w_k")
    if arrays["w_q"].shape[0] % arrays["w_k"].shape[0]:
        raise BadArgument(f"w_k has {arrays['w_k'].shape[0]} heads, and w_q has {arrays['w_q'].shape[0]}, "
                          "which is no multiple of it")
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


_FORMS: Dict[str, Callable[..., Content]] = {"weights": weights_content, "qkv": qkv_content, "layer": layer_content}
