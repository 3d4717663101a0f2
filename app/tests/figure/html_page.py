"""Support for the tests of the HTML page: the program, and a headless browser without network."""

import atexit
import csv
import functools
import io
import json
import math
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

try:
    from selenium import webdriver
    from selenium.webdriver import ActionChains
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
except ImportError:
    sys.exit(77)

DRIVER = shutil.which("chromedriver")
if not DRIVER or not shutil.which("chromium"):
    sys.exit(77)
PROGRAM = os.environ.get("ATTENTION_LAB", "attention-lab")


def run(*arguments, text=None):
    """Runs the program; returns its standard output."""
    return subprocess.run([PROGRAM, *map(str, arguments)], input=text, text=True, check=True, encoding="utf-8",
                          stdout=subprocess.PIPE).stdout


def table_of(document, stage, head):
    """The numbers of a stage as the program writes them: rows of floats."""
    rows = list(csv.reader(io.StringIO(run("export", document, "--stage", stage, "--head", head, "-o", "-"))))
    return [[as_float32(float(field)) for field in row[1:]] for row in rows[1:]]


def halves_away(value, decimals):
    """The shortest digits that read back to the float, a trace farther from 0: halves are rounded away from it."""
    for digits in range(1, 10):
        read = float(f"{value:.{digits}g}")
        if abs(read) < 3.4028235e38 and as_float32(read) == value:
            value = read
            break
    return value + math.copysign(1e-6 * 10.0**-decimals, value)


def place_of(value, digits):
    """The decimals of a number with that many significant digits."""
    return digits - 1 - (math.floor(math.log10(abs(value))) if value else 0)


def fixed(value, decimals):
    """`value` as the program writes it with that many decimals, or "7.1e-3"."""
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "∞" if value > 0 else "−∞"
    digits = max(1, decimals - 1)
    unit = 10.0**-decimals
    least = max(unit, min(0.01, 10 * unit))
    if 0 < abs(value) and abs(value) + 0.05 * 10**-digits * least < least:
        mantissa, exponent = f"{halves_away(value, place_of(value, digits + 1)):.{digits}e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    text = f"{halves_away(value, decimals):.{decimals}f}"
    if len(text) > max(7, decimals + 5):
        return f"{halves_away(value, place_of(value, 2)):.1e}"
    return text.lstrip("-") if not text.strip("-0.") else text


def as_float32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


@functools.cache
def shared_browser():
    """One browser for all tests of this process: starting it takes most of the time of a test."""
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(service=Service(DRIVER), options=options)
    atexit.register(driver.quit)
    return driver


def browser(width=1280, height=1000, dark=False):
    """The browser with a new tab as its only one, and nothing stored by pages before."""
    driver = shared_browser()
    driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
    before = driver.current_window_handle
    driver.switch_to.new_window("tab")
    opened = driver.current_window_handle
    driver.switch_to.window(before)
    driver.close()
    driver.switch_to.window(opened)
    driver.set_network_conditions(offline=True, latency=0, throughput=0)
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
    scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})
    return driver


class PageTest(unittest.TestCase):
    """Opens pages, and after each test checks for errors and for network requests."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.driver = None

    def tearDown(self):
        if self.driver:
            self.assertEqual(self.driver.get_log("browser"), [])
            self.assertEqual(self.script("return performance.getEntriesByType('resource').map(e => e.name)"), [])

    def open(self, document, *options, **window):
        self.driver = browser(**window)
        page = self.folder / "page.html"
        run("export", document, "-o", page, *options)
        self.driver.get(page.as_uri())
        self.settle()

    def edited(self, example, *commands):
        """A session: the example with these commands applied."""
        session = self.folder / "session.json"
        run("apply", example, "-", "-o", session, text="\n".join(json.dumps(c) for c in commands))
        return session

    def with_tokens(self, *texts):
        """A session: the example with these tokens, however they would be split."""
        session = self.edited("refer", {"do": "set_sentence", "text": "word " * len(texts)})
        document = json.loads(session.read_text(encoding="utf-8"))
        document["tokens"] = [{"text": text, "key": text} for text in texts]
        session.write_text(json.dumps(document))
        return session

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def settle(self):
        """Waits until everything requested is drawn."""
        self.driver.execute_async_script(
            "const done = arguments[0]; const wait = (n) => n ? requestAnimationFrame(() => wait(n - 1)) : done();"
            "document.fonts.ready.then(() => wait(4));")

    def element(self, name):
        return self.driver.find_element(By.ID, name)

    def text(self, name):
        return self.script("return document.getElementById(arguments[0]).textContent", name)

    def choose_stage(self, stage):
        self.driver.find_element(By.CSS_SELECTOR, f"[data-stage={stage}]").click()
        self.settle()

    def hover(self, row, col, rows, cols):
        """Moves the mouse to the middle of a cell."""
        canvas = self.element("cell-canvas")
        size = canvas.size
        ActionChains(self.driver).move_to_element_with_offset(
            canvas, round((col + 0.5) * size["width"] / cols - size["width"] / 2),
            round((row + 0.5) * size["height"] / rows - size["height"] / 2)).perform()
        self.settle()

    def press(self, *keys):
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()
        self.settle()

    def tip(self):
        lines = self.script("const t = document.getElementById('tip');"
                            "return t.hidden ? null : [...t.children].map(c => c.textContent)")
        # The marks that isolate the direction of tokens are invisible.
        return lines and [line.translate({0x2066: None, 0x2068: None, 0x2069: None}) for line in lines]

    def pixel(self, row, col, rows, cols, across=0.5, down=0.5):
        """Red, green and blue in a cell, `across` of its width from its left side, `down` of its height."""
        return self.script(
            "const c = document.getElementById('cell-canvas'), [x, y] = arguments;"
            "const one = new OffscreenCanvas(1, 1).getContext('2d');"
            "one.drawImage(c, Math.floor(x * c.width), Math.floor(y * c.height), 1, 1, 0, 0, 1, 1);"
            "return [...one.getImageData(0, 0, 1, 1).data].slice(0, 3)", (col + across) / cols, (row + down) / rows)

    def numbers_of_table(self):
        return self.script("return [...document.querySelectorAll('#table tbody tr')].map("
                           "r => [...r.querySelectorAll('td')].map(d => d.textContent))")

    def open_table(self):
        self.driver.find_element(By.CSS_SELECTOR, "summary").click()
        self.settle()
