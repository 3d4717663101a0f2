"""What `show` returns: a name in the window, to read and to update."""
from __future__ import annotations

from typing import Any, Optional

from . import client
from .connection import TIMEOUT, Connection
from .content import Content
from .errors import BadArgument, WindowClosed, WindowUnavailable
from .forms import content_of
from .named_arrays import NamedArrays
from .tensors import read, write


class Handle:
    """Arrays that are shown in the window under a name. The window has `timeout` seconds for each answer."""

    def __init__(self, name: str, title: Optional[str] = None, timeout: float = TIMEOUT) -> None:
        self.name = name
        self.title = title
        self.timeout = timeout

    def update(self, *arrays: Any, **named: Any) -> "Handle":
        """Shows other arrays in the same place; the arguments are those of `show`.

        View, selection and zoom stay, and so do the user's edits where they still fit. Never starts a window: raises
        WindowClosed when the user has closed it, so that a training loop can go on without. Else raises what `show`
        does.
        """
        wait, timeout = named.pop("wait", False), named.pop("timeout", self.timeout)
        content = content_of(arrays, named)
        self._send(content, self._reached(timeout), bool(wait), timeout)
        return self

    def numbers(self, layer: Optional[int] = None, timeout: Optional[float] = None) -> NamedArrays:
        """The arrays as the window has them now, with what the user edited: `.edited` says if anything.

        Of weights: `weights` [heads, n, m]. Of queries, keys and values, and of a layer: all matrices and stages,
        named as in files: `Q`, `K`, `V`, `scores`, …, `weights`, `output`. Of several layers it is the one that the
        user looks at, or `layer`, from 0; of a batch the sentence that is looked at, see `.sentence`. Raises WindowClosed, NoAnswer, and Refused when the window shows this name
        no more, or does not yet have the layer.
        """
        which = {} if layer is None else {"layer": int(layer)}
        seconds = self.timeout if timeout is None else timeout
        frame = self._reached(seconds).request({"do": "numbers", "name": self.name, **which}, timeout=seconds)
        numbers = NamedArrays.from_tensors(read(frame.payload))
        numbers.tokens = frame.message.get("tokens", numbers.tokens)
        numbers.key_tokens = frame.message.get("key_tokens", numbers.key_tokens)
        numbers.edited = bool(frame.message.get("edited", False))
        numbers.sentence = frame.message.get("sentence")
        return numbers

    def wait(self, timeout: Optional[float] = None) -> bool:
        """Waits until the window is closed, at most `timeout` seconds, and returns whether it was.

        For a script that would otherwise end: the window asks Python for the layers that it has not yet shown.
        """
        try:
            return client.connected(start=False).closed.wait(timeout)
        except WindowUnavailable:
            return True

    def close(self) -> None:
        """Frees the arrays that Python keeps for the window. The window keeps what it has."""
        client.forget(self.name)

    def _reached(self, timeout: float) -> Connection:
        try:
            return client.connected(start=False, timeout=timeout)
        except WindowClosed:
            raise
        except WindowUnavailable as error:
            raise WindowClosed(f"the window that showed {self.name} was closed ({error})") from None

    def _send(self, content: Content, connection: Connection, wait: bool, timeout: float) -> None:
        before = client.kept(self.name)
        client.keep(self.name, content)  # at once, because the window may ask for layers before it answers
        try:
            title = {} if self.title is None else {"title": self.title}
            connection.request({"do": "show", "name": self.name, **title, **content.message()},
                               write(content.arrays) if content.arrays else (), timeout)
        except BaseException:
            client.forget(self.name)
            if before is not None:
                client.keep(self.name, before)
            raise
        if content.layer_of is None:
            client.forget(self.name)
        if wait and content.what != "model":  # a model is on the screen when it has been read
            connection.request({"do": "wait_shown", "name": self.name}, timeout=timeout)

    def __repr__(self) -> str:
        return f"<attention_lab.Handle {self.name!r}>"


def show_content(content: Content, name: str, title: Optional[str], start: bool, wait: bool,
                 timeout: float) -> Handle:
    """Shows checked content under `name`. Raises BadArgument for a name that is none, and what `show` does."""
    if not isinstance(name, str) or not name.strip():
        raise BadArgument(f"name is {name!r} and should be a text")
    handle = Handle(name, title, timeout)
    had_window = client.is_connected()  # if not, one that closes has failed
    try:
        handle._send(content, client.connected(start, timeout), wait, timeout)
    except WindowClosed:
        if not had_window:
            client.check_started()
            raise
        handle._send(content, client.connected(start, timeout), wait, timeout)  # that one was closing; find another
    return handle
