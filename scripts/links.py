"""Checks a folder of pages: every link has a target, every picture exists, and every page is the target of a link.

Usage: links.py FOLDER    (prints the faults; status 1 if there are any)
Links out of the folder or to a network are faults, too.
"""
import html.parser
import os
import sys
import urllib.parse

LINKS = ("href", "src", "srcset", "poster", "action", "data")


class Page(html.parser.HTMLParser):
    def __init__(self, name):
        super().__init__()
        self.name, self.ids, self.links, self.twice = name, set(), [], []

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key == "id" or (key == "name" and tag == "a"):
                if value in self.ids and key == "id":
                    self.twice.append(value)
                self.ids.add(value)
            elif key in LINKS and not (key == "data" and tag != "object"):
                several = value.split(",") if key == "srcset" else [value]
                self.links += [(self.getpos()[0], one.split()[0] if one.split() else "") for one in several]


def main(folder):
    pages, found, reached = {}, [], {"index.html"}
    files = {os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names}
    for name in sorted(files):
        if name.endswith(".html"):
            pages[name] = Page(name)
            with open(os.path.join(folder, name), encoding="utf-8") as text:
                pages[name].feed(text.read())
    for name, page in pages.items():
        found += [f"{name}: id {one} is there twice" for one in page.twice]
        for line, link in page.links:
            at = urllib.parse.urlsplit(link)
            if at.scheme == "data":
                continue
            to = (os.path.normpath(os.path.join(os.path.dirname(name), urllib.parse.unquote(at.path)))
                if at.path else name)
            if at.scheme or at.netloc or link.startswith("/") or to.startswith(".."):
                found.append(f"{name}:{line}: leads out of the site: {link}")
            elif not link or to not in files:
                found.append(f"{name}:{line}: nothing is at {link or 'an empty link'}")
            elif at.fragment and urllib.parse.unquote(at.fragment) not in (pages[to].ids if to in pages else ()):
                found.append(f"{name}:{line}: no section {link}")
            else:
                reached.add(to)
    found += [f"{name}: no page leads here" for name in sorted(files - reached)]
    print("\n".join(found), end="\n" if found else "")
    return bool(found) or not pages


if len(sys.argv) != 2:
    sys.exit(__doc__)
sys.exit(main(sys.argv[1]))
