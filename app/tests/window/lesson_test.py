"""Tests lessons in the real window: offering, opening, answering with mouse and keyboard, leaving."""
import os
import unittest

from driver import Lab, screenshot_of, wait_for

LESSON = """---
title: A small lesson
goal: See that a lesson runs
minutes: 1
level: test
---

## One

```lab
open cat-sat
```

```question number
What is ten and one?
answer: 10 + 1
```

## Two

```question make
Make the temperature more than 1.
until: temperature > 1
solution: {"do":"set_temperature","value":2}
```
"""
OFFER = (1272, 221, 120, 26)  # "Start the lesson", at the top of the right column


def is_called(lab, name):
    return lambda: name.encode() in lab.title()


class Lessons(unittest.TestCase):
    def test_a_first_start_offers_the_first_lesson_once(self):
        first = "Query, key, value"
        with Lab(names=[]) as lab:
            lab.click(OFFER)
            wait_for("the lesson", is_called(lab, first))
            lab.key("ctrl+q")
            self.assertEqual(lab.process.wait(60), 0)
            lab.start()
            lab.click(OFFER)
            lab.settle()
            self.assertFalse(is_called(lab, first)(), "it was offered again")

    def test_a_lesson_file_is_played_and_leaves_the_own_work_unchanged(self):
        lab = Lab()
        path = os.path.join(lab.folder, "lesson.md")
        with open(path, "w") as file:
            file.write(LESSON)
        with lab:
            own = lab.title()
            lab.key("ctrl+o")
            lab.settle()
            lab.key("ctrl+a")
            lab.type(path)
            lab.key("Return")
            wait_for("the lesson", is_called(lab, "A small lesson"))
            places = screenshot_of(path, lab.folder)[1]
            lab.click(places["lesson/1/answer"])
            lab.type("11")
            lab.key("Return")
            before = lab.settle()
            lab.key("ctrl+Next")  # the verdict moved the button
            lab.settle(before)
            places = screenshot_of(path, lab.folder, "--step", "2")[1]
            lab.drag(places["model/temperature"], 30, 0)
            lab.settle()
            self.save_answers(lab)
            lab.choose_command("leave the lesson")
            wait_for("the own work", lambda: lab.title() == own)
            self.assertEqual(lab.commands(), [], "the lesson's edits are none of the user's")

    def save_answers(self, lab):
        path = os.path.join(lab.folder, "answers.csv")
        lab.choose_command("save my answers")
        lab.settle()
        lab.key("ctrl+a")
        lab.type(path)
        lab.key("Return")
        wait_for("the answers", lambda: os.path.exists(path))
        with open(path) as file:
            verdicts = [line.split(",")[-2] for line in file.read().split("\n")[1:] if line]
        self.assertEqual(verdicts, ["right", "right"])


if __name__ == "__main__":
    unittest.main()
