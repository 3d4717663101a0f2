#!/usr/bin/env python3
"""What is installed: that it is all there, that desktops understand it, and that the program finds its assets.
Tools that are not installed are skipped, and their checks with them."""

import configparser
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

BUILD = os.environ["ATTENTION_LAB_BUILD"]
ASSETS = pathlib.Path(__file__).resolve().parents[3] / "assets"
SESSION_TYPE = "application/x-attention-lab-session+json"


def need(command):
    if not shutil.which(command):
        raise unittest.SkipTest(f"{command} is not installed")


def output(*arguments, **options):
    return subprocess.run(arguments, capture_output=True, text=True, timeout=120, check=True, **options).stdout


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.prefix = pathlib.Path(folder.name) / "usr"
        output("cmake", "--install", BUILD, "--component", "program", "--prefix", str(cls.prefix))
        cls.share = cls.prefix / "share"
        cls.environment = {name: value for name, value in os.environ.items() if name != "ATTENTION_LAB_ASSETS"}
        cls.environment.update(XDG_DATA_HOME=str(cls.share), HOME=folder.name)

    def program(self, *arguments):
        return output(str(self.prefix / "bin/attention-lab"), *arguments, env=self.environment, cwd="/")

    def test_the_program_finds_the_installed_assets(self):
        index = self.share / "attention-lab/examples/index.json"
        text = index.read_text()
        self.addCleanup(index.write_text, text)
        index.write_text(text.replace("What does “it” refer to?", "An installed title"))
        self.assertIn("An installed title", self.program("examples"))

    def test_a_removed_asset_is_said_and_the_rest_works(self):
        for folder, verb, words in (("examples", "examples", "cannot find the built-in examples"),
                                    ("lessons", "lessons", "cannot find the built-in lessons")):
            there, away = self.share / "attention-lab" / folder, self.share / "attention-lab" / (folder + "-away")
            there.rename(away)
            self.addCleanup(lambda away=away, there=there: away.exists() and away.rename(there))
            with self.subTest(folder=folder), self.assertRaises(subprocess.CalledProcessError) as failed:
                self.program(verb)
            self.assertIn(words, failed.exception.stderr)
            self.program("models")
            away.rename(there)

    def test_what_only_made_the_assets_is_not_installed(self):
        installed = {path.suffix for path in (self.share / "attention-lab").rglob("*")}
        self.assertFalse(installed & {".py", ".png", ".in"})

    def test_the_man_page_is_that_of_the_program(self):
        page = gzip.decompress((self.share / "man/man1/attention-lab.1.gz").read_bytes()).decode()
        self.assertEqual(page, self.program("man"))

    def test_the_completions_are_those_of_the_program(self):
        for shell, path in [("bash", "bash-completion/completions/attention-lab"),
                            ("zsh", "zsh/vendor-completions/_attention-lab"),
                            ("fish", "fish/vendor_completions.d/attention-lab.fish")]:
            self.assertEqual((self.share / path).read_text(), self.program("completions", shell), shell)

    def test_the_copyright_file_names_no_licence_and_the_source_of_the_models(self):
        text = next(self.share.glob("doc/*/copyright")).read_text()
        self.assertIn("has named no licence", text)
        notice = " ".join((ASSETS / "models/words/LICENSE-WordNet").read_text().split())
        self.assertIn(notice, " ".join(text.replace("\n .\n", "\n").split()))

    def test_the_desktop_entry_is_valid_and_fits_the_program(self):
        path = self.share / "applications/attention-lab.desktop"
        entry = configparser.ConfigParser(interpolation=None)
        entry.optionxform = str
        entry.read(path)
        entry = entry["Desktop Entry"]
        types = {node.get("type") for node in self.mime_types()}
        self.assertEqual(set(entry["MimeType"].strip(";").split(";")), types)
        self.assertTrue((self.share / f"icons/hicolor/scalable/apps/{entry['Icon']}.svg").is_file())
        arguments = [word for word in entry["Exec"].split()[1:] if word != "%f"]
        refused = subprocess.run([self.prefix / "bin/attention-lab", *arguments, "--nonsense"], env=self.environment,
                                 capture_output=True, text=True, timeout=60)
        self.assertIn("--nonsense", refused.stderr)
        for argument in arguments:
            self.assertNotIn(argument, refused.stderr)
        need("desktop-file-validate")
        self.assertEqual(output("desktop-file-validate", str(path)), "")

    def test_the_description_is_valid_and_its_pictures_exist(self):
        path = next(self.share.glob("metainfo/*.metainfo.xml"))
        pictures = [node.text for node in xml.parse(path).iter("image")]
        self.assertGreaterEqual(len(pictures), 3)
        for picture in pictures:
            self.assertTrue((ASSETS / "screenshots" / picture.rsplit("/", 1)[1]).is_file(), picture)
        need("appstreamcli")
        self.assertIn("successful", output("appstreamcli", "validate", "--no-net", str(path)))

    def test_files_have_their_types_by_name_and_by_content(self):
        need("update-mime-database"), need("gio")
        output("update-mime-database", str(self.share / "mime"))
        session = self.program("convert", "refer", "-o", "-")
        tensors = (ASSETS / "models/induction/model.safetensors").read_bytes()
        folder = pathlib.Path(self.environment["HOME"])
        for name, content, wanted in [("a.attn.json", b"{", SESSION_TYPE),
                                      ("b.json", session.encode(), SESSION_TYPE),
                                      ("c.json", json.dumps(json.loads(session)).encode(), SESSION_TYPE),
                                      ("d.json", b'{"type":"attention-lab model session"}', SESSION_TYPE),
                                      ("e.json", b'{"type": "another"}', "application/json"),
                                      ("f.safetensors", tensors, "application/x-safetensors"),
                                      ("g.unknown", tensors, "application/x-safetensors")]:
            (folder / name).write_bytes(content)
            told = output("gio", "info", "-a", "standard::content-type", str(folder / name), env=self.environment)
            self.assertEqual(re.search(r"content-type: (\S+)", told)[1], wanted, name)

    def mime_types(self):
        root = xml.parse(self.share / "mime/packages/attention-lab.xml").getroot()
        return [node for node in root if node.tag.endswith("mime-type")]


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
