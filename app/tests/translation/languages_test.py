"""The language tables contain exactly the texts that the source uses, with the same placeholders."""

import html.parser
import json
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
TABLES = ROOT / "assets" / "languages"
LITERAL = re.compile(r'\s*"((?:[^"\\]|\\.)*)"')
CALL = re.compile(r"\b(tr|tr_later|tr_count)\(")
ACTION = re.compile(r"\bAction\{|\bone_of<[^;{}()]*?>\(")
PLACE = re.compile(r"\{(\d?)\}")
SCRIPT_CALL = re.compile(r"\b(say|sayCount)\(")
SCRIPT_LITERAL = re.compile(r"\s*'((?:[^'\\]|\\.)*)'")
SCRIPT_COMMA = re.compile(r"\s*,?")
ESCAPES = {"n": "\n", '"': '"', "\\": "\\"}


def literal(text, at):
    """The adjacent literals at `at` as one text, and where they end; None if there are none."""
    found = LITERAL.match(text, at)
    if not found:
        return None, at
    whole = ""
    while found:
        whole += re.sub(r"\\(.)", lambda m: ESCAPES[m.group(1)], found.group(1))
        at = found.end()
        found = LITERAL.match(text, at)
    return whole, at


def literals(text, at, count):
    """Up to `count` literals separated by commas."""
    found = []
    for _ in range(count):
        one, at = literal(text, at)
        if one is None:
            break
        found.append(one)
        at = re.compile(r"\s*,?").match(text, at).end()
    return found


def keys_of(text):
    """The texts that a source file passes to tr, and those of its actions, in order."""
    keys = []
    for call in CALL.finditer(text):
        count = 2 if call.group(1) == "tr_count" else 1
        keys += [(call.start(), key) for key in literals(text, call.end(), count)]
    for record in ACTION.finditer(text):
        keys += [(record.start(), key) for key in literals(text, record.end(), 3)[1:]]
    for call in re.finditer(r"\.found_by\(", text):
        keys += [(call.start(), key) for key in literals(text, call.end(), 1)]
    return [key for _, key in sorted(keys, key=lambda pair: pair[0])]


def sources():
    files = [*(ROOT / "app").rglob("*.cpp"), *(ROOT / "app").rglob("*.h")]
    return sorted(f for f in files if "tests" not in f.parts and "translation" not in f.parts[-2:])


def keys_of_source():
    return {key for file in sources() for key in keys_of(file.read_text(encoding="utf-8"))}


def literals_of_script(text, at):
    """The literals in single quotes from `at` on, separated by commas, colons or "?"."""
    found = SCRIPT_LITERAL.match(text, at)
    return [found.group(1)] + literals_of_script(text, SCRIPT_COMMA.match(text, found.end()).end()) if found else []


def keys_of_script(text):
    """The texts that a script passes to say() and sayCount(), and those of its tables, marked with words."""
    keys = []
    for call in SCRIPT_CALL.finditer(text):
        count = 2 if call.group(1) == "sayCount" else 1
        keys += literals_of_script(text, call.end())[:count]
    for one in re.finditer(r"\b(?:words|meaning): '([^']*)'", text):
        keys.append(one.group(1))
    return keys


class TextsOfPage(html.parser.HTMLParser):
    """The texts of elements with the attribute data-say, and those of their names."""

    def __init__(self):
        super().__init__()
        self.keys, self.is_said = [], False

    def handle_starttag(self, tag, attrs):
        members = dict(attrs)
        self.is_said = "data-say" in members
        if self.is_said:
            self.keys += [members[name] for name in ("aria-label", "title", "placeholder") if members.get(name)]

    def handle_data(self, data):
        if self.is_said and any(c.isalpha() for c in data):
            self.keys.append(data.strip())
            self.is_said = False


def keys_of_page():
    """What the page that computes says."""
    folder = ROOT / "app" / "web" / "page"
    keys = {key for file in folder.glob("*.js") for key in keys_of_script(file.read_text(encoding="utf-8"))}
    parser = TextsOfPage()
    parser.feed((folder / "page.html").read_text(encoding="utf-8"))
    return keys | set(parser.keys)


def table(name):
    def members(pairs):
        names = [key for key, _ in pairs]
        twice = {key for key in names if names.count(key) > 1}
        assert not twice, f"{name} has these twice: {twice}"
        return dict(pairs)

    return json.loads((TABLES / name).read_text(encoding="utf-8"), object_pairs_hook=members)


def places(text):
    """Which arguments a text takes: [0, 1] for both "{} {}" and "{1} {0}"."""
    plain = iter(range(10))
    return sorted(int(place) if place else next(plain) for place in PLACE.findall(text))


class Tables(unittest.TestCase):
    def names(self):
        return sorted(file.name for file in TABLES.glob("*.json"))

    def test_there_is_one_for_each_language(self):
        self.assertEqual(self.names(), ["de.json", "en.json"])

    def test_have_every_key_of_the_source_and_no_other(self):
        wanted = keys_of_source() | keys_of_page()
        self.assertGreater(len(wanted), 500)
        for name in self.names():
            has = set(table(name))
            self.assertEqual(sorted(wanted - has), [], f"{name} lacks these")
            self.assertEqual(sorted(has - wanted), [], f"nothing asks {name} for these")

    def test_stand_in_the_same_order(self):
        order = list(table("en.json"))
        for name in self.names():
            self.assertEqual(list(table(name)), order, name)

    def test_english_is_the_key_itself(self):
        for key, words in table("en.json").items():
            self.assertEqual(words, key.split("##")[0])

    def test_words_have_the_places_of_their_key(self):
        for name in self.names():
            for key, words in table(name).items():
                self.assertEqual(places(words), places(key), f"{name}: {key}")

    def test_no_words_are_missing(self):
        for name in self.names():
            for key, words in table(name).items():
                self.assertNotEqual(words, "", f"{name}: {key}")
                self.assertNotIn("##", words, f"{name}: {key}")


class Scanner(unittest.TestCase):
    def test_finds_what_is_handed_to_tr(self):
        text = """tr("a") str("no") tr(name) tr("b {}"
            " c", {x}) tr_count("{} d", "{} ds", n) tr_later("e\\n")
            Action{"file.f", "File", "F…", kNoChord}.found_by("g"
              " h") one_of<order, Order::kI>("i.i", "Menu", "I")"""
        self.assertEqual(
            keys_of(text),
            ["a", "b {} c", "{} d", "{} ds", "e\n", "File", "F…", "g h", "Menu", "I"],
        )

    def test_finds_what_a_page_says(self):
        script = "say('a'); x.say(name); sayCount('{} b', '{} bs', n); say('c {}', 'no'); {words: 'd', keys: []}"
        self.assertEqual(keys_of_script(script), ["a", "{} b", "{} bs", "c {}", "d"])
        parser = TextsOfPage()
        parser.feed('<p data-say title="e">f</p><p>no</p><button data-say aria-label="g"><svg></svg></button>')
        self.assertEqual(parser.keys, ["e", "f", "g"])

    def test_counts_places(self):
        self.assertEqual(places("{} of {}"), places("{1} von {0}"))
        self.assertNotEqual(places("{} of {}"), places("{0} von {0}"))


if __name__ == "__main__":
    unittest.main()
