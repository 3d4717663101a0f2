"""Writes configs.json: where the tokenizer that transformers opens from a folder cuts a text into other tokens than the
tokenizer.json in it says.

    python3 make_configs.py

Each case is {"tokenizer": NAME of golden/NAME.json, "model_type": what config.json says, "config": the
tokenizer_config.json or null for none, "differs": true if the ids of one of the texts differ}. Cases that transformers
refuses are left out. Needs transformers from PyPI.
"""

import json
import os
import tempfile
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
from tokenizers import Tokenizer
from transformers import AutoTokenizer, logging

HERE = Path(__file__).resolve().parent
# The tokenizers, each with the models that it is tried in.
TRIED = {"bert-uncased": ["bert", "distilbert", "electra", "gpt2"], "bert-accents-kept": ["bert"], "bert-clean-only": ["bert"],
         "roberta": ["roberta", "bart"], "gpt2": ["gpt2", "gpt_neo", "opt", "roberta"], "gpt2-prefixed": ["gpt2", "gptj"],
         "neox": ["gpt_neox"], "qwen2": ["qwen2", "qwen3", "llama"], "llama3": ["llama", "gpt2"],
         "llama2": ["llama", "mistral", "gpt2"], "llama2-metaspace": ["llama", "gpt2", "phi3"], "gemma": ["gemma2", "gemma3"],
         "model-gemma2-tiny": ["gemma2", "gemma3_text"], "model-t5-tiny": ["t5"], "own-table": ["t5", "bert", "mt5", "xlm-roberta"],
         "model-bert-tiny": ["bert"], "openai-gpt": ["bert"], "words": ["bert"]}
ADDED = {"content": "<|extra|>", "lstrip": False, "rstrip": False, "normalized": False, "single_word": False,
         "special": True}
CONFIGS = [
    None, {}, {"do_lower_case": True}, {"do_lower_case": False}, {"strip_accents": True}, {"strip_accents": False},
    {"strip_accents": None}, {"tokenize_chinese_chars": False}, {"add_prefix_space": True}, {"add_prefix_space": False},
    {"add_bos_token": True}, {"add_bos_token": False}, {"add_eos_token": True}, {"legacy": False}, {"legacy": True},
    {"added_tokens_decoder": {"900": ADDED}}, {"additional_special_tokens": ["<|extra|>"]},
    {"extra_special_tokens": ["world"]}, {"extra_special_tokens": {"image_token": "<|extra|>"}},
    {"mask_token": "<|extra|>"}, {"pad_token": ADDED}, {"cls_token": "<|extra|>"}, {"sep_token": "[MASK]"},
    {"split_special_tokens": True}, {"model_max_length": 512}, {"clean_up_tokenization_spaces": True},
    *({"tokenizer_class": name} for name in (
        "PreTrainedTokenizerFast", "TokenizersBackend", "BertTokenizer", "BertTokenizerFast", "DistilBertTokenizer",
        "ElectraTokenizer", "RobertaTokenizerFast", "BartTokenizer", "GPT2Tokenizer", "GPTNeoXTokenizerFast",
        "Qwen2Tokenizer", "GemmaTokenizerFast", "LlamaTokenizerFast", "LlamaTokenizer", "T5TokenizerFast",
        "XLMRobertaTokenizer", "NoSuchTokenizer")),
    {"tokenizer_class": "PreTrainedTokenizerFast", "do_lower_case": False, "add_prefix_space": True},
    {"tokenizer_class": "LlamaTokenizer", "add_prefix_space": False},
    {"tokenizer_class": "LlamaTokenizer", "legacy": True},
    {"tokenizer_class": "BertTokenizer", "do_lower_case": False, "strip_accents": False},
    {"tokenizer_class": "Qwen2Tokenizer", "add_prefix_space": True}]
TEXTS = ["The cat didn't sit, it's 12!", " New York  café\n", "", "  two  blanks ", "ÜNÏCÖDÉ résumé Straße", "中文 text",
         "new\nline\ttab\r\n", "e\u0301 x\u00a0y ﬁ ½ ＡＢ", "<|extra|>foo hello world", "a\u0000b\u200b c", "1234567",
         "▁x ▁▁ y", "don't I'M HERE we'LL"]
# What the classes call special tokens of their own accord, within a text.
MARKED = ("<s> </s> <unk> <pad> <mask> [CLS] [SEP] [MASK] [PAD] [UNK] <bos> <eos> <|endoftext|> <|padding|> "
          "<extra_id_7>").split()


def opened(folder, tokenizer, model_type, config):
    """The tokenizer that transformers opens, or None where it refuses."""
    for path in folder.iterdir():
        path.unlink()
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    (folder / "config.json").write_text(json.dumps({"model_type": model_type}))
    if config is not None:
        (folder / "tokenizer_config.json").write_text(json.dumps(config))
    try:
        return AutoTokenizer.from_pretrained(folder)
    except Exception:  # noqa: BLE001, the reference refuses with all kinds
        return None


def main():
    logging.set_verbosity_error()
    cases = []
    with tempfile.TemporaryDirectory() as folder:
        for name, models in TRIED.items():
            tokenizer = json.loads((HERE / "golden" / f"{name}.json").read_text())["tokenizer"]
            plain = Tokenizer.from_str(json.dumps(tokenizer))
            plain.no_truncation()
            plain.no_padding()
            marked = MARKED + [token["content"] for token in tokenizer["added_tokens"][:12]]
            texts = TEXTS + [f"a{token}b" for token in marked] + [f"x {token} y" for token in marked]
            for model_type in models:
                for config in CONFIGS:
                    reference = opened(Path(folder), tokenizer, model_type, config)
                    if reference is None:
                        continue
                    try:
                        differs = any(reference(text)["input_ids"] != plain.encode(text).ids for text in texts)
                    except Exception:  # noqa: BLE001
                        continue
                    cases.append({"tokenizer": name, "model_type": model_type, "config": config, "differs": differs})
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
    (HERE / "configs.json").write_text(f"[\n{lines}\n]\n")
    print(len(cases), "cases,", sum(case["differs"] for case in cases), "differ")


if __name__ == "__main__":
    main()
