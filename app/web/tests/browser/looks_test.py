"""How the page looks: at every size, light and dark, in both languages, for fingers, keyboards and screen readers."""

import unittest
import urllib.parse

from page import SIZES, Keys, PageTest, without_isolates

# Texts that are cut or stand over the edge: an element with text that is wider than its box, or a control beyond the window.
CUT = """
const cut = [];
for (const e of document.querySelectorAll('#app button, #app h1, #app h2, #app h3, #app label, #app p, #app .line span, dialog[open] *')) {
  if (!e.checkVisibility() || e.closest('.unseen, .edit-map, .tokens')) continue;
  const style = getComputedStyle(e);
  if (style.display !== 'inline' && e.scrollWidth > e.clientWidth + 1 && e.textContent.trim()) cut.push('cut: ' + e.textContent.trim());
  const box = e.getBoundingClientRect();
  if ((box.right > innerWidth + 1 || box.left < -1) && !e.closest('.heads')) cut.push('beyond: ' + (e.ariaLabel || e.textContent).trim());
}
if (document.documentElement.scrollWidth > innerWidth) cut.push('the page scrolls sideways');
return cut;
"""

# Controls that lie over each other.
OVERLAPS = """
const shown = [...document.querySelectorAll('#app button, #app input, #app select, #app h2, #app h3')].filter(
    (e) => e.checkVisibility() && !e.closest('.panel-tabs, .tokens') && getComputedStyle(e).opacity > 0);
const found = [];
for (const e of shown) {
  const box = e.getBoundingClientRect();
  if (box.width === 0 || box.bottom < 0 || box.top > innerHeight) continue;
  const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  if (!at || at === e || e.contains(at) || at.contains(e)) continue;
  const one = at.closest('button, input, select, h2, h3');
  if (one && shown.includes(one)) found.push((e.ariaLabel || e.textContent) + ' under ' + (one.ariaLabel || one.textContent));
}
return found;
"""

# Controls without a name, and roles that need one.
NAMELESS = """
const nameless = [];
for (const e of document.querySelectorAll('button, input, select, [role=application], [role=img], [role=radiogroup], dialog, section, aside nav')) {
  if (e.type === 'file' || e.closest('[hidden]')) continue;
  const by = (e.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join('');
  const label = e.labels?.[0]?.textContent ?? '';
  const own = e.tagName === 'BUTTON' ? e.textContent : '';
  if (!(e.getAttribute('aria-label') || by || label || own).trim()) nameless.push(e.outerHTML.slice(0, 90));
}
return nameless;
"""

# Texts whose contrast with what is behind them is below 4.5 (3 for large ones), by WCAG 2.
FAINT = """
const channels = (text) => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map((c) => c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const behind = (e) => {
  for (; e; e = e.parentElement) {
    const colour = channels(getComputedStyle(e).backgroundColor);
    if (colour.length === 3 || colour[3] > 0.99) return colour;
  }
  return [255, 255, 255];
};
const faint = [];
for (const e of document.querySelectorAll('#app *, dialog[open] *')) {
  const hasText = [...e.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!hasText || !e.checkVisibility() || e.disabled || e.closest('.unseen, option')) continue;
  const style = getComputedStyle(e), a = light(channels(style.color)), b = light(behind(e));
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const isLarge = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && style.fontWeight >= 700);
  if (contrast < (isLarge ? 3 : 4.5)) faint.push(e.textContent.trim().slice(0, 30) + ' ' + contrast.toFixed(2));
}
return faint;
"""

SMALL = """
return [...document.querySelectorAll('#app button, #app select, #app input, dialog[open] button, dialog[open] select')]
  .filter((e) => e.checkVisibility() && !e.classList.contains('link'))
  .map((e) => [e.ariaLabel || e.textContent || e.id, (e.type === 'checkbox' ? e.closest('label') : e).getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.width < 43.5 || box.height < 43.5))
  .map(([name, box]) => `${name.trim()} ${Math.round(box.width)}×${Math.round(box.height)}`);
"""

ADDRESSES = ("#language=en", "#language=de", "#example=three-words&language=de", "#example=paper-size", "#model=words&language=de")


class Layout(PageTest):
    def test_nothing_is_cut_off_at_any_size(self):
        for size in SIZES:
            self.show_as(size)
            for address in ADDRESSES:
                self.open(address)
                for panel in ("explain", "edit", "model"):
                    with self.subTest(size=size, address=address, panel=panel):
                        if self.one("#panel-tabs").is_displayed() and self.script("return document.body.dataset.panel") != panel:
                            self.click(f"#panel-tabs [data-panel='{panel}']")
                        self.script("document.querySelectorAll('details').forEach((e) => e.open = true)")
                        self.settle()
                        self.picture(f"{size}-{panel}-{ADDRESSES.index(address)}")
                        self.assertEqual(self.script(CUT), [])
                        if size != "phone":
                            self.assertEqual(self.script(OVERLAPS), [])

    def test_dialogs_fit(self):
        for size in SIZES:
            self.show_as(size)
            for address in ADDRESSES[:2]:
                self.open(address)
                for action in ("history", "settings", "help", "export", "link", "menu"):
                    with self.subTest(size=size, address=address, action=action):
                        self.script(f"document.querySelector('[data-action={action}]').click()")
                        self.until(lambda: self.script("return document.querySelector('dialog[open]') !== null"))
                        self.settle()
                        self.picture(f"dialog-{size}-{action}-{address[-2:]}")
                        self.assertEqual(self.script(CUT), [])
                        box = self.script("const b = document.querySelector('dialog[open]').getBoundingClientRect();"
                                          "return [b.left, b.top, innerWidth - b.right, innerHeight - b.bottom]")
                        self.assertGreaterEqual(min(box), 0, box)
                        self.press(Keys.ESCAPE)

    def test_texts_stand_out_from_what_is_behind_them(self):
        for dark in (False, True):
            for contrast in (False, True):
                self.show_as("wide", dark, contrast)
                self.open()
                self.click(".head-tile:nth-child(2) [data-do='mute']")
                self.click("[data-stage='weights'] button[aria-pressed]")
                with self.subTest(dark=dark, contrast=contrast):
                    self.picture(f"theme-{'dark' if dark else 'light'}-{'more' if contrast else 'plain'}")
                    self.assertEqual(self.script(FAINT), [])
                    card = self.script("return getComputedStyle(document.querySelector('.card')).backgroundColor")
                    self.assertEqual(card, "rgb(29, 33, 39)" if dark else "rgb(255, 255, 255)")

    def test_the_theme_can_be_chosen(self):
        self.show_as("wide")
        self.open()
        before = self.script("return document.querySelector('[data-stage=weights] canvas').toDataURL()")
        self.chord(Keys.CONTROL, ",")
        self.one("#theme").send_keys("D")
        self.settle()
        self.press(Keys.ESCAPE)
        self.assertEqual(self.script("return getComputedStyle(document.querySelector('.card')).backgroundColor"), "rgb(29, 33, 39)")
        self.assertNotEqual(self.script("return document.querySelector('[data-stage=weights] canvas').toDataURL()"), before)
        self.open(fresh=False)
        self.assertEqual(self.script("return document.documentElement.dataset.theme"), "dark")

    def test_the_language_can_be_chosen(self):
        self.show_as("wide")
        self.open()
        self.chord(Keys.CONTROL, ",")
        self.one("#language").send_keys("D")
        self.settle()
        self.press(Keys.ESCAPE)
        self.assertEqual(self.text("#explain-heading"), "Erklären")
        self.assertIn(",", self.text("#explain-title"))
        self.assertEqual(self.script("return document.documentElement.lang"), "de")
        self.open(fresh=False)
        self.assertEqual(self.text("#explain-heading"), "Erklären")


class Access(PageTest):
    def test_everything_has_a_name(self):
        self.show_as("wide")
        self.open()
        self.assertEqual(self.script(NAMELESS), [])

    def test_the_tree_of_a_screen_reader_tells_the_maps(self):
        self.show_as("wide")
        self.open()
        nodes = self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        names = {(node["role"]["value"], without_isolates(node.get("name", {}).get("value", "")))
                 for node in nodes if not node.get("ignored")}
        for expected in (("application", "Weights, head 1, 11 rows, 11 columns"), ("heading", "Explain"), ("radio", "Head 1, it → animal"),
                         ("textbox", "Sentence"), ("button", "Table of the numbers: Weights, head 1")):
            self.assertIn(expected, names)
        self.click("[data-stage='weights'] button[aria-pressed]")
        nodes = self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        headers = [node["name"]["value"] for node in nodes if node.get("role", {}).get("value") == "rowheader"]
        self.assertEqual(headers, "The animal didn't cross the street because it was too tired".split())

    def test_pairs_of_tokens_keep_their_order_from_right_to_left(self):
        self.show_as("wide")
        self.open("#text=" + urllib.parse.quote("القطة جلست على السجادة"))
        query, arrow, key = self.script("""
          const node = document.querySelector('.pair').firstChild, middle = node.data.indexOf('→');
          return [[0, middle], [middle, middle + 1], [middle + 1, node.length]].map(([from, to]) => {
            const part = document.createRange();
            part.setStart(node, from);
            part.setEnd(node, to);
            return part.getBoundingClientRect().left;
          });""")
        self.assertLess(query, arrow)
        self.assertLess(arrow, key)

    def test_tab_reaches_everything_in_reading_order(self):
        self.show_as("wide")
        self.open()
        places = []
        self.script("document.activeElement.blur()")
        for _ in range(120):
            self.driver.switch_to.active_element.send_keys(Keys.TAB)
            where = self.script("const e = document.activeElement; return e === document.body ? 'end' : "
                                "e.closest('.skip, .top, .sentence-bar, .left, .heads-card, .stages, .right')?.className.split(' ').at(-1) ?? e.id")
            if where == "end":
                break
            if not places or places[-1] != where:
                places.append(where)
        self.assertEqual(places[:7], ["skip", "top", "sentence-bar", "left", "heads-card", "stages", "right"])

    def test_maps_are_marked_when_they_have_the_focus(self):
        self.show_as("wide")
        self.open()
        self.press(Keys.ESCAPE)
        self.script("document.querySelector('[data-stage=weights] .map').focus()")
        self.press(Keys.ARROW_DOWN)
        self.assertTrue(self.one("[data-stage='weights'] .cell-mark").is_displayed())


class Phone(PageTest):
    size = "phone"

    def test_targets_are_as_large_as_fingers(self):
        self.open()
        self.assertEqual(self.script(SMALL), [])
        for panel in ("explain", "edit", "model"):
            if self.script("return document.body.dataset.panel") != panel:
                self.click(f"#panel-tabs [data-panel='{panel}']")
            with self.subTest(panel=panel):
                self.assertEqual(self.script(SMALL), [])

    def test_a_tapped_number_is_explained_in_a_sheet_beside_its_map(self):
        self.open()
        self.click_cell("weights", (7, 1), (11, 11))
        self.settle()
        self.assertTrue(self.one("#explain-title").is_displayed())
        self.assertTrue(self.text("#explain-title").startswith("weights[it, animal]"))
        map_bottom, sheet_top = self.script(
            "return [document.querySelector('[data-stage=weights] .cell-mark').getBoundingClientRect().bottom,"
            "document.querySelector('.right').getBoundingClientRect().top]")
        self.assertLess(map_bottom, sheet_top)
        self.click("#panel-tabs [data-panel='explain']")
        self.assertFalse(self.one("#explain-title").is_displayed())

    def test_a_finger_drags_the_marked_cell_and_scrolls_with_others(self):
        self.open()
        self.click("#panel-tabs [data-panel='edit']")
        self.click_cell("edit", (2, 0), (8, 4))
        box = self.script("const b = document.querySelector('#edit-map .cell-mark').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]")
        touch = lambda kind, *points: self.driver.execute_cdp_cmd(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})
        touch("touchStart", box)
        for way in (10, 25, 50):
            touch("touchMove", (box[0], box[1] - way))
        touch("touchEnd")
        self.settle()
        self.assertEqual(self.script("return document.querySelector('#undo').title"),
                         "Undo: W_Q of head 1, row action, column 0: 0 → 1 (Ctrl+Z)")


if __name__ == "__main__":
    unittest.main()
