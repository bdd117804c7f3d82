# SPDX-License-Identifier: Apache-2.0
"""Holds a run with intervals to the same run without: intervals.py WHOLE.json CUT.json CUT.csv STACKS.csv N stacks.def"""

import csv
import json
import re
import sys

whole, cut, rows, n = json.load(open(sys.argv[1])), json.load(open(sys.argv[2])), sys.argv[3], int(sys.argv[5])
parts = cut.pop("intervals")
stacks = [p.pop("stacks") for p in parts]
assert whole == cut, "the run is another one"

MEANS = ("ipc", "l1d.mshr.mean", "l1d.miss_queue.mean", "mrpb.held.mean", "mrpb.prt.mean")


def flat(value, name=""):
    """{"l1d.hits": 5, ...}"""
    if not isinstance(value, dict):
        return {name: value}
    return {k: v for part, inside in value.items() for k, v in flat(inside, f"{name}.{part}" if name else part).items()}


flats = [flat(p) for p in parts]
assert parts[0]["from"] == 0 and parts[-1]["to"] == whole["cycles"], "not the whole run"
for before, after in zip(flats, flats[1:]):
    assert before["to"] == after["from"] and before["to"] - before["from"] == n, (before["from"], after["from"])
assert 0 < flats[-1]["to"] - flats[-1]["from"] <= n

total = flat(whole)
counts = [k for k in flats[0] if k not in ("from", "to") + MEANS]
assert len(counts) > 30, counts
for k in counts:
    assert sum(f[k] for f in flats) == total[k], (k, sum(f[k] for f in flats), total[k])
    assert all(f[k] >= 0 for f in flats), k
for f in flats:
    assert abs(f["ipc"] * f["cycles"] - f["thread_instructions"]) < 1e-6 * max(1, f["thread_instructions"]), f

# A mean of the run is that of its intervals, by the cycles with a block: the histogram's.
for k in MEANS[1:]:
    if k not in flats[0]:
        continue
    at = total[k.removesuffix("mean") + "cycles_at"]
    most = sum(level * cycles for level, cycles in enumerate(at))
    assert abs(sum(f[k] * f["sm.sm_cycles"] for f in flats) - most) <= 1e-6 * max(1, most), k

lines = list(csv.DictReader(open(rows)))
assert len(lines) == len(flats)
for line, f in zip(lines, flats):
    assert set(line) == set(f), set(line) ^ set(f)
    for k, v in f.items():
        assert float(line[k]) == v or abs(float(line[k]) - v) < 1e-4 * abs(v), (k, line[k], v)

# The cycle stacks: those of the file and of the list are the same, and add up to the counts of the run.
kinds = re.findall(r'^(PIPELINE|IN_ORDER)\(\w+, "(\w+)", "([\w.]+)", "([\w ]+)"', open(sys.argv[6]).read(), re.M)
kind = "IN_ORDER" if whole["configuration"]["CORE"] == "in-order" else "PIPELINE"
columns = {name: (counted, unit) for k, name, counted, unit in kinds if k == kind}
assert len(columns) == (13 if kind == "IN_ORDER" else 5)
sms, schedulers = whole["configuration"]["SMS"], whole["configuration"]["SCHEDULERS"]
lines = list(csv.DictReader(open(sys.argv[4])))
assert list(lines[0]) == ["from", "to", "sm", *columns]
assert [len(s) for s in stacks] == [sms] * len(parts) and len(lines) == sms * len(parts)
both = [(p, s) for p, all_of in zip(parts, stacks) for s in all_of]
for k, (line, (p, s)) in enumerate(zip(lines, both)):
    assert {c: int(v) for c, v in line.items()} == {"from": p["from"], "to": p["to"], **s} and s["sm"] == k % sms
for name, (counted, _) in columns.items():
    assert sum(s[name] for _, s in both) == total[counted], (name, total[counted])
# In an interval, no SM has more cycles than its schedulers. The last one has those of issues that go on.
beyond = whole["configuration"].get("ISSUE_CYCLES", 1) - 1
for k, (p, s) in enumerate(both):
    most = schedulers * (p["to"] - p["from"] + (beyond if k // sms == len(parts) - 1 else 0))
    assert sum(v for name, v in s.items() if name in columns and columns[name][1] == "scheduler cycles") <= most, (p["from"], s)
    assert s.get("memory_stage_stalled", 0) <= p["to"] - p["from"]
# With the paper's SMs, an interval has what its SMs have.
for p, f, all_of in zip(parts, flats, stacks):
    for name, (counted, _) in columns.items():
        assert kind == "IN_ORDER" or sum(s[name] for s in all_of) == f[counted], (p["from"], name)
