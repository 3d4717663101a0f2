"""Pipelines for the nodes and options that the well-known models leave out, one by one."""

from . import charsmaps
from .families import LLAMA3, bert_template, start_template
from .models import Models, tangled_bpe, tangled_unigram, tangled_wordpiece
from .nodes import (added, bert_normalizer, byte_level, decoders, metaspace, node, normalizers, pipeline, pretokenizers,
                    processors, replace, replace_regex, split, split_text, strip, template)

BEHAVIORS = ["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"]
WHOLE_AS_BYTES = byte_level(False, True, False)


def normalizer_pipelines(m: Models):
    """Each normalizer before plain bytes, which show all that it made and from where."""
    def show(normalizer, tokens=()):
        return pipeline(m.byte_bpe((), regex=False), normalizer, WHOLE_AS_BYTES, None, byte_level(), tokens)

    found = {name.lower(): show(node(name)) for name in ("NFC", "NFD", "NFKC", "NFKD", "Nmt", "Lowercase")}
    found |= {
        "strip-accents": show(node("StripAccents")),
        "strip-accents-after-nfd": show(normalizers(node("NFD"), node("StripAccents"))),
        "strip-both": show(strip()),
        "strip-left": show(strip(True, False)),
        "strip-right": show(normalizers(strip(False, True), node("Lowercase"))),
        "replace-text": show(normalizers(replace("a", "bc"), replace("the", ""), replace(" ", "▁"), replace("é", "e"))),
        "replace-pattern": show(normalizers(replace_regex(r"\s+", " "), replace_regex(r"(\d)(\d)", "$2$1"),
                                            replace_regex(r"[aeiou]{2}", "⟨é⟩"))),
        "replace-borders": show(replace_regex(r"(?<=\w) (?=\w)|^\s+", "|")),
        "prepend": show(normalizers(node("Prepend", prepend="▁é "), strip(False, True))),
        "normalize-bytes": pipeline(m.byte_bpe((), regex=False), node("ByteLevel"), None, None, byte_level()),
        "normalize-twice": show(normalizers(normalizers(node("NFKD"), normalizers()), node("Lowercase"), node("NFC"),
                                            bert_normalizer(False, True))),
    }
    if charsmaps.available():
        found |= {f"table-{name.replace('_', '-')}": show(charsmaps.precompiled(name))
                  for name in ("nmt_nfkc", "nmt_nfkc_cf", "own")}
    return {f"normalizer-{name}": one for name, one in found.items()}


def pretokenizer_pipelines(m: Models):
    """Each pretokenizer before words, so that only what it cuts is known, and before bytes where it is told apart."""
    words, as_bytes = m.word_level(), m.byte_bpe(())

    def cut(*pre):
        pre = pre[0] if len(pre) == 1 else pretokenizers(*pre)
        return pipeline(words, None, pre, None, None, [added("[UNK]")])

    def then_bytes(*pre):
        return pipeline(as_bytes, None, pretokenizers(*pre, WHOLE_AS_BYTES), None, byte_level())

    found = {name.lower(): cut(node(name)) for name in ("Whitespace", "WhitespaceSplit", "BertPreTokenizer",
                                                        "UnicodeScripts")}
    found |= {f"punctuation-{b.lower()}": cut(node("Punctuation", behavior=b)) for b in BEHAVIORS}
    found |= {f"fixed-{n}": cut(node("FixedLength", length=n)) for n in (1, 3, 7)}
    found |= {
        "digits": cut(node("Digits", individual_digits=False)),
        "digits-each": cut(node("Digits", individual_digits=True)),
        "delimiter": cut(node("CharDelimiterSplit", delimiter="é")),
        "delimiter-blank": cut(node("CharDelimiterSplit", delimiter=" ")),
        "several": cut(node("WhitespaceSplit"), node("Punctuation", behavior="MergedWithNext"),
                       node("Digits", individual_digits=True), pretokenizers()),
        "scripts-then-blanks": cut(node("UnicodeScripts"), node("Whitespace")),
        "prefix-after-cut": pipeline(as_bytes, None, pretokenizers(node("Punctuation", behavior="Isolated"),
                                                                   byte_level(True)), byte_level(), byte_level()),
        "bytes-then-digits": pipeline(as_bytes, None, pretokenizers(
            byte_level(), node("Digits", individual_digits=True)), byte_level(), byte_level()),
        "metaspace-then-cut": then_bytes(metaspace("first"), node("Punctuation", behavior="Isolated"),
                                         metaspace("first")),
    }
    for scheme in ("first", "always", "never"):
        for parts in (True, False):
            for name, pre in (("", [metaspace(scheme, parts)]),
                              ("-after-cut", [node("WhitespaceSplit"), metaspace(scheme, parts, "_")])):
                found[f"metaspace-{scheme}-{'split' if parts else 'whole'}{name}"] = then_bytes(*pre)
    return {f"cut-{name}": one for name, one in found.items()}


def split_pipelines(m: Models):
    """Split with each behaviour, by text and by pattern, the pattern inverted or not."""
    as_bytes = m.byte_bpe(())

    def show(node_of_split):
        return pipeline(as_bytes, None, pretokenizers(node_of_split, WHOLE_AS_BYTES), None, byte_level())

    found = {}
    for behavior in BEHAVIORS:
        short = behavior.lower()
        found[short] = show(split(r"\s+|\d", behavior))
        found[short + "-inverted"] = show(split(r"\w+", behavior, True))
        found[short + "-text"] = show(split_text("a", behavior))
        found[short + "-text-inverted"] = show(split_text("e ", behavior, True))
    found |= {
        "nothing": show(split_text("", "Isolated")),
        "empty-matches": show(split("x*", "Isolated")),
        "empty-removed": show(split(r"\b", "Removed")),
        "look-ahead": show(split(r"(?=[A-Z])", "MergedWithNext")),
        "look-behind": show(split(r"(?<=[.!?])\s*|(?<!\w)\d", "Isolated")),
        "classes": show(split(r"[[:alpha:]]+|[[:punct:]]|\h+|\R|.", "Isolated")),
        "properties": show(split(r"\p{Lu}|\p{Mn}+|\p{Nd}+|\p{Sc}|\p{Han}+|\p{Cyrillic}+|\p{Zs}|\p{Cf}|\p{Co}",
                                 "Isolated")),
        "anchors": show(split(r"^\w|\w$|\A.|.\z", "Isolated")),
        "any": show(split(r".", "Isolated")),
        "ignore-case": show(split(r"(?i)straße|the|ſ|k|ﬁ|σ|i̇|ǆ", "Isolated")),
        "back-reference": show(split(r"(\w)\1", "Isolated")),
    }
    return {f"split-{name}": one for name, one in found.items()}


def word_pipelines(m: Models):
    """Models on their own: words, short words, pieces that can be cut in several ways."""
    blanks = node("WhitespaceSplit")
    pieces = m.wordpiece(True, ("[UNK]", "[CLS]"), "~", 6)
    found = {f"bpe-tangled-{seed}": pipeline(tangled_bpe(seed, **options), None, None, None, node("Fuse"))
             for seed, options in ((1, {}), (2, {"ignore_merges": True}), (3, {"fuse_unk": True}),
                                   (4, {"letters": "ab", "number": 90}))}
    found |= {f"unigram-tangled-{seed}": pipeline(tangled_unigram(seed, fallback=seed == 2), None, None, None,
                                                  node("Fuse")) for seed in (1, 2, 3)}
    return found | {
        "wordpiece-tangled": pipeline(tangled_wordpiece(1), None, blanks),
        "wordpiece-short": pipeline(pieces, node("Lowercase"), blanks, None,
                                    node("WordPiece", prefix="~", cleanup=False)),
        "words": pipeline(m.word_level(), None, node("Whitespace"), bert_template(0, 1), None, [added("[UNK]")]),
        "words-lower": pipeline(m.word_level(lower=True), bert_normalizer(), blanks),
        "no-nodes": pipeline(m.character_bpe(blanks=False, unk_token="<unk>")),
    }


def added_token_pipelines(m: Models):
    """Added tokens with each of their flags, among nodes that change the text around them."""
    flags = {"plain": {}, "lstrip": {"lstrip": True}, "rstrip": {"rstrip": True}, "word": {"single_word": True},
             "normalized": {"normalized": True}, "common": {"special": False},
             "stripped-word": {"lstrip": True, "rstrip": True, "single_word": True},
             "normalized-word": {"normalized": True, "single_word": True, "special": False},
             "normalized-stripped": {"normalized": True, "lstrip": True, "rstrip": True, "special": False}}
    contents = ["<a>", "New York", "New", "york city", "é", "ＡＢ", "'s", "\n", "[MASK]", "<a><a>", "cat sat", "▁x"]
    lower = normalizers(node("NFKC"), node("Lowercase"))
    found = {}
    for name, flag in flags.items():
        tokens = [added(content, **flag) for content in contents]
        found[name] = pipeline(m.wordpiece(True), bert_normalizer(), node("BertPreTokenizer"), bert_template(),
                               node("WordPiece", prefix="##", cleanup=True), tokens)
        found[name + "-bytes"] = pipeline(m.byte_bpe(("<|endoftext|>",)), lower, byte_level(True), byte_level(),
                                          byte_level(), [added("<|endoftext|>"), *tokens])
    mixed = [added(content, **flag) for content, flag in zip(contents, [*flags.values(), *flags.values()])]
    nested = [added(content, normalized=i % 2 == 1, special=i % 3 == 0)
              for i, content in enumerate(["a", "ab", "abc", "bc", "c", "abcd", "cd", " ", "  ", "A", "B C"])]
    piece = m.character_bpe(("<unk>", "<s>"), unk_token="<unk>")
    found |= {
        "mixed": pipeline(m.byte_bpe(("<a>",)), normalizers(node("NFC"), node("Lowercase")), byte_level(), byte_level(),
                          byte_level(), mixed),
        "nested": pipeline(m.byte_bpe(()), node("Lowercase"), byte_level(), byte_level(), byte_level(), nested),
        "metaspace-first": pipeline(piece, None, metaspace("first"), None, metaspace("first"), mixed),
        "metaspace-always": pipeline(piece, None, metaspace("always"), None, metaspace("always"), mixed),
        "prepended": pipeline(piece, normalizers(node("Prepend", prepend="▁"), replace(" ", "▁")), None, None,
                              metaspace("always"), mixed),
        "many": pipeline(m.byte_bpe(()), None, byte_level(), None, byte_level(),
                         [added(f"<extra_{i}>", special=i % 2 == 0) for i in range(300)]),
    }
    return {f"added-{name}": one for name, one in found.items()}


def processor_pipelines(m: Models):
    """Post-processors, and what they do to pairs."""
    names = {"[A]": ([0], ["[A]"]), "[B]": ([1, 2], ["[B1]", "[B2]"]), "[C]": ([3], ["[C]"])}
    first = ("[A]", "[B1]", "[B2]", "[C]")
    model = m.byte_bpe(first)

    def show(post, pre=byte_level()):
        return pipeline(model, None, pre, post, byte_level(), [added(name) for name in first])

    several = template("[A]:1 [B]:0 $A:2 [C]:0", "[B]:0 $B:3 [A]:1 $A:0 [B]:4", **names)
    bare = template("$A:1", "$A:0 $B:1", **names)
    found = {
        "several": show(several),
        "bare": show(bare),
        "bytes-then-template": show(processors(byte_level(False, True), several)),
        "template-then-bytes": show(processors(bare, byte_level(True, True)), byte_level(True)),
        "bytes-trimmed": show(byte_level(False, True)),
        "bytes-trimmed-prefix": show(byte_level(True, True), byte_level(True)),
        "bytes-untrimmed": show(byte_level(True, False), byte_level(True)),
        "bert": show(node("BertProcessing", sep=["[C]", 3], cls=["[A]", 0])),
        "roberta": show(node("RobertaProcessing", sep=["[C]", 3], cls=["[A]", 0], trim_offsets=True,
                             add_prefix_space=True)),
        "bert-then-bytes": show(processors(node("BertProcessing", sep=["[C]", 3], cls=["[A]", 0]), byte_level())),
        "twice": show(processors(bare, several)),
    }
    return {f"post-{name}": one for name, one in found.items()}


def limit_pipelines(m: Models):
    """Truncation and padding."""
    model = m.byte_bpe(("<pad>", "<s>"))

    def show(truncation=None, padding=None):
        return pipeline(model, None, byte_level(), processors(byte_level(), start_template("<s>", 1)), byte_level(),
                        [added("<pad>"), added("<s>")], truncation, padding)

    def cut(length, strategy="LongestFirst", direction="Right", stride=0):
        return {"direction": direction, "max_length": length, "strategy": strategy, "stride": stride}

    def pad(strategy, direction="Right", multiple=None):
        return {"strategy": strategy, "direction": direction, "pad_to_multiple_of": multiple, "pad_id": 0,
                "pad_type_id": 3, "pad_token": "<pad>"}

    found = {
        "cut": show(cut(8)), "cut-left": show(cut(6, direction="Left")), "cut-stride": show(cut(8, stride=2)),
        "cut-first": show(cut(12, "OnlyFirst")), "cut-second": show(cut(40, "OnlySecond")),
        "pad-fixed": show(None, pad({"Fixed": 12})), "pad-left": show(None, pad({"Fixed": 9}, "Left")),
        "pad-multiple": show(None, pad("BatchLongest", multiple=8)), "cut-and-pad": show(cut(7), pad({"Fixed": 10})),
    }
    return {f"limit-{name}": one for name, one in found.items()}


def decoder_pipelines(m: Models):
    """Decoders that no pipeline above has, on the pieces of sentencepiece, of bytes and of words."""
    pieces = m.character_bpe(("<unk>", "<s>", "<pad>"), fallback=True, unk_token="<unk>", fuse_unk=True)
    plain = normalizers(node("Prepend", prepend="▁"), replace(" ", "▁"))

    def show(decoder, model=pieces):
        return pipeline(model, plain, None, None, decoder, [added("<s>"), added("<pad>"), added("Mary", special=False)])

    found = {
        "none": show(None),
        "bytes-only": show(node("ByteFallback")),
        "fuse": show(node("Fuse")),
        "strip": show(node("Strip", content="▁", start=2, stop=0)),
        "strip-end": show(decoders(node("Fuse"), node("Strip", content="a", start=0, stop=1))),
        "metaspace-first": show(metaspace("first")), "metaspace-never": show(metaspace("never")),
        "metaspace-other": show(metaspace("always", True, "t")),
        "replace-pattern": show(decoders(replace_regex("▁+", " "), replace("a", "")
                                         , node("Fuse"), replace("  ", "."))),
        "wordpiece": show(node("WordPiece", prefix="▁", cleanup=True)),
        "wordpiece-plain": show(node("WordPiece", prefix="t", cleanup=False)),
        "bpe": show(node("BPEDecoder", suffix="e")),
        "ctc": show(node("CTC", pad_token="<pad>", word_delimiter_token="▁", cleanup=True)),
        "ctc-plain": show(node("CTC", pad_token="a", word_delimiter_token="▁the", cleanup=False)),
        "bytes": pipeline(m.byte_bpe(("<s>",)), None, split(LLAMA3), None, decoders(byte_level(), node("Fuse"),
                          replace("e", "3")), [added("<s>"), added("é", special=False)]),
        "several": show(decoders(decoders(replace("▁", " ")), node("ByteFallback"), decoders(node("Fuse")),
                                 node("Strip", content=" ", start=1, stop=0))),
    }
    return {f"decode-{name}": one for name, one in found.items()}


def every_option(m: Models):
    found = {}
    for part in (normalizer_pipelines, pretokenizer_pipelines, split_pipelines, word_pipelines, added_token_pipelines,
                 processor_pipelines, limit_pipelines, decoder_pipelines):
        found |= part(m)
    return found
