"""The three forms in which callers give arrays: weights, or q, k and v, or an input with the weights of a layer."""
from __future__ import annotations

from typing import Any, Callable, Dict, Mapping, Tuple

from .content import Content
from .errors import BadArgument
from .layer import layer_content
from .vectors import qkv_content
from .weights import weights_content


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


_FORMS: Dict[str, Callable[..., Content]] = {"weights": weights_content, "qkv": qkv_content, "layer": layer_content}
