"""What a person does on the page that computes: type, drag, paint, undo, explain, save, link."""

import base64
import json
import math
import random
import unittest
import zlib

from page import PAGE, ActionChains, Keys, PageTest, example, number, weights_of

HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>"


class Editing(PageTest):
    def test_a_sentence_is_computed_as_it_is_typed(self):
        self.open()
        self.assert_numbers(self.numbers("weights"), weights_of(example("refer"), 0))
        self.one("#sentence").send_keys(" street")
        self.settle()
        session = example("refer")
        session["sentence"] += " street"
        self.assertEqual(self.text("#token-count"), "12 tokens")
        self.assertEqual(self.text("[data-token='11'] bdi"), "street")
        self.assert_numbers(self.numbers("weights"), weights_of(session, 0))
        self.chord(Keys.CONTROL, "z")  # all that was typed is one step
        self.assertEqual(self.text("#token-count"), "11 tokens")
        self.assertEqual(self.one("#sentence").get_attribute("value"), example("refer")["sentence"])
        self.assert_quiet()

    def test_an_empty_sentence_waits(self):
        self.open()
        box = self.one("#sentence")
        box.send_keys(Keys.CONTROL, "a")
        box.send_keys(Keys.BACKSPACE)
        self.settle()
        self.assertEqual(self.text("#message-text"), "Type at least one word.")
        self.assertEqual(len(self.all("#tokens button")), 11)
        box.send_keys("the cat")
        self.settle()
        self.assertEqual(len(self.all("#tokens button")), 2)
        self.assertFalse(self.one("#message").is_displayed())

    def test_dragging_a_weight_changes_every_map_and_is_one_step(self):
        self.open()
        session = example("refer")
        self.drag_cell("edit", (0, 0), (8, 4), (0, -10), (0, -15), (0, -25))  # 50 pixels: + 1
        value = session["heads"][0]["W_Q"][0][0] + 1
        self.assertEqual(self.one("#undo").get_attribute("title"), f"Undo: W_Q of head 1, row animate, column 0: 0 → {value:g} (Ctrl+Z)")
        session["heads"][0]["W_Q"][0][0] = value
        self.assert_numbers(self.numbers("weights"), weights_of(session, 0))
        self.click("#undo")
        self.assert_numbers(self.numbers("weights"), weights_of(example("refer"), 0))
        self.assertFalse(self.one("#undo").is_enabled())
        self.click("#redo")
        self.assert_numbers(self.numbers("weights"), weights_of(session, 0))

    def test_escape_gives_up_a_drag(self):
        self.open()
        self.drag_cell("edit", (0, 0), (8, 4), (0, -30), release=False)
        self.press(Keys.ESCAPE)
        ActionChains(self.driver).release().perform()
        self.settle()
        self.assertFalse(self.one("#undo").is_enabled())
        self.assert_numbers(self.numbers("weights"), weights_of(example("refer"), 0))

    def test_numbers_are_typed_by_keyboard_alone(self):
        self.open()
        self.click("[data-matrix='W_K']")
        for _ in range(12):
            if self.script("return document.activeElement.closest('#edit-map') !== null"):
                break
            self.press(Keys.TAB)
        self.press(Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
        self.press("-", "1", "/", "4", Keys.ENTER)
        self.assertIn("W_K of head 1, row place, column 1: 0 → -0.25", self.one("#undo").get_attribute("title"))
        session = example("refer")
        session["heads"][0]["W_K"][1][1] = -0.25
        self.assert_numbers(self.numbers("weights"), weights_of(session, 0))

    def test_what_is_no_number_is_said(self):
        self.open()
        self.click_cell("edit", (2, 0), (8, 4))
        self.press("1", "x", Keys.ENTER)
        self.assertEqual(self.text("#message-text"), "“1x” is not a number.")
        self.assertFalse(self.one("#undo").is_enabled())

    def test_the_mask_is_painted(self):
        self.open()
        self.click("#paint-mask")
        box = self.one(self.canvas("edit")).rect
        step = round(box["width"] / 11)
        self.drag_cell("edit", (7, 0), (11, 11), (step, 0), (step, 0))
        hidden = {(7, 0), (7, 1), (7, 2)}
        self.assert_numbers(self.numbers("weights"), weights_of(example("refer"), 0, lambda q, k: (q, k) not in hidden))
        self.assertEqual(self.numbers("masked_scores")[7][:3], [-math.inf] * 3)
        self.click("#undo")
        self.assertFalse(self.one("#undo").is_enabled())

    def test_the_layer_is_set(self):
        self.open()
        self.one("#mask-kind").send_keys("c")
        self.settle()
        self.assert_numbers(self.numbers("weights"), weights_of(example("refer"), 0, lambda q, k: k <= q))
        self.replace("#temperature-number", "0.5", Keys.ENTER)
        session = example("refer")
        for head in session["heads"]:
            head["W_Q"] = [[2 * value for value in row] for row in head["W_Q"]]
        self.assert_numbers(self.numbers("weights"), weights_of(session, 0, lambda q, k: k <= q))
        self.replace("[data-size='n_heads']", "5", Keys.TAB)
        self.assertEqual(len(self.all("#heads [role='radio']")), 5)

    def test_heads_are_muted_alone_and_amplified(self):
        self.open()
        whole = self.numbers("concat")
        self.click(".head-tile:nth-child(2) [data-do='mute']")
        muted = self.numbers("concat")
        self.assert_numbers(muted, [row[:4] + [0] * 4 + row[8:] for row in whole])
        self.assertIn("Head 2, muted", self.one(".head-tile:nth-child(2) [role='radio']").get_attribute("aria-label"))
        self.click(".head-tile:nth-child(2) [data-do='mute']")
        self.click(".head-tile:nth-child(3) [data-do='solo']")
        self.assert_numbers(self.numbers("concat"), [[0] * 8 + row[8:] for row in whole])
        self.click(".head-tile:nth-child(3) [data-do='solo']")
        self.one(".head-tile:nth-child(1) [data-do='gain']").send_keys(Keys.END)
        self.settle()
        self.assert_numbers(self.numbers("concat"), [[2 * value for value in row[:4]] + row[4:] for row in whole])

    def test_all_heads_stand_side_by_side(self):
        self.open()
        self.click("#all-heads")
        for head in range(3):
            self.assert_numbers(self.numbers("weights", head), weights_of(example("refer"), head))
        self.click("#one-head")
        self.press(Keys.ESCAPE, "2")
        self.assert_numbers(self.numbers("weights", 1), weights_of(example("refer"), 1))


class Explaining(PageTest):
    def test_every_number_of_the_arithmetic_is_a_link(self):
        self.open()
        self.click_cell("weights", (7, 1), (11, 11))
        weight = weights_of(example("refer"), 0)[7][1]
        self.assertEqual(self.text("#explain-title"), f"weights[it, animal] = {weight:.6f}")
        self.assertIn("sum of products", self.text("#explain-lines"))
        links = self.all("#explain-lines .link")
        self.assertEqual(links[0].text, "4.00")  # Q[it, 0]
        links[0].click()
        self.settle()
        self.assertTrue(self.text("#explain-title").startswith("Q[it, 0] = 4"))
        self.script("[...document.querySelectorAll('#explain-lines .link')].find(e => e.title.startsWith('W_Q')).click()")
        self.settle()
        self.assertEqual(self.one("[data-matrix='W_Q']").get_attribute("aria-checked"), "true")
        self.assertTrue(self.one("#edit-map .cell-mark").is_displayed())
        self.click("#trail-back")
        self.assertTrue(self.text("#explain-title").startswith("weights[it, animal]"))
        self.click("#trail-ahead")
        self.assertTrue(self.text("#explain-title").startswith("Q[it, 0]"))

    def test_a_number_that_is_computed_can_be_set_and_given_back(self):
        self.open()
        self.click_cell("weights", (7, 1), (11, 11))
        self.replace("#explain-value", "0", Keys.ENTER)
        self.assertEqual(self.numbers("weights")[7][1], 0)
        self.assertTrue(self.one("#explain-by-hand").is_displayed())
        self.click("#explain-reset")
        self.assert_numbers(self.numbers("weights"), weights_of(example("refer"), 0))
        self.assertFalse(self.one("#explain-by-hand").is_displayed())

    def test_keys_move_the_cell_which_is_spoken(self):
        self.open()
        self.click_cell("weights", (7, 1), (11, 11))
        self.script("document.querySelector('[data-stage=weights] .map').focus()")
        self.press(Keys.ARROW_RIGHT, Keys.ARROW_UP)
        weight = weights_of(example("refer"), 0)[6][2]
        place, value = self.text("#live").rsplit(" · ", 1)
        self.assertEqual(place, "Weights, head 1 · because (6) → didn't (2)")
        self.assertAlmostEqual(number(value), weight, 2)
        self.press("]")
        self.assertTrue(self.text("#explain-title").startswith("head_output"), self.text("#explain-title"))

    def test_a_row_is_shown_as_bars(self):
        self.open()
        self.click("[data-token='7']")
        self.assertEqual(self.text("#row-title"), "Row “it”")
        self.assertEqual(self.text("#row-note"), "sums to 1.00")
        bars = [number(one.text) for one in self.all("#row-bars .number")]
        for bar, weight in zip(bars, weights_of(example("refer"), 0)[7]):
            self.assertAlmostEqual(bar, weight, 2)


class Keeping(PageTest):
    def test_a_session_is_saved_and_opened_again(self):
        self.open()
        self.one("#sentence").send_keys(" again")
        self.drag_cell("edit", (0, 0), (8, 4), (0, -10), (0, -15))
        numbers = self.numbers("output")
        self.chord(Keys.CONTROL, "s")
        saved = self.downloaded(".json")
        self.assertEqual(json.loads(saved)["sentence"], example("refer")["sentence"] + " again")
        self.open()
        file = self.folder / "mine.txt"
        file.write_bytes(saved)
        self.one("#file-picker").send_keys(str(file))
        self.until(lambda: self.text("#token-count") == "12 tokens")
        self.assert_numbers(self.numbers("output"), numbers)
        self.chord(Keys.CONTROL, "s")
        self.assertEqual(self.downloaded(".json"), saved)

    def test_work_survives_a_closed_tab(self):
        self.open()
        self.one("#sentence").send_keys(" again")
        self.until(lambda: self.text("#status-kept") == "Kept in this browser")
        self.open(fresh=False)
        self.assertEqual(self.one("#sentence").get_attribute("value"), example("refer")["sentence"] + " again")

    def test_maps_are_exported(self):
        self.open()
        for kind in ("csv", "svg", "png"):
            self.chord(Keys.CONTROL, "e")
            self.one("#export-stage").send_keys("Weights")
            self.click(f"[data-format='{kind}']")
            content = self.downloaded(f".{kind}")
            if kind == "csv":
                rows = [line.split(",")[1:] for line in content.decode().splitlines()[1:]]
                self.assert_numbers([[float(v) for v in row] for row in rows], weights_of(example("refer"), 0), 5)
            elif kind == "svg":
                self.assertEqual(content.decode().count("<title>"), 121)
            else:
                self.assertEqual(content[:8], b"\x89PNG\r\n\x1a\n")

    def test_a_link_opens_the_same(self):
        self.open()
        self.drag_cell("edit", (0, 0), (8, 4), (0, -10), (0, -15))
        numbers = self.numbers("output")
        self.chord(Keys.CONTROL, "l")
        self.until(lambda: "#session=" in self.one("#link-text").get_attribute("value"))
        link = self.one("#link-text").get_attribute("value")
        self.assertTrue(self.one("#link-code").is_displayed())
        self.open(link[link.index("#"):])
        self.assert_numbers(self.numbers("output"), numbers)

    def test_addresses_name_examples_and_sentences(self):
        self.open("#example=three-words")
        self.assertEqual(self.one("#sentence").get_attribute("value"), "I love tea")
        self.open("#text=the%20street%20%2B%20it")
        self.assertEqual(self.one("#sentence").get_attribute("value"), "the street + it")
        self.open("#example=nothing")
        self.assertEqual(self.text("#message-text"), "There is no example “nothing”.")


class Hostile(PageTest):
    def link_of(self, content):
        pack = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = pack.compress(content) + pack.flush()
        return "#session=" + base64.urlsafe_b64encode(packed).decode().rstrip("=")

    def test_texts_of_sessions_are_text(self):
        session = example("refer")
        session["title"] = HOSTILE
        session["embedding"][HOSTILE.split()[0]] = [0] * 8
        session["sentence"] += " " + HOSTILE
        self.open(self.link_of(json.dumps(session).encode()))
        self.assertEqual(self.text("#document-title"), HOSTILE)
        self.assertIsNone(self.script("return window.hacked ?? null"))
        self.assertEqual(self.all("#app img, #app script"), [])

    def test_damaged_links_are_refused_in_words(self):
        chance = random.Random(48)
        whole = json.dumps(example("refer")).encode()
        for _ in range(25):
            content = bytearray(whole)
            for _ in range(chance.randint(1, 6)):
                content[chance.randrange(len(content))] = chance.randrange(256)
            link = self.link_of(bytes(content))
            if chance.random() < 0.3:
                link = link[:chance.randrange(10, len(link))]
            self.open(link)
            self.assertGreater(len(self.all(".stage")), 5, link)  # it opened, or the example stands there with the reason
            if self.one("#message").is_displayed():
                self.assertGreater(len(self.text("#message-text")), 15)

    def test_old_browsers_are_told_why_nothing_is_computed(self):
        source = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument",
                                             {"source": "WebAssembly.validate = () => false;"})
        self.driver.get("about:blank")
        self.driver.get(PAGE.as_uri())
        self.until(lambda: "cannot compute here" in self.text("#loading"))
        self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", source)


if __name__ == "__main__":
    unittest.main()
