# SPDX-License-Identifier: Apache-2.0
# The links of a built site: links.py SITE
# A line for each that leads to no file or to no anchor, and for each picture, script or style of another site; exit 1.
import os
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

LOADED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "srcset"}


class Page(HTMLParser):
    """What a page links to, what it loads, and its anchors."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id" or tag == "a" and name == "name":
                self.anchors.add(value)
            elif name in (LOADED.get(tag), "href"):
                self.links.append((value or "", LOADED.get(tag) == name))


def source_of(path):
    """The page in the tree behind one of the site, for people."""
    return re.sub(r"(^|/)index\.html$", r"\1README.md", path).removesuffix(".html") + \
        (".md" if path.endswith(".html") and not path.endswith("index.html") else "")


def look(site):
    """Each dead link of the site, as (page, link, what is wrong); and how many there are."""
    pages = {p.relative_to(site).as_posix(): Page(p.read_text()) for p in sorted(site.rglob("*.html"))}
    dead, count = [], 0
    for path, page in pages.items():
        for link, loaded in page.links:
            count += 1
            if re.match(r"([a-z]+:)?//", link):
                if loaded:
                    dead.append((path, link, "of another site"))
                continue
            if re.match(r"(data|mailto):", link):
                continue
            to, _, anchor = link.partition("#")
            to = os.path.normpath(os.path.join(os.path.dirname(path), unquote(to))) if to else path
            if to.startswith("..") or not (site / to).is_file():
                dead.append((path, link, "no such file"))
            elif anchor and unquote(anchor) not in pages[to].anchors:
                dead.append((path, link, "no such heading"))
    for file in sorted([*site.rglob("*.css"), *site.rglob("*.svg")]):
        for link in re.findall(r"(?:url\(|@import|(?:href|src)=)\s*[\"']?((?:https?:)?//[^\"') ]+)", file.read_text()):
            dead.append((file.relative_to(site).as_posix(), link, "of another site"))
    return dead, count, len(pages)


def main(site):
    dead, count, pages = look(Path(site))
    for path, link, why in dict.fromkeys(dead):
        print(f"site: {source_of(path)} links to {link}: {why}")
    if not dead:
        print(f"site: {count} links on {pages} pages lead somewhere")
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
