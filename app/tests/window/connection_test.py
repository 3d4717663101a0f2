"""Other programs reach the window: a second start, and one that shows its arrays."""
import os
import signal
import struct
import subprocess
import sys
import time
import unittest

import numpy
from driver import HEIGHT, Lab, PROGRAM, WIDTH, same_picture, wait_for
from socket_client import Client, safetensors, sample_weights, socket_path, tensors_of


WHOLE = (0, 0, WIDTH, HEIGHT)


def start(*arguments, **options):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60, **options)


class Connected(unittest.TestCase):
    def client(self, **options):
        client = Client(**options)
        self.addCleanup(client.socket.close)
        return client


class SecondStart(Connected):
    def test_hands_its_file_to_the_window_that_is_open(self):
        with Lab("cat-sat") as lab:
            os.rename(lab.session, os.path.join(lab.folder, "moved.json"))
            begin = time.monotonic()
            second = start("refer", cwd=lab.folder)
            self.assertEqual(second.returncode, 0, second.stderr)
            self.assertIn("opened in the window that is already open", second.stderr)
            self.assertLess(time.monotonic() - begin, 10)
            wait_for("the example", lambda: b"refer to?" in lab.title())
            relative = start("moved.json", cwd=lab.folder)
            self.assertEqual(relative.returncode, 0, relative.stderr)
            wait_for("the session", lambda: b"Cat sat" in lab.title())

    def test_says_what_is_wrong_with_the_file(self):
        with Lab() as lab:
            broken = os.path.join(lab.folder, "broken.json")
            with open(broken, "w") as file:
                file.write("{")
            second = start(broken)
            self.assertEqual(second.returncode, 5)
            self.assertIn("broken.json", second.stderr)

    def test_opens_a_window_of_its_own_on_demand(self):
        with Lab() as lab, Lab(names=["cat-sat", "--new-window"]) as other:
            self.assertIn(b"Cat sat", other.title())
            self.assertIn(b"refer to?", lab.title())
            self.assertTrue(self.client().hello["ok"], "the first one still listens")


class OtherPrograms(Connected):
    def test_show_and_update_their_arrays(self):
        with Lab() as lab:
            client = self.client()
            before = lab.pixels()
            weights = sample_weights(12, 128)
            self.assertEqual(client.ask("show", safetensors(weights=weights), name="attn").get("error"), None)
            self.assertEqual(client.ask("wait_shown", name="attn").get("error"), None)
            first = lab.pixels()
            self.assertFalse(same_picture(before, first, WHOLE), "it is on the screen when the answer comes")
            self.assertIn("attn — Attention Lab".encode(), lab.title())
            for seed in range(1, 20):
                client.ask("show", safetensors(weights=sample_weights(12, 128, seed)), name="attn")
            client.ask("wait_shown", name="attn")
            self.assertFalse(same_picture(first, lab.pixels(), WHOLE))
            self.assertFalse(client.ask("numbers", name="attn")["edited"])
            shown = tensors_of(client.payload)["weights"]
            numpy.testing.assert_allclose(shown, sample_weights(12, 128, 19), atol=1e-6)

    def test_of_another_user_are_refused(self):
        if os.geteuid() != 0:
            self.skipTest("only root can be someone else")
        with Lab():
            other = subprocess.run(["setpriv", "--reuid", "65534", "--clear-groups", sys.executable, "-c",
                                    "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])",
                                    socket_path()], capture_output=True, text=True)
            self.assertIn("PermissionError", other.stderr)
            self.assertTrue(self.client().hello["ok"])

    def test_that_send_nonsense_disturb_nobody(self):
        with Lab() as lab:
            good = self.client()
            bad = self.client(patience=5)
            bad.socket.sendall(b"ATTL" + struct.pack("<IIQ", 1, 4, 0) + b"[1]]")
            self.assertIsNone(bad.receive()["id"])
            with self.assertRaises((EOFError, ConnectionError)):
                bad.receive()
            cut = self.client(patience=5)
            cut.socket.sendall(b"ATTL" + struct.pack("<IIQ", 1, 4, 1 << 30))
            begin = time.monotonic()
            self.assertIn("not complete", cut.receive()["error"])
            self.assertLess(time.monotonic() - begin, 3)
            answer = good.ask("show", safetensors(weights=numpy.full((2, 3, 3), numpy.nan)), name="attn")
            self.assertIn("NaN", answer["error"])
            self.assertIn(b"refer to?", lab.title())
            self.assertEqual(good.ask("show", safetensors(weights=sample_weights(2, 3)), name="attn").get("error"), None)

    def test_are_told_when_the_window_closes(self):
        with Lab() as lab:
            client = self.client(patience=5)
            lab.process.send_signal(signal.SIGTERM)
            self.assertEqual(client.receive()["error"], "the window was closed")
            lab.process.wait(10)
            self.assertFalse(os.path.exists(socket_path()))


if __name__ == "__main__":
    unittest.main()
