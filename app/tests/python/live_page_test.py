"""The page that computes, in notebooks, as Python makes it: a small stand-in has the page's place. What it does in a
browser is tested in notebook_browser_test.py.
"""
import base64
import gzip
import html.parser
import importlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import types
import unittest

from support import PACKAGE, PackageTest, numbers, weights

import numpy as np
import attention_lab as lab
from attention_lab import cells, handle, page_file
from attention_lab.tensors import read, write

try:
    import torch
    import transformers
    from transformers_test import TEXT, tokenizer
except ImportError:
    transformers = None

HOSTILE = "</script><script>alert(1)</script>\""


def packed(data):
    return base64.b64encode(gzip.compress(data)).decode()


def stand_in():
    """A page that has what the package looks for."""
    index = json.dumps({"examples": [{"name": "refer"}, {"name": "cat-sat"}]}).encode()
    files = [["/assets/a.txt", 3], ["/assets/examples/index.json", len(index)]]
    archive = packed(json.dumps(files).encode() + b"\nabc" + index)
    return ('<!DOCTYPE html>\n<html><body>\n<script type="text/plain" id="models-data">AAAA</script>\n'
            f'<script type="text/plain" id="assets-data">{archive}</script>\n'
            '<script type="text/plain" id="engine-data">QQ==</script>\n'
            '<script type="module">"a </body> in a script"</script>\n</body>\n</html>\n')


class Elements(html.parser.HTMLParser):
    """The script elements of a document, by id, and its frames."""

    def __init__(self, text):
        super().__init__()
        self.texts, self.frames, self._id = {}, [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "script":
            self._id = values.get("id", f"unnamed {len(self.texts)}")
            self.texts[self._id] = ""
        if tag == "iframe":
            self.frames.append(values)

    def handle_data(self, data):
        if self._id is not None:
            self.texts[self._id] += data

    def handle_endtag(self, tag):
        self._id = None


class Inside:
    """What a page carries: its description, and the arrays of a layer."""

    def __init__(self, page):
        self.elements = Elements(page if isinstance(page, str) else page.html)
        self.data = json.loads(self.elements.texts["notebook-data"])

    def layer(self, k=0):
        return read(self.file(k))

    def file(self, k=0):
        return gzip.decompress(base64.b64decode(self.elements.texts[self.data["carried"][str(k)]["id"]]))


class PagedTest(PackageTest):
    """With the stand-in for the page, and without the program."""

    def setUp(self):
        super().setUp()
        os.environ["ATTENTION_LAB"] = "/nowhere/attention-lab"
        os.environ["ATTENTION_LAB_PAGE"] = self.file("page.html")
        pathlib.Path(self.file("page.html")).write_text(stand_in(), encoding="utf-8")

    def file(self, name):
        return os.path.join(self.folder, name)

    @staticmethod
    def python(code, cwd, **environ):
        """Runs `code` in another process."""
        return subprocess.run([sys.executable, "-B", "-c", code], cwd=cwd, capture_output=True, text=True, check=True,
                              env={**os.environ, "PYTHONPATH": "", **environ})


class Finding(PagedTest):

    def test_says_how_to_get_the_page(self):
        os.environ["ATTENTION_LAB_PAGE"] = self.file("nothing.html")
        with self.fails(lab.PageNotFound, "nothing.html"):
            lab.page(weights=weights(1, 2, 2), live=True)
        del os.environ["ATTENTION_LAB_PAGE"]
        shutil.copytree(PACKAGE / "attention_lab", self.file("attention_lab"))  # away from the build folders
        code = "import attention_lab as lab\ntry: lab.page('refer')\nexcept lab.PageNotFound as e: print(e)"
        done = self.python(code, cwd=self.folder)
        for words in ("third_party/setup.sh wheel", "third_party/setup.sh web", "$ATTENTION_LAB_PAGE"):
            self.assertIn(words, done.stdout)

    def test_refuses_another_file(self):
        pathlib.Path(self.file("page.html")).write_text("<html></html>")
        with self.fails(lab.PageNotFound, "is not the page"):
            lab.page(weights=weights(1, 2, 2))

    def test_leaves_out_trained_models(self):
        self.assertNotIn("models-data", lab.page("refer").html)
        self.assertEqual(page_file.page_file().examples, ["refer", "cat-sat"])

    def test_works_on_systems_without_windows_of_their_own(self):
        code = ("import sys, os, random, socket, tempfile, numpy as np\nsys.modules['fcntl'] = None\ndel os.getuid, os.register_at_fork, socket.AF_UNIX\n"
                "import attention_lab as lab\nprint(len(lab.page(weights=np.eye(2)[None]).html) > 0)\n"
                "try: lab.show(weights=np.eye(2)[None])\nexcept lab.WindowUnavailable as e: print(e)")
        done = self.python(code, cwd=PACKAGE)
        self.assertIn("True\n", done.stdout)
        self.assertIn("is for Linux", done.stdout)


class Contents(PagedTest):

    def test_of_weights(self):
        values = weights(2, 3, 3)
        page = Inside(lab.page(weights=values, tokens="The cat sat", title="Mine", head=2, theme="dark", language="de"))
        expected = {"what": "weights", "title": "Mine", "layers": 1, "layer": 0, "head": 1, "theme": "dark", "language": "de"}
        self.assertEqual({name: page.data[name] for name in expected}, expected)
        np.testing.assert_array_equal(page.layer().arrays["weights"], values)
        self.assertEqual(json.loads(page.layer().metadata["tokens"]), ["The", "cat", "sat"])

    def test_of_a_layer_have_the_names_of_files(self):
        x, w, w_o = numbers(5, 6), numbers(2, 6, 3), numbers(6, 6)
        arrays = Inside(lab.page(x, w, w, w, w_o, mask="causal")).layer().arrays
        self.assertEqual(set(arrays), {"X", "W_Q", "W_K", "W_V", "W_O", "mask"})
        np.testing.assert_array_equal(arrays["W_O"], w_o)

    def test_of_sessions_and_examples(self):
        session = {"type": "attention-lab session", "title": HOSTILE}
        pathlib.Path(self.file("work.attn.json")).write_text(json.dumps(session))
        page = Inside(lab.page(self.file("work.attn.json")))
        self.assertEqual((page.data["what"], page.data["title"], json.loads(page.file())), ("session", "work", session))
        self.assertEqual(Inside(lab.page("refer")).data["what"], "example")
        with self.fails(lab.BadArgument, "no file or example 'nothing'", "refer, cat-sat"):
            lab.page("nothing")

    def test_can_end_no_element(self):
        page = lab.page(weights=weights(1, 2, 2), tokens=[HOSTILE, "b"], title=HOSTILE)
        inside = Inside(page)
        self.assertEqual(inside.data["title"], HOSTILE)
        self.assertEqual(json.loads(inside.layer().metadata["tokens"])[0], HOSTILE)
        self.assertNotIn("alert(1)</script>", page.html)
        frames = Elements(page._repr_html_()).frames
        self.assertEqual(len(frames), 1)
        self.assertEqual(frames[0]["srcdoc"], page.html)
        self.assertIn("allow-scripts", frames[0]["sandbox"])
        self.assertNotIn("allow-same-origin", frames[0]["sandbox"], "the page cannot reach the notebook")

    def test_stand_at_the_end_of_the_page(self):
        page = lab.page(weights=weights(1, 2, 2))
        self.assertIn('"a </body> in a script"', page.html)
        self.assertLess(page.html.index("a script"), page.html.index("notebook-data"))
        page.save(self.file("saved.html"))
        self.assertEqual(pathlib.Path(self.file("saved.html")).read_text(encoding="utf-8"), page.html)

    def test_refused(self):
        for words, options in (("theme is 'blue'", {"theme": "blue"}), ("head is 0", {"head": 0}),
                               ("no layer 2", {"layer": 2}), ("carry has 5", {"carry": [5]}),
                               ("carry is 'some'", {"carry": "some"}), ("palette is an option", {"palette": "blues"})):
            with self.fails(lab.BadArgument, words):
                lab.page(weights=weights(2, 2, 2), live=True, **options)
        with self.fails(lab.BadArgument, "compact is for weights"):
            lab.page(numbers(1, 3, 4), numbers(1, 3, 4), numbers(1, 3, 4), compact=True)


class Layers(PagedTest):

    def test_few_are_all_carried_as_they_are(self):
        values = weights(3, 2, 4, 4)
        page = Inside(lab.page(weights=values, layer=1))
        self.assertEqual((page.data["layers"], page.data["layer"]), (3, 1))
        for k in range(3):
            np.testing.assert_array_equal(page.layer(k).arrays["weights"], values[k])
            self.assertFalse(page.data["carried"][str(k)]["rounded"])

    def test_more_are_rounded(self):
        values = weights(12, 12, 48, 48)  # 1.3 MB
        page = Inside(lab.page(weights=values))
        self.assertEqual(len(page.data["carried"]), 12)
        self.assertTrue(page.data["carried"]["7"]["rounded"])
        np.testing.assert_allclose(page.layer(7).arrays["weights"], values[7], rtol=5e-4)

    def test_of_many_one_is_carried_or_those_asked_for(self):
        values = weights(12, 12, 128, 128)
        self.assertEqual(Inside(lab.page(weights=values, layer=3)).data["carried"],
                         {"3": {"id": "notebook-layer-3", "rounded": False}})
        page = Inside(lab.page(weights=values, carry=[11, 0], compact=True))
        self.assertEqual(list(page.data["carried"]), ["0", "11"])
        self.assertTrue(page.data["carried"]["11"]["rounded"])
        self.assertEqual(len(Inside(lab.page(weights=weights(4, 1, 3, 3), carry="all")).data["carried"]), 4)

    def test_of_a_function_are_not_called_for(self):
        called = []

        def of(layer):
            called.append(layer)
            return weights(2, 3, 3, seed=layer)

        page = Inside(lab.page(weights=of, layers=96))
        self.assertEqual((list(page.data["carried"]), set(called)), (["0"], {0}))

    def test_of_what_a_transformer_returns(self):
        attentions = tuple(weights(1, 2, 3, 3, seed=k) for k in range(5))
        page = Inside(lab.page(attentions, tokens="a b c"))
        self.assertEqual((page.data["layers"], len(page.data["carried"])), (5, 5))
        np.testing.assert_array_equal(page.layer(4).arrays["weights"], attentions[4][0])


class FakeShell:
    """A notebook's kernel, and the outputs of its cells."""

    def __init__(self):
        self.kernel = self
        self.execution_count = 0
        self.cell = {}
        self.outputs = []
        self.places = {}

    def run(self, cell, by_id=True):
        self.execution_count += 1
        self.outputs = []
        self.cell = {"metadata": {"cellId": cell} if by_id else {}, "content": {"code": cell}}

    def get_parent(self):
        return self.cell

    def display(self, data, raw=False, display_id=None):
        self.places[display_id] = len(self.outputs)
        self.outputs.append(data["text/html"] if raw else data)

    def update_display(self, data, raw=False, display_id=None):
        self.outputs[self.places[display_id]] = data["text/html"]


WIDGETS = """
class AnyWidget:
    def __init__(self, **members):
        self.members, self.sent, self.heard, self.is_open = members, [], None, True
    def on_msg(self, hear):
        self.heard = hear
    def send(self, message, buffers=()):
        self.sent.append((message, list(buffers)))
    def close(self):
        self.is_open = False
"""
TRAITLETS = """
class Unicode:
    def tag(self, **_):
        return self
"""


class NotebookTest(PagedTest):
    """In a notebook, with anywidget if `widgets` says so."""

    widgets = False

    def setUp(self):
        super().setUp()
        os.environ.pop("ATTENTION_LAB_SOCKET")
        os.environ["XDG_RUNTIME_DIR"] = self.folder
        self.shell = FakeShell()
        ipython = types.ModuleType("IPython")
        ipython.get_ipython = lambda: self.shell
        display = types.ModuleType("IPython.display")
        display.display, display.update_display = self.shell.display, self.shell.update_display
        self.modules({"IPython": ipython, "IPython.display": display})
        if self.widgets:
            for name, text in (("anywidget", WIDGETS), ("traitlets", TRAITLETS)):
                pathlib.Path(self.file(f"{name}.py")).write_text(text)
            self.modules({"anywidget": None, "traitlets": None})
            sys.path.insert(0, self.folder)
            self.addCleanup(sys.path.remove, self.folder)
            importlib.invalidate_caches()
            from attention_lab import bridge
            self.addCleanup(bridge._classes.clear)
            bridge._classes.clear()
        self.addCleanup(setattr, cells, "shared", cells.shared)
        cells.shared = cells.SharedPage()
        self.addCleanup(handle._pages.clear)

    def modules(self, made):
        before = {name: sys.modules.pop(name, None) for name in made}
        sys.modules.update({name: module for name, module in made.items() if module is not None})
        self.addCleanup(lambda: [sys.modules.pop(name, None) if module is None else sys.modules.update({name: module})
                                 for name, module in before.items()])

    def carries(self, page):
        """Shows a page; whether its output has the page itself."""
        page._ipython_display_()
        return "<div hidden data-page>" in self.shell.outputs[-1]


class Outputs(NotebookTest):

    def test_share_one_page(self):
        self.shell.run("first")
        self.assertTrue(self.carries(lab.page("refer")))
        self.assertFalse(self.carries(lab.page("refer")), "another in the same cell")
        self.shell.run("second")
        self.assertFalse(self.carries(lab.page("refer")))

    def test_of_cells_that_are_run_again_carry_it_again(self):
        for by_id in (True, False):
            cells.shared = cells.SharedPage()
            for cell, carries in (("first", True), ("second", False), ("first", True), ("second", False), ("second", True),
                                  ("third", False), ("first", False), ("second", True), ("third", False)):
                self.shell.run(cell, by_id)
                self.assertEqual(self.carries(lab.page("refer")), carries, (cell, by_id))
                self.assertFalse(self.carries(lab.page("refer")), "another in the same cell")

    def test_in_colab_stand_alone(self):
        self.modules({"google.colab": types.ModuleType("google.colab")})
        for cell in ("first", "second"):
            self.shell.run(cell)
            self.assertTrue(self.carries(lab.page("refer")))

    def test_hold_the_arrays_and_the_page(self):
        values = weights(2, 3, 3)
        self.shell.run("first")
        page = lab.page(weights=values, title=HOSTILE)
        page._ipython_display_()
        output = self.shell.outputs[0]
        frame = Elements(output).frames[0]
        self.assertNotIn("allow-same-origin", frame["sandbox"])
        own = output.split("<div hidden data-own>")[1].split("</div>")[0]
        inside = Inside(gzip.decompress(base64.b64decode(own)).decode())
        np.testing.assert_array_equal(inside.layer().arrays["weights"], values)
        whole = gzip.decompress(base64.b64decode(output.split("<div hidden data-page>")[1].split("</div>")[0])).decode()
        self.assertEqual(whole, page_file.page_file().html)
        self.assertIn(repr(page.key), output.split("<script>")[1])

    def test_are_made_once_by_a_cell(self):
        self.shell.run("first")
        page = lab.show(weights=weights(1, 2, 2))
        page._ipython_display_()  # as its last expression
        self.assertEqual(len(self.shell.outputs), 1)
        self.shell.run("second")
        page._ipython_display_()
        self.assertEqual(len(self.shell.outputs), 1)


class Showing(NotebookTest):

    def test_without_a_program_is_in_a_page(self):
        self.shell.run("first")
        page = lab.show(weights=weights(1, 2, 2), name="heads", title="Mine")
        self.assertIsInstance(page, lab.LivePage)
        self.assertEqual((page.name, Inside(page).data["title"]), ("heads", "Mine"))
        self.assertEqual(len(self.shell.outputs), 1)

    def test_where_a_window_is_wanted_says_why_there_is_none(self):
        with self.fails(lab.WindowUnavailable, "no window listens"):
            lab.show(weights=weights(1, 2, 2), start=False)
        os.environ["ATTENTION_LAB_SOCKET"] = self.file("window.socket")
        with self.fails(lab.WindowUnavailable):
            lab.show(weights=weights(1, 2, 2))

    def test_outside_of_notebooks_says_that_there_is_no_program(self):
        self.shell.kernel = None
        with self.fails(lab.ProgramNotFound, "/nowhere/attention-lab"):
            lab.show(weights=weights(1, 2, 2))

    def test_numbers_need_anywidget(self):
        self.shell.run("first")
        page = lab.show(weights=weights(1, 2, 2))
        if importlib.util.find_spec("anywidget") is None:
            with self.fails(lab.NoAnswer, "pip install anywidget"):
                page.numbers()
            self.assertIn("anywidget", Inside(page).data["lacks"])

    def test_updates_take_the_place_of_what_was_shown(self):
        if importlib.util.find_spec("anywidget") is not None:
            self.skipTest("anywidget is installed")
        self.shell.run("first")
        page = lab.show(weights=weights(1, 2, 2))
        key = page.key
        self.assertIs(lab.show(weights=weights(1, 3, 3)), page)
        self.assertEqual(len(self.shell.outputs), 1)
        output = self.shell.outputs[0]
        own = Inside(gzip.decompress(base64.b64decode(output.split("<div hidden data-own>")[1].split("</div>")[0])).decode())
        np.testing.assert_array_equal(own.layer().arrays["weights"], weights(1, 3, 3))
        self.assertIn("<div hidden data-page>", output, "the output that carries the page goes on to do so")
        self.assertNotEqual(page.key, key, "edits of the page before do not come back")


class Bridged(NotebookTest):
    widgets = True

    def shown(self, *arrays, **named):
        self.shell.run(f"cell {self.shell.execution_count}")
        page = lab.show(*arrays, **named)
        self.widget = self.shell.outputs[-1]
        return page

    def say(self, message, *buffers):
        self.widget.heard(self.widget, message, [memoryview(one) for one in buffers])

    def tell(self, arrays, layer=0, **more):
        self.say({"do": "numbers", "layer": layer, "edited": True, "tokens": ["a", "b"], "key_tokens": ["a", "b"], **more},
                 b"".join(bytes(part) for part in write(arrays)))

    def test_numbers_come_back(self):
        page = self.shown(weights=weights(1, 2, 2), tokens="a b")
        self.assertEqual(self.widget.members["key"], page.key)
        with self.fails(lab.NoAnswer, "another cell"):
            page.numbers()
        edited = np.float32([[[0.25, 0.75], [1, 0]]])
        self.tell({"weights": edited})
        found = page.numbers()
        np.testing.assert_array_equal(found["weights"], edited)
        self.assertEqual((found.edited, found.tokens, found.key_tokens), (True, ["a", "b"], None))
        found["weights"][:] = 0
        np.testing.assert_array_equal(page.numbers()["weights"], edited)

    def test_numbers_are_of_the_layer_that_was_looked_at_last(self):
        page = self.shown(weights=weights(3, 1, 2, 2))
        for k in (0, 2, 0):
            self.tell({"weights": np.full((1, 2, 2), k, np.float32)}, k)
        self.assertEqual(page.numbers()["weights"][0, 0, 0], 0)
        self.assertEqual(page.numbers(2)["weights"][0, 0, 0], 2)
        with self.fails(lab.NoAnswer, "layer 1 has not been looked at"):
            page.numbers(1)

    def test_layers_are_sent_when_they_are_looked_at(self):
        values = weights(12, 4, 96, 96)
        self.shown(weights=lambda k: values[k] if k < 9 else values[k][:, :2], layers=12)
        self.say({"do": "layer", "layer": 5})
        message, buffers = self.widget.sent[-1]
        self.assertEqual(message, {"do": "layer", "layer": 5})
        np.testing.assert_array_equal(read(buffers[0]).arrays["weights"], values[5])
        for k, words in ((9, "[4, 2, 96]"), (40, "no layer 40")):
            self.say({"do": "layer", "layer": k})
            self.assertIn(words, self.widget.sent[-1][0]["error"])

    def test_what_is_not_understood_changes_nothing(self):
        page = self.shown(weights=weights(1, 2, 2))
        for message in (None, 7, {"do": "numbers"}, {"do": "layer", "layer": "x"}, {"do": "delete", "layer": 0}):
            self.say(message)
        self.say({"do": "numbers", "layer": 0}, b"garbage")
        self.assertEqual(self.widget.sent, [])
        with self.fails(lab.NoAnswer):
            page.numbers()

    def test_updates_go_to_the_page(self):
        page = self.shown(weights=weights(1, 2, 2), name="loop")
        for step in range(2):
            self.assertIs(lab.show(weights=weights(1, 2, 2, seed=step), name="loop"), page)
        page.update(weights=weights(1, 3, 3), tokens="a b c")
        message, buffers = self.widget.sent[-1]
        self.assertEqual((message["do"], message["layers"], len(self.widget.sent)), ("update", [0], 3))
        np.testing.assert_array_equal(read(buffers[0]).arrays["weights"], weights(1, 3, 3))
        np.testing.assert_array_equal(Inside(page).layer().arrays["weights"], weights(1, 3, 3))
        with self.fails(lab.BadArgument, "tokens"):
            page.update(weights=weights(1, 3, 3), tokens="a")
        self.assertEqual(len(self.shell.outputs), 2)

    def test_a_cell_that_is_run_again_has_a_page_of_its_own(self):
        first = self.shown(weights=weights(1, 2, 2), name="again")
        widget = self.widget
        second = self.shown(weights=weights(1, 2, 2), name="again")
        self.assertIsNot(first, second)
        self.assertFalse(widget.is_open)


@unittest.skipUnless(transformers, "torch or transformers is not installed")
class Models(NotebookTest):

    def setUp(self):
        super().setUp()
        torch.manual_seed(0)
        self.model = transformers.GPT2LMHeadModel(transformers.GPT2Config(
            n_embd=16, n_head=2, n_layer=3, n_positions=32, vocab_size=8, bos_token_id=None, eos_token_id=None,
            attn_implementation="eager"))
        self.tokenizer = tokenizer()
        self.inputs = self.tokenizer(TEXT, return_tensors="pt")

    def assert_attention(self, page):
        inside = Inside(page)
        self.assertEqual((inside.data["layers"], len(inside.data["carried"])), (3, 3))
        self.assertEqual(json.loads(inside.layer().metadata["tokens"]), TEXT.split())
        expected = self.model.eval()(**self.inputs, output_attentions=True).attentions
        for k in range(3):
            np.testing.assert_allclose(inside.layer(k).arrays["weights"], expected[k][0].detach(), atol=1e-6)

    def test_run_here(self):
        self.assert_attention(lab.page(self.model, self.tokenizer, TEXT))
        with self.fails(lab.BadArgument, "text is empty"):
            lab.page(self.model, self.tokenizer, " ")

    def test_are_shown_where_there_is_no_window(self):
        self.shell.run("first")
        self.assert_attention(lab.show_model(self.model, self.tokenizer, TEXT))
        output = self.model(**self.inputs, output_attentions=True)
        self.assert_attention(lab.show_attentions(output.attentions, TEXT.split()))
        self.assertEqual(len(self.shell.outputs), 1, "the same name")


class Wheel(PagedTest):

    def wheel(self, folder):
        return subprocess.run([sys.executable, "-B", str(PACKAGE / "make_wheel.py"), self.file("page.html"), self.file(folder)],
                              check=True, capture_output=True, text=True).stdout.strip()

    def test_carries_the_page(self):
        folder = pathlib.Path(self.file("wheel"))
        path = self.wheel("wheel")
        self.assertTrue(path.endswith(f"attention_lab-{lab.__version__}-py3-none-any.whl"))
        unpacked = self.file("unpacked")
        subprocess.run([sys.executable, "-m", "zipfile", "-e", path, unpacked], check=True)
        del os.environ["ATTENTION_LAB_PAGE"]
        code = ("import attention_lab as lab, numpy, importlib.metadata as m\nprint(lab.__file__)\n"
                "print(lab.page(weights=numpy.eye(2)[None]))\nprint(m.version('attention-lab'), m.requires('attention-lab'))")
        done = self.python(code, cwd=self.folder, PYTHONPATH=unpacked)
        self.assertIn("unpacked", done.stdout)
        self.assertIn("LivePage", done.stdout)
        self.assertIn(f"{lab.__version__} ['numpy', 'anywidget", done.stdout)
        self.assertNotIn(b"models-data", pathlib.Path(unpacked, "attention_lab", "attention-lab.html").read_bytes())

    def test_is_the_same_twice(self):
        self.assertEqual(*(pathlib.Path(self.wheel(name)).read_bytes() for name in ("a", "b")))

    def test_refuses_another_page(self):
        pathlib.Path(self.file("other.html")).write_text("<html></html>")
        done = subprocess.run([sys.executable, "-B", str(PACKAGE / "make_wheel.py"), self.file("other.html"), self.folder],
                              check=False, capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("is not the page that computes", done.stderr)


if __name__ == "__main__":
    unittest.main()
