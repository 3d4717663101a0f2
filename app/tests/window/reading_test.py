"""Tests reading in the window with mouse and keyboard: comparing, zooming, pinning, looking at heads."""
import unittest

import numpy

from driver import Lab, expect_same, layout_of, part, same_picture, stages_of, wait_for

CARDS = (320, 150, 925, 800)  # the middle column
WEIGHTS = (946, 240, 304, 540)  # with the cards above; its colours always stand for 0 to 1
SELECTED = (234, 116, 9)  # the selection colour, roughly
PARTS = ("Q", "K", "V", "scores", "scaled_scores", "weights", "head_output", "concat", "output")


class Comparing(unittest.TestCase):
    def test_f3_shows_what_was_kept_as_long_as_it_is_held(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            shown, kept = self.keep(lab)
            edited = self.edit(lab, places, kept)
            self.assertFalse(same_picture(kept, edited, WEIGHTS))
            with lab.holding("F3"):
                flipped = lab.settle(edited, WEIGHTS)
            expect_same(kept, flipped, WEIGHTS)
            expect_same(edited, lab.settle(flipped, WEIGHTS), CARDS)
            lab.key("ctrl+d")
            ended = lab.settle(edited, CARDS)
            expect_same(shown, ended, places["card/K"], "the bar is gone again")
            self.assertFalse(same_picture(shown, ended, places["stage/weights"]), "the edit stays")

    def test_the_difference_is_empty_where_the_edit_does_not_reach(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            kept = self.keep(lab)[1]
            edited = self.edit(lab, places, kept)
            lab.key("ctrl+shift+d")
            difference = lab.settle(edited, CARDS)
            # The bar moved the cards down; compare a part that is inside both positions.
            spread = {}
            for stage in ("Q", "K", "V"):
                x, y, w, h = places["stage/" + stage]
                cells = part(difference, (x + 5, y + 70, w - 10, h - 80)).astype(int)
                spread[stage] = numpy.ptp(cells, axis=2).max()
            self.assertGreater(spread["Q"], 60, "coloured")
            self.assertLess(max(spread["K"], spread["V"]), 20, "grey, and nothing else")
            lab.key("ctrl+shift+d")
            expect_same(edited, lab.settle(difference, CARDS), CARDS)

    def keep(self, lab):
        lab.point_away()
        shown = lab.settle()
        lab.key("ctrl+d")
        return shown, lab.settle(shown, CARDS)

    def edit(self, lab, places, kept):
        lab.click(places["matrix/W_Q/0/1"])
        lab.key("Delete")
        lab.wait_for_commands(1)
        lab.point_away()
        return lab.settle(kept, CARDS)


class Maps(unittest.TestCase):
    def test_the_wheel_zooms_a_drag_pans_and_0_shows_the_whole_map(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            map_place = places["stage/scores"]
            lab.click(places["stage/scores/5/5"])
            lab.point_away()
            whole = lab.settle()
            lab.scroll(map_place, 5)
            lab.point_away()
            zoomed = lab.settle(whole, map_place)
            self.assertGreater(self.fills(whole, map_place), self.fills(zoomed, map_place), "fewer cells, larger")
            expect_same(whole, zoomed, places["stage/scaled_scores"], "the others stay")
            lab.drag(map_place, -70, 0, rests=True)
            lab.point_away()
            panned = lab.settle(zoomed, map_place)
            self.assertLess(abs(self.shift_between(part(zoomed, map_place), part(panned, map_place)) - 70), 9)
            lab.choose_command("whole maps")
            expect_same(whole, lab.settle(panned, map_place), map_place)
            self.assertEqual(lab.commands(), [], "looking is no edit")

    def test_a_double_click_on_the_title_shows_the_card_large(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            lab.point_away()
            before = lab.settle()
            x, y, w, h = places["title/scores"]
            lab.double_click((x + 60, y, 20, h))
            lab.point_away()
            self.assertLess(self.longest_line(before), 300)
            # The first click alone changes the picture too, and on a busy machine the second one follows later.
            wait_for("the frame of the selected row of a large card", lambda: self.longest_line(lab.pixels()) > 500)
            large = lab.settle()
            lab.key("Escape")
            expect_same(before, lab.settle(large, CARDS), places["stage/concat"])

    def fills(self, pixels, rectangle):
        """How many colours cover more than a hundred pixels."""
        _, counts = numpy.unique(part(pixels, rectangle).reshape(-1, 3), axis=0, return_counts=True)
        return int((counts > 100).sum())

    def shift_between(self, before, after):
        """By how many pixels the contents moved to the left."""
        width = before.shape[1]
        def misfit(shift):
            return abs(before[:, shift:].astype(int) - after[:, :width - shift]).mean()
        return min(range(1, width // 2), key=misfit)

    def longest_line(self, pixels):
        """The length of the longest horizontal line on the cards in the selection colour."""
        selected = (abs(part(pixels, CARDS).astype(int) - SELECTED).max(axis=2) < 24)
        longest = run = numpy.zeros(selected.shape[0], int)
        for column in selected.T:
            run = (run + 1) * column
            longest = numpy.maximum(longest, run)
        return longest.max()


class Pins(unittest.TestCase):
    def test_ctrl_and_click_pin_several_cells_and_escape_unpins_them(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            lab.point_away()
            before = lab.settle()
            cells = ["stage/weights/2/3", "stage/scores/9/1"]
            pictures = [before]
            for cell in cells:
                with lab.holding("ctrl"):
                    lab.click(places[cell])
                lab.point_away()
                pictures.append(lab.settle(pictures[-1], places[cell]))
            for cell in cells:
                self.assertFalse(same_picture(before, pictures[2], places[cell]), "still pinned")
            self.assertFalse(same_picture(pictures[1], pictures[2], places["card/scores"]))
            with lab.holding("ctrl"):
                lab.click(places[cells[0]])
            lab.point_away()
            one = lab.settle(pictures[2], places[cells[0]])
            expect_same(before, one, places[cells[0]], "a second time takes it back")
            lab.key("Escape")
            expect_same(before, lab.settle(one, places[cells[1]]), CARDS)


class Heads(unittest.TestCase):
    def test_digits_look_at_a_head_and_m_mutes_it(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            original = stages_of(lab.session, lab.folder)
            start = lab.settle()
            lab.click(places["head/2"])
            lab.point_away()
            second = lab.settle(start, places["stage/Q"])
            lab.key("3")
            third = lab.settle(second, places["stage/Q"])
            lab.key("2")
            again = lab.settle(third, places["stage/Q"])
            for stage in PARTS:
                expect_same(second, again, places["stage/" + stage], stage)
            lab.key("m")
            self.assertEqual(lab.wait_for_commands(1), [{"do": "set_head_mix", "head": 2, "mute": True}])
            muted = lab.settle(again, places["stage/concat"])
            expect_same(again, muted, places["stage/head_output"], "it is still computed")
            self.check_numbers(original, stages_of(lab.save(), lab.folder))
            lab.key("m")
            expect_same(again, lab.settle(muted, places["stage/concat"]), places["stage/output"])

    def check_numbers(self, original, muted):
        self.assertEqual(original["weights"].tobytes(), muted["weights"].tobytes())
        expected = original["concat"].copy()
        expected[:, 4:8] = 0
        self.assertTrue((expected == muted["concat"]).all(), "nothing of head 2 goes on")
        self.assertFalse((original["output"] == muted["output"]).all())


if __name__ == "__main__":
    unittest.main()
