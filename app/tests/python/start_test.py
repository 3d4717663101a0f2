"""Finding the program and starting its window, which is a fake one here."""
import os
import pathlib
import stat
import subprocess
import sys
import threading
import unittest
from unittest import mock

from support import PACKAGE, PackageTest, weights

import attention_lab as lab
from attention_lab import program

HERE = os.path.dirname(os.path.abspath(__file__))


class ProgramTest(PackageTest):

    def program(self, lines, name="attention-lab", folder="bin"):
        """A program that runs these lines of shell."""
        path = pathlib.Path(self.folder, folder, name)
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text("#!/bin/sh\n" + lines)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def use(self, lines):
        os.environ["ATTENTION_LAB"] = self.program(lines)

    def tearDown(self):
        for process in program._started:
            process.kill()
            process.wait()
        program._started.clear()


class Finding(ProgramTest):

    def setUp(self):
        super().setUp()
        os.environ.pop("ATTENTION_LAB", None)
        os.environ["PATH"] = "/nowhere"
        nowhere = mock.patch("attention_lab.program.__file__", "/a/b/c/d/e/f.py")
        nowhere.start()
        self.addCleanup(nowhere.stop)

    def test_named_by_the_environment(self):
        os.environ["ATTENTION_LAB"] = self.program("", name="mine")
        self.assertEqual(program.program_path(), os.environ["ATTENTION_LAB"])

    def test_named_by_the_environment_but_not_there(self):
        for path in ("/nowhere/lab", self.folder):
            os.environ["ATTENTION_LAB"] = path
            with self.fails(lab.ProgramNotFound, "$ATTENTION_LAB", path):
                program.program_path()

    def test_on_the_path(self):
        path = self.program("")
        os.environ["PATH"] = os.path.dirname(path)
        self.assertEqual(program.program_path(), path)

    def test_installed_in_the_same_prefix(self):
        path = os.path.realpath(self.program(""))
        package = os.path.join(self.folder, "share/attention-lab/python/attention_lab/program.py")
        with mock.patch("attention_lab.program.__file__", package):
            self.assertEqual(program.program_path(), path)

    def test_built_in_the_source(self):
        path = os.path.realpath(self.program("", folder="build/release/bin"))
        with mock.patch("attention_lab.program.__file__",
                        os.path.join(self.folder, "app/python/attention_lab/program.py")):
            self.assertEqual(program.program_path(), path)

    def test_nowhere(self):
        del os.environ["ATTENTION_LAB_SOCKET"]
        os.environ["XDG_RUNTIME_DIR"] = self.folder
        with mock.patch.object(sys, "prefix", "/nowhere"), self.fails(lab.ProgramNotFound, "install it"):
            self.show(weights=weights(2, 3, 3))

    def test_nowhere_and_no_window_is_forwarded(self):
        with mock.patch.object(sys, "prefix", "/nowhere"), self.fails(lab.WindowUnavailable, self.socket, "forwards"):
            self.show(weights=weights(2, 3, 3))


class Starting(ProgramTest):

    WINDOW = f"exec {sys.executable} -B {HERE}/fake_window.py $ATTENTION_LAB_SOCKET"

    def test_a_window_that_takes_its_time(self):
        self.use(f"{self.WINDOW} 0.5")
        handle = self.show(weights=weights(2, 3, 3))
        self.assertEqual(handle.numbers()["weights"].shape, (2, 3, 3))
        self.assertNotEqual(os.getsid(program._started[0].pid), os.getsid(0), "Ctrl+C in Python does not reach it")
        self.show(weights=weights(2, 3, 3), name="another")
        self.assertEqual(len(program._started), 1)

    def test_of_two_threads_starts_one(self):
        self.use(f"{self.WINDOW} 0.3")
        threads = [threading.Thread(target=lambda: self.show(weights=weights(2, 3, 3))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(program._started), 1)

    def test_of_two_programs_starts_one(self):
        self.use(f"echo started >> {self.folder}/starts; {self.WINDOW} 0.5")
        code = ("import support, attention_lab as lab\n"
                "print(lab.show(weights=support.weights(2, 3, 3), timeout=60).numbers()['weights'].shape)")
        programs = [subprocess.Popen([sys.executable, "-B", "-c", code], cwd=HERE, stdout=subprocess.PIPE)
                    for _ in range(3)]
        for one in programs:
            self.assertEqual(one.communicate(timeout=60)[0], b"(2, 3, 3)\n")
        self.assertEqual(pathlib.Path(self.folder, "starts").read_text(), "started\n")

    def test_goes_on_when_another_program_was_faster(self):
        self.use(f"{self.WINDOW} 0.3 >/dev/null 2>&1 &\nexit 0")
        self.show(weights=weights(2, 3, 3))

    def test_a_window_that_fails_gives_its_reason(self):
        self.use("echo 'attention-lab: there is no display' >&2; exit 3")
        with self.fails(lab.WindowUnavailable) as caught:
            self.show(weights=weights(2, 3, 3))
        self.assertEqual(str(caught.exception), "there is no display")

    def test_a_window_that_listens_before_it_fails_gives_its_reason(self):
        for request in ("hello", "show"):
            self.use(f"rm -f $ATTENTION_LAB_SOCKET; {self.WINDOW} {request}")
            with self.fails(lab.WindowUnavailable) as caught:
                self.show(weights=weights(2, 3, 3))
            self.assertEqual(str(caught.exception), "there is no display")

    def test_a_window_that_fails_in_silence(self):
        self.use("kill -11 $$")
        with self.fails(lab.WindowUnavailable, "signal 11"):
            self.show(weights=weights(2, 3, 3))

    def test_a_window_that_never_listens(self):
        self.use("exec sleep 30")
        with mock.patch("attention_lab.program.START_SECONDS", 0.2), self.fails(lab.WindowUnavailable, "0.2 s"):
            self.show(weights=weights(2, 3, 3))

    def test_a_program_that_cannot_run(self):
        path = self.program("")
        pathlib.Path(path).write_bytes(b"\x7fELF")
        os.environ["ATTENTION_LAB"] = path
        with self.fails(lab.WindowUnavailable, "cannot be run"):
            self.show(weights=weights(2, 3, 3))

    def test_is_not_done_when_it_is_not_wanted(self):
        self.use(self.WINDOW)
        with self.fails(lab.WindowUnavailable, "no window listens"):
            self.show(weights=weights(2, 3, 3), start=False)
        self.assertEqual(program._started, [])

    def test_an_update_never_does(self):
        self.use(self.WINDOW)
        handle = self.show(weights=weights(2, 3, 3))
        program._started[0].kill()
        program._started[0].wait()
        self.assertTrue(handle.wait(10))
        os.unlink(self.socket)
        with self.fails(lab.WindowClosed, "was closed"):
            handle.update(weights=weights(2, 3, 3))
        self.show(weights=weights(2, 3, 3))  # starts another
        self.assertEqual(handle.numbers()["weights"].shape, (2, 3, 3))


class Package(unittest.TestCase):

    def test_has_the_version_of_the_program(self):
        source = (PACKAGE.parents[1] / "CMakeLists.txt").read_text()
        self.assertIn(f"project(attention-lab VERSION {lab.__version__} ", source)
        self.assertIn(f'version = "{lab.__version__}"', (PACKAGE / "pyproject.toml").read_text())

    def test_documents_and_annotates_all_that_it_offers(self):
        for name in lab.__all__:
            if name == "__version__":
                continue
            offered = getattr(lab, name)
            self.assertTrue(offered.__doc__, name)
            if not isinstance(offered, type):
                self.assertIn("return", offered.__annotations__, name)
                self.assertIn("aises", offered.__doc__, name)
        self.assertTrue((PACKAGE / "attention_lab" / "py.typed").exists())


if __name__ == "__main__":
    unittest.main()
