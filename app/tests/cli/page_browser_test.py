#!/usr/bin/env python3
"""What the program hands out, in a browser: a teacher's lesson as one file, a session, a model, links, and the local server.
Skipped without Chromium, or where the page was not built.

ATTENTION_LAB is the program.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import unittest

PROGRAM = os.environ["ATTENTION_LAB"]
ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILT = pathlib.Path(os.environ.setdefault("ATTENTION_LAB_PAGE", str(ROOT / "build/web/attention-lab.html")))
if not BUILT.exists():
    print("the page was not built")
    sys.exit(77)
sys.path.insert(0, str(ROOT / "app/web/tests/browser"))
from page import PageTest  # noqa: E402

LESSON = """---
title: Wer sieht wen?
goal: Sehen, dass jede Zeile eins ergibt
minutes: 5
level: erste Schritte
language: de
---

## Erster Blick

```lab
open satz.json
```

Der Satz hat `= seq_len` Wörter. `</script><script>window.ran = 1</script><img src=x onerror="window.ran = 2">`

```question number
Wie viel ergibt eine Zeile der Gewichte?

answer: sum(weights[1, 0])
right: Ja, eins.
```
"""


def run(*arguments):
    made = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=120)
    assert made.returncode == 0, made.stderr
    return made.stdout


class Handouts(PageTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        edits = cls.folder / "edits.jsonl"
        edits.write_text('{"do":"set_sentence","text":"Die Katze schläft gern"}\n')
        run("apply", "refer", edits, "-o", cls.folder / "satz.json")
        (cls.folder / "stunde.md").write_text(LESSON)

    def shows(self, address):
        """Opens what was handed out."""
        self.driver.get("about:blank")
        self.driver.get(address)
        self.until(lambda: self.script("return document.body.dataset.ready === 'true'"))
        self.settle()

    def shows_file(self, *arguments):
        page = self.folder / "page.html"
        run("export", *arguments, "-o", page)
        self.shows(page.as_uri())

    def assert_nothing_ran(self):
        self.assertIsNone(self.script("return window.ran ?? null"))

    def test_a_lesson_is_one_file(self):
        self.shows_file(self.folder / "stunde.md")
        self.assertEqual(self.text("#lesson-title"), "Wer sieht wen?")
        self.assertEqual(self.script("return document.documentElement.lang"), "de")
        self.assertEqual(self.one("#sentence").get_attribute("value"), "Die Katze schläft gern")
        self.assertIn("Der Satz hat 4 Wörter. </script>", self.text("#lesson-items"))
        for answer, verdict in (("0,5", "wrong"), ("1", "right")):
            self.replace(".question input", answer)
            self.click("[data-check='0']")
            self.assertEqual(len(self.all(f".verdict.{verdict}")), 1, answer)
        self.assertIn("Ja, eins.", self.text(".verdict"))
        self.assert_nothing_ran()
        self.until(lambda: self.text("#status-kept") == "In diesem Browser aufbewahrt")
        self.shows((self.folder / "page.html").as_uri())
        self.assertIn("1 von 1", self.text("#lesson-progress"))

    def test_a_session_is_one_file(self):
        self.shows_file(self.folder / "satz.json", "--live")
        self.assertEqual(self.one("#sentence").get_attribute("value"), "Die Katze schläft gern")
        self.assertFalse(self.one("#lesson-card").is_displayed())
        self.assert_quiet()

    def test_a_session_brings_a_lesson_along(self):
        self.shows_file(self.folder / "satz.json", "--live", "--with", self.folder / "stunde.md")
        self.click("[data-action='lessons']")
        self.assertIn("Wer sieht wen?", self.all("#lesson-list button")[-1].text)
        self.all("#lesson-list button")[-1].click()
        self.until(lambda: self.one("#lesson-card").is_displayed())
        self.assertEqual(self.text("#lesson-title"), "Wer sieht wen?")
        self.assert_nothing_ran()

    def test_a_model_is_one_file(self):
        self.shows_file("words", "--text", "a small dog", "--mute", "L0H1", "--live")
        self.assertEqual(self.one("#sentence").get_attribute("value"), "a small dog")
        self.assertTrue(self.one("#layers-card").is_displayed())

    def test_links_lead_both_ways(self):
        link = run("link", self.folder / "satz.json", "--page", BUILT.as_uri()).strip()
        self.shows(link)
        self.assertEqual(self.one("#sentence").get_attribute("value"), "Die Katze schläft gern")
        self.click("[data-action='link']")
        self.until(lambda: self.one("#link-text").get_attribute("value") != "")
        back = self.folder / "back.json"
        run("link", self.one("#link-text").get_attribute("value"), "-o", back)
        self.assertEqual(json.loads(back.read_text())["sentence"], "Die Katze schläft gern")

    def test_a_folder_is_served(self):
        with subprocess.Popen([PROGRAM, "serve", "--no-open", "--folder", self.folder], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as server:
            try:
                address = server.stdout.readline().strip()
                self.driver.get(address)
                self.assertIn("satz.json", self.text("ul"))
                self.shows(address + "stunde.md")
                self.assertEqual(self.text("#lesson-title"), "Wer sieht wen?")
                self.shows(address.removesuffix("files/"))
                self.assertFalse(self.one("#lesson-card").is_displayed())
            finally:
                server.send_signal(signal.SIGINT)
        self.assertEqual(server.returncode, 0)


if __name__ == "__main__":
    unittest.main()
