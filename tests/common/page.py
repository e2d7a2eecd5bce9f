"""Checks a page of a report. Arguments: the page, the least number of pictures. Prints the first fault."""
import re
import sys

import boxes

text = open(sys.argv[1], encoding='utf-8').read()
if re.search(r'(?:https?:)?//[a-z]|@import|url\(', re.sub(r'<pre>.*?</pre>|//.*', '', text, flags=re.S)):
    sys.exit('something is loaded from elsewhere')
if len(text.encode()) > 2e6:
    sys.exit('the page has more than 2 MB')
pictures = re.findall(r'<svg viewBox(?:(?!<svg viewBox).)*?</svg>\n<path class="frame".*?</svg>', text, re.S)
sums = re.findall(r'<svg viewBox[^>]*>\n<text class="title"(?:(?!</?svg).)*?<rect class="part".*?</svg>', text, re.S)
if len(pictures) < int(sys.argv[2]):
    sys.exit(f'only {len(pictures)} pictures')
for p in pictures:
    if not re.search(r'class="run[^"]*" d="M[-\d.]+ [-\d.]+L', p):
        sys.exit('no line in ' + p[:80])
    if re.search('nan|inf', p):
        sys.exit('no number in ' + p[:80])
fault = boxes.fault(pictures + sums)
if fault:
    sys.exit(fault)
