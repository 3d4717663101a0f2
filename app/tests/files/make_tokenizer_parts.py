"""Writes tokenizer_parts.json: folders with tokenizers in older files, and the ids that transformers gives for some texts.

    python3 make_tokenizer_parts.py

A file is its text, or {"model": NAME}: one of "models", the files of SentencePiece in base64. Needs transformers,
tokenizers, sentencepiece and protobuf from PyPI.
"""

import base64
import io
import json
import tempfile
from pathlib import Path

import sentencepiece
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

OUT = Path(__file__).resolve().parent / "tokenizer_parts.json"
TEXTS = ["", "x", "The cats didn't sit.", "  two  spaces\tand\n", "Naïve café 猫 🙂", "a <mask> b", "[MASK]c</s> <|end|>d",
         "numbers 1 22 333", " leading and trailing  ", "e\u0301 \ufb01 \uff21\uff22 \u2581x\u2581\u2581y ``q''",
         ">>fra<< The cat >>deu<< sat", "<s>The<pad> cat\n\n\nand<unk>  <extra_id_1>", "  <mask>  ", "   ",
         "en_XX they __en__ sat", "A<|user|>man \u200bwalked", "▁▁the"]
PAIR = ["The cat", "they sat"]
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


RULES = {"9": "20", "A": "20", "FF21": "41", "FF22": "42", "FB01": "66 69", "65 301": "E9", "200B": "", "41 41": "42"}
SENTENCES = LEARNED + [
    "a man and a woman walked in the garden when it was raining", "we sing and they are singing while he sang a song",
    "the garden was green and the rain was cold, so they walked home", "under the water there are fish"] * 3


def sentence_pieces(model_type, size=90, rules=False, sentences=SENTENCES, **options):
    """A file of SentencePiece, trained on a few sentences."""
    model = io.BytesIO()
    with tempfile.NamedTemporaryFile("w", suffix=".tsv") as table:
        table.writelines(f"{of}\t{to}\n" for of, to in RULES.items())
        table.flush()
        how = {"normalization_rule_tsv": table.name} if rules else {"normalization_rule_name": "identity"}
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(sentences), model_writer=model, model_type=model_type, vocab_size=size,
            hard_vocab_limit=False, num_threads=1, minloglevel=2, **how, **options)
    return model.getvalue()


BERT_LIKE = {"pad_id": 0, "unk_id": 1, "bos_id": -1, "eos_id": -1, "control_symbols": ["[CLS]", "[SEP]", "[MASK]"]}
MODELS = {
    "unigram": sentence_pieces("unigram", rules=True),
    "plain": sentence_pieces("unigram", byte_fallback=True, size=330, remove_extra_whitespaces=False),
    "pairs": sentence_pieces("bpe", size=340, byte_fallback=True),
    "marked": sentence_pieces("bpe", size=330, byte_fallback=True, remove_extra_whitespaces=False,
                              user_defined_symbols=["<|user|>", "\n\n", "and"], control_symbols=["<|end|>"]),
    "words": sentence_pieces("bpe", rules=True),
    "t5": sentence_pieces("unigram", rules=True, pad_id=0, eos_id=1, unk_id=2, bos_id=-1),
    "albert": sentence_pieces("unigram", rules=True, **BERT_LIKE),
    "german": sentence_pieces("bpe", sentences=[
        "die Katze sa\u00df im Garten und sang", "der Garten war gr\u00fcn und das Wasser kalt", "sie sangen alle im Regen"] * 5),
    "deberta": sentence_pieces("unigram", pad_id=0, bos_id=1, eos_id=2, unk_id=3, pad_piece="[PAD]", bos_piece="[CLS]",
                               eos_piece="[SEP]", unk_piece="[UNK]"),
    "gemma": sentence_pieces("bpe", size=340, byte_fallback=True, pad_id=0, eos_id=1, bos_id=2, unk_id=3,
                             bos_piece="<bos>", eos_piece="<eos>", add_dummy_prefix=False,
                             remove_extra_whitespaces=False, control_symbols=["<mask>"],
                             user_defined_symbols=["<unused0>", "\n\n"]),
}


def model(name):
    return {"model": name}


def numbered(*names, first=("</s>", "<unk>"), last=("<pad>",)):
    """A vocab.json of the pieces of models, but for some, and of a piece that none of them has."""
    pieces = []
    for name in names:
        processor = sentencepiece.SentencePieceProcessor(model_proto=MODELS[name])
        pieces += [processor.id_to_piece(i) for i in range(processor.get_piece_size()) if i % 9 != 4]
    pieces = [piece for piece in sorted(set(pieces), key=lambda piece: piece[::-1]) if piece not in (*first, *last)]
    ids = {piece: i for i, piece in enumerate([*first, *pieces, "\u732b", ">>fra<<", *last])}
    return {"vocab.json": json.dumps(ids, ensure_ascii=False)}


def folder(model_type, files, **more):
    texts = {name.replace("__", "."): json.dumps(value) for name, value in more.items()}
    return {"config.json": json.dumps({"model_type": model_type}), **files, **texts}


def special(content, **flags):
    return {"content": content, "lstrip": False, "rstrip": False, "normalized": False, "single_word": False, "special": True,
            **flags}


DEBERTA = ("[PAD]", "[CLS]", "[SEP]", "[UNK]", "[MASK]")
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
    folder("deberta", byte_pairs(DEBERTA), tokenizer_config__json={"do_lower_case": False, "vocab_type": "gpt2"}),
    folder("deberta", byte_pairs(ROBERTA), tokenizer_config__json={
        "tokenizer_class": "DebertaTokenizer", "add_prefix_space": True, "cls_token": "<s>", "sep_token": "</s>",
        "pad_token": "<pad>", "unk_token": "<unk>", "mask_token": "<mask>"}),
]

MARIAN = {"source.spm": model("unigram"), "target.spm": model("german"), **numbered("unigram", "german")}
M2M = numbered("words", first=("<s>", "<pad>", "</s>", "<unk>"), last=())
FOLDERS += [
    folder("marian", MARIAN),
    folder("marian", MARIAN, tokenizer_config__json={"source_lang": "en", "target_lang": "de", "separate_vocabs": False,
                                                     "tokenizer_class": "MarianTokenizer", "sp_model_kwargs": {}},
           special_tokens_map__json={"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<mask>"}),
    folder("marian", {**MARIAN, "source.spm": model("words")}),
    folder("m2m_100", {"sentencepiece.bpe.model": model("words"), **M2M}),
    folder("m2m_100", {"sentencepiece.bpe.model": model("unigram"), **M2M}, tokenizer_config__json={"src_lang": "fr"},
           special_tokens_map__json={"additional_special_tokens": ["__af__", "__am__"]}),
]

LLAMA = {"tokenizer_class": "LlamaTokenizer"}
FOLDERS += [
    folder("llama", {"tokenizer.model": model("pairs")}),
    folder("llama", {"tokenizer.model": model("pairs")}, tokenizer_config__json={**LLAMA, "add_bos_token": True}),
    folder("llama", {"tokenizer.model": model("marked")}, tokenizer_config__json={
        **LLAMA, "legacy": True, "add_bos_token": True, "add_eos_token": True, "pad_token": "<pad>"}),
    folder("llama", {"tokenizer.model": model("pairs")}, tokenizer_config__json={**LLAMA, "add_prefix_space": False},
           special_tokens_map__json={"pad_token": special("<mask>", lstrip=True)}),
    folder("phi3", {"tokenizer.model": model("marked")}, tokenizer_config__json={
        **LLAMA, "legacy": False, "pad_token": "<|end|>",
        "added_tokens_decoder": {"3": special("<|end|>", rstrip=True), "330": special("<mask>", rstrip=True),
                                 "0": special("<unk>")}}),
    folder("phi3", {"tokenizer.model": model("pairs")}, tokenizer_config__json={"legacy": False}),
    folder("mistral", {"tokenizer.model": model("marked")}, tokenizer_config__json={
        **LLAMA, "add_bos_token": True, "additional_special_tokens": ["<mask>"],
        "added_tokens_decoder": {"5": special("<|user|>x", special=False, normalized=True)}}),
    folder("mistral", {"tokenizer.model": model("plain")}),
    folder("mistral", {"tokenizer.model": model("unigram")}, tokenizer_config__json={"legacy": False, "eos_token": None}),
    folder("stablelm", {"tokenizer.model": model("words")}, added_tokens__json={"<|end|>": 90}),
    folder("gemma", {"tokenizer.model": model("gemma")}, tokenizer_config__json={"add_bos_token": True}),
    folder("gemma2", {"tokenizer.model": model("gemma")}, tokenizer_config__json={
        "tokenizer_class": "GemmaTokenizer", "additional_special_tokens": ["<|user|>", "<|end|>"]}),
    folder("t5", {"spiece.model": model("t5")}),
    folder("t5", {"spiece.model": model("t5")}, tokenizer_config__json={
        "extra_ids": 3, "additional_special_tokens": [f"<extra_id_{i}>" for i in range(3)]}),
    folder("mt5", {"spiece.model": model("plain")}, tokenizer_config__json={"tokenizer_class": "T5Tokenizer", "extra_ids": 0}),
    folder("albert", {"spiece.model": model("albert")}),
    folder("albert", {"spiece.model": model("albert")}, tokenizer_config__json={
        "do_lower_case": False, "keep_accents": True, "add_bos_token": True}),
    folder("xlm-roberta", {"sentencepiece.bpe.model": model("unigram")}),
    folder("xlm-roberta", {"sentencepiece.bpe.model": model("unigram")}, tokenizer_config__json={"add_prefix_space": False},
           special_tokens_map__json={"mask_token": special("<mask>", lstrip=True)}),
    folder("camembert", {"sentencepiece.bpe.model": model("unigram")}),
    folder("mbart", {"sentencepiece.bpe.model": model("unigram")}, tokenizer_config__json={"src_lang": "fr_XX"}),
    folder("mbart", {"sentencepiece.bpe.model": model("plain")}, tokenizer_config__json={"tokenizer_class": "MBart50Tokenizer"}),
    folder("m2m_100", {"sentencepiece.bpe.model": model("words")}, tokenizer_config__json={
        "tokenizer_class": "NllbTokenizer", "additional_special_tokens": ["eng_Latn", "fra_Latn"]}),
    folder("m2m_100", {"sentencepiece.bpe.model": model("words")}, tokenizer_config__json={
        "tokenizer_class": "NllbTokenizer", "legacy_behaviour": True}),
    folder("pegasus", {"spiece.model": model("t5")}),
    folder("pegasus", {"spiece.model": model("deberta")}, tokenizer_config__json={
        "unk_token": "[UNK]", "offset": 5, "mask_token_sent": None}),
    folder("xlnet", {"spiece.model": model("unigram")}),
    folder("big_bird", {"spiece.model": model("unigram")}),
    folder("deberta-v2", {"spm.model": model("deberta")}),
    folder("deberta-v2", {"spm.model": model("deberta")}, tokenizer_config__json={
        "do_lower_case": True, "split_by_punct": True, "add_prefix_space": False}),
    folder("reformer", {"spiece.model": model("words")}),
    folder("rembert", {"sentencepiece.model": model("albert")}, tokenizer_config__json={"keep_accents": False}),
    folder("mbart", {"sentencepiece.bpe.model": model("unigram")}, tokenizer_config__json={"tokenizer_class": "BarthezTokenizer"}),
]


def write(path, files):
    for name, contents in files.items():
        if isinstance(contents, dict):
            (Path(path) / name).write_bytes(MODELS[contents["model"]])
        else:
            (Path(path) / name).write_text(contents)


def main():
    transformers.logging.set_verbosity_error()
    cases = []
    for files in FOLDERS:
        with tempfile.TemporaryDirectory() as path:
            write(path, files)
            tokenizer = transformers.AutoTokenizer.from_pretrained(path)
            case = {"files": files, "ids": [tokenizer(text)["input_ids"] for text in TEXTS]}
            case["pair_ids"] = tokenizer(*PAIR)["input_ids"]
            if "target.spm" in files:
                case["target_ids"] = [tokenizer(text_target=text)["input_ids"] for text in TEXTS]
            cases.append(case)
    models = {name: base64.b64encode(contents).decode() for name, contents in MODELS.items()}
    told = {"transformers": transformers.__version__, "texts": TEXTS, "pair": PAIR, "models": models, "cases": cases}
    lines = [json.dumps(name) + ": " + (json.dumps(told[name], ensure_ascii=False) if name in ("transformers", "texts", "pair") else
                                        json.dumps(told[name], ensure_ascii=False).replace("}, {\"files\"", "},\n{\"files\""))
             for name in told]
    OUT.write_text("{" + ",\n".join(lines) + "}\n")
    print(len(cases), OUT.stat().st_size, {name: len(contents) for name, contents in MODELS.items()})


if __name__ == "__main__":
    main()
