"""Pages and figures that draw themselves in a notebook. The installed program makes them; there is no server."""
from __future__ import annotations

import base64
import html
import os
import pathlib
import struct
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Tuple

from .content_files import write_content
from .errors import BadArgument
from .forms import CONTENT_NAMES, content_of
from .program import run_program

PAGE_HEIGHT = 640  # pixels of a page in a notebook


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


def page(*source: Any, height: int = PAGE_HEIGHT, **options: Any) -> Page:
    """The interactive page of arrays, of a file, or of an example, to see in a notebook or to save.

    `source` and the arguments for arrays are those of `show`; of several layers, `layer=0` is drawn. Or it is the path
    of a session, a problem, or a figure with a session in it, or the name of an example such as "refer", or of a
    trained model together with `text="…"`. All other arguments are options of the program's `export`, with
    underscores: `theme="dark"`, `palette=…`, `head=[1, 2]`; `attention-lab export --help` lists them. Its option
    `--tokens`, which chooses tokens, is called `select`. `height` is that in the notebook, in pixels.

    Raises BadArgument, ProgramNotFound, and ProgramFailed with the program's own words.
    """
    return Page(_exported(source, options, "html").decode("utf-8"), height)


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
