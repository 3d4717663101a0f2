"""Attention Lab from Python: arrays, layers and models in its window, its figures and pages in notebooks.

    import attention_lab as lab

    handle = lab.show(weights=weights, tokens=words)   # [heads, n, n], in the running window, or in a new one
    handle.update(weights=other)                       # in place, as in a training loop
    handle.numbers()["weights"]                        # with what the user edited

    lab.page(weights=weights, tokens=words)            # the page that computes, in a notebook
    lab.figure(weights=weights, tokens=words)          # a figure
    lab.open_session("work.attn.json")["W_Q"]          # what the program has saved
"""
from __future__ import annotations

from ._version import __version__
from .errors import (AttentionLabError, BadArgument, NoAnswer, PageNotFound, ProgramFailed, ProgramNotFound,
                     ProtocolError, Refused, WindowClosed, WindowUnavailable)
from .handle import Handle
from .live_page import LivePage
from .modules import show_module
from .named_arrays import NamedArrays
from .notebook import Figure, Page, figure, page
from .sessions import open_session
from .showing import show
from .transformers import show_attentions, show_model

__all__ = ["AttentionLabError", "BadArgument", "Figure", "Handle", "LivePage", "NamedArrays", "NoAnswer", "Page",
           "PageNotFound", "ProgramFailed", "ProgramNotFound", "ProtocolError", "Refused", "WindowClosed", "WindowUnavailable", "__version__", "figure",
           "open_session", "page", "show", "show_attentions", "show_model", "show_module"]
