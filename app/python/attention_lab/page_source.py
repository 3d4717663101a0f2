"""What a page in a notebook shows, as the page reads it: content that was checked, a session, or an example."""
from __future__ import annotations

import os
import pathlib
from dataclasses import dataclass, field
from typing import Callable, Dict, Iterable, List, Optional, Union

from .content import Content
from .content_files import content_buffers
from .errors import BadArgument
from .page_file import page_file
from .tensors import Buffer

CARRIED = 1 << 20  # bytes of arrays that a page carries unless the caller asks for more

Carry = Union[str, int, Iterable[int], None]


@dataclass(frozen=True)
class PageSource:
    """`what` is that of Content, or "session" or "example". `file_of(layer, rounded)` makes the file of a layer, in
    buffers; `size` is that of a layer's arrays in bytes.
    """

    what: str
    title: str
    layers: int = 1
    size: int = 0
    is_costly: bool = False  # layers are made or copied when they are asked for
    file_of: Callable[[int, bool], List[Buffer]] = field(default=lambda layer, rounded: [])

    def carried(self, layer: int, carry: Carry, compact: Optional[bool]) -> Dict[int, bool]:
        """The layers that a page has with it, and whether they are rounded to float16. Raises BadArgument.

        Without `carry` they are all, if they are at hand and few enough, in float16 if that alone makes them so; else
        `layer` alone. `compact` decides about float16.
        """
        if not 0 <= layer < self.layers:
            raise BadArgument(f"there is no layer {layer}: there are {self.layers}, counted from 0")
        can_round = self.what == "weights"
        if compact and not can_round:
            raise BadArgument("compact is for weights: other arrays are not rounded")
        wanted = self._asked(layer, carry)
        if wanted is None:
            everything = self.layers * self.size
            rounds = bool(compact) or (compact is None and can_round and everything > CARRIED)
            fits = everything // (2 if rounds else 1) <= CARRIED and not self.is_costly
            return {k: rounds for k in range(self.layers)} if fits else {layer: bool(compact)}
        rounds = compact if compact is not None else can_round and len(wanted) * self.size > CARRIED
        return {k: bool(rounds) for k in wanted}

    def _asked(self, layer: int, carry: Carry) -> Optional[List[int]]:
        if carry is None:
            return None
        if isinstance(carry, str) and carry != "all":
            raise BadArgument(f"carry is {carry!r} and should be \"all\" or numbers of layers")
        if isinstance(carry, str):
            return list(range(self.layers))
        asked = [carry] if isinstance(carry, int) else list(carry)
        for k in asked:
            if not isinstance(k, int) or not 0 <= k < self.layers:
                raise BadArgument(f"carry has {k!r}: there are layers 0 to {self.layers - 1}")
        return sorted({layer, *asked})


def source_of_content(content: Content, title: str) -> PageSource:
    """A page of checked arrays."""
    if content.what == "model":
        raise BadArgument("a page in a notebook shows the attention of a model, not the model itself: "
                          "use page(model, tokenizer, text), or show_model(…, here=True)")
    size = sum(array.nbytes for array in content.layer(0).values()) if content.layer_of else 0
    if not size:
        size = sum(array.nbytes for array in content.arrays.values()) // content.layers
    return PageSource(content.what, title, content.layers, size, content.is_costly,
                      lambda layer, rounded: content_buffers(content, layer, rounded))


def source_of_name(name: "str | os.PathLike[str]", title: str) -> Optional[PageSource]:
    """A page of a session file or of an example of that name; None for other files, which the page does not read.

    Raises BadArgument if there is neither, and PageNotFound.
    """
    path = pathlib.Path(name)
    if path.is_file():
        data = path.read_bytes()
        if not data.lstrip()[:1] == b"{":
            return None
        plain = path.name[:-len(".json")] if path.name.endswith(".json") else path.name
        plain = plain[:-len(".attn")] if plain.endswith(".attn") else plain
        return PageSource("session", title or plain, file_of=lambda layer, rounded: [data])
    if os.fspath(name) not in page_file().examples:
        raise BadArgument(f"there is no file or example {os.fspath(name)!r}; the examples are "
                          f"{', '.join(page_file().examples)}")
    return PageSource("example", os.fspath(name))
