#!/bin/sh
# The site of scripts/docs: it has every page, manual page and standard picture, its links have targets, and its pages
# fit a phone. Broken links are found.
# Usage: tests/scripts/docs.sh VDSIM-RUN
# Reads the tree; writes a temporary folder. Run for one commit of three. Skipped without mandoc or python3; without
# cmark-gfm and chromium some checks are skipped.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
for tool in mandoc python3; do
  command -v $tool >/dev/null || { echo "1..0 # SKIP no $tool"; exit 0; }
done
drawn 0 3 || { echo "1..0 # SKIP one commit of three makes the site: VDSIM_SAMPLE=all sh scripts/test docs"; exit 0; }

plan 22
site=$work/a/site
validate=$(dirname "$exe")/vdsim-validate plot=$(dirname "$exe")/vdsim-plot
"$validate" -q --quick --csv "$work/figures.csv" validation &&
  "$validate" -q --csv "$work/measured.csv" --filter 'jeep_cherokee/* front axle, 4 to 6 s*' validation/measured \
    2>"$work/err" &&
  sed 1d "$work/measured.csv" >>"$work/figures.csv" &&
  scripts/docs "$exe" "$site" "$work/figures.csv" >"$work/out" 2>"$work/err"
status=$?
[ $status -eq 0 ] && [ ! -s "$work/err" ] && [ "$(cat "$work/out")" = "$site/index.html" ]
check "the site is made, and every link has a target"
for page in man/*.[1-9]; do
  [ -s "$site/${page#man/}.html" ] && grep -q "href=\"${page#man/}.html\"" "$site/manual.html" || echo "$page"
done >"$work/out"
for page in index readme gallery manual architecture contributing changelog results search; do
  grep -q '<h1' "$site/$page.html" && grep -q '<meta name="viewport"' "$site/$page.html" || echo "$page"
done >>"$work/out"
[ ! -s "$work/out" ]
check "the site has README, the documents that README links to, and every manual page"
scripts/update-results --page "$work/figures.csv" >"$work/results.md" &&
  [ "$(grep -c '^<tr>' "$site/results.html")" -ge 100 ] && grep -q '<h2 id="kinematics-gains">' "$site/results.html"
check "the site has the claims with their verdicts" "$work/results.md"
sed -n '/<h2 id="measured">/,$p' "$site/index.html" | grep -c '^<tr><td>.*Jeep.*holds</td></tr>$' >"$work/out"
[ "$(cat "$work/out")" -ge 1 ] &&
  grep -q '<a href="#measured">Of [0-9]* comparisons with measured cars [0-9]* hold</a>' "$site/index.html" &&
  grep -q '<td>-0.543 deg</td><td>-0.[0-9]* deg</td><td>[0-9]* %</td><td>holds</td>' "$site/index.html" &&
  grep '<h2' "$site/results.html" | head -n 1 | grep -q 'measured car'
check "the first page shows comparisons with measured cars, and the claims begin with them" "$site/index.html"
for page in man/vdsim-guide-*.7 man/vdsim-tutorial.7; do
  sed -n '/id="guides"/,/<\/dl>/p' "$site/manual.html" | grep -q "href=\"${page#man/}.html\"" || echo "$page"
done >"$work/out"
grep -q '<a href="manual.html#guides">Guides</a>' "$site/gallery.html" && [ ! -s "$work/out" ]
check "the manual lists all guides, and every page has a link to them"
equations=$(grep -c '^\.EQ' man/vdsim-models.7)
[ "$(grep -c '<math class="eqn" display="block">' "$site/vdsim-models.7.html")" -eq "$equations" ] &&
  [ "$(grep -c '^ *<dt id="[0-9.]*">' "$site/vdsim-models.7.html")" -eq "$equations" ] &&
  grep -q '<img src="pictures/axes.svg"' "$site/vdsim-models.7.html" && grep -q 'id="axes"' "$site/gallery.html" &&
  grep -q '<a href="vdsim-models.7.html#3.8">(3.8)</a>' "$site/vdsim-models.7.html" &&
  ! grep -E '<mfenced|fontstyle' "$site/vdsim-models.7.html" >"$work/out"
check "every equation of the theory is in MathML of browsers and has an anchor; the axes are drawn"
python3 - "$site" >"$work/out" 2>&1 <<'END'
import json, re, sys
site, read = sys.argv[1], lambda name: open(f"{sys.argv[1]}/{name}", encoding="utf-8").read()
index = json.loads(read("index.js").removeprefix("const INDEX = "))
pages = {page: set(re.findall(' id="([^"]*)"', read(page))) for page in {entry[0] for entry in index}}
print(*[f"{page}#{name}" for page, name, *_ in index if name not in pages[page]], sep="\n", end="")
known = {(page, words) for page, _, _, words, _ in index}
for place in (("vdsim-vehicle.5.html", "anti_brake"), ("vdsim-run.1.html", "--handling"), ("gallery.html", "tornado")):
    if not any(page == place[0] and place[1] in words for page, words in known):
        print("not found:", *place)
END
[ ! -s "$work/out" ]
check "the search finds keys, options and pictures, and each place that it leads to exists"
# each standard picture of vdsim-plot has its command, and two widths; a stunt has one width
"$plot" --list | sed -n 's/^\([a-z][a-z_]*\) .*/\1/p' | while read -r name; do
  grep -q "^vdsim-plot --manoeuvre=$name -o $name.svg out/.*" "$site/gallery.html" || echo "no command of $name"
  grep -q "<section id=\"$name\">" "$site/gallery.html" || echo "no section $name"
  [ "$name" = stunt ] || grep -q "srcset=\"pictures/$name-phone.svg\"" "$site/gallery.html" ||
    echo "no $name for phones"
  grep -q '</svg>' "$site/pictures/$name.svg" || echo "no picture $name"
done >"$work/out"
[ "$("$plot" --list | grep -c '^[a-z]')" -ge 24 ] && [ ! -s "$work/out" ]
check "the gallery has every standard picture with its command"
"$exe" -q -o "$work" scenarios/road/zero_to_100.yaml &&
  "$plot" --manoeuvre=acceleration -o "$work/it.svg" "$work/zero_to_100.csv" &&
  cmp "$work/it.svg" "$site/pictures/acceleration.svg" >"$work/out" 2>&1
check "a picture agrees with the output of its commands"
grep -q 'id="suspension"' "$site/gallery.html" && grep -q 'href="report.html"' "$site/gallery.html" &&
  grep -q 'ISO 7401' "$site/report.html" &&
  grep -q '<h2>Bump' "$site/sheets.html"
check "the documentation has a sheet of a suspension and pages of a run and of a suspension"
grep -q '<a class="Xr" href="vdsim-scenario.5.html">vdsim-scenario(5)</a>' "$site/vdsim-run.1.html" &&
  ! grep -q 'href="pkg-config' "$site/vdsim.3.html"
check "manual pages have links to each other, and not to pages of other programs"

# --- broken pages are found ---
broken() { # WORDS TITLE
  python3 scripts/links.py "$site" >"$work/out" 2>"$work/err"
  [ $? -eq 1 ] && [ "$(wc -l <"$work/out")" -eq 1 ] && grep -q "$1" "$work/out"
  check "found: $2"
}
mv "$site/pictures/weave-phone.svg" "$work/"
broken '^gallery.html:[0-9]*: nothing is at pictures/weave-phone.svg$' "a picture that is not there"
mv "$work/weave-phone.svg" "$site/pictures/"
cp "$site/architecture.html" "$work/kept"
sed 's|href="contributing.html">CONTRIBUTING|href="contributing.html#nowhere">CONTRIBUTING|' "$work/kept" \
  >"$site/architecture.html"
broken '^architecture.html:[0-9]*: no section contributing.html#nowhere$' "an anchor that is not there"
sed 's|href="contributing.html">CONTRIBUTING|href="https://example.org/">CONTRIBUTING|' "$work/kept" \
  >"$site/architecture.html"
broken '^architecture.html:[0-9]*: leads out of the site: https://example.org/$' "a link to a network"
cp "$work/kept" "$site/architecture.html"
cp "$site/manual.html" "$site/lonely.html"
broken '^lonely.html: no page leads here$' "a page to which no link leads"
rm "$site/lonely.html"

# --- comparison with other programs ---
if command -v cmark-gfm >/dev/null; then
  for page in README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md "$work/results.md"; do
    # headings get names; links between the pages are changed; links to other files lead to sections or are removed
    awk -f scripts/markdown.awk "$page" |
      sed -e 's/^<h\([1-6]\) id="[^"]*">/<h\1>/' -e 's|<a href="#[^"]*">\([^<]*\)</a>|\1|g' >"$work/ours"
    cmark-gfm -e table "$page" | sed 's|<a href="[^"]*">\([^<]*\)</a>|\1|g' >"$work/theirs"
    diff "$work/ours" "$work/theirs"
  done >"$work/out" 2>&1
  [ ! -s "$work/out" ]
  check "the pages agree with the output of cmark-gfm"
else
  skip "the pages agree with the output of cmark-gfm" "no cmark-gfm"
fi
what="no picture is missing, and the search finds"
if command -v chromium >/dev/null; then
  cat >"$work/a/fit.html" <<'END'
<body><script>
let left = 0, out = ''
const one = (page, wide) => {
  const f = document.createElement('iframe')
  f.width = wide; f.height = 800; f.src = 'site/' + page; left++
  f.onload = async () => {
    const d = f.contentDocument, w = d.documentElement.scrollWidth
    // a picture that can be decoded is there; on a busy machine it is so some time after the load
    const bad = await Promise.all([...d.images].map(i => (i.loading = 'eager', i.decode()).then(() => 0, () => 1)))
    if (page === './search.html') { // it finds a key while it is typed
      d.querySelector('input').value = 'anti_brake'
      d.querySelector('input').dispatchEvent(new Event('input'))
      const to = [...d.querySelectorAll('#found a')].map(a => a.getAttribute('href'))
      bad.push(to.includes('vdsim-vehicle.5.html#anti_brake') ? 0 : 1)
    }
    out += `${page} ${wide} ${w} ${bad.reduce((sum, one) => sum + one, 0)}\n`
    if (!--left) { const p = document.createElement('pre'); p.id = 'fit'; p.textContent = out; document.body.append(p) }
  }
  document.body.append(f)
}
for (const page of PAGES) one(page, 1280)
</script></body>
END
  pages=$(cd "$site" && printf "'%s'," ./*.html)
  sed "s|PAGES|[$pages]|" "$work/a/fit.html" >"$work/a/fits.html"
  timeout 600 chromium --headless=new --no-sandbox --disable-gpu --allow-file-access-from-files \
    --user-data-dir="$work/profile" \
    --virtual-time-budget=20000 --dump-dom "file://$work/a/fits.html" 2>"$work/err" |
    sed -n '/<pre id="fit">/,/<\/pre>/p' | sed 's/<[^>]*>//g' >"$work/out"
  [ "$(grep -c . "$work/out")" -eq "$(find "$site" -name '*.html' | wc -l)" ] &&
    ! awk 'NF && ($3 > $2 || $4)' "$work/out" | grep .
  check "$what"
else
  skip "$what" "no chromium"
fi

# --- layout ---
(cd "$site" && printf "$site/%s\n" *.html) | sample 6 >"$work/pages"
# shellcheck disable=SC2046 # names without blanks
laid_out "pages: nothing is cut off or covered on a phone, a screen or paper" $(cat "$work/pages")
if command -v chromium >/dev/null; then
  { python3 tests/common/laid_out.py 390 "$site"/pictures/*-phone.svg &&
    find "$site/pictures" -name '*.svg' ! -name '*-phone.svg' -exec python3 tests/common/laid_out.py 1500 {} +; } \
    >"$work/out" 2>&1
  check "pictures: no text is cut off or lies on another text"
  cat >"$work/bad.html" <<'END'
<!DOCTYPE html>
<html><head></head><body>
<div style="position:relative;height:2em"><span style="position:absolute;left:0">one two</span><span
style="position:absolute;left:30px">three</span></div>
<div style="overflow:auto;width:80px;white-space:nowrap">too long for its box</div>
<svg viewBox="0 0 90 50" width="90" height="1100"><text x="70" y="20">cut at the right</text></svg>
<div style="width:900px">wide</div>
</body></html>
END
  ! python3 tests/common/laid_out.py a4 "$work/bad.html" >"$work/out" 2>"$work/err" &&
    [ "$(grep -c '^bad.html a4: ' "$work/err")" -eq 5 ] && grep -q '"three" lies on "one two"' "$work/err"
  check "found: texts that are cut off or covered, a page too wide and a picture too high for a sheet"
else
  skip "pictures: no text is cut off or lies on another text" "no chromium"
  skip "found: texts that are cut off or covered, a page too wide and a picture too high for a sheet" "no chromium"
fi

# --- refusals ---
mkdir "$work/mine" && echo words >"$work/mine/notes"
scripts/docs "$exe" "$work/mine" >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && [ "$(cat "$work/mine/notes")" = words ] && grep -q '^docs: .* holds something else$' "$work/err"
check "a folder with other contents is not replaced"
PATH=$work/none /bin/sh scripts/docs "$exe" "$work/b" >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && [ ! -e "$work/b" ] && [ "$(cat "$work/err")" = "docs: needs mandoc python3: scripts/setup" ]
check "a file that is missing is named"
all_well
