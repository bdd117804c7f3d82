# SPDX-License-Identifier: Apache-2.0
# JSON files against the schema of `mrpb help-json`: schema.py SCHEMA KIND=FILE... [-PATH...]
# Each file is of its kind, and is not with a field less or more; each figure has a unit; each field of the schema is in a file,
# but for those that are named with a minus: -KIND.FIELD, or -KIND.FIELD* with all that begin so.
import copy
import json
import sys

import jsonschema


def walk(schema, path=""):
    """Every field of a schema, as docs/json.md names it."""
    for name, one in schema.get("properties", {}).items():
        here = f"{path}.{name}" if path else name
        yield here, one
        yield from walk(one, here)
    if "items" in schema:
        yield path + "[]", schema["items"]
        yield from walk(schema["items"], path + "[]")
    if isinstance(schema.get("additionalProperties"), dict):
        yield path + "{}", schema["additionalProperties"]
        yield from walk(schema["additionalProperties"], path + "{}")


def seen_in(value, schema, path=""):
    """The fields of the schema that a value has."""
    if isinstance(value, dict):
        for name, one in value.items():
            known = schema.get("properties", {}).get(name)
            here = (f"{path}.{name}" if path else name) if known else path + "{}"
            more = schema.get("additionalProperties")
            yield here
            yield from seen_in(one, known or (more if isinstance(more, dict) else {}), here)
    elif isinstance(value, list):
        for one in value:
            yield path + "[]"
            yield from seen_in(one, schema.get("items", {}), path + "[]")


def objects(value, schema, at=()):
    """Where objects with named members are: the first of each list."""
    if isinstance(value, dict) and "properties" in schema:
        yield at, schema
        for name, one in value.items():
            yield from objects(one, schema["properties"].get(name, {}), at + (name,))
    elif isinstance(value, dict) and value and isinstance(schema.get("additionalProperties"), dict):
        name = next(iter(value))
        yield from objects(value[name], schema["additionalProperties"], at + (name,))
    elif isinstance(value, list) and value:
        yield from objects(value[0], schema.get("items", {}), at + (0,))


def at(value, path):
    for part in path:
        value = value[part]
    return value


def left_out(field):
    """Whether an argument names it, or the part of a file that it is in, with a * behind."""
    return any(field == a or (a[-1:] == "*" and field.startswith(a[:-1])) for a in sys.argv[2:])


with open(sys.argv[1], encoding="utf-8") as f:
    whole = json.load(f)
jsonschema.Draft202012Validator.check_schema(whole)
everything = jsonschema.Draft202012Validator(whole)
wrong = []
seen = {}
for word in sys.argv[2:]:
    if word.startswith("-"):
        continue
    kind, name = word.split("=", 1)
    with open(name, encoding="utf-8") as f:
        value = json.load(f)
    schema = whole["$defs"][kind]
    valid = jsonschema.Draft202012Validator(schema)
    for e in list(valid.iter_errors(value))[:3]:
        wrong.append(f"{word}: {e.json_path}: {e.message[:200]}")
    if not everything.is_valid(value):
        wrong.append(f"{word}: not valid as any file")
    seen.setdefault(kind, set()).update(seen_in(value, schema))
    for path, one in list(objects(value, schema))[:40]:
        part = whole["$defs"][kind]
        for p in path:
            part = part["items"] if p == 0 else part.get("properties", {}).get(p) or part["additionalProperties"]
        check = jsonschema.Draft202012Validator(part)
        more = copy.deepcopy(at(value, path))
        more["another"] = 1
        if check.is_valid(more):
            wrong.append(f"{word}: {path}: valid with a field more")
        for name in one["required"]:
            less = {k: v for k, v in at(value, path).items() if k != name}
            if check.is_valid(less):
                wrong.append(f"{word}: {path}: valid without {name}")
for kind, schema in whole["$defs"].items():
    for path, one in walk(schema):
        types = one.get("type", "enum" if "enum" in one else None)
        if types is None:
            wrong.append(f"{kind}: {path}: without a type")
        if not {"integer", "number"}.isdisjoint([types] if isinstance(types, str) else types or []) and not one.get("unit"):
            wrong.append(f"{kind}: {path}: a figure without a unit")
        if (path in seen.get(kind, ())) == left_out(f"-{kind}.{path}"):
            wrong.append(f"{kind}: {path}: in no file" if path not in seen.get(kind, ()) else f"{kind}: {path}: is in a file")
for line in wrong:
    print(line)
print(f"{len(sys.argv) - 2} files, {sum(1 for s in whole['$defs'].values() for _ in walk(s))} fields, {len(wrong)} wrong")
sys.exit(bool(wrong))
