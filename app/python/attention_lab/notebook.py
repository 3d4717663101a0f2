"""Pages and figures that draw themselves in a notebook; there is no server. Figures are made by the installed program,
pages by the page that computes, or by the program where that is not there.
"""
from __future__ import annotations

import base64
import html
import os
import pathlib
import struct
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

from .content_files import write_content
from .errors import BadArgument, ProgramNotFound
from .forms import CONTENT_NAMES, content_of
from .live_page import PAGE_HEIGHT, LivePage
from .page_file import has_page, page_path
from .page_source import PageSource, source_of_content, source_of_name
from .program import program_path, run_program
from .transformers import content_of_model

LIVE_OPTIONS = frozenset(("head", "layer", "carry", "compact", "theme", "language", "name"))  # of pages that compute


class Page:
    """An interactive page with all heads and stages, as the last expression of a notebook's cell shows it."""

    def __init__(self, text: str, height: int = PAGE_HEIGHT) -> None:
        self.html = text
        self.height = height

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes the page as a file that any browser opens. Raises OSError."""
        pathlib.Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        # A document of its own, so that neither its styles nor its scripts reach the notebook.
        return (f'<iframe srcdoc="{html.escape(self.html)}" title="Attention Lab" '
                f'sandbox="allow-scripts allow-downloads allow-popups" '
                f'style="display:block;width:100%;height:{self.height}px;border:0"></iframe>')

    def __repr__(self) -> str:
        return f"<attention_lab.Page of {len(self.html)} characters>"


class Figure:
    """A figure as SVG or PNG, as the last expression of a notebook's cell shows it."""

    def __init__(self, data: bytes, form: str) -> None:
        self.data = data
        self.format = form

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes the figure as a file; `path` should end in `.svg` or `.png`, whichever it is. Raises OSError."""
        pathlib.Path(path).write_bytes(self.data)

    def _repr_svg_(self) -> Optional[str]:
        return self.data.decode("utf-8") if self.format == "svg" else None

    def _repr_png_(self) -> "Optional[Tuple[str, Dict[str, int]]]":
        if self.format != "png":
            return None
        return base64.b64encode(self.data).decode("ascii"), {"width": shown_width(self.data)}

    def __repr__(self) -> str:
        return f"<attention_lab.Figure: {self.format.upper()} of {len(self.data)} bytes>"


def shown_width(png: bytes) -> int:
    """The width in CSS pixels at which a PNG has the size in millimetres that it was made for."""
    pixels = int(struct.unpack(">I", png[16:20])[0])
    place = png.find(b"pHYs")
    per_metre = struct.unpack(">I", png[place + 4:place + 8])[0] if place > 0 else 0
    return round(pixels / per_metre / 0.0254 * 96) if per_metre else pixels


def page(*source: Any, height: int = PAGE_HEIGHT, live: Optional[bool] = None, title: Optional[str] = None,
         **options: Any) -> Union[LivePage, Page]:
    """The page that computes, with arrays, a session, an example, or the attention of a model in it: to see and to edit
    in a notebook, or to save. It needs no program.

    `source` and the arguments for arrays are those of `show`. Or it is the path of a session (`.json`), the name of an
    example such as "refer", or a model of transformers, its tokenizer and a text: `page(model, tokenizer, "It is")`,
    which runs the model and shows the attention of all its layers; `page(output.attentions, tokens=…)` shows what it
    has returned.

    - `head`, from 1, and `layer`, from 0, are shown first; `theme` is "light" or "dark", `language` "en" or "de".
      `height` is that in the notebook, in pixels.
    - Of several layers the page carries all that fit into 1 MB, weights rounded to float16 if that alone makes them fit,
      or else `layer` alone; others are sent when they are looked at, for which the package anywidget must be installed.
      `carry="all"` or `carry=[0, 5]` says which layers it has in any case, `compact` whether weights are rounded.

    With `live=False`, or an option that only `attention-lab export` has (`palette=…`, `select=…`), or of a file that the
    page does not read, the program makes a smaller page, a Page, in which every number is shown but none computed. Its
    options are written with underscores; `--tokens`, which chooses tokens, is called `select`. It is also made where
    there is a program but no page that computes.

    Raises BadArgument; PageNotFound, which says how to get the page; ProgramNotFound, and ProgramFailed with the
    program's own words.
    """
    if title is not None:
        options["title"] = title
    if live or (live is None and _can_be_live(options)):
        found = _live_source(source, options)
        if found is not None:
            return LivePage(found, height, **_live_options(options))
        if live:
            raise BadArgument(f"{os.fspath(source[0])!r} is not a session (.json): the page reads no other files")
    return Page(_exported(source, options, "html").decode("utf-8"), height)


def _can_be_live(options: Mapping[str, Any]) -> bool:
    if set(options) - CONTENT_NAMES - LIVE_OPTIONS - {"title"} or not isinstance(options.get("head", 1), int):
        return False
    if has_page():
        return True
    try:
        program_path()
    except ProgramNotFound:
        page_path()  # says how to get it
    return False


def _live_source(source: Tuple[Any, ...], options: Mapping[str, Any]) -> Optional[PageSource]:
    title = str(options.get("title") or options.get("name") or "")
    if len(source) == 1 and isinstance(source[0], (str, os.PathLike)):
        return source_of_name(source[0], title)
    if len(source) == 3 and isinstance(source[2], str):
        return source_of_content(content_of_model(*source), title or source[2])
    unknown = set(options) - CONTENT_NAMES - LIVE_OPTIONS - {"title"}
    if unknown:
        raise BadArgument(f"{min(unknown)} is an option of the page that the program makes: leave out live=True")
    content = content_of(source, {name: value for name, value in options.items() if name in CONTENT_NAMES})
    return source_of_content(content, title or "Attention")


def _live_options(options: Mapping[str, Any]) -> Dict[str, Any]:
    chosen = {name: value for name, value in options.items() if name in LIVE_OPTIONS and value is not None}
    for name, allowed in (("theme", ("light", "dark")), ("language", ("en", "de"))):
        if chosen.get(name, allowed[0]) not in allowed:
            raise BadArgument(f"{name} is {chosen[name]!r} and should be {' or '.join(map(repr, allowed))}")
    if "head" in chosen:
        if not isinstance(chosen["head"], int) or chosen["head"] < 1:
            raise BadArgument(f"head is {chosen['head']!r} and should be a number from 1")
        chosen["head"] -= 1
    return chosen


def figure(*source: Any, format: str = "svg", **options: Any) -> Figure:
    """A figure of arrays, of a file, or of an example, to see in a notebook or to save; SVG, or with `format="png"`
    PNG.

    The other arguments are those of `page`: `figure(weights=w, tokens=words, head="all", annot=True, width_mm=120)`.
    Raises what `page` does.
    """
    if format not in ("svg", "png"):
        raise BadArgument(f"format is {format!r} and should be \"svg\" or \"png\"")
    return Figure(_exported(source, options, format), format)


def _exported(source: Tuple[Any, ...], options: Mapping[str, Any], ending: str) -> bytes:
    if options.get("sentence") == "all":
        raise BadArgument("sentence is \"all\" and should be a number from 1: one page or figure is of one sentence")
    with tempfile.TemporaryDirectory(prefix="attention-lab-") as folder:
        opened, rest = _opened(source, options, folder)
        output = os.path.join(folder, f"out.{ending}")
        run_program(["export", opened, *option_arguments(rest), "-o", output], temporary=opened)
        return pathlib.Path(output).read_bytes()


def _opened(source: Tuple[Any, ...], options: Mapping[str, Any], folder: str) -> Tuple[str, Dict[str, Any]]:
    """What `export` reads, and the options that are its own."""
    if len(source) == 1 and isinstance(source[0], (str, os.PathLike)):
        return os.fspath(source[0]), dict(options)
    rest = {name: value for name, value in options.items() if name not in CONTENT_NAMES}
    content = content_of(source, {name: value for name, value in options.items() if name in CONTENT_NAMES})
    path = os.path.join(folder, "Attention.safetensors")  # pages have it as their heading
    write_content(content, rest.pop("layer", 0), path)
    return path, rest


def option_arguments(options: Mapping[str, Any]) -> List[str]:
    """Options of the command line: `width_mm=89` is `--width-mm=89`, `annot=True` is `--annot`, `head=[1, 2]` is
    `--head=1,2`. `name={"it": "pronoun"}` and `mark=[(7, 1), (7, 2)]` give an option several times.
    """
    arguments = []
    for name, value in options.items():
        option = "--" + {"select": "tokens"}.get(name, name).replace("_", "-")
        if value is True:
            arguments.append(option)
        elif value is not None and value is not False:
            for text in _option_texts(value):
                arguments += [f"{option}={text}"] if text else [option, ""]
    return arguments


def _option_texts(value: Any) -> List[str]:
    if isinstance(value, dict):
        return [f"{key}={text}" for key, text in value.items()]
    if not isinstance(value, (list, tuple, range)):
        return [str(value)]
    rows: List[Any] = list(value) if any(isinstance(item, (list, tuple)) for item in value) else [value]
    return [",".join(map(str, row)) for row in rows]
