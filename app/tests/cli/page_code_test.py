#!/usr/bin/env python3
"""What the program hands out, read by the code of the page, and back. Skipped without Node.

ATTENTION_LAB is the program.
"""

import base64
import html.parser
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["ATTENTION_LAB"]
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PAGE = '<!DOCTYPE html>\n<html><body>\n<script type="text/plain" id="assets-data">H4sI</script>\n</body></html>\n'
HOSTILE = "</script><script>alert(1)</script><!-- <b>\u2028 'a' \"b\" \\u003c &lt; \x7f 𝔘"


def run(*arguments):
    made = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, check=False, timeout=60)
    assert made.returncode == 0, made.stderr.decode()
    return made.stdout


class Elements(html.parser.HTMLParser):
    """The texts of the elements with an id, as a browser reads them."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.found, self.open = {}, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.open = dict(attributes).get("id")

    def handle_endtag(self, tag):
        self.open = None

    def handle_data(self, data):
        if self.open:
            self.found[self.open] = self.found.get(self.open, "") + data


class PageCode(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "page.html").write_text(PAGE)
        os.environ["ATTENTION_LAB_PAGE"] = str(self.folder / "page.html")
        self.session = self.folder / "mine.json"
        edits = self.folder / "edits.jsonl"
        edits.write_text(json.dumps({"do": "set_sentence", "text": HOSTILE}) + "\n")
        run("apply", "refer", edits, "-o", self.session)
        run("convert", self.session, "-o", self.session)  # opened, it is called like its file
        self.node = subprocess.Popen(["node", HERE / "page_code.mjs", ROOT / "app/web/page"], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.addCleanup(self.stop)

    def stop(self):
        self.node.stdin.close()
        self.node.stdout.close()
        self.node.wait(timeout=20)

    def ask(self, do, **members):
        self.node.stdin.write(json.dumps({"do": do, **members}) + "\n")
        self.node.stdin.flush()
        return json.loads(self.node.stdout.readline())

    def test_a_link_of_the_program_opens_in_the_page(self):
        link = run("link", self.session, "--page", "https://example.org/page.html").decode().strip()
        opened = self.ask("open", link=link)
        self.assertEqual(base64.b64decode(opened["session"]), self.session.read_bytes())

    def test_a_link_of_the_page_opens_in_the_program(self):
        session = self.session.read_bytes()
        link = self.ask("link", session=base64.b64encode(session).decode())["link"]
        self.assertTrue(link.startswith("https://example.org/page.html#session="), link[:80])
        self.assertEqual(run("link", link, "-o", "-"), session)

    def test_both_refuse_the_same_damaged_links(self):
        link = run("link", self.session).decode().strip()
        numbers = random.Random(48)
        for i in range(200):
            cut = link[:numbers.randrange(len("#session="), len(link))]
            self.assertIsNone(self.ask("open", link=cut)["session"], cut[-40:])
            if i % 10 == 0:
                refused = subprocess.run([PROGRAM, "link", cut, "-o", "-"], capture_output=True, check=False, timeout=60)
                self.assertEqual(refused.returncode, 5)

    def test_the_page_takes_what_its_file_brings_along(self):
        lesson = self.folder / "stunde.md"
        lesson.write_text(f"---\ntitle: T\ngoal: g\nminutes: 5\nlevel: l\nlanguage: de\n---\n## Eins\n```lab\nopen mine.json\n```\n"
                          f"Ein Satz mit `{HOSTILE}`.\n")
        run("export", lesson, "-o", self.folder / "lesson.html")
        answer = self.ask("given", found=Elements((self.folder / "lesson.html").read_text()).found)
        self.assertRegex(answer["given"].pop("name"), "^[0-9a-f]+$")
        self.assertEqual(answer["given"], {"path": "/given/stunde.md", "language": "de"})
        self.assertEqual({path: base64.b64decode(file) for path, file in answer["files"].items()},
                         {"/given/stunde.md": lesson.read_bytes(), "/given/mine.json": self.session.read_bytes()})

    def test_the_page_takes_a_session_and_a_model(self):
        run("export", "words", "--text", "a small", "--live", "-o", self.folder / "words.html")
        answer = self.ask("given", found=Elements((self.folder / "words.html").read_text()).found)
        self.assertEqual(answer["given"]["path"], "/given/session.json")
        found = {path: base64.b64decode(file) for path, file in answer["files"].items()}
        session = json.loads(found["/given/session.json"])
        self.assertEqual(session["text"]["typed"], "a small")
        self.assertEqual(found["/assets/models/words/model.safetensors"],
                         (ROOT / "assets/models/words/model.safetensors").read_bytes())

    def test_what_was_cut_or_changed_is_a_sentence(self):
        run("export", "words", "--text", "a small", "--live", "-o", self.folder / "words.html")
        found = Elements((self.folder / "words.html").read_text()).found
        whole = found["given-data"]
        numbers = random.Random(48)
        for _ in range(100):
            cut = whole[:numbers.randrange(len(whole))]
            self.assertRegex(self.ask("given", found={**found, "given-data": cut})["error"], r"^What this page .* cut\.$")
        broken = whole.replace("H4sI", "H4sJ")
        self.assertIn("error", self.ask("given", found={**found, "given-data": broken}))

    def test_a_page_that_brings_nothing_along_opens_as_usual(self):
        self.assertIsNone(self.ask("given", found=Elements(PAGE).found)["given"])


if __name__ == "__main__":
    if not shutil.which("node") or not (ROOT / "app/web/page/embedded.js").exists():
        print("node is not installed")
        sys.exit(77)
    unittest.main()
