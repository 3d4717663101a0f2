"""A window on another machine: the socket is forwarded, and only what is looked at travels.

The forwarder of these tests copies bytes from one socket to the other, as `ssh -R` does; where ssh can log in to this
machine, ATTENTION_LAB_SSH (the arguments of ssh, with the host) runs one test through ssh itself.
"""
import os
import shlex
import socket
import subprocess
import threading
import time
import unittest

from support import PackageTest, weights

import numpy as np
import attention_lab as lab
from fake_window import FakeWindow, tensors


class Forwarder:
    """Listens at `path` and connects each client to `target`; counts bytes on the way to the window."""

    def __init__(self, path, target):
        self.target, self.bytes, self.ends = target, 0, []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            self.ends += [near, far]
            try:
                far.connect(self.target)
            except OSError:
                near.close()
                continue
            for source, sink, counts in ((near, far, True), (far, near, False)):
                threading.Thread(target=self._copy, args=(source, sink, counts), daemon=True).start()

    def _copy(self, source, sink, counts):
        try:
            while data := source.recv(1 << 16):
                self.bytes += len(data) if counts else 0
                sink.sendall(data)
            sink.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def close(self):
        """As when the connection of ssh breaks."""
        for end in (*self.ends, self.listener):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()


class Forwarded(PackageTest):

    def setUp(self):
        super().setUp()
        there = os.path.join(self.folder, "there.socket")  # where the window is
        self.window = FakeWindow(there)
        self.addCleanup(self.window.close)
        self.forward(there)

    def forward(self, there):
        self.forwarder = Forwarder(self.socket, there)
        self.addCleanup(self.forwarder.close)

    def test_shows_updates_and_reads(self):
        handle = self.show(weights=weights(2, 3, 3), start=False)
        handle.update(weights=weights(2, 3, 3, seed=1))
        np.testing.assert_array_equal(handle.numbers()["weights"], weights(2, 3, 3, seed=1))

    def test_only_what_is_looked_at_travels(self):
        values = weights(24, 8, 128, 128)
        self.show(weights=values, start=False)
        self.travelled(values[0].nbytes)
        answer, payload = self.window.ask({"id": 1, "do": "layer", "name": "Python", "layer": 23})
        self.assertTrue(answer["ok"])
        shape, numbers = tensors(payload)["weights"]
        np.testing.assert_array_equal(np.reshape(numbers, shape).astype(np.float32), values[23])
        self.travelled(2 * values[0].nbytes)

    def travelled(self, expected):
        self.assertGreaterEqual(self.forwarder.bytes, expected)
        self.assertLess(self.forwarder.bytes, expected + 2000)

    def test_a_broken_connection(self):
        handle = self.show(weights=weights(2, 3, 3), start=False)
        self.forwarder.close()
        with self.fails(lab.WindowClosed):
            handle.update(weights=weights(2, 3, 3))

    def test_nobody_at_the_far_end(self):
        self.window.close()
        with self.fails(lab.WindowUnavailable):
            self.show(weights=weights(2, 3, 3), start=False)


@unittest.skipUnless(os.environ.get("ATTENTION_LAB_SSH"), "set ATTENTION_LAB_SSH to test through ssh")
class ForwardedBySsh(Forwarded):

    test_only_what_is_looked_at_travels = test_nobody_at_the_far_end = None  # nothing counts bytes here

    def forward(self, there):
        command = ["ssh", *shlex.split(os.environ["ATTENTION_LAB_SSH"])]
        self.forwarder = subprocess.Popen([*command[:-1], "-N", "-R", f"{self.socket}:{there}", command[-1]])
        self.forwarder.close = self.forwarder.terminate
        self.addCleanup(self.forwarder.wait)
        self.addCleanup(self.forwarder.terminate)
        end = time.monotonic() + 20
        while not os.path.exists(self.socket) and time.monotonic() < end:
            time.sleep(0.05)

    def test_a_broken_connection(self):
        handle = self.show(weights=weights(2, 3, 3), start=False)
        self.forwarder.terminate()
        self.forwarder.wait()
        with self.fails(lab.WindowClosed):
            handle.update(weights=weights(2, 3, 3))


if __name__ == "__main__":
    unittest.main()
