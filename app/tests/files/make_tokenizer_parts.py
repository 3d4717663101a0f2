"""Writes tokenizer_parts.json: folders with tokenizers in older files, and the ids that transformers gives for some texts.

    python3 make_tokenizer_parts.py

Needs transformers and tokenizers from PyPI.
"""

import json
import tempfile
from pathlib import Path

import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

OUT = Path(__file__).resolve().parent / "tokenizer_parts.json"
TEXTS = ["", "x", "The cats didn't sit.", "  two  spaces\tand\n", "Naïve café 猫 🙂", "a <mask> b", "[MASK]c</s> <|end|>d",
         "numbers 1 22 333"]
LEARNED = ["The cat sat and the cats didn't sit in the café.", "they sat there, two cats and numbers 1 22 333"] * 3


def byte_pairs(first=()):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.train_from_iterator(LEARNED, trainers.BpeTrainer(
        vocab_size=300, special_tokens=list(first), show_progress=False, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    told = json.loads(tokenizer.to_str())["model"]
    merges = "#version: 0.2\n" + "".join(f"{a} {b}\n" for a, b in told["merges"])
    return {"vocab.json": json.dumps(told["vocab"], ensure_ascii=False), "merges.txt": merges}


def word_pieces(specials=("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")):
    pieces = ["the", "cat", "##s", "didn", "'", "t", "sit", ".", "naive", "cafe", "The", "Na", "##ï", "##ve", "café", "x", "a",
              "b", "c", "d", "猫", "two", "sp", "##aces", "and", "[", "]", "<", ">", "mask", "1", "22", "333", "numbers"]
    return {"vocab.txt": "\n".join([*specials, *pieces]) + "\n"}


def folder(model_type, files, **more):
    texts = {name.replace("__", "."): json.dumps(value) for name, value in more.items()}
    return {"config.json": json.dumps({"model_type": model_type}), **files, **texts}


ROBERTA = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
FOLDERS = [
    folder("bert", word_pieces()),
    folder("distilbert", word_pieces(), tokenizer_config__json={"do_lower_case": False}),
    folder("bert", word_pieces(), tokenizer_config__json={"strip_accents": False, "tokenize_chinese_chars": False}),
    folder("bert", word_pieces(), added_tokens__json={"cats": 39, "<mask>": 40}),
    folder("bert", word_pieces(("<pad>", "<unk>", "<s>", "</s>", "<mask>")), special_tokens_map__json={
        "pad_token": "<pad>", "unk_token": "<unk>", "cls_token": "<s>", "sep_token": "</s>", "mask_token": "<mask>"}),
    folder("gpt2", byte_pairs(["<|endoftext|>"])),
    folder("gpt2", byte_pairs(), tokenizer_config__json={"add_prefix_space": True}),
    folder("gpt2", byte_pairs(["<|endoftext|>"]), tokenizer_config__json={
        "add_bos_token": True, "tokenizer_class": "GPT2Tokenizer", "bos_token": "<|end|>",
        "added_tokens_decoder": {"300": {"content": "<|end|>", "lstrip": True, "rstrip": False, "normalized": False,
                                         "single_word": False, "special": True}}}),
    folder("roberta", byte_pairs(ROBERTA)),
    folder("bart", byte_pairs(ROBERTA), tokenizer_config__json={"add_prefix_space": True}),
    folder("roberta", byte_pairs(ROBERTA), special_tokens_map__json={
        "mask_token": {"content": "<mask>", "lstrip": True, "rstrip": False, "normalized": True, "single_word": False}}),
    folder("gpt_neox", byte_pairs(["<|endoftext|>", "<|padding|>"])),
    folder("qwen2", byte_pairs(["<|endoftext|>"]), added_tokens__json={"<|end|>": 300}),
    folder("opt", byte_pairs(["<|endoftext|>"]), tokenizer_config__json={"add_bos_token": True, "bos_token": "</s>"}),
]


def main():
    transformers.logging.set_verbosity_error()
    cases = []
    for files in FOLDERS:
        with tempfile.TemporaryDirectory() as path:
            for name, text in files.items():
                (Path(path) / name).write_text(text)
            tokenizer = transformers.AutoTokenizer.from_pretrained(path)
            cases.append({"files": files, "ids": [tokenizer(text)["input_ids"] for text in TEXTS]})
    OUT.write_text(json.dumps({"transformers": transformers.__version__, "texts": TEXTS, "cases": cases},
                              ensure_ascii=False, indent=0) + "\n")
    print(len(cases), OUT.stat().st_size)


if __name__ == "__main__":
    main()
