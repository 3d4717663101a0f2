"""Passes hostile text through everything that reads or writes text: it must not crash anything, must read back
unchanged, and must never be treated as anything but text.

ATTENTION_LAB is the program.
"""
import csv
import html.parser
import io
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

PROGRAM = os.environ["ATTENTION_LAB"]
TEXTS = {
    "right to left": "שלום עולם مرحبا",
    "direction marks": "a\u202eb\u202c\u2066c\u2069\u200f\u061c",
    "zero width": "a\u200bb\u200c\u200d\ufeffc\u2060",
    "combining": "e\u0301 n\u0303 a" + "\u0300" * 200,
    "emoji": "👩‍🚀 🏳️‍🌈 👍🏽",
    "astral": "𝔘𝔫𝔦 \U0010ffff",
    "noncharacters": "a\ufffeb\uffffc\ufdd0",
    "line ends": "a\u2028b\u2029c\u0085d",
    "control characters": "a\x01b\x08\x1b[31mc\x7fd\x9be",
    "nul": "a\0b",
    "tab and line end": "a\tb\nc\r\nd\re",
    "blanks": " \u00a0\u3000 a ",
    "formula": "=1+1",
    "formula of a function": "@SUM(1,2)",
    "formula with plus": "+cmd|' /C calc'!A0",
    "formula with minus": "-2+3",
    "formula behind a tab": "\t=1+1",
    "formula in quotes": '"=HYPERLINK(""http://a"")"',
    "quotes and commas": "a,\"b\";'c'",
    "script": "<script>alert(1)</script>",
    "end of a script": "</script><img src=x onerror=alert(1)>",
    "beginning of a comment": "<!-- a --><![CDATA[b]]>",
    "end of CDATA": "]]>",
    "entity": "&lt;b&gt;&amp;&#0;&nbsp;",
    "attribute": "\" onload=\"alert(1)\" x='y'",
    "LaTeX": "\\input{/etc/passwd} \\write18{ls} \\end{document}",
    "LaTeX signs": "$x$ #1 %a ^b _c ~d {e \\\\ &f",
    "Pango markup": "<b>a</b> <span",
    "PDF": ") Tj (a\\) << >> endobj",
    "format": "%s%n {0} ${x} $(ls) `ls`",
    "path": "../../etc/passwd",
    "JSON": '{"a": [1, "b\\u0000"]}',
    "long word": "x" * 100_000,
    "long word of many bytes": "語" * 30_000,
    "many lines": "\n" * 1000 + "a",
}
INVALID = {"bytes": b"a\xff\xfe\x80b", "cut off": b"a\xe2\x82", "surrogate": b"\xed\xa0\x80", "too long": b"\xc0\xaf",
           "beyond": b"\xf4\x90\x80\x80", "nul": b"a\0b"}
# XML cannot contain these; the program shows each as a visible symbol.
NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff\ufdd0]")


def session_of(text):
    """A session that uses this text wherever it has text."""
    zero = {"fill": "zero"}
    return json.dumps({
        "type": "attention-lab session", "version": 1, "title": text, "sentence": text,
        "tokens": [{"text": text}, {"text": "b"}], "dimensions": [text, "y"],
        "config": {"d_model": 2, "n_heads": 1, "d_k": 1, "d_v": 1},
        "heads": [{"W_Q": zero, "W_K": zero, "W_V": zero}], "W_O": zero})


class Page(html.parser.HTMLParser):
    """A page as a browser parses it: its elements, its scripts, and the names of attributes."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.scripts, self.attributes = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attributes}
        if tag == "script":
            self.scripts.append((dict(attributes).get("type"), ""))

    def handle_data(self, data):
        if self.tags and self.tags[-1] == "script" and self.lasttag == "script":
            kind, before = self.scripts[-1]
            self.scripts[-1] = (kind, before + data)

    def active(self):
        """The executable scripts, which are the program's own."""
        return [text for kind, text in self.scripts if kind != "application/json"]

    def data(self):
        return [json.loads(text) for kind, text in self.scripts if kind == "application/json"]


def strings_in(value):
    if isinstance(value, dict):
        for part in value.values():
            yield from strings_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings_in(part)
    elif isinstance(value, str):
        yield value


class HostileText(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.plain = Page(cls.export(cls, "plain", session_of("a"), "html").decode())

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_program(self, *arguments, given=b""):
        return subprocess.run([PROGRAM, *arguments], input=given, capture_output=True, timeout=120)

    def export(self, name, session, ending, *options):
        output = os.path.join(self.folder.name, "out." + ending)
        run = subprocess.run([PROGRAM, "export", "-", "-o", output, *options], input=session.encode(),
                             capture_output=True, timeout=120)
        if run.returncode != 0:
            raise AssertionError("%s as %s: %d %r" % (name, ending, run.returncode, run.stderr[:300]))
        with open(output, "rb") as file:
            return file.read()

    def for_each(self, check):
        for name, text in TEXTS.items():
            with self.subTest(name):
                check(name, text, session_of(text))

    def expect_one_line(self, run):
        self.assertRegex(run.stderr.decode(), r"\Aattention-lab: [^\n]*\n\Z")

    def test_sessions_keep_it(self):
        def check(name, text, session):
            run = self.run_program("apply", "-", "/dev/null", "-o", "-", given=session.encode())
            self.assertEqual(run.returncode, 0, run.stderr)
            saved = json.loads(run.stdout.decode())
            self.assertEqual((saved["title"], saved["sentence"]), (text, text))
            self.assertEqual(saved["tokens"][0]["text"], text)
            self.assertEqual(saved["dimensions"][0], text)

        self.for_each(check)

    def test_sentences_keep_it_or_say_why_not(self):
        def check(name, text, session):
            line = json.dumps({"do": "set_sentence", "text": text}).encode()
            self.check_sentence(line, lambda saved: self.assertEqual(saved["sentence"], text))

        self.for_each(check)
        for name, text in INVALID.items():
            with self.subTest(name):
                line = json.dumps({"do": "set_sentence", "text_hex": text.hex()}).encode()
                self.check_sentence(line, lambda saved: self.assertTrue(saved["sentence"]))
                self.check_sentence(b'{"do": "set_sentence", "text": "' + text + b'"}', lambda saved: None)

    def check_sentence(self, line, check):
        with open(self.path("line"), "wb") as file:
            file.write(line)
        run = self.run_program("apply", "refer", self.path("line"), "-o", "-")
        self.assertIn(run.returncode, (0, 5), run.stderr)
        if run.returncode == 0:
            check(json.loads(run.stdout.decode()))
        else:
            self.expect_one_line(run)

    def test_tables_keep_it(self):
        def check(name, text, session):
            table = self.export(name, session, "csv", "--stage", "weights").decode()
            rows = list(csv.reader(io.StringIO(table, newline="")))
            self.assertEqual((rows[0], rows[1][0], rows[2][0]), (["", text, "b"], text, "b"))

        self.for_each(check)

    def test_pictures_show_it(self):
        xmllint = shutil.which("xmllint")

        def check(name, text, session):
            svg = self.export(name, session, "svg", "--title", text.replace("\0", ""), "--bare")
            root = xml.etree.ElementTree.fromstring(svg)
            self.assertFalse({"script", "foreignObject", "image"} & {e.tag.split("}")[1] for e in root.iter()})
            self.assertFalse([a for e in root.iter() for a in e.attrib if a.lower().startswith("on")])
            if len(text) < 20 and text.isprintable() and " " not in text:
                self.assertIn(text, "".join(root.itertext()))
            if xmllint:
                run = subprocess.run([xmllint, "--noout", "--nonet", "-"], input=svg, capture_output=True)
                self.assertEqual((run.returncode, run.stderr), (0, b""))

        self.for_each(check)

    def test_pictures_carry_it(self):
        def check(name, text, session):
            for ending in ("png", "pdf", "svg", "html"):
                self.export(name, session, ending)
                run = self.run_program("apply", self.path("out." + ending), "/dev/null", "-o", "-")
                self.assertEqual(run.returncode, 0, (ending, run.stderr))
                sentence = json.loads(run.stdout.decode())["sentence"]
                if ending != "svg" or not NOT_XML.search(text):
                    self.assertEqual(sentence, text, ending)

        self.for_each(check)

    def test_pages_run_none_of_it(self):
        def check(name, text, session):
            page = Page(self.export(name, session, "html").decode())
            self.assertEqual(page.tags, self.plain.tags)
            self.assertEqual(page.active(), self.plain.active())
            self.assertLessEqual(page.attributes, self.plain.attributes)
            self.assertIn(text, set(strings_in(page.data())))

        self.for_each(check)

    def test_latex_takes_it_for_letters(self):
        def check(name, text, session):
            tex = self.export(name, session, "tex", "--stage", "weights").decode()
            body = tex.replace("\\\\", "").replace("\\{", "").replace("\\}", "")
            self.assertEqual(body.count("{"), body.count("}"))
            self.assertNotRegex(tex, r"\\input\b|\\write|\$x\$")
            self.assertEqual(tex.count("\\end{document}"), 1)

        self.for_each(check)

    def test_explanations_show_it(self):
        def check(name, text, session):
            for options in ([], ["--json"]):
                run = self.run_program("explain", "-", "--row", "0", "--col", "0", *options, given=session.encode())
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertNotRegex(run.stdout.decode(), "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u2028]")

        self.for_each(check)


if __name__ == "__main__":
    unittest.main()
