"""Showing models of Hugging Face's transformers, which the caller has imported; this package does not."""
from __future__ import annotations

import dataclasses
import os
import pathlib
import re
import shutil
import sys
import tempfile
from typing import Any, List, Optional, Sequence

from . import address
from .arrays import shape_text
from .connection import TIMEOUT
from .content import Content
from .errors import AttentionLabError, BadArgument
from .handle import Shown, is_window_at_hand, show_content
from .tokens import Tokens
from .weights import weights_content

LARGEST_COPY = 4 << 30  # bytes; of larger models, only the attention is shown unless the caller says otherwise


def show_attentions(attentions: Optional[Sequence[Any]], tokens: Tokens = None, *, key_tokens: Tokens = None,
                    batch: int = 0, name: str = "Python", title: Optional[str] = None, start: bool = True,
                    wait: bool = False, timeout: float = TIMEOUT) -> Shown:
    """Opens the attention that a model returned with `output_attentions=True`: `output.attentions`, one tensor
    `[batch, heads, n, m]` for each layer, of which `batch` is shown.

    The tensors stay where they are, also on a GPU: a layer is copied and sent when it is looked at. `tokens` are the
    n texts of the input, such as `tokenizer.convert_ids_to_tokens(ids)`; `key_tokens` the m texts of the other one in
    `output.cross_attentions`. The other arguments are those of `show`. Raises BadArgument and what `show` does.
    """
    content = attentions_content(attentions, tokens, key_tokens, batch)
    return show_content(content, name, title, start, wait, timeout)


def attentions_content(attentions: Optional[Sequence[Any]], tokens: Tokens = None, key_tokens: Tokens = None,
                       batch: int = 0) -> Content:
    """The layers that `show_attentions` shows. Raises BadArgument."""
    layers = _checked_layers(attentions)
    for k, layer in enumerate(layers):
        if len(layer.shape) != 4 or not 0 <= batch < layer.shape[0]:
            raise BadArgument(f"attentions[{k}] has the shape {shape_text(layer.shape)} and should be "
                              f"[batch, heads, n, m] with a batch of more than {batch}")
    content = weights_content(lambda k: layers[k][batch], layers=len(layers), tokens=tokens, key_tokens=key_tokens)
    return dataclasses.replace(content, at_hand=True)


def _checked_layers(attentions: Any) -> List[Any]:
    missing = attentions is None or not len(attentions) or any(layer is None for layer in attentions)
    if missing:
        raise BadArgument("the model returned no attention: load it with attn_implementation=\"eager\" and call it "
                          "with output_attentions=True")
    if not all(hasattr(layer, "shape") for layer in attentions):
        raise BadArgument("attentions should be a tensor [batch, heads, n, m] for each layer")
    return list(attentions)


def show_model(model: Any, tokenizer: Any, text: str, *, here: Optional[bool] = None,
               folder: Optional[str] = None, name: str = "Python", title: Optional[str] = None, start: bool = True,
               wait: bool = False, timeout: float = 30.0) -> Shown:
    """Opens a model of transformers in the window, reading `text`.

    In a notebook where no window can be had, the model runs here and its attention is shown in a page, see `show`.

    With `here=False` the window runs the model: every head and stage of it, what comes next, edits. For that, model
    and tokenizer are saved to `folder`, by default one for each `name` in `~/.cache/attention-lab/python`, which the
    next model of that name replaces. With `here=True` the model runs here, once, and the window shows its attention;
    a layer is sent when it is looked at. By default the model runs here if it is larger than 4 GB, or if
    `$ATTENTION_LAB_SOCKET` names the socket of another machine's window (in a session of ssh).

    Of a model that the window runs, `numbers()` are refused: save its session there. Raises BadArgument, among others
    for a tokenizer without a tokenizer.json, and what `show` does.
    """
    if not isinstance(text, str) or not text.strip():
        raise BadArgument("text is empty: give a text that the model reads")
    if (_runs_here(model) or not is_window_at_hand(start, timeout)) if here is None else here:
        return _show_attention_of(model, tokenizer, text, name, title, start, wait, timeout)
    saved = save_model(model, tokenizer, folder or model_folder(name))
    content = Content("model", {}, (0, 0, 0), extra={"path": saved, "text": text})
    return show_content(content, name, title, start, wait, timeout)


def _runs_here(model: Any) -> bool:
    forwarded = address.is_given() and "SSH_CONNECTION" in os.environ
    return forwarded or int(model.get_memory_footprint()) > LARGEST_COPY


def _show_attention_of(model: Any, tokenizer: Any, text: str, name: str, title: Optional[str], start: bool,
                       wait: bool, timeout: float) -> Shown:
    return show_content(content_of_model(model, tokenizer, text), name, title, start, wait, timeout)


def content_of_model(model: Any, tokenizer: Any, text: str) -> Content:
    """The attention of all layers of a model that reads `text`. Raises BadArgument."""
    if not isinstance(text, str) or not text.strip():
        raise BadArgument("text is empty: give a text that the model reads")
    inputs = tokenizer(text, return_tensors="pt").to(model.device)
    output = _run(model, inputs)
    tokens = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
    return attentions_content(getattr(output, "attentions", None), tokens)


def _run(model: Any, inputs: Any) -> Any:
    """What the model returns, without gradients and dropout."""
    torch = sys.modules["torch"]  # the model is made of it
    training = model.training
    model.eval()
    try:
        with torch.no_grad():
            return model(**inputs, output_attentions=True)
    finally:
        model.train(training)


def model_folder(name: str) -> str:
    """The folder that a model of this name is saved to: a subfolder of the user's cache."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "model"
    return os.path.join(cache, "attention-lab", "python", plain)


def save_model(model: Any, tokenizer: Any, folder: str) -> str:
    """Saves a model as config.json, model.safetensors and tokenizer.json, and returns the folder's absolute path.

    The files appear whole and replace a model that was there, which a window may still be reading. Raises BadArgument
    if there is no tokenizer.json, or the folder holds something else, and AttentionLabError if saving fails.
    """
    target = pathlib.Path(folder).absolute()
    if target.exists() and not (target / "config.json").exists() and any(target.iterdir()):
        raise BadArgument(f"{target} is a folder with other files, which the model would replace")
    new = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        new = pathlib.Path(tempfile.mkdtemp(prefix=target.name + "-", dir=target.parent))
        model.save_pretrained(new)
        tokenizer.save_pretrained(new)
        _check_saved(new, tokenizer)
        _replace(target, new)
    except OSError as error:
        raise AttentionLabError(f"cannot save the model to {target}: {error}") from None
    finally:
        if new is not None:
            shutil.rmtree(new, ignore_errors=True)
    return str(target)


def _check_saved(folder: pathlib.Path, tokenizer: Any) -> None:
    if not (folder / "tokenizer.json").exists():
        raise BadArgument(f"{type(tokenizer).__name__} has no tokenizer.json: load a fast tokenizer "
                          "(AutoTokenizer does), or show the model's attention with here=True")
    if not any(folder.glob("*.safetensors")):
        raise BadArgument("the model was not saved as safetensors: install the package safetensors")


def _replace(target: pathlib.Path, new: pathlib.Path) -> None:
    if target.exists():
        with tempfile.TemporaryDirectory(prefix=target.name + "-old-", dir=target.parent) as old:
            target.rename(pathlib.Path(old) / "model")
            new.rename(target)
    else:
        new.rename(target)
