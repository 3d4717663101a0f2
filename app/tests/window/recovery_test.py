"""Tests what a crash loses and what the next start restores. ATTENTION_LAB_CRASHES is the number of crashes in
each test; by default it is a tenth of the intended number."""
import ctypes
import json
import os
import random
import signal
import subprocess
import time
import unittest
import zlib

from driver import TIMEOUT, Lab, layout_of, middle_of, run, session_at, verb, wait_for

CRASHES = int(os.environ.get("ATTENTION_LAB_CRASHES", "10"))
SECOND = 1.0  # edits committed this long before the crash must be on disk
WORDS = "the animal did not cross the street because it was too tired and sat down"
UNSAVED = "•".encode()  # in front of the window's title


def journal_folder(lab):
    return os.path.join(lab.folder, "attention-lab", "journal")


def journals(lab):
    """The paths of all journals."""
    folder = journal_folder(lab)
    return [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".journal")]


def lines_of(path):
    """The contents of the complete lines of a journal; fails if a checksum is wrong."""
    with open(path, "rb") as file:
        data = file.read()
    contents, total = [], 0
    for line in data[:data.rfind(b"\n") + 1].splitlines():
        content = line[9:]
        total = zlib.crc32(content, total)
        assert line[:9] == b"%08x " % total, (path, line[:40])
        contents.append(content)
    return contents


def edits_in(path):
    """The lines of a journal after its base but for those of the view."""
    return [line for line in lines_of(path)[2:] if not line.startswith(b"@")]


def kept_commands(lab):
    """The commands in the only journal; empty if there is no journal."""
    for path in journals(lab):
        return [json.loads(content.lstrip(b"+")) for content in edits_in(path)]
    return []


class Crashing(Lab):
    """A small window that opens quickly and can be killed."""

    def start(self):
        self.open_window(800, 600)
        # The title shows the session once events are processed.
        wait_for("the session", lambda: " — ".encode() in self.title())
        run("xdotool", "windowfocus", "--sync", self.window)
        time.sleep(0.3)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def is_unsaved(self):
        return self.title().startswith(UNSAVED)

    def edit(self):
        """Types into the sentence box, which has the keyboard focus at the start."""
        def edited():
            self.type(random.choice("xyz"))
            time.sleep(0.1)
            return self.is_unsaved()
        wait_for("an edit", edited)

    def wait_for_own_journal(self):
        """Waits until there is one journal, that of this window, and the edit is in it. The file is there, empty, from
        the moment on that the window takes its name."""
        name = f"window-{self.process.pid}-"

        def written():
            paths = journals(self)
            return [os.path.basename(path)[:len(name)] for path in paths] == [name] and os.path.getsize(paths[0]) > 0
        wait_for("the journal of this window", written)

    def wait_for_question(self):
        """Waits until the window, whose top is white, is dimmed behind a question."""
        wait_for("a question", lambda: 200 < self.pixels()[2, 2].min() < 255)

    def crash_after_an_edit(self):
        self.edit()
        self.wait_for_own_journal()
        self.kill()

    def restores(self):
        """Presses Enter until the expected question is answered."""
        def answered():
            self.key("Return")
            return self.is_unsaved()
        wait_for("the offer", answered)

    def check_nothing_is_offered(self):
        """Makes an edit, which an open question would block, after waiting long enough for one to appear."""
        time.sleep(0.7)
        self.edit()


class LostEdits(unittest.TestCase):
    def test_what_was_done_a_second_before_a_kill_is_on_disk(self):
        for seed in range(2 * CRASHES):
            with self.subTest(seed=seed), Crashing() as lab:
                seen = self.type_until_killed(lab, random.Random(seed).uniform(0.3, 2.5))
                killed = time.monotonic()
                lab.kill()
                done, kept = lab.commands(), kept_commands(lab)
                self.assertEqual(kept, done[:len(kept)])
                old = sum(when < killed - SECOND for when in seen)
                self.assertGreaterEqual(len(kept), old)
                late = [killed - when for when in seen[len(kept):]]
                print(f"killed after {len(done)} commands: {len(done) - len(kept)} lost"
                      + (f", the oldest {max(late):.3f} s" if late else ""), flush=True)

    def type_until_killed(self, lab, seconds):
        """Types for the given time. Returns when each command was first seen in the record."""
        seen, end = [], time.monotonic() + seconds
        typing = subprocess.Popen(["xdotool", "type", "--delay", "25", WORDS * 2])
        try:
            while time.monotonic() < end or not seen:
                seen += [time.monotonic()] * (len(lab.commands()) - len(seen))
                time.sleep(0.002)
        finally:
            typing.kill()
            typing.wait()
        return seen


class LargeWindow(Crashing):
    """A window with room for everything."""

    start = Lab.start


class HeldDrag(unittest.TestCase):
    def test_what_a_drag_has_reached_survives_though_it_is_not_released(self):
        with LargeWindow() as lab:
            x, y = middle_of(layout_of(lab.session, lab.folder)["matrix/W_Q/0/0"])
            run("xdotool", "mousemove", str(x), str(y), "mousedown", "1")
            for up in range(1, 9):
                run("xdotool", "mousemove", str(x), str(y - 5 * up))
                time.sleep(0.03)
            lab.wait_for_frames()
            time.sleep(1.5)
            lab.kill()
            run("xdotool", "mouseup", "1")
            self.assertEqual(lab.commands(), [], "nothing was committed")
            lines = [line for path in journals(lab) for line in edits_in(path)]
            self.assertEqual([line[:1] for line in lines], [b"~"], "the last place alone")
            held = json.loads(lines[0][1:])
            self.assertEqual((held["do"], held["matrix"], held["row"], held["col"]), ("set_cell", "W_Q", 0, 0))
            lab.start()
            lab.restores()
            lab.key("ctrl+s")
            wait_for("the session to be saved", lambda: not lab.is_unsaved())
            self.assertEqual(session_at(lab.session)["heads"][0]["W_Q"][0][0], held["value"])


LESSON = """---
title: Kept
goal: G
minutes: 5
level: L
---
## One
```lab
open cat-sat
```
```question text
Why?
```
## Two
```question text
And now?
```
"""


class LessonAnswers(unittest.TestCase):
    def test_what_was_answered_survives_and_the_lesson_goes_on(self):
        with LargeWindow() as lab:
            places = self.open_lesson(lab)
            lab.click(places["lesson/1/answer"])
            lab.type("because")
            lab.click(places["lesson/next"])
            lab.settle()
            lab.click(places["lesson/1/answer"])
            lab.type("half an ans")
            lab.wait_for_frames()
            time.sleep(SECOND)
            self.restore_after_kill(lab)
            wait_for("one place for the answers", lambda: len(self.kept(lab)) == 1)
            progress, = self.kept(lab)
            self.assertEqual(progress["step"], 2)
            self.assertEqual([[question.get("typed") for question in step] for step in progress["questions"]],
                             [["because"], ["half an ans"]])
            self.assertEqual([result["answer"] for result in progress["results"]], ["because"])

    def test_an_edit_survives_also_before_the_first_answer(self):
        with LargeWindow() as lab:
            places = self.open_lesson(lab)
            lab.click(places["matrix/W_Q/0/0"])
            lab.type("7")
            lab.key("Return")
            lab.wait_for_frames()
            time.sleep(SECOND)
            self.restore_after_kill(lab)
            wait_for("one place for it", lambda: len(self.kept(lab)) == 1)
            edited, = self.kept(lab)[0]["sessions"]
            self.assertEqual(json.loads(edited["session"])["heads"][0]["W_Q"][0][0], 7)

    def open_lesson(self, lab):
        """Opens LESSON, and returns where its widgets are."""
        lesson = os.path.join(lab.folder, "kept.md")
        with open(lesson, "w") as file:
            file.write(LESSON)
        lab.names = [lesson]
        lab.restart()
        return layout_of(lesson, lab.folder)

    def restore_after_kill(self, lab):
        """Kills the window, opens another one, and restores the lesson there."""
        lab.kill()
        lab.names = [lab.session]
        lab.start()
        lab.wait_for_question()
        before = lab.settle()
        lab.key("Return")
        lab.settle(before)
        wait_for("the lesson", lambda: b"Kept" in lab.title())

    def kept(self, lab):
        """What is kept of lessons, for all windows."""
        folder = journal_folder(lab)
        paths = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".answers")]
        return [session_at(path) for path in paths]


class Offering(unittest.TestCase):
    def test_after_every_crash(self):
        with Crashing() as lab:
            lab.edit()
            for _ in range(CRASHES):  # the restored edits are lost again
                lab.wait_for_own_journal()
                lab.kill()
                lab.start()
                lab.restores()

    def test_never_after_a_clean_exit(self):
        exits = [self.saved, self.undone, self.discarded, self.asked_to_end]
        with Crashing() as lab:
            for number in range(CRASHES):
                lab.check_nothing_is_offered()
                exits[number % len(exits)](lab)
                self.assertEqual(os.listdir(journal_folder(lab)), [], number)
                lab.start()

    def test_never_in_a_second_window(self):
        with Crashing() as first, Crashing(XDG_STATE_HOME=first.folder) as second:
            # The second window has the keyboard focus; the first still has an edit.
            run("xdotool", "windowfocus", "--sync", first.window)
            first.edit()
            run("xdotool", "windowfocus", "--sync", second.window)
            for _ in range(CRASHES):
                second.check_nothing_is_offered()
                self.undone(second)
                second.start()
            first.wait_for_own_journal()

    def saved(self, lab):
        lab.key("ctrl+s")
        wait_for("the session to be saved", lambda: not lab.is_unsaved())
        self.close(lab)

    def undone(self, lab):
        lab.key("ctrl+z")
        wait_for("the edit to be undone", lambda: not lab.is_unsaved())
        self.close(lab)

    def discarded(self, lab):
        lab.key("ctrl+q")
        lab.wait_for_question()
        lab.key("Tab", "Return")
        self.assertEqual(lab.process.wait(TIMEOUT), 0)

    def asked_to_end(self, lab):
        lab.key("ctrl+z")
        wait_for("the edit to be undone", lambda: not lab.is_unsaved())
        lab.process.terminate()
        self.assertEqual(lab.process.wait(TIMEOUT), -signal.SIGTERM)

    def close(self, lab):
        lab.key("ctrl+q")
        self.assertEqual(lab.process.wait(TIMEOUT), 0)


class Restoring(unittest.TestCase):
    def test_restores_what_was_done_and_keeps_it(self):
        with Crashing() as lab:
            lab.type(" and sat")
            wait_for("the journal", lambda: self.keeps(lab, "tired and sat"))
            lab.kill()
            expected = os.path.join(lab.folder, "expected.json")
            verb("apply", lab.original, lab.record, "-o", expected)
            for again in range(2):  # the restored edits are lost and restored again
                lab.start()
                lab.restores()
                lab.wait_for_own_journal()
                if again == 0:
                    lab.kill()
            lab.key("ctrl+s")
            wait_for("the session to be saved", lambda: not lab.is_unsaved())
            saved = session_at(lab.session)
            saved.pop("view")  # the view state
            self.assertEqual(saved, session_at(expected))
            wait_for("the journal to be removed", lambda: not journals(lab))

    def test_pins_survive_a_kill(self):
        with LargeWindow() as lab:
            places = layout_of(lab.session, lab.folder)
            x, y = middle_of(places["matrix/W_Q/0/0"])
            run("xdotool", "mousemove", str(x), str(y), "mousedown", "1")
            run("xdotool", "mousemove", str(x), str(y - 20))
            lab.wait_for_frames()
            run("xdotool", "mouseup", "1")
            lab.wait_for_own_journal()
            with lab.holding("ctrl"):
                lab.click(places["stage/weights/2/3"])
            wait_for("the pin", lambda: any(b'"pins"' in line for line in lines_of(journals(lab)[0])))
            lab.kill()
            lab.start()
            lab.restores()
            lab.key("ctrl+s")
            wait_for("the session to be saved", lambda: not lab.is_unsaved())
            pins = session_at(lab.session)["view"]["pins"]
            self.assertEqual([(pin["stage"], pin["row"], pin["col"]) for pin in pins], [("weights", 2, 3)])

    def keeps(self, lab, ending):
        """True if the last command in the journal is a sentence with that ending."""
        return any(command["text"].endswith(ending) for command in kept_commands(lab)[-1:])

    def test_edits_survive_a_signal_to_end(self):
        with Crashing() as lab:
            lab.edit()
            lab.process.terminate()
            lab.process.wait()
            lab.start()
            lab.restores()

    def test_a_damaged_journal_is_moved_away_and_the_window_starts(self):
        with Crashing() as lab:
            lab.crash_after_an_edit()
            path = journals(lab)[0]
            with open(path, "r+b") as file:
                file.write(b"\0" * 100)
            lab.start()
            wait_for("the journal to be moved away", lambda: os.path.exists(path + ".damaged"))
            lab.check_nothing_is_offered()
            self.assertIsNone(lab.process.poll(), "the window goes on")

    def test_what_is_discarded_is_gone_and_what_is_left_for_later_comes_back(self):
        with Crashing() as lab:
            lab.crash_after_an_edit()
            lab.start()
            lab.wait_for_question()
            lab.key("Escape")
            wait_for("the answer", lambda: lab.pixels()[2, 2].min() == 255)
            lab.key("ctrl+q")
            self.assertEqual(lab.process.wait(TIMEOUT), 0)
            lab.start()
            lab.wait_for_question()
            lab.key("Tab", "Return")
            lab.wait_for_frames()
            self.assertTrue(journals(lab), "it is asked about once more")
            lab.key("Tab", "Return")
            wait_for("the journal to be removed", lambda: not journals(lab))
            self.assertFalse(lab.is_unsaved())


class CrashReports(unittest.TestCase):
    """A report is left by a fault, and the next start says so above the status bar."""

    def test_a_fault_leaves_a_report_without_the_document_and_the_next_start_tells_of_it(self):
        with Crashing() as lab:
            quiet = lab.settle()
            lab.edit()
            self.fault(lab)
            self.assertEqual(lab.process.wait(), -signal.SIGSEGV)
            raw, = self.reports(lab, ".new")
            lab.start()
            told = lab.settle()
            path, = self.reports(lab, ".txt")
            self.assertFalse(os.path.exists(raw))
            with open(path) as file:
                report = file.read()
            self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
            self.assertIn("signal: SIGSEGV", report)
            self.assertIn("\n  set_sentence\n", report)
            self.assertIn("(lab::shell::FrameLoop::run()+", report)
            for word in ["animal", "tired", lab.session]:
                self.assertNotIn(word, report)
            self.assertLess(self.blue(quiet), 50)
            self.assertGreater(self.blue(told), 100)

    def fault(self, lab):
        """Ends the window by a fault while it waits for the system. Within code that the graphics driver made for
        itself, of which nothing says who called it, a report could not name any function."""
        def waits():
            lab.process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, lab.process.pid, os.WSTOPPED)
            with open(f"/proc/{lab.process.pid}/syscall") as file:
                now = file.read()
            if now[0].isdigit():  # the number of a system call; -1 outside of any
                return True
            lab.process.send_signal(signal.SIGCONT)
            return False

        wait_for("the window to wait", waits)
        # To the thread of the window: a stopped process would let any of its threads take the signal.
        ctypes.CDLL(None).tgkill(lab.process.pid, lab.process.pid, signal.SIGSEGV)
        lab.process.send_signal(signal.SIGCONT)

    def blue(self, picture):
        """How blue a window of 800 × 600 is where messages are."""
        line = picture[550:560, 200:600].astype(int)
        return (line[..., 2] - line[..., 0]).mean()

    def reports(self, lab, ending):
        folder = os.path.join(lab.folder, "attention-lab")
        return [os.path.join(folder, name) for name in os.listdir(folder)
                if name.startswith("crash-") and name.endswith(ending)]


if __name__ == "__main__":
    unittest.main()
