"""Compares figures of every kind, light and dark, with golden images that were checked by eye.

Each pixel of the images in golden/ is the mean of 4 × 4 pixels of a figure. After an intended change of figures,
renew them, look at each, and commit them with the change:

    /usr/bin/python3 app/tests/figure/golden_test.py --renew

ATTENTION_LAB is the program, by default build/release/bin/attention-lab. The images were made on Debian 12;
with other releases of Pango or of the fonts, which move text, the tests are skipped.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

try:
    import numpy
except ImportError:
    sys.exit(77)
if not shutil.which("convert"):
    sys.exit(77)

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
sys.path.insert(0, os.path.join(HERE, "..", "window"))

from golden import (STEP, TILE, describe, differences, differences_from, other_releases, read_png, reduced,  # noqa: E402
                    write_png)

PROGRAM = os.environ.get("ATTENTION_LAB", os.path.join(ROOT, "build", "release", "bin", "attention-lab"))
RESULTS = os.environ.get("ATTENTION_LAB_GOLDEN_RESULTS", os.path.join(ROOT, "build", "golden"))
DPI = 160
EDITS = [{"do": "set_sentence", "text": "สวัสดี 世界 سلام नमस्ते 👩‍🚀 it"},
         {"do": "set_mask", "causal": True},
         {"do": "set_override", "stage": "scaled_scores", "head": 1, "row": 3, "col": 0, "value": 12}]
FIGURES = {
    "map-light": ["scripts", "--stage", "scaled_scores", "--annot", "--overrides", "--mark", "it,it"],
    "map-dark": ["nan", "--stage", "masked_scores", "--annot", "--fmt", ".2g"],
    "heads-light": ["refer", "--stage", "weights", "--head", "all", "--range", "robust"],
    "heads-dark": ["scripts", "--stage", "masked_scores", "--head", "all", "--range", "shared"],
    "pipeline-light": ["nan", "--stage", "all", "--no-overrides", "--width-mm", "120"],
    "pipeline-dark": ["scripts", "--stage", "all", "--no-overrides", "--width-mm", "120"],
    "two-heads-light": ["refer", "--head", "1,2", "--width-mm", "120"],
    "two-states-dark": ["scripts", "--against", "refer-scripts", "--annot", "--overrides", "--width-mm", "120"],
    "lines-light": ["refer", "--kind", "lines", "--row", "it", "--head", "all"],
    "lines-dark": ["scripts", "--kind", "lines"],
    "arithmetic-light": ["refer", "--kind", "arithmetic", "--row", "it", "--col", "animal"],
    "arithmetic-dark": ["scripts", "--kind", "arithmetic", "--row", "4", "--col", "0"],
    "moves-light": ["refer", "--row", "it", "--col", "animal", "--of", "W_K", "--annot"]}


def setUpModule():
    """Makes the sessions that the figures are of."""
    global SESSIONS
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    SESSIONS = make_sessions(folder.name)


def run(*arguments, text=None):
    subprocess.run([PROGRAM, *arguments], check=True, input=text, text=True, stderr=subprocess.DEVNULL)


def make_sessions(folder):
    """Where each session lies by its name."""
    paths = {name: os.path.join(folder, name + ".json") for name in ("scripts", "refer-scripts", "nan")}
    for name, edits in (("scripts", EDITS), ("refer-scripts", EDITS[:1])):
        run("apply", "refer", "-", "-o", paths[name], text="\n".join(map(json.dumps, edits)))
    with open(paths["scripts"], encoding="utf-8") as file:
        session = json.load(file)
    session["embedding"]["it"][0] = "NaN"
    with open(paths["nan"], "w", encoding="utf-8") as file:
        json.dump(session, file)
    return {"refer": "refer", **paths, "folder": folder}


def export(ending, name, *options):
    """The path of a figure of FIGURES with more options."""
    path = os.path.join(SESSIONS["folder"], name + ending)
    theme = name.rsplit("-", 1)[1]
    known = [SESSIONS.get(argument, argument) for argument in FIGURES[name]]
    verb = ["sensitivity"] if name.startswith("moves") else ["export", "--bare"]
    run(*verb, *known, *options, "--theme", theme, "--dpi", str(DPI), "-o", path)
    return path


def picture(name, *options):
    """A figure [height × width × 3], made as large as whole tiles by its last row and column."""
    pixels = read_png(export(".png", name, *options))
    side = STEP * TILE
    height, width = (-length % side for length in pixels.shape[:2])
    return numpy.pad(pixels, ((0, height), (0, width), (0, 0)), mode="edge")


def golden_path(name):
    return os.path.join(HERE, "golden", name + ".png")


class GoldenFigures(unittest.TestCase):
    def test_figures_look_as_they_did(self):
        for name in FIGURES:
            with self.subTest(name):
                found = differences_from(golden_path(name), picture(name), RESULTS)
                if found:
                    self.fail(f"{name} looks different:\n{describe(found, {})}\nSee {os.path.normpath(RESULTS)}; "
                              "where this is meant, golden_test.py says how to make the pictures anew.")

    def test_they_are_few_bytes(self):
        self.assertLess(sum(os.path.getsize(golden_path(name)) for name in FIGURES), 200_000)


class GoldenComparison(unittest.TestCase):
    """What counts as a difference and what does not, on figures that are tampered with."""

    def expect_found(self, name, tampered, *, found=True):
        self.assertEqual(bool(differences(read_png(golden_path(name)), reduced(tampered))), found, name)

    def elements(self, name):
        return list(xml.etree.ElementTree.parse(export(".svg", name)).iter())

    def box(self, x, y, width, height):
        """Rows and columns of the picture, from points."""
        top, left, bottom, right = (round(length * DPI / 72) for length in (y, x, y + height, x + width))
        return slice(top, bottom), slice(left, right)

    def filled(self, name, fill):
        """Where the rectangles of that fill stand."""
        return [self.box(*(float(e.get(key)) for key in ("x", "y", "width", "height")))
                for e in self.elements(name) if e.get("fill", "").startswith(f"url(#{fill}")]

    def label(self, name, text):
        """Where the first three letters of a label stand, or its last three where it ends at its place."""
        label = next(e for e in self.elements(name) if e.text == text)
        x, y, size = (float(label.get(key)) for key in ("x", "y", "font-size"))
        begins_there = label.get("text-anchor") is None and label.get("direction") is None
        left = x if begins_there else max(0, x - 3 * size)
        return self.box(left, y - size, 3 * size, 1.35 * size)

    def test_rounding_of_another_release_is_none(self):
        for name in FIGURES:
            pixels = picture(name)
            noise = numpy.random.default_rng(1).integers(-3, 4, pixels.shape)
            self.expect_found(name, (pixels + noise).clip(0, 255), found=False)
            beside = numpy.roll(pixels, 1, axis=1).astype(float)
            self.expect_found(name, pixels * 0.9 + beside * 0.1, found=False)

    def test_a_colour_bar_that_moved_is_one(self):
        for name, fill in (("map-light", "red-blue"), ("map-dark", "red-blue"), ("two-heads-light", "blues")):
            for pixels in (3, 6):
                moved = picture(name).copy()
                rows, cols = self.filled(name, fill)[0]
                bar = moved[rows, cols].copy()
                moved[rows, cols] = moved[rows.start, cols.start - 6]
                moved[rows, cols.start + pixels:cols.stop + pixels] = bar
                self.expect_found(name, moved)
        self.expect_found("map-light", picture("map-light", "--no-bar"))

    def test_a_lost_label_is_one(self):
        for name, label in (("map-light", "it"), ("map-dark", "世界"), ("two-heads-light", "cross"),
                            ("heads-dark", "سلام"), ("lines-dark", "สวัสดี"), ("heads-light", "Head 2")):
            lost = picture(name).copy()
            lost[self.label(name, label)] = lost[0, 0]
            self.expect_found(name, lost)

    def test_a_lost_hatch_is_one(self):
        for name in ("map-dark", "heads-dark", "pipeline-light", "pipeline-dark"):
            plain = picture(name).copy()
            for cell in self.filled(name, "hatch"):
                colours, counts = numpy.unique(plain[cell].reshape(-1, 3), axis=0, return_counts=True)
                plain[cell] = colours[counts.argmax()]
            self.expect_found(name, plain)

    def test_a_wrong_palette_is_one(self):
        for name in FIGURES:
            if not name.startswith(("lines", "arithmetic")):
                for palette in ("viridis", "magma", "cividis"):
                    self.expect_found(name, picture(name, "--palette", palette))

    def test_marks_that_are_lost_are_ones(self):
        bare = [{"--overrides": "--no-overrides"}.get(argument, argument) for argument in FIGURES["map-light"]]
        self.assertNotEqual(bare, FIGURES["map-light"])
        for without in (bare, FIGURES["map-light"][:-2]):
            FIGURES["without-light"] = without
            try:
                self.expect_found("map-light", picture("without-light"))
            finally:
                del FIGURES["without-light"]


def renew():
    global SESSIONS
    with tempfile.TemporaryDirectory() as folder:
        SESSIONS = make_sessions(folder)
        for name in FIGURES:
            write_png(golden_path(name), reduced(picture(name)))
            print(os.path.relpath(golden_path(name)))


if __name__ == "__main__":
    if sys.argv[1:] == ["--renew"]:
        renew()
    elif others := other_releases(["pangocairo"]):
        print("The golden images were drawn with other releases:", others)
        sys.exit(77)
    else:
        unittest.main()
