"""The Python package and the window itself, on a virtual display: ATTENTION_LAB."""
import os
import pathlib
import signal
import time
import unittest
from unittest import mock

from support import TIMEOUT, ROOT, PackageTest, numbers, weights

import numpy as np
import attention_lab as lab
from attention_lab import program

TOKENS = "The cat sat on mats"


class RealWindow(PackageTest):
    """A window that `show` starts; tests share no window, but its start is quick."""

    def setUp(self):
        super().setUp()
        for name, folder in (("HOME", "home"), ("XDG_CONFIG_HOME", "config"), ("XDG_STATE_HOME", "state")):
            before = os.environ.get(name)
            os.environ[name] = os.path.join(self.folder, folder)
            self.addCleanup(self._restore, {name: before})
        self.addCleanup(self.end)

    def end(self, how=signal.SIGTERM):
        while program._started:
            process = program._started.pop()
            process.send_signal(how)
            process.wait(TIMEOUT)

    def stop(self, process):
        """Stops all threads of a process; it goes on at the end of the test at the latest."""
        self.addCleanup(process.send_signal, signal.SIGCONT)
        process.send_signal(signal.SIGSTOP)
        states = pathlib.Path(f"/proc/{process.pid}/task").glob("*/stat")
        for state in list(states):
            while state.read_text().rsplit(")", 1)[1].split()[0] != "T":
                time.sleep(0.01)

    def same(self, one, other):
        np.testing.assert_allclose(one, other, atol=2e-6)


class Showing(RealWindow):

    def test_weights_and_updates(self):
        handle = self.show(weights=weights(2, 5, 5), tokens=TOKENS, wait=True)
        now = handle.numbers()
        self.same(now["weights"], weights(2, 5, 5))
        self.assertEqual((now.tokens, now.edited), (TOKENS.split(), False))
        for seed in range(1, 20):
            handle.update(weights=weights(2, 5, 5, seed=seed), tokens=TOKENS)
        self.same(handle.numbers()["weights"], weights(2, 5, 5, seed=19))
        handle.update(weights=weights(3, 4, 6), wait=True)  # another size
        self.same(handle.numbers()["weights"], weights(3, 4, 6))
        self.assertEqual(len(program._started), 1)

    def test_each_form_after_the_other(self):
        q, k, v = numbers(4, 3, 4), numbers(2, 5, 4, seed=1), numbers(2, 5, 6, seed=2)
        x, w_q, w_k, w_v, w_o = (numbers(*shape, seed=seed) for seed, shape in enumerate(
            ((5, 6), (2, 6, 3), (2, 6, 3), (2, 6, 4), (8, 6))))
        now = self.show(q, k, v, name="vectors", key_tokens=TOKENS, tokens="a b c").numbers()
        self.same(now["K"], k)
        self.assertEqual((now.tokens, now.key_tokens), (["a", "b", "c"], TOKENS.split()))
        layer = self.show(x, w_q, w_k, w_v, w_o, b_q=numbers(2, 3), name="layer", tokens=TOKENS).numbers()
        self.same(layer["Q"], x @ w_q + numbers(2, 3)[:, None])
        self.same(layer["W_O"], w_o)
        self.same(self.show(weights=weights(1, 2, 2), name="weights").numbers()["weights"], weights(1, 2, 2))
        with self.assertRaises(lab.Refused):
            lab.Handle("vectors").numbers()

    def test_a_batch(self):
        x, w, w_o = numbers(3, 5, 6), numbers(2, 6, 3), numbers(6, 6)
        tokens = ["a b", "a b c d e", "x y z"]
        handle = self.show(x, w, w, w, w_o, tokens=tokens, wait=True)
        now = handle.numbers()
        self.assertEqual((now.tokens, now.sentence, now.edited), (["a", "b"], 1, False))
        self.same(now["X"], x[0, :2])
        handle.update(x + 1, w, w, w, w_o, tokens=tokens, wait=True)
        self.same(handle.numbers()["X"], x[0, :2] + 1)
        handle.update(x[:2], w, w, w, w_o, tokens=tokens[:2], wait=True)  # fewer sentences
        handle.update(x[:1], w, w, w, w_o, tokens=[list("vwxyz")], wait=True)
        self.assertEqual(handle.numbers().tokens, list("vwxyz"))
        handle.update(x[:2], w, w, w, w_o, tokens=tokens[:2], wait=True)
        self.same(handle.numbers()["X"], x[0, :2])

    def test_masks(self):
        q, k, v = numbers(2, 3, 4), numbers(2, 3, 4, seed=1), numbers(2, 3, 6, seed=2)
        zeros_and_ones = np.array([[0, 1, 0], [1, 0, 1], [0, 0, 0]], np.float32)
        for mask, allowed, added in (("causal", np.tri(3) > 0, 0), (np.eye(3, dtype=bool), np.eye(3) > 0, 0),
                                     (zeros_and_ones, True, zeros_and_ones),
                                     (np.where(np.tri(3) > 0, 0.25, -np.inf), np.tri(3) > 0, 0.25)):
            scores = np.where(allowed, q @ k.transpose(0, 2, 1) / 2 + added, -np.inf)
            shares = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
            self.same(self.show(q, k, v, mask=mask).numbers()["weights"], shares)
        nothing = self.show(q, k, v, mask=np.zeros((3, 3), bool)).numbers()
        self.same(nothing["weights"], np.zeros((2, 3, 3)))

    def test_layers(self):
        values = weights(4, 2, 5, 5)
        handle = self.show(weights=values, tokens=TOKENS)
        for layer in (0, 3):
            self.same(handle.numbers(layer=layer)["weights"], values[layer])
        handle = self.show(weights=lambda layer: values[layer], layers=4, tokens=TOKENS, name="function", wait=True)
        self.same(handle.numbers()["weights"], values[0])

    def test_a_model(self):
        folder = str(ROOT / "assets" / "models" / "words")
        with mock.patch("attention_lab.transformers.save_model", return_value=folder):
            lab.show_model(mock.Mock(get_memory_footprint=lambda: 1), None, "a small", wait=True, timeout=TIMEOUT)

    def test_what_it_refuses(self):
        handle = self.show(weights=weights(2, 5, 5), tokens=TOKENS)
        with self.fails(lab.Refused, "1024"):
            handle.update(weights=np.full((1, 1, 1100), 1 / 1100))
        self.same(handle.numbers()["weights"], weights(2, 5, 5))


class Ending(RealWindow):

    def test_by_the_user(self):
        handle = self.show(weights=weights(2, 5, 5))
        self.end()
        self.assertTrue(handle.wait(TIMEOUT))
        with self.fails(lab.WindowClosed):
            handle.update(weights=weights(2, 5, 5))
        self.same(self.show(weights=weights(2, 3, 3)).numbers()["weights"], weights(2, 3, 3))  # in a new one

    def test_without_notice(self):
        handle = self.show(weights=weights(2, 5, 5))
        self.end(signal.SIGKILL)
        with self.fails(lab.WindowClosed):
            handle.update(weights=weights(2, 5, 5))
        self.same(self.show(weights=weights(2, 3, 3)).numbers()["weights"], weights(2, 3, 3))  # over the old socket

    def test_while_python_does_not_listen(self):
        handle = self.show(weights=weights(2, 5, 5))
        process = program._started[0]
        self.stop(process)
        begin = time.monotonic()
        with self.fails(lab.NoAnswer):
            handle.update(weights=weights(2, 5, 5, seed=1), timeout=2)
        self.assertLess(time.monotonic() - begin, 10)
        process.send_signal(signal.SIGCONT)
        handle.update(weights=weights(2, 5, 5, seed=2))
        self.same(handle.numbers()["weights"], weights(2, 5, 5, seed=2))

    def test_without_a_display(self):
        self.addCleanup(self._restore, {"DISPLAY": os.environ.pop("DISPLAY")})
        with self.fails(lab.WindowUnavailable, "display"):
            self.show(weights=weights(2, 5, 5))


if __name__ == "__main__":
    unittest.main()
