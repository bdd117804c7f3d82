# SPDX-License-Identifier: Apache-2.0
"""C model against Verilog: `mrpb cosim`, its result as a dict."""

import json

from ._library import call


def _mrpb(arguments):
    """What the runs have shown (docs/cosim.md, "The result as JSON"), and the report for people."""
    _, out, report = call("cosim", *arguments, "--json", "-", ends=(0, 1))
    return json.loads(out)["runs"], report


def cosim(module, sizes=None, cycles=100000, seed=1, rtl=None):
    """Drives the C model and the Verilog (that of the folder `rtl`, if given) with the same random inputs and
    compares every output and every register in every cycle. What `mrpb cosim --json` says of the run, with
    "matched": bool and "report": text; of a run that did not match "difference" and, if it was kept, "kept"."""
    arguments = [module, "--cycles", str(cycles), "--seed", str(seed)]
    for name, value in (sizes or {}).items():
        arguments += ["--set", f"{name}={value}"]
    if rtl:
        arguments += ["--rtl", rtl]
    runs, text = _mrpb(arguments)
    return {"matched": runs[0]["verdict"] == "matched", "report": text, **runs[0]}


def replay(path, witnesses=("c", "verilator"), rtl=None):
    """A vector file (Module.save, `mrpb cosim --record`) through two or three of "c", "verilator" and "icarus".
    {"matched": bool, "report": text, "pairs": {"c, verilator": cycles that matched}}."""
    arguments = ["--replay", path, "--with", ",".join(witnesses)] + (["--rtl", rtl] if rtl else [])
    runs, text = _mrpb(arguments)
    run = runs[0]
    pairs = {", ".join(p["witnesses"]): p["cycles"] for p in run["pairs"] if p["matched"]}
    return {**run, "matched": run["verdict"] == "matched", "report": text, "pairs": pairs}
