"""Validates files by a JSON Schema. It knows only the keywords of draft 07 that the programs write.

Usage: schema.py SCHEMA DOCUMENTS FILE...    DOCUMENTS: a line of JSON for each file
Prints the files that are not valid, each with the place of one reason.
"""
import json
import re
import sys

KNOWN = {"$ref", "$schema", "title", "description", "definitions", "type", "enum", "const", "pattern",
         "minimum", "maximum",
         "exclusiveMinimum", "exclusiveMaximum", "properties", "additionalProperties", "propertyNames",
         "required", "items",
         "minItems", "maxItems", "anyOf", "allOf", "not", "if", "then", "else"}


def is_type(value, name):
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return {"object": isinstance(value, dict), "array": isinstance(value, list), "string": isinstance(value, str),
            "boolean": isinstance(value, bool), "number": number, "null": value is None,
            "integer": number and value == int(value)}[name]


def same(a, b):
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def wrong(value, schema, root, place=""):
    """Returns the place of the first fault, or None."""
    if "$ref" in schema:  # other keywords beside it have no effect
        name = schema["$ref"].split("/")
        assert name[:2] == ["#", "definitions"], name
        return wrong(value, root["definitions"][name[2]], root, place)
    assert set(schema) <= KNOWN, set(schema) - KNOWN
    if "type" in schema:
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(is_type(value, t) for t in types):
            return f"{place}: not of type {types}"
    if "enum" in schema and not any(same(value, v) for v in schema["enum"]):
        return f"{place}: not in {schema['enum'][:4]}"
    if "const" in schema and not same(value, schema["const"]):
        return f"{place}: not {schema['const']}"
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        return f"{place}: '{value}' does not fit the pattern"
    if is_type(value, "number"):
        low, high = schema.get("minimum"), schema.get("maximum")
        above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
        if (low is not None and not value >= low) or (high is not None and not value <= high) or (
                above is not None and not value > above) or (below is not None and not value < below):
            return f"{place}: {value} is out of range"
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            return f"{place}: {len(value)} items"
        for i, item in enumerate(value):
            bad = wrong(item, schema.get("items", {}), root, f"{place}.{i}")
            if bad:
                return bad
    if isinstance(value, dict):
        for key in schema.get("required", []):
            if key not in value:
                return f"{place}: no key {key}"
        for key, item in value.items():
            bad = wrong(key, schema.get("propertyNames", {}), root, f"{place}.{key} (name)")
            if key in schema.get("properties", {}):
                bad = bad or wrong(item, schema["properties"][key], root, f"{place}.{key}")
            elif schema.get("additionalProperties", True) is False:
                bad = bad or f"{place}: unknown key {key}"
            if bad:
                return bad
    for part in schema.get("allOf", []):
        bad = wrong(value, part, root, place)
        if bad:
            return bad
    if "anyOf" in schema:
        reasons = [wrong(value, part, root, place) for part in schema["anyOf"]]
        if None not in reasons:
            return max(reasons, key=lambda r: r.count("."))
    if "not" in schema and wrong(value, schema["not"], root, place) is None:
        return f"{place}: is what it must not be"
    if "if" in schema:
        branch = "then" if wrong(value, schema["if"], root, place) is None else "else"
        return wrong(value, schema.get(branch, {}), root, place)
    return None


def main():
    root = json.load(open(sys.argv[1], encoding="utf-8"))
    documents = open(sys.argv[2], encoding="utf-8").read().split("\n")[:-1]
    assert len(documents) == len(sys.argv) - 3, len(documents)
    for name, text in zip(sys.argv[3:], documents):
        bad = wrong(json.loads(text), root, root)
        if bad:
            print(f"{name}{bad}")


main()
