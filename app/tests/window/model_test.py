"""Tests a trained model in the window: its induction heads are muted, and it no longer copies."""
import json
import os
import pathlib
import shutil
import sys
import unittest

from driver import Lab, layout_of, same_picture, verb, wait_for

sys.path.append(str(pathlib.Path(__file__).parents[1] / "hub"))
from hub_server import Hub  # noqa: E402

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


def saved_model(lab):
    """The session of the model as it is saved now."""
    with open(saved(lab)) as file:
        return json.load(file)


class ModelPaths(unittest.TestCase):
    """What a person does with a trained model, each from the beginning."""

    def lab(self, *names, **options):
        lab = Lab(names=list(names or ("induction", "--text", TEXT)), **options)
        lab.model = os.path.join(lab.folder, "model.json")
        return lab

    def test_a_model_is_opened_from_the_menu(self):
        with Lab() as lab:
            lab.model = os.path.join(lab.folder, "model.json")
            before = lab.settle()
            lab.choose_command("open model")
            lab.settle(before)
            lab.type("induction")
            before = lab.settle()
            lab.key("Return")
            wait_for("the model in the title", lambda: b"induction" in lab.title())
            lab.settle(before)
            self.assertTrue(saved_model(lab)["model"]["folder"].endswith("induction"))

    def test_the_next_token_is_appended_with_its_button(self):
        with self.lab() as lab:
            lab.settle()
            lab.click(places_of(lab)["next/append"])
            command = lab.wait_for_commands(1)[0]
            self.assertEqual((command["do"], command["text"]), ("set_sentence", TEXT + "m"))

    def test_a_head_is_dragged_from_one_text_to_another(self):
        other = "zkqmhzkq"
        with self.lab() as lab:
            places = places_of(lab)
            lab.click(places["sentence"])
            lab.key("ctrl+d", "ctrl+a")
            lab.type(other)
            lab.wait_for_commands(len(other))
            lab.point_away()
            lab.settle()
            # The tiles of A are in the left half of the card, those of B in the right one.
            x, y, w, h = places["panel/layers"]
            row = places["tile/1/1"]
            # The bar that says what is compared has moved the card down.
            lab.drag((x + 60, row[1] + 52 + row[3] / 2, 4, 4), w * 0.6, 0, rests=True)
            wait_for("a patch", lambda: any(c["do"] == "set_overrides" for c in lab.commands()))
            session = saved_model(lab)
            self.assertEqual([patch["head"] for patch in session["patches"]], ["L1H0"])

    def test_an_edit_is_switched_off_and_on(self):
        copied = probability_of_m("induction", "--text", TEXT)
        with self.lab() as lab:
            places = places_of(lab)
            lab.click(places[tile_of(INDUCTION[0])])
            before = lab.settle()
            lab.key("m")
            lab.wait_for_commands(1)
            lab.settle(before)
            muted = saved(lab)
            self.assertLess(probability_of_m(muted), copied)
            switch = layout_of(muted, lab.folder)["edits/0/switch"]
            lab.click(switch)
            lab.wait_for_commands(2)
            self.assertAlmostEqual(probability_of_m(saved(lab)), copied, places=5)
            lab.click(switch)
            lab.wait_for_commands(3)
            self.assertLess(probability_of_m(saved(lab)), copied)

    def test_layers_and_heads_are_exported_as_pdf(self):
        with self.lab() as lab:
            path = os.path.join(lab.folder, "heads.pdf")
            before = lab.settle()
            lab.choose_command("all layers heads figure")
            lab.settle(before)
            lab.key("ctrl+a")
            lab.type(path)
            lab.settle()
            lab.key("Return")
            wait_for("the figure", lambda: os.path.exists(path) and os.path.getsize(path) > 0)
            # The file embeds the session of the model.
            self.assertIn(b"induction", verb("model", path))

    def test_layers_and_heads_are_reached_by_keys_alone(self):
        with self.lab() as lab:
            lab.click(places_of(lab)["tile/0/0"])
            for key in ("Page_Down", "h", "m"):
                before = lab.settle()
                lab.key(key)
                lab.settle(before)
            command = lab.wait_for_commands(1)[0]
            self.assertEqual((command["do"], command["layer"], command["head"]), ("set_head_mix", "1", 1))

    def test_the_answer_and_its_effects_are_saved_with_the_model(self):
        with self.lab() as lab:
            places = places_of(lab)
            lab.point_away()
            before = lab.settle()
            # The second row of Next token, then the view that shows what each head does to it.
            x, y, w, h = places["next/append"]
            tokens = sorted((place[1], name) for name, place in places.items()
                            if name.startswith("next/") and name[5:].isdigit())
            lab.click(places[tokens[1][1]])
            lab.settle(before)
            lab.click(places["tiles/1"])
            view = saved_model(lab)["view"]["model"]
            self.assertEqual((view["tiles"], view["answer"]["token"]), ("effect", int(tokens[1][1][5:])))

    def test_a_session_whose_model_moved_is_opened_with_it(self):
        with self.lab() as lab:
            here, there = (os.path.join(lab.folder, name) for name in ("here", "there"))
            shutil.copytree(json.loads(verb("model", "induction", "--json"))["folder"], here)
            session, edits = (os.path.join(lab.folder, name) for name in ("moved.json", "mute.jsonl"))
            with open(edits, "w") as file:
                file.write('{"do": "set_head_mix", "layer": "1", "head": 3, "mute": true}\n')
            verb("apply", here, edits, "--text", TEXT, "-o", session)
            os.rename(here, there)
            before = lab.settle()
            lab.key("ctrl+o")
            lab.settle(before)
            lab.key("ctrl+a")
            lab.type(session)
            before = lab.settle()
            lab.key("Return")
            lab.settle(before)
            lab.type(there)
            before = lab.settle()
            lab.key("Return")
            wait_for("the model in the title", lambda: b"there" in lab.title())
            lab.settle(before)
            lab.model = session
            lab.key("m")  # of the first head: something to save
            lab.wait_for_commands(1)
            now = saved_model(lab)
            self.assertEqual(now["model"]["folder"], there)
            self.assertIn("L1H3", [gain["head"] for gain in now["gains"]])

    def test_the_model_goes_on_with_the_text(self):
        with self.lab() as lab:
            lab.choose_command("go on with the text")
            lab.settle()
            lab.key("Return")
            command = lab.wait_for_commands(1)[0]
            self.assertEqual(command["do"], "set_sentence")
            self.assertTrue(command["text"].startswith(TEXT))
            self.assertEqual(len(command["text"]), len(TEXT) + 20)
            lab.key("ctrl+z")
            self.assertEqual(lab.wait_for_commands(2)[-1]["do"], "undo")


class GettingModels(unittest.TestCase):
    """Models are downloaded from a server on this machine that plays the hub."""

    def setUp(self):
        self.hub = Hub()
        self.addCleanup(self.hub.server_close)
        self.addCleanup(self.hub.shutdown)
        folder = pathlib.Path(json.loads(verb("model", "induction", "--json"))["folder"])
        self.files = {path.name: path.read_bytes() for path in folder.iterdir()}
        self.hub.repositories["org/copies"] = self.files

    def lab(self, **options):
        lab = Lab(HF_ENDPOINT=self.hub.address, no_proxy="*", **options)
        lab.environment["HF_HUB_CACHE"] = os.path.join(lab.folder, "cache")
        return lab

    def open_dialog(self, lab):
        before = lab.settle()
        lab.choose_command("get a model")
        lab.settle(before)

    def look_up(self, lab, name):
        self.open_dialog(lab)
        lab.type(name)
        before = lab.settle()
        lab.key("Return")
        wait_for("the hub to be asked", lambda: self.hub.seen)
        lab.settle(before)

    def arrived(self, lab):
        return list(pathlib.Path(lab.folder, "cache").rglob("snapshots/*/model.safetensors"))

    def arriving(self, lab):
        """The size of the largest file that is not complete."""
        files = pathlib.Path(lab.folder, "cache").rglob("*.incomplete")
        return max((os.path.getsize(path) for path in files if path.exists()), default=0)

    def test_a_repository_is_looked_up_agreed_to_downloaded_and_opened(self):
        with self.lab() as lab:
            self.look_up(lab, "org/copies")
            self.assertEqual([path for path, _, _ in self.hub.seen], ["/api/models/org/copies/revision/main"])
            lab.key("Return")
            wait_for("the model in the title", lambda: b"org/copies" in lab.title())
            self.assertTrue(self.arrived(lab))

    def test_a_download_is_stopped_and_gone_on_with(self):
        self.hub.pause = 0.25
        with self.lab() as lab:
            self.look_up(lab, "org/copies")
            before = lab.settle()
            lab.key("Return")
            wait_for("a piece of the large file", lambda: self.arriving(lab) > 20000)
            lab.wait_for_frames()
            lab.key("Tab", "Return")
            lab.settle(before)
            self.assertFalse(self.arrived(lab))
            self.hub.pause = 0
            lab.key("Return")
            lab.wait_for_frames()
            wait_for("the hub to be asked again", lambda: sum("api" in path for path, _, _ in self.hub.seen) == 2)
            lab.settle()
            lab.key("Return")
            wait_for("the model in the title", lambda: b"org/copies" in lab.title())
            ranges = [wanted for path, wanted, _ in self.hub.seen if "elsewhere" in path]
            self.assertIsNone(ranges[0])
            self.assertRegex(ranges[-1], r"bytes=[1-9]\d*-")

    def test_a_name_of_the_catalogue_is_offered_and_nothing_is_asked_of_the_network(self):
        with self.lab(names=["gpt2"]) as lab:
            lab.settle()
            self.assertFalse(self.hub.seen)
            self.hub.repositories["openai-community/gpt2"] = self.files
            lab.key("Return")
            wait_for("the model in the title", lambda: b"openai-community/gpt2" in lab.title())


if __name__ == "__main__":
    unittest.main()
