"""Exchanges files between the program and Python: safetensors and numpy.load read what convert writes bit
for bit; problems in other number types open and compute; nn.MultiheadAttention's weights give the same
result as NumPy computes from its definition.

ATTENTION_LAB is the program. If the module safetensors cannot be imported, a reader in this file is used
instead.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: there is no NumPy")
    sys.exit(77)

try:
    from safetensors.numpy import load_file
    READER = "safetensors.numpy.load_file"
except ImportError:
    load_file = None
    READER = "the reader of safetensors in this file"

PROGRAM = os.environ["ATTENTION_LAB"]
TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}


def own_load_file(path):
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<Q", data[:8])[0]
    arrays = {}
    for name, entry in json.loads(data[8:8 + length]).items():
        if name != "__metadata__":
            first, last = entry["data_offsets"]
            values = np.frombuffer(data[8 + length + first:8 + length + last], TYPES[entry["dtype"]])
            arrays[name] = values.reshape(entry["shape"])
    return arrays


def load(path):
    if path.endswith(".npz"):
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files if name != "__metadata__"}
    return (load_file or own_load_file)(path)


def as_bytes(values, dtype):
    """The values in that type, and the float32 values that the bytes represent."""
    if dtype == "BF16":
        bits = (np.ascontiguousarray(values, "<f4").view("<u4") >> 16).astype("<u2")
        return bits.tobytes(), (bits.astype("<u4") << 16).view("<f4")
    rounded = np.ascontiguousarray(values, TYPES[dtype])
    return rounded.tobytes(), rounded.astype("<f4")


def save(path, arrays, dtype="F32", metadata=None):
    """Writes safetensors; returns the arrays as float32, as they were rounded."""
    header, data, kept = {}, b"", {}
    for name, values in arrays.items():
        values = np.asarray(values)
        raw, as_float = as_bytes(values, dtype)
        kept[name] = as_float.reshape(values.shape)
        header[name] = {"dtype": dtype, "shape": list(values.shape),
                        "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    if metadata:
        header["__metadata__"] = metadata
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)
    return kept


def softmax(scores):
    shifted = np.exp(scores - scores.max(-1, keepdims=True))
    return shifted / shifted.sum(-1, keepdims=True)


def multihead(state, heads, X):
    """nn.MultiheadAttention(E, heads) in self-attention, from its documentation, in float64."""
    state = {name: np.asarray(values, "f8") for name, values in state.items()}
    X = np.asarray(X, "f8")
    length, width = X.shape
    projected = X @ state["in_proj_weight"].T + state.get("in_proj_bias", 0)
    q, k, v = (part.reshape(length, heads, width // heads).transpose(1, 0, 2)
               for part in np.split(projected, 3, axis=1))
    weights = softmax(q @ k.transpose(0, 2, 1) / np.sqrt(width // heads))
    joined = (weights @ v).transpose(1, 0, 2).reshape(length, width)
    return weights, joined @ state["out_proj.weight"].T + state.get("out_proj.bias", 0)


def apart(rng, width, kdim, vdim):
    """The state of nn.MultiheadAttention(width, heads, kdim=kdim, vdim=vdim)."""
    shapes = {"q_proj_weight": (width, width), "k_proj_weight": (width, kdim), "v_proj_weight": (width, vdim),
              "in_proj_bias": (3 * width,), "out_proj.weight": (width, width), "out_proj.bias": (width,)}
    return {name: (rng.standard_normal(shape) * 0.3).astype("<f4") for name, shape in shapes.items()}


def multihead_apart(state, heads, query, key, value):
    """The same layer, from its documentation, in float64."""
    state = {name: np.asarray(values, "f8") for name, values in state.items()}
    biases = np.split(state["in_proj_bias"], 3)
    q, k, v = (np.asarray(X, "f8") @ state[name + "_proj_weight"].T + bias
               for X, name, bias in zip((query, key, value), "qkv", biases))
    width = q.shape[1]
    q, k, v = (part.reshape(len(part), heads, width // heads).transpose(1, 0, 2) for part in (q, k, v))
    weights = softmax(q @ k.transpose(0, 2, 1) / np.sqrt(width // heads))
    joined = (weights @ v).transpose(1, 0, 2).reshape(len(query), width)
    return weights, joined @ state["out_proj.weight"].T + state["out_proj.bias"]


def random_state(width, biases, prefix="", seed=5):
    rng = np.random.default_rng(seed)
    state = {"in_proj_weight": rng.standard_normal((3 * width, width)) * 0.3,
             "out_proj.weight": rng.standard_normal((width, width)) * 0.3}
    if biases:
        state["in_proj_bias"] = rng.standard_normal(3 * width)
        state["out_proj.bias"] = rng.standard_normal(width)
    return {prefix + name: values.astype("<f4") for name, values in state.items()}


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def run_program(self, *arguments):
        done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def assert_same(self, first, second):
        self.assertEqual(sorted(first), sorted(second))
        for name, values in first.items():
            self.assertEqual(values.shape, second[name].shape, name)
            self.assertEqual(values.astype("<f4").tobytes(), second[name].astype("<f4").tobytes(), name)

    def test_problems_are_read_bit_for_bit(self):
        for example in "refer", "cat-sat", "three-words":
            for ending in ".safetensors", ".npz", ".json":
                self.run_program("convert", example, "-o", self.path("a" + ending))
            tensors = load(self.path("a.safetensors"))
            self.assert_same(tensors, load(self.path("a.npz")))
            with open(self.path("a.json"), encoding="utf-8") as file:
                session = json.load(file)
            for h, head in enumerate(session["heads"]):
                for name in "W_Q", "W_K", "W_V":
                    if isinstance(head[name], list):
                        wanted = np.array(head[name], "f4")
                        self.assertEqual(tensors[name][h].tobytes(), wanted.tobytes(), name)
            self.run_program("convert", self.path("a.npz"), "-o", self.path("b.safetensors"))
            self.assert_same(tensors, load(self.path("b.safetensors")))

    def test_every_number_type_opens_and_computes(self):
        self.run_program("convert", "refer", "-o", self.path("refer.npz"))
        problem = load(self.path("refer.npz"))
        for dtype in TYPES:
            kept = save(self.path("a.safetensors"), {n: v * 0.3 for n, v in problem.items()}, dtype)
            np.savez(self.path("wanted.npz"), **kept)
            answers = []
            for source in "a.safetensors", "wanted.npz":
                self.run_program("compute", self.path(source), "-o", self.path("answer.npz"))
                answers.append(load(self.path("answer.npz")))
            self.assert_same(*answers)
            if dtype in ("F16", "F64"):
                np.savez(self.path("b.npz"), **{n: (v * 0.3).astype(TYPES[dtype])
                                                for n, v in problem.items()})
                self.run_program("compute", self.path("b.npz"), "-o", self.path("answer.npz"))
                self.assert_same(answers[1], load(self.path("answer.npz")))

    def test_layers_of_pytorch_give_what_numpy_computes(self):
        for width, heads, biases, prefix in (
                (12, 3, True, ""), (8, 1, False, "self_attn."), (128, 2, True, ""),
                (16, 4, True, "encoder.layers.0.self_attn.")):
            state = random_state(width, biases)
            named = {prefix + name: values for name, values in state.items()}
            save(self.path("state.safetensors"), named)
            self.run_program("convert", self.path("state.safetensors"), "--heads", str(heads), "-o",
                             self.path("problem.npz"))
            self.run_program("compute", self.path("problem.npz"), "-o", self.path("answer.npz"))
            answer = load(self.path("answer.npz"))
            weights, output = multihead(state, heads, load(self.path("problem.npz"))["X"])
            np.testing.assert_allclose(answer["weights"], weights, atol=2e-5)
            np.testing.assert_allclose(answer["output"], output, rtol=2e-5, atol=2e-4)

    def test_layers_with_kdim_and_vdim_give_what_numpy_computes(self):
        rng = np.random.default_rng(3)
        for width, heads, kdim, vdim in ((12, 3, 6, 6), (8, 2, 20, 20), (8, 2, 5, 7), (4, 1, 4, 9)):
            state = apart(rng, width, kdim, vdim)
            save(self.path("state.safetensors"), state)
            done = self.run_program("convert", self.path("state.safetensors"), "--heads", str(heads), "-o",
                                    self.path("problem.npz"))
            self.assertIn("kdim", done.stderr)
            problem = load(self.path("problem.npz"))
            X, X_kv = problem["X"], problem["X_kv"]
            start = 0 if kdim == vdim else kdim
            self.run_program("compute", self.path("problem.npz"), "-o", self.path("answer.npz"))
            answer = load(self.path("answer.npz"))
            weights, output = multihead_apart(state, heads, X[:, :width], X_kv[:, :kdim],
                                              X_kv[:, start:start + vdim])
            np.testing.assert_allclose(answer["weights"], weights, atol=2e-5)
            np.testing.assert_allclose(answer["output"], output, rtol=2e-5, atol=2e-4)

    def opened(self, name, *options):
        """The answer to the file of that name, and what convert says about it."""
        done = self.run_program("convert", self.path(name), *options, "-o", self.path("session.json"))
        self.run_program("compute", self.path("session.json"), "-o", self.path("answer.npz"))
        return load(self.path("answer.npz")), done.stderr

    def words(self):
        with open(self.path("session.json"), encoding="utf-8") as file:
            return json.load(file)["sentence"]

    def test_ready_attention_opens_as_weights(self):
        rng = np.random.default_rng(4)
        tokens = ["The", "cat", "sat", "on", "the", "cat"]
        full = softmax(rng.standard_normal((3, 6, 6)) * 3)
        causal = np.tril(full) / np.tril(full).sum(-1, keepdims=True)
        holes = full * (rng.random((3, 6, 6)) > 0.3)
        holes[..., 0] += 1e-3
        holes /= holes.sum(-1, keepdims=True)
        for what, attention in (("full", full), ("causal", causal), ("holes", holes)):
            attention = attention.astype("f4")
            np.savez(self.path("a.npz"), attention=attention, tokens=np.array(tokens))
            np.save(self.path("b.npy"), attention[None])
            save(self.path("c.safetensors"), {"attn": attention}, metadata={"tokens": json.dumps(tokens)})
            for name in "a.npz", "b.npy", "c.safetensors":
                answer, _ = self.opened(name)
                np.testing.assert_allclose(answer["weights"], attention, rtol=2e-6, atol=1e-7, err_msg=what + name)
                np.testing.assert_array_equal(answer["weights"] == 0, attention == 0, what + name)
                np.testing.assert_allclose(answer["output"], attention.mean(0), rtol=1e-5, atol=1e-6)
                self.assertEqual(self.words(), "0 1 2 3 4 5" if name == "b.npy" else " ".join(tokens))

    def test_a_layer_of_all_and_queries_of_another_sentence(self):
        rng = np.random.default_rng(5)
        layers = softmax(rng.standard_normal((4, 2, 5, 5))).astype("f4")
        np.savez(self.path("layers.npz"), attentions=layers)
        answer, said = self.opened("layers.npz")
        self.assertIn("layer 1 of 4", said)
        np.testing.assert_allclose(answer["weights"], layers[0], rtol=2e-6)
        answer, _ = self.opened("layers.npz", "--layer", "3")
        np.testing.assert_allclose(answer["weights"], layers[2], rtol=2e-6)
        cross = softmax(rng.standard_normal((2, 3, 5))).astype("f4")
        np.savez(self.path("cross.npz"), attention=cross, tokens=np.array(["a", "b", "c"]),
                 kv_tokens=np.array(["v", "w", "x", "y", "z"], dtype="S3"))
        np.testing.assert_allclose(self.opened("cross.npz")[0]["weights"], cross, rtol=2e-6)

    def test_rows_that_do_not_sum_to_1_are_kept(self):
        weights = softmax(np.random.default_rng(6).standard_normal((2, 4, 4))).astype("f4")
        weights[1, 2] *= 0.5
        weights[0, 3] = 0
        np.savez(self.path("a.npz"), weights=weights)
        answer, said = self.opened("a.npz")
        self.assertIn("2 rows do not sum to 1", said)
        np.testing.assert_allclose(answer["weights"], weights, rtol=2e-6)

    def test_a_table_of_one_head_opens_with_its_labels(self):
        weights = softmax(np.random.default_rng(7).standard_normal((3, 3))).astype("f4")
        with open(self.path("head.csv"), "w", encoding="utf-8") as file:
            file.write(",je,t'aime,été\n")
            for word, row in zip(("je", "t'aime", "été"), weights):
                file.write(word + "," + ",".join(f"{value:.9g}" for value in row) + "\n")
        answer, _ = self.opened("head.csv")
        np.testing.assert_allclose(answer["weights"][0], weights, rtol=2e-6)
        self.assertEqual(self.words(), "je t'aime été")

    def test_scores_are_no_attention(self):
        np.save(self.path("scores.npy"), np.random.default_rng(8).standard_normal((2, 4, 4)))
        done = subprocess.run([PROGRAM, "convert", self.path("scores.npy"), "-o", self.path("a.json")],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 5)
        self.assertIn("what softmax returns, not the scores before it", done.stderr)

    def test_layers_of_pytorch_are_written_as_they_were(self):
        for ending, biases in ((".safetensors", True), (".npz", True), (".npz", False)):
            state = random_state(12, biases)
            np.savez(self.path("state.npz"), **state)
            session, written = self.path("a.json"), self.path("b" + ending)
            self.run_program("convert", self.path("state.npz"), "--heads", "3", "-o", session)
            done = self.run_program("convert", session, "--layout", "multihead", "-o", written)
            self.assertIn("does not keep the sentence", done.stderr)
            self.assert_same(state, load(written))
            again = self.run_program("convert", written, "-o", self.path("c.json"))
            self.assertEqual(again.stderr, "", "the file tells its heads")

    def test_matrices_of_numpy_are_taken(self):
        rng = np.random.default_rng(2)
        values = rng.standard_normal((8, 4)).astype("f4")
        np.save(self.path("w.npy"), values)
        np.savetxt(self.path("w.txt"), values, header="by hand", fmt="%.9g")
        np.savetxt(self.path("w.csv"), values, delimiter=",", fmt="%.9g")
        for name in "w.npy", "w.txt", "w.csv":
            self.run_program("import", "refer", self.path(name), "--matrix", "W_Q", "--head", "2",
                             "-o", self.path("a.json"))
            self.run_program("convert", self.path("a.json"), "-o", self.path("a.npz"))
            self.assertEqual(load(self.path("a.npz"))["W_Q"][1].tobytes(), values.tobytes(), name)


if __name__ == "__main__":
    print("read with " + READER)
    unittest.main()
