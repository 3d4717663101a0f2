"""The page that computes: one HTML file with the program's own code in WebAssembly. Where it is, and what is in it."""
from __future__ import annotations

import base64
import functools
import gzip
import hashlib
import json
import os
import pathlib
import re
from typing import Iterator, List

from .errors import PageNotFound

NAME = "attention-lab.html"
HOW_TO_GET_IT = ("install the wheel that `sh third_party/setup.sh wheel` makes, or set $ATTENTION_LAB_PAGE to the file "
                 f"that `sh third_party/setup.sh web` makes, build/web/{NAME}")


def page_path() -> pathlib.Path:
    """The page: `$ATTENTION_LAB_PAGE`, or in this package, beside the installed program, or in the build folder of the
    source that this package is imported from.

    Raises PageNotFound, which says how to get it, also if that variable is set but empty.
    """
    given = os.environ.get("ATTENTION_LAB_PAGE")
    if given is not None:
        if os.path.isfile(given):
            return pathlib.Path(given)
        raise PageNotFound(f"$ATTENTION_LAB_PAGE is {given!r}, which is not a file")
    for path in _places():
        if path.is_file():
            return path
    raise PageNotFound(f"the page that computes is not part of this installation: {HOW_TO_GET_IT}")


def _places() -> Iterator[pathlib.Path]:
    yield pathlib.Path(__file__).with_name(NAME)
    above = pathlib.Path(__file__).resolve().parents
    if len(above) > 3:
        yield above[2] / "page" / NAME  # PREFIX/share/attention-lab/python/attention_lab/page_file.py
        yield above[3] / "build" / "web" / NAME  # app/python/attention_lab/page_file.py


def has_page() -> bool:
    """Whether there is such a page."""
    try:
        page_path()
    except PageNotFound:
        return False
    return True


class PageFile:
    """The page without the trained models that it may carry, which would make every notebook larger."""

    def __init__(self, path: pathlib.Path) -> None:
        whole = path.read_text(encoding="utf-8")
        self.html = _without(whole, "models-data")
        self.digest = hashlib.sha256(self.html.encode()).hexdigest()[:16]
        if "</body>" not in self.html or 'id="engine-data"' not in self.html:
            raise PageNotFound(f"{path} is not the page of Attention Lab that computes: {HOW_TO_GET_IT}")

    def with_data(self, elements: str) -> str:
        """The page with further elements at its end."""
        before, _, after = self.html.rpartition("</body>")
        return f"{before}{elements}</body>{after}"

    @functools.cached_property
    def packed(self) -> str:
        """The page compressed, as base64."""
        return pack(self.html.encode())

    @functools.cached_property
    def examples(self) -> List[str]:
        """The names of the examples in it, as far as it says."""
        found = re.search(r'id="assets-data">([^<]*)<', self.html)
        if found is None:
            return []
        archive = gzip.decompress(base64.b64decode(found.group(1)))
        line, _, contents = archive.partition(b"\n")
        at = 0
        for path, length in json.loads(line):
            if path == "/assets/examples/index.json":
                return [example["name"] for example in json.loads(contents[at:at + length])["examples"]]
            at += length
        return []


def _without(html: str, element: str) -> str:
    return re.sub(rf'<script type="text/plain" id="{element}">[^<]*</script>\n?', "", html, count=1)


@functools.lru_cache(maxsize=2)
def _read(path: pathlib.Path, changed: int) -> PageFile:
    return PageFile(path)


def page_file() -> PageFile:
    """The page as it is now. Raises PageNotFound."""
    path = page_path()
    return _read(path, path.stat().st_mtime_ns)


def pack(data: bytes) -> str:
    """Base64 of compressed bytes, as a page unpacks them."""
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode("ascii")
