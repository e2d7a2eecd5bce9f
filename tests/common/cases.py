#!/usr/bin/env python3
"""Unpacks the families of test inputs, tests/FOLDER/FAMILY.cases, into files. CONTRIBUTING.md describes their form.

Usage: cases.py TREE FOLDER...               unpack into TREE
       cases.py --update TREE FOLDER ENDING  copy the messages of inputs NAME.ENDING from TREE

TREE becomes a second top folder: tests/FOLDER in it has each input as a file, NAME.args with its options, NAME.expect
with its messages, and the files that stand in FOLDER by themselves. Everything else in TREE is a link, so that names in
messages and relative references are those of the repository.
"""
import pathlib
import shutil
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
PARTS = ("input", "options", "message")


def read_family(path):
    """Returns the lines before the first case, and a list of cases: dicts of the name and the text of each part."""
    head, cases, part = "", [], None
    lines = path.read_bytes().decode().split("\n")[:-1]
    for number, line in enumerate((line + "\n" for line in lines), 1):
        place = f"{path.relative_to(TOP)}:{number}"
        if line.startswith("=== "):
            if cases:
                cases[-1][part] = without_last_blank_line(cases[-1][part])
            part = "input"
            cases.append({"name": line[4:].strip(), "place": place, **dict.fromkeys(PARTS, "")})
        elif not cases:
            head += line
        elif line.startswith("--- ") and line[4:].strip() in PARTS[1:]:
            part = line[4:].strip()
        elif line.startswith("--- "):
            sys.exit(f"{place}: error: the parts of a case are 'options' and 'message'")
        else:
            cases[-1][part] += line
    return head, cases


def without_last_blank_line(text):
    return text[:-1] if text.endswith("\n\n") or text == "\n" else text


def write_family(path, head, cases):
    texts = []
    for case in cases:
        text = f"=== {case['name']}\n{case['input']}"
        texts.append(text + "".join(f"--- {part}\n{case[part]}" for part in PARTS[1:] if case[part]))
    path.write_bytes((head + "\n".join(texts)).encode())


def link_others(source, target, but):
    for entry in source.iterdir():
        if entry.name not in but and not entry.name.startswith("."):
            (target / entry.name).symlink_to(entry)


def unpack(tree, folder):
    source, target = TOP / "tests" / folder, tree / "tests" / folder
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.cases"))
    for family in sorted(source.glob("*.cases")):
        for case in read_family(family)[1]:
            file = target / case["name"]
            if not case["input"] and not file.exists():
                sys.exit(f"{case['place']}: error: '{case['name']}' has no input, here or as a file")
            for part, path in zip(PARTS, (file, file.with_suffix(".args"), file.with_suffix(".expect"))):
                text = case[part]
                if text and path.exists():
                    sys.exit(f"{case['place']}: error: '{path.relative_to(target)}' exists twice")
                if text:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(text.encode())


def update(tree, folder, ending):
    source, target = TOP / "tests" / folder, tree / "tests" / folder
    listed = set()
    for family in sorted(source.glob("*.cases")):
        head, cases = read_family(family)
        for case in cases:
            message = (target / case["name"]).with_suffix(".expect")
            if case["name"].endswith("." + ending) and message.exists() and not (source / message.name).exists():
                case["message"] = message.read_bytes().decode()
                listed.add(message.name)
        write_family(family, head, cases)
    for message in target.glob("*.expect"):
        if message.name not in listed and message.stat().st_size:
            shutil.copy(message, source / message.name)


def main(arguments):
    if arguments[:1] == ["--update"] and len(arguments) == 4:
        update(pathlib.Path(arguments[1]), *arguments[2:])
    elif len(arguments) >= 2 and not arguments[0].startswith("-"):
        tree, folders = pathlib.Path(arguments[0]), arguments[1:]
        (tree / "tests").mkdir(parents=True)
        link_others(TOP, tree, ["tests"])
        link_others(TOP / "tests", tree / "tests", folders)
        for folder in folders:
            unpack(tree, folder)
    else:
        sys.exit(__doc__)


main(sys.argv[1:])
