"""Tokens, the names of queries (rows) and keys (columns)."""
from __future__ import annotations

from typing import Any, Iterable, List, Optional, Tuple, Union

from .errors import BadArgument

Tokens = Union[str, Iterable[str], Iterable[Iterable[str]], None]
Texts = Union[List[str], List[List[str]], None]


def checked_tokens(tokens: Tokens, name: str, count: int, what: str) -> Optional[List[str]]:
    """`tokens` as a list of `count` texts, or None. A single text is split at its blanks.

    Raises BadArgument, with `name` and `what` there are `count` of in its message, if there are more or fewer, or
    one of them is not a text.
    """
    if tokens is None:
        return None
    texts = _texts(tokens, name)
    if len(texts) != count:
        raise BadArgument(f"{name} has {len(texts)} texts for {count} {what}")
    return texts


def both_tokens(tokens: Tokens, key_tokens: Tokens, n: int, m: int, batch: int = 0) -> Tuple[Texts, Texts]:
    """The texts of n queries and of m keys, or of each of `batch` sentences. Raises BadArgument."""
    return (_of_sentences(tokens, "tokens", n, "queries (rows)", batch),
            _of_sentences(key_tokens, "key_tokens", m, "keys (columns)", batch))


def _of_sentences(tokens: Tokens, name: str, count: int, what: str, batch: int) -> Texts:
    if tokens is None or isinstance(tokens, str):
        return checked_tokens(tokens, name, count, what)
    lists = _listed(tokens, name)
    if not batch:
        alone = lists[0] if len(lists) == 1 and isinstance(lists[0], (list, tuple)) else lists  # of a batch of one
        return checked_tokens(alone, name, count, what)
    if len(lists) == count and all(isinstance(one, str) for one in lists):
        return checked_tokens(lists, name, count, what)
    if len(lists) != batch:
        raise BadArgument(f"{name} has {len(lists)} lists for {batch} sentences")
    return [_within(one, f"{name}[{place}]", count, what) for place, one in enumerate(lists)]


def _within(tokens: Any, name: str, count: int, what: str) -> List[str]:
    texts = _texts(tokens, name)
    if not 1 <= len(texts) <= count:
        raise BadArgument(f"{name} has {len(texts)} texts for 1 to {count} {what}")
    return texts


def _texts(tokens: Any, name: str) -> List[str]:
    texts = tokens.split() if isinstance(tokens, str) else _listed(tokens, name)
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise BadArgument(f"{name}[{place}] is of the type {type(text).__name__} and should be a text"
                              + _hint(text))
    return [str(text) for text in texts]


def _listed(tokens: Any, name: str) -> List[Any]:
    try:
        return list(tokens)
    except TypeError:
        raise BadArgument(f"{name} is of the type {type(tokens).__name__} and should be a list of texts") from None


def _hint(value: Any) -> str:
    is_number = isinstance(value, int) or hasattr(value, "item")
    return "; a tokenizer's convert_ids_to_tokens(ids) makes texts of ids" if is_number else ""
