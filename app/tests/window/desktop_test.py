"""Tests the window's clipboard and file dialogs."""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import unittest

import numpy

from driver import Lab, layout_of, verb, wait_for


class Copying(unittest.TestCase):
    """Ctrl+C, as another program sees the clipboard."""

    def setUp(self):
        if not shutil.which("xclip"):
            self.skipTest("no xclip")

    def clipboard(self, target):
        return subprocess.run(["xclip", "-selection", "clipboard", "-t", target, "-o"],
                              capture_output=True, timeout=60).stdout

    def test_the_picture_of_a_card_is_the_one_that_is_exported(self):
        with Lab() as lab:
            lab.click(layout_of(lab.session, lab.folder)["stage/scores/3/1"])
            lab.key("ctrl+c")
            wait_for("the picture", lambda: b"image/png" in self.clipboard("TARGETS"))
            exported = os.path.join(lab.folder, "scores.png")
            verb("export", lab.session, "--stage", "scores", "--head", "1", "-o", exported)
            copied = os.path.join(lab.folder, "copied.png")
            with open(copied, "wb") as file:
                file.write(self.clipboard("image/png"))
            self.assertEqual(self.decoded(copied).tobytes(), self.decoded(exported).tobytes())

    def decoded(self, path):
        raw = subprocess.run(["convert", path, "-depth", "8", "rgb:-"], capture_output=True, check=True).stdout
        pixels = numpy.frombuffer(raw, numpy.uint8)
        self.assertGreater(pixels.size, 1000 * 500 * 3)
        self.assertGreater(len(numpy.unique(pixels)), 20)
        return pixels

    def test_cells_and_the_picture_take_turns_on_the_clipboard(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            lab.click(places["matrix/W_Q/0/0"])
            lab.key("ctrl+c")
            wait_for("a number", lambda: self.clipboard("UTF8_STRING"))
            self.assertNotIn(b"image/png", self.clipboard("TARGETS"))
            float(self.clipboard("UTF8_STRING"))
            lab.click(places["stage/scores/3/1"])
            lab.key("ctrl+c")
            wait_for("the picture", lambda: b"image/png" in self.clipboard("TARGETS"))
            self.assertEqual(self.clipboard("UTF8_STRING"), b"")
            lab.click(places["matrix/W_Q/0/0"])
            lab.key("ctrl+c")
            wait_for("the number again", lambda: self.clipboard("UTF8_STRING"))
            self.assertNotIn(b"image/png", self.clipboard("TARGETS"))

    def test_what_another_program_copied_is_pasted(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            lab.click(places["stage/scores/3/1"])
            lab.key("ctrl+c")
            wait_for("the picture", lambda: b"image/png" in self.clipboard("TARGETS"))
            subprocess.run(["xclip", "-selection", "clipboard", "-i"], input=b"1.5\t2.5", check=True,
                           stdout=subprocess.DEVNULL)
            wait_for("the text", lambda: self.clipboard("UTF8_STRING") == b"1.5\t2.5")
            lab.click(places["matrix/W_Q/0/0"])
            lab.key("ctrl+v")
            wait_for("the numbers", lab.commands)
            self.assertEqual(lab.commands()[0]["values"], [[1.5, 2.5]])


class FileDialogs(unittest.TestCase):
    """Desktop file dialogs; scripts with the same names replace the programs."""

    def programs(self, folder, script):
        path = os.path.join(folder, "zenity")
        with open(path, "w") as file:
            file.write("#!/bin/sh\n" + script + "\n")
        os.chmod(path, 0o755)
        return {"PATH": folder + ":" + os.environ["PATH"], "ATTENTION_LAB_FILE_DIALOG": "zenity"}

    def process(self, path):
        """The folder of the process whose id the script wrote to `path`, which is then removed."""
        def number():
            if os.path.exists(path):
                with open(path) as file:
                    return file.read().strip()
        folder = "/proc/" + wait_for("the dialog", number)
        os.remove(path)
        return folder

    def test_a_chosen_file_is_opened_and_saved_to(self):
        with tempfile.TemporaryDirectory() as folder:
            chosen = os.path.join(folder, "Größe 100% ไทย.json")
            shutil.copyfile(os.path.join(os.environ["ATTENTION_LAB_EXAMPLES"], "cat-sat.json"), chosen)
            before = os.stat(chosen).st_mtime_ns
            with Lab(**self.programs(folder, f"sleep 0.3; echo '{chosen}'")) as lab:
                title = lab.title()
                lab.key("ctrl+o")
                wait_for("the chosen file", lambda: lab.title() != title)
                lab.settle()
                lab.key("ctrl+s")
                wait_for("the file to be saved", lambda: os.stat(chosen).st_mtime_ns != before)
                with open(chosen) as file:
                    self.assertEqual(json.load(file)["sentence"], "Cat sat")

    def test_the_window_keeps_responding_and_closes_while_the_dialog_is_open(self):
        with tempfile.TemporaryDirectory() as folder:
            number = os.path.join(folder, "pid")
            with Lab(**self.programs(folder, f"echo $$ >'{number}'; exec sleep 1000")) as lab:
                shown = lab.settle()
                lab.key("ctrl+o")
                asked = lab.settle(shown)
                dialog = self.process(number)
                lab.key("Escape")
                lab.settle(asked)
                wait_for("its end", lambda: not os.path.exists(dialog))
                lab.key("ctrl+o")
                dialog = self.process(number)
                lab.process.terminate()
                self.assertEqual(lab.process.wait(60), -signal.SIGTERM)
                wait_for("its end", lambda: not os.path.exists(dialog))

    def test_without_one_the_windows_own_dialog_takes_a_path(self):
        nothing = {"DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "", "ATTENTION_LAB_FILE_DIALOG": ""}
        with Lab(**nothing, PATH="/nowhere") as lab:
            shown = lab.settle()
            lab.key("ctrl+shift+s")
            lab.settle(shown)
            path = os.path.join(lab.folder, "typed.json")
            lab.key("ctrl+a")
            lab.type(path)
            lab.key("Return")
            wait_for("the session", lambda: os.path.exists(path))


if __name__ == "__main__":
    unittest.main()
