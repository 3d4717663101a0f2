"""Named arrays as safetensors files, written and read by NumPy alone."""
from __future__ import annotations

import json
import struct
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Union

import numpy as np

from .errors import AttentionLabError

Buffer = Union[bytes, bytearray, memoryview]

LONGEST_HEADER = 100_000_000  # bytes, as in the safetensors library
TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1",
         "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "u1", "BOOL": "?"}
NAMES = {"<f8": "F64", "<f4": "F32", "<f2": "F16", "<i8": "I64", "<i4": "I32", "|u1": "U8", "|b1": "BOOL"}


class BadTensors(AttentionLabError, ValueError):
    """Bytes that are not a safetensors file, or a damaged one."""


class Tensors(NamedTuple):
    """Arrays by name, and the texts that belong to them."""

    arrays: Dict[str, np.ndarray]
    metadata: Dict[str, str]


def write(arrays: Mapping[str, np.ndarray], metadata: Optional[Mapping[str, str]] = None) -> List[Buffer]:
    """A safetensors file as buffers to write one after the other. Contiguous arrays are not copied."""
    header: Dict[str, Any] = {"__metadata__": dict(metadata)} if metadata else {}
    buffers: List[Buffer] = []
    offset = 0
    for name, array in arrays.items():
        plain = _little_endian(array)
        header[name] = {"dtype": NAMES[plain.dtype.str], "shape": list(plain.shape),
                        "data_offsets": [offset, offset + plain.nbytes]}
        buffers.append(plain.reshape(-1).view(np.uint8).data)
        offset += plain.nbytes
    text = json.dumps(header).encode("utf-8")
    text += b" " * (-len(text) % 8)
    return [struct.pack("<Q", len(text)) + text, *buffers]


def _little_endian(array: np.ndarray) -> np.ndarray:
    return np.asarray(array, array.dtype.newbyteorder("<"), order="C")


def read(data: Buffer) -> Tensors:
    """The arrays in a safetensors file; float16 and bfloat16 become float32. Raises BadTensors."""
    view = memoryview(data).cast("B")
    header, start = _header(view)
    try:
        metadata = {str(key): str(value) for key, value in dict(header.pop("__metadata__", {})).items()}
        arrays = {name: _array(view[start:], entry) for name, entry in header.items()}
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise BadTensors(f"the safetensors file is damaged: {error}") from None
    return Tensors(arrays, metadata)


def _header(view: memoryview) -> "tuple[Dict[str, Any], int]":
    if len(view) < 8:
        raise BadTensors("this is not a safetensors file: it is too short")
    length = struct.unpack("<Q", view[:8])[0]
    if length > min(len(view) - 8, LONGEST_HEADER):
        raise BadTensors("this is not a safetensors file, or it is cut off")
    try:
        header = json.loads(bytes(view[8:8 + length]).decode("utf-8"))
    except (ValueError, RecursionError):
        raise BadTensors("the header of the safetensors file is not JSON") from None
    if not isinstance(header, dict):
        raise BadTensors("the header of the safetensors file is not a JSON object")
    return header, 8 + length


def _array(data: memoryview, entry: Dict[str, Any]) -> np.ndarray:
    first, last = entry["data_offsets"]
    if not 0 <= first <= last <= len(data):
        raise ValueError("its data lies outside the file")
    if any(length < 0 for length in entry["shape"]):
        raise ValueError("a length in its shape is negative")
    values = np.frombuffer(data[first:last], TYPES[entry["dtype"]]).reshape(entry["shape"])
    if entry["dtype"] == "BF16":
        return (values.astype("<u4") << 16).view("<f4").astype(np.float32)
    if entry["dtype"] == "F16":
        return values.astype(np.float32)
    return values.astype(values.dtype.newbyteorder("="))  # a copy, which may be written to


def tokens_of(metadata: Mapping[str, str], key: str) -> Any:
    """The list of texts that `metadata[key]` holds as JSON, a list of these for each sentence of a batch, or None."""
    try:
        tokens = json.loads(metadata[key])
    except (KeyError, ValueError):
        return None
    return _texts(tokens) if isinstance(tokens, list) else None


def _texts(tokens: List[Any]) -> List[Any]:
    return [_texts(token) if isinstance(token, list) else str(token) for token in tokens]
