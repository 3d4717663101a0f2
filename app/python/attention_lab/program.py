"""The program: where it is, running one of its commands, and starting its window."""
from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from typing import Iterator, List, Sequence

from .errors import ProgramFailed, ProgramNotFound, WindowUnavailable

NAME = "attention-lab"
COMMAND_SECONDS = 300.0  # in which a command of the program ends
START_SECONDS = 10.0  # in which a window listens after it was started
END_SECONDS = 5.0  # in which a window ends after it has closed its connection
LONGEST_WORDS = 1 << 16  # bytes of what a window says that are read

_started: List["subprocess.Popen[bytes]"] = []  # windows, which go on when Python ends


def program_path() -> str:
    """The program: `$ATTENTION_LAB`, or `attention-lab` on the PATH, beside this Python, in the prefix that this
    package is installed in, or in the build folders of the source that it is imported from.

    Raises ProgramNotFound.
    """
    given = os.environ.get("ATTENTION_LAB")
    if given:
        if _runs(given):
            return given
        raise ProgramNotFound(f"$ATTENTION_LAB is {given!r}, which is not a program")
    for path in _places():
        if path and _runs(path):
            return path
    raise ProgramNotFound(f"the program {NAME} was not found: install it, or set $ATTENTION_LAB to its path")


def _runs(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def _places() -> Iterator[str]:
    yield shutil.which(NAME) or ""
    yield os.path.join(sys.prefix, "bin", NAME)
    above = pathlib.Path(__file__).resolve().parents
    if len(above) > 4:  # PREFIX/share/attention-lab/python/attention_lab/program.py
        yield str(above[4] / "bin" / NAME)
    for build in ("release", "ci", "dev"):  # app/python/attention_lab/program.py
        yield str(above[min(3, len(above) - 1)] / "build" / build / "bin" / NAME)


def run_program(arguments: Sequence[str], temporary: str = "") -> None:
    """Runs a command of the program to its end. Notes on its standard error become Python warnings, except those
    about the file `temporary`, of which the caller knows nothing; errors do not name that file.

    Raises ProgramNotFound, and ProgramFailed with what the program says.
    """
    try:
        done = subprocess.run([program_path(), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=COMMAND_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise ProgramFailed(f"{NAME} {arguments[0]} did not end within {COMMAND_SECONDS:g} s") from None
    except OSError as error:
        raise ProgramNotFound(f"{NAME} cannot be run: {error}") from None
    said = own_words(done.stderr)
    of_file = f'"{temporary}": '
    if done.returncode != 0:
        said = said.replace(of_file, "")
        raise ProgramFailed(said or f"{NAME} ended with {_ending(done.returncode)}", done.returncode)
    for note in said.splitlines():
        if not temporary or of_file not in note:
            warnings.warn(note, stacklevel=4)


def _ending(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"


def own_words(errors: bytes) -> str:
    """What the program wrote to standard error, without its name at the beginning of lines."""
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    return "\n".join(line[len(NAME) + 2:] if line.startswith(NAME + ": ") else line for line in lines)


class StartedWindow:
    """A window that was started and may not listen yet."""

    def __init__(self) -> None:
        with tempfile.TemporaryFile() as errors:
            try:
                self._process = subprocess.Popen([program_path()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                                 stderr=errors, start_new_session=True)
            except OSError as error:
                raise ProgramNotFound(f"{NAME} cannot be run: {error}") from None
            self._errors = os.dup(errors.fileno())  # what it says
        _started[:] = [process for process in _started if process.poll() is None] + [self._process]
        self._end = time.monotonic() + START_SECONDS

    def check(self) -> None:
        """Raises WindowUnavailable if the window failed, with its words, or takes longer than START_SECONDS."""
        code = self._process.poll()
        if code:  # 0: it handed over to a window that was faster
            said = own_words(os.pread(self._errors, LONGEST_WORDS, 0))
            raise WindowUnavailable(said or f"the window ended with {_ending(code)}")
        if time.monotonic() > self._end:
            raise WindowUnavailable(f"the window was started, but did not listen within {START_SECONDS:g} s")

    def check_end(self) -> None:
        """Waits a moment for the end of a window that has closed its connection. Raises WindowUnavailable if it
        failed, with its words.
        """
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            return
        self.check()

    def __del__(self) -> None:
        if hasattr(self, "_errors"):
            os.close(self._errors)
