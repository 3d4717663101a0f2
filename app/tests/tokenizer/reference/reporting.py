"""Prints what differs: code points as ranges, everything else in groups, the most frequent first."""

import json
from collections import defaultdict

from tokenizers import Tokenizer

from .oracle import MODES, Program, limits, written
from .shrinking import categories, kind_of, ranges

MOST_GROUPS = 80
EXAMPLES = 2


def report(results, program, pipelines):
    groups = defaultdict(list)
    for name, _, _, _, refused, points, shrunk in results:
        if refused:
            print(f"\n{name}: the program stopped: {refused}")
        for form, characters in points.items():
            print(f"\n{name}: {len(characters)} code points as {form!r}: {categories(characters)}")
            print(f"    {ranges(characters)[:600]}")
        for mode, fields, one, times in shrunk:
            way = "decoded" if MODES[mode].decode else "encoded"
            groups[(way, fields, kind_of(one))].append((times, mode, name, one))
    order = sorted(groups.items(), key=lambda item: -sum(member[0] for member in item[1]))
    for key, members in order[:MOST_GROUPS]:
        print_group(key, members, program, pipelines)
    if len(order) > MOST_GROUPS:
        print(f"\n… and {len(order) - MOST_GROUPS} more groups")


def print_group(key, members, program, pipelines):
    way, fields, kind = key
    names, modes = sorted({m[2] for m in members}), [mode for mode in MODES if mode in {m[1] for m in members}]
    print(f"\nabout {sum(m[0] for m in members):.0f} inputs {way}: {', '.join(fields)} differ; shrunk to: {kind}")
    print(f"  asked {'; '.join(modes)}")
    print(f"  in {len(names)} pipelines: {', '.join(names[:8])}{' …' if len(names) > 8 else ''}")
    order, shown = list(MODES), set()
    for _, mode, name, one in sorted(members, key=lambda m: (len(m[3]), order.index(m[1]), str(m[3]))):
        if json.dumps(one) not in shown and len(shown) < EXAMPLES:
            shown.add(json.dumps(one))
            print_example(program, name, pipelines[name][0], MODES[mode], one)


def print_example(program, name, spec, mode, one):
    """The input and both answers; of an encoding only what differs."""
    with written(spec) as (file, folder):
        lines, why = Program(program, limits(spec)).run(file, mode, [one], folder)
    expected = mode.reference(Tokenizer.from_str(json.dumps(spec)), [one])[0]
    print(f"    {name}, {mode.name}: {json.dumps(one)[:300]}")
    said = lines[0].decode(errors="replace").strip() if lines else f"nothing ({why})"
    try:
        answer = json.loads(said)
        if isinstance(answer, dict) and isinstance(expected, dict):
            expected, answer = ({k: v for k, v in side.items() if answer.get(k) != expected.get(k)} for side in
                                (expected, answer))
            if "type_ids" not in answer:
                expected.pop("type_ids", None)
        said = json.dumps(answer)
    except ValueError:
        pass
    print(f"      reference {json.dumps(expected)[:300]}\n      program   {said[:300]}")
