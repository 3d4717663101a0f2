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
    texts = tokens.split() if isinstance(tokens, str) else _listed(tokens, name)
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise BadArgument(f"{name}[{place}] is of the type {type(text).__name__} and should be a text"
                              + _hint(text))
    if len(texts) != count:
        raise BadArgument(f"{name} has {len(texts)} texts for {count} {what}")
    return [str(text) for text in texts]


def both_tokens(tokens: Tokens, key_tokens: Tokens, n: int,
                 m: int) -> Tuple[Optional[List[str]], Optional[List[str]]]:
    """The texts of n queries and of m keys. Raises BadArgument."""
    return (checked_tokens(tokens, "tokens", n, "queries (rows)"),
            checked_tokens(key_tokens, "key_tokens", m, "keys (columns)"))


def _listed(tokens: Any, name: str) -> List[Any]:
    try:
        return list(tokens)
    except TypeError:
        raise BadArgument(f"{name} is of the type {type(tokens).__name__} and should be a list of texts") from None


def _hint(value: Any) -> str:
    is_number = isinstance(value, int) or hasattr(value, "item")
    return "; a tokenizer's convert_ids_to_tokens(ids) makes texts of ids" if is_number else ""
