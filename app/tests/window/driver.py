"""Drives the real window with a real mouse and keyboard (xdotool) and looks at its pixels."""
import json
import os
import shutil
import subprocess
import tempfile
import time

import numpy

PROGRAM = os.environ["ATTENTION_LAB"]
WIDTH, HEIGHT = 1600, 1000
PATIENCE = 60  # seconds until a thing that should happen counts as not happening


def run(*arguments, **options):
    return subprocess.run(arguments, check=True, capture_output=True, **options).stdout


def verb(*arguments):
    return run(PROGRAM, *arguments)


def wait_for(what, condition):
    """Returns the condition's value as soon as it is true."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"waited {PATIENCE} s in vain for {what}")


def layout_of(source, folder):
    """Rectangles of all named widgets when the window shows `source`."""
    path = os.path.join(folder, "layout.json")
    verb("screenshot", source, "-o", os.path.join(folder, "layout.png"),
         "--size", f"{WIDTH}x{HEIGHT}", "--layout", path)
    with open(path) as file:
        return json.load(file)


def stages_of(session, folder):
    """Every stage of a session, computed by the command line."""
    path = os.path.join(folder, "stages.npz")
    verb("compute", session, "-o", path)
    return dict(numpy.load(path))


class Lab:
    """A running window on a copy of an example, at the top left of the screen."""

    def __init__(self, example="refer", **environment):
        self.environment = environment
        self.folder = tempfile.mkdtemp(prefix="attention-lab-test-")
        self.session = os.path.join(self.folder, "session.json")
        source = os.path.join(os.environ["ATTENTION_LAB_EXAMPLES"], example + ".json")
        shutil.copyfile(source, self.session)
        self.record = os.path.join(self.folder, "record.jsonl")
        self.stats = os.path.join(self.folder, "stats.json")

    def __enter__(self):
        self.process = subprocess.Popen(
            [PROGRAM, self.session, "--size", f"{WIDTH}x{HEIGHT}",
             "--record", self.record, "--stats", self.stats],
            # The dialogs of the desktop that the tests run on are none of theirs.
            env={**os.environ, "XDG_CONFIG_HOME": self.folder, "ATTENTION_LAB_FILE_DIALOG": "own",
                 **self.environment})
        self.window = wait_for("the window", self._find_window)
        run("xdotool", "windowmove", self.window, "0", "0", "windowfocus", self.window)
        self.settle()
        return self

    def __exit__(self, *error):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()
        shutil.rmtree(self.folder)

    def _find_window(self):
        found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "Attention Lab"],
                               capture_output=True, text=True).stdout.split()
        return found[0] if found else None

    def title(self):
        return run("xdotool", "getwindowname", self.window)

    def pixels(self):
        """The screen as [height × width × 3]."""
        raw = run("import", "-window", "root", "-depth", "8", "rgb:-")
        return numpy.frombuffer(raw, numpy.uint8).reshape(HEIGHT, WIDTH, 3)

    def settle(self, previous=None, rectangle=(0, 0, WIDTH, HEIGHT)):
        """Waits until the picture stands still, and returns it; with `previous`, not before that part
        of it has become another."""
        if previous is not None:
            wait_for(f"a change in {rectangle}", lambda: not same_picture(previous, self.pixels(), rectangle))
        before = self.pixels()
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            time.sleep(0.25)
            now = self.pixels()
            if now.any() and numpy.array_equal(before, now):
                return now
            before = now
        raise AssertionError("the picture never stood still")

    def key(self, *keys):
        run("xdotool", "key", "--delay", "30", *keys)

    def type(self, text):
        run("xdotool", "type", "--delay", "15", "--", text)

    def click(self, rectangle):
        x, y, w, h = rectangle
        run("xdotool", "mousemove", str(int(x + w / 2)), str(int(y + h / 2)), "click", "1")

    def press_button(self, button):
        """Presses a button of the mouse where the pointer is."""
        run("xdotool", "click", str(button))

    def point_at(self, x, y):
        run("xdotool", "mousemove", str(x), str(y))

    def drag(self, rectangle, dx, dy):
        x, y, w, h = rectangle
        x, y = int(x + w / 2), int(y + h / 2)
        run("xdotool", "mousemove", str(x), str(y), "mousedown", "1")
        for step in range(1, 9):
            run("xdotool", "mousemove", str(x + dx * step // 8), str(y + dy * step // 8))
        run("xdotool", "mouseup", "1")

    def save(self):
        """Saves with Ctrl+S and returns the path."""
        before = os.stat(self.session).st_mtime_ns
        self.key("ctrl+s")
        wait_for("the session to be saved", lambda: os.stat(self.session).st_mtime_ns != before)
        return self.session

    def commands(self):
        with open(self.record) as file:
            return [json.loads(line) for line in file]

    def quit(self, discard=True):
        """Closes the window by Ctrl+Q; unsaved changes are discarded. Returns the statistics."""
        self.key("ctrl+q")
        time.sleep(0.5)
        # A program that is slow to end has no window any more.
        if discard and self.process.poll() is None and self._find_window():
            self.settle()
            self.key("Escape")
            self.save()
            self.key("ctrl+q")
        assert self.process.wait(PATIENCE) == 0
        with open(self.stats) as file:
            return json.load(file)


def part(pixels, rectangle):
    x, y, w, h = (int(round(value)) for value in rectangle)
    return pixels[y:y + h, x:x + w]


def same_picture(a, b, rectangle):
    return numpy.array_equal(part(a, rectangle), part(b, rectangle))
