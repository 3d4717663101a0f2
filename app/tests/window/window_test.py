"""Tests the window as a person uses it. CTest runs it on a virtual display."""
import json
import os
import signal
import subprocess
import time
import unittest

import numpy

from driver import HEIGHT, PROGRAM, Lab, layout_of, part, same_picture, stages_of, wait_for
from x_server import key_for

STAGES = ("Q", "K", "V", "scores", "scaled_scores", "weights", "head_output", "concat", "output")
MESSAGE = (400, 920, 800, 50)  # where messages appear
SENTENCE = "The cat sat on the mat"


class Typing(unittest.TestCase):
    def test_a_new_sentence_changes_the_chips_and_every_map(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            before = lab.settle()
            lab.key("ctrl+a")
            lab.type(SENTENCE)
            wait_for("the last letter", lambda: lab.commands()[-1:] == [{"do": "set_sentence", "text": SENTENCE}])
            after = lab.settle(before, places["chip/10"])
            for stage in STAGES:
                self.assertFalse(same_picture(before, after, places["card/" + stage]), stage)
            for head in "123":
                self.assertFalse(same_picture(before, after, places["head/" + head]), head)
            self.assertFalse(same_picture(before, after, places["chip/1"]))
            session = lab.save()
            with open(session) as file:
                self.assertEqual(json.load(file)["sentence"], SENTENCE)
            self.assertEqual(stages_of(session, lab.folder)["weights"].shape, (3, 6, 6))
            chips = [name for name in layout_of(session, lab.folder) if name.startswith("chip/")]
            self.assertEqual(len(chips), 6)


class Dragging(unittest.TestCase):
    def test_a_cell_of_head_2_changes_only_head_2_and_undo_restores_all(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            original = stages_of(lab.session, lab.folder)
            first = lab.settle()
            lab.click(places["head/2"])
            before = lab.settle(first, places["stage/Q"])
            lab.drag(places["matrix/W_Q/0/0"], 0, -120)
            after = lab.settle(before, places["stage/output"])
            wait_for("the end of the drag", lab.commands)
            commands = lab.commands()
            self.assertEqual(len(commands), 1, "one drag is one step")
            self.assertEqual((commands[0]["matrix"], commands[0]["head"]), ("W_Q", 2))
            edited = stages_of(lab.save(), lab.folder)
            self.check_heads(original, edited)
            self.check_pictures(places, before, after)
            lab.key("ctrl+z")
            wait_for("the undo", lambda: lab.commands()[-1] == {"do": "undo"})
            self.check_restored(places, before, lab.settle(after, places["stage/output"]))
            restored = stages_of(lab.save(), lab.folder)
            for stage in STAGES:
                self.assertEqual(original[stage].tobytes(), restored[stage].tobytes(), stage)

    def check_heads(self, original, edited):
        for stage in ("Q", "scores", "scaled_scores", "weights", "head_output"):
            self.assertFalse(numpy.array_equal(original[stage][1], edited[stage][1]), stage)
        for stage in ("Q", "K", "V", "scores", "scaled_scores", "weights", "head_output"):
            for head in (0, 2):
                self.assertEqual(original[stage][head].tobytes(), edited[stage][head].tobytes(), stage)
        for stage in ("concat", "output"):
            self.assertFalse(numpy.array_equal(original[stage], edited[stage]), stage)

    def check_pictures(self, places, before, after):
        for stage in ("Q", "scores", "scaled_scores", "weights", "head_output", "concat", "output"):
            self.assertFalse(same_picture(before, after, places["stage/" + stage]), stage)
        for stage in ("K", "V"):
            self.assertTrue(same_picture(before, after, places["stage/" + stage]), stage)
        self.assertFalse(same_picture(before, after, places["head/2"]))
        self.assertTrue(same_picture(before, after, places["head/1"]))
        self.assertTrue(same_picture(before, after, places["head/3"]))

    def check_restored(self, places, before, now):
        for stage in STAGES:
            self.assertTrue(same_picture(before, now, places["stage/" + stage]), stage)

    def test_escape_cancels_a_drag(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            before = lab.settle()
            x, y, w, h = places["matrix/W_Q/0/0"]
            xdotool = lambda *words: subprocess.run(["xdotool", *words], check=True)
            xdotool("mousemove", str(int(x + w / 2)), str(int(y + h / 2)), "mousedown", "1")
            xdotool("mousemove", str(int(x + w / 2)), str(int(y - 60)))
            dragged = lab.settle(before, places["stage/Q"])
            lab.key("Escape")
            xdotool("mousemove", str(int(x + w / 2)), str(int(y - 90)), "mouseup", "1")
            self.assertTrue(same_picture(before, lab.settle(dragged, places["stage/Q"]), places["stage/Q"]))
            self.assertEqual(lab.commands(), [])


class TypingNumbers(unittest.TestCase):
    def test_a_typed_number_replaces_the_cell_and_moves_down(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            lab.click(places["matrix/W_Q/0/0"])
            lab.type("-1.25")
            lab.key("Return")
            lab.type("7")
            lab.key("Tab")
            wait_for("both cells", lambda: len(lab.commands()) == 2)
            cells = [(c["row"], c["col"], c["value"]) for c in lab.commands()]
            self.assertEqual(cells, [(0, 0, -1.25), (1, 0, 7)])

    def test_invalid_and_too_large_numbers_do_not_change_the_cell(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            original = stages_of(lab.session, lab.folder)
            before = lab.settle()
            for text in ("nan", "1e38", "1.2.3", "-inf"):
                lab.click(places["matrix/W_Q/0/0"])
                quiet = lab.settle()
                lab.type(text)
                lab.key("Return")
                shown = lab.settle(quiet, MESSAGE)
                self.assertTrue(same_picture(before, shown, places["stage/scores"]), text)
                lab.key("Escape")
            self.assertEqual(lab.commands(), [])
            kept = stages_of(lab.save(), lab.folder)
            self.assertEqual(original["output"].tobytes(), kept["output"].tobytes())


class Sentence(unittest.TestCase):
    def test_an_empty_sentence_is_reported_and_the_document_is_kept(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            before = lab.settle()
            lab.key("ctrl+a", "Delete")
            shown = lab.settle(before, MESSAGE)
            self.assertTrue(same_picture(before, shown, places["stage/weights"]))
            self.assertEqual(lab.commands(), [])
            lab.type("Hello")
            wait_for("the new sentence", lambda: lab.commands()[-1:] == [{"do": "set_sentence", "text": "Hello"}])

    def test_fast_typing_loses_nothing(self):
        text = "quick brown foxes jump over lazy dogs " * 3
        with Lab() as lab:
            lab.key("ctrl+a")
            subprocess.run(["xdotool", "type", "--delay", "0", text], check=True)
            wait_for("all of it", lambda: lab.commands()[-1:] == [{"do": "set_sentence", "text": text}])


    def yellow(self, pixels, places):
        """Number of pixels in the sentence box that are as yellow as an emoji's face."""
        red, _, blue = part(pixels, places["sentence"]).reshape(-1, 3).astype(int).T
        return int((red - blue > 100).sum())

    def test_an_emoji_is_shown_in_its_colours(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            self.assertEqual(self.yellow(lab.settle(), places), 0)
            lab.key(key_for("\N{SLIGHTLY SMILING FACE}"))
            wait_for("a yellow face", lambda: self.yellow(lab.settle(), places) > 50)
            lab.type("!")
            text = lab.wait_for_commands(2)[-1]["text"]
            self.assertTrue(text.endswith("\N{SLIGHTLY SMILING FACE}!"), text)


class Idle(unittest.TestCase):
    def test_no_frame_is_drawn_while_nothing_happens(self):
        def frames_after(seconds):
            with Lab() as lab:
                time.sleep(seconds)
                return lab.quit()["frames"]
        # At 60 frames a second, the program would draw 240 more.
        self.assertLess(frames_after(4.5) - frames_after(0.5), 40)


class Signals(unittest.TestCase):
    def test_a_program_that_is_terminated_writes_its_statistics(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with Lab() as lab:
                lab.process.send_signal(number)
                self.assertEqual(lab.process.wait(60), -number)
                with open(lab.stats) as file:
                    self.assertGreater(json.load(file)["frames"], 0)


class Recording(unittest.TestCase):
    def test_a_record_on_a_full_disk_is_a_failed_write(self):
        lab = Lab()
        lab.record = "/dev/full"
        with lab:
            self.assertEqual(self.ended_after_an_edit(lab), 6)

    def test_a_whole_record_is_none(self):
        with Lab() as lab:
            self.assertEqual(self.ended_after_an_edit(lab), 0)

    def ended_after_an_edit(self, lab):
        lab.type("x")
        wait_for("the edit", lambda: lab.title().startswith("•".encode()))
        lab.save()
        lab.key("ctrl+q")
        return lab.process.wait(60)


class SideButtons(unittest.TestCase):
    def test_they_walk_the_explained_cells_back_and_forward(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            card = places["card/scores"]

            def picture_after(act):
                act()
                lab.point_at(5, HEIGHT - 5)  # where it highlights nothing
                return lab.settle()

            first = picture_after(lambda: lab.click(places["stage/scores/3/1"]))
            second = picture_after(lambda: lab.click(places["stage/scores/5/2"]))
            self.assertFalse(same_picture(first, second, card))
            self.assertTrue(same_picture(first, picture_after(lambda: lab.press_button(8)), card), "back")
            self.assertTrue(same_picture(second, picture_after(lambda: lab.press_button(9)), card), "forward")


class NoScreen(unittest.TestCase):
    def start(self, **environment):
        return subprocess.run([PROGRAM, "refer"], capture_output=True, text=True, timeout=60,
                              env={**os.environ, **environment})

    def test_no_display_is_one_clear_line_and_exit_code_3(self):
        environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        ended = subprocess.run([PROGRAM, "refer"], capture_output=True, text=True, env=environment)
        self.assertEqual(ended.returncode, 3)
        self.assertEqual(ended.stderr.count("\n"), 1)
        self.assertIn("display", ended.stderr)
        for works in ("export refer -o heads.png", "explain refer", "compute refer", "xvfb-run"):
            self.assertIn(works, ended.stderr)

    def test_an_old_opengl_is_one_clear_line_and_exit_code_4(self):
        ended = self.start(MESA_GL_VERSION_OVERRIDE="2.1")
        self.assertEqual(ended.returncode, 4)
        self.assertEqual(ended.stderr.count("\n"), 1)
        self.assertIn("OpenGL 3.3", ended.stderr)


if __name__ == "__main__":
    unittest.main()
