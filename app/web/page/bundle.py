"""Makes the page that computes: one HTML file with its modules, its style, the engine and the files that it reads.

usage: bundle.py ENGINE.wasm UNPACK.wasm OUTPUT.html [LESSON.md]
"""

import base64
import gzip
import hashlib
import json
import lzma
import re
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent
ROOT = PAGE.parents[2]
SHARED = ROOT / "app" / "figure" / "html" / "page"
ASSETS = ROOT / "assets"
# Of the package node-qrcode-generator: a global function qrcode().
CODES = Path("/usr/share/javascript/qrcode-generator/qrcode.js")

IMPORT = re.compile(r"^import\s+(?:\{[^}]*\}\s+from\s+)?'([^']+)';\n", re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|let|class)\b)", re.MULTILINE)
TOP_LEVEL = re.compile(r"^(?:async )?(?:function|const|let|class)\s+(?:\{([^}]*)\}|([\w$]+))", re.MULTILINE)


def modules_from(path, found):
    """The modules that `path` needs, and itself, each after those that it imports."""
    if path in found:
        return
    text = path.read_text(encoding="utf-8")
    found[path] = None
    for name in IMPORT.findall(text):
        modules_from((path.parent / name).resolve(), found)
    del found[path]
    found[path] = EXPORT.sub("", IMPORT.sub("", text))


def script():
    """All modules as one script. Their names must differ, as one module sees those of all."""
    found = {}
    modules_from(PAGE / "app.js", found)
    owner = {}
    for path, text in found.items():
        if re.search(r"^(import|export)\b", text, re.MULTILINE):
            sys.exit(f"{path.name}: an import or export that is not of the usual form")
        for names, name in TOP_LEVEL.findall(text):
            for one in [n.strip() for n in names.split(",")] if names else [name]:
                if owner.setdefault(one, path) != path:
                    sys.exit(f"{path.name} and {owner[one].name} both name something {one}")
    parts = ([CODES.read_text(encoding="utf-8")] if CODES.exists() else ["const qrcode = null;\n"]) + list(found.values())
    return "\n".join(parts).replace("</script", r"<\/script")


def packed(content):
    """Base64 of the compressed content."""
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()


# As app/web/unpack reads it: 4 bits of context for literals, none of the position.
LZMA = [{"id": lzma.FILTER_LZMA1, "dict_size": 1 << 24, "lc": 4, "lp": 0, "pb": 0, "nice_len": 273, "mf": lzma.MF_BT4,
         "depth": 1000}]


def packed_engine(engine):
    """Base64 of the engine, packed tighter than browsers unpack themselves."""
    return base64.b64encode(lzma.compress(engine, format=lzma.FORMAT_RAW, filters=LZMA)).decode()


def archive(files):
    """Files as one: their paths below the assets and lengths as JSON on a line, then their bytes."""
    contents = [file.read_bytes() for file in files]
    index = [[f"/assets/{file.relative_to(ASSETS)}", len(content)] for file, content in zip(files, contents)]
    return json.dumps(index).encode() + b"\n" + b"".join(contents)


def assets():
    """The files that the engine reads, without the models' weights."""
    lessons = [*(ASSETS / "lessons").glob("*"), *(ASSETS / "lessons" / "de").glob("*")]
    files = [ASSETS / "languages" / "de.json", *(ASSETS / "examples").glob("*.json"), *(ASSETS / "models").glob("*/config.json"),
             *(file for file in lessons if file.suffix in (".md", ".json") and file.stem not in ("README", "template"))]
    return archive(sorted(files))


def models():
    """What else the built-in models need. `everyday`, a GGUF file, would make the page three times as large: it comes with
    `export everyday --live`."""
    folders = [config.parent for config in (ASSETS / "models").glob("*/config.json")]
    return archive(sorted(file for folder in folders for file in folder.iterdir() if file.name != "config.json"))


def given(lesson):
    """The element with a lesson that the page begins with, and the sessions beside it."""
    if lesson is None:
        return ""
    texts = {f"/given/{lesson.name}": lesson.read_text(encoding="utf-8")}
    for file in sorted(lesson.parent.glob("*.json")):
        if file.stem in texts[f"/given/{lesson.name}"]:
            texts[f"/given/{file.name}"] = file.read_text(encoding="utf-8")
    content = json.dumps({"path": f"/given/{lesson.name}", "texts": texts}, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="given-data">{content}</script>\n'


def hash_of(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def page(engine, unpack, lesson):
    style = (SHARED / "theme.css").read_text(encoding="utf-8") + (PAGE / "page.css").read_text(encoding="utf-8")
    code = script()
    policy = (f"default-src 'none'; script-src {hash_of(code)} 'wasm-unsafe-eval'; style-src {hash_of(style)}; "
              "img-src data: blob:; base-uri 'none'; form-action 'none'")
    sections = {"policy": policy, "style": style, "script": code, "assets": packed(assets()), "models": packed(models()),
                "given": given(lesson), "engine": packed_engine(engine),
                "size": str(len(engine)), "unpack": base64.b64encode(unpack).decode()}
    template = (PAGE / "page.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda match: sections[match.group(1)], template)


def main():
    engine, unpack, output, *lesson = map(Path, sys.argv[1:])
    output.write_text(page(engine.read_bytes(), unpack.read_bytes(), lesson[0] if lesson else None), encoding="utf-8")


if __name__ == "__main__":
    main()
