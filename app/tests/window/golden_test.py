"""Compares the window in every theme, at 100 % and 200 %, with golden images that were checked by eye.

The images in golden/ are 400 × 250: each pixel is the mean of 4 × 4 pixels of the window. After an intended
change of the window, renew them, look at each, and commit them with the change:

    export FONTCONFIG_FILE=$PWD/build/release/app/tests/packaged_fonts/fonts.conf
    sh app/tests/with_xvfb.sh /usr/bin/python3 app/tests/window/golden_test.py --renew

ATTENTION_LAB is the program, by default build/release/bin/attention-lab. The images were made on Debian 12;
with other releases of Pango, Dear ImGui or the fonts, which move text, GoldenPictures is skipped.
"""
import json
import os
import sys
import tempfile
import unittest

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
os.environ.setdefault("ATTENTION_LAB", os.path.join(ROOT, "build", "release", "bin", "attention-lab"))

from driver import HEIGHT, PROGRAM, run, screenshot_of  # noqa: E402 (needs the program's name)
from golden import describe, differences, differences_from, other_releases, reduced, write_png  # noqa: E402

THEMES = ("light", "dark", "high-contrast")
SCALES = (1, 2)
DOCUMENTS = {"refer": (["refer"], []), "scripts": (["refer"], [
    {"do": "set_sentence", "text": "สวัสดี 世界 سلام नमस्ते 👩‍🚀 it"},
    {"do": "set_mask", "causal": True},
    {"do": "set_head_mix", "head": 2, "mute": True},
    {"do": "set_override", "stage": "scaled_scores", "head": 1, "row": 3, "col": 0, "value": 12}]),
    "model": (["words", "--text", "The cat sat on the mat because it was"], [
        {"layer": "3", "do": "set_head_mix", "head": 2, "mute": True}])}
RESULTS = os.environ.get("ATTENTION_LAB_GOLDEN_RESULTS", os.path.join(ROOT, "build", "golden"))


def setUpModule():
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    os.environ["XDG_CONFIG_HOME"] = folder.name  # no settings


def golden_path(name):
    return os.path.join(HERE, "golden", name + ".png")


def without_times(pixels, scale):
    """The image without the part of the status line that says how long computing took."""
    blank = pixels.copy()
    blank[HEIGHT - 30 * scale:, 340 * scale:720 * scale] = 0
    return blank


def window(document, theme, scale):
    """The whole window [1000 × 1600 × 3], and the rectangles of its widgets."""
    with tempfile.TemporaryDirectory() as folder:
        session = os.path.join(folder, document + ".json")
        source, edits = DOCUMENTS[document]
        commands = "\n".join(json.dumps(edit) for edit in edits)
        run(PROGRAM, "apply", *source, "-", "-o", session, input=commands.encode())
        pixels, places = screenshot_of(session, folder, "--theme", theme, "--scale", str(scale))
    return without_times(pixels, scale), places


def every_picture():
    for document in DOCUMENTS:
        for theme in THEMES:
            for scale in SCALES:
                yield f"{document}-{theme}-{scale}00", (document, theme, scale)


class GoldenPictures(unittest.TestCase):
    def test_the_window_looks_as_it_did(self):
        for name, picture in every_picture():
            with self.subTest(name):
                self.check(name, *window(*picture))

    def check(self, name, pixels, places):
        found = differences_from(golden_path(name), pixels, RESULTS)
        if not found:
            return
        self.fail(f"{name} looks different:\n{describe(found, places)}\nSee {os.path.normpath(RESULTS)}; where this "
                  "is meant, golden_test.py says how to make the pictures anew.")


class GoldenComparison(unittest.TestCase):
    """What counts as a difference and what does not, in manipulated pictures of the window."""

    @classmethod
    def setUpClass(cls):
        cls.pixels, cls.places = window("scripts", "light", 1)

    def found(self, tampered):
        return differences(reduced(self.pixels), reduced(tampered))

    def box(self, name):
        x, y, w, h = (int(round(value)) for value in self.places[name])
        return slice(y, y + h), slice(x, x + w)

    def expect_found(self, tampered, name):
        """Differences are found, and only at the widget of that name."""
        found = self.found(tampered)
        self.assertTrue(found)
        x, y, w, h = self.places[name]
        for region in found:
            self.assertTrue(region.touches((x - 8, y - 8, w + 16, h + 16)), region)
        self.assertIn(name, describe(found, self.places))

    def test_rounding_of_another_driver_is_none(self):
        noise = numpy.random.default_rng(1).integers(-3, 4, self.pixels.shape)
        self.assertEqual(self.found((self.pixels + noise).clip(0, 255)), [])
        # Edges of shapes and letters that lie a twentieth of a pixel further right.
        beside = numpy.roll(self.pixels, 1, axis=1).astype(float)
        self.assertEqual(self.found(self.pixels * 0.95 + beside * 0.05), [])

    def test_a_card_that_moved_is_one(self):
        rows, cols = self.box("card/Q")
        for pixels in (2, 4):
            moved = self.pixels.copy()
            moved[rows, cols.start + pixels:cols.stop + pixels] = self.pixels[rows, cols]
            self.expect_found(moved, "card/Q")

    def test_a_card_in_another_themes_colour_is_one(self):
        for card in ("card/Q", "card/output"):
            rows, cols = self.box(card)
            x, y, _, _ = self.places[card]
            fill, page = self.pixels[int(y) + 60, int(x) + 8], self.pixels[int(y) + 60, int(x) - 4]
            self.assertTrue(0 < abs(fill.astype(int) - page).max() < 20, "they are alike")
            recoloured = self.pixels.copy()
            recoloured[rows, cols][(recoloured[rows, cols] == fill).all(axis=2)] = page
            self.expect_found(recoloured, card)

    def test_a_lost_label_is_one(self):
        rows, cols = self.box("stage/Q/2/0")
        lost = self.pixels.copy()
        left = int(self.places["card/Q"][0]) + 4
        lost[rows, left:cols.start - 2] = self.pixels[rows.start, left]
        self.expect_found(lost, "card/Q")

    def test_a_number_that_is_lost_in_a_cell_is_one(self):
        rows, cols = self.box("stage/Q/0/1")
        lost = self.pixels.copy()
        lost[rows.start + 2:rows.stop - 2, cols.start + 2:cols.stop - 2] = lost[rows.start + 2, cols.start + 2]
        self.expect_found(lost, "card/Q")

    def test_a_lost_hatch_is_one(self):
        rows, cols = self.box("stage/masked_scores/0/3")
        colours, counts = numpy.unique(self.pixels[rows, cols].reshape(-1, 3), axis=0, return_counts=True)
        self.assertGreater(len(colours), 1)
        plain = self.pixels.copy()
        plain[rows, cols] = colours[counts.argmax()]
        self.expect_found(plain, "card/masked_scores")

    def test_it_reports_where_and_how_much(self):
        tampered = self.pixels.copy()
        tampered[400:440, 800:880] = 0
        tampered[700:720, 100:140] = 255 - tampered[700:720, 100:140]
        text = describe(self.found(tampered), self.places)
        self.assertIn("x 800 to 880, y 400 to 440", text)
        self.assertEqual(len(text.splitlines()), 2)
        self.assertIn("255", text)


def renew():
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CONFIG_HOME"] = folder
        for name, picture in every_picture():
            write_png(golden_path(name), reduced(window(*picture)[0]))
            print(os.path.relpath(golden_path(name)))


if __name__ == "__main__":
    if sys.argv[1:] == ["--renew"]:
        renew()
    elif "GoldenPictures" in sys.argv and (others := other_releases(["pangocairo", "imgui"])):
        print("The golden images were drawn with other releases:", others)
        sys.exit(77)
    else:
        unittest.main()
