#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the blocks of Python on docs/python.md, in their order and in one process, in a copy of
docs/examples/ptx. What a block prints must stand below it, and a picture that it saves must be shown
below it and be in docs/pictures/python.

usage: docs/page.py [--write] [--pictures DIR]
  --write         writes output and pictures into the page, instead of comparing (`make docs`)
  --pictures DIR  also saves the pictures there, as PNG, to be looked at

The package mrpb, pandas and matplotlib must be there (`make stage`, PYTHONPATH). Numbers must be
equal; pictures are compared only by their names, for each matplotlib draws them a little differently.
"""

import argparse
import contextlib
import io
import os
import re
import shutil
import sys
import tempfile
import traceback
from pathlib import Path

import matplotlib

HERE = Path(__file__).resolve().parent
PAGE, PICTURES = HERE / "python.md", HERE / "pictures" / "python"
BLOCK = re.compile(r"^```python\n((?:.*\n)*?)```\n((?:\n(?:    .*\n)+)?)((?:\n!\[.*\]\(pictures/python/.*\)\n)?)", re.M)


def run(code, names, line):
    """What a block prints; its lines have the page's numbers in a traceback."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile("\n" * line + code, PAGE, "exec"), names)  # pylint: disable=exec-used
    return said.getvalue()


def below(code, printed):
    """What stands below a block: what it has printed, and the picture that it has saved."""
    shown = "".join(f"    {line}".rstrip() + "\n" for line in printed.splitlines())
    saved = re.search(r'savefig\("(\w+)\.svg"\)', code)
    title = saved and re.findall(r'title="([^"]*)"', code)[-1]
    picture = f"\n![{title}](pictures/python/{saved[1]}.svg)\n" if saved else ""
    return (f"\n{shown}" if shown else ""), picture


def blocks(text, names):
    """The page with what its blocks have done, and how many there are."""
    done, at, count = [], 0, 0
    for block in BLOCK.finditer(text):
        code = block[1]
        printed, picture = below(code, run(code, names, text[:block.start(1)].count("\n")))
        done += [text[at:block.start()], f"```python\n{code}```\n", printed, picture]
        at, count = block.end(), count + 1
    if count != text.count("```python"):
        raise ValueError("a block of Python that is not closed, or is indented")
    return "".join(done) + text[at:], count


def differences(page, have):
    """The lines of the page that are not what was printed."""
    for number, (told, printed) in enumerate(zip(page.splitlines(), have.splitlines()), 1):
        if told != printed:
            return f"docs/python.md:{number}: {told!r}; printed: {printed!r}"
    return "docs/python.md: other lines at its end" if page != have else ""


def main():
    parser = argparse.ArgumentParser(description="runs the code of docs/python.md")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--pictures")
    options = parser.parse_args()
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "mrpb"  # equal runs give equal files
    os.environ["SOURCE_DATE_EPOCH"] = "0"
    pictures = options.pictures and Path(options.pictures).resolve()
    text = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(HERE / "examples" / "ptx", Path(folder) / "ptx")
        os.chdir(Path(folder) / "ptx")
        names = {}
        try:
            have, count = blocks(text, names)
        except Exception:  # pylint: disable=broad-except
            traceback.print_exc()
            sys.exit("docs/python.md: a block of it fails")
        saved = sorted(Path().glob("*.svg"))
        if pictures:
            pictures.mkdir(parents=True, exist_ok=True)
            for number in names["plt"].get_fignums():
                names["plt"].figure(number).savefig(pictures / f"{number}.png", dpi=100)
        if options.write:
            PAGE.write_text(have, encoding="utf-8")
            PICTURES.mkdir(exist_ok=True)
            for file in saved:
                shutil.copy(file, PICTURES)
        wrong = "" if options.write else differences(text, have)
        kept = sorted(file.name for file in PICTURES.glob("*.svg"))
        if [file.name for file in saved] != kept:
            wrong = wrong or f"docs/pictures/python has {kept}, and the page saves {[f.name for f in saved]}"
        os.chdir("/")
    print(wrong or f"docs/python.md: {count} blocks, {len(kept)} pictures")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
