"""The way back from a page in a notebook to Python: a widget of the package anywidget, where that is installed."""
from __future__ import annotations

import importlib.util
import pathlib
from typing import Any, Callable, Dict, List, Optional, Sequence

from .tensors import Buffer

Message = Dict[str, Any]

_HERE = pathlib.Path(__file__).parent
_classes: List[Any] = []  # made once, when they are needed


def has_bridge() -> bool:
    """Whether edits can come back: anywidget is installed."""
    return importlib.util.find_spec("anywidget") is not None


class Bridge:
    """Messages between a page that has `key` and Python. `hear` is called with what the page says, and the bytes that
    belong to it, when no cell is executed.
    """

    def __init__(self, key: str, hear: Callable[[Message, Optional[bytes]], None]) -> None:
        self.widget = _widget_class()(key=key)
        self._hear = hear
        self.widget.on_msg(self._take)

    def send(self, message: Message, files: Sequence[Sequence[Buffer]] = ()) -> None:
        """Tells the page something, with files, each of several buffers."""
        self.widget.send(message, buffers=[b"".join(bytes(part) for part in file) for file in files])

    def _take(self, _: Any, message: Any, buffers: Sequence[Any]) -> None:
        if isinstance(message, dict):
            self._hear(message, bytes(buffers[0]) if buffers else None)


def _widget_class() -> Any:
    if not _classes:
        import anywidget
        import traitlets
        script = (_HERE / "bridge.js").read_text(encoding="utf-8")
        members = {"__module__": __name__, "_esm": script, "key": traitlets.Unicode().tag(sync=True)}
        _classes.append(type("AttentionLabBridge", (anywidget.AnyWidget,), members))
    return _classes[0]
