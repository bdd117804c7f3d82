# SPDX-License-Identifier: Apache-2.0
"""Holds a run with intervals to the same run without: intervals.py WHOLE.json CUT.json CUT.csv N"""

import csv
import json
import sys

whole, cut, rows, n = json.load(open(sys.argv[1])), json.load(open(sys.argv[2])), sys.argv[3], int(sys.argv[4])
parts = cut.pop("intervals")
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
