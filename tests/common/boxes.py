"""Checks that no text of a picture overlaps another one or extends beyond the picture."""
import re
import xml.dom.minidom


def fault(pictures):
    """Returns the first fault of the pictures (SVG as text), or None. Boxes have an assumed mean width of the letters,
    which no text in these fonts exceeds."""
    for svg in pictures:
        tree = xml.dom.minidom.parseString(svg)
        wide, high = [float(v) for v in tree.documentElement.getAttribute('viewBox').split()[2:]]
        boxes = []
        for node in tree.getElementsByTagName('text'):
            words, tick = node.firstChild.data if node.firstChild else '', node.getAttribute('class') == 'tick'
            x, y, size = float(node.getAttribute('x')), float(node.getAttribute('y')), 10.5 if tick else 11.5
            own = re.search(r'font-size:([\d.]+)', node.getAttribute('style'))
            size = float(own.group(1)) if own else size
            length = 0.56 * size * len(words)
            x -= {'middle': 0.5, 'end': 1.0}.get(node.getAttribute('text-anchor'), 0.0) * length
            if x < 0 or x + length > wide + 0.5 or y > high:
                return f'"{words}" is cut off in {svg[:80]}'
            for other in boxes:
                if x < other[1] and other[0] < x + length and y - 0.7 * size < other[3] and other[2] < y:
                    return f'"{words}" lies on "{other[4]}" in {svg[:80]}'
            boxes.append((x, x + length, y - 0.7 * size, y, words))
    return None
