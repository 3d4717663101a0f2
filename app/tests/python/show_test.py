"""Showing arrays in a window, which is a fake one: what is sent, layers on request, numbers, names."""
import os
import subprocess
import sys
import threading
import unittest

from support import FakeTensor, PackageTest, numbers, weights

import numpy as np
import attention_lab as lab
from attention_lab import client
from fake_window import FakeWindow, tensors

HERE = os.path.dirname(os.path.abspath(__file__))


class WindowTest(PackageTest):

    def setUp(self):
        super().setUp()
        self.window = FakeWindow(self.socket)
        self.addCleanup(self.window.close)

    def shown(self, name="Python"):
        """The message and the arrays of what the window shows."""
        message, payload = self.window.shown[name]
        return message, {key: np.reshape(values, shape).astype(np.float32)
                         for key, (shape, values) in tensors(payload).items()}


class Showing(WindowTest):

    def test_says_hello_first(self):
        self.show(weights=weights(2, 3, 3))
        hello = self.window.seen[0][0]
        self.assertEqual((hello["do"], hello["program"], hello["version"]), ("hello", "python", lab.__version__))

    def test_weights(self):
        values = weights(2, 3, 3)
        self.show(weights=values, tokens="The cat sat", name="heads", title="Layer 3")
        message, arrays = self.shown("heads")
        np.testing.assert_array_equal(arrays["weights"], values)
        expected = {"what": "weights", "tokens": ["The", "cat", "sat"], "key_tokens": None, "mask": False, "layers": 1,
                    "heads": 2, "lazy": False, "title": "Layer 3"}
        self.assertEqual({name: message[name] for name in expected}, expected)

    def test_queries_keys_and_values(self):
        q, k, v = numbers(2, 3, 4), numbers(2, 5, 4, seed=1), numbers(2, 5, 6, seed=2)
        self.show(q, k, v, mask=np.tri(3, 5, dtype=bool), key_tokens=list("abcde"))
        message, arrays = self.shown()
        self.assertEqual((message["what"], message["mask"], message["key_tokens"]), ("qkv", True, list("abcde")))
        for name, array in (("q", q), ("k", k), ("v", v), ("mask", np.tri(3, 5))):
            np.testing.assert_array_equal(arrays[name], array)

    def test_a_layer(self):
        x, w, w_o = numbers(5, 6), numbers(2, 6, 3), numbers(6, 6)
        self.show(x, w, w, w, w_o, b_q=numbers(2, 3))
        message, arrays = self.shown()
        self.assertEqual((message["what"], message["heads"]), ("layer", 2))
        self.assertEqual(set(arrays), {"x", "w_q", "w_k", "w_v", "w_o", "b_q"})
        np.testing.assert_array_equal(arrays["w_o"], w_o)

    def test_wait_returns_when_it_is_on_the_screen(self):
        self.show(weights=weights(2, 3, 3), name="a", wait=True)
        self.assertEqual([message["do"] for message, _ in self.window.seen], ["hello", "show", "wait_shown"])

    def test_one_connection_serves_all_threads(self):
        handles = [threading.Thread(target=lambda k=k: self.show(weights=weights(2, 9, 9, seed=k), name=f"thread {k}"))
                   for k in range(8)]
        for thread in handles:
            thread.start()
        for thread in handles:
            thread.join()
        self.assertEqual(len(self.window.connections), 1)
        for k in range(8):
            np.testing.assert_array_equal(self.shown(f"thread {k}")[1]["weights"], weights(2, 9, 9, seed=k))

    def test_two_programs_at_once(self):
        self.show(weights=weights(2, 3, 3), name="first")
        code = ("import support, attention_lab as lab\n"
                "lab.show(weights=support.weights(1, 2, 2), name='second', start=False, timeout=60)")
        subprocess.run([sys.executable, "-B", "-c", code], check=True, cwd=HERE, timeout=60)
        self.show(weights=weights(2, 3, 3), name="third")
        self.assertEqual(set(self.window.shown), {"first", "second", "third"})

    def test_a_forked_process_connects_anew(self):
        self.show(weights=weights(2, 3, 3), name="parent")
        child = os.fork()
        if child == 0:
            try:
                self.show(weights=weights(2, 3, 3), name="child")
                os._exit(0)
            finally:
                os._exit(1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.show(weights=weights(2, 3, 3), name="parent again")
        self.assertEqual((len(self.window.connections), set(self.window.shown)),
                         (2, {"parent", "child", "parent again"}))


class Updating(WindowTest):

    def test_the_same_name(self):
        handle = self.show(weights=weights(2, 3, 3), name="loop", tokens="a b c", title="Step")
        for step in range(3):
            self.assertIs(handle.update(weights=weights(2, 3, 3, seed=step), tokens="a b c"), handle)
        message, arrays = self.shown("loop")
        self.assertEqual((message["title"], message["tokens"]), ("Step", ["a", "b", "c"]))
        np.testing.assert_array_equal(arrays["weights"], weights(2, 3, 3, seed=2))
        self.assertEqual(len(self.window.shown), 1)

    def test_with_arrays_that_do_not_fit_changes_nothing(self):
        values = weights(2, 3, 3)
        handle = self.show(weights=values)
        with self.fails(lab.BadArgument, "tokens"):
            handle.update(weights=weights(2, 4, 4), tokens="a b c")
        np.testing.assert_array_equal(self.shown()[1]["weights"], values)


class Numbers(WindowTest):

    def test_come_back_with_tokens(self):
        values = weights(2, 3, 3)
        numbers_now = self.show(weights=values, tokens="a b c").numbers()
        np.testing.assert_array_equal(numbers_now["weights"], values)
        self.assertEqual((numbers_now.tokens, numbers_now.edited), (["a", "b", "c"], True))

    def test_of_a_layer(self):
        handle = self.show(weights=weights(2, 3, 3))
        handle.numbers(layer=4)
        self.assertEqual(self.window.seen[-1][0]["layer"], 4)
        handle.numbers()
        self.assertNotIn("layer", self.window.seen[-1][0], "the one that the user looks at")

    def test_of_a_name_that_the_window_has_closed(self):
        handle = self.show(weights=weights(2, 3, 3), name="gone")
        del self.window.shown["gone"]
        with self.fails(lab.Refused, "nothing called gone is shown"):
            handle.numbers()


class Layers(WindowTest):

    def layer(self, k, name="Python"):
        answer, payload = self.window.ask({"id": 100 + k, "do": "layer", "name": name, "layer": k})
        self.assertTrue(answer.get("ok"), answer)
        return {key: np.reshape(values, shape).astype(np.float32) for key, (shape, values) in tensors(payload).items()}

    def refusal(self, **request):
        answer, _ = self.window.ask({"id": 7, "do": "layer", "name": "Python", "layer": 1, **request})
        return answer["error"]

    def test_few_numbers_are_sent_at_once(self):
        values = weights(3, 2, 4, 4)
        self.show(weights=values)
        message, arrays = self.shown()
        self.assertEqual((message["lazy"], message["layers"]), (False, 3))
        np.testing.assert_array_equal(arrays["weights"], values)

    def test_many_numbers_are_sent_when_looked_at(self):
        values = weights(6, 12, 128, 128)
        self.show(weights=values)
        message, arrays = self.shown()
        self.assertEqual((message["lazy"], message["layers"], message["heads"]), (True, 6, 12))
        np.testing.assert_array_equal(arrays["weights"], values[0])
        for k in (5, 0, 3):
            np.testing.assert_array_equal(self.layer(k)["weights"], values[k])

    def test_a_tensor_on_a_gpu_stays_there(self):
        tensor = FakeTensor(weights(8, 4, 16, 16))
        self.show(weights=tensor, lazy=True)
        self.assertEqual(tensor.copies[0], tensor.array[0].nbytes)
        np.testing.assert_array_equal(self.layer(7)["weights"], tensor.array[7])
        self.assertEqual(tensor.copies[0], 2 * tensor.array[0].nbytes)

    def test_a_function_is_called_for_what_is_looked_at(self):
        called = []

        def of(layer):
            called.append(layer)
            return weights(2, 3, 3, seed=layer)

        self.show(weights=of, layers=96)
        self.assertEqual(called, [0])
        np.testing.assert_array_equal(self.layer(50)["weights"], weights(2, 3, 3, seed=50))
        self.assertEqual(called, [0, 50])

    def test_queries_keys_and_values(self):
        q, k, v = numbers(4, 2, 3, 5), numbers(4, 2, 3, 5, seed=1), numbers(4, 2, 3, 6, seed=2)
        self.show(q, k, v, mask="causal")
        self.assertTrue(self.shown()[0]["lazy"])
        third = self.layer(3)
        for name, array in (("q", q), ("k", k), ("v", v)):
            np.testing.assert_array_equal(third[name], array[3])

    def test_of_queries_that_have_another_shape(self):
        q = [FakeTensor(numbers(2, 3, 5)), FakeTensor(numbers(2, 4, 5))]
        self.show(q, q, q)
        self.assertIn("q of layer 1 has the shape [2, 4, 5], and that of layer 0 [2, 3, 5]", self.refusal())

    def test_that_cannot_be_read(self):
        def of(layer):
            if layer == 1:
                raise RuntimeError("CUDA out of memory")
            return weights(2, 3 + layer, 3)

        self.show(weights=of, layers=4)
        self.assertIn("CUDA out of memory", self.refusal())
        self.assertIn("[2, 5, 3]", self.refusal(layer=2))
        self.assertIn("no layer 9", self.refusal(layer=9))
        self.assertIn("no layer -1", self.refusal(layer=-1))
        self.assertIn("not a number", self.refusal(layer="1"))
        self.assertIn("no longer shown", self.refusal(name="another"))
        self.assertIn("does not know", self.refusal(do="delete"))

    def test_are_asked_for_while_python_waits(self):
        def reply(message, payload):
            if message["do"] == "show":
                answer, _ = self.window.ask({"id": 9, "do": "layer", "name": "Python", "layer": 2})
                self.assertTrue(answer["ok"])
            return self.window.usual(message, payload)

        # A thread of its own answers the request, or ask() would wait in vain: reply() runs in the window's reader.
        self.window.reply = lambda message, payload: threading.Thread(
            target=lambda: self.window.connections[-1].sendall(reply(message, payload))).start()
        self.show(weights=lambda layer: weights(2, 3, 3), layers=3)

    def test_are_freed_on_close(self):
        handle = self.show(weights=lambda layer: weights(2, 3, 3), layers=3)
        handle.close()
        self.assertIn("no longer shown", self.refusal())

    def test_are_not_kept_when_all_are_sent(self):
        self.show(weights=lambda layer: weights(2, 3, 3), layers=3)
        self.show(weights=weights(2, 3, 3))
        self.assertIsNone(client.kept("Python"))

    def test_of_an_update_that_the_window_refuses_stay_as_they_were(self):
        handle = self.show(weights=lambda layer: weights(2, 3, 3, seed=layer), layers=3)
        usual = self.window.reply
        self.window.reply = lambda message, payload: usual({**message, "do": "numbers", "name": "?"}, payload)
        with self.assertRaises(lab.Refused):
            handle.update(weights=lambda layer: weights(2, 3, 3, seed=100), layers=3)
        np.testing.assert_array_equal(self.layer(2)["weights"], weights(2, 3, 3, seed=2))


if __name__ == "__main__":
    unittest.main()
