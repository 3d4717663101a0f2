"""Tests editing in the window with mouse and keyboard: mask, blocks, overrides, history, a second sentence."""
import unittest

import numpy

from driver import Lab, expect_same, layout_of, part, same_picture, session_at, stages_of, wait_for

WINDOW = (0, 140, 1600, 820)  # all but the sentence and the status line, which counts microseconds


def is_hatched(pixels, cell):
    """True if the inside of a cell is not a plain fill but strokes of two colours and blends of them."""
    x, y, w, h = cell
    inside = part(pixels, (x + 3, y + 3, w - 6, h - 6)).reshape(-1, 3).astype(int)
    return len(inside) > 0 and numpy.ptp(inside, axis=0).max() > 20


class MaskPainting(unittest.TestCase):
    def test_a_stroke_forbids_its_pairs_in_every_head_and_is_one_step(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            original = stages_of(lab.session, lab.folder)
            lab.choose(places["tab/more"], 0)
            lab.point_away()
            before = lab.settle()
            lab.drag((170, 560, 4, 4), 60, 40)
            lab.point_away()
            after = lab.settle(before, places["stage/weights"])
            commands = lab.wait_for_commands(1)
            self.assertEqual([c["matrix"] for c in commands], ["mask"], "one stroke is one command")
            painted = self.painted(commands[0])
            self.assertGreater(len(painted), 2)
            self.check_numbers(stages_of(lab.save(), lab.folder), painted)
            self.check_hatches(after, layout_of(lab.session, lab.folder), painted)
            lab.key("ctrl+z")
            lab.wait_for_commands(2)
            expect_same(before, lab.settle(after, WINDOW), places["card/weights"])
            restored = stages_of(lab.save(), lab.folder)
            self.assertEqual(original["weights"].tobytes(), restored["weights"].tobytes())

    def painted(self, command):
        """The pairs that the stroke covered; all others in its block are allowed."""
        values = numpy.array(command["values"])
        self.assertEqual(set(values.flat), {0, 1})
        return [(command["row"] + int(r), command["col"] + int(c)) for r, c in numpy.argwhere(values == 0)]

    def check_numbers(self, stages, painted):
        for row, col in numpy.ndindex(11, 11):
            forbidden = (row, col) in painted
            self.assertEqual((stages["weights"][:, row, col] == 0).all(), forbidden, (row, col))
            self.assertEqual((stages["masked_scores"][:, row, col] == -numpy.inf).all(), forbidden, (row, col))
        self.assertLess(abs(stages["weights"].sum(axis=2) - 1).max(), 1e-5)

    def check_hatches(self, pixels, places, painted):
        for row, col in painted:
            self.assertTrue(is_hatched(pixels, places[f"stage/masked_scores/{row}/{col}"]), (row, col))
            self.assertFalse(is_hatched(pixels, places[f"stage/scores/{row}/{col}"]), (row, col))
        self.assertFalse(is_hatched(pixels, places["stage/masked_scores/0/0"]))


class Blocks(unittest.TestCase):
    def test_a_block_is_copied_to_another_place_in_one_step(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            numbers = numpy.array(session_at(lab.session)["heads"][0]["W_Q"], numpy.float32)
            lab.click(places["matrix/W_Q/5/0"])
            lab.key("shift+Right", "shift+Down", "shift+Right", "ctrl+c")
            lab.click(places["matrix/W_Q/1/1"])
            lab.key("ctrl+v")
            commands = lab.wait_for_commands(1)
            self.assertEqual(commands, [{"do": "set_block", "matrix": "W_Q", "head": 1, "row": 1, "col": 1,
                                         "values": numbers[5:7, 0:3].tolist()}])
            expected = numbers.copy()
            expected[1:3, 1:4] = numbers[5:7, 0:3]
            self.assertEqual(session_at(lab.save())["heads"][0]["W_Q"], expected.tolist())
            lab.key("ctrl+z")
            lab.wait_for_commands(2)
            self.assertEqual(session_at(lab.save())["heads"][0]["W_Q"], numbers.tolist())

    def test_delete_clears_the_block_and_nothing_beside_it(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            before = lab.settle()
            lab.click(places["matrix/W_Q/3/1"])
            lab.key("shift+Down", "Delete")
            lab.wait_for_commands(1)
            lab.point_away()
            after = lab.settle(before, places["stage/Q"])
            expect_same(before, after, places["stage/K"])
            kept = session_at(lab.save())["heads"][0]["W_Q"]
            numbers = numpy.array(session_at(lab.original)["heads"][0]["W_Q"])
            numbers[3:5, 1] = 0
            self.assertEqual(kept, numbers.tolist())


class Overriding(unittest.TestCase):
    def test_a_typed_weight_is_used_marked_and_removed(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            original = stages_of(lab.session, lab.folder)
            cell = places["stage/weights/7/5"]
            lab.click(cell)
            lab.point_away()
            before = lab.settle()
            lab.key("Return")
            lab.type("0.5")
            lab.key("Return")
            self.assertEqual(lab.wait_for_commands(1), [{"do": "set_override", "stage": "weights", "head": 1,
                                                         "row": 7, "col": 5, "value": 0.5}])
            after = lab.settle(before, cell)
            self.assertTrue(self.has_corner(after, cell))
            self.assertFalse(self.has_corner(before, cell))
            expect_same(before, after, places["stage/scaled_scores"], "what comes before stays")
            self.assertFalse(same_picture(before, after, places["stage/output"]), "what comes after follows")
            self.check_numbers(original, stages_of(lab.save(), lab.folder))
            lab.key("Delete")
            self.assertEqual(lab.wait_for_commands(2)[1]["do"], "remove_override")
            expect_same(before, lab.settle(after, cell), WINDOW)
            self.assertNotIn("overrides", session_at(lab.save()))

    def has_corner(self, pixels, cell):
        """True if the top right corner of the cell has the text colour, which no fill has."""
        x, y, w, h = cell
        corner = part(pixels, (x + w - 5, y + 1, 3, 3)).astype(int)
        return corner.max(axis=2).min() < 90

    def check_numbers(self, original, edited):
        expected = original["weights"].copy()
        expected[0, 7, 5] = 0.5
        self.assertEqual(edited["weights"].tobytes(), expected.tobytes())
        head = expected[0] @ edited["V"][0]
        self.assertLess(abs(edited["head_output"][0] - head).max(), 1e-5)
        self.assertGreater(abs(head - original["head_output"][0]).max(), 0.1)


class History(unittest.TestCase):
    def test_its_list_jumps_back_and_forward(self):
        with Lab() as lab:
            places = layout_of(lab.session, lab.folder)
            lab.point_away()
            pictures = [lab.settle()]
            for row, text in enumerate(("3", "-2.5", "1.75")):
                lab.click(places[f"matrix/W_Q/{row}/3"])
                lab.type(text)
                lab.key("Return")
                lab.point_away()
                pictures.append(lab.settle(pictures[-1], places["stage/Q"]))
            lab.wait_for_commands(3)
            self.check_jump(lab, places, pictures[3], pictures[0], "Home")
            self.check_jump(lab, places, pictures[0], pictures[2], "Down", "Down")
            column = [row[3] for row in session_at(lab.save())["heads"][0]["W_Q"]]
            self.assertEqual(column[:3], [3, -2.5, 0], "the third edit is taken back")
            self.check_jump(lab, places, pictures[2], pictures[3], "End")
            self.assertEqual(session_at(lab.save())["heads"][0]["W_Q"][2][3], 1.75)

    def check_jump(self, lab, places, before, expected, *keys):
        lab.key("ctrl+h")
        lab.settle(before)
        lab.key(*keys)
        lab.key("Return")
        now = lab.settle(before, places["stage/Q"])
        for stage in ("Q", "scores", "weights", "output"):
            expect_same(expected, now, places["stage/" + stage], (keys, stage))


class SecondSentence(unittest.TestCase):
    TEXT = "cats sleep"

    def test_the_keys_come_from_what_is_typed_into_the_second_box(self):
        with Lab() as lab:
            lab.key("ctrl+k")
            lab.type("second sentence")
            lab.key("Return")
            lab.wait_for_commands(1)
            lab.settle()
            lab.key("ctrl+a")
            lab.type(self.TEXT)
            wait_for("the last letter",
                     lambda: lab.commands()[-1:] == [{"do": "set_kv_sentence", "text": self.TEXT}])
            stages = stages_of(lab.save(), lab.folder)
            self.assertEqual(stages["weights"].shape, (3, 11, 2))
            self.assertEqual(stages["K"].shape, (3, 2, 4))
            lab.point_away()
            places = layout_of(lab.session, lab.folder)
            self.assertIn("kv_chip/1", places)
            self.assertNotIn("kv_chip/2", places)
            before = lab.settle()
            lab.click(places["chip/0"])
            lab.point_away()
            after = lab.settle(before, places["stage/weights"])
            self.assertFalse(same_picture(before, after, places["chip/0"]), "it is the query now")
            expect_same(before, after, places["stage/K"])


if __name__ == "__main__":
    unittest.main()
