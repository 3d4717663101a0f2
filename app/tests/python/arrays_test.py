"""What callers pass to the Python package: arrays of several kinds, and those that are refused."""
import unittest

from support import FakeTensor, PackageTest, numbers, weights

import numpy as np
import attention_lab as lab
from attention_lab.arrays import mask_of
from attention_lab.forms import content_of


def content(*arrays, **named):
    return content_of(arrays, named)


class Accepted(PackageTest):

    def same(self, shown, expected):
        self.assertEqual(shown.dtype, np.float32)
        self.assertTrue(shown.flags.c_contiguous)
        np.testing.assert_array_equal(shown, expected)

    def test_number_types_become_float32(self):
        values = np.round(weights(2, 3, 4) * 8)
        for kind in (np.float16, np.float32, np.float64, np.int8, np.int64, np.uint16, ">f4", ">f8"):
            with self.subTest(kind=kind):
                self.same(content(weights=values.astype(kind)).arrays["weights"], values)

    def test_lists_and_a_single_head(self):
        self.same(content(weights=[[0.25, 0.75], [0.5, 0.5]]).arrays["weights"], [[[0.25, 0.75], [0.5, 0.5]]])

    def test_views_that_are_not_contiguous(self):
        values = weights(4, 6, 2)
        self.same(content(weights=values.T[:, ::2, ::-1]).arrays["weights"], values.T[:, ::2, ::-1])
        self.same(content(weights=np.broadcast_to(values[0], (3, 6, 2))).arrays["weights"], [values[0]] * 3)
        self.same(content(weights=np.asfortranarray(values)).arrays["weights"], values)

    def test_tensors_on_a_gpu_with_gradients_are_copied(self):
        values = weights(2, 3, 3)
        self.same(content(weights=FakeTensor(values)).arrays["weights"], values)
        self.same(content(weights=FakeTensor(values, "torch.bfloat16")).arrays["weights"], values)

    def test_weights_that_are_masked_out_are_no_attention(self):
        values = weights(2, 3, 3)
        hidden = np.broadcast_to(np.triu(np.ones((3, 3), bool), 1), values.shape)
        values[hidden] = np.nan
        expected = np.where(hidden, 0, values)
        self.same(content(weights=np.ma.array(values, mask=hidden)).arrays["weights"], expected)
        self.same(content(weights=[np.ma.array(head, mask=hidden[0]) for head in values]).arrays["weights"], expected)
        layers = np.ma.array([values, values], mask=[hidden, hidden])
        self.same(content(weights=layers, lazy=False).arrays["weights"], [expected, expected])
        self.same(content(weights=np.ma.array(weights(2, 3, 3))).arrays["weights"], weights(2, 3, 3))

    def test_arrays_that_are_read_only(self):
        values = weights(2, 3, 3)
        values.flags.writeable = False
        self.same(content(weights=values).arrays["weights"], values)

    def test_a_batch_of_one(self):
        values = weights(1, 2, 3, 3)
        self.assertEqual(content(weights=values).size, (2, 3, 3))
        shown = content(numbers(1, 2, 3, 4), numbers(1, 2, 3, 4), numbers(1, 2, 3, 4))
        self.assertEqual((shown.size, shown.layers), ((2, 3, 3), 1))

    def test_heads_that_share_keys_and_values(self):
        k, v = numbers(2, 3, 4, seed=1), numbers(2, 3, 5, seed=2)
        shown = content(numbers(4, 3, 4), k, v)
        self.assertEqual(shown.size, (4, 3, 3))
        self.same(shown.arrays["k"], k)
        self.same(shown.arrays["v"], v)

    def test_a_layer(self):
        shown = content(numbers(5, 6), numbers(2, 6, 3), numbers(2, 6, 3), numbers(2, 6, 4), numbers(8, 6),
                        b_q=numbers(6), b_v=numbers(2, 4), b_o=numbers(6), x_kv=numbers(7, 6),
                        key_tokens="a b c d e f g")
        self.assertEqual((shown.what, shown.size), ("layer", (2, 5, 7)))
        self.assertEqual(shown.arrays["b_q"].shape, (2, 3))
        self.assertEqual(shown.key_tokens, list("abcdefg"))

    def test_a_layer_without_w_o_has_its_heads_side_by_side(self):
        shown = content(numbers(5, 6), numbers(2, 6, 3), numbers(2, 6, 3), numbers(2, 6, 4))
        self.same(shown.arrays["w_o"], np.eye(8))

    def test_a_batch_of_sentences(self):
        x, w = numbers(3, 5, 6), numbers(2, 6, 3)
        shown = content(x, w, w, w, tokens=["a b", "a b c d e", ["x", "y", "z"]], mask=np.ones((3, 5, 5), bool))
        self.same(shown.arrays["x"], x)
        self.assertEqual(shown.tokens, [["a", "b"], list("abcde"), ["x", "y", "z"]])
        self.assertEqual(shown.arrays["mask"].shape, (3, 5, 5))
        self.assertEqual(content(x, w, w, w, tokens="a b c d e").tokens, list("abcde"), "of every sentence")
        self.assertEqual(content(x[:1], w, w, w).arrays["x"].shape, (5, 6), "a batch of one")

    def test_tokens(self):
        values = weights(1, 3, 3)
        for tokens in ("The cat sat", ["The", "cat", "sat"], ("The", "cat", "sat"), np.array(["The", "cat", "sat"])):
            self.assertEqual(content(weights=values, tokens=tokens).message()["tokens"], ["The", "cat", "sat"])


class Masks(PackageTest):

    def test_booleans_and_zeros_and_ones(self):
        expected = np.array([[1, 0], [1, 1]], np.uint8)
        for mask in (expected.astype(bool), expected, expected.astype(np.int64), "causal", expected[None, None] > 0):
            made = mask_of(mask, 2, 2)
            self.assertEqual(made.dtype, np.uint8)
            np.testing.assert_array_equal(made, expected)

    def test_floats_are_added(self):
        made = mask_of(np.array([[0.5, -np.inf], [0, 1]]), 2, 2)
        self.assertEqual(made.dtype, np.float32)
        np.testing.assert_array_equal(made, [[0.5, -np.inf], [0, 1]])

    def test_pairs_that_are_masked_out_are_not_allowed(self):
        hidden = [[False, True], [False, False]]
        for kind in (bool, np.int64):
            made = mask_of(np.ma.array(np.ones((2, 2), kind), mask=hidden), 2, 2)
            np.testing.assert_array_equal(made, [[1, 0], [1, 1]])
        added = mask_of(np.ma.array(np.full((2, 2), 0.5), mask=hidden), 2, 2)
        np.testing.assert_array_equal(added, [[0.5, -np.inf], [0.5, 0.5]])

    def test_are_not_mistaken_for_the_other_kind(self):
        added = mask_of(np.array([[0, 1], [1, 0.0]]), 2, 2)
        np.testing.assert_allclose(added, [[0, 1], [1, 0]], atol=2e-7)
        self.assertFalse(np.isin(added, (0, 1)).all(), "not what is allowed")
        np.testing.assert_array_equal(mask_of(np.zeros((2, 2), bool), 2, 2), np.full((2, 2), -np.inf))

    def test_refused(self):
        for mask, word in ((np.ones((2, 3), bool), "[2, 3]"), (np.full((2, 2), np.nan), "mask[0, 0] is nan"),
                           (np.full((2, 2), np.inf), "inf"), (np.full((2, 2), 2), "0 and 1"), ("diagonal", "causal"),
                           (np.ones((2, 2), complex), "complex"), (np.ones((3, 2, 2), bool), "[3, 2, 2]")):
            with self.subTest(mask=mask), self.fails(lab.BadArgument, word):
                mask_of(mask, 2, 2)


class Refused(PackageTest):
    """Nothing is sent: there is no window in these tests."""

    def refused(self, words, *arrays, **named):
        with self.subTest(words=words), self.fails(lab.BadArgument, *words):
            lab.show(*arrays, **named)

    def test_are_value_errors(self):
        with self.assertRaises(ValueError):
            lab.show(weights=[1, 2])

    def test_shapes(self):
        self.refused(["weights has the shape [3]", "[heads, n, m]"], weights=[1, 2, 3])
        self.refused(["[2, 1, 2, 3, 3]"], weights=weights(2, 1, 2, 3, 3))
        self.refused(["empty", "[2, 0, 3]"], weights=np.zeros((2, 0, 3)))
        self.refused(["empty"], weights=np.zeros((0, 2, 3, 3)))
        self.refused(["the shape [0]"], weights=[])
        self.refused(["cannot be read"], weights=[[1, 2], [3]])
        self.refused(["k has 5 for d_k, and q has 4"], numbers(2, 3, 4), numbers(2, 3, 5), numbers(2, 3, 4))
        self.refused(["v has 4 for keys, and k has 3"], numbers(2, 3, 4), numbers(2, 3, 4), numbers(2, 4, 4))
        self.refused(["k has 2 heads, and q has 3"], numbers(3, 3, 4), numbers(2, 3, 4), numbers(2, 3, 4))
        self.refused(["v has 1 for heads, and k has 2"], numbers(2, 3, 4), numbers(2, 3, 4), numbers(1, 3, 4))
        self.refused(["v is missing"], q=numbers(2, 3, 4), k=numbers(2, 3, 4))
        self.refused(["layers"], numbers(2, 2, 3, 4), numbers(3, 2, 3, 4), numbers(2, 2, 3, 4))

    def test_a_batch(self):
        x, w = numbers(3, 5, 6), numbers(2, 6, 3)
        self.refused(["tokens has 2 lists for 3 sentences"], x, w, w, w, tokens=["a b", "c"])
        self.refused(["tokens[1] has 6 texts for 1 to 5"], x, w, w, w, tokens=["a", "a b c d e f", "c"])
        self.refused(["tokens[2] has 0 texts"], x, w, w, w, tokens=["a", "b", []])
        self.refused(["tokens[0][1]", "text"], x, w, w, w, tokens=[["a", 1], "b", "c"])
        self.refused(["65 sentences", "64"], numbers(65, 2, 6), w, w, w)
        self.refused(["x_kv has the shape [2, 4, 6]", "as many sentences"], x, w, w, w, x_kv=numbers(2, 4, 6))
        self.refused(["mask has the shape [2, 5, 5]"], x, w, w, w, mask=np.ones((2, 5, 5), bool))

    def test_shapes_of_a_layer(self):
        x, w = numbers(5, 6), numbers(2, 6, 3)
        self.refused(["w_k has 7 for d_model, and x has 6"], x, w, numbers(2, 7, 3), w, numbers(6, 6))
        self.refused(["w_k has 4 for d_k"], x, w, numbers(2, 6, 4), w, numbers(6, 6))
        self.refused(["w_o has 5"], x, w, w, w, numbers(5, 6))
        self.refused(["b_q has the shape [5]"], x, w, w, w, numbers(6, 6), b_q=numbers(5))
        self.refused(["b_o has 5"], x, w, w, w, numbers(6, 6), b_o=numbers(5))
        self.refused(["x_kv has 5 for d_model"], x, w, w, w, numbers(6, 6), x_kv=numbers(4, 5))
        self.refused(["x has the shape [6]"], numbers(6), w, w, w)
        self.refused(["w_v is missing"], x=x, w_q=w, w_k=w)
        self.refused(["w_v has 1 for heads, and w_k has 2"], x, w, w, w[:1])
        self.refused(["no multiple"], x, numbers(3, 6, 3), w, w)

    def test_types(self):
        self.refused(["complex64"], weights=weights(1, 2, 2).astype(np.complex64))
        self.refused(["bool"], weights=np.ones((1, 2, 2), bool))
        self.refused(["real numbers"], weights=np.array([[["a", "b"]]]))
        self.refused(["nothing to show"], weights=None)
        self.refused(["real numbers"], weights=np.array([[[None, 1]]], object))
        self.refused(["cannot be read", "meta"], weights=Meta())

    def test_numbers(self):
        values = weights(2, 3, 4)
        values[1, 2, 3] = np.nan
        self.refused(["weights[1, 2, 3] is nan"], weights=values)
        values[1, 2, 3] = np.inf
        self.refused(["weights[1, 2, 3] is inf"], weights=values)
        values[1, 2, 3] = -0.5
        self.refused(["weights[1, 2, 3] is -0.5", "not negative"], weights=values)
        bad = numbers(2, 3, 4).astype(np.float64)
        bad[0, 1, 2] = 1e300
        self.refused(["q[0, 1, 2] is 1e+300", "too large for float32"], bad, numbers(2, 3, 4), numbers(2, 3, 4))
        bad[0, 1, 2] = np.nan
        self.refused(["v[0, 1, 2] is nan"], numbers(2, 3, 4), numbers(2, 3, 4), bad)

    def test_masked_elements_where_a_number_is_needed(self):
        keys = np.ma.array(numbers(2, 3, 4), mask=np.zeros((2, 3, 4), bool))
        content(numbers(2, 3, 4), keys, numbers(2, 3, 4))
        keys[1, 0, 2] = np.ma.masked
        self.refused(["k[1, 0, 2] is masked"], numbers(2, 3, 4), keys, numbers(2, 3, 4))
        self.refused(["q[1, 0, 2] is masked"], list(keys), numbers(2, 3, 4), numbers(2, 3, 4))
        vectors = np.ma.masked_less(numbers(3, 4), 100)
        self.refused(["x[0, 0] is masked"], vectors, numbers(1, 4, 2), numbers(1, 4, 2), numbers(1, 4, 2))

    def test_tokens_that_do_not_fit(self):
        values = weights(2, 3, 4)
        self.refused(["tokens has 2 texts for 3 queries"], weights=values, tokens=["a", "b"])
        self.refused(["key_tokens has 3 texts for 4 keys"], weights=values, key_tokens=["a", "b", "c"])
        self.refused(["tokens[1] is of the type int", "convert_ids_to_tokens"], weights=values, tokens=["a", 7, "c"])
        self.refused(["tokens[0] is of the type NoneType"], weights=values, tokens=[None, "b", "c"])
        self.refused(["int", "list of texts"], weights=values, tokens=3)

    def test_arguments_that_do_not_belong_together(self):
        values = weights(2, 3, 3)
        self.refused(["mask does not go together with weights"], weights=values, mask="causal")
        self.refused(["q does not go together with weights"], weights=values, q=numbers(2, 3, 4))
        self.refused(["nothing to show"])
        self.refused(["nothing to show"], tokens=["a"])
        self.refused(["2 arrays without a name"], values, values)
        self.refused(["weights is given twice"], values, weights=values)
        self.refused(["name is ''"], weights=values, name="")
        with self.fails(TypeError, "colour"):
            lab.show(weights=values, colour="red")

    def test_layers(self):
        self.refused(["layers=…"], weights=lambda layer: weights(2, 3, 3))
        self.refused(["layers is 0"], weights=lambda layer: weights(2, 3, 3), layers=0)
        self.refused(["layers is 2.5"], weights=lambda layer: weights(2, 3, 3), layers=2.5)
        self.refused(["layers is 3, and weights has 2"], weights=weights(2, 2, 3, 3), layers=3)
        self.refused(["weights of layer 1 have the shape"], weights=[weights(2, 3, 3), weights(2, 4, 4)])


class Meta:
    """A tensor without data."""

    shape, ndim, dtype = (1, 2, 2), 3, "torch.float32"

    def detach(self):
        return self

    def cpu(self):
        raise NotImplementedError("Cannot copy out of meta tensor")


if __name__ == "__main__":
    unittest.main()
