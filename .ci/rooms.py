#!/usr/bin/env python3
"""Checks the structure of the source: which folder may include which, that no class is defined twice, and that the
files that README files and comments name exist.

    .ci/rooms.py        prints the farthest include up, the classes defined twice, and the missing files; fails if any
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Each line is a layer, from the bottom up. A file may include its own folder and the layers below it;
# folders of the same layer may include each other only if the layer is marked "together".
HOUSE = [
    ["core"],
    ["app/translation"],
    ["app/base"],
    ["app/tokenizer", "app/chat"],
    ["app/document"],
    ["app/embedded_session", "app/explain"],
    ["app/files", "app/figure"],
    ["app/lessons", "app/connection", "app/hub"],
    ["app/handout"],
    ["app/cli", "app/view", "app/web"],
    ["app/platform"],
    ["app/shell"],
    ["app/main.cpp"],
]

# Layers inside the view: drawing tools, state, the features, from those that others use to those that
# use them, and the code that combines them. Only a few features include each other: a file dialog asks
# what can be exported, and leaving a lesson and leaving a document end each other.
WINDOW = [
    ["toolkit"],
    ["state"],
    ["focus"],
    ["widgets"],
    ["maps"],
    ["solving"],
    ["editor"],
    ["together", "export", "lesson", "session"],
    ["guide", "present", "sentence"],
    ["actions"],
    ["cards"],
    ["model"],
    ["training"],
    ["window"],
    [""],
]

INCLUDE = re.compile(r'^#include "((?:app|core)/[^"]+)"', re.M)
CLASS = re.compile(r"^(?:struct|class|enum class) (\w+)\s*(?:final\s*)?(?::[^:;]*)?\{", re.M)
NAMESPACE = re.compile(r"^(?:inline )?namespace ([\w:]+) ?\{|^\}\s*// namespace ([\w:]+)", re.M)


def sources():
    listed = subprocess.run(["git", "ls-files", "app", "core"], cwd=ROOT, capture_output=True, text=True,
                            check=True).stdout.split()
    return [p for p in listed if p.endswith((".h", ".cpp")) and not re.search(r"/(tests|bench)/", p)]


def floor_of(room, floors):
    for height, floor in enumerate(floors):
        if room in floor:
            return height, "together" in floor
    sys.exit(f"{room} stands on no floor: give it one in .ci/rooms.py")


def room_in_house(path):
    return "core" if path.startswith("core/") else "/".join(path.split("/")[:2])


def room_in_window(path):
    return "/".join(path.split("/")[2:-1])


def climbs(source, target, room_of, floors):
    """Number of layers that the include points up; 0 if it is allowed."""
    here, there = room_of(source), room_of(target)
    if here == there:
        return 0
    (below, together), (above, _) = floor_of(here, floors), floor_of(there, floors)
    if above == below and not together:
        return 1
    return max(0, above - below)


def includes_up(files):
    for source in files:
        for target in INCLUDE.findall((ROOT / source).read_text()):
            height = climbs(source, target, room_in_house, HOUSE)
            if source.startswith("app/view/") and target.startswith("app/view/"):
                height = climbs(source, target, room_in_window, WINDOW)
            if height:
                yield height, source, target


def definitions(path):
    """The classes that a header defines, with their namespaces."""
    spaces = []
    for line in (ROOT / path).read_text().splitlines():
        if name := CLASS.match(line):
            yield "::".join(spaces + [name[1]])
        if space := NAMESPACE.match(line):
            spaces.append(space[1]) if space[1] else spaces.pop()


FILE_IN_PROSE = re.compile(r"(?<![\w./-])((?:[a-z_0-9.]+/)*[a-z_0-9]+\.(?:h|cpp|cmake|sh))\b")
COMMENT = re.compile(r"//.*")
PROGRAMS = {"llama.cpp"}  # whose names look like those of files


def missing_files():
    """The source files that README files and comments name and that do not exist. A path is looked for in the folder
    that names it and in those around it; a name without a folder, anywhere. The list of changes names what was."""
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    known, names = set(tracked), {Path(path).name for path in tracked}
    for path in tracked:
        is_prose = path.endswith(".md") and not path.startswith("assets/lessons/") and Path(path).name != "CHANGELOG.md"
        if not is_prose and not (path.endswith((".h", ".cpp")) and path.startswith(("app/", "core/"))):
            continue
        text = (ROOT / path).read_text()
        for name in set(FILE_IN_PROSE.findall(text if is_prose else "\n".join(COMMENT.findall(text)))):
            around = [str(folder / name) for folder in [*Path(path).parents, Path("app")]]
            if name not in PROGRAMS and not known.intersection(around) and ("/" in name or name not in names):
                yield path, name


def main():
    files = sources()
    up = sorted(includes_up(files), reverse=True)
    print("farthest include up:", f"{up[0][0]} floors" if up else "none")
    for height, source, target in up:
        print(f"  {source} includes {target}")
    defined = {}
    for path in files:
        if path.endswith(".h"):
            for name in definitions(path):
                defined.setdefault(name, []).append(path)
    twice = {name: where for name, where in defined.items() if len(where) > 1}
    print("classes defined twice:", "none" if not twice else "")
    for name, where in twice.items():
        print(f"  {name}: {', '.join(where)}")
    missing = sorted(missing_files())
    print("files that are named and missing:", "none" if not missing else "")
    for path, name in missing:
        print(f"  {path} names {name}")
    return 1 if up or twice or missing else 0


if __name__ == "__main__":
    sys.exit(main())
