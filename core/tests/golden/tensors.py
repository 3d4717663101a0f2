"""Safetensors files of float32 numbers."""
import json

import numpy as np

KINDS = {"F32": np.float32, "U8": np.uint8}


def load(path):
    """The tensors by name, and the metadata."""
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        numbers = np.frombuffer(data[begin:end], KINDS[entry["dtype"]]).reshape(entry["shape"])
        tensors[name] = numbers.astype(np.float32)
    return tensors, metadata


def save(path, tensors, metadata):
    """All F32: the header's length and the header as JSON, then the numbers."""
    header, end = {"__metadata__": metadata}, 0
    for name, values in tensors.items():
        header[name] = {"dtype": "F32", "shape": values.shape,
                        "data_offsets": [end, end + values.nbytes]}
        end += values.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    numbers = b"".join(values.astype("<f4").tobytes() for values in tensors.values())
    path.write_bytes(len(text).to_bytes(8, "little") + text + numbers)
