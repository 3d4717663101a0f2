"""A program at the other end of the window's socket, as app/connection/README.md describes it."""
import json
import os
import socket
import struct

import numpy


def socket_path():
    return os.path.join(os.environ["XDG_RUNTIME_DIR"], "attention-lab", "window.socket")


def safetensors(**tensors):
    """The arrays as a safetensors file, float32."""
    header, blobs, offset = {}, [], 0
    for name, array in tensors.items():
        blob = numpy.ascontiguousarray(array, numpy.float32).tobytes()
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [offset, offset + len(blob)]}
        offset += len(blob)
        blobs.append(blob)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + b"".join(blobs)


def tensors_of(payload):
    size, = struct.unpack_from("<Q", payload)
    header = json.loads(payload[8:8 + size])
    header.pop("__metadata__", None)
    return {name: numpy.frombuffer(payload[8 + size + entry["data_offsets"][0]:8 + size + entry["data_offsets"][1]],
                                   numpy.float32).reshape(entry["shape"]) for name, entry in header.items()}


def sample_weights(heads, n, seed=0):
    """Causal weights, [heads × n × n]."""
    scores = numpy.random.default_rng(seed).normal(0, 2, (heads, n, n))
    scores = numpy.where(numpy.tri(n, dtype=bool), scores, -numpy.inf)
    weights = numpy.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True)).astype(numpy.float32)


class Client:
    def __init__(self, path=None, patience=10):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(patience)
        self.socket.connect(path or socket_path())
        self.newest = 0
        self.hello = self.ask("hello", program="python", version="1")

    def ask(self, verb, payload=b"", **members):
        """The answer to a request; its payload is in self.payload."""
        self.newest += 1
        text = json.dumps({"id": self.newest, "do": verb, **members}).encode()
        self.socket.sendall(b"ATTL" + struct.pack("<IIQ", 1, len(text), len(payload)) + text + payload)
        return self.receive()

    def receive(self):
        _, _, text, payload = struct.unpack("<4sIIQ", self._read(20))
        message = json.loads(self._read(text))
        self.payload = self._read(payload)
        return message

    def _read(self, size):
        parts = bytearray()
        while len(parts) < size:
            part = self.socket.recv(min(size - len(parts), 1 << 20))
            if not part:
                raise EOFError("the window closed the connection")
            parts += part
        return bytes(parts)
