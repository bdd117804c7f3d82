# SPDX-License-Identifier: Apache-2.0
"""Copies one Liberty file: pdks_clean.py UNUSED FIRST < FILE, without the final brace.

Leaves out wire loads and cells whose names match UNUSED or that are marked dont_use; of all but the
first file, everything that is neither a cell nor a template.
"""
import re
import sys

unused, first = re.compile(sys.argv[1]), sys.argv[2] == "1"
text = sys.stdin.read()
text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
text = re.sub(r"(\bclear|\bpreset|\bnext_state|\bclocked_on)(\s*:\s*)(![^\";\s]+)", r'\1\2"\3"', text)
start = text.index("{", text.index("library")) + 1
if first:
    sys.stdout.write(text[:start] + "\n")
at, end = start, text.rindex("}")
while at < end:
    match = re.compile(r"[^;{]*[;{]").match(text, at, end)
    if not match:
        break
    piece, stop = match.group(), match.end()
    if piece.endswith("{"):
        depth = 1
        for brace in re.compile(r"[{}]").finditer(text, stop):
            depth += 1 if brace.group() == "{" else -1
            if depth == 0:
                stop = brace.end()
                break
    word = re.match(r"\s*([a-z_]+)", piece)
    kind = word.group(1) if word else ""
    body = text[at:stop]
    name = re.search(r'cell\s*\(\s*"?([^")\s]+)', piece)
    keep = not re.match(r"(default_)?wire_load", kind)
    if kind == "cell":
        keep = not unused.search(name.group(1)) and not re.search(r"dont_use\s*:\s*true", body)
    elif not first:
        keep = False
    if keep:
        sys.stdout.write(body)
    at = stop
