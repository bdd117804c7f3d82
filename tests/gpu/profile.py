# SPDX-License-Identifier: Apache-2.0
"""Holds the counts by instruction and by buffer to those of the same run without:
profile.py WHOLE.json SEEN.json BY_PC.csv BY_BUFFER.csv profile.def"""

import csv
import json
import re
import sys

whole, seen = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
by_pc, by_buffer = seen.pop("by_pc"), seen.pop("by_buffer")
assert whole == seen, "the run is another one"
columns = re.findall(r'^PROFILE\(\w+, "(\w+)", "([\w.+]*)", (AT_\w+), ', open(sys.argv[5]).read(), re.M)
assert len(columns) > 20


def count(name):
    at = whole
    for part in name.split("."):
        if not isinstance(at, dict) or part not in at:
            return None
        at = at[part]
    return at


for name, total, of in columns:
    parts = [count(t) for t in total.split("+")] if total else []
    want = sum(parts) if parts and None not in parts else None
    got = sum(row[name] for row in by_pc)
    if want is not None:
        assert got == want, ("by pc", name, got, want)
    if of == "AT_BOTH":
        nowhere = sum(row[name] for row in by_pc if row["pc"] == "-")
        assert sum(row[name] for row in by_buffer) == got - nowhere, ("by buffer", name)

for row in by_pc + by_buffer:
    loads = row["answered"]
    assert abs(row["latency_mean"] * loads - row["latency_sum"]) <= 1e-6 * row["latency_sum"], row
    assert row["latency_p50"] <= row["latency_p99"] and (loads > 0 or row["latency_p99"] == 0), row

for rows, path in ((by_pc, sys.argv[3]), (by_buffer, sys.argv[4])):
    lines = list(csv.DictReader(open(path, newline="")))
    assert len(lines) == len(rows) > 0
    for line, row in zip(lines, rows):
        assert list(line) == list(row)
        for k, v in row.items():
            assert line[k] == v if isinstance(v, str) else abs(float(line[k]) - v) <= 1e-5 * abs(v), (k, line[k], v)
