"""Compares images at reduced size, so that rounding in a driver or in fonts does not matter."""
import os
import subprocess
from dataclasses import dataclass

import numpy

STEP = 4  # width and height in window pixels of one reduced pixel
TILE = 10  # width and height in reduced pixels of one tile

# Limits for a tile, from 0 to 255: mean difference and number of strong pixels. A different software rasteriser
# (softpipe instead of llvmpipe) gives 3.9 and 5 for thin lines that fall between two pixels; a missing number in
# one cell at 100 % gives 3.8 and 7, a hatched cell drawn plain 5.1 and 7, and a card in the page's colour 8.3 and
# none. The digits below the columns of one map are too small to be missed at 100 % (1.9 and 4), but not at 200 %.
MOST_MEAN = 4.2  # mean difference
STRONG = 24  # a pixel that differs by more counts as strong
MOST_STRONG = 5  # of the hundred in a tile
MOST_NAMES = 6  # in the description of a difference

# What the text in the golden images was drawn with, on Debian 12. Other releases place letters elsewhere, by more
# than a lost number changes: the images say nothing about them.
LIBRARIES = {"pangocairo": "1.50.12", "imgui": "1.86"}  # releases, from pkg-config
FONTS = {"Inter": "197853", "JetBrains Mono": "146932"}  # releases, from fontconfig


@dataclass
class Region:
    """Adjacent tiles that differ, in pixels of the window."""
    x: int
    y: int
    w: int
    h: int
    most: int  # the largest difference of a reduced pixel

    def touches(self, rectangle):
        x, y, w, h = rectangle
        return self.x < x + w and x < self.x + self.w and self.y < y + h and y < self.y + self.h


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def other_releases(libraries):
    """One line naming each font, and each library of those, that is not the release the images were drawn with."""
    expected = {**{name: LIBRARIES[name] for name in libraries}, **FONTS}
    here = {**{name: output_of("pkg-config", "--modversion", name) for name in libraries},
            **{name: output_of("fc-match", "--format=%{fontversion}", name) for name in FONTS}}
    return ", ".join(f"{name} {here[name]} instead of {expected[name]}" for name in expected
                     if here[name] != expected[name])


def reduced(pixels):
    """The image [height × width × 3] at reduced size."""
    height, width, _ = pixels.shape
    boxes = pixels.reshape(height // STEP, STEP, width // STEP, STEP, 3)
    return boxes.mean(axis=(1, 3)).round().astype(numpy.uint8)


def write_png(path, pixels):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    height, width, _ = pixels.shape
    subprocess.run(["convert", "-size", f"{width}x{height}", "-depth", "8", "rgb:-", "-strip", "-define",
                    "png:compression-level=9", path], check=True, input=pixels.tobytes())


def read_png(path):
    """The image [height × width × 3], with transparency on white."""
    done = subprocess.run(["convert", path, "-background", "white", "-flatten", "-depth", "8", "ppm:-"], check=True,
                          stdout=subprocess.PIPE)
    _, size, _, raw = done.stdout.split(b"\n", 3)
    width, height = map(int, size.split())
    return numpy.frombuffer(raw, numpy.uint8).reshape(height, width, 3)


def differences_from(golden, pixels, results):
    """Where the image differs from the golden one; if it does, saves it and the difference in the folder `results`."""
    now, expected = reduced(pixels), read_png(golden)
    name = os.path.splitext(os.path.basename(golden))[0]
    found = differences(expected, now)
    if found:
        write_png(os.path.join(results, name + ".png"), pixels)
    if found and expected.shape == now.shape:
        amplified = numpy.minimum(abs(now.astype(int) - expected) * 4, 255).astype(numpy.uint8)
        write_png(os.path.join(results, name + "-difference.png"), amplified)
    return found


def neighbours(tile):
    return {(tile[0] + down, tile[1] + right) for down in (-1, 0, 1) for right in (-1, 0, 1)}


def groups(tiles):
    """The tiles, grouped into those that touch each other."""
    left = set(tiles)
    while left:
        group, edge = set(), {min(left)}
        while edge:
            left -= edge
            group |= edge
            edge = set().union(*map(neighbours, edge)) & left
        yield group


def differences(expected, now):
    """Where two reduced images differ, as regions from the top down; empty if they look the same."""
    if expected.shape != now.shape:
        return [Region(0, 0, STEP * now.shape[1], STEP * now.shape[0], 255)]
    apart = abs(now.astype(int) - expected).max(axis=2)
    height, width = apart.shape
    tiles = apart.reshape(height // TILE, TILE, width // TILE, TILE).swapaxes(1, 2)
    wrong = (tiles.mean(axis=(2, 3)) > MOST_MEAN) | ((tiles > STRONG).sum(axis=(2, 3)) > MOST_STRONG)
    found = []
    for group in groups((int(row), int(col)) for row, col in numpy.argwhere(wrong)):
        rows, cols = zip(*group)
        side = STEP * TILE
        found.append(Region(min(cols) * side, min(rows) * side, (max(cols) - min(cols) + 1) * side,
                            (max(rows) - min(rows) + 1) * side, int(max(tiles[tile].max() for tile in group))))
    return found


def describe(found, places):
    """One line per region: where it is, by how much it differs, and which widgets it touches."""
    lines = []
    for region in found:
        # A cell of a map has a longer name, and is in a card.
        names = [name for name, place in places.items() if name.count("/") < 2 and region.touches(place)]
        names.sort(key=lambda name: not name.startswith("card/"))
        more = ", …" if len(names) > MOST_NAMES else ""
        lines.append(f"  x {region.x} to {region.x + region.w}, y {region.y} to {region.y + region.h}: "
                     f"by up to {region.most} of 255 ({', '.join(names[:MOST_NAMES]) or 'no widget'}{more})")
    return "\n".join(lines)
