#!/usr/bin/env python3
"""Runs the completions in real shells, and the man page through man. Shells that are not installed are skipped."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["ATTENTION_LAB"]

BASH = """
source "$1"; shift
complete -p attention-lab | grep -q _attention_lab || exit 3
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_attention_lab "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""

# Presses Tab twice at the end of a command line of an interactive zsh.
ZSH = """
zmodload zsh/zpty
zpty shell "TERM=dumb zsh -f -i"
zpty -w shell "PS1='>' fpath=($1 \\$fpath) PATH=$2:\\$PATH; autoload -U compinit; compinit -u -d $1/dump; setopt no_list_beep; zstyle ':completion:*' list-colors ''; echo rea''dy"
zpty -r -m shell line '*ready*'
zpty -w -n shell "$3"$'\\t\\t'
for i in {1..30}; do sleep 0.1; while zpty -r -t shell line; do print -rn -- "$line"; done; done
zpty -d shell
"""


def output(*arguments, **keywords):
    return subprocess.run(arguments, capture_output=True, text=True, check=True, timeout=60, **keywords)


class Reference(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "attention-lab").symlink_to(PROGRAM)
        self.environment = dict(os.environ, PATH=f"{folder.name}:{os.environ['PATH']}", HOME=folder.name)

    def text_of(self, *arguments, name):
        path = self.folder / name
        path.write_text(output(PROGRAM, *arguments).stdout)
        return str(path)

    def need(self, command):
        if not shutil.which(command):
            self.skipTest(f"{command} is not installed")

    def bash(self, *words):
        script = self.text_of("completions", "bash", name="bash")
        found = output("bash", "--norc", "-c", BASH, "-", script, "attention-lab", *words,
                       env=self.environment, cwd=self.folder)
        self.assertEqual(found.stderr, "")
        return found.stdout.split()

    def test_bash(self):
        self.assertEqual(self.bash("exp"), ["export", "explain"])
        self.assertEqual(self.bash("export", "ref"), ["refer"])
        self.assertEqual(self.bash("export", "refer", "--pal"), ["--palette"])
        self.assertEqual(self.bash("export", "refer", "--stage", "sc"), ["scores", "scaled_scores"])
        self.assertEqual(self.bash("export", "refer", "--stage", "=", "mas"), ["masked_scores"])
        self.assertEqual(self.bash("lesson", "cat-sat-b"), ["cat-sat-by-hand"])
        self.assertEqual(self.bash("predict", "--top", "3", "ind"), ["induction"])
        self.assertEqual(self.bash("--theme", "hi"), ["high-contrast"])

    def test_bash_offers_files_with_blanks(self):
        (self.folder / "my session.json").write_text("{}")
        script = self.text_of("completions", "bash", name="bash")
        found = output("bash", "--norc", "-c", BASH, "-", script, "attention-lab", "check", "my",
                       env=self.environment, cwd=self.folder)
        self.assertEqual(found.stdout, "my session.json\n")

    def test_zsh(self):
        self.need("zsh")
        script = self.text_of("completions", "zsh", name="_attention-lab")
        output("zsh", "-n", script)
        shown = output("zsh", "-f", "-c", ZSH, "-", str(self.folder), str(self.folder),
                       "attention-lab export refer --stage s", env=self.environment).stdout
        self.assertIn("scaled_scores", shown)
        self.assertNotIn("error", shown)

    def test_fish(self):
        self.need("fish")
        script = self.text_of("completions", "fish", name="fish")
        output("fish", "-n", script)
        for line, wanted in [("export refer --stage sca", "scaled_scores"), ("ex", "explain\t"),
                             ("lesson cat-sat-b", "cat-sat-by-hand\t"), ("export refer --pal", "--palette")]:
            found = output("fish", "-N", "-c", f"source {script}; complete -C 'attention-lab {line}'",
                           env=self.environment, cwd=self.folder).stdout
            self.assertIn(wanted, found, line)

    def test_man(self):
        self.need("man")
        page = self.text_of("man", name="attention-lab.1")
        shown = output("man", "--warnings", "-l", page, env=dict(self.environment, LC_ALL="C.UTF-8", MANWIDTH="80"))
        self.assertEqual(shown.stderr, "")
        self.assertIn("attention-lab export IN", shown.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
