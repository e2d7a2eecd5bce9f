#!/bin/sh
# The pages of vdsim-validate --report are well-formed, complete, self-contained, escaped and reproducible, with
# failures first.
# Usage: tests/cli/report.sh VDSIM-VALIDATE
# Reads scenarios/, validation/, baselines/; writes a temporary folder. Needs python3.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

need_python
plan 41
PYTHONPATH=$(dirname "$0")/../common
export PYTHONPATH

# Writes claims of every kind and verdict about a step steer of 2 s of a linear car.
mkdir "$work/a" "$work/b"
cat >"$work/a/mixed.yaml" <<END
title: "Made <i>for</i> a \"test\" & more"
source: "a <source> & 'another'"
evidence: theory
scenario: $top/scenarios/road/linear_step.yaml
set: [run.duration=2 s]
where: [V = initial.speed]
claims:
  - claim: the speed stays
    kind: value
    metric: final_speed_mps
    expect: 72 km/h
    tolerance: 0.01 m/s
  - claim: "</h3><script>alert('claim')</script> & \"quoted\" \t tab \x7F \u0085"
    kind: value
    metric: final_speed_mps
    expect: 71 km/h
    tolerance: 0.01 m/s
  - claim: and nobody knows why
    kind: value
    channel: yaw_rate_radps
    of: final
    expect: 0.5 rad/s
    tolerance: 10 %
    known_failure: the <test> is wrong
  - claim: a bound that is crossed
    kind: bound
    channel: yaw_rate_radps
    of: maximum
    below: 0.01 rad/s
  - claim: no value
    kind: value
    metric: stopping_distance_m
    expect: 40 m
    tolerance: 1 m
  - claim: faster is different
    kind: agree
    against_set: [initial.speed=40 m/s]
    channels: ["y*", vx_mps]
    tolerance: 1 %
  - claim: a formula
    kind: formula
    where: [A = 2]
    formula: A*3
    expect: 6
    tolerance: 1e-9
  - claim: refused
    kind: refused
    set: [run.step=1 s]
    words: "'step' must be"
  - claim: order
    kind: order
    set: [run.duration=1.2 s]
    channel: yaw_rate_radps
    step: 2 ms
    above: 3.5
    below: 4.5
  - claim: energy
    evidence: law
    kind: energy
    tolerance: "1e-6"
  - claim: known to fail, but it holds
    kind: bound
    channel: vx_mps
    above: 0 m/s
    known_failure: not any more
END
cat >"$work/b/mixed.yaml" <<END
title: of the same name
source: a test
evidence: theory
claims:
  - claim: one
    kind: formula
    formula: "1"
    expect: 1
    tolerance: 0
END
cp "$work/b/mixed.yaml" "$work/b/index.yaml"
cp "$work/b/mixed.yaml" "$work/b/od d&<.yaml"
cat >"$work/b/table.yaml" <<END
title: a table
source: a test
evidence: theory
claims:
  - claim: a table
    kind: table
    table: t.csv
    suspension: $top/validation/data/kc/double_wishbone.yaml
    columns:
      - {is: travel, column: travel_m}
      - {is: toe, column: toe_deg, unit: deg, tolerance: 5 deg}
END
printf 'travel_m,toe_deg\n-0.08,0\n-0.04,0\n0,0\n0.02,0\n0.04,0\n0.06,0\n' >"$work/b/t.csv"

# Reads a folder of pages; reports markup that is not well-formed, missing targets, and references to other places.
cat >"$work/pages.py" <<'END'
import boxes, html.parser, os, re, sys
folder = sys.argv[1]
VOID = {'meta', 'link', 'br', 'hr', 'img', 'input', 'wbr'}
ids, links, bad = {}, [], []


class Page(html.parser.HTMLParser):
    def __init__(self, name):
        super().__init__()
        self.name, self.open, self.text = name, [], ''
        ids[name] = set()

    def say(self, what):
        bad.append('%s:%d: %s' % (self.name, self.getpos()[0], what))

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        if len(dict(attributes)) != len(attributes):
            self.say('an attribute of <%s> is there twice' % tag)
        for key, value in attributes:
            if key == 'id':
                if value in ids[self.name]:
                    self.say('id %s is there twice' % value)
                ids[self.name].add(value)
            elif key in ('href', 'src', 'xlink:href', 'srcset', 'data', 'action', 'poster'):
                links.append((self.name, value))
            elif key.startswith('on'):
                self.say('a script in %s' % key)
            if key in ('d', 'x', 'y', 'cx', 'cy', 'width', 'height', 'viewbox') and re.search('nan|inf', value):
                self.say('no number in %s' % key)
        if tag in ('script', 'link', 'img', 'iframe', 'object', 'base'):
            self.say('<%s>' % tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.say('</%s> closes %s' % (tag, self.open[-1:] or 'nothing'))
        else:
            self.open.pop()

    def handle_data(self, data):
        self.text += data


for name in sorted(os.listdir(folder)):
    text = open(os.path.join(folder, name), encoding='utf-8', newline='').read()
    if not text.startswith('<!DOCTYPE html>\n') or not text.endswith('</html>\n'):
        bad.append(name + ': does not begin or end as a page')
    if re.search(r'[\x00-\x09\x0b-\x1f\x7f-\x9f]', text):
        bad.append(name + ': a control character')
    if re.search(r'url\(|@import|src=', text):
        bad.append(name + ': something from elsewhere')
    page = Page(name)
    page.feed(text)
    page.close()
    fault = boxes.fault(re.findall(r'<svg viewBox.*?</svg>\n<path class="frame".*?</svg>', text, re.S))
    if fault:
        bad.append(name + ': ' + fault)
    if page.open:
        bad.append(name + ': never closed: %s' % page.open)
for name, link in links:
    to, _, anchor = link.partition('#')
    if '/' in to or ':' in to or (to or name) not in ids:
        bad.append('%s: link to %s' % (name, link))
    elif anchor and anchor not in ids[to or name]:
        bad.append('%s: no anchor %s' % (name, link))
print('\n'.join(bad))
sys.exit(bool(bad))
END
pages() { # FOLDER
  python3 "$work/pages.py" "$1" >"$work/out" 2>"$work/err"
}

# --- a folder with claims of all kinds ---
run --csv "$work/c.csv" "$work/a" "$work/b"
plain=$status
cp "$work/out" "$work/table"
run --report "$work/r" "$work/a" "$work/b"
[ $status -eq $plain ] && [ $status -eq 1 ] && cmp -s "$work/out" "$work/table" && [ ! -s "$work/err" ]
check "the report changes neither table nor exit status"
(cd "$work/r" && printf '%s\n' *) >"$work/out"
[ "$(tr '\n' ' ' <"$work/out")" = "index-2.html index.html mixed-2.html mixed.html od-d--.html table.html " ]
check "each file has a page, whatever its name"
pages "$work/r"
check "pages are well-formed and self-contained, ids are unique, links have targets"
! grep -q '<script' "$work/r"/*.html && ! grep -q '<i>' "$work/r"/*.html && ! grep -q '<test>' "$work/r"/*.html &&
  grep -qF '&lt;/h3&gt;&lt;script&gt;alert(&#39;claim&#39;)&lt;/script&gt; &amp; &quot;quoted&quot;' \
  "$work/r/index.html"
check "markup in texts is escaped"
grep -qF '<title>Made &lt;i&gt;for&lt;/i&gt; a &quot;test&quot; &amp; more</title>' "$work/r/mixed.html"
check "markup in titles is escaped"
cat >"$work/order.py" <<'END'
import re, sys
text = open(sys.argv[1] + '/index.html', encoding='utf-8').read()
at = [text.index(s) for s in ('<h2>What fails', 'a bound that is crossed', 'faster is different', '<h2>Files',
                              '<h2>Known failures',
                              '<h2>All claims')]
assert at == sorted(at), at
cards = re.findall(r'<article class="claim (\w+)" id="(\w+?)\d+"', text)
assert cards == [('fails', 'bad')] * 5 + [('known', 'known')], cards
assert ('<p class="more">Statements by their evidence: 14 theory, 1 law.</p>' in text
    and '<br>10 theory, 1 law</span>' in text)
tiles = re.findall(r'<b>(\d+)</b>([^<]+)', text)
assert [(int(n), w) for n, w in tiles] == [(15, 'statements'), (15, 'cases'), (4, 'fail'), (1, 'holds unexpectedly'),
    (1, 'known failure'), (9, 'hold')], tiles
END
python3 "$work/order.py" "$work/r" >"$work/out" 2>"$work/err"
check "failures come first, then known failures, and the counts are right"
cat >"$work/whole.py" <<'END'
import csv, html, re, sys
text = ''.join(open('%s/%s' % (sys.argv[1], n), encoding='utf-8').read() for n in sys.argv[3:])
cards = re.findall(r'<article class="claim \w+" id="c\d+">.*?</article>', text, re.S)
rows = list(csv.DictReader(open(sys.argv[2], encoding='utf-8')))
assert len(cards) == len(rows), (len(cards), len(rows))
plain = [' '.join(html.unescape(re.sub('<[^>]*>', '', c)).split()) for c in cards]
for r in rows:
    mine = [p for p in plain if ' ' + r['claim'] + ' · ' + r['kind'] in p
        or p.find(r['claim'] + ' · ' + r['kind']) >= 0]
    assert any(all(' '.join(w.split()) in p for w in (r['sentence'].replace('\x7f', ' ').replace('\x85', ' '),
                r['source'], r['quantity'], r['reason']))
               for p in mine), r
END
python3 "$work/whole.py" "$work/r" "$work/c.csv" index-2.html mixed-2.html mixed.html od-d--.html table.html \
  >"$work/out" 2>"$work/err"
check "every claim has its card with sentence, source, quantity and reason"
card() { # NUMBER FILE
  python3 -c 'import re, sys
print(re.search(r"<article class=\"claim \w+\" id=\"c%s\">.*?</article>" % sys.argv[1],
        open(sys.argv[2], encoding="utf-8").read(), re.S).group(0))' \
    "$1" "$work/r/${2-mixed.html}" >"$work/card"
}
has() { # WORDS...
  for words in "$@"; do
    grep -qF -e "$words" "$work/card" || { echo "no '$words' in"; cat "$work/card"; return 1; }
  done >"$work/out"
}
card 2
has '<dt>Expected</dt><dd>71 km/h' '<dt>Got</dt><dd>71.9989 km/h' '<dt>Tolerance</dt><dd>0.036 km/h' '27.75' \
  '<code>run.duration=2 s</code>' 'class="beyond"'
check "a card shows figures with their digits, the residual as a multiple, and the settings"
has '<svg viewBox' 'vx_mps, km/h' 'class="band"' '>expected</text>'
check "the picture of a metric shows its channel and the expected value"
card 3
has 'known failure' 'Known failure: the &lt;test&gt; is wrong' 'yaw_rate_radps, deg/s'
check "a known failure is shown with its reason"
card 4
has '<dt>Bound</dt>' '<dt>Beyond by</dt>' '<path class="limit"'
check "the picture of a bound shows its line"
card 5
has 'has no value' 'class="reason"'
check "a claim without a figure shows the reason"
card 6
has '>this run</text>' '>initial.speed=40 m/s</text>' '<path class="other"' '4 of '
check "the picture of two runs shows the worst of many channels"
card 7
has '<code>A = 2</code>' '<dt>Expected</dt><dd>6</dd>'
check "a formula is shown with its definitions"
grep -qF '<h2>Definitions</h2>' "$work/r/mixed.html" &&
  grep -qF '<li><code>V = initial.speed</code></li>' "$work/r/mixed.html" &&
  ! grep -qF 'Definitions' "$work/r/table.html"
check "the page of a file shows its definitions"
card 8
has 'Expected words' '<code>&#39;step&#39; must be</code>'
check "a claim of a refusal shows the expected words of the message"
card 9
has 'order 3.5' 'order 4.5' 'class="marks"' 'step, s'
check "the picture of an order shows differences over the step"
card 10
has 'ledger_residual_J' 'energy_J' 'class="band"'
check "the picture of an energy claim shows the ledger and the energy"
card 11
has 'holds unexpectedly' 'not any more'
check "a claim that holds unexpectedly is marked"
card 1 table.html
has '>model</text>' '>table</text>' 'travel, m' 'class="points"'
check "the picture of a table shows its points on the model's curve"

# --- a statement with cases ---
mkdir "$work/e"
cat >"$work/e/each.yaml" <<END
title: statements with cases
source: a test
evidence: theory
scenario: $top/scenarios/road/linear_step.yaml
set: [run.duration=0.01 s]
claims:
  - claim: at \$each the car drives at that speed
    each: [72 km/h, 36 km/h, 54 km/h]
    kind: value
    set: [initial.speed=\$each]
    metric: final_speed_mps
    expect: \$each
    tolerance: 0.1 m/s
  - claim: twice \$each is 4
    each: ["2", "3"]
    kind: formula
    formula: 2*\$each
    expect: 4
    tolerance: "1.5"
  - claim: "\$each is a word"
    each: [L1, L2]
    kind: refused
    set: [run.level=\$each, run.step=1 s]
    words: "'step' must be"
  - claim: one alone
    kind: formula
    formula: "1"
    expect: 1
    tolerance: 0
END
run --csv "$work/e.csv" --report "$work/each" "$work/e"
[ $status -eq 1 ] && pages "$work/each"
check "pages of statements with cases are well-formed"
run "$work/e"
grep -q '^8 claims, cases of 4 statements: 7 hold, 1 fails, 0 known failures$' "$work/out"
check "the table counts statements and cases"
cat >"$work/each.py" <<'END'
import re, sys
text = open(sys.argv[1], encoding='utf-8').read()
tiles = re.findall(r'<b>(\d+)</b>([^<]+)', text)
assert tiles == [('4', 'statements'), ('8', 'cases'), ('1', 'fails'), ('0', 'known failures'), ('7', 'hold')], tiles
cards = re.findall(r'<article class="claim (\w+)" id="c(\d+)">(.*?)</article>', text, re.S)
assert [(c[0], c[1]) for c in cards] == [('holds', '1'), ('fails', '4'), ('holds', '6'), ('holds', '8')], cards
rows = [len(re.findall('<tr class', c[2])) for c in cards]
assert rows == [3, 2, 2, 0], rows
assert [int(n) for n in re.findall(r'<tr class="\w+" id="c(\d+)"', text)] == [2, 3, 5, 7]
assert 'at [72 km/h, 36 km/h, 54 km/h] the car drives' in cards[0][2] and 'twice [2, 3] is 4' in cards[1][2]
assert '1 of 2 fails' in cards[1][2] and '2 cases' in cards[1][2]
# 2*2 is 4; 2*3 is 6, which differs from 4 by 2, 1.333 times the tolerance
assert '0.000' in cards[1][2] and '1.33' in cards[1][2] and '<code>3</code>' in cards[1][2]
# one picture in two sizes, over the speeds, although the claim gives them in another order
assert [c[2].count('<svg viewBox') for c in cards] == [2, 0, 0, 0]
broad, small = re.findall(r'<svg viewBox="0 0 (\d+) .*?</svg>\n<path class="frame".*?</svg>', cards[0][2], re.S)
assert (broad, small) == ('800', '380')
marks = re.search(r'class="marks" d="([^"]*)"', cards[0][2]).group(1)
x, y = zip(*[map(float, p.split()) for p in re.findall(r'M([\d.]+ [\d.]+)a', marks)])
# the steps from 36 to 54 and from 54 to 72 km/h are equal, to 0.1 pixels; the steps of the found speeds are equal, too,
# except for the loss by drag in 0.01 s
assert (len(x) == 3 and x[0] < x[1] < x[2] and abs(x[0] - 2 * x[1] + x[2]) < 0.25 and y[0] > y[1] > y[2]
    and abs(y[0] - 2 * y[1] + y[2]) < 1)
assert '>initial.speed, km/h<' in cards[0][2]
END
python3 "$work/each.py" "$work/each/each.html" >"$work/out" 2>"$work/err"
check "a statement has one card with a row for each case and one picture over them"
printf "$work/%s.html\n" r/index r/mixed r/table each/each each/index | sample 1 >"$work/laid"
# shellcheck disable=SC2046 # names without blanks
laid_out "nothing is cut off or covered on a phone, a screen and paper: $(sed 's|.*/||' "$work/laid" | tr '\n' ' ')" \
  $(cat "$work/laid")
grep -c 'href="each.html#c4"' "$work/each/index.html" >"$work/out" &&
  ! grep -q 'id="bad[0-9]*".*id="bad' "$work/each/index.html"
check "the failing statement is one card of the index"
python3 - "$work/e.csv" <<'END' >"$work/out" 2>"$work/err"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert [r['case'] for r in rows] == ['72 km/h', '36 km/h', '54 km/h', '2', '3', 'L1', 'L2', ''], rows
assert rows[3]['statement'] == rows[4]['statement'] == 'twice $each is 4' and rows[4]['sentence'] == 'twice 3 is 4'
assert rows[7]['statement'] == 'one alone'
END
check "the CSV names statement and case"
! grep -q 'vx_mps' "$work/each/each.html"
check "a run of a few steps shows only the trace of its own figure"
run --filter 'each/5 *' --report "$work/five" "$work/e"
[ $status -eq 1 ] && pages "$work/five" && grep -q 'twice 3 is 4' "$work/five/each.html" &&
  ! grep -q 'cases</p>' "$work/five/each.html"
check "if the filter leaves one case of a statement, the page shows this case"

# --- equal bytes of equal reports ---
run -j 1 --report "$work/one" validation/single_track.yaml validation/kinematics.yaml validation/ladder.yaml
run -j 2 --report "$work/two" validation/single_track.yaml validation/kinematics.yaml validation/ladder.yaml
diff -r "$work/one" "$work/two" >"$work/out"
check "-j 1 and -j 2 write the same bytes"
run -j 2 --report "$work/two" validation/single_track.yaml validation/kinematics.yaml validation/ladder.yaml
[ $status -eq 0 ] && diff -r "$work/one" "$work/two" >"$work/out"
check "a second report over the first writes the same bytes"
! grep -F -e "$top" -e "$work" "$work/one"/*.html >"$work/out"
check "the pages contain no path of this machine"
pages "$work/one"
check "the pages of the shipped claims are well-formed"
run --report "$work/base" --filter 'baselines/[1-3]' validation/baselines.yaml
[ $status -eq 0 ] && pages "$work/base" && grep -q '>baseline</text>' "$work/base/baselines.html" &&
  grep -qF 'only claims that fit <code>baselines/[1-3]</code>' "$work/base/index.html"
check "baselines are drawn over runs, and the filter is shown"
run --scale 0 --report "$work/scale" "$work/b"
[ $status -eq 1 ] && pages "$work/scale" && grep -qF 'all tolerances × 0' "$work/scale/index.html" &&
  grep -q 'none allowed' "$work/scale/index.html"
check "the scale of the tolerances is shown"
b=baselines/road/linear_step
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } { print $1 "," $(at["yaw_rate_radps"]) }' $b.csv \
  >"$work/reference.csv"
printf 'source: a test\ncurves:\n  - {y: yaw_rate_radps, y_offset: 0.06 deg/s, x_offset: 20 ms}\n' \
  >"$work/tolerances.yaml"
run --report "$work/against" --against "$work/reference.csv" --tolerances "$work/tolerances.yaml" \
  scenarios/road/linear_step.yaml
[ $status -eq 0 ] && pages "$work/against" && grep -q '>reference</text>' "$work/against/tolerances.html" &&
  grep -q '>boundaries</text>' "$work/against/tolerances.html" &&
  grep -q '<dt>Greatest distance over its tolerance</dt><dd>[^<]* ×<' "$work/against/tolerances.html" &&
  ! grep -q '<dt>Expected</dt>' "$work/against/tolerances.html"
check "a run is drawn against a time history with its boundaries"

# --- trouble ---
refused() { # WORDS
  [ $status -eq 2 ] && [ ! -s "$work/out" ] && [ "$(cat "$work/err")" = "$1" ]
  check "refused: $(echo "$1" | sed "s|$work/||")"
}
run --report "$work/c.csv" "$work/b"
refused "vdsim-validate: error: cannot write '$work/c.csv': Not a directory"
run --report "$work/c.csv/r" "$work/b"
refused "vdsim-validate: error: cannot write '$work/c.csv/r': Not a directory"
run --report "$work/none/r" "$work/b"
refused "vdsim-validate: error: cannot write '$work/none/r': No such file or directory"
run --report "$work/r" --write-baselines "$work/w" "$work/b"
refused "vdsim-validate: error: --report and --write-baselines exclude each other; see --help"
mkdir "$work/taken" "$work/taken/index.html"
run --report "$work/taken" "$work/b"
[ $status -eq 2 ] && grep -q "^vdsim-validate: error: cannot write '$work/taken/index.html': " "$work/err"
check "refused: a page that cannot be written"
run --tap --report "$work/tap" "$work/b"
[ $status -eq 0 ] && sed -n 1p "$work/out" | grep -qx '1\.\.4' && [ -f "$work/tap/index.html" ]
check "--report can be combined with --tap"
all_well
