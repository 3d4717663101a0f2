"""A lock, so that of several processes that want a window one alone starts it."""
from __future__ import annotations

import contextlib
import os
import time
from typing import Iterator, Optional

try:
    import fcntl
except ImportError:  # Windows, where no window is started
    pass

POLL = 0.02  # seconds between attempts


@contextlib.contextmanager
def start_lock(path: str, seconds: float) -> Iterator[None]:
    """Waits, at most `seconds`, until no other process is starting a window for the socket `path`.

    Where there can be no lock file beside the socket, nothing is waited for.
    """
    file = _lock_file(path)
    try:
        if file is not None:
            _wait_for(file, seconds)
        yield
    finally:
        if file is not None:
            os.close(file)


def _lock_file(path: str) -> Optional[int]:
    try:
        os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
        return os.open(path + ".starting", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError:
        return None


def _wait_for(file: int, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(POLL)
