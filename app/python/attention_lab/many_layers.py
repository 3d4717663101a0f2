"""Arrays of several layers, each of which is read when it is needed."""
from __future__ import annotations

from typing import Any, Callable, Optional, Tuple

from .arrays import shape_text, to_numpy
from .errors import BadArgument

LayerSource = Callable[[int], Any]


def layers_of(value: Any, name: str, dimensions: int, layers: Optional[int]) -> Tuple[LayerSource, int]:
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
