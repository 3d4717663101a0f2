"""Pipelines as the well-known models have them, each with small vocabularies."""

from . import charsmaps
from .models import Models
from .nodes import (added, bert_normalizer, byte_level, decoders, metaspace, node, normalizers, pipeline, pretokenizers,
                    processors, replace, replace_regex, size_of, split, split_text, strip, template)

CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
LLAMA3 = CONTRACTIONS + (r"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
GPT4 = (r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)"
        r"|\s+")
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
GPT4O = (rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}*{LOWER}+{CONTRACTIONS}?|[^\r\n\p{{L}}\p{{N}}]?{UPPER}+{LOWER}*"
         rf"{CONTRACTIONS}?|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
DEEPSEEK = (r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+"
            r"[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
BLOOM = r" ?[^(\s|[.,!?…。，、।۔،])]+"
CLIP = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"

BERT_SPECIAL = [added(name) for name in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")]
ROBERTA_SPECIAL = [added("<s>", normalized=True), added("<pad>", normalized=True), added("</s>", normalized=True),
                   added("<unk>", normalized=True), added("<mask>", lstrip=True)]
SENTENCEPIECE_SPECIAL = [added("<unk>"), added("<s>"), added("</s>")]
ROBERTA_FIRST = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
LLAMA_FIRST = ("<unk>", "<s>", "</s>")


def bert_template(start=2, end=3):
    return template("[CLS]:0 $A:0 [SEP]:0", "[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
                    **{"[CLS]": ([start], ["[CLS]"]), "[SEP]": ([end], ["[SEP]"])})


def start_template(name, number):
    return template(f"{name}:0 $A:0", f"{name}:0 $A:0 {name}:1 $B:1", **{name: ([number], [name])})


def end_template(name, number):
    return template(f"$A:0 {name}:0", f"$A:0 {name}:0 $B:0 {name}:0", **{name: ([number], [name])})


def bert(m: Models):
    """BERT and its kin: every option of its normalizer."""
    def one(normalizer, lower, post=None):
        return pipeline(m.wordpiece(lower), normalizer, node("BertPreTokenizer"), post or bert_template(),
                        node("WordPiece", prefix="##", cleanup=True), BERT_SPECIAL)

    processing = node("BertProcessing", sep=["[SEP]", 3], cls=["[CLS]", 2])
    return {
        "bert-uncased": one(bert_normalizer(), True),
        "bert-cased": one(bert_normalizer(lowercase=False), False),
        "bert-accents-kept": one(bert_normalizer(accents=False), True, processing),
        "bert-accents-stripped": one(bert_normalizer(lowercase=False, accents=True), False),
        "bert-without-chinese": one(bert_normalizer(chinese=False, clean=False), True),
        "bert-clean-only": one(bert_normalizer(False, False, False), False),
    }


def byte_level_family(m: Models):
    """GPT-2, RoBERTa and what came after them: pieces of bytes."""
    end = "<|endoftext|>"
    gpt2, roberta = m.byte_bpe((end,)), m.byte_bpe(ROBERTA_FIRST)
    roberta_post = {"sep": ["</s>", 2], "cls": ["<s>", 0]}
    blanks = [added(" " * n, normalized=True, special=False) for n in range(8, 1, -1)]
    return {
        "gpt2": pipeline(gpt2, None, byte_level(), byte_level(True, False), byte_level(), [added(end)]),
        "gpt2-prefixed": pipeline(gpt2, None, byte_level(True), byte_level(), byte_level(), [added(end)]),
        "roberta": pipeline(roberta, None, byte_level(), node(
            "RobertaProcessing", **roberta_post, trim_offsets=True, add_prefix_space=False), byte_level(),
            ROBERTA_SPECIAL),
        "roberta-prefixed": pipeline(roberta, None, byte_level(True), node(
            "RobertaProcessing", **roberta_post, trim_offsets=True, add_prefix_space=True), byte_level(),
            ROBERTA_SPECIAL),
        "roberta-untrimmed": pipeline(roberta, None, byte_level(True), node(
            "RobertaProcessing", **roberta_post, trim_offsets=False, add_prefix_space=True), byte_level(),
            ROBERTA_SPECIAL),
        "neox": pipeline(gpt2, node("NFC"), byte_level(), byte_level(True, True), byte_level(), [added(end), *blanks]),
        "starcoder": pipeline(gpt2, None, pretokenizers(node("Digits", individual_digits=True), byte_level()),
                              None, byte_level(), [added(end)]),
        "falcon": pipeline(gpt2, None, pretokenizers(
            node("Punctuation", behavior="Contiguous"), byte_level(), node("Digits", individual_digits=False),
            split(r"[0-9][0-9][0-9]")), byte_level(), byte_level(), [added(end)]),
        "clip": pipeline(m.suffix_bpe(("<|startoftext|>", end), as_bytes=True, unk_token=end),
                         normalizers(node("NFC"), replace_regex(r"\s+", " "), node("Lowercase")),
                         pretokenizers(split(CLIP, "Removed", True), byte_level()),
                         node("RobertaProcessing", sep=[end, 1], cls=["<|startoftext|>", 0], trim_offsets=False,
                              add_prefix_space=False), byte_level(),
                         [added("<|startoftext|>", normalized=True), added(end)]),
    }


def pattern_family(m: Models):
    """Models that cut by a pattern of their own and then go to bytes."""
    begin, bytes_only = "<|begin_of_text|>", byte_level(False, True, False)

    def one(pre, normalizer=None, tokens=(), **options):
        model = m.byte_bpe((begin, "<|end_of_text|>"), **options)
        post = processors(byte_level(True, False), start_template(begin, 0))
        return pipeline(model, normalizer, pretokenizers(*pre, bytes_only), post, byte_level(),
                        [added(begin), added("<|end_of_text|>"), *tokens])

    chat = [added("<|im_start|>"), added("<|im_end|>"), added("<think>", special=False),
            added("</think>", special=False)]
    return {
        "llama3": one([split(LLAMA3)], ignore_merges=True),
        "llama3-merges": one([split(LLAMA3)]),
        "gpt4": one([split(GPT4, "Removed", True)]),
        "gpt4o": one([split(GPT4O)]),
        "qwen2": one([split(QWEN)], node("NFC"), chat),
        "deepseek": one([split(r"\p{N}{1,3}"), split("[一-龥\u3040-ゟ゠-ヿ]+"), split(DEEPSEEK)]),
        "bloom": one([split(BLOOM)]),
        "gpt2-as-pattern": one([split(GPT2)]),
        "byte-level-whole": one([], regex=False),
    }


def metaspace_family(m: Models):
    """Llama 2, Mistral, Gemma: blanks are ▁, and characters without a piece become bytes."""
    post, fallback = start_template("<s>", 1), m.character_bpe(LLAMA_FIRST, fallback=True, unk_token="<unk>",
                                                               fuse_unk=True)
    unfused = {**fallback, "fuse_unk": False}
    # Some bytes have no piece: those characters are unknown all the same.
    gone = ["<0xE2>", "<0xD7>", "<0xF0>", "<0x0A>"]
    numbered = {piece: i for i, piece in enumerate(piece for piece in fallback["vocab"] if piece not in gone)}
    holes = {**fallback, "vocab": numbered}
    legacy = normalizers(node("Prepend", prepend="▁"), replace(" ", "▁"))
    decode = decoders(replace("▁", " "), node("ByteFallback"), node("Fuse"),
                      node("Strip", content=" ", start=1, stop=0))
    tokens = SENTENCEPIECE_SPECIAL
    turn = [added("<start_of_turn>"), added("\n\n", special=False), added("▁▁", special=False)]
    gemma = decoders(replace("▁", " "), node("ByteFallback"), node("Fuse"))
    return {
        "llama2": pipeline(fallback, legacy, None, post, decode, tokens),
        "llama2-unfused": pipeline(unfused, legacy, None, post, decode, tokens),
        "llama2-metaspace": pipeline(fallback, None, metaspace("first", False), post, decode, tokens),
        "mistral": pipeline(fallback, None, metaspace("always", True), post, decode, tokens),
        "gemma": pipeline(fallback, replace(" ", "▁"), split_text(" ", "MergedWithPrevious"), post, gemma,
                          [*tokens, *turn]),
        "bytes-with-holes": pipeline(holes, legacy, None, post, decode, tokens),
        "bytes-with-holes-unfused": pipeline({**holes, "fuse_unk": False}, legacy, None, post, decode, tokens),
    }


def other_bpe(m: Models):
    """BPE with unknown pieces, with marks at the ends or the beginnings of words."""
    blanks, bpe_decoder = node("WhitespaceSplit"), node("BPEDecoder", suffix="</w>")
    characters = m.character_bpe(blanks=False)
    return {
        "bpe-unknown": pipeline({**characters, "unk_token": "<unk>"}, None, node("Whitespace"),
                                tokens=[added("<unk>")]),
        "bpe-unknown-fused": pipeline({**characters, "unk_token": "<unk>", "fuse_unk": True}, None, node("Whitespace"),
                                      tokens=[added("<unk>")]),
        "bpe-dropped": pipeline(characters, None, node("Whitespace")),
        "openai-gpt": pipeline(m.suffix_bpe(unk_token="<unk>"), bert_normalizer(), node("BertPreTokenizer"), None,
                               bpe_decoder, [added("<unk>")]),
        "bpe-suffix": pipeline(m.suffix_bpe(unk_token="<unk>", fuse_unk=True), None, blanks, None, bpe_decoder),
        "bpe-prefix": pipeline(m.prefix_bpe(unk_token="<unk>"), None, blanks, None,
                               node("WordPiece", prefix="##", cleanup=False)),
        "bpe-prefix-fallback": pipeline(m.prefix_bpe(("<unk>", *m.bytes[len(m.bytes) // 2:]), unk_token="<unk>",
                                                     byte_fallback=True, fuse_unk=True), None, blanks),
    }


def unigram_family(m: Models):
    """T5, ALBERT, XLM-RoBERTa and their kin. Those with a table of sentencepiece are left out where it is missing."""
    post, decode = end_template("</s>", 1), metaspace()
    tokens = [added("<pad>"), added("</s>"), added("<unk>")]
    spaced, fallback = pretokenizers(node("WhitespaceSplit"), metaspace()), m.unigram(fallback=True)
    found = {
        "unigram-nfkc": pipeline(m.unigram(), node("NFKC"), metaspace(), post, decode, tokens),
        "unigram-whole": pipeline(m.unigram(), replace(" ", "▁"), None, post, decode, tokens),
        "unigram-bytes": pipeline(fallback, None, metaspace("first", False), post, decoders(
            replace("▁", " "), node("ByteFallback"), node("Fuse")), tokens),
        "unigram-length": pipeline(m.unigram(scores=lambda piece: -1.0), None, spaced, post, decode, tokens),
        "unigram-equal": pipeline(m.unigram(scores=lambda piece: -float(len(piece))), None, spaced, post, decode,
                                  tokens),
    }
    if charsmaps.available():
        found |= unigram_with_tables(m, post, decode, tokens, spaced, fallback)
    return found


def unigram_with_tables(m, post, decode, tokens, spaced, fallback):
    table = charsmaps.precompiled
    albert = normalizers(replace("``", '"'), replace("''", '"'), node("NFKD"), node("StripAccents"), node("Lowercase"),
                         table("nmt_nfkc"))
    mask = added("<mask>", lstrip=True)
    size = size_of(m.unigram())
    xlm = template("<s>:0 $A:0 </s>:0", "<s>:0 $A:0 </s>:0 </s>:0 $B:0 </s>:0",
                   **{"<s>": ([size], ["<s>"]), "</s>": ([1], ["</s>"])})
    return {
        "t5": pipeline(m.unigram(), table("nmt_nfkc"), spaced, post, decode, tokens),
        "t5-folded": pipeline(m.unigram(), table("nmt_nfkc_cf"), spaced, post, decode, tokens),
        "t5-bytes": pipeline(fallback, normalizers(strip(False, True), table("nfkc")), metaspace("always"), post,
                             decode, tokens),
        "albert": pipeline(m.unigram(), albert, spaced, post, decode, tokens),
        "xlm-roberta": pipeline(m.unigram(), normalizers(table("nmt_nfkc"), replace_regex(" {2,}", " ")),
                                spaced, xlm, decode, [*tokens, added("<s>"), mask]),
        "own-table": pipeline(m.unigram(), table("own"), metaspace(), post, decode, tokens),
    }


def families(m: Models):
    found = {}
    for part in (bert, byte_level_family, pattern_family, metaspace_family, other_bpe, unigram_family):
        found |= part(m)
    return found
