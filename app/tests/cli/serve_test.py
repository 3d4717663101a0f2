#!/usr/bin/env python3
"""Serves the page and asks for it as a browser does, and as no browser would.

ATTENTION_LAB is the program.
"""

import html
import http.client
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["ATTENTION_LAB"]
PAGE = ('<!DOCTYPE html>\n<html><body>\n<script type="text/plain" id="models-data">H4sI</script>\n'
        '<script type="text/plain" id="assets-data">H4sI</script>\n</body></html>\n')
LESSON = "---\ntitle: Mine\ngoal: b\nminutes: 5\nlevel: c\n---\n## One\n```lab\nopen refer\n```\nText.\n"
SECRET = "a secret beside the folder"


def run(*arguments, **keywords):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False,
                          **keywords)


class Serve(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.top = pathlib.Path(cls.temporary.name)
        cls.folder = cls.top / "course"
        cls.folder.mkdir()
        (cls.top / "page").mkdir()
        (cls.top / "page" / "attention-lab.html").write_text(PAGE)
        (cls.top / "page" / "manifest.webmanifest").write_text('{"name": "Attention Lab"}')
        (cls.top / "page" / "notes.txt").write_text(SECRET)
        (cls.top / "secret.json").write_text(SECRET)
        (cls.folder / "secret.txt").write_text(SECRET)
        (cls.folder / ".hidden.json").write_text('{"type": "attention-lab session"}')
        (cls.folder / "lesson.md").write_text(LESSON)
        (cls.folder / "broken.json").write_text('{"type": "attention-lab session"')
        os.environ["ATTENTION_LAB_PAGE"] = str(cls.top / "page" / "attention-lab.html")
        session = cls.folder / "a&b <i> ä.json"
        cls.session_name = session.name
        made = run("convert", "refer", "-o", session)
        assert made.returncode == 0, made.stderr
        cls.session = session.read_text()
        cls.start_server()

    @classmethod
    def start_server(cls):
        cls.server = subprocess.Popen([PROGRAM, "serve", "--no-open", "--folder", cls.folder], stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, text=True)
        cls.address = cls.server.stdout.readline().strip()
        cls.port = int(re.fullmatch(r"http://127\.0\.0\.1:(\d+)/files/", cls.address).group(1))

    @classmethod
    def tearDownClass(cls):
        cls.server.send_signal(signal.SIGINT)
        _, messages = cls.server.communicate(timeout=20)
        cls.temporary.cleanup()
        cls.server.stdout.close()
        assert cls.server.returncode == 0, messages
        assert "only this machine" in messages, messages

    def ask(self, path, method="GET", host=None, body=None):
        """The answer to a path, which is sent as it stands."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.putrequest(method, path, skip_host=True)
        connection.putheader("Host", host or f"127.0.0.1:{self.port}")
        if body:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response, content.decode("utf-8", "replace")

    def raw(self, message):
        """What comes back for these bytes; the connection may be closed without an answer."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as connection:
            try:
                connection.sendall(message)
                connection.shutdown(socket.SHUT_WR)
                return b"".join(iter(lambda: connection.recv(65536), b""))
            except OSError:  # reset, not connected, timed out
                return b""

    def test_the_page_is_served_as_it_was_built(self):
        response, content = self.ask("/")
        self.assertEqual(response.status, 200)
        self.assertEqual(content, PAGE)
        self.assertEqual(response.headers["Content-Type"], "text/html; charset=utf-8")
        self.assertEqual(response.headers["X-Content-Type-Options"], "nosniff")

    def test_the_list_has_what_a_page_opens_and_nothing_else(self):
        response, content = self.ask("/files/")
        self.assertIn("default-src 'none'", response.headers["Content-Security-Policy"])
        names = re.findall(r'<li><a href="([^"]*)">([^<]*)</a> <small>(\w+)</small>', content)
        self.assertEqual([(html.unescape(name), kind) for _, name, kind in names],
                         [(self.session_name, "session"), ("broken.json", "session"), ("lesson.md", "lesson")])
        self.assertEqual(names[0][0], "a%26b%20%3Ci%3E%20%C3%A4.json")

    def test_each_opens_in_the_page(self):
        _, content = self.ask("/files/a%26b%20%3Ci%3E%20%C3%A4.json")
        self.assertIn('id="attention-lab-session"', content)
        self.assertIn('"path":"/given/session.json"', content)
        _, content = self.ask("/files/lesson.md")
        self.assertIn('"path":"/given/lesson.md"', content)
        response, content = self.ask("/files/broken.json")
        self.assertEqual(response.status, 422)
        self.assertIn("<p>", content)
        self.assertNotIn("given-data", content)

    def test_nothing_outside_of_the_list_is_read(self):
        for path in ["/files/../secret.json", "/files/%2e%2e/secret.json", "/files/..%2fsecret.json", "/secret.json",
                     "/files/secret.txt", "/files/.hidden.json", "/files//secret.json", "/../secret.json",
                     "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
                     "/files/lesson.md/", "/files/..", "/files/.", "/notes.txt", "/page/notes.txt", "/attention-lab.html",
                     "/files/" + "a" * 5000, "/files/%", "/files/%zz", f"/files/{self.folder}/lesson.md".replace(" ", "")]:
            response, content = self.ask(path)
            self.assertEqual(response.status, 404, path)
            self.assertNotIn(SECRET, content)
            self.assertNotIn("root:", content)
        for path in ["/files/%00", "/files/%00/../secret.json", "/files/lesson.md%00.json"]:
            self.assertNotIn(SECRET, self.ask(path)[1])

    def test_what_makes_it_an_app_lies_beside_the_page(self):
        response, content = self.ask("/manifest.webmanifest")
        self.assertEqual(response.headers["Content-Type"], "application/manifest+json")
        self.assertIn("Attention Lab", content)
        self.assertEqual(self.ask("/service-worker.js")[0].status, 404)

    def test_another_host_gets_nothing(self):
        for host in ["example.org", f"example.org:{self.port}", "127.0.0.1", f"127.0.0.1.example.org:{self.port}",
                     f"127.0.0.1:{self.port}.example.org", "127.0.0.1:1", f"[::1]:{self.port}", ""]:
            response, content = self.ask("/", host=host or " ")
            self.assertEqual(response.status, 403, host)
            self.assertNotIn("assets-data", content)
        self.assertEqual(self.ask("/", host=f"localhost:{self.port}")[0].status, 200)
        self.assertNotIn(b"assets-data", self.raw(b"GET / HTTP/1.0\r\n\r\n"))

    def test_nothing_can_be_changed(self):
        before = sorted(file.name for file in self.folder.iterdir())
        for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND"]:
            response, _ = self.ask("/files/lesson.md", method=method, body=b"x" * 100_000)
            self.assertEqual(response.status, 405, method)
        self.assertEqual(sorted(file.name for file in self.folder.iterdir()), before)
        response, content = self.ask("/", method="HEAD")
        self.assertEqual((response.status, content), (200, ""))

    def test_it_listens_on_the_loopback_interface_alone(self):
        listening = [line.split()[1] for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
                     if line.split()[3] == "0A"]
        self.assertEqual([at for at in listening if at.endswith(f":{self.port:04X}")], [f"0100007F:{self.port:04X}"])
        self.assertNotIn(f":{self.port:04X} ", pathlib.Path("/proc/net/tcp6").read_text())

    def test_it_outlives_what_no_browser_sends(self):
        numbers = random.Random(48)
        host = f"Host: 127.0.0.1:{self.port}\r\n".encode()
        for message in [b"", b"\0" * 1000, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 9999,
                        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n" + host + b"\r\n",
                        b"POST / HTTP/1.1\r\n" + host + b"Content-Length: -1\r\n\r\n",
                        b"POST / HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n"]:
            self.raw(message)
        for _ in range(200):
            text = bytearray(b"GET /files/lesson.md HTTP/1.1\r\n" + host + b"\r\n")
            for _ in range(numbers.randint(1, 5)):
                text[numbers.randrange(len(text))] = numbers.randrange(256)
            self.raw(bytes(text))
        self.assertEqual(self.ask("/")[0].status, 200)

    def test_a_port_that_is_taken_is_a_sentence(self):
        taken = run("serve", "--no-open", "--port", self.port)
        self.assertEqual(taken.returncode, 1)
        self.assertRegex(taken.stderr, rf"^attention-lab: port {self.port} cannot be used; .*\n$")

    def test_what_is_wrong_is_said_before_anything_is_served(self):
        for code, arguments in [(2, ["--port", "70000"]), (2, ["--port", "-1"]), (6, ["--folder", self.top / "none"]),
                                (2, ["--language", "xx"]), (5, [self.folder / "broken.json"])]:
            outcome = run("serve", "--no-open", *arguments)
            self.assertEqual((outcome.returncode, outcome.stdout), (code, ""), arguments)
            self.assertEqual(outcome.stderr.count("\n"), 1, outcome.stderr)
        without = run("serve", "--no-open", env={**os.environ, "ATTENTION_LAB_PAGE": str(self.top / "none.html")})
        self.assertEqual(without.returncode, 6)

    def test_it_opens_with_what_is_asked_for_and_ends_when_it_is_told_to(self):
        with subprocess.Popen([PROGRAM, "serve", "refer", "--no-open", "--language", "de"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as server:
            address = server.stdout.readline().strip()
            connection = http.client.HTTPConnection(address.removeprefix("http://").rstrip("/"), timeout=20)
            connection.request("GET", "/")
            content = connection.getresponse().read().decode()
            connection.close()
            server.send_signal(signal.SIGTERM)
            server.communicate(timeout=20)
            self.assertEqual(server.returncode, 0)
        self.assertIn('"language":"de"', content)
        self.assertIn('id="attention-lab-session"', content)


if __name__ == "__main__":
    unittest.main()
