# SPDX-License-Identifier: Apache-2.0
"""Checks a timeline: timeline.py TIMELINE.json RUN.json whole
               or: timeline.py PART.json WHOLE.json part FROM TO SM,SM...

Slices of a track nest, the stations of a request follow one another without a gap, and all lie within what they belong to.
`whole`: the timeline has all SMs from beginning to end, so what it shows adds up to the counts of the run. `part`: it has
what another timeline has of some SMs in a window of cycles."""
import collections
import json
import re
import sys

WARP = ("issue", "load", "barrier")
WRITTEN = 2  # cycles from the end of a load's last request until its registers are written, at most
REQUEST = ("hit", "miss", "merge", "bypass", "uncached", "atomic", "store")


def fail(text):
    sys.exit(f"timeline: {text}")


def tracks(events):
    by = collections.defaultdict(list)
    for e in events:
        if e["ph"] == "X":
            by[e["pid"], e["tid"]].append(e)
    return by


def nest(track, slices):
    """The slices of a track as a forest: (slice, children), in the order of time."""
    roots, open_ = [], []
    for s in sorted(slices, key=lambda s: (s["ts"], -s["dur"], s["cat"] == "station")):
        end = s["ts"] + s["dur"]
        while open_ and open_[-1][0]["ts"] + open_[-1][0]["dur"] <= s["ts"]:
            open_.pop()
        if open_ and end > open_[-1][0]["ts"] + open_[-1][0]["dur"]:
            fail(f"track {track}: {s} reaches out of {open_[-1][0]}")
        node = (s, [])
        (open_[-1][1] if open_ else roots).append(node)
        open_.append(node)
    return roots


def check_requests(track, roots):
    for s, stations in roots:
        if s["cat"] not in REQUEST:
            fail(f"track {track}: {s} is no request")
        at = s["ts"]
        for station, inner in stations:
            if station["cat"] != "station" or inner:
                fail(f"track {track}: {station} is no station of {s}")
            if station["ts"] != at:
                fail(f"track {track}: a gap before {station} of {s}")
            at += station["dur"]
        if at != s["ts"] + s["dur"] and s["dur"] > 0:
            fail(f"track {track}: the stations of {s} end at {at}")


def check_warps(track, roots):
    for s, inner in roots:
        if s["cat"] == "block":
            continue
        if s["cat"] != "warp":
            fail(f"track {track}: {s} is no warp")
        at = None
        for i, more in inner:
            if i["cat"] not in WARP or more:
                fail(f"track {track}: {i} is no instruction")
            if at is not None and i["ts"] != at:
                fail(f"track {track}: a gap before {i}")
            at = i["ts"] + i["dur"]


def latencies(events):
    """Of each load: the cycles from its issue to the last of its data, added up by pc. Loads of one instruction of one warp
    do not overlap."""
    last = {}
    for e in events:
        if e["ph"] == "X" and e["cat"] in REQUEST and e["cat"] not in ("store", "uncached", "atomic"):
            key = e["pid"], e["args"]["warp"], e["args"]["pc"], e["ts"]
            last[key] = max(last.get(key, 0), e["dur"])
    by = collections.Counter()
    for (_, _, pc, _), cycles in last.items():
        by[pc] += cycles
    return by


def check_maps(events, n, maps):
    """The sums of all intervals and places."""
    cycles, stations = collections.Counter(), collections.Counter()
    for e in events:
        if e["ph"] == "X" and e["cat"] == "station":
            name = re.sub(r"^bank \d+, ", "", e["name"])
            cycles[name] += e["dur"]
            stations[name] += 1
    expected = {}
    if "sets" in maps:
        expected["sets", "reads"] = n["hit"] + n["merge"] + n["miss"] + n["bypass"]
        expected["sets", "misses"] = n["miss"] + n["bypass"]
        expected["sets", "refused"] = cycles["refused"]
    if "queues" in maps:
        expected["queues", "held"] = cycles["MRPB"] + cycles["refused"]
    if "slices" in maps:
        expected["slices", "asked"] = sum(n[k] for k in ("miss", "bypass", "store", "uncached", "atomic"))
    if "banks" in maps:
        expected["banks", "served"] = stations["row hit"] + stations["row opened"]
        expected["banks", "opened"] = stations["row opened"]
    for (part, layer), shown in expected.items():
        if sum(maps[part][layer]) != shown:
            fail(f"map {part}.{layer}: {sum(maps[part][layer])}, the timeline has {shown}")


def check_counts(events, run):
    c = run
    n = collections.Counter(e["cat"] for e in events if e["ph"] == "X")
    expected = {
        "instructions": (n["issue"] + n["load"] + n["barrier"], c["warp_instructions"]),
        "launches": (n["launch"], len(run["kernels"])),
        "hits and merges": (n["hit"] + n["merge"], c["l1d"]["hits"] + c["l1d"]["merges"]),
        "reads": (sum(n[k] for k in REQUEST if k != "store"), c["sm"]["load_transactions"] + c["sm"].get("atomic_transactions", 0)),
        "bypasses": (n["bypass"], c["l1d"]["bypasses"]),
        "stores": (n["store"], c["l1d"]["writes"]),
    }
    for what, (shown, counted) in expected.items():
        if shown != counted:
            fail(f"{what}: {shown} slices, {counted} counted")
    if not 0 <= n["hit"] - c["l1d"]["hits"] <= c["l1d"]["merges"]:  # a merge may find its data there
        fail(f"hits: {n['hit']} slices, {c['l1d']['hits']} counted")
    if not n["miss"] <= c["l1d"]["misses"] <= n["miss"] + n["merge"]:
        fail(f"misses: {n['miss']} slices, {c['l1d']['misses']} counted")
    check_maps(events, n, run["maps"])
    by = latencies(events)
    for row in run.get("by_pc", []):
        if not 0 <= row["latency_sum"] - by[row["pc"]] <= WRITTEN * row["answered"]:
            fail(f"pc {row['pc']}: loads take {by[row['pc']]} cycles, {row['latency_sum']} counted")


def slices_of(events, names):
    """Slices by the group's name, without the number of a lane, which depends on what else is shown."""
    group = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    return collections.Counter(
        (group[e["pid"]], e["tid"] if not group[e["pid"]].endswith("requests") else 0, e["ts"], e["dur"], e["name"])
        for e in events if e["ph"] == "X" and e["cat"] != "station" and group[e["pid"]] in names)


def check_part(events, whole, first, last, sms):
    names = [f"SM {i}{more}" for i in sms for more in ("", " requests")] + ["GPU"]
    shown = slices_of(events, names)
    expected = collections.Counter(
        {s: n for s, n in slices_of(whole, names).items() if s[2] <= last and s[2] + s[3] >= first})
    if not shown or shown != expected:
        fail(f"the window has {sum(shown.values())} slices, the whole {sum(expected.values())} there: "
             f"{list((shown - expected).items())[:2]} {list((expected - shown).items())[:2]}")
    group = {e["args"]["name"] for e in events if e["name"] == "process_name"}
    if group != set(names):
        fail(f"groups {sorted(group)}")


def main():
    with open(sys.argv[1]) as f:
        events = json.load(f)["traceEvents"]
    with open(sys.argv[2]) as f:
        other = json.load(f)
    group = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    for track, slices in tracks(events).items():
        roots = nest(track, slices)
        name = group[track[0]]
        if re.fullmatch(r"SM \d+ requests", name):
            check_requests(track, roots)
        elif re.fullmatch(r"SM \d+", name):
            check_warps(track, roots)
    if sys.argv[3] == "whole":
        check_counts(events, other)
    else:
        first, last = int(sys.argv[4]), int(sys.argv[5])
        check_part(events, other["traceEvents"], first, last, sys.argv[6].split(","))


main()
