"""The page that computes, in a notebook: what it shows is inside, and what is edited in it comes back."""
from __future__ import annotations

import html
import json
import os
import pathlib
import secrets
from typing import Any, Dict, List, Optional

from . import cells
from .bridge import Bridge, Message, has_bridge
from .errors import AttentionLabError, NoAnswer
from .forms import content_of
from .named_arrays import NamedArrays
from .page_file import pack, page_file
from .page_source import Carry, PageSource, source_of_content
from .tensors import read

PAGE_HEIGHT = 640  # pixels of a page in a notebook

_HERE = pathlib.Path(__file__).parent
NO_BRIDGE = "edits made in the page stay there: for Python to see them, pip install anywidget and show the page again"
_SANDBOX = "allow-scripts allow-downloads allow-popups allow-modals"


class LivePage:
    """A page in which the program computes: every stage, to edit. The last expression of a notebook's cell shows it.

    `numbers()` are those in the page, with what was edited there, if the package anywidget is installed. `save` writes
    a file that any browser opens. `name` is what `show` was given.
    """

    def __init__(self, source: PageSource, height: int = PAGE_HEIGHT, layer: int = 0, carry: Carry = None,
                 compact: Optional[bool] = None, name: str = "Python", **wishes: Any) -> None:
        self.name = name
        self.height = height
        self.key = secrets.token_hex(16)
        self._source = source
        self._layer = layer
        self._carried = source.carried(layer, carry, compact)
        self._wishes = wishes  # head, from 0, theme and language
        self._bridge: Optional[Bridge] = None
        self._numbers: Dict[int, NamedArrays] = {}  # by layer, as the page told them
        self._shown_in: Any = None  # the cell's execution that showed it last
        self._place = self.key  # the name of its output
        self._carries = False  # the code of the page is in that output
        page_file()

    @property
    def html(self) -> str:
        """The page with its numbers, a document of its own."""
        return page_file().with_data(self._elements())

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes the page, with its numbers as Python gave them, as a file that any browser opens. Raises OSError."""
        pathlib.Path(path).write_text(self.html, encoding="utf-8")

    def numbers(self, layer: Optional[int] = None, timeout: Optional[float] = None) -> NamedArrays:
        """The arrays as the page has them, with what was edited in it: `.edited` says if anything.

        Of weights: `weights` [heads, n, m]. Else all stages and matrices, named as in files: `Q`, …, `weights`,
        `output`, `W_Q`, …. Of several layers it is the one that was looked at last, or `layer`, from 0. The page tells
        its numbers while no cell is executed: ask in another cell than the one that shows it. Raises NoAnswer where
        nothing has arrived, with the reason. `timeout` is there as for a window; nothing is waited for.
        """
        found = self._numbers.get(self._looked_at if layer is None else layer)
        if found is not None:
            return found.copied()
        if not has_bridge():
            raise NoAnswer(NO_BRIDGE)
        if self._bridge is None:
            raise NoAnswer("the page has not been shown in a notebook, so it has told no numbers")
        if layer is not None and self._numbers:
            raise NoAnswer(f"layer {layer} has not been looked at in the page, so it is as Python gave it")
        raise NoAnswer("no numbers have arrived from the page: it tells them while no cell is executed, so ask in "
                       "another cell than the one that shows it, once it is there")

    @property
    def _looked_at(self) -> int:
        return next(reversed(self._numbers), self._layer)

    def update(self, *arrays: Any, **named: Any) -> "LivePage":
        """Shows other arrays in the same place; the arguments are those of `show`.

        Edits are replaced. With the package anywidget the head and the cell that are looked at stay, else the page begins
        anew. Raises BadArgument.
        """
        for name in ("wait", "timeout"):
            named.pop(name, None)
        self._replace(source_of_content(content_of(arrays, named), self._source.title))
        return self

    def _replace(self, source: PageSource) -> None:
        layer = self._looked_at if self._looked_at < source.layers else 0
        first = source.file_of(layer, False)
        self._source, self._layer, self._carried = source, layer, source.carried(layer, None, None)
        self._numbers.clear()
        if self._bridge is not None:
            self._bridge.send({"do": "update", "data": self._data(layers={}), "layers": [layer]}, [first])
        elif self._shown_in is not None:
            self.key = secrets.token_hex(16)  # what was edited in the one before does not come back
            self._display(again=True)

    def wait(self, timeout: Optional[float] = None) -> bool:
        """A page in a notebook is not waited for: False."""
        return False

    def close(self) -> None:
        """Ends what connects the page with Python; what it shows stays."""
        if self._bridge is not None:
            self._bridge.widget.close()
            self._bridge = None

    def show(self) -> None:
        """Shows the page below the cell that is executed, which its being the last expression does as well."""
        if has_bridge() and self._bridge is None:
            self._bridge = Bridge(self.key, self._hear)
        self._shown_in = cells.cell()
        self._carries = cells.shared.must_carry(page_file().digest)
        self._display()
        cells.display_object(self._bridge.widget if self._bridge is not None else None)

    def _display(self, again: bool = False) -> None:
        cells.display({"text/html": self._output(), "text/plain": repr(self)}, self._place, again)

    @property
    def is_shown_here(self) -> bool:
        """Whether the cell that is executed has already shown it."""
        return self._shown_in is not None and self._shown_in == cells.cell()

    def _ipython_display_(self) -> None:
        if not self.is_shown_here:
            self.show()

    def _repr_html_(self) -> str:
        """For whatever shows HTML without IPython: the whole page, from which nothing comes back."""
        return _frame(self.key, self.height, f' srcdoc="{html.escape(self.html)}"')

    def __repr__(self) -> str:
        return f"<attention_lab.LivePage {self._source.title or self._source.what!r}>"

    def _output(self) -> str:
        """The output of a cell: the frame, what fills it, and the page itself where another output does not have it."""
        page = page_file()
        script = (_HERE / "frame.js").read_text(encoding="utf-8")
        script = script.replace("'KEY'", repr(self.key), 1).replace("'DIGEST'", repr(page.digest), 1)
        carried = f"<div hidden data-page>{page.packed}</div>" if self._carries else ""
        lacks = ("The code of this page is in the output of another cell of this notebook, which is not here: "
                 "run that cell, or run this one again.")
        return (f'<div data-attention-lab="{self.key}">{_frame(self.key, self.height)}'
                f"<p hidden data-lacks>{lacks}</p>{carried}"
                f"<div hidden data-own>{pack(self._elements().encode())}</div></div><script>{script}</script>")

    def _data(self, layers: Dict[int, bool]) -> Dict[str, Any]:
        carried = {str(k): {"id": f"notebook-layer-{k}", "rounded": rounded} for k, rounded in layers.items()}
        return {"key": self.key, "what": self._source.what, "title": self._source.title, "layers": self._source.layers,
                "layer": self._layer, "carried": carried, "lacks": self._lacks(), **self._wishes}

    def _lacks(self) -> str:
        if has_bridge():
            return "Python has not answered: it sends further layers, and sees edits, while its kernel runs"
        if len(self._carried) == self._source.layers:
            return NO_BRIDGE
        return (f"this layer is not in the page: say carry=… when you show it, or pip install anywidget; {NO_BRIDGE}")

    def _elements(self) -> str:
        layers = self._carried if self._source.what != "example" else {}
        data = json.dumps(self._data(layers)).replace("<", "\\u003c")
        elements = [f'<script type="application/json" id="notebook-data">{data}</script>\n']
        for k, rounded in layers.items():
            file = b"".join(bytes(part) for part in self._source.file_of(k, rounded))
            elements.append(f'<script type="text/plain" id="notebook-layer-{k}">{pack(file)}</script>\n')
        return "".join(elements)

    def _hear(self, message: Message, file: Optional[bytes]) -> None:
        layer = message.get("layer")
        if not isinstance(layer, int) or self._bridge is None:
            return
        if message.get("do") == "layer":
            self._send_layer(layer)
        elif message.get("do") == "numbers" and file is not None:
            self._take_numbers(layer, message, file)

    def _send_layer(self, layer: int) -> None:
        assert self._bridge is not None
        try:
            file: List[Any] = self._source.file_of(layer, False)
        except Exception as error:  # of the caller's function, too: the page says it
            self._bridge.send({"do": "layer", "layer": layer, "error": str(error) or type(error).__name__})
            return
        self._bridge.send({"do": "layer", "layer": layer}, [file])

    def _take_numbers(self, layer: int, message: Message, file: bytes) -> None:
        try:
            numbers = NamedArrays.from_tensors(read(file))
        except AttentionLabError:
            return
        numbers.tokens = message.get("tokens", numbers.tokens)
        keys = message.get("key_tokens")
        numbers.key_tokens = keys if keys != numbers.tokens else None
        numbers.edited = bool(message.get("edited", False))
        numbers.sentence = message.get("sentence")
        self._numbers.pop(layer, None)
        self._numbers[layer] = numbers  # the last one is the one that is looked at


def _frame(key: str, height: int, more: str = "") -> str:
    # A document of its own, so that neither its styles nor its scripts reach the notebook.
    return (f'<iframe data-attention-lab-frame="{key}" title="Attention Lab" sandbox="{_SANDBOX}"{more} '
            f'style="display:block;width:100%;height:{int(height)}px;border:0"></iframe>')
