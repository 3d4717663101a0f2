"""Pages, figures and sessions, made and read by the program itself: ATTENTION_LAB."""
import ast
import html
import html.parser
import json
import os
import struct
import subprocess
import unittest
import warnings
import xml.etree.ElementTree as xml

from support import PACKAGE, PackageTest, numbers, weights

import numpy as np
import attention_lab as lab
from attention_lab.forms import content_of
from attention_lab.content_files import write_content
from attention_lab.notebook import option_arguments

PROGRAM = os.environ.get("ATTENTION_LAB")


def attention(q, k, v, allowed=True, added=0.0):
    """Weights [heads, n, m] and outputs of heads [heads, n, d_v], from the definition."""
    scores = q.astype(float) @ k.transpose(0, 2, 1) / np.sqrt(q.shape[2])
    scores = np.where(allowed, scores + added, -np.inf)
    raised = np.exp(scores - scores.max(-1, keepdims=True))
    shares = raised / raised.sum(-1, keepdims=True)
    return shares, shares @ v


class Tags(html.parser.HTMLParser):
    """The elements of a document, with their attributes."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))


@unittest.skipUnless(PROGRAM, "ATTENTION_LAB is the program")
class ProgramTest(PackageTest):

    def setUp(self):
        super().setUp()
        os.environ["ATTENTION_LAB_PAGE"] = ""  # the page that computes is tested in live_page_test.py
        warnings.simplefilter("error")
        self.addCleanup(warnings.resetwarnings)

    def file(self, name):
        return os.path.join(self.folder, name)

    def run_program(self, *arguments):
        subprocess.run([PROGRAM, *arguments], check=True, capture_output=True)


class Pages(ProgramTest):

    def test_are_documents_of_their_own_in_the_notebook(self):
        page = lab.page("refer", height=500)
        drawn = page._repr_html_()
        tags = Tags()
        tags.feed(drawn)
        self.assertEqual([name for name, _ in tags.seen], ["iframe"])
        frame = tags.seen[0][1]
        self.assertTrue(frame["srcdoc"] == page.html, "the whole page is in the frame")
        self.assertIn("height:500px", frame["style"])
        self.assertIn("allow-scripts", frame["sandbox"])
        self.assertNotIn("allow-same-origin", frame["sandbox"], "the page cannot reach the notebook")

    def test_of_arrays(self):
        page = lab.page(weights=weights(2, 3, 3), tokens=["<b>", "\"cat\"", "猫"])
        for token in ("<b>", "猫"):
            self.assertTrue(token in page.html or html.escape(token) in page.html or "\\u003cb" in page.html, token)
        path = self.file("page.html")
        page.save(path)
        np.testing.assert_allclose(lab.open_session(path)["weights"], weights(2, 3, 3), atol=1e-6)

    def test_of_a_layer_of_many(self):
        values = weights(3, 2, 4, 4)
        for source in (values, list(values)):
            page = lab.page(weights=source, layer=2)
            page.save(self.file("page.html"))
            np.testing.assert_allclose(lab.open_session(self.file("page.html"))["weights"], values[2], atol=1e-6)
        with self.fails(lab.BadArgument, "no layer 3"):
            lab.page(weights=values, layer=3)


class Figures(ProgramTest):

    def test_are_svg(self):
        figure = lab.figure(weights=weights(2, 3, 4), tokens="The cat sat", key_tokens=list("wxyz"), title="Heads")
        drawing = figure._repr_svg_()
        self.assertEqual(xml.fromstring(drawing.encode()).tag, "{http://www.w3.org/2000/svg}svg")
        for text in ("The", "cat", "sat", "w", "z", "Heads"):
            self.assertTrue(f">{text}<" in drawing, text)
        self.assertIsNone(figure._repr_png_())
        figure.save(self.file("figure.svg"))
        np.testing.assert_allclose(lab.open_session(self.file("figure.svg"))["weights"], weights(2, 3, 4), atol=1e-6)

    def test_are_png_at_their_size_on_paper(self):
        for dpi in (96, 300):
            figure = lab.figure("refer", format="png", width_mm=100, dpi=dpi)
            self.assertIsNone(figure._repr_svg_())
            self.assertEqual(figure.data[:8], b"\x89PNG\r\n\x1a\n")
            width = struct.unpack(">I", figure.data[16:20])[0]
            self.assertAlmostEqual(width, 100 / 25.4 * dpi, delta=2)
            self.assertAlmostEqual(figure._repr_png_()[1]["width"], 100 / 25.4 * 96, delta=2)

    def test_take_the_options_of_export(self):
        drawn = lab.figure("refer", stage="scores", head=[1, 2], width_mm="page", range="-2,2", title="",
                           name={"it": "pronoun"}, mark=[(7, 1), (7, 2)], select="1-7", bare=True).data.decode()
        self.assertTrue(">pronoun<" in drawn and ">tired<" not in drawn)

    def test_of_a_model_that_reads_a_text(self):
        drawn = lab.figure("words", text="a small", layer="all", head="all").data.decode()
        self.assertTrue("small<" in drawn)

    def test_refused_by_the_program_in_its_own_words(self):
        with self.fails(lab.ProgramFailed, "there is no option --width; did you mean --width-mm?") as caught:
            lab.figure("refer", width=3)
        self.assertEqual(caught.exception.exit_code, 2)
        with self.fails(lab.ProgramFailed, "there is no file or example \"nothing\"") as caught:
            lab.page("nothing")
        self.assertEqual(caught.exception.exit_code, 6)

    def test_refused_here(self):
        with self.fails(lab.BadArgument, "format is 'gif'"):
            lab.figure("refer", format="gif")
        with self.fails(lab.BadArgument, "tokens has 1 texts for 3 queries"):
            lab.figure(weights=weights(1, 3, 3), tokens="a")

    def test_note_what_the_program_notes(self):
        with self.assertWarnsRegex(UserWarning, "no room for numbers"):
            lab.figure("refer", annot=True, head="all")

    def test_do_not_speak_of_files_that_the_caller_does_not_know(self):
        with self.fails(lab.ProgramFailed) as caught:
            lab.figure(weights=weights(1, 1030, 1030))
        self.assertNotIn(".safetensors", str(caught.exception))


class Options(PackageTest):

    def test_of_the_command_line(self):
        self.assertEqual(option_arguments({"width_mm": 89, "annot": True, "bare": False, "title": "", "head": [1, 2],
                                           "select": "1-3", "theme": None, "name": {"it": "x"}, "mark": [(1, 2)]}),
                         ["--width-mm=89", "--annot", "--title", "", "--head=1,2", "--tokens=1-3", "--name=it=x",
                          "--mark=1,2"])


class Problems(ProgramTest):
    """Arrays as files: the program computes from them what follows from the arrays by definition."""

    def computed(self, *arrays, **named):
        path = self.file("arrays.safetensors")
        write_content(content_of(arrays, named), 0, path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return lab.open_session(path)

    def test_of_queries_keys_and_values(self):
        q, k, v = numbers(2, 5, 4), numbers(2, 5, 4, seed=1), numbers(2, 5, 6, seed=2)
        added = np.where(np.tri(5) > 0, numbers(5, 5), -np.inf)
        for mask, allowed, more in ((None, True, 0), ("causal", np.tri(5) > 0, 0),
                                    (added, np.tri(5) > 0, numbers(5, 5))):
            computed = self.computed(q, k, v, mask=mask, tokens="a b c d e")
            shares, output = attention(q, k, v, allowed, more)
            np.testing.assert_allclose(computed["weights"], shares, atol=1e-5)
            np.testing.assert_allclose(computed["output"], output.mean(0), atol=1e-5)
            self.assertEqual(computed.tokens, list("abcde"))

    def test_of_queries_of_other_tokens_than_keys(self):
        for n, m in ((3, 5), (5, 3), (4, 4)):
            q, k, v = numbers(2, n, 4), numbers(2, m, 4, seed=1), numbers(2, m, 6, seed=2)
            keys = list("abcdefgh"[:m])
            computed = self.computed(q, k, v, tokens=list("stuvwxyz"[:n]), key_tokens=keys)
            shares, output = attention(q, k, v)
            np.testing.assert_allclose(computed["weights"], shares, atol=1e-5)
            np.testing.assert_allclose(computed["output"], output.mean(0), atol=1e-5)
            self.assertEqual(computed.key_tokens, keys)

    def test_of_heads_that_share_keys_and_values(self):
        q, k, v = numbers(4, 5, 3), numbers(2, 5, 3, seed=1), numbers(2, 5, 6, seed=2)
        shares, _ = attention(q, k.repeat(2, 0), v.repeat(2, 0))
        np.testing.assert_allclose(self.computed(q, k, v)["weights"], shares, atol=1e-5)

    def test_of_a_layer(self):
        x, x_kv, w_o = numbers(5, 6), numbers(4, 6, seed=9), numbers(8, 6, seed=5)
        w_q, w_k, w_v = numbers(2, 6, 3, seed=1), numbers(2, 6, 3, seed=2), numbers(2, 6, 4, seed=3)
        b_q, b_v, b_o = numbers(2, 3, seed=6), numbers(2, 4, seed=7), numbers(6, seed=8)
        computed = self.computed(x, w_q, w_k, w_v, w_o, b_q=b_q, b_v=b_v, b_o=b_o, x_kv=x_kv)
        shares, heads = attention(x @ w_q + b_q[:, None], x_kv @ w_k, x_kv @ w_v + b_v[:, None])
        np.testing.assert_allclose(computed["weights"], shares, atol=1e-5)
        np.testing.assert_allclose(computed["output"], np.hstack(list(heads)) @ w_o + b_o, atol=1e-4)


class Example(ProgramTest):
    """The notebook in app/python/examples."""

    def setUp(self):
        super().setUp()
        with open(PACKAGE / "examples" / "attention.ipynb") as file:
            self.cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]

    def test_has_no_outputs(self):
        for cell in self.cells:
            self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None))

    def test_draws_a_page_and_figures(self):
        names, drawn = {}, []
        for cell in self.cells:
            lines = ast.parse("".join(cell["source"]))
            last = ast.Expression(lines.body.pop().value) if isinstance(lines.body[-1], ast.Expr) else None
            exec(compile(lines, "cell", "exec"), names)
            drawn.append(eval(compile(last, "cell", "eval"), names) if last else None)
        self.assertEqual([type(one).__name__ for one in drawn], ["NoneType", "Page", "Figure", "Figure", "tuple"])
        self.assertTrue(">sat<" in drawn[2]._repr_svg_() and drawn[3]._repr_png_())


class Sessions(ProgramTest):

    def setUp(self):
        super().setUp()
        self.reference = lab.open_session("refer")

    def test_hold_the_problem_and_all_stages(self):
        shapes = {"X": (11, 8), "W_Q": (3, 8, 4), "W_O": (12, 8), "Q": (3, 11, 4), "weights": (3, 11, 11),
                  "output": (11, 8)}
        self.assertEqual({name: self.reference[name].shape for name in shapes}, shapes)
        self.assertEqual(self.reference.tokens[:3], ["The", "animal", "didn't"])
        self.assertIn("weights [3, 11, 11]", repr(self.reference))
        np.testing.assert_allclose(self.reference["X"] @ self.reference["W_Q"], self.reference["Q"], atol=1e-5)

    def test_are_read_from_files_and_figures(self):
        self.run_program("convert", "refer", "-o", self.file("a.attn.json"))
        self.run_program("convert", "refer", "-o", self.file("a.npz"))
        self.run_program("export", "refer", *(part for ending in ("pdf", "png", "svg", "html", "webp")
                                              for part in ("-o", self.file(f"a.{ending}")) if ending != "webp"))
        for name in ("a.attn.json", "a.npz", "a.pdf", "a.png", "a.svg", "a.html"):
            opened = lab.open_session(self.file(name))
            np.testing.assert_allclose(opened["weights"], self.reference["weights"], atol=1e-6)
            self.assertEqual(opened.tokens, self.reference.tokens)

    def test_hold_overrides(self):
        edits = self.file("edits.jsonl")
        with open(edits, "w") as file:
            file.write('{"do":"set_override","stage":"weights","head":1,"row":7,"col":1,"value":0.5}\n')
        self.run_program("apply", "refer", edits, "-o", self.file("edited.json"))
        self.assertEqual(lab.open_session(self.file("edited.json"))["weights"][0, 7, 1], np.float32(0.5))

    def test_of_several_sentences(self):
        with open(self.file("edits.jsonl"), "w") as file:
            file.write('{"do":"add_sentence","text":"a dog saw it"}\n{"do":"set_mask","causal":true}\n')
        self.run_program("apply", "refer", self.file("edits.jsonl"), "-o", self.file("two.json"))
        both = lab.open_session(self.file("two.json"))
        self.assertEqual((both["X"].shape, both["weights"].shape), ((2, 11, 8), (2, 3, 11, 11)))
        self.assertEqual((both["W_Q"].shape, both.tokens[1]), ((3, 8, 4), "a dog saw it".split()))
        second = lab.open_session(self.file("two.json"), sentence=2)
        self.assertEqual((second.tokens, second["X"].shape), ("a dog saw it".split(), (4, 8)))
        np.testing.assert_allclose(second["weights"], both["weights"][1, :, :4, :4], atol=1e-6)
        with self.fails(lab.ProgramFailed, "1 to 2"):
            lab.open_session(self.file("two.json"), sentence=3)

    def test_of_a_model(self):
        edits = self.file("edits.jsonl")
        open(edits, "w").close()
        self.run_program("apply", "words", edits, "--text", "a small", "-o", self.file("model.json"))
        opened = lab.open_session(self.file("model.json"))
        self.assertTrue(opened, "arrays of the model")

    def test_that_cannot_be_read(self):
        with open(self.file("bad.json"), "w") as file:
            file.write('{"format": 3')
        for name in ("bad.json", "none.json"):
            with self.fails(lab.ProgramFailed, name) as caught:
                lab.open_session(self.file(name))
            self.assertIn(caught.exception.exit_code, (5, 6))


if __name__ == "__main__":
    unittest.main()
