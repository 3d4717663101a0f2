"""Safetensors files, written and read by the Python package."""
import json
import struct
import unittest

from support import PackageTest, numbers

import numpy as np
from attention_lab.named_arrays import NamedArrays
from attention_lab.tensors import BadTensors, read, write


def file_of(header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def entry(dtype="F32", shape=(1,), offsets=(0, 4)):
    return {"a": {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}}


class Tensors(PackageTest):

    def test_come_back_as_they_were(self):
        arrays = {"a": numbers(2, 3), "mask": np.array([[1, 0]], np.uint8), "b·é": numbers(4).astype(np.float64),
                  "none": np.zeros((0, 3), np.float32), "one": np.float32(7).reshape(()), "whole": np.arange(3)}
        data = b"".join(write(arrays, {"tokens": '["a", "é"]'}))
        self.assertEqual(struct.unpack("<Q", data[:8])[0] % 8, 0, "data is aligned")
        back = read(data)
        self.assertEqual(list(back.arrays), list(arrays))
        for name, array in arrays.items():
            np.testing.assert_array_equal(back.arrays[name], array)
            self.assertEqual((back.arrays[name].dtype, back.arrays[name].shape), (array.dtype, array.shape))
        self.assertEqual(NamedArrays.from_tensors(back).tokens, ["a", "é"])

    def test_may_be_written_to(self):
        array = read(b"".join(write({"a": numbers(2)}))).arrays["a"]
        array[0] = 1
        self.assertEqual(array[0], 1)

    def test_half_precision_becomes_float32(self):
        for dtype, half in (("F16", np.array([1.5, -2, np.inf], "<f2").tobytes()),
                            ("BF16", struct.pack("<3H", 0x3FC0, 0xC000, 0x7F80))):
            array = read(file_of(entry(dtype, (3,), (0, 6)), half)).arrays["a"]
            self.assertEqual(array.dtype, np.float32)
            np.testing.assert_array_equal(array, [1.5, -2, np.inf])

    def test_that_are_damaged(self):
        good = file_of(entry(), b"\0\0\0\0")
        bad = [b"", b"abc", good[:-1], good[:20], struct.pack("<Q", 1 << 62) + b"{}", file_of(b"{"), file_of([1]),
               file_of(b"\xff"), file_of(entry(offsets=(0, 8)), b"\0" * 4), file_of(entry(offsets=(4, 0)), b"\0" * 4),
               file_of(entry(offsets=(-4, 0)), b"\0" * 4), file_of(entry(shape=(2,)), b"\0" * 4),
               file_of(entry(shape=(-1,)), b"\0" * 4), file_of(entry("F99"), b"\0" * 4), file_of({"a": 1}),
               file_of({"a": {}}), file_of(entry(shape=(1 << 70,)), b"\0" * 4), file_of({"__metadata__": 3}),
               file_of(b"[" * 100000)]
        for data in bad:
            with self.subTest(data=data[:60]), self.assertRaises(BadTensors):
                read(data)


if __name__ == "__main__":
    unittest.main()
