#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/estimate/l1.md: area, period and energy of l1_top and its parts.

  tests/estimate/l1.py record LIBRARY SRAMS   measures them and writes tests/estimate/l1.json (hours)
  tests/estimate/l1.py place NAME...          places parts with qflow and adds them to that file
  tests/estimate/l1.py tables                 prints the tables from the file, for docs/generate.sh

LIBRARY is a Liberty file, SRAMS a list of Liberty files of memories (`--sram-lib`). They are not part
of the project, so `make test` compares the hashes of the Verilog instead
(tests/estimate/test_estimate_energy.c). What was measured before is found in the estimate's cache.
"""

import json
import re
import subprocess
import sys

RECORD = "tests/estimate/l1.json"
CLOCK, WIRE, ACCESS = "0.8", "0.7", "0.385"
PLACE_SECONDS = "600"
# What the SM uses, with the widths that follow from it: docs/l1_path.md, tb/config/verilog_params.c.
SM = "TAG_W=12 STORES=16 WRITES=64 BYPASSES=32 FETCH=1 ENTRIES=64"
TOPS = {"16 KB": SM, "48 KB": SM + " SETS=64 WAYS=6"}
PARTS = (
    ("u_coalescer", "coalescer", "INFO_W=25"),
    ("u_mrpb", "mrpb", "DATA_W=40 ANSWER=2"),
    ("u_prt", "prt", "ENTRIES=64 OFFSET_W=5 TAG_W=18 CHECK=0"),
    ("u_lane_table", "lane_table", "ENTRIES=64"),
    ("u_tags", "tags", ""),
    ("u_mshr", "mshr", "ADDR_W=25 DATA_W=11 STORES=1"),
    ("u_bypass", "mshr", "MERGES=1 ADDR_W=25 DATA_W=11 STORES=1"),
    ("u_control", "l1_control", "BYPASSES=32 STORES=16 FETCH=1"),
    ("u_read", "reg_fifo", "DATA_W=19 DEPTH=4 FIND_W=8"),
    ("u_miss", "reg_fifo", "DATA_W=36 DEPTH=8"),
    ("u_flight", "reg_fifo", "DATA_W=31 DEPTH=64 FIND_W=25"),
    ("u_axi", "axi_port", "STORES=16"),
    ("u_fill", "line_fill", "BYPASSES=32"),
    ("u_data", "line_data", "PLACES=160"),
    ("u_reply", "l1_reply", "BYPASSES=32"),
    ("u_align", "line_align", "INFO_W=19"),
    ("u_response", "reg_fifo", "DATA_W=1075 DEPTH=2"),
)
# With 16 entries the store buffer has 18,432 flip-flops for data and takes longer than all other
# parts; a smaller one stands beside them, and is in no sum.
BESIDE = ("store_buffer", "STORES=4 PASSES=1")


def call(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"l1.py: {' '.join(command)}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def estimate(module, sizes, *options):
    sets = [word for size in sizes.split() for word in ("--set", size)]
    return call("build/mrpb", "estimate", module, *sets, *options)


def rows(text, head):
    """The cells of the rows of the first table whose head begins with `head`."""
    lines = iter(text.split("\n"))
    for line in lines:
        if line.startswith(head):
            next(lines)
            break
    found = []
    for line in lines:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def number(cell):
    return None if cell in ("-", "not known") else float(cell)


def figures(text):
    """Of a report of one module."""
    area = rows(text, "| module | cells um2 |")[0]
    wired = [r for r in rows(text, "| module | corner | wire fF | register to register |") if r[2] == WIRE][0]
    needs = re.search(r"wires [0-9.]+ ns (?:left|short) \(([^)]*)\)", text)
    ends = re.search(r"`([^`]*)` to `([^`]*)`", needs.group(1)) if needs else None
    return {"cells_um2": number(area[1]), "flops": int(area[3]), "aig": area[4],
            "memories_um2": number(area[6]), "needs_ns": number(wired[7]), "by": wired[8],
            "from": ends.group(1) if ends else "", "to": ends.group(2) if ends else "",
            "rtl_hash": re.search(r"Verilog with hash ([0-9a-f]+)", text).group(1)}


def events(text):
    return [{"event": r[0], "pj": float(r[1])} for r in rows(text, "| event of `l1_top` |")]


def record(library, srams):
    options = ("--liberty", library, "--sram-lib", srams, "--sram-access", ACCESS, "--clock", CLOCK,
               "--wire", WIRE, "--input-delay", "0", "--output-delay", "0", "--uncertainty", "0",
               "--no-prove")
    made = {"clock_ghz": float(CLOCK), "wire_ff": float(WIRE), "access_ns": float(ACCESS), "tops": [],
            "parts": [], "placed": []}
    for name, sizes in TOPS.items():
        more = ("--energy",) if name == "16 KB" else ()
        text = estimate("l1_top", sizes, *options, *more)
        made["library"] = re.search(r"^Library (\S+), corner \*\*(\S+)\*\*", text, re.M).group(1, 2)
        made["tops"].append({"name": name, "sizes": sizes, **figures(text)})
        if more:
            made["events"] = events(text)
    for instance, module, sizes in PARTS:
        text = estimate(module, sizes, *options)
        made["parts"].append({"instance": instance, "module": module, "sizes": sizes, **figures(text)})
        print(instance, made["parts"][-1]["needs_ns"], flush=True)
    made["beside"] = {"module": BESIDE[0], "sizes": BESIDE[1], **figures(estimate(*BESIDE, *options))}
    write(made)


def place(names):
    """Adds layouts of parts, or why there is none."""
    with open(RECORD) as file:
        made = json.load(file)
    for instance, module, sizes in PARTS:
        if instance not in names:
            continue
        sets = [word for size in sizes.split() for word in ("--set", size)]
        done = subprocess.run(("build/mrpb", "estimate", module, *sets, "--place", "--place-seconds",
                               PLACE_SECONDS, "--no-prove"), capture_output=True, text=True)
        entry = {"instance": instance, "module": module, "sizes": sizes}
        if done.returncode:
            entry["failed"] = done.stderr.strip().split("\n")[0].replace("mrpb estimate: ", "")
            entry["rtl_hash"] = next(p["rtl_hash"] for p in made["parts"] if p["instance"] == instance)
        else:
            entry.update(layout(done.stdout))
        made["placed"] = [p for p in made["placed"] if p["instance"] != instance] + [entry]
        write(made)


def layout(text):
    table = {r[0]: r[1:] for r in rows(text, "| | before | placed |")}
    cpu = re.search(r"graywolf ([0-9.]+) CPU-s, qrouter ([0-9.]+) CPU-s", text)
    period = table["period ns, with the ports"]
    return {"cells_mm2": float(table["area mm2"][0]), "placed_mm2": float(table["area mm2"][1]),
            "wire_um": float(table["wire a sink, um"][1]), "wire_ff": float(table["wire a sink, fF"][1]),
            "before_ns": float(period[0]), "after_ns": float(period[1]), "more": period[2],
            "cpu_s": [float(cpu.group(1)), float(cpu.group(2))],
            "rtl_hash": re.search(r"Verilog with hash ([0-9a-f]+)", text).group(1)}


def amount(um2):
    return "-" if um2 is None else f"{um2:,.0f}"


def tables():
    with open(RECORD) as file:
        made = json.load(file)
    period = 1 / made["clock_ghz"]
    print(f"Library {made['library'][0]}, corner {made['library'][1]}. Clock {made['clock_ghz']} GHz, "
          f"{made['wire_ff']} fF of wire at each\nsink, {made['access_ns']} ns for each access to a memory.\n")
    print("| `l1_top` | cells, um2 | flip-flops | AIG nodes / levels | SRAMs, um2 | period, ns | GHz | short by, ns | "
          "longest path |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
    for t in made["tops"]:
        print(f"| {t['name']} | {amount(t['cells_um2'])} | {t['flops']:,} | {t['aig']} | {amount(t['memories_um2'])} | "
              f"{t['needs_ns']:.3f} | {1 / t['needs_ns']:.2f} | {t['needs_ns'] - period:.3f} | "
              f"`{t['from']}` to `{t['to']}` |")
    print("\n| part at 16 KB | module and size | cells, um2 | flip-flops | SRAMs, um2 | period, ns | spare, ns | "
          "decided by |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |")
    for p in made["parts"] + [{"instance": "in no sum", **made["beside"]}]:
        print(f"| `{p['instance']}` | `{p['module']}` {p['sizes']} | {amount(p['cells_um2'])} | {p['flops']:,} | "
              f"{amount(p['memories_um2'])} | {p['needs_ns']:.3f} | {period - p['needs_ns']:.3f} | {p['by']} |")
    whole = made["tops"][0]
    cells = sum(p["cells_um2"] for p in made["parts"])
    flops = sum(p["flops"] for p in made["parts"])
    print(f"| these parts | | {amount(cells)} | {flops:,} | | | | |")
    print(f"| `l1_top` less these: `u_store_buffer` and the top's own | | {amount(whole['cells_um2'] - cells)} | {whole['flops'] - flops:,} | | | | |")
    print("\n### Energy\n\n| event, 16 KB | pJ, without SRAMs and wires |\n| --- | ---: |")
    for e in made["events"]:
        print(f"| {e['event']} | {e['pj']:.1f} |")
    print("\n### Placed and routed\n\nOSU018, 180 nm, typical corner.\n\n"
          "| part | module and size | cells, mm2 | placed, mm2 | wire a sink, um | fF | "
          "period, ns | with wires | more | CPU-s, graywolf + qrouter |\n"
          "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for p in made["placed"]:
        if "failed" in p:
            print(f"| `{p['instance']}` | `{p['module']}` {p['sizes']} | none: {p['failed']} | | | | | | | |")
            continue
        print(f"| `{p['instance']}` | `{p['module']}` {p['sizes']} | {p['cells_mm2']:.4f} | {p['placed_mm2']:.4f} | "
              f"{p['wire_um']:.1f} | {p['wire_ff']:.2f} | {p['before_ns']:.3f} | {p['after_ns']:.3f} | {p['more']} | "
              f"{p['cpu_s'][0]:.0f} + {p['cpu_s'][1]:.0f} |")


def write(made):
    with open(RECORD, "w") as file:
        json.dump(made, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["record"] and len(sys.argv) == 4:
        record(sys.argv[2], sys.argv[3])
    elif sys.argv[1:2] == ["place"] and len(sys.argv) > 2:
        place(sys.argv[2:])
    elif sys.argv[1:] == ["tables"]:
        tables()
    else:
        sys.exit(__doc__)
