"""What callers pass as arrays, checked and brought into the form in which it is sent: NumPy, float32, contiguous.

Arrays of NumPy, PyTorch (on any device, with or without gradients), nested lists, and everything that NumPy can
convert. This package never imports torch.
"""
from __future__ import annotations

from typing import Any, Optional, Sequence, Tuple

import numpy as np

from .errors import BadArgument


def to_numpy(value: Any, name: str) -> np.ndarray:
    """`value` as a NumPy array of any type. A tensor of PyTorch is detached and copied to main memory.

    Raises BadArgument if it is not an array, or one of numpy.ma in which an element is masked: what lies under a
    mask is no number of the array.
    """
    hidden = masked_out(value)
    if hidden is not None and hidden.any():
        place = ", ".join(str(int(i)) for i in np.argwhere(hidden)[0])
        raise BadArgument(f"{name}[{place}] is masked, so it has no number; give one with numpy.ma.filled, "
                          "or say with mask= which keys a query may attend to")
    try:
        return np.asarray(_on_cpu(value) if hasattr(value, "detach") else value)
    except Exception as error:  # whatever the other library raises
        raise BadArgument(f"{name} cannot be read as an array: {error}") from None


def masked_out(value: Any) -> Optional[np.ndarray]:
    """Where elements of `value` are masked out, in its shape; None if it has no mask of numpy.ma.

    A list or tuple has one if any array in it has. Raises nothing.
    """
    if isinstance(value, np.ma.MaskedArray):
        return np.ma.getmaskarray(value)
    if not isinstance(value, (list, tuple)) or not any(masked_out(part) is not None for part in value):
        return None
    parts = [masked_out(part) for part in value]
    shapes = {np.shape(part) for part in value}
    if len(shapes) != 1:
        return None  # ragged: refused as such
    return np.stack([np.zeros(next(iter(shapes)), bool) if part is None else part for part in parts])


def _on_cpu(tensor: Any) -> np.ndarray:
    tensor = tensor.detach()
    if getattr(tensor, "is_sparse", False):
        tensor = tensor.to_dense()
    tensor = tensor.cpu()
    if "float8" in str(tensor.dtype) or "bfloat16" in str(tensor.dtype):  # types that NumPy does not have
        tensor = tensor.float()
    return np.asarray(tensor.numpy())


def numbers(value: Any, name: str, axes: Sequence[str], minus_infinity: bool = False) -> np.ndarray:
    """`value` as a contiguous float32 array with one dimension for each of `axes`, whose names messages use.

    Raises BadArgument for other shapes, empty arrays, types that are not real numbers, NaN and ±∞, and numbers
    too large for float32. With `minus_infinity`, −∞ is a number, too.
    """
    return as_float32(shaped(to_numpy(value, name), name, axes), name, minus_infinity)


def shaped(array: np.ndarray, name: str, axes: Sequence[str]) -> np.ndarray:
    """`array`, if it has as many dimensions as there are `axes` and is not empty. Raises BadArgument."""
    if array.ndim != len(axes):
        raise BadArgument(f"{name} has the shape {shape_text(array.shape)} and should be [{', '.join(axes)}]")
    if 0 in array.shape:
        raise BadArgument(f"{name} is empty: its shape is {shape_text(array.shape)}")
    return array


def as_float32(array: np.ndarray, name: str, minus_infinity: bool = False) -> np.ndarray:
    """`array` as contiguous float32; see `numbers`."""
    if array.dtype.kind not in "fiu" and array.dtype.name != "bfloat16":
        raise BadArgument(f"{name} has elements of the type {array.dtype}, which are not real numbers")
    with np.errstate(over="ignore"):
        converted = np.ascontiguousarray(array, np.float32)
    good = np.isfinite(converted)
    if minus_infinity:
        good |= np.isneginf(array)
    if not good.all():
        raise BadArgument(_bad_number(array, name, tuple(int(i) for i in np.argwhere(~good)[0])))
    return converted


def _bad_number(array: np.ndarray, name: str, place: Tuple[int, ...]) -> str:
    value = array[place]
    where = f"{name}[{', '.join(map(str, place))}] is {value}"
    return f"{where}, which is too large for float32" if np.isfinite(value) else f"{where}, not a finite number"


def not_negative(array: np.ndarray, name: str) -> np.ndarray:
    """`array`, if no number in it is below 0. Raises BadArgument."""
    if (array < 0).any():
        place = tuple(int(i) for i in np.argwhere(array < 0)[0])
        raise BadArgument(f"{name}[{', '.join(map(str, place))}] is {array[place]}: weights are not negative")
    return array


def same(name: str, axis: str, length: int, expected: int, other: str) -> None:
    """Raises BadArgument if `name` has another length along `axis` than `other`."""
    if length != expected:
        raise BadArgument(f"{name} has {length} for {axis}, and {other} has {expected}")


def per_head(value: Any, name: str, axes: Tuple[str, str, str]) -> np.ndarray:
    """`value` with an axis of heads in front: it may be missing for one head, or have a batch of one before it.

    Raises BadArgument.
    """
    array = to_numpy(value, name)
    if array.ndim == 4 and array.shape[0] == 1:
        array = array[0]
    return as_float32(shaped(array[np.newaxis] if array.ndim == 2 else array, name, axes), name)


def check_shared(name: str, few: int, other: str, many: int) -> None:
    """Raises BadArgument if heads of `name` cannot each serve as many of `other`."""
    if many % few:
        raise BadArgument(f"{name} has {few} heads, and {other} has {many}, which is no multiple of it")


def mask_of(value: Any, rows: int, columns: int, batch: int = 0) -> Optional[np.ndarray]:
    """A mask [rows, columns], or [batch, rows, columns], as it is sent: uint8 with 1 where a query may attend to a key, or float32 that is added
    to the scaled scores, with −∞ where it may not.

    `value` is a boolean array (True: may attend), an integer array of 0 and 1, a float array that is added,
    "causal", or None. Leading dimensions of length 1 are dropped. Raises BadArgument.
    """
    if value is None:
        return None
    if isinstance(value, str):
        return _named_mask(value, rows, columns)
    array = _filled_mask(value)
    while array.ndim > 2 and array.shape[0] == 1:
        array = array[0]
    if batch and array.shape == (batch, rows, columns):
        return _sent_mask(array)
    if shaped(array, "mask", ("n", "m")).shape != (rows, columns):
        raise BadArgument(f"mask has the shape {shape_text(array.shape)} and should be [{rows}, {columns}]")
    return _sent_mask(array)


def _filled_mask(value: Any) -> np.ndarray:
    """A mask as an array; pairs that numpy.ma masks out in it are not allowed."""
    hidden = masked_out(value)
    if hidden is None:
        return to_numpy(value, "mask")
    filled = np.array(np.ma.getdata(value) if isinstance(value, np.ma.MaskedArray) else
                      [np.ma.getdata(part) for part in value])
    filled[hidden] = -np.inf if filled.dtype.kind == "f" else 0
    return filled


def _sent_mask(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind in "biu":
        return _allowing_mask(array)
    return _added_mask(as_float32(array, "mask", minus_infinity=True))


def _named_mask(name: str, rows: int, columns: int) -> np.ndarray:
    if name != "causal":
        raise BadArgument(f"mask is {name!r} and should be an array or \"causal\"")
    return np.tril(np.ones((rows, columns), np.uint8))


# Readers tell the two kinds of mask apart by their numbers: those with 1 and nothing but 0 and 1 say what is allowed.


def _allowing_mask(array: np.ndarray) -> np.ndarray:
    if not np.isin(array, (0, 1)).all():
        raise BadArgument("mask has integers other than 0 and 1; a mask that is added has floats")
    return np.ascontiguousarray(array, np.uint8) if array.any() else np.full(array.shape, -np.inf, np.float32)


def _added_mask(array: np.ndarray) -> np.ndarray:
    if np.isin(array, (0, 1)).all():
        return np.where(array == 1, np.nextafter(np.float32(1), np.float32(2)), array)
    return array


def shape_text(shape: Sequence[int]) -> str:
    """A shape as messages write it: [2, 3]."""
    return f"[{', '.join(map(str, shape))}]"
