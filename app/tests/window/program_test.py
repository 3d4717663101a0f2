"""Tests everything around the maps: presenting, commands by name, saved settings, images, keyboard only."""
import os
import time
import unittest

from driver import Lab, expect_same, layout_of, part, same_picture, screenshot_of, verb, wait_for

CARDS = (320, 150, 925, 800)  # the middle column
BELOW = (0, 140, 1600, 810)  # without the sentence, and the status line, which counts microseconds
LEFT = (0, 0, 980, 950)  # without Explain, which remembers the cells that were viewed
ALLOWED = 50  # pixels that may differ from the same window drawn off screen: rounding at edges of shapes
HEADING = (1000, 10, 590, 45)  # of present mode: which stage of how many


class Presenting(unittest.TestCase):
    def test_a_clicker_steps_and_escape_restores_the_window(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            lab.click(places["stage/weights/7/1"])
            lab.point_away()
            outside = lab.settle()
            lab.key("F5")
            weights = lab.settle(outside)
            lab.key("Next")
            head_output = lab.settle(weights, HEADING)
            self.assertFalse(same_picture(weights, head_output, CARDS), "another map")
            lab.key("Prior")
            back = lab.settle(head_output, HEADING)
            expect_same(weights, back, LEFT)
            expect_same(weights, back, HEADING)
            lab.key("Escape")
            expect_same(outside, lab.settle(back), LEFT)
            self.assertEqual(lab.commands(), [])

    def test_it_plays_from_stage_to_stage_and_pauses(self):
        with Lab() as lab:
            lab.point_away()
            outside = lab.settle()
            lab.key("F5")
            lab.settle(outside)
            lab.key("Home")
            first = lab.settle()
            lab.key("p")
            wait_for("the second stage", lambda: not same_picture(first, lab.pixels(), HEADING))
            lab.key("p")
            paused = lab.settle()
            time.sleep(5)  # longer than a stage is shown
            expect_same(paused, lab.pixels(), BELOW)


class Homes(unittest.TestCase):
    def test_where_nothing_can_be_written_the_window_opens(self):
        unwritable = {name: "/proc/none" for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")}
        with Lab(**unwritable) as lab:
            lab.point_away()
            lab.key("F5")
            self.assertGreater(lab.settle().std(), 10)


class Commands(unittest.TestCase):
    def test_one_is_found_by_its_name_and_the_theme_it_sets_is_kept(self):
        with Lab() as lab:
            lab.point_away()
            light = lab.settle()
            lab.choose_command("dark")
            dark = lab.settle(light)
            self.assertLess(part(dark, BELOW).mean(), 90)
            self.assertGreater(part(light, BELOW).mean(), 200)
            lab.restart()
            lab.point_away()
            expect_same(dark, lab.settle(), BELOW)
            drawn, places = screenshot_of(lab.session, lab.folder, "--theme", "dark")
            for card in ("card/Q", "card/weights", "card/output", "head/2"):
                expect_same(dark, drawn, places[card], card, ALLOWED)


class Opening(unittest.TestCase):
    def test_a_slow_file_is_shown_in_the_window_once_it_is_read(self):
        lab = Lab()
        with open(lab.session, "rb") as file:
            session = file.read()
        os.remove(lab.session)
        os.mkfifo(lab.session)
        with lab:  # the window appears although nothing has been written into the pipe
            self.assertNotIn(b"Words of a test", lab.title())
            with open(lab.session, "wb") as pipe:
                pipe.write(session.replace("What does “it” refer to?".encode(), b"Words of a test"))
            wait_for("the session", lambda: b"Words of a test" in lab.title())


class Scaling(unittest.TestCase):
    def test_ctrl_plus_and_minus_scale_the_window_and_the_size_is_kept(self):
        with Lab() as lab:
            lab.point_away()
            normal = lab.settle()
            lab.key("ctrl+plus")
            larger = lab.settle(normal)
            lab.key("ctrl+plus", "ctrl+plus", "ctrl+minus")
            largest = lab.settle(larger)
            self.check_drawn(lab, largest, "1.25")
            lab.restart()
            lab.point_away()
            again = lab.settle()
            self.check_drawn(lab, again, "1.25")
            lab.key("ctrl+0")
            expect_same(normal, lab.settle(again), BELOW)

    def check_drawn(self, lab, shown, scale):
        drawn, places = screenshot_of(lab.session, lab.folder, "--scale", scale)
        for card in ("card/Q", "card/scores", "head/1"):
            expect_same(shown, drawn, places[card], (card, scale), ALLOWED)


class Exporting(unittest.TestCase):
    def test_the_picture_is_the_one_that_the_command_line_writes(self):
        with Lab() as lab:
            lab.click(layout_of(lab.session, lab.folder)["head/2"])
            before = lab.settle()
            lab.key("ctrl+e")
            lab.settle(before, CARDS)
            lab.key("ctrl+a")
            lab.type(os.path.join(lab.folder, "typed.png"))
            lab.key("Return")
            written = os.path.join(lab.folder, "typed.png")
            wait_for("the picture", lambda: os.path.exists(written))
            expected = os.path.join(lab.folder, "expected.png")
            verb("export", lab.session, "--stage", "weights", "--head", "2", "-o", expected)
            with open(written, "rb") as one, open(expected, "rb") as other:
                self.assertTrue(one.read() == other.read(), "they differ")


class KeyboardAlone(unittest.TestCase):
    """The pointer stays in its corner all the time."""

    def test_the_ring_moves_to_a_size_and_to_a_cell_and_changes_both(self):
        with Lab() as lab:
            lab.point_away()
            lab.keys_one_by_one("F6", "Down", "Return", "Down", "Return")  # Model: the list of d_model
            self.assertEqual(lab.wait_for_commands(1)[0], {"do": "set_size", "size": "d_model", "value": 2})
            lab.keys_one_by_one("F6", "Return", "Right", "Down")  # Edit: into the cells
            lab.type("1.5")
            lab.key("Return")
            cell = lab.wait_for_commands(2)[1]
            self.assertEqual((cell["matrix"], cell["row"], cell["col"], cell["value"]), ("W_Q", 1, 1, 1.5))


if __name__ == "__main__":
    unittest.main()
