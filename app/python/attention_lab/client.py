"""The connection of this process to the window: found, or made by starting the program."""
from __future__ import annotations

import os
import socket
import threading
import time
from typing import Dict, Optional, Sequence, Tuple

from . import address
from ._version import __version__
from .connection import TIMEOUT, Connection
from .content import Content
from .errors import AttentionLabError, ProgramNotFound, WindowClosed, WindowUnavailable
from .frames import Buffer, Message
from .program import START_SECONDS, StartedWindow
from .start_lock import start_lock
from .tensors import write

POLL = 0.01  # seconds between attempts to reach a window that is starting


class _State:
    """What a process keeps of its connection."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.connection: Optional[Connection] = None
        self.path = ""
        self.window: Optional[StartedWindow] = None  # the one that was started last
        self.shown: Dict[str, Content] = {}  # by name: what layers are sent of when the window asks


_state = _State()


def _forget_in_child() -> None:
    """A forked process has a copy of the socket, but not the threads; it connects anew when it needs to."""
    global _state
    _state = _State()


if hasattr(os, "register_at_fork"):  # Windows cannot fork
    os.register_at_fork(after_in_child=_forget_in_child)


def connected(start: bool, timeout: float = TIMEOUT) -> Connection:
    """The connection to the window, which is started if there is none and `start` is set.

    Raises WindowUnavailable, ProgramNotFound, NoAnswer and ProtocolError.
    """
    state = _state
    with state.lock:
        path = address.socket_path()
        connection = state.connection
        if connection is not None and not connection.closed.is_set() and state.path == path:
            return connection
        if connection is not None:
            connection.close()
        state.connection = _greeted(path, start, timeout)
        state.path = path
        return state.connection


def is_connected() -> bool:
    """Whether a window was reached before, and is not known to have closed."""
    connection = _state.connection
    return connection is not None and not connection.closed.is_set()


def _greeted(path: str, start: bool, timeout: float) -> Connection:
    found = _greeted_if_open(path, timeout)
    if found is not None:
        return found
    if not start:
        raise WindowUnavailable(f"no window listens at {path}")
    with start_lock(path, START_SECONDS):
        # Another process may have started one meanwhile.
        return _greeted_if_open(path, timeout) or _started(path, timeout)


def _greeted_if_open(path: str, timeout: float) -> Optional[Connection]:
    """None where nobody listens, or a window is just closing."""
    found = address.connect(path, timeout)
    try:
        return None if found is None else _greet(found, timeout)
    except WindowClosed:
        return None


def _greet(reached: socket.socket, timeout: float) -> Connection:
    connection = Connection(reached, answer)
    try:
        connection.greet(__version__, timeout)
    except BaseException:
        connection.close()
        raise
    return connection


def _started(path: str, timeout: float) -> Connection:
    _state.window = window = _start(path)
    while True:
        found = _greeted_if_open(path, timeout)
        if found is not None:
            return found
        window.check()
        time.sleep(POLL)


def _start(path: str) -> StartedWindow:
    try:
        return StartedWindow()
    except ProgramNotFound as error:
        if not address.is_given():
            raise
        raise WindowUnavailable(f"no window listens at {path}: is the connection that forwards it still open? "
                                f"And none can be started here, because {error}") from None


def check_started() -> None:
    """Raises WindowUnavailable if the window that was started last has failed, with its words."""
    if _state.window is not None:
        _state.window.check_end()


def answer(message: Message) -> Tuple[Message, Sequence[Buffer]]:
    """The answer to a request of the window: the arrays of a layer. Raises AttentionLabError for any other."""
    if message.get("do") != "layer":
        raise AttentionLabError(f"Python does not know the request {message.get('do')!r}")
    name, layer = message.get("name"), message.get("layer")
    content = _state.shown.get(str(name))
    if content is None:
        raise AttentionLabError(f"{name} is no longer shown by Python, so its other layers cannot be read")
    if not isinstance(layer, int):
        raise AttentionLabError("the layer is not a number")
    return {}, write(content.layer(layer))


def keep(name: str, content: Content) -> None:
    """Remembers what is shown under `name`, for the layers that the window may ask for."""
    _state.shown[name] = content


def kept(name: str) -> Optional[Content]:
    """What is shown under `name`."""
    return _state.shown.get(name)


def forget(name: str) -> None:
    """Frees what is shown under `name`."""
    _state.shown.pop(name, None)
