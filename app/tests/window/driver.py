"""Drives the real window with a real mouse and keyboard (xdotool) and reads its pixels."""
import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time

import numpy

from x_server import Pings

PROGRAM = os.environ["ATTENTION_LAB"]
WIDTH, HEIGHT = 1600, 1000
MENU_LINE = 20  # pixels from one item of a menu to the next
TIMEOUT = 60  # timeout in seconds for anything that should happen
FRAMES = 4  # after so many frames, the window has drawn what a click or a key changes
# Codes of keys on a keyboard under Linux. By its name, xdotool may press a function key together with Alt, namely
# where the keyboard's layout says that Alt changes nothing about the key.
KEY_CODES = {f"F{number}": str(66 + number) for number in range(1, 11)}


def run(*arguments, **options):
    return subprocess.run(arguments, check=True, capture_output=True, **options).stdout


def verb(*arguments):
    return run(PROGRAM, *arguments)


def wait_for(what, condition):
    """Returns the condition's value as soon as it is true."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(f"waited {TIMEOUT} s in vain for {what}")


def screenshot_of(source, folder, *options):
    """A screenshot of `source` from the command line, and the rectangles of its named widgets."""
    layout, picture = os.path.join(folder, "layout.json"), os.path.join(folder, "layout.png")
    verb("screenshot", source, "-o", picture, "--size", f"{WIDTH}x{HEIGHT}", "--places", layout, *options)
    raw = run("convert", picture, "-depth", "8", "rgb:-")
    with open(layout) as file:
        return numpy.frombuffer(raw, numpy.uint8).reshape(HEIGHT, WIDTH, 3), json.load(file)


def layout_of(source, folder):
    """Rectangles of all named widgets when the window shows `source`."""
    return screenshot_of(source, folder)[1]


def stages_of(session, folder):
    """Every stage of a session, computed by the command line."""
    path = os.path.join(folder, "stages.npz")
    verb("compute", session, "-o", path)
    return dict(numpy.load(path))


def session_at(path):
    with open(path) as file:
        return json.load(file)


class Lab:
    """A running window on a copy of an example, at the top left of the screen. `edits` are applied to the
    copy before, each in the form of `attention-lab apply`. `names` are command-line arguments that replace the copy."""

    def __init__(self, example="refer", edits=(), names=None, **environment):
        self.environment = environment
        self.folder = tempfile.mkdtemp(prefix="attention-lab-test-")
        self.session = os.path.join(self.folder, "session.json")
        self.original = os.path.join(os.environ["ATTENTION_LAB_EXAMPLES"], example + ".json")
        shutil.copyfile(self.original, self.session)
        if edits:
            lines = "\n".join(json.dumps(edit) for edit in edits)
            run(PROGRAM, "apply", self.original, "-", "-o", self.session, input=lines.encode())
        self.names = [self.session] if names is None else names
        self.record = os.path.join(self.folder, "record.jsonl")
        self.stats = os.path.join(self.folder, "stats.json")
        self.process = None
        self.pings = None

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self):
        """Opens the window with its previous settings; starts a new record of commands."""
        self.open_window(WIDTH, HEIGHT)
        run("xdotool", "windowmove", self.window, "0", "0")
        self.settle()

    def open_window(self, width, height):
        self.process = subprocess.Popen(
            [PROGRAM, *self.names, "--size", f"{width}x{height}",
             "--record", self.record, "--stats", self.stats],
            # Do not use the dialogs or the language of the desktop that the tests run on.
            env={**os.environ, "XDG_CONFIG_HOME": self.folder, "XDG_STATE_HOME": self.folder,
                 "ATTENTION_LAB_FILE_DIALOG": "own", "LC_ALL": "C.UTF-8", **self.environment})
        self.window = wait_for("the window", self._find_window)
        self.pings = Pings(self.window)
        run("xdotool", "windowfocus", self.window)

    def restart(self):
        self.quit()
        self.start()

    def __exit__(self, *error):
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait()
        shutil.rmtree(self.folder)

    def _find_window(self):
        found = subprocess.run(["xdotool", "search", "--all", "--onlyvisible", "--pid", str(self.process.pid),
                                "--name", "Attention Lab"],
                               capture_output=True, text=True).stdout.split()
        return found[0] if found else None

    def title(self):
        return run("xdotool", "getwindowname", self.window)

    def pixels(self):
        """The screen as [height × width × 3]."""
        raw = run("import", "-window", "root", "-depth", "8", "rgb:-")
        return numpy.frombuffer(raw, numpy.uint8).reshape(HEIGHT, WIDTH, 3)

    def wait_for_frames(self):
        """Waits until the window has read all input so far and drawn what it does at once; returns at once when it is
        closed. The window answers a ping when it reads events, once a frame."""
        for _ in range(FRAMES):
            if self.pings.answered(TIMEOUT) is False:
                raise AssertionError(f"the window read no events for {TIMEOUT} s")

    def settle(self, previous=None, rectangle=(0, 0, WIDTH, HEIGHT)):
        """Waits until the window has read all input and the screen stops changing, and returns it; with `previous`,
        waits until that part of it has changed first."""
        self.wait_for_frames()
        if previous is not None:
            wait_for(f"a change in {rectangle}", lambda: not same_picture(previous, self.pixels(), rectangle))
        now = time.monotonic()
        before, end = self.pixels(), now + TIMEOUT
        while now < end:
            # Where other programs keep the processors busy, the window draws as slowly as pictures of it are taken.
            time.sleep(max(0.25, 2 * (time.monotonic() - now)))
            now = time.monotonic()
            picture = self.pixels()
            if picture.any() and numpy.array_equal(before, picture):
                return picture
            before = picture
        raise AssertionError("the picture never stood still")

    def key(self, *keys):
        run("xdotool", "key", "--delay", "30", *map(key_code, keys))

    def keys_one_by_one(self, *keys):
        """The same, but waits after each key until its effect is shown."""
        for key in keys:
            before = self.pixels()
            self.key(key)
            self.settle(before)

    def type(self, text):
        run("xdotool", "type", "--delay", "15", "--", text)

    @contextlib.contextmanager
    def holding(self, key):
        run("xdotool", "keydown", key_code(key))
        try:
            yield
        finally:
            run("xdotool", "keyup", key_code(key))

    def point_into(self, rectangle):
        self.point_at(*middle_of(rectangle))

    def click(self, rectangle):
        self.point_into(rectangle)
        self.press_button(1)

    def double_click(self, rectangle):
        self.point_into(rectangle)
        run("xdotool", "click", "--repeat", "2", "--delay", "60", "1")

    def press_button(self, button):
        """Presses a mouse button at the pointer."""
        run("xdotool", "click", str(button))

    def choose(self, button, item):
        """Chooses the item of that number, from 0, in the menu that `button` opens below itself."""
        x, y, w, h = button
        before = self.settle()
        self.click(button)
        self.settle(before, (x, y + h + 4, 150, 40))
        self.click((x + 20, y + h + 12 + MENU_LINE * item, 40, MENU_LINE))

    def choose_command(self, name):
        """Runs the first command that Ctrl+K finds for `name`."""
        before = self.settle()
        self.key("ctrl+k")
        self.settle(before)
        self.type(name)
        self.key("Return")

    def scroll(self, rectangle, steps):
        """Turns the wheel over the middle of `rectangle`: up for positive steps."""
        self.point_into(rectangle)
        run("xdotool", "click", "--repeat", str(abs(steps)), "--delay", "40", "4" if steps > 0 else "5")

    def point_at(self, x, y):
        run("xdotool", "mousemove", str(x), str(y))

    def point_away(self):
        """Moves the pointer to where it highlights nothing."""
        self.point_at(5, HEIGHT - 5)

    def drag(self, rectangle, dx, dy, rests=False):
        """Drags from the middle of `rectangle`; `rests`: releases the button once the screen stops changing."""
        x, y = middle_of(rectangle)
        run("xdotool", "mousemove", str(x), str(y), "mousedown", "1")
        for step in range(1, 9):
            run("xdotool", "mousemove", str(x + dx * step // 8), str(y + dy * step // 8))
        if rests:
            self.settle()
        run("xdotool", "mouseup", "1")

    def save(self):
        """Saves with Ctrl+S and returns the path."""
        before = os.stat(self.session).st_mtime_ns
        self.key("ctrl+s")
        wait_for("the session to be saved", lambda: os.stat(self.session).st_mtime_ns != before)
        return self.session

    def commands(self):
        """All recorded commands. The last line may be incomplete because the window is still writing it, so the
        file is not read line by line, which would later take the rest for a line of its own."""
        with open(self.record) as file:
            return [json.loads(line) for line in file.read().split("\n")[:-1]]

    def wait_for_commands(self, count):
        """All recorded commands, as soon as there are `count` of them."""
        wait_for(f"{count} commands", lambda: len(self.commands()) >= count)
        return self.commands()

    def quit(self):
        """Closes the window, which has no unsaved changes, by Ctrl+Q. Returns the statistics."""
        self.key("ctrl+q")
        assert self.process.wait(TIMEOUT) == 0
        with open(self.stats) as file:
            return json.load(file)


def key_code(key):
    """A key or combination of keys, such as shift+F6, as xdotool should press it."""
    return "+".join(KEY_CODES.get(name, name) for name in key.split("+"))


def middle_of(rectangle):
    x, y, w, h = rectangle
    return int(x + w / 2), int(y + h / 2)


def part(pixels, rectangle):
    x, y, w, h = (int(round(value)) for value in rectangle)
    return pixels[y:y + h, x:x + w]


def same_picture(a, b, rectangle):
    return numpy.array_equal(part(a, rectangle), part(b, rectangle))


def expect_same(a, b, rectangle, what="", allowed=0):
    """Fails, saying where, unless that part of both images differs in at most `allowed` pixels."""
    rows, cols = (part(a, rectangle) != part(b, rectangle)).any(axis=2).nonzero()
    if len(rows) <= allowed:
        return
    x, y = int(round(rectangle[0])), int(round(rectangle[1]))
    raise AssertionError(f"{what or 'the pictures differ'}: {len(rows)} pixels within x {x + cols.min()} to "
                         f"{x + cols.max()}, y {y + rows.min()} to {y + rows.max()}")
