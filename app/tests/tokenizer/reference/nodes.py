"""The nodes of tokenizer.json, as short as they can be written down in a list of pipelines."""


def sequence(kind, *nodes):
    """A Sequence of normalizers, pretokenizers, processors or decoders."""
    return {"type": "Sequence", kind: list(nodes)}


def normalizers(*nodes):
    return sequence("normalizers", *nodes)


def pretokenizers(*nodes):
    return sequence("pretokenizers", *nodes)


def processors(*nodes):
    return sequence("processors", *nodes)


def decoders(*nodes):
    return sequence("decoders", *nodes)


def node(name, **options):
    return {"type": name, **options}


def byte_level(prefix=False, trim=True, regex=True):
    return node("ByteLevel", add_prefix_space=prefix, trim_offsets=trim, use_regex=regex)


def split(pattern, behavior="Isolated", invert=False):
    return node("Split", pattern={"Regex": pattern}, behavior=behavior, invert=invert)


def split_text(pattern, behavior="Isolated", invert=False):
    return node("Split", pattern={"String": pattern}, behavior=behavior, invert=invert)


def replace(pattern, content):
    return node("Replace", pattern={"String": pattern}, content=content)


def replace_regex(pattern, content):
    return node("Replace", pattern={"Regex": pattern}, content=content)


def metaspace(scheme="always", split=True, replacement="▁"):
    return node("Metaspace", replacement=replacement, prepend_scheme=scheme, split=split)


def bert_normalizer(lowercase=True, accents=None, chinese=True, clean=True):
    return node("BertNormalizer", clean_text=clean, handle_chinese_chars=chinese, strip_accents=accents,
                lowercase=lowercase)


def strip(left=True, right=True):
    return node("Strip", strip_left=left, strip_right=right)


def added(content, **flags):
    """An added token; special and not normalized unless the flags say otherwise. Its id is given by `pipeline`."""
    usual = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return {"id": None, "content": content, **usual, **flags}


def template(single, pair, **ids):
    """A TemplateProcessing: `single` and `pair` as in "[CLS]:0 $A:0 [SEP]:0", `ids` of the special tokens by name."""
    def part(word):
        name, _, kind = word.rpartition(":")
        if name in ("$A", "$B"):
            return {"Sequence": {"id": name[1], "type_id": int(kind)}}
        return {"SpecialToken": {"id": name, "type_id": int(kind)}}

    special = {name: {"id": name, "ids": numbers, "tokens": tokens} for name, (numbers, tokens) in ids.items()}
    return node("TemplateProcessing", single=[part(word) for word in single.split()],
                pair=[part(word) for word in pair.split()], special_tokens=special)


def size_of(model):
    return len(model["vocab"])


def id_of(model, token):
    """The id of a token in a model's vocabulary; None if it has no such token."""
    if isinstance(model["vocab"], dict):
        return model["vocab"].get(token)
    return next((i for i, (piece, _) in enumerate(model["vocab"]) if piece == token), None)


def pipeline(model, normalizer=None, pre=None, post=None, decoder=None, tokens=(), truncation=None, padding=None):
    """A whole tokenizer.json. Added tokens that the model does not know get the next ids."""
    named, following = [], size_of(model)
    for token in tokens:
        number = id_of(model, token["content"])
        if number is None:
            number, following = following, following + 1
        named.append({**token, "id": number})
    named.sort(key=lambda token: token["id"])
    return {"version": "1.0", "truncation": truncation, "padding": padding, "added_tokens": named,
            "normalizer": normalizer, "pre_tokenizer": pre, "post_processor": post, "decoder": decoder, "model": model}
