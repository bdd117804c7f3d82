#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/estimate/energy.md.

  tests/estimate/energy.py record LIBRARY   measures them and writes tests/estimate/energy.json
  tests/estimate/energy.py tables           prints them from that file, for docs/generate.sh

The library is not part of the project, so `make test` cannot measure them again. It compares the
hashes of the Verilog instead (tests/estimate/test_estimate_energy.c).
"""

import json
import os
import re
import subprocess
import sys
import tempfile

RECORD = "tests/estimate/energy.json"
WITH, WITHOUT = "configs/base-s-mrpb.conf", "configs/base-s.conf"
KERNELS = ("atax", "gemm")
MODULES = ("mrpb", "mshr", "prt")
CUT = "32"


def call(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"energy.py: {' '.join(command)}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def result(folder, name, *command):
    """The JSON file `name` of a command that writes it into `folder`."""
    call(*command)
    with open(os.path.join(folder, name)) as file:
        return json.load(file)


def the_run(conf, kernel, folder):
    r = result(folder, "run.json", "build/mrpb", "run", "-c", conf, "--kernel", kernel, "--cut", CUT,
               "--json", f"{folder}/run.json")
    return {"cycles": r["cycles"], "sms": r["configuration"]["SMS"],
            "sm_mhz": r["configuration"]["CLOCK_SM"],
            "l1_misses": r["l1d"]["misses"], "bypassed_reads": r["l1d"]["bypasses"],
            "refused_associativity": r["l1d"]["refused"]["assoc"],
            "l2_reads": r["l2"]["reads"], "dram_reads": r["dram"]["reads"]}


def rtl_hash(library, module):
    """As the report of a module says it."""
    out = call("build/mrpb", "estimate", module, "--liberty", library, "--no-prove")
    return re.search(r"Verilog with hash ([0-9a-f]+)", out).group(1)


def measured(library, kernel, folder):
    """Of each module the estimate's events and powers, and both runs."""
    e = result(folder, "estimate.json", "build/mrpb", "estimate", "-c", WITH, "--kernel", kernel, "--cut",
               CUT, "--liberty", library, "--energy", "--no-prove", "-o", folder)
    activity = e["sections"]["activity"]
    logic = {l["module"]: l for l in activity["logic"]}
    modules = []
    for m in activity["events"]:
        power = logic[m["module"]]
        modules.append({
            "module": m["module"],
            "events": m["events"],
            "by_events_nj": m["by_events_nj"], "counted_nj": m["counted_nj"], "idle_nj": m["idle_nj"],
            **{k: power[k] for k in ("clock_pj_per_cycle", "gated_clock_pj_per_cycle", "clock_gates",
                                     "leakage_mw")}})
    return {"kernel": kernel, "modules": modules, "without": the_run(WITHOUT, kernel, folder),
            "with": the_run(WITH, kernel, folder)}, activity["logic"][0]["library"]


def record(library):
    hashes = {module: rtl_hash(library, module) for module in MODULES}
    runs = []
    for kernel in KERNELS:
        with tempfile.TemporaryDirectory() as folder:
            run, name = measured(library, kernel, folder)
        runs.append(run)
    with open(RECORD, "w") as file:
        json.dump({"library": name, "configuration": WITH, "cut": int(CUT), "rtl_hash": hashes, "runs": runs},
                  file, indent=1)
        file.write("\n")


def table(head, align, rows):
    print("| " + " | ".join(head) + " |")
    print("| " + " | ".join(align) + " |")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def in_run(m, idle=False):
    return m["by_events_nj"] - idle * m["idle_nj"], m["counted_nj"] - idle * m["idle_nj"]


def microjoules(run, module, gated):
    """Of all SMs, in a run of the whole GPU: the counted SM's energy times their number."""
    m = next(x for x in run["modules"] if x["module"] == module)
    gain = m["clock_pj_per_cycle"] - m["gated_clock_pj_per_cycle"] if gated else 0
    return (m["counted_nj"] / 1e3 - gain * run["with"]["cycles"] / 1e6) * run["with"]["sms"]


def events_tables(record):
    print(f"Library {record['library']}; `{record['configuration']}`, cut to {record['cut']}. A row of a bit has "
          "no second figure.\n")
    for m in record["runs"][0]["modules"]:
        rows = [(e["event"], f"{e['pj']:.3f}", f"{e['random_pj']:.2f}" if "random_pj" in e else "")
                for e in m["events"]]
        table((f"`{m['module']}`", "pJ", "with random data, pJ"), ("---", "---:", "---:"), rows)


def sums_table(record):
    rows = []
    for run in record["runs"]:
        for m in run["modules"]:
            (a, b), (c, d) = in_run(m), in_run(m, True)
            rows.append((f"{run['kernel']}, `{m['module']}`", f"{a:.1f}", f"{b:.1f}", f"{100 * (a / b - 1):+.1f} %",
                         f"{c:.1f}", f"{d:.1f}", f"{100 * (c / d - 1):+.0f} %"))
    table(("a run of one SM", "by events, nJ", "counted, nJ", "difference", "above idle: by events, nJ",
           "counted, nJ", "difference"), ("---",) + ("---:",) * 6, rows)
    rows = [(f"{run['kernel']}, `{m['module']}`", f"{m['clock_pj_per_cycle']:.2f}",
             f"{m['gated_clock_pj_per_cycle']:.2f}", f"{m['clock_gates']}", f"{m['leakage_mw']:.2f}")
            for run in record["runs"] for m in run["modules"]]
    table(("", "clock pins, pJ a cycle", "gated", "clock gates", "leakage, mW"), ("---",) + ("---:",) * 4, rows)


def saved_tables(record):
    runs = record["runs"]
    names = (("cycles", "cycles"), ("L1 misses", "l1_misses"), ("bypassed reads", "bypassed_reads"),
             ("refused L1 look-ups (associativity)", "refused_associativity"), ("L2 reads", "l2_reads"),
             ("DRAM reads", "dram_reads"))
    head = [f"{r['kernel']} {w}" for r in runs for w in ("without", "with")]
    rows = [(name, *(f"{r[w][key]:,}" for r in runs for w in ("without", "with"))) for name, key in names]
    for module in ("mrpb", "prt"):
        energy = [f"{microjoules(r, module, False):.1f} ({microjoules(r, module, True):.1f})" for r in runs]
        rows.append((f"energy of the {module.upper()}, uJ (clock pins gated)",
                     *(x for e in energy for x in ("", e))))
    table(("whole GPU", *head), ("---",) + ("---:",) * len(head), rows)

    def even(key, unit):
        """The MRPB's energy over what it saves."""
        cells = []
        for r in runs:
            saved = r["without"][key] - r["with"][key]
            per = [microjoules(r, "mrpb", g) / saved for g in (False, True)]
            scale = 1e6 if unit == "pJ" else r["with"]["sm_mhz"] * 1e3  # uJ a cycle of so many MHz, in mW
            cells.append("nothing saved" if saved <= 0 else f"{scale * per[0]:.3g} {unit} ({scale * per[1]:.3g})")
        return cells

    table(("the MRPB alone breaks even if this takes (clock pins gated)", *(r["kernel"] for r in runs)),
          ("---",) + ("---:",) * len(runs),
          [("a saved L1 miss, that is a fill and an eviction", *even("l1_misses", "pJ")),
           ("a saved refused look-up, if nothing else saves", *even("refused_associativity", "pJ")),
           ("a saved cycle: the power that the GPU draws whatever it does", *even("cycles", "mW"))])


def tables():
    with open(RECORD) as file:
        record = json.load(file)
    print("Written by `make docs` from `tests/estimate/energy.json`, which\n`tests/estimate/energy.py record LIBRARY` "
          "measures. A test fails if it was recorded for other\nVerilog. The library is not part of this project.\n")
    print("### Events\n")
    events_tables(record)
    print("### Runs by their events\n")
    sums_table(record)
    print("### What the MRPB saves, and what it takes\n")
    saved_tables(record)


if sys.argv[1:2] == ["record"] and len(sys.argv) == 3:
    record(sys.argv[2])
elif sys.argv[1:] == ["tables"]:
    tables()
else:
    sys.exit(__doc__)
