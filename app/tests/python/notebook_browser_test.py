"""A notebook with the wheel alone, executed by nbconvert and opened in a headless browser: its pages compute.

Needs the page that computes, chromium, chromium-driver and python3-selenium, and a Python that has nbconvert, ipykernel
and NumPy: $ATTENTION_LAB_NOTEBOOK_PYTHON, or the one that runs this. Without them it is skipped. To try it as a reader
does: make a venv, pip install the wheel, nbconvert and ipykernel there, and name its Python.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from support import PACKAGE, ROOT

import numpy as np

PYTHON = os.environ.get("ATTENTION_LAB_NOTEBOOK_PYTHON", sys.executable)
PAGE = pathlib.Path(os.environ.setdefault("ATTENTION_LAB_PAGE", str(ROOT / "build" / "web" / "attention-lab.html")))
NEEDED = "import ipykernel, nbconvert, numpy"
if not PAGE.is_file() or subprocess.run([PYTHON, "-c", NEEDED], capture_output=True, check=False).returncode != 0:
    print(f"skipped: there is no {PAGE}, or {PYTHON} cannot {NEEDED}")
    sys.exit(77)
sys.path.insert(0, str(ROOT / "app" / "web" / "tests" / "browser"))
from page import PageTest, example, weights_of  # ends with 77 where there is no browser

HOSTILE = "</script><script>parent.hacked=hacked=1</script>"
CELLS = ["""
import numpy as np
import attention_lab as lab
random = np.random.default_rng(7)
x = random.normal(size=(6, 8))
w_q, w_k, w_v = random.normal(size=(3, 2, 8, 4))
lab.page(x, w_q, w_k, w_v, tokens="the cat sat on the mat", title="A layer", height=620)""", """
lab.page("refer", height=460)""", f"""
weights = random.dirichlet(np.ones(4), size=(3, 2, 4))
handle = lab.show(weights=weights, tokens=["a", {HOSTILE!r}, "c", "d"], title={HOSTILE!r})
handle""", """
try: handle.numbers()
except lab.NoAnswer as error: print(error)"""]


def executed(folder):
    """The notebook of CELLS with its outputs, as an HTML file. Python has the wheel and what it came with, no more."""
    done = subprocess.run([sys.executable, "-B", str(PACKAGE / "make_wheel.py"), str(PAGE), str(folder)], check=True,
                          capture_output=True, text=True)
    subprocess.run([sys.executable, "-m", "zipfile", "-e", done.stdout.strip(), str(folder / "wheel")], check=True)
    cells = [{"cell_type": "code", "id": f"cell-{k}", "execution_count": None, "metadata": {}, "outputs": [],
              "source": text.strip()} for k, text in enumerate(CELLS)]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    (folder / "pages.ipynb").write_text(json.dumps({"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4,
                                                    "nbformat_minor": 5}))
    environ = {name: value for name, value in os.environ.items() if not name.startswith("ATTENTION_LAB")}
    subprocess.run([PYTHON, "-m", "nbconvert", "--execute", "--to", "html", "pages.ipynb"], check=True, cwd=folder,
                   capture_output=True, env={**environ, "PYTHONPATH": str(folder / "wheel"), "PATH": "/usr/bin:/bin"})
    return folder / "pages.html"


def softmax(scores):
    raised = np.exp(scores - scores.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)


class Notebook(PageTest):
    size = "laptop"

    @classmethod
    def setUpClass(cls):
        made = tempfile.TemporaryDirectory()
        cls.addClassCleanup(made.cleanup)
        cls.notebook = executed(pathlib.Path(made.name))
        super().setUpClass()

    def setUp(self):
        self.driver.switch_to.default_content()
        self.driver.get(self.notebook.as_uri())
        self.addCleanup(self.driver.switch_to.default_content)

    def enter(self, k):
        """Scrolls to the page of a cell and goes into its frame, once it computes."""
        frame = self.all("iframe[data-attention-lab-frame]")[k]
        self.script("arguments[0].scrollIntoView()", frame)
        self.driver.switch_to.frame(frame)
        self.until(lambda: self.script("return document.body?.dataset.ready === 'true'"), 120)
        self.settle()

    def test_a_page_computes_what_python_gave(self):
        self.enter(0)
        random = np.random.default_rng(7)
        x = random.normal(size=(6, 8))
        w_q, w_k, _ = random.normal(size=(3, 2, 8, 4))
        scores = ((x @ w_q) @ (x @ w_k).swapaxes(1, 2))[0] / 2
        self.assertEqual((self.text("#document-title"), self.text("#token-count")), ("A layer", "6 tokens"))
        self.assert_numbers(self.numbers("weights"), softmax(scores).tolist())
        self.picture("notebook")
        self.click("[data-panel='model']")
        self.one("#mask-kind").send_keys("c")
        self.settle()
        scores[np.triu_indices(6, 1)] = -np.inf
        self.assert_numbers(self.numbers("weights"), softmax(scores).tolist())
        self.assertEqual(self.text("#status-python"), "Python does not see edits made here")

    def test_edits_outlive_a_frame_that_the_notebook_takes_away(self):
        self.enter(1)
        self.one("#sentence").send_keys(" today")
        self.until(lambda: self.text("#token-count") == "12 tokens")
        self.driver.switch_to.default_content()
        self.until(lambda: self.script("return Object.values(attentionLab.kept).length") == 1)
        self.script("const one = document.querySelectorAll('[data-attention-lab]')[1]; one.parentNode.prepend(one)")
        self.enter(1)
        self.until(lambda: self.text("#token-count") == "12 tokens")
        self.assertEqual(self.one("#sentence").get_attribute("value"), example("refer")["sentence"] + " today")

    def test_pages_share_the_code(self):
        self.assertEqual(len(re.findall(r"<div [^>]*data-page", self.notebook.read_text(encoding="utf-8"))), 1)
        self.enter(1)
        self.assertEqual(self.one("#sentence").get_attribute("value"), example("refer")["sentence"])
        self.assert_numbers(self.numbers("weights"), weights_of(example("refer"), 0))

    def test_layers_and_hostile_texts(self):
        self.enter(2)
        random = np.random.default_rng(7)
        random.normal(size=(6, 8)), random.normal(size=(3, 2, 8, 4))
        given = random.dirichlet(np.ones(4), size=(3, 2, 4))
        self.assert_numbers(self.numbers("weights"), given[0, 0].tolist())
        self.script("const one = document.getElementById('notebook-layers'); one.value = '2'; one.dispatchEvent(new Event('change'))")
        self.until(lambda: "layer 2" in self.text("#document-title"))
        self.settle()
        self.assert_numbers(self.numbers("weights"), given[2, 0].tolist())
        self.assertIn("hacked=1", self.text("#document-title"))
        self.assertIsNone(self.script("return window.hacked ?? null"))
        self.driver.switch_to.default_content()
        self.assertIsNone(self.script("return window.hacked ?? null"))
        self.assertIn("pip install anywidget", self.text(".jp-Cell:last-child .jp-OutputArea"))


if __name__ == "__main__":
    unittest.main()
