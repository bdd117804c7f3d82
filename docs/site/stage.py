# SPDX-License-Identifier: Apache-2.0
# The pages of a tree, as mkdocs takes them: stage.py TREE OUT
# Writes OUT/site-src and OUT/site.yml. The navigation is docs/README.md: its sections with tables, with the pages that
# their rows link to. A page that these pages link to stands below the nearest of them; a page that no such link
# reaches is an error. What a page links to and is no page, a source file or a folder, becomes a page of text.
import html
import json
import os
import re
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
INDEX = "docs/README.md"
HOME = "README.md"
PICTURES = (".svg", ".png")
# A fenced block or inline code, which are left alone, or a link.
LINK = re.compile(r"^```.*?^```|(`+)(?!`).+?(?<!`)\1(?!`)|(!?)\[((?:[^\[\]`]|`[^`]*`|!\[[^\]]*\]\([^)]*\))*)\]\(([^)\s]+)\)",
                  re.M | re.S)
MARKER = re.compile(r" *([-*+]|\d{1,9}\.) +(?=\S)")
TEXT = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="{up}site.css"></head>
<body><header><a class="home" href="{up}index.html">MRPB, MSHR and PRT</a></header>
<main id="content"><h1>{name}</h1>
{body}
</main></body></html>
"""


def pages_of(tree):
    """Every Markdown page of the site, by its path in the tree."""
    top = [p for p in tree.glob("*.md")] + [p for d in ("cmodel", "rtl") for p in (tree / d).rglob("*.md")]
    return sorted(p.relative_to(tree).as_posix() for p in top + list((tree / "docs").rglob("*.md")))


def target_of(page, link):
    """The path in the tree that a link means, and its anchor; None if it leads out of the site."""
    path, _, anchor = link.partition("#")
    if re.match(r"[a-z]+:", link):
        return None, None
    return os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page, anchor


def linked(page, text, pages):
    """The pages that a text links to, in order."""
    found = (target_of(page, m[4])[0] for m in LINK.finditer(text) if m[4])
    return list(dict.fromkeys(p for p in found if p in pages))


# ---- navigation ----
def title_of(text):
    """The first heading, without what follows a colon or stands in brackets."""
    first = re.search(r"^# (.*)", text, re.M)
    if not first:
        return "?"
    title = re.sub(r" *(\(.*\)|:.*|\.$)", "", first[1].removeprefix("Tutorial: ")).replace("`", "")
    return title[0].upper() + title[1:] if first[1].startswith("Tutorial: ") else title


def sections(texts):
    """The index's kinds of pages: their names, and the pages in their tables."""
    for part in re.split(r"^## ", texts[INDEX], flags=re.M)[1:]:
        rows = "\n".join(line for line in part.splitlines() if line.startswith("|"))
        found = linked(INDEX, rows, texts)
        if found:
            yield part.splitlines()[0].partition(":")[0], found


def nearness(page, other):
    """How many folders two pages have in common."""
    return len(os.path.commonpath([os.path.dirname(page) or ".", os.path.dirname(other) or "."]).split("/"))


def navigation(texts):
    """mkdocs' nav, and the pages that are not in it."""
    kinds, placed = [], {HOME: [], INDEX: []}
    for name, found in sections(texts):
        kinds.append((name, [p for p in found if p not in placed]))
        placed.update((p, []) for p in kinds[-1][1])
    about = [p for p in linked(INDEX, texts[INDEX], texts) if p not in placed and "/" not in p] # of the top level
    listed = list(placed)[2:]
    for page in texts:
        if page not in placed and page not in about:
            above = [p for p in listed if page in linked(p, texts[p], texts)]
            if above:
                placed[max(above, key=lambda p: nearness(p, page))].append(page)
    inside = [p for below in placed.values() for p in below]
    missing = [p for p in texts if p not in placed and p not in about and p not in inside]

    def entry(page):
        if not placed.get(page):
            return {title_of(texts[page]): page}
        below = [page] + linked(page, texts[page], placed[page])
        return {title_of(texts[page]): [{title_of(texts[p]): p} for p in below]}

    nav = [entry(HOME), entry(INDEX)] + [{name: [entry(p) for p in found]} for name, found in kinds]
    return nav + ([{"Project": [entry(p) for p in about]}] if about else []), missing


# ---- pages ----
def lists(text):
    """Lists as Python's Markdown reads them: four columns for each level, an empty line between a paragraph and an item."""
    out, columns, before, fenced, plain = [], [], "", False, False
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        within = sum(1 for c in columns if c <= indent)
        item = None if fenced else MARKER.match(line)
        if line.startswith("```"):
            fenced = not fenced
        if item and (indent - ([0] + columns)[within] >= 4 or
                     before and within == len(columns) and item[1][-1] == "." and item[1] != "1."):
            item = None
            if columns: # a number that only looks like an item
                line = re.sub(r"^( *\d+)\.", r"\1\\.", line)
        plain = plain if before else not item # whether these lines began with a paragraph
        if not line.strip():
            out.append("")
        elif fenced or line.startswith("```"):
            out.append(line)
        elif item:
            if before and plain:
                out.append("")
                plain = False
            columns = columns[:within] + [item.end()]
            out.append("    " * within + item[1] + " " * (4 - len(item[1]) if len(item[1]) < 4 else 1) + line[item.end():])
        else:
            if not before:
                columns = columns[:within]
            out.append("    " * len(columns) + " " * max(0, indent - ([0] + columns)[-1]) + line.lstrip(" "))
        before = line.strip()
    return "\n".join(out)


def cells(text):
    """GitHub wants a bar within a cell's code escaped, Python's Markdown does not."""
    return re.sub(r"^\|.*$", lambda row: re.sub(r"`[^`]*`", lambda m: m[0].replace("\\|", "|"), row[0]), text, flags=re.M)


def rewritten(page, text, tree, pages, others):
    """A page's text with links that lead somewhere in the site; adds files and folders to OTHERS."""
    def one(m):
        if not m[4]:
            return m[0]
        path, anchor = target_of(page, m[4])
        label = LINK.sub(one, m[3])
        if path is None or path in pages or path.startswith(".."):
            new = m[4]
        elif f"{path}/README.md" in pages:
            new = m[4].rstrip("/") + "/README.md"
        elif (tree / path).is_dir():
            others.add(path)
            new = m[4].rstrip("/") + "/index.html"
        elif (tree / path).is_file():
            others.add(path)
            new = m[4] if path.endswith(PICTURES) else m[4] + ".html"
        else:
            new = m[4]
        shown = f"{m[2]}[{label}]({new})"
        return f"[{shown}]({new})" if m[2] and path in others else shown # a picture leads to itself
    return LINK.sub(one, text)


def text_page(out, path, body):
    """A page that is not Markdown."""
    file = out / path
    file.parent.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"(/index)?\.html$", "", path)
    file.write_text(TEXT.format(name=html.escape(name), up="../" * path.count("/"), body=body))


def other(tree, out, path):
    """A file as it is, and as a page of text; a folder as a list of its files, and these."""
    source = tree / path
    if source.is_dir():
        names = sorted(p.name for p in source.iterdir() if p.is_file() and not p.name.startswith("."))
        items = "".join(f'<li><a href="{n}.html">{n}</a></li>' for n in names if not n.endswith(".md"))
        text_page(out, f"{path}/index.html", f"<ul>{items}</ul>")
        for n in names:
            other(tree, out, f"{path}/{n}")
    elif not path.endswith(".md"):
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, out / path)
        if not path.endswith(PICTURES):
            name = os.path.basename(path)
            text = html.escape(source.read_text(errors="replace"))
            text_page(out, f"{path}.html", f'<p><a href="{name}" download>{name}</a></p>\n<pre><code>{text}</code></pre>')


def main(tree, out):
    """Stages the site; returns the exit code."""
    tree, out = Path(tree).resolve(), Path(out).resolve()
    texts = {p: (tree / p).read_text() for p in pages_of(tree)}
    if HOME not in texts or INDEX not in texts:
        print(f"site: {tree}: {HOME} and {INDEX} are needed")
        return 2
    nav, missing = navigation(texts)
    for page in missing:
        print(f"site: {page} is not in {INDEX}, nor linked from a page that is")
    if missing:
        return 1
    src, others = out / "site-src", set()
    shutil.rmtree(src, ignore_errors=True)
    for page, text in texts.items():
        (src / page).parent.mkdir(parents=True, exist_ok=True)
        (src / page).write_text(lists(cells(rewritten(page, text, tree, texts, others))))
    for path in sorted(others):
        other(tree, src, path)
    (out / "site.yml").write_text(json.dumps({
        "INHERIT": str(HERE / "mkdocs.yml"), "docs_dir": str(src), "site_dir": str(out / "site"),
        "theme": {"custom_dir": str(HERE / "theme")}, "nav": nav}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
