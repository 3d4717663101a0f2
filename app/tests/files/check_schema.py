"""The Python side of session_schema_test.cpp.

check_schema.py SCHEMA FOLDER: fails if the schema is invalid, if a good-*.json in FOLDER does not
conform to it, or if a bad-*.json does.
"""
import json
import pathlib
import sys

from jsonschema import Draft202012Validator

schema = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
counts = {"good": 0, "bad": 0}
for path in sorted(pathlib.Path(sys.argv[2]).glob("*.json")):
    kind = path.name.split("-")[0]
    errors = list(validator.iter_errors(json.loads(path.read_text(encoding="utf-8"))))
    if kind == "good":
        assert not errors, f"{path.name}: {errors[0].json_path}: {errors[0].message}"
    else:
        assert errors, f"{path.name} follows the schema"
    counts[kind] += 1
print(f"{counts['good']} follow the schema, {counts['bad']} do not")
assert all(counts.values()), "nothing was checked"
