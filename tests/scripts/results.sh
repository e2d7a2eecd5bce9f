#!/bin/sh
# Counts the statements and cases in the files of claims again, by evidence and by verdict, and compares the numbers
# with validation/COUNTS.md. All cases except known failures count as holding; the test `claims' judges them.
# Usage: tests/scripts/results.sh YAML-JSON
# Reads validation/; writes a temporary folder. Skipped without python3.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
need_python

plan 6
# Compares the page with the text of the files, without the program's reader of claims.
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
        row["known failures"] = row.get("known failures", 0) + (many if claim.get("known_failure") else 0)
    row["statements"] = len(claims)
    row["hold"] = row["cases"] - row["known failures"]
    row["fail"] = 0
sums = [sum(row[key] for row in statements.values())
        for key in ("statements", "cases", "hold", "fail", "known failures")]
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
    for key in sorted(set(want) | set(got)):
        if want.get(key, 0) != got.get(key, 0):
            bad += 1
            print(f"{name}: {want.get(key, 0)} {key}, the page has {got.get(key, 0)}")
for word in sorted(set(all_of) | set(total)):
    want = (total.get(word, 0), cases.get(word, 0))
    if all_of.get(word, (0, 0)) != want:
        bad += 1
        print(f"{word}: {want} statements and cases, the page has {all_of.get(word)}")
print("%d statements, %d cases: %d hold, %d fail, %d known failures." % tuple(sums))
sys.exit(bad > 0)
END
counted() { # FOLDER PAGE
  python3 -B "$work/count.py" "$exe" "$1" "$2" >"$work/out" 2>"$work/err"
}
counted validation validation/COUNTS.md
check "statements and cases of each kind of evidence and verdict agree with the files" "$work/out" "$work/err"
grep -qxF "$(tail -n 1 "$work/out")" validation/COUNTS.md
check "the sums of the table agree with the claims" "$work/out"

# The count must fail if one claim has another kind of evidence, or if one number of a file or of a sum is wrong.
cp -r validation "$work/v"
sed -i '0,/evidence: law/s//evidence: levels/' "$work/v/attitude.yaml"
! counted "$work/v" validation/COUNTS.md && grep -q '^attitude.yaml: [0-9]* law, the page has ' "$work/out" &&
  grep -q '^levels: ' "$work/out"
check "a claim with another kind of evidence is noticed" "$work/out"
awk '/\(modes.yaml\)/ { sub(/\| 5 \|/, "| 6 |") } { print }' validation/COUNTS.md >"$work/page"
! counted validation "$work/page" && grep -qx 'modes.yaml: 5 statements, the page has 6' "$work/out"
check "a wrong number of a file is noticed" "$work/out"
awk '/^\| law \|/ { $4 += 1 } { print }' validation/COUNTS.md >"$work/page"
! counted validation "$work/page" && grep -q '^law: ' "$work/out"
check "a wrong number of a kind of evidence is noticed" "$work/out"
awk '/\(attitude.yaml\)/ { sub(/[0-9]+ \|$/, "99 |") } { print }' validation/COUNTS.md >"$work/page"
! counted validation "$work/page" && grep -q '^attitude.yaml: [0-9]* known failures, the page has 99$' "$work/out"
check "a wrong number of known failures is noticed" "$work/out"
all_well
