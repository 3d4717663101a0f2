"""Tests the HTML page in a headless browser without network."""

import json
import os
import pathlib
import random
import struct
import subprocess
import unittest

from html_page import PROGRAM, PageTest, as_float32, browser, fixed, halves_away, place_of, table_of
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

PAGE_FOLDER = os.environ.get("ATTENTION_LAB_PAGE", "app/figure/html/page")
HOSTILE = "</script><script>window.hacked=1</script>"


class Reading(PageTest):
    def test_hovering_tells_value_tokens_stage_and_head(self):
        self.open("refer")
        weights = table_of("refer", "weights", 1)
        for row, col, names in ((7, 1, "it (7) → animal (1)"), (0, 10, "The (0) → tired (10)")):
            self.hover(row, col, 11, 11)
            number, place, where = self.tip()
            self.assertEqual(number, fixed(weights[row][col], 4))
            self.assertEqual(place, names)
            self.assertIn("Weights, head 1", where)
            exact = where.split("exactly ")[1]
            self.assertEqual(as_float32(float(exact.replace("−", "-"))), as_float32(weights[row][col]))

    def test_features_are_told_by_their_names(self):
        self.open("refer", "--stage", "X")
        self.hover(7, 0, 11, 8)
        self.assertEqual(self.tip()[1], "row it (7), column animate (0)")
        self.choose_stage("Q")
        self.hover(7, 3, 11, 4)
        self.assertEqual(self.tip()[1], "row it (7), column 3")

    def test_the_table_holds_every_number_of_every_stage_and_head(self):
        for document in ("refer", "three-words"):
            self.open(document)
            self.open_table()
            heads = len(self.driver.find_elements(By.CSS_SELECTOR, "#heads button"))
            for stage in self.script("return [...document.querySelectorAll('#stages button')].map(b => b.dataset.stage)"):
                self.choose_stage(stage)
                is_per_head = self.element("heads-card").is_displayed()
                for head in range(heads if is_per_head else 1):
                    if is_per_head:
                        self.driver.find_elements(By.CSS_SELECTOR, "#heads button")[head].click()
                        self.settle()
                    wanted = [[fixed(v, 4) for v in row] for row in table_of(document, stage, head + 1)]
                    self.assertEqual(self.numbers_of_table(), wanted, (document, stage, head))

    def test_the_table_is_one_for_screen_readers(self):
        self.open("refer")
        self.open_table()
        self.assertEqual(self.driver.find_element(By.TAG_NAME, "caption").text, "Weights, head 1")
        names = "The animal didn't cross the street because it was too tired".split()
        for scope, places in (("col", "thead th"), ("row", "tbody th")):
            headings = self.driver.find_elements(By.CSS_SELECTOR, f"#table {places}")
            self.assertEqual({h.get_attribute("scope") for h in headings}, {scope})
            self.assertEqual([h.find_element(By.TAG_NAME, "bdi").text for h in headings], names)

    def test_large_maps_show_the_row_of_the_marked_cell(self):
        words = " ".join(f"w{i}" for i in range(120))
        document = self.edited("refer", {"do": "set_sentence", "text": words})
        self.open(document)
        self.open_table()
        self.hover(50, 3, 120, 120)
        ActionChains(self.driver).click().perform()
        self.settle()
        rows = self.numbers_of_table()
        self.assertEqual(len(rows), 1)
        row = int(self.driver.find_element(By.CSS_SELECTOR, "#table tbody th small").text)
        self.assertAlmostEqual(row, 50, delta=1)
        self.assertEqual(rows[0], [fixed(v, 4) for v in table_of(document, "weights", 1)[row]])

    def test_masked_cells_and_no_numbers_are_marked_and_explained(self):
        session = self.edited("refer", {"do": "set_mask", "causal": True})
        self.open(session, "--stage", "masked_scores")
        self.assertEqual(self.text("legend"), "−∞, masked")
        self.hover(0, 5, 11, 11)
        self.assertEqual(self.tip()[0], "−∞")
        self.choose_stage("weights")
        self.assertFalse(self.element("legend").is_displayed())
        document = json.loads(session.read_text())
        document["embedding"]["it"][0] = "NaN"
        session.write_text(json.dumps(document))
        self.open(session, "--stage", "masked_scores")
        self.assertEqual(self.text("legend"), "−∞, maskedNaN, not a number")
        self.hover(7, 1, 11, 11)
        self.assertEqual(self.tip()[0], "NaN")
        self.assertNotEqual(self.pixel(7, 1, 11, 11), self.pixel(7, 1, 11, 11, 0.2))  # the cross


class Switching(PageTest):
    def state(self):
        return (self.text("map-title"), self.script("return document.getElementById('cell-canvas').toDataURL()"),
                str(self.numbers_of_table()))

    def test_heads_and_stages_change_title_map_and_table(self):
        self.open("refer", "--head", "2")
        self.open_table()
        states = [self.state()]
        self.assertEqual(states[0][0], "Weights, head 2")
        self.driver.find_elements(By.CSS_SELECTOR, "#heads button")[2].click()
        self.settle()
        states.append(self.state())
        self.choose_stage("scores")
        states.append(self.state())
        self.assertEqual([s[0] for s in states], ["Weights, head 2", "Weights, head 3", "Scores, head 3"])
        for part in (1, 2):
            self.assertEqual(len({s[part] for s in states}), 3)
        self.choose_stage("output")
        self.assertEqual(self.text("map-title"), "Output")
        self.assertFalse(self.element("heads-card").is_displayed())

    def test_arrow_keys_lead_through_stages_and_heads(self):
        self.open("refer")
        self.driver.find_element(By.CSS_SELECTOR, "[data-stage=weights]").click()
        self.press(Keys.ARROW_LEFT)
        self.assertEqual(self.text("map-title"), "Scaled scores, head 1")
        self.press(Keys.HOME)
        self.assertEqual(self.text("map-title"), "X")
        self.press(Keys.ARROW_RIGHT)
        self.press(Keys.TAB, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.assertEqual(self.text("map-title"), "Q, head 3")
        self.press(Keys.ARROW_RIGHT)
        self.assertEqual(self.text("map-title"), "Q, head 1")
        chosen = self.driver.find_elements(By.CSS_SELECTOR, "[aria-checked=true], [aria-selected=true]")
        self.assertEqual([c.text for c in chosen], ["Q", "Head 1"])

    def test_every_head_has_a_picture_of_its_own(self):
        self.open("refer")
        pictures = self.script("return [...document.querySelectorAll('#heads canvas')].map(c => c.toDataURL())")
        self.assertEqual(len(set(pictures)), 3)

    def test_keys_move_the_cell_and_are_spoken(self):
        self.open("refer")
        self.driver.find_element(By.CSS_SELECTOR, "#heads [aria-checked=true]").click()
        self.press(Keys.TAB)
        self.assertEqual(self.script("return document.activeElement.id"), "map")
        self.assertIn("row The (0) · column The (0)", self.spoken())
        self.press(*[Keys.ARROW_DOWN] * 7, Keys.ARROW_RIGHT)
        weight = fixed(table_of("refer", "weights", 1)[7][1], 4)
        self.assertEqual(self.spoken(), f"Weights, head 1 · row it (7) · column animal (1) · {weight}")
        self.assertEqual(self.tip()[0], weight)
        self.press(Keys.PAGE_DOWN)
        weight = fixed(table_of("refer", "weights", 2)[7][1], 4)
        self.assertEqual(self.spoken(), f"Weights, head 2 · row it (7) · column animal (1) · {weight}")
        self.press(Keys.END, Keys.ARROW_RIGHT)
        self.assertIn("row it (7) · column tired (10)", self.spoken())
        self.press(Keys.ESCAPE)
        self.assertEqual(self.spoken(), "")
        self.assertIsNone(self.tip())

    def spoken(self):
        return self.text("live").translate({0x2068: None, 0x2069: None})

    def test_the_cell_stays_inside_of_smaller_maps(self):
        self.open("refer")
        self.hover(10, 10, 11, 11)
        ActionChains(self.driver).click().perform()
        self.choose_stage("Q")
        self.open_table()
        self.assertIn("row tired (10) · column 3", self.spoken())


class Looks(PageTest):
    def test_colours_are_those_of_the_palette(self):
        self.open("refer", "--palette", "viridis", "--range", "0,1")
        value = table_of("refer", "weights", 1)[7][1]
        data = json.loads(self.text("attention-lab-data"))
        at = 6 * round(255 * value)
        colour = data["palettes"]["viridis"]["light"][at:at + 6]
        self.assertEqual("%02x%02x%02x" % tuple(self.pixel(7, 1, 11, 11)), colour)
        Select(self.element("palette")).select_by_visible_text("magma")
        self.settle()
        colour = data["palettes"]["magma"]["light"][at:at + 6]
        self.assertEqual("%02x%02x%02x" % tuple(self.pixel(7, 1, 11, 11)), colour)

    def test_red_to_blue_has_zero_in_its_middle(self):
        self.open("refer")
        for stage in ("weights", "scores"):
            self.choose_stage(stage)
            Select(self.element("palette")).select_by_visible_text("red-blue")
            self.settle()
            low, middle, high = (s.text for s in self.driver.find_elements(By.CSS_SELECTOR, "#bar-ticks span"))
            self.assertEqual((low, middle), ("−" + high, "0"))

    def test_a_shared_range_spans_all_heads(self):
        self.open("refer", "--stage", "scores", "--range", "shared")
        most = max(abs(v) for head in (1, 2, 3) for row in table_of("refer", "scores", head) for v in row)
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, "#bar-ticks span")[2].text,
                         f"{halves_away(most, place_of(most, 3)):.3g}")

    def test_numbers_in_cells_can_be_switched(self):
        self.open("refer")
        plain = self.script("return document.getElementById('cell-canvas').toDataURL()")
        self.element("values").click()
        self.settle()
        self.assertNotEqual(self.script("return document.getElementById('cell-canvas').toDataURL()"), plain)
        self.element("values").click()
        self.settle()
        self.assertEqual(self.script("return document.getElementById('cell-canvas').toDataURL()"), plain)

    def test_light_and_dark_follow_the_system_and_the_choice(self):
        background = "return getComputedStyle(document.querySelector('.card')).backgroundColor"
        light, dark = "rgb(255, 255, 255)", "rgb(29, 33, 39)"
        for system in (False, True):
            self.open("refer", dark=system)
            self.assertEqual(self.script(background), dark if system else light)
            self.assertEqual(sum(self.pixel(0, 10, 11, 11)) < 384, system)
            Select(self.element("theme")).select_by_value("light" if system else "dark")
            self.settle()
            self.assertEqual(self.script(background), light if system else dark)
            self.assertEqual(sum(self.pixel(0, 10, 11, 11)) < 384, not system)

    def test_no_width_makes_the_page_scroll_sideways(self):
        session = self.edited("refer", {"do": "set_size", "size": "n_heads", "value": 12}, {
            "do": "set_sentence", "text": "Donaudampfschifffahrtsgesellschaft สวัสดี مرحبا 😀 " + "word " * 30})
        for width in (360, 768, 1280, 2200):
            self.open(session, "--annot", width=width)
            self.open_table()
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width)

    def test_it_prints_light_and_comes_back(self):
        self.open("refer", "--theme", "dark")
        dark = self.pixel(0, 10, 11, 11)
        self.assertTrue(self.driver.print_page())
        self.settle()
        self.assertEqual(self.pixel(0, 10, 11, 11), dark)


    def ticks(self):
        return [s.text for s in self.driver.find_elements(By.CSS_SELECTOR, "#bar-ticks span")]

    def test_a_robust_range_leaves_out_both_ends(self):
        def percentile(values, share):
            place = share * (len(values) - 1)
            below = int(place)
            return values[below] + (values[min(below + 1, len(values) - 1)] - values[below]) * (place - below)

        for stage, from_zero in (("weights", True), ("scores", False)):
            self.open("refer", "--stage", stage, "--range", "robust")
            values = sorted(v for row in table_of("refer", stage, 1) for v in row)
            low, high = percentile(values, 0.02), percentile(values, 0.98)
            end = high if from_zero else max(-low, high)
            self.assertEqual((self.ticks()[0], self.ticks()[2]),
                             ("0" if from_zero else f"−{end:.3g}", f"{end:.3g}"))

    def test_a_range_can_be_even_about_a_number(self):
        self.open("refer", "--centre", "0.25")
        self.assertEqual(self.ticks(), ["−0.5", "0.25", "1"])

    def test_marks_are_drawn_told_and_can_be_left_out(self):
        session = self.edited("refer", {"do": "set_override", "stage": "scores", "head": 1, "row": 7, "col": 1,
                                        "value": 3})
        self.open(session, "--stage", "scores", "--overrides", "--mark", "was,cross")
        self.assertEqual(self.text("legend"), "set by handpinned")
        corner = self.pixel(7, 1, 11, 11, 0.97, 0.04)
        self.assertEqual(corner, [0xe8, 0x74, 0x0c])
        self.assertEqual(self.pixel(8, 3, 11, 11, 0.5, 0.01), [0x2f, 0x6f, 0xdf])
        self.hover(7, 1, 11, 11)
        self.assertTrue(self.tip()[2].endswith(" · set by hand"), self.tip())
        self.element("marks").click()
        self.settle()
        self.assertNotEqual(self.pixel(7, 1, 11, 11, 0.97, 0.04), corner)
        self.assertFalse(self.element("legend").is_displayed())
        self.open("refer")
        self.assertFalse(self.element("marks").is_displayed())


class Comparing(PageTest):
    def sides(self):
        return [b.text for b in self.driver.find_elements(By.CSS_SELECTOR, "#sides button")]

    def choose_side(self, i):
        self.driver.find_elements(By.CSS_SELECTOR, "#sides button")[i].click()
        self.settle()

    def expect_table(self, values):
        self.assertEqual(self.numbers_of_table(), [[fixed(v, 4) for v in row] for row in values])

    def less(self, values, others):
        return [[as_float32(v - o) if v != o else 0.0 for v, o in zip(*rows)] for rows in zip(values, others)]

    def test_two_heads_and_their_difference(self):
        self.open("refer", "--head", "1,3")
        self.open_table()
        self.assertEqual(self.text("map-title"), "Weights, head 1 − head 3")
        self.assertEqual(self.sides(), ["Head 1", "Head 3", "Head 1 − head 3"])
        one, three = table_of("refer", "weights", 1), table_of("refer", "weights", 3)
        self.expect_table(self.less(one, three))
        self.choose_side(1)
        self.assertEqual(self.text("map-title"), "Weights, head 3")
        self.expect_table(three)
        self.press(Keys.ARROW_LEFT)
        self.expect_table(one)
        self.choose_stage("output")
        self.assertFalse(self.element("sides").is_displayed())
        self.assertTrue(self.element("sides-note").is_displayed())

    def test_two_states_and_their_difference(self):
        edited = self.edited("refer", {"do": "set_mask", "causal": True})
        self.open(edited, "--against", "refer", "--head", "2")
        self.open_table()
        self.assertEqual(self.text("map-title"), "Weights, head 2, B − A")
        self.assertEqual(self.sides(), ["A", "B", "B − A"])
        a, b = table_of("refer", "weights", 2), table_of(edited, "weights", 2)
        self.expect_table(self.less(b, a))
        self.choose_side(0)
        self.expect_table(a)
        self.assertEqual(self.text("map-title"), "Weights, head 2, A")
        Select(self.element("against")).select_by_visible_text("Nothing")
        self.settle()
        self.assertEqual(self.text("map-title"), "Weights, head 2")
        self.assertFalse(self.element("sides").is_displayed())
        self.expect_table(b)

    def test_a_state_is_labelled_with_its_own_names(self):
        other = self.edited("refer")
        document = json.loads(other.read_text(encoding="utf-8"))
        document["dimensions"] = [f"d{i}" for i in range(8)]
        other.write_text(json.dumps(document))
        self.open("refer", "--against", other, "--stage", "X")
        self.open_table()
        column = "return document.querySelector('#table thead bdi').textContent"
        self.assertEqual(self.script(column), "animate")
        self.choose_side(0)
        self.assertEqual(self.script(column), "d0")

    def test_other_words_are_not_compared(self):
        other = self.with_tokens(*(f"w{i}" for i in range(11)))
        refused = subprocess.run([PROGRAM, "export", "refer", "--against", other, "-o", self.folder / "page.html"],
                                 text=True, encoding="utf-8", stderr=subprocess.PIPE)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("The sentences of A and B differ", refused.stderr)

    def test_heads_can_be_compared_by_the_reader(self):
        self.open("refer")
        self.assertFalse(self.element("sides").is_displayed())
        Select(self.element("against")).select_by_visible_text("Head 2")
        self.settle()
        self.assertEqual(self.text("map-title"), "Weights, head 1 − head 2")

    def test_lines_are_shown_above_in_the_theme(self):
        self.open("refer", "--kind", "lines", "--row", "it")
        shown = lambda: [self.element(f"figure-{theme}").is_displayed() for theme in ("light", "dark")]
        self.assertEqual(shown(), [True, False])
        self.assertGreater(self.script("return document.getElementById('figure-light').naturalWidth"), 100)
        Select(self.element("theme")).select_by_value("dark")
        self.settle()
        self.assertEqual(shown(), [False, True])


class Safety(PageTest):
    def test_hostile_text_stays_text(self):
        session = self.with_tokens(HOSTILE, "<!--", "\u2028", "\"'", "&lt;", "<img src=x onerror=hacked=1>")
        self.open(session, "--title", HOSTILE)
        self.open_table()
        self.assertIsNone(self.script("return window.hacked"))
        self.assertEqual(self.text("title"), HOSTILE)
        self.assertEqual(self.driver.title, HOSTILE)
        self.assertEqual(self.script("return document.images.length"), 0)
        shown = self.script("return [...document.querySelectorAll('#table tbody bdi')].map(e => e.textContent)")
        self.assertEqual(shown, [HOSTILE, "<!--", "⟨U+2028⟩", "\"'", "&lt;", "<img src=x onerror=hacked=1>"])
        self.hover(0, 5, 6, 6)
        self.assertEqual(self.tip()[1], f"{HOSTILE} (0) → <img src=x onerror=hacked=1> (5)")

    def test_every_script_is_shown(self):
        words = "สวัสดี مرحبا 日本語 नमस्ते 😀".split()
        self.open(self.with_tokens(*words))
        self.open_table()
        shown = self.script("return [...document.querySelectorAll('#table tbody bdi')].map(e => e.textContent)")
        self.assertEqual(shown, words)

    def test_the_policy_lets_nothing_else_run(self):
        self.open("refer")
        self.script("const s = document.createElement('script'); s.textContent = 'window.hacked = 1';"
                    "document.body.append(s); document.body.setAttribute('style', 'color: red')")
        self.assertIsNone(self.script("return window.hacked"))
        self.assertNotEqual(self.script("return getComputedStyle(document.body).color"), "rgb(255, 0, 0)")
        blocked = [entry["message"] for entry in self.driver.get_log("browser")]
        self.assertEqual(len(blocked), 2, blocked)


class Numbers(PageTest):
    """numbers.js alone, against Python's rounding with halves away from zero."""

    def values(self):
        pick = random.Random(7)
        some = [0.125, 0.375, -0.125, 0.5, 2.5, 1.5, -0.001, 0.0, -0.0, 99999.5, 123456.5, 0.05, 1e-7, 3e38, 1e21,
                16777216.0, 0.00048828125, 9.995, 0.145, -0.285, 0.045, 1e-45, 12.34567, 1048576.5, -5e9]
        some += [pick.uniform(-3, 3) for _ in range(500)] + [pick.randint(-64, 64) / 64 for _ in range(200)]
        some += [pick.uniform(1, 10) * 10 ** pick.randint(-40, 37) for _ in range(500)]
        return [as_float32(value) for value in some]

    def source(self):
        """The functions as the page has them, in one script."""
        return pathlib.Path(PAGE_FOLDER, "numbers.js").read_text(encoding="utf-8").replace("\nexport ", "\n")

    def texts(self, expression):
        bits = [struct.unpack("<I", struct.pack("<f", value))[0] for value in self.values()]
        return self.script(self.source() + "const f = new Float32Array(1), u = new Uint32Array(f.buffer);"
                           f"return arguments[0].map((bits) => {{ u[0] = bits; const v = f[0]; return {expression}; }})", bits)

    def setUp(self):
        super().setUp()
        self.driver = browser()

    def test_decimals(self):
        for decimals in (0, 1, 2, 4, 9):
            self.assertEqual(self.texts(f"adaptiveText(v, {decimals})"), [fixed(v, decimals) for v in self.values()])

    def test_significant_digits(self):
        for digits in (1, 2, 3, 7):
            wanted = [f"{halves_away(v, place_of(v, digits)):.{digits}g}" if v else "0" for v in self.values()]
            self.assertEqual(self.texts(f"significantText(v, {digits})"), ["0" if w == "-0" else w for w in wanted])

    def test_the_shortest_text_reads_back(self):
        for value, text in zip(self.values(), self.texts("shortestText(v)")):
            self.assertEqual(struct.pack("<f", float(text)), struct.pack("<f", value), text)

    def test_base64(self):
        values = self.script(self.source() +
                             "return [...decodeFloats('AACAPwAAAMAAAIB/AAAAgA==')].map(String)")
        self.assertEqual(values, ["1", "-2", "Infinity", "0"])


if __name__ == "__main__":
    unittest.main()
