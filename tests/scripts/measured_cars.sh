#!/bin/sh
# The numbers in README about the prediction of measured cars agree with the claims.
# Usage: tests/scripts/measured_cars.sh VDSIM-RUN
# Reads README.md and validation/; writes a temporary folder. Skipped without python3.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
need_python

plan 2
# leaves out the fits, whose claims have the numbers of README as bounds
validate=$(dirname "$exe")/vdsim-validate
"$validate" -q --csv "$work/jeep.csv" --report "$work/report" validation/measured/jeep_cherokee.yaml 2>/dev/null
"$validate" -q --csv "$work/volvo.csv" --filter '*slide*' validation/measured/volvo_v40.yaml 2>/dev/null
python3 - "$work/jeep.csv" "$work/volvo.csv" >"$work/out" 2>&1 <<'PYTHON'
import csv, re, sys
rows = [row for name in sys.argv[1:] for row in csv.DictReader(open(name, encoding="utf-8"))]
text = " ".join(open("README.md", encoding="utf-8").read().split())

# words of README before and after a number, the claims that show it, and the kind of the number: the greatest deviation
# in per cent of the measured value, also with its sign (over: the model has more), or a deviation in degrees
facts = [
    ("each of the eight peaks of a double lane change within", "%", "peak of the .* double lane change", "within"),
    ("its front axle rolls as measured within", "%", "front axle, (10|16|30|at its peak|6 )", "within"),
    ("the rear one by", "% more", "relative to the rear axle", "over"),
    ("moderate braking agrees within", "%", "accelerometer of L3 shows a Jeep's measured deceleration", "within"),
    ("severe braking is", "% too strong", "friction of 0.892", "severe"),
    ("too strong, and", "% behind a usual proportioning valve", "behind a usual proportioning valve, by", "over"),
    ("side slip of 21 deg is met within", "deg", "(slides on|slides, 2.3)", "degrees"),
    ("the yaw rate is", "% too high", "turns in the slide", "over"),
]
for before, after, pattern, how in facts:
    found = re.search(re.escape(before) + r" (\d+) " + re.escape(after), text)
    claims = [row for row in rows if re.search(pattern, row["sentence"])]
    if not found or not claims:
        print("not found:", before, len(claims))
        continue
    said = int(found[1])
    got, expected = ([float(row[key]) for row in claims] for key in ("got", "expected"))
    if how == "severe":
        expected = [-4.84]  # measured; the claim's bound is 1.08 times it
    degrees = 57.29577951308232
    off = max((abs(g - e) * degrees if how == "degrees" else 100 * (abs(g) / abs(e) - 1) * (1 if how != "within" else
              (1 if abs(g) >= abs(e) else -1))) for g, e in zip(got, expected))
    good = off <= said if how in ("within", "degrees") else round(off) == said
    if not good or how != "over" and off < 0.5 * said:
        print(f"README says {said} {after} ({before}), the claims show {off:.2f}")
PYTHON
[ ! -s "$work/out" ]
check "README's numbers of measured cars agree with the claims" "$work/out"

# the page begins with a row for every figure that is not a bound, with the numbers of the claim in the page's units
python3 - "$work/jeep.csv" "$work/report/jeep_cherokee.html" >"$work/out" 2>&1 <<'PYTHON'
import csv, html, re, sys
page = open(sys.argv[2], encoding="utf-8").read()
table = page[page.index("<h2>Measured and simulated</h2>"):page.index("<h2>All claims</h2>")]
rows = {re.search(r'#c(\d+)"', row)[1]: [html.unescape(re.sub("<[^>]*>", "", cell)).replace("\u2212", "-")
                                       for cell in re.findall("<td.*?</td>", row, re.S)]
        for row in re.findall("<tr class.*?</tr>", table, re.S)}
wanted = [row for row in csv.DictReader(open(sys.argv[1], encoding="utf-8"))
          if row["kind"] != "bound" and row["evidence"] == "measurement"]
if len(wanted) < 30 or {row["claim"].split("/")[1] for row in wanted} != set(rows):
    print(len(wanted), "figures,", len(rows), "rows")
for row in wanted:
    cells = rows.get(row["claim"].split("/")[1], [""] * 7)
    if row["unit"] == "tolerances":
        # a curve over time has its root mean square; a cross plot has none
        good = "at t_s" not in cells[0] or re.search(r"rms [0-9.]+ % of peak$", cells[0])
        good = good and cells[1:5] == ["–"] * 4
    else: # in any unit: compares the ratio of both numbers, to the digits of the page
        measured, simulated = (float((re.match("-?[0-9.]+", cell) or ["nan"])[0]) for cell in cells[1:3])
        got, expected = float(row["got"]), float(row["expected"])
        good = abs(simulated * expected - measured * got) <= 0.01 * abs(measured * got)
        good = good and (measured == 0) == (expected == 0)
    if not good or not cells[5].endswith("×") or cells[6] not in ("holds", "known failure"):
        print(row["claim"], cells)
PYTHON
[ ! -s "$work/out" ]
check "a report begins with the table of measured and simulated figures" "$work/out"
