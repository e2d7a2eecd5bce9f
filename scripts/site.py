"""Writes parts of the site of scripts/docs.

Usage: site.py home FIGURES.csv    the contents of the first page, to standard output
       site.py equations PAGE      filter: mandoc's HTML of PAGE, with equations for browsers and links to their numbers
       site.py cars FILE.yaml...  cars.js: resolved scenarios by their names, for drive.html, to standard output
       site.py index FOLDER        FOLDER/index.js: the index for search.html, of all pages of the folder
FIGURES.csv is the output of vdsim-validate --csv. The index has an entry for each place of a page that has a name:
sections, options, keys, channels and metrics.
"""
import csv
import glob
import html
import html.parser
import json
import math
import os
import re
import sys
import xml.etree.ElementTree as ET

HOME = """<h1>VDSim</h1>
<p class="lead">Vehicle dynamics from the command line. A car, a manoeuvre and a road are text files; out come time
histories, the figures of the ISO standards, and pages with pictures. There are six levels of one car, from a kinematic
model without slip to a free body with the hardpoints and bushings of its suspensions, each with equations and
tests.MEASURED</p>
<pre><code>$ vdsim-run --template car --set mass='1490 kg' --set wheelbase='2.7 m' --set track='1.55 m' \\
    --set front_share='60 %' --set tyre=205/55R16 --set drive=front --set power='110 kW' -o car.yaml
$ vdsim-run --handling -o page car.yaml    # all manoeuvres, one page: page/handling.html</code></pre>
<div class="pictures">
<a href="gallery.html#lane_change"><img src="man/pictures/lane_change.png" alt="lane change"></a>
<a href="gallery.html#stunt"><img src="man/pictures/loop.png" alt="a car in a loop"></a>
<a href="gallery.html#handling"><img src="man/pictures/handling.png" alt="handling diagram"></a>
<a href="gallery.html#suspension"><img src="man/pictures/suspension.png" alt="sheet of a suspension"></a>
</div>
<ul>
<li><a href="vdsim-tutorial.7.html">Tutorial</a>: from a data sheet to a handling report, in eight steps</li>
<li><a href="manual.html#guides">Guides</a>: one page for one task, all commands tested</li>
<li><a href="vdsim-models.7.html">Theory</a>: every model with its equations, and the claims that test them</li>
<li><a href="manual.html">Manual</a> of the programs and files, and <a href="search.html">search</a></li>
<li><a href="gallery.html">Gallery</a>: every picture with the command that draws it</li>
<li><a href="results.html">Claims</a>: comparisons with measurements, other programs and theory</li>
<li>For developers: <a href="readme.html">README</a>, <a href="architecture.html">architecture</a>,
<a href="contributing.html">contributing</a>, <a href="changelog.html">changes</a>, <a
href="LICENSE.txt">license</a></li>
</ul>"""


# units as in reports, with the factor from SI
FIELD = {"rad": ("deg", 180 / math.pi), "rad/s": ("deg/s", 180 / math.pi), "SI": ("", 1.0), "1": ("", 1.0)}


def measured(rows):
    """Yields the table of comparisons with measured cars: figure, both values, share of the allowed deviation."""
    yield ('<h2 id="measured">How well measured cars are predicted</h2>\n<p>A deviation of 100 % is as much as the '
           'claim allows: the scatter of the measurement, or the limit in its sentence. Known failures are shown with '
           'their probable cause. All claims, with their sources, are in <a href="results.html">Claims</a>.</p>\n'
           '<table id="cars">\n<tr>'
           '<th>claim</th><th>measured</th><th>model</th><th>deviation</th><th>verdict</th></tr>')
    for row in rows:
        values = ["", ""]
        if row["unit"] != "tolerances" and row["kind"] != "boundary" and row["got"]:
            unit, factor = FIELD.get(row["unit"], (row["unit"], 1.0))
            values = [f"{factor * float(row[key]):.3g} {unit}".strip() for key in ("expected", "got")]
            values[0] = "" if row["kind"] == "bound" else values[0] # its sentence has the limit
        verdict = f"known failure: {row['reason']}" if row["verdict"] == "known" else row["verdict"]
        cells = [row["sentence"], *values, f"{100 * float(row['share']):.0f} %" if row["share"] else "", verdict]
        yield "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>"
    yield "</table>"


def home(figures):
    with open(figures, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    cars = sorted((row for row in rows if row["file"].startswith("validation/measured/") and
                   row["evidence"] == "measurement"), key=lambda row: row["file"])
    hold = sum(row["verdict"] == "holds" for row in cars)
    print(HOME.replace("MEASURED", f'\n<a href="#measured">Of {len(cars)} comparisons with measured cars {hold} hold</a>.'
                       if cars else ""))
    if cars:
        print("\n".join(measured(cars)))


FUNCTIONS = ("arctan", "atan2", "cos", "exp", "max", "min", "sgn", "sin", "tan")


AXES = """
<p><picture><source media="(max-width: 50em)" srcset="pictures/axes-phone.svg"><img src="pictures/axes.svg"
alt="axes and signs of car, tyre, suspension, steering and road"></picture></p>
"""


def sign(words):
    node = ET.Element("mo")
    node.text = words
    return node


def core(node, outer=True):
    """Converts the MathML that mandoc writes for eqn to MathML Core: replaces <mfenced>, turns Greek letters from
    operators into identifiers, and adds space around names."""
    words = node.text or ""
    if words in FUNCTIONS:
        node.tag, node.attrib = "mo", {"lspace": ".15em", "rspace": ".15em"}
    elif words in ("for", "if"):
        node.tag, node.text = "mtext", f"\xa0{words}\xa0"
    elif node.tag == "mo" and "\u0370" <= words <= "\u03ff":
        node.tag = "mi"
    elif node.tag == "mo" and words in ("(", ")", "|"):
        node.attrib = {"stretchy": "false", "lspace": "0", "rspace": "0"}
    if node.attrib.get("fontweight") == "bold":
        node.set("mathvariant", "normal")
    node.attrib.pop("fontstyle", None)
    inside = 0
    for child in node:
        inside += {"(": 1, ")": -1}.get(child.text, 0)
        if outer and not inside and child.text == ",":  # the next equation of the line
            child.set("rspace", "1.5em")
        core(child, outer and node.tag == "math")
    if node.tag == "mfenced":
        node.insert(0, sign(node.attrib.pop("open")))
        node.append(sign(node.attrib.pop("close")))
        node.tag = "mrow"


def equations(page):
    def one(match):
        node = ET.fromstring(match[1])
        core(node)
        node.set("display", "block")
        return ET.tostring(node, encoding="unicode")

    text = re.sub(r"(<math.*?</math>)(\s*<br/>)?", one, sys.stdin.read(), flags=re.DOTALL)
    text = re.sub(r'<h2 [^>]*id="Symbols".*?</h2>', lambda found: found[0] + AXES, text, flags=re.DOTALL)
    text = re.sub(r"(?<!<dt>)\((\d+\.\d+)\)", rf'<a href="{page}#\1">(\1)</a>', text)
    print(re.sub(r"<dt>\((\d+\.\d+)\)</dt>", r'<dt id="\1">(\1)</dt>', text), end="")


class Places(html.parser.HTMLParser):
    """Collects the named places of a page, each with the words that follow it."""

    def __init__(self):
        super().__init__()
        self.found, self.open, self.hidden = [], None, 0

    def handle_starttag(self, tag, attributes):
        name = dict(attributes).get("id")
        self.hidden += tag in ("nav", "script", "style", "math")
        if name:
            self.found.append([name, tag, "", ""])
            self.open = tag

    def handle_endtag(self, tag):
        self.hidden -= tag in ("nav", "script", "style", "math")
        if tag == self.open:
            self.open = None

    def handle_data(self, data):
        if self.found and not self.hidden:
            self.found[-1][2 if self.open else 3] += data


def index(folder):
    entries = []
    for path in sorted(glob.glob(os.path.join(folder, "*.html"))):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if "<nav>" not in text:  # skips pages that the programs write
            continue
        places = Places()
        places.feed(text)
        title = re.search("<title>(.*?)</title>", text)[1]
        for name, _, words, more in places.found:
            words, more = (" ".join(part.split()) for part in (words, more))
            if words:
                entries.append([os.path.basename(path), name, html.unescape(title), words[:80], more[:160]])
    with open(os.path.join(folder, "index.js"), "w", encoding="utf-8") as file:
        file.write("const INDEX = " + json.dumps(entries, ensure_ascii=False, separators=(",", ":")) + "\n")


def cars(*paths):
    texts = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            texts[os.path.basename(path)[:-len(".yaml")]] = file.read()
    print("const CARS = " + json.dumps(texts, separators=(",", ":")))


if __name__ == "__main__":
    {"home": home, "equations": equations, "cars": cars, "index": index}[sys.argv[1]](*sys.argv[2:])
