"""Windows that misbehave, sockets of others, and windows that close: a clear exception, within two seconds."""
import os
import socket
import stat
import threading
import time
import unittest
from unittest import mock

from support import PackageTest, weights

import numpy as np
import attention_lab as lab
from attention_lab import address, client
from attention_lab.connection import TIMEOUT
from attention_lab.stream import STALL
from fake_window import HEADER, FakeWindow, frame

LONGEST = 10  # seconds: two, and what a busy machine adds


def after_hello(answer):
    """A reply that is as usual to hello, and then `answer(message)`."""
    def reply(window):
        return lambda message, payload: (window.usual(message, payload) if message["do"] == "hello"
                                         else answer(message))
    return reply


class Windows(PackageTest):

    def test_have_two_seconds(self):
        self.assertEqual((TIMEOUT, STALL), (2, 2))

    def window(self, make_reply=None):
        window = FakeWindow(self.socket)
        self.addCleanup(window.close)
        if make_reply:
            window.reply = make_reply(window)
        return window

    def fails_soon(self, error, *words, call=None):
        begin = time.monotonic()
        with self.fails(error, *words):
            (call or (lambda: lab.show(weights=weights(2, 3, 3), start=False)))()
        self.assertLess(time.monotonic() - begin, LONGEST)

    def test_that_answer_something_else(self):
        for answer, error, word in (
                (b"HTTP/1.1 400 Bad Request\r\n\r\n", lab.ProtocolError, "not a window"),
                (frame({"id": 2, "ok": True}, version=2), lab.ProtocolError, "version 2"),
                (frame(b"{"), lab.ProtocolError, "not JSON"), (frame(b"\xff\xff"), lab.ProtocolError, "not JSON"),
                (frame(b"[1]"), lab.ProtocolError, "not a JSON object"),
                (frame(b"[" * 100000), lab.ProtocolError, "not JSON"),
                (HEADER.pack(b"ATTL", 1, 2 << 20, 0), lab.ProtocolError, "too long"),
                (HEADER.pack(b"ATTL", 1, 2, 1 << 62), lab.ProtocolError, "too long"),
                (frame({"id": 2, "error": "The document is locked."}), lab.Refused, "The document is locked."),
                (frame({"id": None, "error": "The frame is too long."}), lab.WindowClosed, "The frame is too long.")):
            with self.subTest(answer=answer[:40]):
                window = self.window(after_hello(lambda message, answer=answer: answer))
                self.fails_soon(error, word)
                window.close()

    def test_of_another_version_of_the_connection(self):
        self.window(lambda window: lambda message, payload: frame({"id": message["id"], "ok": True, "protocol": 2}))
        self.fails_soon(lab.ProtocolError, "version 2")

    def test_that_stay_silent(self):
        self.window(lambda window: lambda message, payload: None)
        self.fails_soon(lab.NoAnswer, "did not answer within 2 s")

    def test_that_stop_in_the_middle_of_a_message(self):
        for cut in (4, 25):
            window = self.window(after_hello(lambda message: frame({"id": message["id"], "ok": True})[:cut]))
            self.fails_soon(lab.NoAnswer)
            window.close()

    def test_that_answer_other_questions(self):
        self.window(after_hello(lambda message: frame({"id": 999, "ok": True}) + frame({"id": "x", "ok": True})
                                + frame({"id": message["id"], "ok": True})))
        self.show(weights=weights(2, 3, 3), start=False)

    def test_that_read_nothing(self):
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(self.socket)
        listener.listen(1)
        self.fails_soon(lab.NoAnswer)

    def after_show(self, read):
        """A handle on a window that reads with `read` as soon as it has answered to `show`."""
        window = self.window()

        def reply(message, payload):
            if message["do"] == "show":
                window._read = lambda connection: read(window, connection)
            return window.usual(message, payload)

        window.reply = reply
        return self.show(weights=weights(2, 3, 3))

    def test_that_take_no_more_data(self):
        handle = self.after_show(lambda window, connection: time.sleep(60))
        self.fails_soon(lab.NoAnswer, "takes no more data",
                        call=lambda: handle.update(weights=np.ones((1, 1500, 1500), np.float32)))

    def test_that_close_before_they_answer(self):
        def end(message):
            raise EOFError
        self.window(after_hello(end))
        self.fails_soon(lab.WindowClosed, "closed")

    def test_that_close_while_data_is_sent(self):
        def read_some(window, connection):
            FakeWindow._exactly(connection, 1000)
            window.close()
            raise EOFError

        handle = self.after_show(read_some)
        self.fails_soon(lab.WindowClosed, call=lambda: handle.update(weights=np.ones((1, 1500, 1500), np.float32)))

    def test_that_say_why_they_close_while_data_is_sent(self):
        def refuse(window, connection):
            connection.shutdown(socket.SHUT_RD)  # sending fails before the reason arrives
            time.sleep(0.3)
            connection.sendall(frame({"id": None, "error": "The message is too long."}))
            raise EOFError

        handle = self.after_show(refuse)
        self.fails_soon(lab.WindowClosed, "The message is too long.",
                        call=lambda: handle.update(weights=np.ones((1, 1500, 1500), np.float32)))

    def test_that_close_between_two_updates(self):
        window = self.window()
        handle = self.show(weights=weights(2, 3, 3))
        window.close()
        for call in (lambda: handle.update(weights=weights(2, 3, 3)), handle.numbers):
            self.fails_soon(lab.WindowClosed, call=call)
        self.assertTrue(handle.wait(1))
        again = self.window()
        handle.update(weights=weights(2, 3, 3))  # another window is found
        self.assertIn("Python", again.shown)

    def test_that_close_unnoticed_are_replaced_by_show(self):
        first = self.window()
        self.show(weights=weights(2, 3, 3))
        first.close()
        second = self.window()
        lost, closed = client._state.connection, threading.Event()
        with mock.patch.object(lost, "closed", closed), mock.patch.object(lost, "_error", None):  # not yet noticed
            self.show(weights=weights(2, 3, 3), start=False)
        self.assertIn("Python", second.shown)

    def test_that_are_waited_for(self):
        window = self.window()
        handle = self.show(weights=weights(2, 3, 3))
        self.assertFalse(handle.wait(0.05))
        threading.Timer(0.1, window.close).start()
        self.assertTrue(handle.wait(10))

    def test_that_are_interrupted_by_the_user(self):
        self.window()
        handle = self.show(weights=weights(2, 3, 3))
        with mock.patch("attention_lab.stream.Stream._send_some", side_effect=KeyboardInterrupt):
            with self.assertRaises(KeyboardInterrupt):
                handle.update(weights=weights(2, 3, 3))
        handle.update(weights=weights(2, 3, 3))  # on a new connection


class Messages(PackageTest):

    def setUp(self):
        super().setUp()
        self.window = FakeWindow(self.socket)
        self.addCleanup(self.window.close)

    def test_that_are_too_long_are_not_sent(self):
        with self.fails(lab.BadArgument, "more than"):
            lab.show(weights=weights(2, 3, 3), tokens=["a" * 500000] * 3)
        huge = np.broadcast_to(np.float32(1), (1, 8192, 8192))
        with mock.patch("attention_lab.frames.LONGEST_PAYLOAD", 1 << 20), self.fails(lab.BadArgument, "2 GiB"):
            self.show(weights=huge[:, :1024, :1024])
        self.assertEqual([message["do"] for message, _ in self.window.seen], ["hello"])

    def test_with_half_a_character_are_not_sent(self):
        with self.fails(lab.BadArgument, "Unicode"):
            self.show(weights=weights(1, 1, 1), tokens=["\ud800"])

    def test_with_every_script_arrive(self):
        self.show(weights=weights(1, 3, 3), tokens=["猫", "القط", "🐈\n\0"])
        self.assertEqual(self.window.shown["Python"][0]["tokens"], ["猫", "القط", "🐈\n\0"])


class Sockets(PackageTest):

    def test_are_where_the_protocol_says(self):
        self.assertEqual(address.socket_path({"ATTENTION_LAB_SOCKET": "/a", "XDG_RUNTIME_DIR": "/b"}), "/a")
        self.assertEqual(address.socket_path({"XDG_RUNTIME_DIR": "/b"}), "/b/attention-lab/window.socket")
        self.assertEqual(address.socket_path({}), f"/tmp/attention-lab-{os.getuid()}/window.socket")

    def refused(self, *words):
        with self.fails(lab.WindowUnavailable, *words):
            self.show(weights=weights(2, 3, 3), start=False)

    def default_folder(self):
        del os.environ["ATTENTION_LAB_SOCKET"]
        os.environ["XDG_RUNTIME_DIR"] = self.folder
        folder = os.path.join(self.folder, "attention-lab")
        os.mkdir(folder, 0o700)
        return folder

    def test_nobody_listens(self):
        self.refused("no window listens at", self.socket)
        open(self.socket, "w").close()
        self.refused("no window listens at")
        os.unlink(self.socket)
        left = socket.socket(socket.AF_UNIX)
        left.bind(self.socket)
        left.close()
        self.refused("no window listens at")

    def test_in_a_folder_that_is_open_to_others(self):
        folder = self.default_folder()
        window = FakeWindow(os.path.join(folder, "window.socket"))
        self.addCleanup(window.close)
        self.show(weights=weights(2, 3, 3), start=False)
        self._disconnect()
        os.chmod(folder, 0o755)
        self.refused("open to other users", "chmod 700")

    def test_in_a_folder_of_another_user(self):
        folder = self.default_folder()
        real = os.lstat(folder)
        other = os.stat_result((stat.S_IFDIR | 0o700, *real[1:4], real.st_uid + 1, *real[5:10]))
        with mock.patch("os.lstat", return_value=other):
            self.refused("belongs to another user")

    def test_in_a_folder_that_is_none(self):
        folder = self.default_folder()
        os.rename(folder, folder + "-real")
        os.symlink(folder + "-real", folder)
        self.refused("is not a folder")

    def test_of_another_user(self):
        window = FakeWindow(self.socket)
        self.addCleanup(window.close)
        with mock.patch("attention_lab.address.peer_user", return_value=os.getuid() + 1):
            self.refused("belongs to another user")
        self.assertEqual(window.seen, [], "nothing is sent to another user")

    @unittest.skipUnless(os.getuid() == 0 and hasattr(socket, "SO_PEERCRED"), "only root can be two users")
    def test_of_another_user_in_fact(self):
        os.chmod(self.folder, 0o777)
        child = os.fork()
        if child == 0:
            os.setuid(65534)
            FakeWindow(self.socket)
            time.sleep(30)
            os._exit(0)
        try:
            while not os.path.exists(self.socket):
                time.sleep(0.01)
            time.sleep(0.05)
            self.refused("belongs to another user")
        finally:
            os.kill(child, 9)
            os.waitpid(child, 0)

    def test_that_are_switched_off(self):
        os.environ["ATTENTION_LAB_SOCKET"] = ""
        self.refused("switches the connection to the window off")

    def test_with_a_path_that_is_too_long(self):
        os.environ["ATTENTION_LAB_SOCKET"] = "/tmp/" + "a" * 120
        self.refused("longer than 107 bytes")

    def test_that_may_not_be_opened(self):
        os.environ["ATTENTION_LAB_SOCKET"] = os.path.join(self.folder, "file", "socket")
        open(os.path.join(self.folder, "file"), "w").close()
        self.refused("cannot connect", "Not a directory")


if __name__ == "__main__":
    unittest.main()
