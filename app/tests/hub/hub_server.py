"""A server on this machine that plays Hugging Face's hub, well and badly behaved, for tests of downloads."""

import hashlib
import http.server
import json
import threading
import time

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def git_sha1(content):
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


class Hub(http.server.ThreadingHTTPServer):
    """Repositories by name: {path: content}. `trouble` maps a path to a list of things that go wrong, one a request."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answers)
        self.repositories, self.trouble, self.seen, self.lies = {}, {}, [], {}
        self.licence = "mit"
        self.pause = 0  # seconds between two pieces of a large file
        self.address = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        pass  # clients that hang up


class Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path = self.path.split("?")[0]
        self.server.seen.append((path, self.headers.get("Range"), self.headers.get("Authorization")))
        parts = path.strip("/").split("/")
        if parts[:2] == ["api", "models"]:
            return self.repository("/".join(parts[2:4]))
        if parts[0] == "elsewhere":
            return self.file("/".join(parts[1:3]), "/".join(parts[3:]))
        name, inside = "/".join(parts[:2]), "/".join(parts[4:])
        trouble = self.server.trouble.get(inside, [])
        if trouble and isinstance(trouble[0], int):
            return self.answer(trouble.pop(0), b"trouble")
        if inside.endswith(".safetensors"):  # large files lie on another server
            return self.answer(302, Location=f"{self.server.address.replace('127.0.0.1', 'localhost')}/elsewhere/{name}/{inside}")
        return self.file(name, inside)

    def repository(self, name):
        trouble = self.server.trouble.get(name, [])
        if trouble:
            return self.answer(trouble.pop(0), b"trouble")
        files = self.server.repositories.get(name)
        if files is None:
            return self.answer(404, b"{}")
        siblings = []
        for path, content in files.items():
            size = self.server.lies.get(path, len(content))
            item = {"rfilename": path, "size": size, "blobId": git_sha1(content)}
            if path.endswith((".safetensors", ".gguf")):
                item["lfs"] = {"sha256": hashlib.sha256(content).hexdigest(), "size": size}
            siblings.append(item)
        body = json.dumps({"sha": COMMIT, "siblings": siblings, "cardData": {"license": self.server.licence}})
        return self.answer(200, body.encode())

    def file(self, name, path):
        content = self.server.repositories[name][path]
        trouble = self.server.trouble.get(path, [])
        kind = trouble.pop(0) if trouble else ""
        if kind == "damaged":
            content = b"\0" + content[1:]
        first = 0
        if (wanted := self.headers.get("Range")) and kind != "whole":
            first = int(wanted.removeprefix("bytes=").removesuffix("-"))
            if first >= len(content):
                return self.answer(416)
        self.send_response(206 if first else 200)
        self.send_header("Content-Length", str(len(content) - first))
        self.end_headers()
        rest = content[first:]
        rest = rest[: len(rest) // 2] if kind == "cut" else rest
        large = self.server.pause and path.endswith((".safetensors", ".gguf"))
        piece = max(len(content) // 40, 1) if large else max(len(rest), 1)
        for start in range(0, len(rest), piece):
            self.wfile.write(rest[start:start + piece])
            time.sleep(self.server.pause if large else 0)
        self.close_connection = kind == "cut"
        return None
