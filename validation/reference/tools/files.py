"""A reader of the YAML in which scenarios, vehicles, suspensions and tyres of this project are written: mappings by
indentation or braces, lists in brackets, anchors, aliases, `base`. Numbers become SI; everything else stays text."""
import os
import re

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
UNITS = {
    "m": 1, "mm": 1e-3, "m2": 1, "kg": 1, "kg m2": 1, "N": 1, "kN": 1e3, "N/m": 1, "N/mm": 1e3, "kN/m": 1e3,
    "N s/m": 1, "N m": 1, "N m/rad": 1, "kN/rad": 1e3, "m/s": 1, "km/h": 1 / 3.6, "rad": 1, "s": 1, "ms": 1e-3,
    "Hz": 1, "%": 0.01, "deg": 0.017453292519943295, "kPa": 1e3, "bar": 1e5,
    "kN/mm": 1e6,
}


def read(path, exact=None):
    """The mapping of a file, merged into that of its base; paths are relative to the root of the project. exact: a
    function that converts digits to a number, float if not given."""
    place = os.path.join(ROOT, path)
    with open(place, encoding="utf-8") as file:
        lines = [re.sub(r"(^|\s)#.*", "", line.rstrip("\n")) for line in file]
    tree = _Reader([line for line in lines if line.strip()], exact or float).block(0)
    if "base" not in tree:
        return tree
    base = read(os.path.join(os.path.dirname(path), tree.pop("base")), exact)
    return merged(base, tree)


def merged(base, over):
    if not isinstance(base, dict) or not isinstance(over, dict):
        return over
    return {key: merged(base[key], over[key]) if key in base and key in over else over.get(key, base.get(key))
            for key in list(base) + [key for key in over if key not in base]}


class _Reader:
    def __init__(self, lines, number):
        self.lines, self.at, self.anchors, self.number = lines, 0, {}, number

    def block(self, indent):
        """The mapping whose keys stand at this column."""
        tree = {}
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if len(line) - len(line.lstrip()) != indent:
                break
            key, _, text = line.strip().partition(":")
            self.at += 1
            anchor = re.match(r"\s*&(\w+)", text)
            text = text[anchor.end():].strip() if anchor else text.strip()
            if not text and self.at < len(self.lines):
                deeper = self.lines[self.at]
                value = self.block(len(deeper) - len(deeper.lstrip()))
            else:
                while sum(map(text.count, "[{")) > sum(map(text.count, "]}")):
                    text += " " + self.lines[self.at].strip()
                    self.at += 1
                value = self.flow(text)
            if anchor:
                self.anchors[anchor.group(1)] = value
            tree[key] = value
        return tree

    def flow(self, text):
        tokens = re.findall(r'"[^"]*"|[{}\[\],]|:(?=\s)|(?:[^{}\[\],:"]|:(?!\s))+', text)
        value, _ = self._value([t.strip() for t in tokens if t.strip()], 0)
        return value

    def _value(self, tokens, i):
        if not tokens or tokens[i] not in "{[":
            return self._scalar(tokens[i] if tokens else ""), i + 1
        close, items, tree = "}" if tokens[i] == "{" else "]", [], {}
        i += 1
        while tokens[i] != close:
            if tokens[i] == ",":
                i += 1
            elif close == "}":
                key = tokens[i]
                tree[key], i = self._value(tokens, i + 2)
            else:
                item, i = self._value(tokens, i)
                items.append(item)
        return (tree if close == "}" else items), i + 1

    def _scalar(self, text):
        if text.startswith("*"):
            return self.anchors[text[1:]]
        found = re.fullmatch(r"([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*(.*)", text)
        if not found or (found.group(2) and found.group(2) not in UNITS):
            return text.strip('"')
        value = self.number(found.group(1))
        return value * self.number(str(UNITS[found.group(2)])) if found.group(2) else value
