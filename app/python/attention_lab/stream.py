"""Sending and receiving on a socket, where neither takes longer than a given time without progress."""
from __future__ import annotations

import select
import socket
from typing import Iterable, Optional

from .errors import NoAnswer, WindowClosed
from .frames import Buffer, Frame, read_frame

STALL = 2.0  # seconds without progress after which a connection is given up


class Stream:
    """The bytes of a connection. One thread may send while another receives."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        self._socket = connection

    def send(self, buffers: Iterable[Buffer]) -> None:
        """Sends all bytes. Raises WindowClosed, or NoAnswer if the other side takes none for STALL seconds."""
        for buffer in buffers:
            rest = memoryview(buffer)
            while rest:
                rest = rest[self._send_some(rest):]

    def _send_some(self, rest: memoryview) -> int:
        try:
            return self._socket.send(rest)
        except BlockingIOError:
            self._wait(select.POLLOUT, STALL, "the window takes no more data")
            return 0
        except OSError:
            raise WindowClosed("the window was closed") from None

    def receive_frame(self) -> Frame:
        """Waits for the next frame and returns it. Raises WindowClosed, NoAnswer if the frame stops half-way, and
        ProtocolError if it is none.
        """
        self._wait(select.POLLIN, None, "")
        return read_frame(self._receive)

    def _receive(self, length: int) -> Buffer:
        data = bytearray(length)
        rest = memoryview(data)
        while rest:
            rest = rest[self._receive_some(rest):]
        return data

    def _receive_some(self, rest: memoryview) -> int:
        try:
            count = self._socket.recv_into(rest)
        except BlockingIOError:
            self._wait(select.POLLIN, STALL, "the window stopped in the middle of a message")
            return 0
        except OSError:
            count = 0
        if count == 0:
            raise WindowClosed("the window was closed")
        return count

    def _wait(self, event: int, seconds: Optional[float], message: str) -> None:
        poll = select.poll()
        try:
            poll.register(self._socket, event)
        except (ValueError, OSError):
            raise WindowClosed("the window was closed") from None
        if not poll.poll(None if seconds is None else seconds * 1000):
            raise NoAnswer(f"{message} for {seconds:g} s")

    def shut(self) -> None:
        """Ends the connection; whoever waits for it gets WindowClosed."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def close(self) -> None:
        """Frees the socket. To be called when no thread uses it any more."""
        self._socket.close()
