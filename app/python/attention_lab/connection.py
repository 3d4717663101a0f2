"""A connection to a window: requests and their answers, in both directions."""
from __future__ import annotations

import itertools
import queue
import socket
import threading
from typing import Callable, Dict, Optional, Sequence, Tuple

from .errors import AttentionLabError, NoAnswer, ProtocolError, Refused, WindowClosed
from .frames import VERSION, Buffer, Frame, Message, encode
from .stream import Stream

TIMEOUT = 2.0  # seconds in which the window answers
SPEED = 50e6  # bytes per second; the window has more time for many

# Returns the answer to a request of the window, and its payload. What it raises is sent as an error.
Answering = Callable[[Message], Tuple[Message, Sequence[Buffer]]]


class _Pending:
    """A request that has not been answered."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.frame: Optional[Frame] = None
        self.error: Optional[AttentionLabError] = None


class Connection:
    """Sends requests from any thread. Requests of the window are answered by a separate thread, one at a time."""

    def __init__(self, connected: socket.socket, answering: Answering) -> None:
        self._stream = Stream(connected)
        self._answering = answering
        self._sending = threading.Lock()
        self._state = threading.Lock()  # guards the next two
        self._pending: Dict[int, _Pending] = {}
        self._error: Optional[AttentionLabError] = None
        self._ids = itertools.count(1)
        self._asked: "queue.SimpleQueue[Optional[Message]]" = queue.SimpleQueue()
        self.closed = threading.Event()
        for work in (self._receive_all, self._answer_all):
            threading.Thread(target=work, name="attention_lab", daemon=True).start()

    def greet(self, version: str, timeout: float = TIMEOUT) -> Message:
        """Says who asks, and returns what the window says of itself. Raises ProtocolError for another protocol."""
        answer = self.request({"do": "hello", "program": "python", "version": version}, timeout=timeout).message
        if answer.get("protocol") != VERSION:
            raise ProtocolError(f"the window speaks version {answer.get('protocol')!r} of the connection, and this "
                                f"package version {VERSION}")
        return answer

    def request(self, message: Message, payload: Sequence[Buffer] = (), timeout: float = TIMEOUT) -> Frame:
        """The answer to a request. `timeout` in seconds begins when all is sent, and grows with the payload.

        Raises Refused with the window's reason, NoAnswer, WindowClosed and ProtocolError.
        """
        number = next(self._ids)
        buffers = encode({"id": number, **message}, payload)
        pending = self._begin(number)
        try:
            self._send_whole(buffers, pending)
            seconds = timeout + sum(memoryview(part).nbytes for part in payload) / SPEED
            if not pending.done.wait(seconds):
                raise NoAnswer(f"the window did not answer within {seconds:.3g} s")
        finally:
            with self._state:
                self._pending.pop(number, None)
        return self._result(pending)

    def _send_whole(self, buffers: Sequence[Buffer], pending: _Pending) -> None:
        try:
            self._send(buffers)
        except WindowClosed as error:
            pending.done.wait(TIMEOUT)  # for the reason, if the window gives one
            self.close()
            raise pending.error or error

    def _begin(self, number: int) -> _Pending:
        pending = _Pending()
        with self._state:
            if self._error is not None:
                raise WindowClosed(str(self._error))
            self._pending[number] = pending
        return pending

    @staticmethod
    def _result(pending: _Pending) -> Frame:
        if pending.error is not None:
            raise pending.error
        assert pending.frame is not None
        error = pending.frame.message.get("error")
        if error is not None:
            raise Refused(str(error))
        return pending.frame

    def _send(self, buffers: Sequence[Buffer]) -> None:
        with self._sending:
            try:
                self._stream.send(buffers)
            except WindowClosed:  # what it has said before may still arrive
                raise
            except BaseException:  # also Ctrl+C: what follows half a frame would not be understood
                self.close()
                raise

    def close(self) -> None:
        """Ends the connection."""
        self.closed.set()
        self._stream.shut()

    def _receive_all(self) -> None:
        error: AttentionLabError
        try:
            while True:
                self._take(self._stream.receive_frame())
        except AttentionLabError as caught:
            error = caught
        except Exception as caught:  # no memory, for example
            error = ProtocolError(f"cannot read what the window sent: {caught}")
        self._end(error)

    def _take(self, frame: Frame) -> None:
        if "do" in frame.message:
            self._asked.put(frame.message)
            return
        number = frame.message.get("id")
        if number is None and "error" in frame.message:  # why the window closes the connection
            raise WindowClosed(str(frame.message["error"]))
        with self._state:
            pending = self._pending.get(number) if isinstance(number, int) else None
        if pending is not None:
            pending.frame = frame
            pending.done.set()

    def _end(self, error: AttentionLabError) -> None:
        self._stream.shut()
        with self._state:
            self._error = error
            waiting = list(self._pending.values())
            self.closed.set()
        for pending in waiting:
            if pending.frame is None:
                pending.error = error
            pending.done.set()
        self._asked.put(None)

    def _answer_all(self) -> None:
        while True:
            message = self._asked.get()
            if message is None:
                break
            try:
                self._send(self._answer(message))
            except AttentionLabError:  # the connection ends, which requests report
                pass
        self._stream.close()

    def _answer(self, message: Message) -> Sequence[Buffer]:
        number = message.get("id")
        try:
            answer, payload = self._answering(message)
            return encode({"id": number, "ok": True, **answer}, payload)
        except Exception as error:
            return encode({"id": number, "error": str(error) or type(error).__name__})
