"""Tests a trained model in the window: its induction heads are muted, and it no longer copies."""
import json
import os
import unittest

from driver import Lab, layout_of, same_picture, verb, wait_for

TEXT = "hkqmzhkq"  # the letter after the first "hkq" comes next: m
INDUCTION = ["L1H3", "L1H0", "L1H2"]  # the heads that "attribute induction --kind labels" calls so


def tile_of(head):
    layer, number = head[1:].split("H")
    return f"tile/{layer}/{number}"


def probability_of_m(*arguments):
    """What the model expects next of the letter that it copies."""
    answer = json.loads(verb("predict", *arguments, "--top", "26", "--json"))
    return next(one["probability"] for one in answer["predictions"][0]["top"] if one["token"] == "m")


def open_model(**options):
    return Lab(names=["induction", "--text", TEXT], **options)


def saved(lab):
    """Saves with Ctrl+S; the first time, the window asks for a path."""
    if os.path.exists(lab.model):
        before = os.stat(lab.model).st_mtime_ns
        lab.key("ctrl+s")
        wait_for("the session to be saved", lambda: os.stat(lab.model).st_mtime_ns != before)
        return lab.model
    shown = lab.settle()
    lab.key("ctrl+s")
    lab.settle(shown)
    lab.key("ctrl+a")
    lab.type(lab.model)
    lab.key("Return")
    wait_for("the session", lambda: os.path.exists(lab.model))
    lab.settle()
    return lab.model


def places_of(lab):
    """Where the tiles are: those of a session of the same model on the same text."""
    session = os.path.join(lab.folder, "plain.json")
    edits = os.path.join(lab.folder, "none.jsonl")
    open(edits, "w").close()
    verb("apply", "induction", edits, "--text", TEXT, "-o", session)
    return layout_of(session, lab.folder)


class InductionHeads(unittest.TestCase):
    def mute(self, lab, places):
        lab.click(places[tile_of(INDUCTION[0])])
        with lab.holding("ctrl"):
            for head in INDUCTION[1:]:
                lab.click(places[tile_of(head)])
                lab.settle()
        lab.key("m")
        return lab.wait_for_commands(len(INDUCTION))

    def test_without_them_the_model_does_not_copy_until_undo(self):
        copied = probability_of_m("induction", "--text", TEXT)
        self.assertGreater(copied, 0.8)
        with open_model() as lab:
            lab.model = os.path.join(lab.folder, "model.json")
            places = places_of(lab)
            lab.point_away()
            before = lab.settle()
            commands = self.mute(lab, places)
            self.assertEqual({(c["do"], c["layer"], c["head"], c["mute"]) for c in commands},
                             {("set_head_mix", "1", int(head[-1]), True) for head in INDUCTION})
            lab.point_away()
            muted = lab.settle(before, places["panel/next_token"])
            for head in INDUCTION:
                self.assertFalse(same_picture(before, muted, places[tile_of(head)]), f"{head} is not marked")
            left = probability_of_m(saved(lab))
            self.assertLess(left, copied / 4)
            self.assertAlmostEqual(left, probability_of_m("induction", "--text", TEXT, "--mute", ",".join(INDUCTION)),
                                   places=5)
            for _ in INDUCTION:
                lab.key("ctrl+z")
            lab.wait_for_commands(2 * len(INDUCTION))
            self.assertAlmostEqual(probability_of_m(saved(lab)), copied, places=5)

    def test_they_are_still_muted_when_the_session_is_opened_again(self):
        with open_model() as lab:
            lab.model = os.path.join(lab.folder, "model.json")
            places = places_of(lab)
            self.mute(lab, places)
            saved(lab)
            lab.quit()
            lab.names = [lab.model]
            lab.start()
            with open(lab.model) as file:
                session = json.load(file)
            self.assertEqual((session["text"]["typed"], session["layer"]), (TEXT, "1"))
            lab.click(places[tile_of("L1H3")])
            lab.key("m")
            again = lab.wait_for_commands(1)[-1]
            self.assertEqual((again["layer"], again["head"], again["mute"]), ("1", 3, False))
            lab.key("ctrl+z")
            lab.wait_for_commands(2)


if __name__ == "__main__":
    unittest.main()
