"""Layers of PyTorch as the Python package shows them: what the window computes of them is what PyTorch computes.

One class uses modules that are made of NumPy arrays alone, the other those of torch, where it is installed.
"""
import types
import unittest

from support import PackageTest, numbers

import numpy as np
import attention_lab as lab
from attention_lab.modules import module_content

try:
    import torch
except ImportError:
    torch = None


def computed(content):
    """Weights [heads, n, m] and output [n, d_out] of a layer, from the definition, in double precision."""
    arrays = {name: array.astype(float) for name, array in content.arrays.items()}
    x, keys = arrays["x"], arrays.get("x_kv", arrays["x"])
    q, k, v = (source @ arrays[f"w_{letter}"] + arrays.get(f"b_{letter}", np.zeros((1, 1)))[:, None]
               for letter, source in (("q", x), ("k", keys), ("v", keys)))
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[2])
    mask = content.arrays.get("mask")
    if mask is not None:
        scores = np.where(mask > 0, scores, -np.inf) if mask.dtype == np.uint8 else scores + mask
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    heads = np.concatenate(list(weights @ v), axis=1)
    return weights, heads @ arrays["w_o"] + arrays.get("b_o", 0)


def module(heads=2, width=6, **members):
    """The members of nn.MultiheadAttention."""
    usual = {"num_heads": heads, "embed_dim": width, "kdim": width, "vdim": width, "batch_first": True,
             "in_proj_weight": numbers(3 * width, width), "in_proj_bias": numbers(3 * width, seed=1), "bias_k": None,
             "bias_v": None, "add_zero_attn": False,
             "out_proj": types.SimpleNamespace(weight=numbers(width, width, seed=2), bias=numbers(width, seed=3))}
    return types.SimpleNamespace(**{**usual, **members})


class Modules(PackageTest):

    def test_are_split_into_heads(self):
        made = module()
        content = module_content(made, numbers(5, 6), tokens="a b c d e")
        np.testing.assert_array_equal(content.arrays["w_q"][1], made.in_proj_weight[3:6].T)
        np.testing.assert_array_equal(content.arrays["w_v"][0], made.in_proj_weight[12:15].T)
        np.testing.assert_array_equal(content.arrays["b_k"], made.in_proj_bias[6:12].reshape(2, 3))
        np.testing.assert_array_equal(content.arrays["w_o"], made.out_proj.weight.T)
        self.assertEqual((content.tokens, content.size), (list("abcde"), (2, 5, 5)))

    def test_read_one_of_a_batch(self):
        x = numbers(3, 5, 6)
        np.testing.assert_array_equal(module_content(module(), x, batch=2).arrays["x"], x[2])
        np.testing.assert_array_equal(module_content(module(batch_first=False), x, batch=4).arrays["x"], x[:, 4])
        with self.fails(lab.BadArgument, "batch is 3", "[3, 5, 6]"):
            module_content(module(), x, batch=3)

    def test_masks_are_those_of_torch(self):
        hidden = np.triu(np.ones((5, 5), bool), 1)
        for mask in (hidden, np.stack([hidden, hidden])):
            content = module_content(module(), numbers(5, 6), attn_mask=mask)
            np.testing.assert_array_equal(content.arrays["mask"], np.tri(5))
        with self.fails(lab.BadArgument, "one mask [n, m] for all of the 2 heads"):
            module_content(module(), numbers(5, 6), attn_mask=np.stack([hidden, ~hidden]))

    def test_with_a_bias_for_keys_name_it(self):
        made = module(bias_k=numbers(1, 1, 6), bias_v=numbers(1, 1, 6))
        content = module_content(made, numbers(2, 6), tokens="a b", attn_mask=np.array([[0, 1], [0, 0]], bool))
        self.assertEqual((content.size, content.tokens, content.key_tokens), ((2, 2, 3), ["a", "b"],
                                                                             ["a", "b", "bias_k"]))
        np.testing.assert_array_equal(content.arrays["mask"], [[1, 0, 1], [1, 1, 1]])

    def test_that_are_refused(self):
        x = numbers(5, 6)
        for made, arguments, words in (
                (module(add_zero_attn=True), (x,), ["add_zero_attn", "key of zeros"]),
                (types.SimpleNamespace(num_heads=2), (x,), ["MultiheadAttention", "SimpleNamespace", "embed_dim"]),
                (None, (x,), ["NoneType"]),
                (module(), (numbers(5, 7),), ["x has 7 for width, and the module has 6"]),
                (module(), (x, numbers(4, 5)), ["key has 5 for width"]),
                (module(), (x, numbers(4, 6), numbers(3, 6)), ["value has 3 for positions, and key has 4"]),
                (module(), (x * np.nan,), ["x[0, 0] is nan"]), (module(), (numbers(6),), ["[6]", "[n, width]"]),
                (module(kdim=4, vdim=5), (x,), ["key has 6 for width, and the module has 4"])):
            with self.subTest(words=words), self.fails(lab.BadArgument, *words):
                lab.show_module(made, *arguments)


@unittest.skipUnless(torch, "torch is not installed")
class ModulesOfTorch(PackageTest):

    def compare(self, *shapes, mask=None, batch_first=True, **options):
        torch.manual_seed(0)
        made = torch.nn.MultiheadAttention(8, 2, batch_first=batch_first, **options)
        for parameter in made.parameters():  # biases are 0 at first
            torch.nn.init.normal_(parameter)
        inputs = [torch.randn(shape) for shape in shapes]
        query, key, value = [*inputs, *[inputs[-1]] * (3 - len(inputs))]
        output, weights = made(query, key, value, attn_mask=mask, average_attn_weights=False)
        content = module_content(made, *inputs, attn_mask=mask, batch=1 if query.ndim == 3 else 0)
        if query.ndim == 3:
            output, weights = output[1] if batch_first else output[:, 1], weights[1]
        for mine, theirs in zip(computed(content), (weights, output)):
            np.testing.assert_allclose(mine, theirs.detach().numpy(), atol=2e-5)

    def test_compute_the_same(self):
        for options in ({}, {"bias": False}, {"add_bias_kv": True}, {"batch_first": False}):
            with self.subTest(options=options):
                self.compare((5, 8), **options)
                self.compare((3, 5, 8), **options)

    def test_compute_the_same_with_a_mask(self):
        self.compare((5, 8), mask=torch.triu(torch.ones(5, 5, dtype=torch.bool), 1))
        self.compare((5, 8), mask=torch.triu(torch.full((5, 5), -torch.inf), 1), add_bias_kv=True)
        self.compare((5, 8), mask=torch.randn(5, 5))

    def test_compute_the_same_with_other_keys_and_values(self):
        for options in ({}, {"add_bias_kv": True}):
            self.compare((5, 8), (4, 8), **options)
            self.compare((5, 8), (4, 8), (4, 8), **options)
            self.compare((5, 8), (4, 3), (4, 5), kdim=3, vdim=5, **options)
            self.compare((3, 5, 8), (3, 4, 13), (3, 4, 2), kdim=13, vdim=2, **options)
            self.compare((5, 8), (7, 3), kdim=3, vdim=3, **options)

    def test_with_half_precision_and_gradients(self):
        made = torch.nn.MultiheadAttention(8, 2, dtype=torch.bfloat16)
        content = module_content(made, torch.randn(5, 8, dtype=torch.bfloat16, requires_grad=True))
        np.testing.assert_array_equal(content.arrays["w_o"], made.out_proj.weight.detach().float().numpy().T)

    def test_that_add_a_key_of_zeros(self):
        with self.fails(lab.BadArgument, "add_zero_attn"):
            lab.show_module(torch.nn.MultiheadAttention(8, 2, add_zero_attn=True), torch.randn(5, 8))


@unittest.skipUnless(torch, "torch is not installed")
class Tensors(PackageTest):

    def test_of_torch(self):
        from attention_lab.forms import content_of
        values = torch.softmax(torch.randn(3, 2, 4, 4, requires_grad=True), -1)
        for tensor in (values, values.double(), values.bfloat16(), values.half(), values.transpose(2, 3),
                       [layer for layer in values]):
            content = content_of((), {"weights": tensor})
            expected = torch.stack(list(tensor)).float().detach().numpy()
            np.testing.assert_array_equal(content.arrays["weights"], expected)
        for tensor, words in ((torch.ones(2, 3, 3, dtype=torch.cfloat), "complex"),
                              (torch.ones(2, 3, 3, device="meta"), "meta"), (torch.full((2, 3, 3), torch.nan), "nan")):
            with self.fails(lab.BadArgument, words):
                lab.show(weights=tensor)


if __name__ == "__main__":
    unittest.main()
