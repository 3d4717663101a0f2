"""Compares what llama.cpp computes from the files of make_gguf.py with golden.safetensors, which is transformers' answer.

    python3 compare_with_llama_cpp.py [NAME…]

For each checkpoint a line: the largest difference of the log probabilities after 9 and after 60 tokens (of BERT, that of
the last row of its hidden states, in parts of its largest number), or that llama.cpp does not load it. The files get a
vocabulary of numbers, their weights are float32, as llama.cpp rounds what it multiplies by others, and they are not kept.
Needs xllamacpp, and what make_gguf.py needs, from PyPI.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import gguf
import numpy
import xllamacpp
from make_gguf import ARCHITECTURES, rewrite
from make_models import OUT
from safetensors.torch import load_file
import torch

VOCABULARY = 37


def add_vocabulary(writer):
    encoder = "bert" in writer.arch
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] if encoder else ["<unk>", "<s>", "</s>", "<0x0A>"]
    tokens += [f"\u2581{i}" for i in range(len(tokens), VOCABULARY)]
    writer.add_tokenizer_model("bert" if encoder else "llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * VOCABULARY)
    writer.add_token_types([gguf.TokenType.NORMAL] * VOCABULARY)
    if encoder:
        writer.add_bos_token_id(2)
        writer.add_sep_token_id(3)


def server_of(path, encoder):
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.n_ctx, params.n_batch, params.n_ubatch, params.n_parallel = 128, 128, 128, 1
    params.cache_type_k = params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    params.warmup = False
    params.swa_full = True
    if encoder:
        params.embedding, params.embd_normalize = True, -1
        params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_LAST
    return xllamacpp.Server(params)


def log_probabilities(server, ids):
    answer = server.handle_completions({"prompt": ids, "n_predict": 1, "temperature": 0.0, "n_probs": VOCABULARY,
                                        "cache_prompt": False})
    found = numpy.full(VOCABULARY, numpy.nan)
    for token in answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"]:
        found[token["id"]] = token["logprob"]
    return torch.from_numpy(found)


def difference(server, golden, length, encoder):
    ids = golden[f"{length}.input_ids"].tolist()
    if not encoder:
        expected = torch.log_softmax(golden[f"{length}.logits"][-1].double(), 0)
        return (log_probabilities(server, ids) - expected).abs().max().item()
    answer = server.handle_embeddings({"input": [ids], "encoding_format": "float"})
    found = torch.tensor(answer["data"][0]["embedding"])
    last = max(int(key.split(".")[-1]) for key in golden if key.startswith(f"{length}.hidden."))
    expected = golden[f"{length}.hidden.{last}"][-1]
    return ((found - expected).abs().max() / expected.abs().max()).item()


def compare(name):
    golden = load_file(OUT / name / "golden.safetensors")
    encoder = "bert" in name
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "a.gguf")
        rewrite(name, path, add_vocabulary, widened=True)
        server = server_of(path, encoder)
        for length in (9, 60):
            print(f"{length}: {difference(server, golden, length, encoder):.1e}", end="  ", flush=True)


def main():
    if len(sys.argv) > 2 and sys.argv[1] == "--one":
        return compare(sys.argv[2])
    for name in sys.argv[1:] or ARCHITECTURES:
        run = subprocess.run([sys.executable, __file__, "--one", name], capture_output=True, text=True)
        errors = [line for line in (run.stderr + run.stdout).splitlines() if "error" in line.lower() or "assert" in line.lower()]
        print(f"{name:20}", run.stdout.splitlines()[-1] if run.returncode == 0 else "not loaded: " + "; ".join(errors[:2]))


if __name__ == "__main__":
    main()
