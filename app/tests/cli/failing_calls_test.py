"""Makes every system call of a save fail with EIO and ENOSPC, and kills the program in each. Afterwards the file
must be the old one or the new one, byte for byte, and an error must be reported unless it is certainly the new one.

ATTENTION_LAB is the program. Skipped if strace is missing or not permitted to trace.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["ATTENTION_LAB"]
# The leak checker traces too, and a program cannot be traced twice.
ENVIRONMENT = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")
FAULTS = {"error=EIO": "Input/output error", "error=ENOSPC": "No space left on device", "signal=SIGKILL": None}
# Errors of these calls are never ignored: without them the new file would be missing or not safely on disk.
NEEDED = ("readlink", "faccessat", "write", "fchmod", "fsync", "rename")
# These do not fail with file errors; the save is only killed in them.
OF_MEMORY = ("brk", "mmap", "mremap", "munmap", "madvise", "mprotect", "futex", "rt_sigprocmask", "getpid")
STALE = ".attention-lab-999999999-0.tmp"  # no process has this id
CALL = re.compile(r"^(\d+) +(\w+)\((.*)$")


def fail_in(name, fault, which):
    """The options of strace for a fault in one call of that name. Where only those calls stop the program it is
    faster, but none is killed then."""
    only = ["--seccomp-bpf"] if fault.startswith("error") else []
    return [*only, "-e", "trace=" + name, "-e", "inject=%s:%s:when=%d" % (name, fault, which)]


def may_trace():
    if not shutil.which("strace"):
        return False
    command = ["strace", "-f", "-o", "/dev/null", *fail_in("getpid", "error=EIO", 1000), "true"]
    return subprocess.run(command, capture_output=True).returncode == 0


class Folder:
    """A folder with a session to save from and a file to save to; `before` is what that file holds."""

    def __init__(self, path, output, before):
        self.path, self.before = path, before
        self.output = os.path.join(path, output)
        edit = '{"do":"set_cell","matrix":"X","row":0,"col":0,"value":0.25}\n'
        self.put("edits.jsonl", edit.encode())

    def put(self, name, content):
        with open(os.path.join(self.path, name), "wb") as file:
            file.write(content)

    def reset(self):
        """The file as it was before, and a temporary file of a writer that no longer runs."""
        for name in self.temporaries():
            os.remove(os.path.join(self.path, name))
        self.put(STALE, b"half a file")
        if self.before is None:
            if os.path.exists(self.output):
                os.remove(self.output)
        else:
            self.put(os.path.basename(os.path.realpath(self.output)), self.before)

    def content(self):
        if not os.path.exists(self.output):
            return None
        with open(self.output, "rb") as file:
            return file.read()

    def temporaries(self):
        return [name for name in os.listdir(self.path) if name.endswith(".tmp")]


def calls_of_save(log, output):
    """[(name, which call of that name it is, its text)] of the thread that saves, from the first look at where
    the output leads to the last file that is closed."""
    counts, calls, begun, thread = {}, [], False, None
    for line in log.splitlines():
        match = CALL.match(line)
        if not match or match[1] != (thread := thread or match[1]):
            continue
        name = match[2]
        counts[name] = counts.get(name, 0) + 1
        begun = begun or (name.startswith("readlink") and '"%s"' % output in match[3])
        if begun:
            calls.append((name, counts[name], match[3]))
    last = max(i for i, call in enumerate(calls) if call[0] == "close")
    return calls[:last + 1]


class FailingCalls(unittest.TestCase):
    def trace(self, folder, verb, options):
        log = os.path.join(folder.path, "log")
        command = ["strace", "-f", "-s", "300", "-o", log, *options, PROGRAM, *verb]
        run = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, timeout=120)
        with open(log, errors="replace") as file:
            return run, file.read()

    def check_told(self, run, call, reason, content, after):
        name = call[0]
        if run.returncode == 0:
            self.assertFalse(name.startswith(NEEDED), "passed over")
            self.assertEqual((content, run.stderr), (after, ""))
            return
        self.assertEqual(run.returncode, 6, run.stderr)
        self.assertRegex(run.stderr, r"\Aattention-lab: cannot [^\n]*: %s\n\Z" % reason)

    def check_one(self, folder, verb, call, fault, after):
        folder.reset()
        name, which, _ = call
        run, log = self.trace(folder, verb, fail_in(name, fault, which))
        reason, content = FAULTS[fault], folder.content()
        hit = "(INJECTED)" in log if reason else run.returncode == -signal.SIGKILL
        self.assertTrue(hit, "the program made other calls than before")
        self.assertIn(content, (folder.before, after))
        if reason:
            self.check_told(run, call, reason, content, after)
            self.assertLessEqual(set(folder.temporaries()), {STALE}, "left behind")
        again = subprocess.run([PROGRAM, *verb], capture_output=True, env=ENVIRONMENT)
        self.assertEqual((again.returncode, folder.content()), (0, after))
        self.assertEqual(folder.temporaries(), [], "not swept")

    def check_every_call(self, folder, verb):
        folder.reset()
        run, log = self.trace(folder, verb, [])
        self.assertEqual(run.returncode, 0, run.stderr)
        after = folder.content()
        self.assertNotEqual(after, folder.before)
        calls = calls_of_save(log, folder.output)
        self.assertTrue(set("write fsync".split()) <= {name for name, _, _ in calls})
        tried = [(call, fault) for call in calls for fault in FAULTS
                 if FAULTS[fault] is None or call[0] not in OF_MEMORY]
        for call, fault in tried:
            with self.subTest(call="%s %d: %s" % call, fault=fault):
                self.check_one(folder, verb, call, fault, after)
        print("%s: %d faults in %d system calls" % (verb[0], len(tried), len(calls)), file=sys.stderr)

    def session(self, path):
        source = os.path.join(path, "session.json")
        subprocess.run([PROGRAM, "apply", "refer", "/dev/null", "-o", source], check=True, env=ENVIRONMENT)
        with open(source, "rb") as file:
            return source, file.read()

    def test_session_over_itself_through_a_link(self):
        with tempfile.TemporaryDirectory() as path:
            source, before = self.session(path)
            link = os.path.join(path, "link.json")
            os.symlink("session.json", link)
            os.chmod(source, 0o640)
            folder = Folder(path, "link.json", before)
            self.check_every_call(folder, ["apply", link, os.path.join(path, "edits.jsonl"), "-o", link])
            self.assertTrue(os.path.islink(link))
            self.assertEqual(os.stat(source).st_mode & 0o777, 0o640)

    def test_numbers_over_others(self):
        with tempfile.TemporaryDirectory() as path:
            folder = Folder(path, "out.npz", b"older numbers")
            self.check_every_call(folder, ["compute", "refer", "-o", folder.output])

    def test_a_new_figure(self):
        with tempfile.TemporaryDirectory() as path:
            folder = Folder(path, "out.svg", None)
            self.check_every_call(folder, ["export", "refer", "-o", folder.output])


if __name__ == "__main__":
    if not may_trace():
        print("strace is missing or may not trace here", file=sys.stderr)
        sys.exit(77)
    unittest.main()
