"""Models of transformers: their attention, and models that the window opens. The classes with real models need
torch and transformers; nothing is downloaded, because models and vocabularies are made here.
"""
import json
import os
import pathlib
import unittest
from unittest import mock

from support import FakeTensor, weights
from show_test import WindowTest

import numpy as np
import attention_lab as lab
from attention_lab.transformers import model_folder, save_model
from fake_window import tensors

try:
    import tokenizers
    import torch
    import transformers
except ImportError:
    transformers = None

TEXT = "the cat sat on the mat"


class Attentions(WindowTest):

    def attentions(self, layers=3, batch=2):
        return tuple(FakeTensor(weights(batch, 4, 5, 5, seed=k)) for k in range(layers))

    def test_are_sent_layer_by_layer(self):
        given = self.attentions()
        lab.show_attentions(given, "the cat sat on mats", batch=1)
        message, arrays = self.shown()
        self.assertEqual((message["layers"], message["heads"], message["lazy"]), (3, 4, True))
        np.testing.assert_array_equal(arrays["weights"], given[0].array[1])
        _, payload = self.window.ask({"id": 1, "do": "layer", "name": "Python", "layer": 2})
        shape, numbers = tensors(payload)["weights"]
        np.testing.assert_array_equal(np.reshape(numbers, shape).astype(np.float32), given[2].array[1])
        self.assertEqual(given[1].copies[0], 0, "nobody looks at layer 1")

    def test_that_are_refused(self):
        for given, words in ((None, ["eager", "output_attentions=True"]), ((), ["eager"]), ((None, None), ["eager"]),
                             (([1, 2],), ["tensor"]), ((weights(4, 5, 5),), ["[4, 5, 5]", "[batch, heads, n, m]"])):
            with self.fails(lab.BadArgument, *words):
                lab.show_attentions(given)
        with self.fails(lab.BadArgument, "batch of more than 2"):
            lab.show_attentions(self.attentions(), batch=2)
        with self.fails(lab.BadArgument, "tokens has 1 texts for 5 queries"):
            lab.show_attentions(self.attentions(), "cat")


class FakeModel:
    """Saves itself as transformers does. `training` and so on are not needed to be saved."""

    def __init__(self, size=1, files=("config.json", "model.safetensors")):
        self.size, self.files = size, files

    def get_memory_footprint(self):
        return self.size

    def save_pretrained(self, folder):
        for name in self.files:
            pathlib.Path(folder, name).write_text(json.dumps({"size": self.size}))


class FakeTokenizer(FakeModel):

    def __init__(self, files=("tokenizer.json",)):
        super().__init__(files=files)


class Models(WindowTest):

    def setUp(self):
        super().setUp()
        os.environ["XDG_CACHE_HOME"] = os.path.join(self.folder, "cache")

    def test_are_opened_by_the_window(self):
        lab.show_model(FakeModel(), FakeTokenizer(), TEXT, name="my model/2")
        message, payload = self.window.shown["my model/2"]
        self.assertEqual((message["what"], message["text"], payload), ("model", TEXT, b""))
        self.assertEqual(message["path"], os.path.join(self.folder, "cache/attention-lab/python/my-model-2"))
        self.assertEqual(sorted(os.listdir(message["path"])), ["config.json", "model.safetensors", "tokenizer.json"])

    def test_replace_the_one_before_without_changing_its_files(self):
        folder = save_model(FakeModel(1), FakeTokenizer(), model_folder("a"))
        with open(os.path.join(folder, "model.safetensors")) as mapped:
            self.assertEqual(save_model(FakeModel(2), FakeTokenizer(), folder), folder)
            self.assertEqual(json.load(mapped)["size"], 1)
        self.assertEqual(json.loads(pathlib.Path(folder, "model.safetensors").read_text())["size"], 2)
        self.assertEqual(os.listdir(os.path.dirname(folder)), ["a"], "nothing else is left")

    def test_do_not_replace_other_files(self):
        pathlib.Path(self.folder, "thesis").mkdir()
        pathlib.Path(self.folder, "thesis", "chapter.txt").write_text("precious")
        with self.fails(lab.BadArgument, "other files"):
            lab.show_model(FakeModel(), FakeTokenizer(), TEXT, folder=os.path.join(self.folder, "thesis"))
        self.assertEqual(os.listdir(os.path.join(self.folder, "thesis")), ["chapter.txt"])

    def test_that_cannot_be_saved(self):
        for model, tokenizer, word in ((FakeModel(), FakeTokenizer(files=("vocab.txt",)), "tokenizer.json"),
                                       (FakeModel(files=("config.json", "pytorch_model.bin")), FakeTokenizer(),
                                        "safetensors")):
            with self.fails(lab.BadArgument, word):
                lab.show_model(model, tokenizer, TEXT)
        blocked = os.path.join(self.folder, "file")
        open(blocked, "w").close()
        with self.fails(lab.AttentionLabError, "cannot save"):
            lab.show_model(FakeModel(), FakeTokenizer(), TEXT, folder=os.path.join(blocked, "model"))
        self.assertEqual(self.window.seen, [], "nothing is sent")

    def test_read_a_text(self):
        for text in ("", " ", None, 3):
            with self.fails(lab.BadArgument, "text"):
                lab.show_model(FakeModel(), FakeTokenizer(), text)

    def test_that_are_large_or_far_from_the_window_run_here(self):
        with mock.patch("attention_lab.transformers._show_attention_of") as shows_attention:
            lab.show_model(FakeModel(size=20e9), FakeTokenizer(), TEXT)
            os.environ["SSH_CONNECTION"] = "10.0.0.1 22 10.0.0.2 22"
            lab.show_model(FakeModel(), FakeTokenizer(), TEXT)
            self.assertEqual(shows_attention.call_count, 2)
            lab.show_model(FakeModel(), FakeTokenizer(), TEXT, here=False)
            self.assertEqual(shows_attention.call_count, 2)


def tokenizer():
    """A tokenizer of whole words."""
    words = {"<unk>": 0, **{word: k + 1 for k, word in enumerate(sorted(set(TEXT.split())))}}
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="<unk>"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made, unk_token="<unk>")


@unittest.skipUnless(transformers, "torch or transformers is not installed")
class RealModels(WindowTest):

    def setUp(self):
        super().setUp()
        os.environ["XDG_CACHE_HOME"] = os.path.join(self.folder, "cache")
        torch.manual_seed(0)
        self.tokenizer = tokenizer()

    def models(self):
        size = {"vocab_size": 8, "bos_token_id": None, "eos_token_id": None, "attn_implementation": "eager"}
        yield transformers.GPT2LMHeadModel(transformers.GPT2Config(
            n_embd=16, n_head=2, n_layer=3, n_positions=32, **size))
        yield transformers.BertForMaskedLM(transformers.BertConfig(
            hidden_size=16, num_attention_heads=2, num_hidden_layers=3, intermediate_size=32, **size))

    def test_run_here(self):
        for model in self.models():
            model.train()  # dropout must not be applied
            lab.show_model(model, self.tokenizer, TEXT, here=True)
            message, arrays = self.shown()
            self.assertEqual((message["layers"], message["heads"], message["tokens"]), (3, 2, TEXT.split()))
            self.assertTrue(model.training)
            expected = model.eval()(**self.tokenizer(TEXT, return_tensors="pt"), output_attentions=True).attentions
            np.testing.assert_allclose(arrays["weights"], expected[0][0].detach(), atol=1e-6)

    def test_without_attention(self):
        model = transformers.GPT2LMHeadModel(transformers.GPT2Config(
            n_embd=16, n_head=2, n_layer=1, vocab_size=8, attn_implementation="sdpa"))
        try:
            lab.show_model(model, self.tokenizer, TEXT, here=True)
        except lab.BadArgument as error:  # newer versions compute it all the same, or say so themselves
            self.assertIn("eager", str(error))
        except ValueError as error:
            self.assertIn("eager", str(error))

    def test_that_the_program_opens(self):
        for model in self.models():
            lab.show_model(model, self.tokenizer, TEXT, here=False)
            path = self.window.shown["Python"][0]["path"]
            computed = self.computed(path)
            with torch.no_grad():
                expected = model.eval()(**self.tokenizer(TEXT, return_tensors="pt"), output_attentions=True)
            for layer, attention in enumerate(expected.attentions):
                np.testing.assert_allclose(computed[f"attention.{layer}"], attention[0], atol=1e-4)

    def computed(self, path):
        program = os.environ.get("ATTENTION_LAB")
        if not program:
            self.skipTest("ATTENTION_LAB is the program")
        from attention_lab.program import run_program
        from attention_lab.tensors import read
        output = os.path.join(self.folder, "all.safetensors")
        run_program(["compute", path, "--text", TEXT, "-o", output])
        return lab.NamedArrays.from_tensors(read(pathlib.Path(output).read_bytes()))


if __name__ == "__main__":
    unittest.main()
