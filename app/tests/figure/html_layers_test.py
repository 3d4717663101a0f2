"""Tests the HTML page of all layers and heads of a model in a headless browser without network."""

import csv
import io
import unittest

from html_page import PageTest, fixed, run
from selenium.webdriver import ActionChains, Keys
from selenium.webdriver.common.by import By

TEXT = ("--text", "the small dog")


class Layers(PageTest):
    def open_words(self, *options, **window):
        self.open("words", *TEXT, "--layer", "all", *options, **window)

    def title(self):
        return self.text("map-title")

    def button(self, name):
        return self.driver.find_element(By.CSS_SELECTOR, f"#heads [aria-label^={name}]")

    def weight(self, layer, head, row, col):
        table = run("export", "words", *TEXT, "--layer", layer, "--head", f"L{layer}H{head}", "-o", "-")
        return fixed(float(list(csv.reader(io.StringIO(table)))[row + 1][col + 1]), 4)

    def test_layer_and_head_are_chosen_in_a_grid(self):
        self.open_words()
        self.assertEqual(self.title(), "Weights, head L0H0")
        self.button("L2H3").click()
        self.settle()
        self.assertEqual(self.title(), "Weights, head L2H3")
        self.hover(2, 1, 3, 3)
        number, place, where = self.tip()
        self.assertEqual(number, self.weight(2, 3, 2, 1))
        self.assertEqual(place, "·dog (2) → ·small (1)")
        self.assertIn("L2H3", where)

    def test_layers_are_rows_and_heads_columns(self):
        self.open_words()
        place = {name: self.button(name).rect for name in ("L0H0", "L0H3", "L3H0")}
        self.assertEqual(place["L0H0"]["y"], place["L0H3"]["y"])
        self.assertEqual(place["L0H0"]["x"], place["L3H0"]["x"])
        self.assertLess(place["L0H0"]["x"], place["L0H3"]["x"])
        for group, across, name in (("head-columns", "x", "H3"), ("head-rows", "y", "L3")):
            title = [e for e in self.element(group).find_elements(By.TAG_NAME, "span") if e.text == name][0].rect
            head = self.button("L0H3" if name == "H3" else "L3H0").rect
            side = {"x": "width", "y": "height"}[across]
            self.assertAlmostEqual(title[across] + title[side] / 2, head[across] + head[side] / 2, delta=3)

    def test_arrow_keys_lead_through_the_grid(self):
        self.open_words()
        self.script("document.querySelector('#heads button').focus()")
        for key, head in ((Keys.ARROW_DOWN, "L1H0"), (Keys.ARROW_RIGHT, "L1H1"), (Keys.ARROW_UP, "L0H1"),
                          (Keys.END, "L3H3")):
            self.press(key)
            self.assertEqual(self.title(), f"Weights, head {head}")
            self.assertTrue(self.script("return document.activeElement.ariaLabel").startswith(head))

    def test_page_keys_change_head_and_layer(self):
        self.open_words()
        self.script("document.getElementById('map').focus()")
        self.press(Keys.PAGE_DOWN)
        self.assertEqual(self.title(), "Weights, head L0H1")
        ActionChains(self.driver).key_down(Keys.SHIFT).send_keys(Keys.PAGE_DOWN).key_up(Keys.SHIFT).perform()
        self.settle()
        self.assertEqual(self.title(), "Weights, head L1H1")
        self.press(Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
        spoken = self.text("live").translate({0x2068: None, 0x2069: None})
        self.assertEqual(spoken, f"Weights, head L1H1 · row ·small (1) · column ·small (1) · {self.weight(1, 1, 1, 1)}")

    def test_muted_heads_are_named_and_hatched(self):
        self.open_words("--mute", "L2H1")
        muted = self.driver.find_elements(By.CSS_SELECTOR, "#heads .muted")
        self.assertEqual([button.get_attribute("aria-label") for button in muted], ["L2H1, muted"])
        self.assertIn("L2H1 muted", self.driver.find_element(By.TAG_NAME, "header").text)

    def test_it_speaks_german(self):
        self.open_words("--language", "de")
        self.assertEqual(self.text("sizes"), "3 Tokens, 4 Schichten, 16 Heads")
        self.assertIn("Umschalttaste", self.text("keys"))

    def test_no_width_makes_the_page_scroll_sideways(self):
        for width in (320, 700, 1400):
            self.open_words(width=width)
            self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width)

    def test_heads_of_two_layers_are_compared(self):
        self.open_words()
        self.script("const s = document.getElementById('against'); s.value = '5'; s.dispatchEvent(new Event('change'))")
        self.settle()
        self.assertEqual(self.title(), "Weights, L0H0 − L1H1")


if __name__ == "__main__":
    unittest.main()
