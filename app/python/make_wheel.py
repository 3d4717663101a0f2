#!/usr/bin/env python3
"""Makes the wheel of this package, with the page that computes in it: for every system, without network and tools.

usage: make_wheel.py PAGE.html FOLDER

Prints the path of the wheel. The same sources give the same bytes.
"""
import base64
import hashlib
import pathlib
import re
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = HERE / "attention_lab"
MODELS = re.compile(rb'<script type="text/plain" id="models-data">[^<]*</script>\n?')
WHEEL = "Wheel-Version: 1.0\nGenerator: attention-lab\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def value(text, name):
    """A line of pyproject.toml, `name = value`: the value's text, without quotes."""
    found = re.search(rf'^{re.escape(name)} = (.+)$', text, re.MULTILINE)
    if found is None:
        sys.exit(f"make_wheel: pyproject.toml has no {name}")
    return found.group(1).strip('"')


def listed(text, name):
    """The texts of a list in pyproject.toml."""
    found = re.search(rf'^{re.escape(name)} = \[(.*?)\]', text, re.MULTILINE | re.DOTALL)
    return re.findall(r'"([^"]*)"', found.group(1)) if found else []


def extras(text):
    """Optional dependencies, by the name of their group."""
    section = re.search(r'^\[project\.optional-dependencies\]\n((?:.+\n)*)', text, re.MULTILINE)
    return {name: listed(section.group(1), name) for name in re.findall(r'^(\w+) =', section.group(1), re.MULTILINE)} if section else {}


def metadata(text):
    lines = ["Metadata-Version: 2.1", f"Name: {value(text, 'name')}", f"Version: {value(text, 'version')}",
             f"Summary: {value(text, 'description')}", f"Requires-Python: {value(text, 'requires-python')}"]
    lines += [f"Classifier: {one}" for one in listed(text, "classifiers")]
    lines += [f"Requires-Dist: {one}" for one in listed(text, "dependencies")]
    for group, packages in extras(text).items():
        lines += [f"Provides-Extra: {group}", *(f'Requires-Dist: {one}; extra == "{group}"' for one in packages)]
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", readme])


def contents(page):
    """The files of the wheel, without its records: their paths and bytes."""
    files = {f"attention_lab/{file.relative_to(PACKAGE).as_posix()}": file.read_bytes()
             for file in sorted(PACKAGE.rglob("*")) if file.is_file() and "__pycache__" not in file.parts}
    files["attention_lab/attention-lab.html"] = MODELS.sub(b"", page)  # which notebooks do not show
    return files


def record(files, place):
    lines = []
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        lines.append(f"{path},sha256={digest},{len(content)}")
    return "\n".join([*lines, f"{place}/RECORD,,", ""]).encode()


def make(page, folder):
    text = (HERE / "pyproject.toml").read_text(encoding="utf-8")
    stem = f"{value(text, 'name').replace('-', '_')}-{value(text, 'version')}"
    place = f"{stem}.dist-info"
    files = {**contents(page), f"{place}/METADATA": metadata(text).encode(), f"{place}/WHEEL": WHEEL.encode()}
    files[f"{place}/RECORD"] = record(files, place)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)  # of 1980
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, content)
    return path


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: make_wheel.py PAGE.html FOLDER")
    page = pathlib.Path(sys.argv[1]).read_bytes()
    if b'id="engine-data"' not in page:
        sys.exit(f"make_wheel: {sys.argv[1]} is not the page that computes: make it with sh third_party/setup.sh web")
    print(make(page, pathlib.Path(sys.argv[2])))


if __name__ == "__main__":
    main()
