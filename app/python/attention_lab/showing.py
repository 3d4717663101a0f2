"""Showing arrays in the window."""
from __future__ import annotations

from typing import Any, Optional

from .connection import TIMEOUT
from .forms import content_of
from .handle import Shown, show_content


def show(*arrays: Any, name: str = "Python", title: Optional[str] = None, start: bool = True, wait: bool = False,
         timeout: float = TIMEOUT, **named: Any) -> Shown:
    """Opens arrays in the window, and starts one if there is none.

    The arrays are those of NumPy, of PyTorch (on any device), or nested lists, in one of three forms:

    - `show(weights=…)`: attention weights `[heads, n, m]`, `[n, m]`, or `[layers, heads, n, m]`. Of many layers only
      those that the user looks at are sent, each when it is looked at; this is so for more than 4 MB, and with
      `lazy=True`. `weights` may also be a list with an array for each layer, or a function of the layer (counted
      from 0) together with `layers=…`: it is called in a thread of this package.
    - `show(q, k, v)`: queries `[heads, n, d_k]`, keys `[heads, m, d_k]` and values `[heads, m, d_v]`. k and v may have
      fewer heads, each for several of q. With `[layers, heads, n, d]`, layers are sent when they are looked at.
    - `show(x, w_q, w_k, w_v, w_o)`: an input `[n, d_model]`, or `[batch, n, d_model]` of up to 64 sentences among
      which the user chooses, and the weights of a layer,
      `w_q` and `w_k` `[heads, d_model, d_k]`, `w_v` `[heads, d_model, d_v]`, `w_o` `[heads·d_v, d_out]`; if wanted
      `b_q`, `b_k`, `b_v` `[heads, d]`, `b_o` `[d_out]`, and the other input of cross-attention, `x_kv` `[m, d_model]`.

    Further arguments:

    - `tokens`: n texts, or one text that is split at blanks; `key_tokens`: m texts, if the keys have others. Of a
      batch also a list of these for each sentence, of which shorter ones leave out its padding.
    - `mask` `[n, m]`, of a batch also `[batch, n, m]`, not with weights: booleans (True: may attend), floats that are added to the scaled scores, or
      "causal".
    - `name`: showing the same name again updates it in place: view, selection and zoom stay. `title` stands above it.
    - `start=False` raises WindowUnavailable instead of starting a window. `wait=True` returns only when the arrays
      are on the screen. The window has `timeout` seconds for each answer, also to what the handle asks, and
      more for large arrays.

    In a notebook where no window can be had, because there is no program, no display or another system than Linux, the
    arrays are shown in the page that computes, below the cell; what is returned then is a LivePage, which has the same
    `numbers` and `update`.

    Raises BadArgument, a ValueError, for arrays that do not fit, before anything is sent; Refused with the window's
    own words; WindowUnavailable, WindowClosed, NoAnswer, ProtocolError and ProgramNotFound.
    """
    return show_content(content_of(arrays, named), name, title, start, wait, timeout)
