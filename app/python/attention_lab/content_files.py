"""Content as a file that the program opens: ready attention, or a problem."""
from __future__ import annotations

import json
from typing import Any, Dict, List, Optional

import numpy as np

from .content import Arrays, Content
from .tensors import Buffer, write

PROBLEM_NAMES = {"x": "X", "x_kv": "X_kv", "w_q": "W_Q", "w_k": "W_K", "w_v": "W_V", "w_o": "W_O", "b_q": "b_Q",
                 "b_k": "b_K", "b_v": "b_V", "b_o": "b_O"}


def write_content(content: Content, layer: int, path: str) -> None:
    """Writes a layer of `content` as a safetensors file. Raises BadArgument if there is no such layer, and OSError."""
    with open(path, "wb") as file:
        for buffer in content_buffers(content, layer):
            file.write(buffer)


def content_buffers(content: Content, layer: int, rounded: bool = False) -> List[Buffer]:
    """The bytes of that file, one buffer after the other. `rounded` makes weights float16. Raises BadArgument."""
    arrays = dict(content.layer(layer))
    if content.what == "qkv":
        arrays = _qkv_problem(arrays, content.key_tokens is not None)
    elif content.what == "layer":
        arrays = {**{PROBLEM_NAMES[name]: array for name, array in arrays.items() if name != "mask"},
                  **_mask_arrays(arrays.get("mask"))}
    if rounded:
        arrays = {name: array.astype(np.float16) if name == "weights" else array for name, array in arrays.items()}
    return write(arrays, _metadata(content))


def _metadata(content: Content) -> Dict[str, str]:
    named: Dict[str, Optional[List[str]]] = {"tokens": content.tokens, "kv_tokens": content.key_tokens}
    return {name: json.dumps(tokens) for name, tokens in named.items() if tokens is not None}


def _qkv_problem(arrays: Arrays, own_keys: bool) -> Arrays:
    """The simplest problem with these queries, keys and values: row i of X has a single 1, in column i, so that the
    projections are the vectors themselves. The output is the mean of the heads, as in the window.
    """
    q, k, v = arrays["q"], arrays["k"], arrays["v"]
    n, m = q.shape[1], k.shape[1]
    width, heads = max(n, m), q.shape[0]
    problem = {"X": np.eye(n, width, dtype=np.float32), "W_Q": _tall(q, width), "W_K": _tall(k, width),
               "W_V": _tall(v, width), "W_O": np.tile(np.eye(v.shape[2], dtype=np.float32) / heads, (heads, 1))}
    if n != m or own_keys:
        problem["X_kv"] = np.eye(m, width, dtype=np.float32)
    return {**problem, **_mask_arrays(arrays.get("mask"))}


def _tall(vectors: np.ndarray, rows: int) -> np.ndarray:
    return np.pad(vectors, ((0, 0), (0, rows - vectors.shape[1]), (0, 0)))


def _mask_arrays(mask: Optional[np.ndarray]) -> Dict[str, Any]:
    if mask is None:
        return {}
    if mask.dtype == np.uint8:
        return {"mask": mask}
    return {"mask": np.isfinite(mask).astype(np.uint8), "bias": np.where(np.isfinite(mask), mask, 0)}
