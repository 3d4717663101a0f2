"""What can go wrong. Every exception of this package is an `AttentionLabError`, so one `except` catches all."""
from __future__ import annotations


class AttentionLabError(Exception):
    """Attention Lab refused something or could not do it. The text is the program's own where it has said some."""


class BadArgument(AttentionLabError, ValueError):
    """An argument has the wrong shape, type or numbers. Nothing was sent."""


class ProgramNotFound(AttentionLabError):
    """The program `attention-lab` is not installed where this package looks for it."""


class PageNotFound(AttentionLabError):
    """The page that computes is not part of this installation; the text says how to get it."""


class ProgramFailed(AttentionLabError):
    """A command of the program failed; the text is what it wrote to standard error.

    `exit_code` is 2 for wrong usage, 5 for bad input, 6 if reading or writing failed, and 1 for the rest.
    """

    def __init__(self, message: str, exit_code: int = 1) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class WindowUnavailable(AttentionLabError, ConnectionError):
    """No window can be reached, and none could be started."""


class WindowClosed(WindowUnavailable):
    """The window was closed, or the connection to it ended."""


class NoAnswer(AttentionLabError, TimeoutError):
    """The window did not answer in time."""


class Refused(AttentionLabError):
    """The window refused a request; the text is its reason."""


class ProtocolError(AttentionLabError, ConnectionError):
    """What arrived on the socket is not what a window of Attention Lab sends. The connection is closed."""
