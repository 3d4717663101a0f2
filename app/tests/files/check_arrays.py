"""The Python side of python_test.cpp: numpy, and safetensors if it can be imported.

check_arrays.py FOLDER: reads written.npz, written.npy and written.safetensors, which contain
the tensors listed in expected.json with the bits in expected.bin (float32); then writes its own files,
each with the float32 values that it should be read as in NAME.bin.
"""
import json
import os
import sys

import numpy as np

folder = sys.argv[1]


def path(name):
    return os.path.join(folder, name)


def same(a, b):
    return a.dtype == np.float32 and a.shape == b.shape and a.tobytes() == b.tobytes()


def expected_tensors():
    data = np.fromfile(path("expected.bin"), "<f4")
    tensors, start = {}, 0
    for name, shape in json.load(open(path("expected.json"), encoding="utf-8")):
        count = int(np.prod(shape, dtype=np.int64))
        tensors[name] = data[start:start + count].reshape(shape)
        start += count
    return tensors


def check_written(tensors):
    with np.load(path("written.npz"), allow_pickle=False) as archive:
        metadata = json.loads(archive["__metadata__"].tobytes())
        assert metadata == {"tokens": '["a","b"]'}, metadata
        assert sorted(archive.files) == sorted([*tensors, "__metadata__"]), archive.files
        for name, values in tensors.items():
            assert same(archive[name], values), name
    first = next(iter(tensors.values()))
    assert same(np.load(path("written.npy"), allow_pickle=False), first)


def write_arrays():
    rng = np.random.default_rng(3)
    arrays = {}
    for dtype in "bool u1 i1 u2 i2 u4 i4 u8 i8 f2 f4 f8".split():
        values = (rng.standard_normal((3, 4, 2)) * 100).astype("f8")
        if dtype.startswith("u"):
            values = abs(values)
        for order, order_name in ("<", "little"), (">", "big"):
            array = values.astype(np.dtype(dtype).newbyteorder(order))
            arrays[f"{dtype}_{order_name}"] = array
            arrays[f"{dtype}_{order_name}_fortran"] = np.asfortranarray(array)
    arrays["scalar"] = np.float64(0.1)
    arrays["empty"] = np.zeros((3, 0), "f4")
    for name, array in arrays.items():
        np.save(path(name + ".npy"), array)
        np.asarray(array, order="C").astype("<f4").tofile(path(name + ".bin"))
    np.savez(path("stored.npz"), **arrays)
    np.savez_compressed(path("deflated.npz"), **arrays)
    np.save(path("objects_refused.npy"), np.array([{}], dtype=object), allow_pickle=True)


def check_safetensors(tensors):
    try:
        from safetensors import safe_open
        from safetensors.numpy import save_file
    except ImportError:
        return
    with safe_open(path("written.safetensors"), framework="np") as file:
        assert file.metadata() == {"tokens": '["a","b"]'}, file.metadata()
        assert sorted(file.keys()) == sorted(tensors), file.keys()
        for name, values in tensors.items():
            assert same(file.get_tensor(name), values), name
    copies = {name: values.copy() for name, values in tensors.items()}
    save_file(copies, path("python.safetensors"), metadata={"tokens": '["a","b"]'})


expected = expected_tensors()
check_written(expected)
write_arrays()
check_safetensors(expected)
