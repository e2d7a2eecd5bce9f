"""Checks the layout of a page by headless Chromium. Arguments: the page, the width of the window in pixels. Prints the
faults: a page wider than its window, a word of a table that is broken, a cell without text, values of several runs
without the name of a run."""
import html
import os
import re
import subprocess
import sys
import tempfile

# A window of Chromium is at least 500 px wide; a frame in it is as wide as a phone.
SCRIPT = r"""<script>
const bad = [], seen = (e) => e.getClientRects().length > 0;
const say = (what, e) => bad.push(what + ': ' + e.textContent.trim().slice(0, 60));
if (document.documentElement.scrollWidth > innerWidth)
  bad.push('the page is ' + document.documentElement.scrollWidth + ' px wide');
for (const e of document.querySelectorAll('table.metrics td')) {
  const first = e === e.parentNode.firstElementChild, last = e === e.parentNode.lastElementChild;
  if (!seen(e)) continue;
  if (!last && !e.textContent.trim()) say('an empty cell behind', e.parentNode);
  if (e.scrollWidth > e.clientWidth + 1) say('cut off', e);
  if (e.dataset.of && innerWidth < 640 && !getComputedStyle(e, '::before').content.includes(e.dataset.of))
    say('no name of a run', e);
  const walk = document.createTreeWalker(e, NodeFilter.SHOW_TEXT), range = document.createRange();
  while (first && walk.nextNode()) {
    if (/\s/.test(walk.currentNode.data)) continue;
    range.selectNodeContents(walk.currentNode);
    if (range.getClientRects().length > 1) say('broken within a word', e);
  }
}
for (const e of document.querySelectorAll('h1, h2, h3, svg, p, li'))
  if (seen(e) && e.getBoundingClientRect().right > innerWidth + 0.5) say('beyond the edge', e);
parent.document.getElementById('laid').textContent = 'laid out ' + innerWidth + '\n' + bad.join('\n');
</script>"""

page, wide = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    copy = os.path.join(folder, 'page.html')
    with open(copy, 'w', encoding='utf-8') as f:
        text = open(page, encoding='utf-8').read().replace('</body>', SCRIPT + '</body>')
        f.write(f'<pre id="laid"></pre><iframe style="border:0;width:{wide}px;height:1500px" '
                f'srcdoc="{html.escape(text)}"></iframe>')
    run = subprocess.run(['chromium', '--headless=new', '--no-sandbox', '--disable-gpu', '--window-size=1600,1500',
                          f'--user-data-dir={folder}/profile', '--virtual-time-budget=2000', '--dump-dom',
                          'file://' + copy], capture_output=True, text=True, timeout=240)
found = re.search(r'<pre id="laid">laid out (\d+)\n(.*?)</pre>', run.stdout, re.S)
if not found:
    sys.exit('the page was not laid out: ' + run.stderr[-300:])
if found.group(1) != wide:
    sys.exit(f'the window is {found.group(1)} px wide')
if found.group(2).strip():
    sys.exit(found.group(2))
