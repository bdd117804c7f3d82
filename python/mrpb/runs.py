# SPDX-License-Identifier: Apache-2.0
"""Whole runs and sweeps of them, by the program: `mrpb run` and `mrpb sweep`."""

import json
import os
import re
import tempfile

from ._library import Error, call
from .tables import Result, Table


def _text(value):
    """A value as the program reads it: True is 1, a tuple X,Y, a path its name."""
    if isinstance(value, tuple):
        return ",".join(map(_text, value))
    if isinstance(value, (bytes, os.PathLike)):
        return os.fsdecode(value)
    return str(int(value) if isinstance(value, bool) else value)


def _pairs(values):
    return [f"{name}={_text(value)}" for name, value in (values or {}).items()]


def _several(value):
    """One thing, several (a list, a range), or none (None), as a list."""
    if value is None:
        return []
    one = isinstance(value, (str, bytes, dict, os.PathLike)) or not hasattr(value, "__iter__")
    return [value] if one else list(value)


def _words(options):
    """Options of the program as its words. cut=4 is --cut 4, acc_reload=True is --acc-reload; a list
    gives the option several times, and so does a dict: let={"n": 9} is --let n=9."""
    words = []
    for name, value in options.items():
        values = _pairs(value) if isinstance(value, dict) else value if isinstance(value, list) else [value]
        for one in values:
            if one is not None and one is not False:
                words += ["--" + name.rstrip("_").replace("_", "-")] + ([] if one is True else [_text(one)])
    return words


def _own(options, arguments):
    """Refuses an option of the program that is an argument of the function's own."""
    for name in options.keys() & arguments.keys():
        raise Error(f"{name}: legal: {arguments[name]}")


def _program(program=None, checked=False, **options):
    """What runs, as words of the program."""
    _own(options, {"kernel": "program", "check": "checked", "set": "keys", "json": "nothing, the result has it"})
    return _words({"kernel": program, "check": checked, **options})


def run(program=None, config=None, keys=None, checked=False, **options):
    """Runs a kernel to its end, as `mrpb run` does, and returns all counts: a Result.

    program  one of the 28 programs ("atax"), or a kernel of the PTX text
    config   a configuration, a file or a shipped one by its name; None: Base-S
    keys     settings of it: {"MRPB_DEPTH": 8}
    checked  every load is compared with its thread's program order
    options  the other options of `mrpb run` (docs/running.md), with _ for -: cut=4, interval=1000
             (SM cycles), ptx="my.ptx", grid=(8, 2), block=64, arg=["buf:4096", 16],
             launch="my.launch", let={"n": 512}, trace="my.trace", threads=2

    by_pc=True and by_buffer=True give the counts to each instruction and each buffer.
    """
    with tempfile.TemporaryDirectory(prefix="mrpb-") as folder:
        path = os.path.join(folder, "run.json")
        for table in "by_pc", "by_buffer":
            if options.get(table) is True:
                options[table] = os.path.join(folder, table)
        words = _program(program, checked, **options) + _words({"set": keys or {}, "json": path})
        _, report, _ = call("run", "-c", _text(config or "base-s"), *words)
        if not os.path.exists(path):
            raise Error("the run had no result; legal: options with which `mrpb run` writes --json")
        with open(path, encoding="utf-8") as f:
            return Result(json.load(f), report)


def _line(keyword, *words):
    """A line of a sweep's file, each word in quotes."""
    for word in words:
        if '"' in word or "\n" in word:
            raise Error(f"{word!r}: legal in a sweep: words without double quotes and line ends")
    return " ".join([keyword] + [f'"{word}"' for word in words]) + "\n"


def _specification(programs, configs, keys, vary, points):
    """The text of a sweep's file (docs/sweep.md, "Points")."""
    runs = [p if isinstance(p, dict) else {"program": p} for p in _several(programs)]
    lines = [_line("program", *_program(**r)) for r in runs]
    lines += [_line("config", _text(c)) for c in _several(configs) or ["base-s"]]
    lines += [_line("set", *_pairs(keys))] if keys else []
    lines += [_line("vary", *_pairs({k: tuple(_several(v))})) for k, v in (vary or {}).items()]
    lines += [_line("point", *_pairs(p)) for p in points or []]
    return "".join(lines)


def _rows(path, db, stats):
    """The points of a sweep's file and their results, as rows."""
    _, text, _ = call("sweep", path, *_words({"db": db, "export": "json", "stat": _several(stats)}))
    return [{"program": p["program"], "configuration": p["configuration"], **p["keys"],
             "exit": p.get("exit"), **({"note": p["note"]} if "note" in p else {}), **p.get("stats", {})}
            for p in json.loads(text)["points"]]


def sweep(programs, configs=None, keys=None, vary=None, points=None, stats=None, check=True, **options):
    """Runs every program on every configuration with every choice of the values, as `mrpb sweep` does;
    returns a Table with a row for each point: program, configuration, the keys that differ, exit, and
    the statistics by their names ("l1d.misses").

    programs  a name ("atax"), a dict of arguments of run ({"program": "atax", "cut": 4},
              {"ptx": "my.ptx", "grid": 8, "block": 64}), or a list of these
    configs   a configuration or a list of them; None: Base-S
    keys      settings of every point: {"SMS": 4}
    vary      the values of keys, which are crossed: {"MRPB_DEPTH": [4, 8, 16]}
    points    a list of settings instead of a cross: [{"SMS": 4, "L1D_WAYS": 8}, ...]
    stats     the statistics of a row; None: all of them
    check     a run that fails is an Error when all others have ended; False: its row has its exit and
              "message"
    options   of `mrpb sweep` (docs/sweep.md): db="my.db" (the store; None: build/sweep/results.db),
              jobs=4 (runs at a time), skip_equal=True, best=["SWL_LIMIT"], retry_failed=True

    What is in the store is not run again, so after Ctrl-C the same call continues.
    """
    _own(options, {"kernel": "programs", "c": "configs", "set": "keys", "stat": "stats", "list": "nothing",
                   "export": "nothing, the result has it", "out": "nothing, the result has it"})
    with tempfile.TemporaryDirectory(prefix="mrpb-") as folder:
        path = os.path.join(folder, "points.sweep")
        with open(path, "w", encoding="utf-8") as f:
            f.write(_specification(programs, configs, keys, vary, points))
        try:
            code, _, err = call("sweep", path, *_words(options), ends=(0, 1))
        except Error as e:  # without the name of our own file
            raise Error(re.sub(rf"^{re.escape(path)}(:\d+)?: ", "", str(e))) from None
        rows = _rows(path, options.get("db"), stats)
        if code == 0:
            return Table(rows)
        for row, said in zip(rows, _rows(path, options.get("db"), ["run.message"])):
            if row["exit"]:
                row["message"] = said.get("run.message", "")
    failed = [row for row in rows if row["exit"]]
    if not failed:  # some were lost, or one that was derived is another's no more
        raise Error(err.strip().rpartition("\n")[2].replace("mrpb sweep: ", "", 1))
    if check:
        raise Error(f"{len(failed)} of {len(rows)} points failed; the first: {failed[0]['program']}: "
                    f"{failed[0]['message']}")
    return Table(rows)
