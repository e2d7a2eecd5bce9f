#!/bin/sh
# The numbers of statements and cases in validation/COUNTS.md, by their evidence, are counted again from the files of
# claims.
# Usage: tests/scripts/results.sh YAML-JSON
# Reads validation/; writes a temporary folder. Skipped without python3.
set -u

command -v python3 >/dev/null || { echo "1..0 # SKIP no python3"; exit 0; }

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

plan 5
# The page is compared with the files as they are written, without a reader of claims.
cat >"$work/count.py" <<'END'
import json, pathlib, subprocess, sys
reader, folder, page = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
statements, cases, total = {}, {}, {}
for path in [p for p in folder.rglob("*.yaml") if "data" not in p.relative_to(folder).parts]:
    file = json.loads(subprocess.run([reader, path], check=True, capture_output=True).stdout)
    name = str(path.relative_to(folder))
    claims = file["claims"] if isinstance(file["claims"], list) else [file["claims"]]
    row = statements[name] = {}
    for claim in claims:
        word = "baseline" if claim["kind"] == "baseline" else claim.get("evidence", file.get("evidence"))
        each = claim.get("each", [None])
        many = len(each) if isinstance(each, list) else 1
        row[word] = row.get(word, 0) + 1
        total[word] = total.get(word, 0) + 1
        cases[word] = cases.get(word, 0) + many
        row["cases"] = row.get("cases", 0) + many
    row["statements"] = len(claims)
found, all_of, heads = {}, {}, None
for line in open(page, encoding="utf-8"):
    cells = [c.strip() for c in line.strip().strip("|").split("|")]
    if line.startswith("| file |") or line.startswith("| evidence |"):
        heads = cells
    elif line.startswith("| ") and heads and heads[0] == "evidence":
        all_of[cells[0]] = (int(cells[1]), int(cells[2]))
    elif line.startswith("| ") and heads:
        name = cells[0].rsplit("](", 1)[1].rstrip(")")
        found[name] = {h: int(c) for h, c in zip(heads[1:], cells[1:]) if c}
bad = 0
for name in sorted(set(found) | set(statements)):
    want, got = statements.get(name, {}), found.get(name, {})
    for key in sorted(set(want) | set(got) - {"hold", "fail", "known failures"}):
        if want.get(key, 0) != got.get(key, 0):
            bad += 1
            print(f"{name}: {want.get(key, 0)} {key}, the page has {got.get(key, 0)}")
for word in sorted(set(all_of) | set(total)):
    want = (total.get(word, 0), cases.get(word, 0))
    if all_of.get(word, (0, 0)) != want:
        bad += 1
        print(f"{word}: {want} statements and cases, the page has {all_of.get(word)}")
print(sum(s for s, _ in all_of.values()), "statements")
sys.exit(bad > 0)
END
counted() { # FOLDER PAGE
  python3 -B "$work/count.py" "$exe" "$1" "$2" >"$work/out" 2>"$work/err"
}
counted validation validation/COUNTS.md
check "statements and cases of each kind of evidence are those of the files" "$work/out" "$work/err"
[ "$(sed -n 's/^\([0-9]*\) statements, .*/\1/p' validation/COUNTS.md)" = "$(sed -n 's/ statements$//p' "$work/out")" ]
check "the kinds sum to all statements" "$work/out"

# The count can fail: by one claim with another word, one figure of a file, one figure of the sum.
cp -r validation "$work/v"
sed -i '0,/evidence: law/s//evidence: levels/' "$work/v/attitude.yaml"
! counted "$work/v" validation/COUNTS.md && grep -q '^attitude.yaml: [0-9]* law, the page has ' "$work/out" &&
  grep -q '^levels: ' "$work/out"
check "a claim with another word is noticed" "$work/out"
awk '/\(modes.yaml\)/ { sub(/\| 5 \|/, "| 6 |") } { print }' validation/COUNTS.md >"$work/page"
! counted validation "$work/page" && grep -qx 'modes.yaml: 5 statements, the page has 6' "$work/out"
check "another number of a file is noticed" "$work/out"
awk '/^\| law \|/ { $4 += 1 } { print }' validation/COUNTS.md >"$work/page"
! counted validation "$work/page" && grep -q '^law: ' "$work/out"
check "another number of a kind is noticed" "$work/out"
all_well
