"""Arrays by name, with the tokens that they are about."""
from __future__ import annotations

from typing import Dict, List, Mapping, Optional

import numpy as np

from .arrays import shape_text
from .tensors import Tensors, tokens_of


class NamedArrays(Dict[str, np.ndarray]):
    """A dictionary of NumPy arrays. The arrays are copies that may be changed.

    `tokens` names the queries (rows), `key_tokens` the keys (columns) if they are others; None where there are none.
    `metadata` are further texts by name. `edited` says whether the user changed something in the window, `sentence`
    which sentence of a batch these are, from 1; None without a batch.
    """

    def __init__(self, arrays: Mapping[str, np.ndarray], tokens: Optional[List[str]] = None,
                 key_tokens: Optional[List[str]] = None, metadata: Optional[Mapping[str, str]] = None,
                 edited: bool = False) -> None:
        super().__init__(arrays)
        self.tokens = tokens
        self.key_tokens = key_tokens
        self.metadata = dict(metadata or {})
        self.edited = edited
        self.sentence: Optional[int] = None

    @classmethod
    def from_tensors(cls, tensors: Tensors) -> "NamedArrays":
        """The arrays of a safetensors file, with the tokens in its metadata."""
        return cls(tensors.arrays, tokens_of(tensors.metadata, "tokens"), tokens_of(tensors.metadata, "kv_tokens"),
                   tensors.metadata)

    def copied(self) -> "NamedArrays":
        """The same with copies of the arrays."""
        copy = NamedArrays({name: array.copy() for name, array in self.items()}, self.tokens, self.key_tokens,
                           self.metadata, self.edited)
        copy.sentence = self.sentence
        return copy

    def __repr__(self) -> str:
        shapes = ", ".join(f"{name} {shape_text(array.shape)}" for name, array in self.items())
        return f"{type(self).__name__}({shapes})"
