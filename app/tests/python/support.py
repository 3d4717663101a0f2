"""What the tests of the Python package share. Import it first: it finds the package, or ends with 77 (skipped, for
CTest) where there is no NumPy.
"""
import contextlib
import os
import pathlib
import sys
import tempfile
import unittest

try:
    import numpy
except ImportError:
    print("skipped: there is no NumPy")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "app" / "python"
sys.path.insert(0, str(PACKAGE))

TIMEOUT = 60  # seconds, for what a busy machine does late
VARIABLES = ("ATTENTION_LAB", "ATTENTION_LAB_PAGE", "ATTENTION_LAB_SOCKET", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "SSH_CONNECTION", "PATH")


def numbers(*shape, seed=0):
    """Random float32 numbers."""
    return numpy.random.default_rng(seed).standard_normal(shape).astype(numpy.float32)


def weights(*shape, seed=0):
    """Random attention weights: each row of the last axis sums to 1."""
    raised = numpy.exp(numbers(*shape, seed=seed))
    return raised / raised.sum(-1, keepdims=True)


class PackageTest(unittest.TestCase):
    """A test with a folder of its own, after which the environment is as before and no window is connected."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        before = {name: os.environ.get(name) for name in VARIABLES}
        self.addCleanup(self._restore, before)
        self.socket = os.path.join(self.folder, "window.socket")
        os.environ["ATTENTION_LAB_SOCKET"] = self.socket
        os.environ.pop("SSH_CONNECTION", None)
        self.addCleanup(self._disconnect)

    @staticmethod
    def show(*arrays, **named):
        """Shows arrays in a window that has the time that a busy machine takes."""
        import attention_lab
        return attention_lab.show(*arrays, **{"timeout": TIMEOUT, **named})

    @staticmethod
    def _restore(variables):
        for name, value in variables.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value

    @staticmethod
    def _disconnect():
        from attention_lab import client
        if client._state.connection is not None:
            client._state.connection.close()
        client._forget_in_child()

    @contextlib.contextmanager
    def fails(self, error, *words):
        """Expects `error`, with each of `words` in its message."""
        with self.assertRaises(error) as caught:
            yield caught
        for word in words:
            self.assertIn(word, str(caught.exception))


class FakeTensor:
    """Behaves as a tensor of PyTorch on a GPU that needs gradients: NumPy cannot read it as it is."""

    def __init__(self, array, dtype=None, device="cuda:0", grad=True):
        self.array, self.device, self.grad = array, device, grad
        self.dtype = dtype or f"torch.{array.dtype.name}"
        self.shape, self.ndim = array.shape, array.ndim
        self.copies = [0]  # shared with all that is made from it

    def _like(self, **changes):
        made = FakeTensor(self.array, self.dtype, self.device, self.grad)
        made.copies = self.copies
        for name, value in changes.items():
            setattr(made, name, value)
        return made

    def __array__(self, *_, **__):
        raise TypeError(f"can't convert {self.device} device type tensor to numpy")

    def __getitem__(self, index):
        part = FakeTensor(self.array[index], self.dtype, self.device, self.grad)
        part.copies = self.copies
        return part

    def detach(self):
        return self._like(grad=False)

    def cpu(self):
        self.copies[0] += self.array.nbytes
        return self._like(device="cpu")

    def float(self):
        return self._like(dtype="torch.float32")

    def numpy(self):
        if self.grad or self.device != "cpu" or self.dtype == "torch.bfloat16":
            raise TypeError("this tensor has no numpy()")
        return self.array
