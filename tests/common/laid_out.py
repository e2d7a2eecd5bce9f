"""Checks by headless Chromium how pages and pictures are laid out, all in one window.

Usage: laid_out.py WIDTH[,WIDTH...] FILE...    a WIDTH is in pixels, or a4: the style for paper, on the width of a sheet
Each FILE is a page, or a picture in SVG. Prints the faults and ends with 1 if there are any: a page wider than its
window, a text that lies on another one, a text that is cut off or must be scrolled into sight, a text in a column of a
few letters, a picture higher than a sheet, a word of a table that is broken, a cell without text, values of several
runs without the name of a run. Equations may be scrolled on a phone."""
import html
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse

A4 = (695, 1017)  # of a sheet within the margins of the pages, 13 and 14 mm

SCRIPT = r"""<script>try {
const bad = [], seen = (e) => e.getClientRects().length > 0 && e.checkVisibility();
const words = (e) => e.textContent.trim().replace(/\s+/g, ' ').slice(0, 60);
const say = (what, e) => bad.push(what + ': ' + words(e));
const wide = document.documentElement.scrollWidth;
if (wide > innerWidth) bad.push('the page is ' + wide + ' px wide');
for (const e of document.querySelectorAll('table.metrics td')) {
  const first = e === e.parentNode.firstElementChild, last = e === e.parentNode.lastElementChild;
  if (!seen(e)) continue;
  if (!last && !e.textContent.trim()) say('an empty cell behind', e.parentNode);
  if (e.dataset.of && innerWidth < 640 && !getComputedStyle(e, '::before').content.includes(e.dataset.of))
    say('no name of a run', e);
  const walk = document.createTreeWalker(e, NodeFilter.SHOW_TEXT), range = document.createRange();
  while (first && walk.nextNode()) {
    if (/\s/.test(walk.currentNode.data)) continue;
    range.selectNodeContents(walk.currentNode);
    if (range.getClientRects().length > 1) say('broken within a word', e);
  }
}
for (const e of document.querySelectorAll('svg'))
  if (seen(e) && !e.ownerSVGElement && e.getBoundingClientRect().height > SHEET)
    say('a picture higher than a sheet', e);

// Returns the visible box of an element's contents, which the element and all elements around it may cut off.
const views = new Map();
const view = (e) => {
  if (!e || e === document.documentElement) return {left: 0, right: innerWidth + 0.5, top: -1e9, bottom: 1e9};
  if (views.has(e)) return views.get(e);
  let v = view(e.parentElement);
  const style = getComputedStyle(e), inline = style.display === 'inline' && !(e instanceof SVGSVGElement);
  if (e !== document.body && !inline && (style.overflowX !== 'visible' || style.overflowY !== 'visible') &&
      !(e instanceof SVGElement && !(e instanceof SVGSVGElement))) {
    const b = e.getBoundingClientRect();
    v = {left: Math.max(v.left, b.left), right: Math.min(v.right, b.right),
         top: Math.max(v.top, b.top), bottom: Math.min(v.bottom, b.bottom)};
  }
  views.set(e, v);
  return v;
};
// The letters of a line fill about 0.7 of the height of its box.
const boxes = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
const inked = (r) => ({left: r.left + 0.5, right: r.right - 0.5, top: r.top + 0.18 * r.height,
                       bottom: r.bottom - 0.16 * r.height});
const beyond = (b, v) => b.left < v.left - 0.5 || b.right > v.right + 0.5 || b.top < v.top - 0.5 ||
                         b.bottom > v.bottom + 0.5;
const word_beyond = (node, v) => { // blanks at the end of a line may be beyond the edge
  for (const m of node.data.matchAll(/\S+/g)) {
    range.setStart(node, m.index);
    range.setEnd(node, m.index + m[0].length);
    if ([...range.getClientRects()].some((r) => beyond(inked(r), v))) return true;
  }
  return false;
};
while (walk.nextNode()) {
  const node = walk.currentNode, e = node.parentElement;
  if (!node.data.trim() || /^(SCRIPT|STYLE|OPTION|desc|title)$/.test(e.tagName) || !e.checkVisibility() ||
      e.closest('math')) continue;
  range.selectNodeContents(node);
  const v = view(e), all = [...range.getClientRects()].filter((r) => r.width >= 1 && r.height >= 1).map(inked);
  if (all.some((b) => beyond(b, v)) && word_beyond(node, v)) say('cut off', node);
  if (all.length > 12 && node.data.length < 10 * all.length && !e.closest('pre')) say('squeezed', node);
  for (const b of all)
    if (b.right > v.left && b.left < v.right && b.bottom > v.top && b.top < v.bottom) boxes.push({...b, node});
}
for (const e of document.querySelectorAll('math')) // browsers do not break them: on a phone they are scrolled
  if (seen(e) && innerWidth >= 640 &&
      [...e.querySelectorAll('*')].some((part) => beyond(inked(part.getBoundingClientRect()), view(e.parentElement))))
    say('cut off', e);
boxes.sort((a, b) => a.top - b.top);
let open = [];
for (const b of boxes) {
  open = open.filter((o) => o.bottom > b.top);
  for (const o of open)
    if (o.node !== b.node && o.left < b.right && b.left < o.right)
      bad.push('"' + words(b.node) + '" lies on "' + words(o.node) + '"');
  open.push(b);
}
parent.report(NUMBER, innerWidth, boxes.length, [...new Set(bad)]);
} catch (e) { parent.report(NUMBER, 0, 0, [e.message]); }</script>"""

HEAD = r"""<meta charset="utf-8"><pre id="laid"></pre><script>
addEventListener("error", (e) => { document.getElementById("laid").textContent = e.message; });
const text = [];
let left = FRAMES;
window.report = (number, wide, texts, bad) => {
  text[number] = wide + ' ' + texts + bad.map((b) => '\n  ' + b).join('');
  if (--left === 0) document.getElementById('laid').textContent = 'laid out\n' + text.join('\n');
};
</script>"""


def inlined(path):
    """Returns a page that contains its style, or a page of a picture."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".svg"):
        text = re.sub(r"^<\?xml.*?\?>\s*", "", text)
        return f'<!DOCTYPE html><html><body style="margin:0">{text}</body></html>'
    folder = os.path.dirname(os.path.abspath(path))

    def style(match):
        with open(os.path.join(folder, match[1]), encoding="utf-8") as file:
            return f"<style>\n{file.read()}</style>"

    text = re.sub(r'<link rel="stylesheet" href="([^"]*)">', style, text)
    return text.replace("<head>", f'<head><base href="file://{urllib.parse.quote(folder)}/">', 1)


def for_paper(text):
    return re.sub(r"@media\s+print\b", "@media all", re.sub(r"@media\s+screen\b", "@media speech", text))


def main(widths, files):
    frames = [(path, wide) for path in files for wide in widths]
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "page.html")
        with open(copy, "w", encoding="utf-8") as out:
            out.write(HEAD.replace("FRAMES", str(len(frames))))
            for i, (path, wide) in enumerate(frames):
                text = inlined(path)
                script = SCRIPT.replace("NUMBER", str(i)).replace("SHEET", str(A4[1]) if wide == "a4" else "1e9")
                text = (for_paper(text) if wide == "a4" else text).replace("</body>", script + "</body>")
                out.write(f'<iframe style="border:0;width:{A4[0] if wide == "a4" else wide}px;height:1500px" '
                          f'srcdoc="{html.escape(text)}"></iframe>')
        # A window of Chromium is at least 500 px wide; a frame in it is as wide as a phone.
        run = subprocess.run(["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1600,1500",
                              "--allow-file-access-from-files", f"--user-data-dir={folder}/profile",
                              "--virtual-time-budget=20000", "--dump-dom", "file://" + copy],
                             capture_output=True, text=True, timeout=540, check=False)
    found = re.search(r'<pre id="laid">laid out\n(.*?)</pre>', run.stdout, re.S)
    if not found:
        sys.exit("the pages were not laid out: " + run.stderr[-300:])
    faults = []
    for (path, wide), one in zip(frames, re.split(r"\n(?! )", html.unescape(found[1]))):
        head, *bad = one.split("\n")
        width, texts = map(int, head.split())
        if width != (A4[0] if wide == "a4" else int(wide)) or not texts:
            bad.append(f"  {texts} texts in a window of {width} px")
        faults += [f"{os.path.basename(path)} {wide}:{b[1:]}" for b in bad]
    print(len(frames), "layouts")
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main(sys.argv[1].split(","), sys.argv[2:])
