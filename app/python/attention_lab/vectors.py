"""Queries, keys and values as content."""
from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

from .arrays import check_shared, mask_of, per_head, same, shape_text
from .content import Arrays, Content
from .errors import BadArgument
from .many_layers import LayerSource, layers_of
from .tokens import Tokens, both_tokens


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
        arrays = _qkv_of({name: source(layer) for name, source in sources.items()})
        _check_same_shapes(arrays, first, layer)
        return {**arrays, **masks}

    rows, columns = both_tokens(tokens, key_tokens, n, m)
    return Content("qkv", {**first, **masks}, (heads, n, m), count, layer_of if count > 1 else None, rows, columns,
                   at_hand=not any(map(callable, (q, k, v))) and not lazy)


def _qkv_layers(values: Dict[str, Any], layers: Optional[int]) -> Tuple[Dict[str, LayerSource], int]:
    sources: Dict[str, LayerSource] = {}
    counts = []
    for name, value in values.items():
        sources[name], count = layers_of(value, name, 4, layers)
        counts.append(count)
        same(name, "layers", count, counts[0], "q")
    return sources, counts[0]


def _check_same_shapes(arrays: Arrays, first: Arrays, layer: int) -> None:
    for name, array in arrays.items():
        if array.shape != first[name].shape:
            raise BadArgument(f"{name} of layer {layer} has the shape {shape_text(array.shape)}, and that of layer 0 "
                              f"{shape_text(first[name].shape)}")


def _qkv_of(values: Dict[str, Any]) -> Arrays:
    q, k, v = (per_head(values[name], name, axes) for name, axes in (
        ("q", ("heads", "n", "d_k")), ("k", ("heads", "m", "d_k")), ("v", ("heads", "m", "d_v"))))
    same("k", "d_k", k.shape[2], q.shape[2], "q")
    same("v", "keys", v.shape[1], k.shape[1], "k")
    same("v", "heads", v.shape[0], k.shape[0], "k")
    check_shared("k", k.shape[0], "q", q.shape[0])
    return {"q": q, "k": k, "v": v}
