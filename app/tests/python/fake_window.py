"""A window without a screen: it speaks the protocol of the connection, and misbehaves on request.

    fake_window.py SOCKET [SECONDS]     listens at SOCKET after SECONDS, as the program would
    fake_window.py SOCKET hello         listens, and fails as a window without a display when asked for hello, or show
"""
import json
import os
import socket
import struct
import sys
import threading
import time

HEADER = struct.Struct("<4sIIQ")


def frame(message, payload=b"", magic=b"ATTL", version=1):
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return HEADER.pack(magic, version, len(body), len(payload)) + body + payload


def tensors(data):
    """The arrays in a safetensors file as (shape, values), read independently of the package."""
    length = struct.unpack("<Q", data[:8])[0]
    kinds = {"F32": ("f", 4), "U8": ("B", 1)}
    arrays = {}
    for name, entry in json.loads(data[8:8 + length]).items():
        first, last = (8 + length + offset for offset in entry["data_offsets"])
        kind, size = kinds[entry["dtype"]]
        arrays[name] = (entry["shape"], struct.unpack(f"<{(last - first) // size}{kind}", data[first:last]))
    return arrays


class FakeWindow:
    """Listens at `path`. `reply(message, payload)` returns the bytes to send, None to stay silent, or raises EOFError
    to close; the default answers as a window does. `seen` is the list of (message, payload).
    """

    def __init__(self, path, reply=None):
        self.path, self.reply = path, reply or self.usual
        self.seen, self.shown, self.connections = [], {}, []
        self.received = threading.Condition()
        self.answers = {}
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(path)
        self._listener.listen(8)
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        """As if the user closed the window."""
        for end in (*self.connections, self._listener):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()
        if os.path.exists(self.path):
            os.unlink(self.path)

    def usual(self, message, payload):
        """What a window answers."""
        if message["do"] == "hello":
            return frame({"id": message["id"], "ok": True, "version": "0.1.0", "protocol": 1})
        if message["do"] == "show":
            self.shown[message["name"]] = (message, payload)
        if message["do"] == "numbers":
            if message["name"] not in self.shown:
                return frame({"id": message["id"], "error": f"nothing called {message['name']} is shown"})
            shown, arrays = self.shown[message["name"]]
            return frame({"id": message["id"], "ok": True, "edited": True, "tokens": shown["tokens"]}, arrays)
        return frame({"id": message["id"], "ok": True})

    def ask(self, message, seconds=5):
        """Sends a request to the client that connected last, and returns its answer and payload."""
        self.connections[-1].sendall(frame(message))
        end = time.monotonic() + seconds
        with self.received:
            while message["id"] not in self.answers:
                if not self.received.wait(end - time.monotonic()):
                    raise AssertionError("the client does not answer")
            return self.answers.pop(message["id"])

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections.append(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            while True:
                self._take(connection, *self._read(connection))
        except (OSError, EOFError):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def _read(self, connection):
        _, _, length, more = HEADER.unpack(self._exactly(connection, HEADER.size))
        return json.loads(self._exactly(connection, length)), self._exactly(connection, more)

    @staticmethod
    def _exactly(connection, length):
        data = b""
        while len(data) < length:
            part = connection.recv(min(1 << 20, length - len(data)))
            if not part:
                raise EOFError
            data += part
        return data

    def _take(self, connection, message, payload):
        with self.received:
            if "do" not in message:
                self.answers[message["id"]] = (message, payload)
            else:
                self.seen.append((message, payload))
            self.received.notify_all()
        if "do" in message:
            answer = self.reply(message, payload)
            if answer is not None:
                connection.sendall(answer)


def fail(path, after):
    """Ends when it is asked to do `after`."""
    ended = threading.Event()

    class Failing(FakeWindow):  # from the first request, which may come before the constructor has returned

        def usual(self, message, payload):
            if message["do"] == after:
                ended.set()
                raise EOFError
            return super().usual(message, payload)

    Failing(path)
    ended.wait()
    time.sleep(0.2)
    sys.exit("attention-lab: there is no display")


def main():
    if sys.argv[2:] in (["hello"], ["show"]):
        fail(*sys.argv[1:])
    time.sleep(float(sys.argv[2]) if len(sys.argv) > 2 else 0)
    FakeWindow(sys.argv[1])
    while os.path.exists(sys.argv[1]):  # until the test has removed its folder
        time.sleep(0.1)


if __name__ == "__main__":
    main()
