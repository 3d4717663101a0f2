"""Where the window's socket is, and whether it may be trusted."""
from __future__ import annotations

import os
import socket
import stat
import struct
import time
from typing import Mapping, Optional

from .errors import WindowUnavailable

LONGEST_PATH = 107  # bytes; a limit of Unix sockets


def socket_path(environ: Optional[Mapping[str, str]] = None) -> str:
    """The path of the socket at which the window listens: `$ATTENTION_LAB_SOCKET`, or else a file in the user's
    own runtime folder. Raises WindowUnavailable if the variable is set but empty, which switches the connection off,
    and on systems without such sockets.
    """
    environ = os.environ if environ is None else environ
    if not hasattr(os, "getuid") or not hasattr(socket, "AF_UNIX"):
        raise WindowUnavailable("the window of Attention Lab is for Linux; here its page works, in notebooks and browsers")
    given = environ.get("ATTENTION_LAB_SOCKET")
    if given:
        return given
    if given is not None:
        raise WindowUnavailable("$ATTENTION_LAB_SOCKET is empty, which switches the connection to the window off")
    runtime = environ.get("XDG_RUNTIME_DIR")
    folder = os.path.join(runtime, "attention-lab") if runtime else f"/tmp/attention-lab-{os.getuid()}"
    return os.path.join(folder, "window.socket")


def is_given(environ: Optional[Mapping[str, str]] = None) -> bool:
    """Whether `$ATTENTION_LAB_SOCKET` names the socket, as it does for one that ssh forwards."""
    return bool((os.environ if environ is None else environ).get("ATTENTION_LAB_SOCKET"))


def connect(path: str, timeout: float) -> Optional[socket.socket]:
    """A connection to whoever listens at `path`, or None if nobody does.

    Raises WindowUnavailable if the path is not safe to use, or belongs to another user.
    """
    check_path(path)
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listening = _connected(connection, path, timeout)
        if listening:
            check_peer(peer_user(connection), path)
    except BaseException:
        connection.close()
        raise
    if listening:
        return connection
    connection.close()
    return None


def _connected(connection: socket.socket, path: str, timeout: float) -> bool:
    end = time.monotonic() + timeout
    connection.settimeout(timeout)
    while True:
        try:
            connection.connect(path)
            return True
        except (FileNotFoundError, ConnectionRefusedError):
            return False
        except (BlockingIOError, TimeoutError, socket.timeout):  # others wait to be let in, too
            if time.monotonic() > end:
                raise WindowUnavailable(f"the window at {path} does not accept a connection") from None
            time.sleep(0.01)
        except OSError as error:
            raise WindowUnavailable(f"cannot connect to {path}: {error.strerror}") from None


def check_path(path: str) -> None:
    """Raises WindowUnavailable if the path is too long, or in a shared folder that another user controls."""
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise WindowUnavailable(f"the path of the socket is longer than {LONGEST_PATH} bytes: {path}")
    if not is_given():
        check_folder(os.path.dirname(path))


def check_folder(folder: str) -> None:
    """Raises WindowUnavailable if `folder` exists and is not the user's own, closed to everybody else."""
    try:
        status = os.lstat(folder)
    except OSError:
        return
    if not stat.S_ISDIR(status.st_mode):
        raise WindowUnavailable(f"{folder} is not a folder, so the window's socket cannot be there")
    if status.st_uid != os.getuid():
        raise WindowUnavailable(f"{folder} belongs to another user, so the socket in it is not used")
    if status.st_mode & 0o077:
        raise WindowUnavailable(f"{folder} is open to other users, so the socket in it is not used; "
                                f"run: chmod 700 {folder}")


def peer_user(connection: socket.socket) -> Optional[int]:
    """The id of the user who listens at the other end, or None on systems that do not say."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return None
    record = connection.getsockopt(socket.SOL_SOCKET, option, struct.calcsize("3i"))
    return int(struct.unpack("3i", record)[1])


def check_peer(user: Optional[int], path: str) -> None:
    """Raises WindowUnavailable if `user` is neither this one nor root, whom nothing is hidden from."""
    if user not in (None, 0, os.getuid()):
        raise WindowUnavailable(f"the program that listens at {path} belongs to another user")
