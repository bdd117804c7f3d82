# SPDX-License-Identifier: Apache-2.0
"""Holds the counts by instruction and by buffer to those of the same run without:
profile.py WHOLE.json SEEN.json BY_PC.csv BY_BUFFER.csv profile.def counts.def [COLUMN...]
The COLUMNs must count something."""

import csv
import json
import re
import sys

whole, seen = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
by_pc, by_buffer = seen.pop("by_pc"), seen.pop("by_buffer")
assert whole == seen, "the run is another one"
columns = re.findall(r'^PROFILE\(\w+, "(\w+)", "([\w.+]*)", (AT_\w+), ', open(sys.argv[5]).read(), re.M)
assert len(columns) > 35
known = {f"{part}.{name}" if part else name for part, name in re.findall(r'^[A-Z]+\("([\w.]*)", "([\w.]+)", ', open(sys.argv[6]).read(), re.M)}


def count(name):
    at = whole
    for part in name.split("."):
        if not isinstance(at, dict) or part not in at:
            return None
        at = at[part]
    return at


def has(rows, name):
    """Whether the rows have the column: all or none do."""
    there = {name in row for row in rows}
    assert len(there) == 1, name
    return there.pop()


for name, total, of in columns:
    parts = [count(t) for t in total.split("+")] if total else []
    assert not total or set(total.split("+")) <= known, ("no such count", total)
    wants = [p for p in parts if p is not None]
    # A column is there if this GPU has one of the counts that it adds up to.
    assert has(by_pc, name) == (not total or wants != []), ("by pc", name)
    assert has(by_buffer, name) == (of == "AT_BOTH" and has(by_pc, name)), ("by buffer", name)
    if not has(by_pc, name):
        continue
    got = sum(row[name] for row in by_pc)
    if total:
        assert got == sum(wants), ("by pc", name, got, sum(wants))
    if of == "AT_BOTH":
        nowhere = sum(row[name] for row in by_pc if row["pc"] == "-")
        assert sum(row[name] for row in by_buffer) == got - nowhere, ("by buffer", name)

# What an instruction did is what it did with its arrays; what an array saw is what the instructions did with it.
BOTH = [name for name, _, of in columns if of == "AT_BOTH" and has(by_pc, name)]
of_array = {row["buffer"]: dict.fromkeys(BOTH, 0) for row in by_buffer}
assert len(of_array) == len(by_buffer)
for row in by_pc:
    names = [b["buffer"] for b in row["buffers"]]
    assert len(names) == len(set(names)), ("an array twice", row["pc"])
    lines = [b["transactions"] for b in row["buffers"]]
    assert lines == sorted(lines, reverse=True), ("the array with most transactions is first", row["pc"], lines)
    for name in BOTH:
        assert row["pc"] == "-" or row[name] == sum(b[name] for b in row["buffers"]), (row["pc"], name)
    for b in row["buffers"]:
        for name in BOTH:
            of_array[b["buffer"]][name] += b[name]
for row in by_buffer:
    assert {name: row[name] for name in BOTH} == of_array[row["buffer"]], ("arrays", row["buffer"])

for name in sys.argv[7:]:
    assert any(row[name] for row in by_pc), ("all 0", name)

# What an instruction must be for a count to be its own.
KIND = {
    "transactions": r"ld|st|atom|red|tex|cp\.async|prefetch",
    "hits": r"ld|atom|tex|cp\.async",
    "misses": r"ld|atom|tex|cp\.async",
    "merges": r"ld|atom|tex|cp\.async",
    "bypasses": r"ld|atom|cp\.async",
    "writes": r"st|atom|red",
    "answered": r"ld|atom|tex|cp\.async",
    "stack_constants": r"ld\.(const|param)",
    "stack_shared": r".*\.shared\b",
    "stack_lsu": r"ld|st|atom|red|tex|cp\.async",
    "stack_table": r"ld|st|atom|red|tex|cp\.async",
    "stack_lines": r"ld|atom|tex|cp\.async",
    "stack_l1": r"ld|atom|tex|cp\.async",
    "stack_l2": r"ld|atom|tex|cp\.async",
    "stack_dram": r"ld|atom|tex|cp\.async",
    "stack_barrier": r"bar",
}
for row in by_pc:
    for name, kind in KIND.items():
        if row.get(name, 0) > 0 and row["text"]:
            assert re.match(rf"(@!?%\w+\s+)?({kind})", row["text"]), (name, row["pc"], row["text"])

for row in by_pc + by_buffer + [b for row in by_pc for b in row["buffers"]]:
    loads = row["answered"]
    assert abs(row["latency_mean"] * loads - row["latency_sum"]) <= 1e-6 * row["latency_sum"], row
    assert row["latency_p50"] <= row["latency_p99"] and (loads > 0 or row["latency_p99"] == 0), row

for row in by_pc:
    assert sum(step["loads"] for step in row["latencies"]) == row.get("answered", 0), row

for row in by_pc:
    lanes = [w["lanes"] for w in row["words"]]
    assert lanes == sorted(lanes, reverse=True) and sum(lanes) <= row["thread_instructions"], row
    assert not lanes or re.match(r"(@!?%\w+\s+)?(atom|red)\.(?!shared)", row["text"]), row
    assert len(lanes) >= 4 or not lanes or sum(lanes) == row["thread_instructions"], ("all words are there", row)
    if re.match(r"(@!?%\w+\s+)?(atom|red)\.global", row["text"]) and row["thread_instructions"]:
        assert lanes, ("no words", row["text"])

for rows, path in ((by_pc, sys.argv[3]), (by_buffer, sys.argv[4])):
    lines = list(csv.DictReader(open(path, newline="")))
    assert len(lines) == len(rows) > 0
    for line, row in zip(lines, rows):
        assert list(line) == [name for name in row if name not in ("latencies", "words")]
        for k, v in ((k, ", ".join(b["buffer"] for b in row[k]) if k == "buffers" else row[k]) for k in line):
            assert line[k] == v if isinstance(v, str) else abs(float(line[k]) - v) <= 1e-5 * abs(v), (k, line[k], v)
