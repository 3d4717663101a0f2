"""What is shown, checked: arrays with their tokens, and the layers that are still to be asked for."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Optional, Tuple

import numpy as np

from .errors import BadArgument
from .tokens import Texts

Arrays = Dict[str, np.ndarray]


@dataclass(frozen=True)
class Content:
    """Checked arrays in the form in which the window gets them.

    `arrays` are those of layer 0, or of all layers in one array if `layer_of` is None. `layer_of(k)` returns those
    of layer k and raises BadArgument if they do not fit. `size` is [heads, queries, keys]. `at_hand`: calling it only
    copies numbers that are there.
    """

    what: str
    arrays: Arrays
    size: Tuple[int, int, int]
    layers: int = 1
    layer_of: Optional[Callable[[int], Arrays]] = None
    tokens: Texts = None
    key_tokens: Texts = None
    extra: Dict[str, Any] = field(default_factory=dict)
    at_hand: bool = False

    @property
    def is_costly(self) -> bool:
        """Whether layers are to be computed only when they are looked at."""
        return self.layer_of is not None and not self.at_hand

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
