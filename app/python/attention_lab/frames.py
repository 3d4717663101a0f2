"""Frames, the units of the connection between the window and other programs.

A frame is a header of 20 bytes (`ATTL`, version, length of the JSON, length of the payload; little endian), a JSON
object in UTF-8, and a payload: a safetensors file, or nothing.
"""
from __future__ import annotations

import json
import struct
from typing import Any, Callable, Dict, List, NamedTuple, Sequence, Tuple, Union

from .errors import BadArgument, ProtocolError

Buffer = Union[bytes, bytearray, memoryview]
Message = Dict[str, Any]

VERSION = 1
LONGEST_JSON = 1 << 20  # bytes
LONGEST_PAYLOAD = 1 << 31  # bytes
HEADER = struct.Struct("<4sIIQ")
MAGIC = b"ATTL"


class Frame(NamedTuple):
    """One message and what comes with it."""

    message: Message
    payload: Buffer


def encode(message: Message, payload: Sequence[Buffer] = ()) -> List[Buffer]:
    """The frame as buffers to send one after the other.

    Raises BadArgument if the message or the payload is too long, or a text in it is not Unicode.
    """
    body = _json_bytes(message)
    length = sum(memoryview(part).nbytes for part in payload)
    if len(body) > LONGEST_JSON:
        raise BadArgument(f"tokens and other texts take {len(body)} bytes, more than the {LONGEST_JSON} of a message")
    if length > LONGEST_PAYLOAD:
        raise BadArgument(f"the arrays take {length / 2**30:.1f} GiB, more than the 2 GiB of a message; "
                          "layers can be sent when they are looked at: lazy=True")
    return [HEADER.pack(MAGIC, VERSION, len(body), length), body, *payload]


def _json_bytes(message: Message) -> bytes:
    try:
        return json.dumps(message, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except UnicodeEncodeError:
        raise BadArgument("a text is not valid Unicode: half of a surrogate pair") from None


def lengths(header: bytes) -> Tuple[int, int]:
    """The lengths of the JSON and of the payload in bytes. Raises ProtocolError for any other header."""
    magic, version, json_length, payload_length = HEADER.unpack(header)
    if magic != MAGIC:
        raise ProtocolError("what listens at the socket is not a window of Attention Lab")
    if version != VERSION:
        raise ProtocolError(f"the window speaks version {version} of the connection, and this package version "
                            f"{VERSION}: install the package and the program of the same release")
    if json_length > LONGEST_JSON or payload_length > LONGEST_PAYLOAD:
        raise ProtocolError("the window sent a message that is too long")
    return json_length, payload_length


def decode_json(body: Buffer) -> Message:
    """The JSON object of a frame. Raises ProtocolError if it is not one."""
    try:
        message = json.loads(bytes(body).decode("utf-8"))
    except (ValueError, RecursionError):
        raise ProtocolError("the window sent a message that is not JSON") from None
    if not isinstance(message, dict):
        raise ProtocolError("the window sent a message that is not a JSON object")
    return message


def read_frame(read: Callable[[int], Buffer]) -> Frame:
    """The next frame, where `read(n)` returns the next n bytes. Raises what `read` does, and ProtocolError."""
    json_length, payload_length = lengths(bytes(read(HEADER.size)))
    message = decode_json(read(json_length))
    return Frame(message, read(payload_length) if payload_length else b"")
