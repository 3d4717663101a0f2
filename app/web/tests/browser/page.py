"""Support for the tests of the page that computes: a headless browser without network, and the arithmetic of attention."""

import base64
import json
import math
import os
import pathlib
import shutil
import sys
import tempfile
import time
import unittest

try:
    from selenium import webdriver
    from selenium.webdriver import ActionChains, Keys
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
except ImportError:
    sys.exit(77)

DRIVER = shutil.which("chromedriver")
if not DRIVER or not shutil.which("chromium"):
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[4]
PAGE = pathlib.Path(os.environ.get("ATTENTION_LAB_PAGE", ROOT / "build" / "web" / "attention-lab.html"))
if not PAGE.exists():
    sys.exit(f"{PAGE}: make the page first: sh third_party/setup.sh web")

SIZES = {"wide": (1600, 1000, False), "laptop": (1366, 768, False), "small": (1024, 768, False), "phone": (390, 844, True)}


def without_isolates(text):
    """The text without the characters that keep its parts apart from the writing direction around them."""
    return "".join(c for c in text if c not in "\u2066\u2067\u2068\u2069")


def example(name):
    """A session that the page carries."""
    return json.loads((ROOT / "assets" / "examples" / f"{name}.json").read_text(encoding="utf-8"))


def product(a, b):
    """The product of two matrices, lists of rows."""
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def weights_of(session, head, may_see=lambda query, key: True):
    """softmax(Q Kᵀ / √d_k) of a head of a session without positions and biases, computed here."""
    x = [session["embedding"][word] for word in session["sentence"].split()]
    q, k = (product(x, session["heads"][head][name]) for name in ("W_Q", "W_K"))
    scores = [[value / math.sqrt(len(q[0])) for value in row] for row in product(q, [list(c) for c in zip(*k)])]
    rows = []
    for query, row in enumerate(scores):
        shown = [value if may_see(query, key) else -math.inf for key, value in enumerate(row)]
        exps = [math.exp(value - max(shown)) for value in shown]
        rows.append([value / sum(exps) for value in exps])
    return rows


class PageTest(unittest.TestCase):
    """A browser with the page in it, one for each class of tests."""

    size = "wide"
    dark = False

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        options = webdriver.ChromeOptions()
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1600,1000", "--lang=en",
                     "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"):
            options.add_argument(flag)
        options.add_experimental_option("prefs", {"download.default_directory": str(cls.folder)})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.driver = webdriver.Chrome(service=Service(DRIVER), options=options)
        cls.show_as(cls.size, cls.dark)

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()
        shutil.rmtree(cls.folder, ignore_errors=True)

    @classmethod
    def show_as(cls, size, dark=False, contrast=False):
        """Sets the size of the page, touch, and what the reader prefers."""
        width, height, touch = SIZES[size]
        command = cls.driver.execute_cdp_cmd
        command("Emulation.setDeviceMetricsOverride",
                {"width": width, "height": height, "deviceScaleFactor": 2 if touch else 1, "mobile": touch})
        command("Emulation.setTouchEmulationEnabled", {"enabled": touch})
        command("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-contrast", "value": "more" if contrast else "no-preference"}]})

    def open(self, address="", fresh=True):
        """Opens the page; a fresh one knows nothing of earlier visits."""
        self.driver.get("about:blank")
        if fresh:
            self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "file://", "storageTypes": "all"})
        self.driver.get(PAGE.as_uri() + address)
        self.until(lambda: self.script("return document.body.dataset.ready === 'true'"))
        self.settle()

    def until(self, holds, seconds=20):
        end = time.monotonic() + seconds
        while not holds():
            self.assertLess(time.monotonic(), end, "waited in vain")
            time.sleep(0.02)

    def settle(self):
        """Waits until the page has shown what has changed."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done())));")

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        """The text of an element; marks of writing directions are left out."""
        content = self.script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)
        return without_isolates(content).strip()

    def click(self, selector):
        self.one(selector).click()
        self.settle()

    def replace(self, selector, *keys):
        """Types over what is in a box."""
        box = self.one(selector)
        box.send_keys(Keys.CONTROL, "a")
        box.send_keys(*keys)
        self.settle()

    def press(self, *keys):
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()
        self.settle()

    def chord(self, *keys):
        chain = ActionChains(self.driver)
        for key in keys[:-1]:
            chain.key_down(key)
        chain.send_keys(keys[-1])
        for key in keys[:-1]:
            chain.key_up(key)
        chain.perform()
        self.settle()

    def canvas(self, stage, head=0):
        """The cells of a stage's map, or of the matrix that is edited ("edit")."""
        return "#edit-map .cells canvas" if stage == "edit" else f'[data-stage="{stage}"][data-head="{head}"] .cells canvas'

    def cell_offset(self, stage, cell, shape):
        """Where a cell is, from the middle of the canvas."""
        box = self.one(self.canvas(stage)).rect
        return (round(box["width"] * ((cell[1] + 0.5) / shape[1] - 0.5)), round(box["height"] * ((cell[0] + 0.5) / shape[0] - 0.5)))

    def click_cell(self, stage, cell, shape):
        element = self.one(self.canvas(stage))
        self.script("arguments[0].scrollIntoView({block: 'center'})", element)
        ActionChains(self.driver).move_to_element_with_offset(element, *self.cell_offset(stage, cell, shape)).click().perform()
        self.settle()

    def drag_cell(self, stage, cell, shape, *steps, release=True):
        """Drags a cell by steps of pixels."""
        element = self.one(self.canvas(stage))
        self.script("arguments[0].scrollIntoView({block: 'center'})", element)
        chain = ActionChains(self.driver, duration=20).move_to_element_with_offset(element, *self.cell_offset(stage, cell, shape))
        chain.click_and_hold()
        for step in steps:
            chain.move_by_offset(*step)
        if release:
            chain.release()
        chain.perform()
        self.settle()

    def numbers(self, stage, head=0):
        """The numbers of a stage, from the table that stands for its map."""
        card = f'[data-stage="{stage}"][data-head="{head}"]'
        self.script("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", card)
        if self.one(f"{card} button[aria-pressed]").get_attribute("aria-pressed") == "false":
            self.click(f"{card} button[aria-pressed]")
        self.settle()
        rows = self.script("return [...document.querySelectorAll(arguments[0] + ' tbody tr')].map("
                           "row => [...row.querySelectorAll('td')].map(cell => cell.textContent))", card)
        self.click(f"{card} button[aria-pressed]")
        return [[number(text) for text in row] for row in rows]

    def assert_numbers(self, actual, wanted, places=3):
        self.assertEqual([len(row) for row in actual], [len(row) for row in wanted])
        for i, (own, other) in enumerate(zip(actual, wanted)):
            for j, (a, b) in enumerate(zip(own, other)):
                self.assertAlmostEqual(a, b, places, (i, j))

    def assert_quiet(self):
        """Nothing was written to the browser's console."""
        self.assertEqual([entry["message"] for entry in self.driver.get_log("browser")], [])

    def picture(self, name):
        """Keeps a picture of the page where ATTENTION_LAB_PICTURES says."""
        if folder := os.environ.get("ATTENTION_LAB_PICTURES"):
            data = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
            pathlib.Path(folder, f"{name}.png").write_bytes(base64.b64decode(data))

    def downloaded(self, ending):
        """The file that the page has handed out."""
        found = []

        def has_arrived():
            found[:] = [file for file in self.folder.iterdir() if file.suffix == ending]
            return bool(found)

        self.until(has_arrived)
        content = found[0].read_bytes()
        found[0].unlink()
        return content


def number(text):
    """A number as the page writes it."""
    return float(text.replace("−", "-").replace(",", ".").replace("∞", "inf"))
