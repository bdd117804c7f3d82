# SPDX-License-Identifier: Apache-2.0
"""C model against Verilog: `mrpb cosim`, its result as a dict."""

import re
import subprocess

from ._library import Error, program

_RUN = re.compile(r"matched (\d+) cycles, (\w+).*?, (\d+) of \d+ outputs and (\d+) of \d+ registers"
                  r"(?:.*?, (\d+) of (\d+) bins)?")
_PAIR = re.compile(r"^(\w+), (\w+) +matched (\d+) cycles", re.M)


def _mrpb(arguments):
    """Exit status 0 or 1, which says whether all was equal, and what was printed; else an Error."""
    done = subprocess.run([program(), "cosim", *arguments], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise Error(done.stderr.strip().replace("mrpb cosim: ", "", 1) or f"mrpb cosim: exit {done.returncode}")
    return done.returncode == 0, done.stdout + done.stderr


def cosim(module, sizes=None, cycles=100000, seed=1, rtl=None):
    """Drives the C model and the Verilog (that of the folder `rtl`, if given) with the same random inputs and
    compares every output and every register in every cycle. {"matched": bool, "report": text}, and of a run
    that matched "cycles", "outputs", "registers", "bins" and "bins_met"."""
    arguments = [module, "--cycles", str(cycles), "--seed", str(seed)]
    for name, value in (sizes or {}).items():
        arguments += ["--set", f"{name}={value}"]
    if rtl:
        arguments += ["--rtl", rtl]
    matched, text = _mrpb(arguments)
    result = {"matched": matched, "module": module, "seed": seed, "report": text}
    found = _RUN.search(text)
    if matched and found:
        names = ("cycles", "outputs", "registers", "bins_met", "bins")
        values = (found[1], found[3], found[4], found[5], found[6])
        result.update({n: int(v) for n, v in zip(names, values) if v is not None})
    return result


def replay(path, witnesses=("c", "verilator"), rtl=None):
    """A vector file (Module.save, `mrpb cosim --record`) through two or three of "c", "verilator" and "icarus".
    {"matched": bool, "report": text, "pairs": {"c, verilator": cycles that matched}}."""
    arguments = ["--replay", path, "--with", ",".join(witnesses)] + (["--rtl", rtl] if rtl else [])
    matched, text = _mrpb(arguments)
    pairs = {f"{a}, {b}": int(n) for a, b, n in _PAIR.findall(text)}
    return {"matched": matched, "report": text, "pairs": pairs}
