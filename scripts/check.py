"""The rules of scripts/check.

A rule is a function check_NAME that yields a line for every fault, and raises Skip if it cannot be checked here. Rules
run side by side, on all processors; a rule with a list of items is called several times, each time with a part of them.
VDSIM_SAMPLE names the commit under test. Rules that use is_sampled() then judge only the files that this commit changes
and a tenth of the other files, drawn by its hash. If it is "all" or not set, they judge all files.
"""
import concurrent.futures
import functools
import glob
import hashlib
import itertools
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

USAGE = "usage: scripts/check [-l] [--tap] [CHECK ...]"
PARTS = 8  # parts of a list of items: enough to keep the processors busy, and few, as each start takes time
RULES = {}  # name: (function, function that lists its items or None)
# Files that may use stdio, some only for snprintf: text input and output; physics has no files.
STDIO_USERS = """
  base/system.h base/system_posix.c base/system_windows.c control/controls.c control/fmu2.c control/fmu3.c base/memory.c base/num.c base/text.c input/diag.h input/diag.c linkage/suspension_def.c
  compliance/wheel_compliance_def.c compliance/wheel_tables_def.c vehicle/drivetrain_def.c vehicle/steering_def.c
  vehicle/vehicle_def.c vehicle/vehicle_link.c fmi/mockup.c metrics/recorder.c metrics/series.c metrics/response.c
  run/scenario_step.c run/scenario_check.c run/instance.c run/run.c run/linear.c run/linear_write.c run/rig.c
  run/rig_metrics.c run/track_run.c run/limits_run.c run/kind.c run/subject.c sim/linearise.c kc/sensitivity.c kc/xcheck.c
  kc/xcheck_compliance.c input/expression.c validation/claim.c validation/performed.c validation/claim_read.c
  validation/finding.c validation/picture.c validation/claim_picture.c validation/claim_figure.c
  validation/claim_order.c validation/claim_energy.c validation/claim_compare.c validation/claim_boundary.c
  validation/claim_table.c validation/claim_refused.c validation/baseline.c validation/baseline_input.c study/base.c study/design.c
  study/factor.c study/tyre_fit.c study/tyre_fit_read.c study/tyre_fit_write.c study/run_fit.c study/run_fit_model.c
  study/journal.c study/study.c"""
SYSTEM = ["base/system.h", "base/system_posix.c", "base/system_windows.c"]
USERS = {**{name: SYSTEM for name in ("dirent.h", "dlfcn.h", "fcntl.h", "fnmatch.h", "io.h", "sys/stat.h", "unistd.h")},
         "stdio.h": STDIO_USERS.split(), "yaml.h": ["input/tree.c"], "csv.h": ["input/separated.c"],
         **{f"gsl/gsl_{name}.h": ["math/gsl_quiet.c", "math/least_squares.c"] for name in
            ("blas", "cdf", "errno", "linalg", "multifit_nlinear")}}
# Calls from one file to another that may close a circle, each with its reason.
PERMITTED_CALLS = {
    ("tyre/lugre.c", "tyre/tyre.c"): "a LuGre tyre has the steady curve of another tyre",
}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include\b[^<"\n]*(?:<([^>\n]*)>|"([^"\n]*)")', re.M)
NO_CODE = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|/\*.*?\*/', re.S)


class Skip(Exception):
    """A rule cannot be checked on this machine; the text says why."""


def rule(items=None):
    def note(function):
        RULES[function.__name__.removeprefix("check_")] = function, items
        return function
    return note


def output(*command):
    """Returns (whether the status is 0, all lines that the program prints)."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="latin-1")
    return done.returncode == 0, done.stdout.splitlines()


@functools.lru_cache(maxsize=None)
def files(*folders):
    """Returns the files of the tree, or of some folders: tracked files, and new ones that are not ignored."""
    if folders:
        return [name for name in files() if name.startswith(tuple(folder + "/" for folder in folders))]
    listed = shutil.which("git") and subprocess.run(["git", "ls-files", "-coz", "--exclude-standard"],
                                                    capture_output=True, encoding="utf-8")
    if listed and listed.returncode == 0:
        names = set(listed.stdout.split("\0"))
    else:
        names = {name for name in map(str, Path().rglob("*")) if not re.match(r"build|out/|\.git/", name)}
    return sorted(name for name in names if os.path.isfile(name) and not os.path.islink(name))


@functools.lru_cache(maxsize=None)
def changed():
    """Returns the files that the commit under test or the work tree changes; None without git."""
    done = shutil.which("git") and subprocess.run(["git", "diff", "--name-only", "-z", "HEAD~1"], capture_output=True,
                                                  encoding="utf-8")
    return set(done.stdout.split("\0")) if done and done.returncode == 0 else None


def is_sampled(path):
    """Whether a file is judged; VDSIM_SAMPLE may choose a part of them."""
    sample = os.environ.get("VDSIM_SAMPLE", "all")
    if sample in ("", "all") or changed() is None or path in changed():
        return True
    return hashlib.sha256((sample + path).encode()).digest()[0] % 10 == 0


def matching(*patterns):
    """Returns the files that match patterns, tracked by git or not; raises an error if there are none."""
    found = [name for pattern in patterns for name in sorted(glob.glob(pattern))]
    if not found:
        raise FileNotFoundError(" ".join(patterns))
    return found


@functools.lru_cache(maxsize=None)
def text(name):
    """Returns the contents of a file, with one character for each byte."""
    with open(name, encoding="latin-1", newline="") as file:
        return file.read()


@functools.lru_cache(maxsize=None)
def code(name):
    """Returns a file of C without its comments, strings and characters; lines keep their numbers."""
    return NO_CODE.sub(lambda found: "\n" * found[0].count("\n"), text(name))


def found_in(content, pattern, flags=re.M):
    """Yields the first place of a pattern in every line that has it: (line, match)."""
    last, line, at = 0, 1, 0
    for match in re.finditer(pattern, content, flags):
        line += content.count("\n", at, match.start())
        at = match.start()
        if line > last:
            yield line, match
        last = line


def includes(name):
    return ((line, match[1], match[2]) for line, match in found_in(text(name), INCLUDE, 0))


@rule()
def check_includes():
    """A file of lib/ includes only its own header and headers that lib/meson.build lists before it; a header that is
    not listed has the place of its .c file. The files of a folder are listed together, so that no two folders include
    each other."""
    listed = re.findall(r"'([^' \n]*\.[ch])'", re.sub("#.*", "", text("lib/meson.build")))
    at = {name: place for place, name in enumerate(dict.fromkeys(listed), 1)}
    for name in at:
        if not os.path.isfile(f"lib/{name}"):
            yield f"lib/meson.build: there is no lib/{name}"
    entered = set()
    for folder, names in itertools.groupby(at, lambda name: name.split("/")[0]):
        if folder in entered:
            yield f"lib/meson.build: {next(names)} is not listed with the other files of its folder"
        entered.add(folder)

    def place(name):
        return at.get(name, at.get(re.sub(r"\.h$", ".c", name), 0))

    for path in matching("lib/*.[ch]", "lib/*/*.[ch]"):
        name = path[len("lib/"):]
        if not place(name):
            yield f"{path} is not listed in lib/meson.build"
        for line, system, own in includes(path):
            if system:
                if name not in USERS.get(system, [name]):
                    yield f"{path}:{line}: <{system}> is not for this file"
            elif not os.path.isfile(f"lib/{own}"):
                yield f"{path}:{line}: there is no lib/{own}"
            elif own[:-2] != name[:-2] and place(own) >= place(name) > 0:
                yield f"{path}:{line}: {own} stands behind {name} in lib/meson.build"


@rule()
def check_physics():
    """Physics is separate from files: no file of model/, and no header of the parts that models are made of, includes
    input/schema.h, directly or through others. Exempt are headers *_def.h, which hold the keys of files, and *_impl.h
    and *_rows.h, which only their folder uses."""
    known = {"input/schema.h": "input/schema.h"}

    def way(name):  # from a file to the schema, or ""
        if name not in known:
            known[name] = ""
            headers = (own for _, _, own in includes(f"lib/{name}") if own) if os.path.isfile(f"lib/{name}") else ()
            known[name] = next((f"{name} > {found}" for found in map(way, headers) if found), "")
        return known[name]

    for path in matching("lib/model/*.[ch]", *(f"lib/{folder}/*.h" for folder in
                         "course ground linkage compliance tyre vehicle track_car".split())):
        if not path.endswith(("_def.h", "_impl.h", "_rows.h")) and way(path[len("lib/"):]):
            yield f"{path} reaches {way(path[len('lib/'):])}"


@rule()
def check_libm():
    """No function of libm is used whose last bits differ between libraries; lib/base/elementary.h has own functions."""
    inexact = (r"(?<![A-Za-z0-9_.>])(?:a?(?:sin|cos|tan)h?|atan2|exp(?:2|10|m1)?|log(?:2|10|1p)?|pow|hypot|cbrt|erfc?"
               r"|[lt]gamma|fma|fmin|fmax)\(")
    for path in matching("lib/*.[ch]", "lib/*/*.[ch]"):
        for line, match in found_in(code(path), inexact):
            yield f"{path}:{line}: {match[0]}...)"


@rule()
def check_wide():
    """Only inlined functions take or return wide vectors by value. The registers that pass a vector depend on the
    processor for which a function is compiled, and levels are compiled for two processors."""
    passes = (r"^(?:(?:static |inline )*vd_wide3? [a-z_0-9]+\("
              r"|(?:static|inline|vd_|void|bool|int|double|unsigned).*[(,] ?(?:const )?vd_wide3? [a-z_0-9]+[,)])")
    for path in matching("lib/*/*.c", "lib/*/*.h"):
        for line, _ in found_in(text(path), passes):
            yield f"{path}:{line}: passes a wide vector, but is not VD_INLINE"
    for path in matching("lib/*/*.c"):
        for line, _ in found_in(text(path), "^VD_WIDE static"):
            yield f"{path}:{line}: a function that is chosen at the start is not static"


@rule()
def check_calls():
    """No files of lib/ call each other in a circle. A function counts as called wherever its name stands outside of
    comments."""
    paths, home, calls, callees = matching("lib/*/*.c"), {}, {}, {}
    for path in paths:
        for _, match in found_in(code(path), r"^(?!static)[A-Za-z](?=.*vd_[a-z0-9_]+\()[^;=\n]*$"):
            home[re.search(r"(vd_[a-z0-9_]+)\(", match[0])[1]] = path[len("lib/"):]
    for path in paths:
        file = path[len("lib/"):]
        for name in dict.fromkeys(re.findall("vd_[a-z0-9_]+", code(path))):
            if home.get(name, file) != file and (file, home[name]) not in PERMITTED_CALLS:
                calls.setdefault((file, home[name]), []).append(name)
                callees.setdefault(file, set()).add(home[name])

    @functools.lru_cache(maxsize=None)
    def reached(file):
        found, ahead = set(), [file]
        while ahead:
            new = callees.get(ahead.pop(), set()) - found
            found |= new
            ahead += new
        return found

    for (caller, callee), names in sorted(calls.items()):
        if caller in reached(callee):
            yield f"lib/{caller} calls in a circle lib/{callee}: {' '.join(names)}"


@rule()
def check_types():
    """A type whose name begins with vd_ is defined only once: as a struct, union or enum with its members, or by a
    typedef. `typedef struct vd_x vd_x;' is a declaration and does not count."""
    first = {}
    for path in [path for path in files("lib", "cli") if path.endswith((".c", ".h"))]:
        for line, match in found_in(text(path), r"^(?:typedef )?(?:struct|union|enum) (vd_[a-z0-9_]+) *(?:\{|$)"
                                    r"|^(?:\} |typedef .*[ *])(vd_[a-z0-9_]+);"):
            here, name = f"{path}:{line}", match[1] or match[2]
            there = first.setdefault((name, bool(match[1])), here)
            if there != here:
                yield f"{here}: the type {name} is defined in {there}, too"


def compiled():
    """Lists what every compiler on this machine must compile alone: headers, and the sources of scripts/fuzz."""
    paths = matching("lib/*.h", "lib/*/*.h", "tests/*/*.h", "cli/*.h", "tests/fuzz/*.c")
    return [(compiler, path.endswith(".c"), path)
            for compiler in ("gcc", "clang") if shutil.which(compiler)
            for path in sorted(filter(is_sampled, paths), key=lambda p: p[-1])]


@rule(compiled)
def check_headers(items):
    """Every header compiles alone, and so do the sources of scripts/fuzz. One call of a compiler takes many files; if
    it prints anything, each file is compiled by a call of its own."""
    with tempfile.TemporaryDirectory(prefix="vdsim-check.") as work:
        for (compiler, is_source), group in itertools.groupby(items, lambda item: item[:2]):
            command = [compiler, *"-std=c17 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Wpedantic -Werror -Ilib".split(),
                       *([] if is_source else ["-I.", "-Itests/common", "-Icli"]), "-fsyntax-only"]
            units = {path: path for _, _, path in group}
            if not is_source:
                for k, path in enumerate(units):
                    units[path] = f"{work}/{k}.c"
                    Path(units[path]).write_text(f'#include "{path}"\n')
            if not output(*for_many(command), *units.values())[0]:
                for path, unit in units.items():
                    fine, printed = output(*command, unit)
                    yield from printed
                    if not fine:
                        yield f"{path} does not compile {'' if is_source else 'alone '}with {compiler}"


def for_many(command):
    """The command that compiles several files in one process: clang -cc1, since the driver starts a process for
    each."""
    fine, printed = output(*command, "-###", "-x", "c", os.devnull)
    one = shlex.split(printed[-1])[:-1] if fine else []
    return one if "-cc1" in one else command


@rule()
def check_man():
    """Manual pages are well-formed."""
    if not shutil.which("mandoc"):
        raise Skip("no mandoc")
    yield from output("mandoc", "-Tlint", "-Wwarning", *matching("man/*.[1-9]"))[1]


@rule()
def check_equations():
    """Equations of vdsim-models(7) are numbered in order by chapter, and references to them have a target. Each
    equation names files of lib/, and claims of validation/ or lines of tests/, that exist."""
    page = "man/vdsim-models.7"
    chapter = number = 0
    known, references, items = set(), [], []
    for line, words in enumerate(text(page).split("\n"), 1):
        if head := re.match(r"\.Sh (\d+)\. ", words):
            if int(head[1]) != chapter + 1:
                yield f"{page}:{line}: chapter {head[1]} follows {chapter}"
            chapter, number = int(head[1]), 0
        elif item := re.match(r"\.It \((\d+\.\d+)\)$", words):
            number += 1
            if item[1] != f"{chapter}.{number}":
                yield f"{page}:{line}: equation ({item[1]}) is not ({chapter}.{number})"
            known.add(item[1])
            items.append((line, item[1], []))
        elif re.match(r"\.(El|Sh)\b", words):
            items.append((line, "", []))
        else:
            references += [(line, name) for name in re.findall(r"\((\d+\.\d+)\)", words)]
        if items:
            items[-1][2].append(words)
    for line, name in references:
        if name not in known:
            yield f"{page}:{line}: there is no equation ({name})"
    for line, name, words in items:
        for wrong in equation_faults(" ".join(words)) if name else ():
            yield f"{page}:{line}: equation ({name}) {wrong}"


def equation_faults(item):
    """Yields what an equation of the theory manual lacks: its formula, its source files, its claims or tests."""
    if not re.search(r"\.EQ .+ \.EN", item):
        yield "has no .EQ and .EN"
    sources = re.findall(r"\.Pa (lib/\S+)", item)
    tests = re.findall(r"\.Pa ((?:validation|tests)/\S+) : \\\(lq(.*?)\\\(rq", item)
    if not sources:
        yield "names no file of lib/"
    if not tests:
        yield "names neither claim nor test"
    for path in sources + [path for path, _ in tests]:
        if not os.path.exists(path):
            yield f"names {path}, which is not there"
    for path, title in tests:
        if os.path.exists(path) and title not in titles(path):
            yield f"names a title that {path} lacks: {title}"


@functools.lru_cache(maxsize=None)
def titles(path):
    """Returns the sentences of the claims in a file of validation/, or the strings of a test."""
    if path.endswith(".yaml"):
        return {re.sub("^[\"']|[\"']$", "", claim) for claim in re.findall("^ *- claim: *(.*)", text(path), re.M)}
    return {"".join(re.findall(r'"((?:\\.|[^"\\])*)"', several))
            for several in re.findall(r'"(?:\\.|[^"\\])*"(?:\s*"(?:\\.|[^"\\])*")*', text(path))}


@rule(lambda: [path for path in files("lib", "cli", "tests") if path.endswith((".c", ".h")) and is_sampled(path)])
def check_format(paths):
    """Sources are formatted by clang-format 14; other versions give another layout."""
    if not shutil.which("clang-format") or "version 14." not in output("clang-format", "--version")[1][0]:
        raise Skip("no clang-format 14")
    seen = set()
    for line in output("clang-format", "--dry-run", "-Werror", *paths)[1]:
        match = re.match(r"([^ :]*):(\d+):.*clang-format-violations", line)
        if match and match[1] not in seen:
            seen.add(match[1])
            yield f"{match[1]}:{match[2]}: should be clang-formatted"


@rule()
def check_tests():
    """Every test file is in tests/meson.build, in a list whose name ends in "tests", and every test in such a list has
    a file. A shell test may be listed with or without its ending."""
    lists = re.findall(r"tests *\+?= *(?:files\(|[\[({])(.*?)[\])}] *$",
                       re.sub("#.*", "", text("tests/meson.build")), re.M | re.S)
    listed = {re.sub(r"\.(c|sh)$", "", name) for names in lists for name in re.findall("'([^']*)'", names)}
    present = {re.sub(r"^tests/|\.(c|sh)$", "", path): path for path in matching("tests/*/*.c", "tests/*/*.sh")
               if not re.match("tests/(common|bench|fuzz)/", path)}
    for name in sorted(present.keys() - listed):
        yield f"{present[name]}: not in tests/meson.build"
    for name in sorted(listed - present.keys()):
        yield f"tests/meson.build: there is no test '{name}'"
    first = {}  # meson names a test by its file, without the folder, and refuses two tests of one name
    for name in sorted(present):
        other = first.setdefault(name.split("/")[-1], name)
        if other != name:
            yield f"tests/{other}, tests/{name}: two tests of one name"


@rule()
def check_worst():
    """No test takes the worst of many values with fmax, fmin or a negated comparison, which lose a NaN; tap_max and
    tap_min of tests/common/tap.h keep it."""
    for path in files("tests"):
        if path.endswith((".c", ".h")) and not path.startswith("tests/bench/"):
            for line, match in found_in(code(path), r"([\w.>\[\]*-]+) = f(?:max|min)\(\s*\1,|"
                                        r"if \(!\([^;]* [<>]= ([\w.>\[\]*-]+)\)\)\s*\2 = |"
                                        r"([\w.>\[\]*-]+) = [^;?]* [<>]= \3\)? \? "):
                yield f"{path}:{line}: {' '.join(match[0].split())}: use tap_max or tap_min"


@rule()
def check_mutants():
    """Every mutant of tests/mutants.tsv has a place in lib/, and no line of the list quotes source."""
    yield from output(sys.executable, "-B", "scripts/mutants.py", "check")[1]


@rule()
def check_text():
    """Files have no tabs and no blanks at the end of a line, and end with a newline. Inputs for tests of errors and
    schemas of other projects are exempt."""
    may = re.compile(r"tests/(bad|bad_tir|good_tir|good_adams|corpus)/.*\.(yaml|tir|expect)$|tests/fmi/schema./.*|.*\.(png|pdf|gz)$")
    for path in files():
        if may.match(path):
            continue
        for word, pattern in (("tab", "\t"), ("blank at the end", "[ \t]$"), ("carriage return", "\r")):
            for line, _ in found_in(text(path), pattern):
                yield f"{path}:{line}: {word}"
        if text(path) and not text(path).endswith("\n"):
            yield f"{path}: no newline at the end"


@rule()
def check_paths():
    """No file contains a path that exists only on one machine."""
    for path in files():
        if "\0" not in text(path):
            for line, _ in found_in(text(path), "(?<![A-Za-z0-9_.})-])/(?:home|root|work)/"):
                yield f"{path}:{line}:" + text(path).split("\n")[line - 1]


@rule()
def check_docs():
    """Every file and folder that the documents name exists; a file that is named without a folder is in lib/."""
    named = (r"(?<![A-Za-z0-9_./-])((?:lib|cli|scripts|tests|scenarios|validation|man|baselines)/"
             r"[A-Za-z0-9_./-]*[A-Za-z0-9_/]|[a-z0-9_]+\.[ch])(?![A-Za-z0-9_*])")
    short = {os.path.basename(path) for folder in ("lib", "cli", "tests/library")
             for path in glob.glob(f"{folder}/**", recursive=True)}
    for document in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"):
        for number, line in enumerate(text(document).split("\n"), 1):
            for name in re.findall(named, line):
                if "NAME" in name or name in ("_def.c", "_def.h", "control.c", "stdio.h"):  # *_def.h; of an example
                    continue
                if "/" in name:
                    if not os.path.exists(name):
                        yield f"{document}:{number}: there is no {name}"
                elif not any(file == name or file.endswith(f"_{name}") for file in short):
                    yield f"{document}:{number}: there is no {name} in lib/"


@rule()
def check_columns():
    """Lines have at most 120 columns; data may have more."""
    for path in files("lib", "cli", "tests"):
        if re.search(r"\.([ch]|sh|py|awk|sed|js)$", path):
            for line, match in found_in(text(path), "^.{121,}"):
                yield f"{path}:{line}: {len(match[0])} columns"


@rule(lambda: [path for path in files() if re.match("#!.*sh$", text(path), re.M)])
def check_scripts(paths):
    """Shell scripts are grammatical and executable, and shellcheck finds no fault in them."""
    for path in paths:
        yield from output("sh", "-n", path)[1]
        if not os.access(path, os.X_OK):
            yield f"{path} is not executable"
    paths = list(filter(is_sampled, paths))
    if paths and shutil.which("shellcheck"):
        yield from output("shellcheck", "-x", "-f", "gcc", *paths)[1]


@rule()
def check_claims():
    """Every claim is a sentence that can be read alone. It begins with a capital letter, a digit or $each, but not with
    a conjunction or a pronoun, and has at least four words."""
    for path in matching("validation/*.yaml", "validation/*/*.yaml"):
        for line, match in found_in(text(path), "^ *- claim:(.*)"):
            claim = re.sub("^[\"']|[\"']$", "", match[1].lstrip(" "))
            for words, wrong in (
                    ("does not begin with a capital letter", not re.match(r"[A-Z0-9]|\$each ", claim)),
                    ("begins with a conjunction", re.match("(And|But|Or|Nor|So|Also|Too) ", claim)),
                    ("does not name its subject", re.match("(It|Its|They|Their|He|His|She|Her) ", claim)),
                    ("has fewer than four words", len(claim.split()) < 4)):
                if wrong:
                    yield f"{path}:{line}: the claim {words}"


def ask(function, *part):
    """Returns the faults that a rule finds, and the reason why it is skipped, else ""."""
    try:
        return list(function(*part)), ""
    except Skip as reason:
        return [], str(reason)
    except Exception:  # pylint: disable=broad-except
        return traceback.format_exc().splitlines() + ["the check itself failed"], ""


def submit(pool, name):
    function, listed = RULES[name]
    if not listed:
        return [pool.submit(ask, function)]
    items = listed()
    count = min(PARTS, len(items))
    return [pool.submit(ask, function, items[len(items) * k // count:len(items) * (k + 1) // count])
            for k in range(count)]


def report(tap, number, name, answers):
    """Prints the line of a rule and the faults found; returns whether there are none."""
    found = [line for lines, _ in answers for line in lines]
    skipped = next((reason for _, reason in answers if reason), "")
    if found:
        print(f"not ok {number} - {name}: {len(found)} found" if tap else f"FAILED  {name}: {len(found)} found")
        print("\n".join(("# " if tap else "        ") + line for line in found))
    elif skipped:
        print(f"ok {number} - {name} # SKIP {skipped}" if tap else f"skipped {name}: {skipped}")
    else:
        print(f"ok {number} - {name}" if tap else f"ok      {name}")
    sys.stdout.flush()
    return not found


def main(arguments):
    if arguments[:1] in (["-l"], ["-h"], ["--help"]):
        print("\n".join(RULES) if arguments[0] == "-l" else USAGE)
        return 0
    tap = arguments[:1] == ["--tap"]
    names = arguments[tap:] or list(RULES)
    for name in names:
        if name not in RULES:
            print(f"check: unknown check '{name}'", file=sys.stderr)
            return 2
    sys.stdout.reconfigure(encoding="latin-1")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if tap:
        print(f"1..{len(names)}")
    pool = concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0)))
    try:
        longest_first = sorted(names, key=lambda name: not RULES[name][1])
        jobs = {name: submit(pool, name) for name in longest_first}
        good = [report(tap, k, name, [job.result() for job in jobs[name]]) for k, name in enumerate(names, 1)]
    finally:
        pool.shutdown(cancel_futures=True)
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
