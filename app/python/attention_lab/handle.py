"""What `show` returns: a name in the window, to read and to update."""
from __future__ import annotations

from typing import Any, Dict, Optional, Union

from . import address, cells, client
from .connection import TIMEOUT, Connection
from .content import Content
from .errors import AttentionLabError, BadArgument, ProgramNotFound, WindowClosed, WindowUnavailable
from .forms import content_of
from .live_page import LivePage
from .named_arrays import NamedArrays
from .page_file import has_page
from .page_source import source_of_content
from .tensors import read, write
from .weights import weights_content


class Handle:
    """Arrays that are shown in the window under a name. The window has `timeout` seconds for each answer."""

    def __init__(self, name: str, title: Optional[str] = None, timeout: float = TIMEOUT) -> None:
        self.name = name
        self.title = title
        self.timeout = timeout
        self._content: Optional[Content] = None  # what was shown last

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
        self._content = content
        if content.layer_of is None:
            client.forget(self.name)
        if wait and content.what != "model":  # a model is on the screen when it has been read
            connection.request({"do": "wait_shown", "name": self.name}, timeout=timeout)

    def _repr_html_(self) -> Optional[str]:
        """In a notebook: the page that computes, with these arrays. Edits that were made of weights in the window are in
        it, those of other arrays are not. None, so that the text is shown, for a model and where there is no page.
        """
        content = self._content
        if content is None or content.what == "model" or not has_page():
            return None
        try:
            edited = self.numbers() if content.what == "weights" and content.layers == 1 else None
        except AttentionLabError:
            edited = None
        if edited is not None:
            content = weights_content(edited["weights"], tokens=edited.tokens, key_tokens=edited.key_tokens)
        return LivePage(source_of_content(content, self.title or self.name))._repr_html_()

    def __repr__(self) -> str:
        return f"<attention_lab.Handle {self.name!r}>"


Shown = Union[Handle, LivePage]

_pages: Dict[str, LivePage] = {}  # by name: those that are shown in place of a window


def show_content(content: Content, name: str, title: Optional[str], start: bool, wait: bool,
                 timeout: float) -> Shown:
    """Shows checked content under `name`, in a notebook without a window in a page. Raises BadArgument for a name that is
    none, and what `show` does.
    """
    if not isinstance(name, str) or not name.strip():
        raise BadArgument(f"name is {name!r} and should be a text")
    if content.what == "model" or not _may_be_page(start):
        return _in_window(content, name, title, start, wait, timeout)
    try:
        return _in_window(content, name, title, start, wait, timeout)
    except (WindowUnavailable, ProgramNotFound):
        return _in_page(content, name, title)


def is_window_at_hand(start: bool, timeout: float) -> bool:
    """Whether a window is there or could be started, which then is. True where no page could take its place, so that what
    is shown there fails with the reason.
    """
    if not _may_be_page(start):
        return True
    try:
        client.connected(start, timeout)
    except (WindowUnavailable, ProgramNotFound):
        return False
    return True


def _may_be_page(start: bool) -> bool:
    """Whether a page of a notebook may take the place of a window that is not there; not of one that the caller wants."""
    return start and not address.is_given() and cells.notebook() is not None and has_page()


def _in_page(content: Content, name: str, title: Optional[str]) -> LivePage:
    source = source_of_content(content, title or name)
    page = _pages.get(name)
    if page is not None and page.is_shown_here:  # as in a training loop
        page._replace(source)
        return page
    if page is not None:
        page.close()
    page = _pages[name] = LivePage(source, name=name)
    page.show()
    return page


def _in_window(content: Content, name: str, title: Optional[str], start: bool, wait: bool, timeout: float) -> Handle:
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
