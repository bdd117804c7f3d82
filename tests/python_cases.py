# SPDX-License-Identifier: Apache-2.0
"""mrpb.run and mrpb.sweep: results, tables, and what goes wrong. tests/python.sh runs it in an empty
folder, with the package of an installation; pandas need not be there.
    python3 tests/python_cases.py TREE"""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import mrpb

TREE = Path(sys.argv[1])
ATAX = {"program": "atax", "config": "base-s-mrpb", "cut": 1}
passed = 0


def case(function):
    """Runs it at once; what it raises ends the program with its name in the traceback."""
    global passed
    function()
    passed += 1


def refused(part, call, *arguments, **options):
    try:
        call(*arguments, **options)
    except mrpb.Error as error:
        assert part in str(error) and "\n" not in str(error), str(error)
    else:
        raise AssertionError("taken: " + part)


def children():
    found = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return [int(pid) for file in found for pid in file.read_text().split()]


@case
def result_is_what_the_program_writes():
    have = mrpb.run(**ATAX, keys={"MRPB_DEPTH": 4, "MRPB_POLICY": "longest"}, checked=True, interval=500,
                    by_pc="pc.csv", by_buffer=True)
    subprocess.run(["mrpb", "run", "-c", "base-s-mrpb", "--kernel", "atax", "--cut", "1", "--set", "MRPB_DEPTH=4",
                    "--set", "MRPB_POLICY=longest", "--check", "--interval", "500", "--by-pc", "pc2.csv", "--by-buffer",
                    "buffer.csv", "--json", "run.json"], check=True, stdout=subprocess.DEVNULL)
    wanted = json.loads(Path("run.json").read_text())
    assert have == wanted and isinstance(have, dict) and json.loads(json.dumps(have)) == wanted
    assert Path("pc.csv").read_text() == Path("pc2.csv").read_text()
    assert sum(row["issues"] for row in have["by_pc"]) == have["warp_instructions"] > 0
    assert sum(row["cycles"] for row in have["intervals"]) == have["cycles"]
    assert {row["buffer"] for row in have["by_buffer"]} >= {"A", "x", "y"}
    assert "cycles" in have.report and list(have["kernels"][0])[0] == "name"


@case
def only_what_was_asked_for():
    have = mrpb.run(**ATAX)
    assert not {"by_pc", "by_buffer", "intervals"} & set(have)
    refused("by_pc: no table of this run; legal: kernels", have.frame, "by_pc")
    assert mrpb.run(**ATAX, size=0, steps=0, model="A", acc_reload=False, checked=False, interval=None) == have
    assert mrpb.run("atax", cut=1, acc_reload=True)["acc_reload"] is True


@case
def of_the_users():
    for file in "saxpy.launch", "saxpy.ptx", "gather.ptx":
        shutil.copy(TREE / "docs/examples/ptx" / file, ".")
    folder = Path("Ordner mit Ä und 雪")
    folder.mkdir()
    for file in "saxpy.launch", "saxpy.ptx":
        shutil.copy(file, folder)
    shutil.copy(TREE / "configs/base-s.conf", folder / "eigene größe.conf")
    plain = mrpb.run(config="base-s", launch="saxpy.launch", let={"n": 512})
    assert mrpb.run(config=folder / "eigene größe.conf", launch=folder / "saxpy.launch",
                    let={"n": 512})["cycles"] == plain["cycles"]
    assert mrpb.run(launch=os.fsencode(folder / "saxpy.launch"), let={"n": 512})["cycles"] == plain["cycles"]
    gather = dict(ptx="gather.ptx", grid=(2, 1), block=256, arg=["buf:2048", "buf:2048:rand", "buf:2048:iota", 512])
    assert mrpb.run("gather", **gather)["sm"]["loads"] > 0
    rows = mrpb.sweep([{"launch": folder / "saxpy.launch", "let": {"n": 512}}, {"program": "gather", **gather}],
                      folder / "eigene größe.conf", db=folder / "böse #1.db", stats=["cycles"])
    assert [row["cycles"] for row in rows if "saxpy" in row["program"]] == [plain["cycles"]], rows
    assert len(rows) == 2 and (folder / "böse #1.db").exists()


@case
def wrong_input():
    refused("--kernel atex: unknown; nearest: atax", mrpb.run, "atex")
    refused("unknown key 'SMSS'", mrpb.run, "atax", keys={"SMSS": 4})
    refused("SMS = 400 is out of range; legal: 1 to 256", mrpb.run, "atax", keys={"SMS": 400})
    refused("nowhere: No such file", mrpb.run, "atax", "nowhere")
    refused("no such 雪.ptx: No such file", mrpb.run, "saxpy", ptx="no such 雪.ptx")
    refused("no such.launch: No such file", mrpb.run, launch="no such.launch")
    refused("unknown option '--frob'", mrpb.run, "atax", frob=1)
    refused("json: legal: nothing, the result has it", mrpb.run, "atax", json="x.json")
    refused("the run had no result", mrpb.run, "atax", help=True)
    refused("set: legal: keys", mrpb.run, "atax", set={"SMS": 4})
    refused("check: legal: checked", mrpb.sweep, {"program": "atax", "check": True})
    refused("export: legal: nothing, the result has it", mrpb.sweep, "atax", export="csv")
    refused("--interval", mrpb.run, "atax", interval=-1)
    refused("no progress for HANG_CYCLES = 1000 cycles", mrpb.run, "atax", cut=1,
            keys={"HANG_CYCLES": 1000, "DRAM_LATENCY": 5000})
    Path("wrong.launch").write_text(Path("saxpy.launch").read_text().replace("2.5 * x", "2.6 * x"))
    refused("wrong.launch:7: y[0] is ", mrpb.run, launch="wrong.launch")
    refused("--kernel atex: unknown", mrpb.sweep, "atex", db="none.db")
    refused("unknown key 'X'", mrpb.sweep, "atax", vary={"X": [1]}, db="none.db")
    refused("legal in a sweep: words without double quotes", mrpb.sweep, {"ptx": 'a"b.ptx'}, db="none.db")
    refused("no such.ptx: No such file", mrpb.sweep, {"ptx": "no such.ptx"}, db="none.db")
    assert not Path("none.db").exists()
    refused("unknown option '--frob'", mrpb.sweep, "atax", frob=1)
    refused("legal: a folder that can be written", mrpb.sweep, "atax", db="/proc/mrpb.db")
    Path("text.db").write_text("no store\n" * 100)
    refused("text.db", mrpb.sweep, {"program": "atax", "cut": 1}, db="text.db")
    assert Path("text.db").read_text() == "no store\n" * 100


@case
def killed():
    said = []

    def long_run():
        try:
            mrpb.run("atax")
        except mrpb.Error as error:
            said.append(str(error))

    thread = threading.Thread(target=long_run)
    thread.start()
    while not children():
        time.sleep(0.01)
    os.kill(children()[0], signal.SIGKILL)
    thread.join()
    assert said == ["mrpb run: ended by SIGKILL"], said


@case
def two_at_a_time():
    depths, have = (2, 4, 8, 16), {}

    def one(depth):
        have[depth] = mrpb.run(**ATAX, keys={"MRPB_DEPTH": depth}, by_pc=True)

    threads = [threading.Thread(target=one, args=(depth,)) for depth in depths]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert have == {depth: mrpb.run(**ATAX, keys={"MRPB_DEPTH": depth}, by_pc=True) for depth in depths}


@case
def sweep_has_the_results_of_runs():
    options = dict(keys={"SMS": 4}, vary={"MRPB_DEPTH": [4, 8], "MRPB_POLICY": ("fixed", "longest")}, db="a.db")
    rows = mrpb.sweep([{"program": "atax", "cut": 1}, {"program": "mvt", "cut": 1}], "base-s-mrpb", jobs=2, **options)
    assert len(rows) == 8 and isinstance(rows, list)
    for row in rows:
        alone = mrpb.run(row["kernel"], "base-s-mrpb", cut=1,
                         keys={"SMS": 4, "MRPB_DEPTH": row["MRPB_DEPTH"], "MRPB_POLICY": row["MRPB_POLICY"]})
        assert row["exit"] == 0 and row["cycles"] == alone["cycles"] and row["l1d.hits"] == alone["l1d"]["hits"]
        assert row["configuration"] == alone["config_hash"]
    with sqlite3.connect("a.db") as store:
        first = store.execute("SELECT max(started) FROM result").fetchone()
    told = [{"SMS": 4, "MRPB_DEPTH": 8, "MRPB_POLICY": "longest"}]
    again = mrpb.sweep({"program": "mvt", "cut": 1}, "base-s-mrpb", points=told, db="a.db", stats="cycles")
    assert [set(again[0]), again[0]["cycles"]] == [{"program", "configuration", "exit", "cycles"},
                                                   rows[-1]["cycles"]], again
    with sqlite3.connect("a.db") as store:
        assert store.execute("SELECT max(started), count(*) FROM result").fetchone() == (*first, 8)


@case
def sweep_with_a_point_that_fails():
    options = dict(programs={"program": "atax", "cut": 1}, keys={"DRAM_LATENCY": 5000},
                   vary={"HANG_CYCLES": [1000, 100000]}, db="f.db")
    refused("1 of 2 points failed; the first: --kernel atax --cut 1: no progress for HANG_CYCLES = 1000",
            mrpb.sweep, **options)
    bad, good = mrpb.sweep(**options, check=False)
    assert bad["exit"] == 4 and "no progress" in bad["message"] and "cycles" not in bad
    assert good["exit"] == 0 and good["cycles"] > 0 and "message" not in good


INTERRUPTED = """import mrpb
mrpb.sweep({"program": "atax", "cut": 16}, vary={"L2_MSHR_ENTRIES": list(range(8, 20))}, db="c.db", jobs=2,
           stats=["cycles"])
"""


@case
def interrupted():
    """Ctrl-C, as a notebook sends it: to Python alone."""
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stderr=subprocess.PIPE, text=True)

    def stored():
        try:
            with sqlite3.connect("file:c.db?mode=ro", uri=True) as store:
                return store.execute("SELECT count(*) FROM result WHERE exit = 0").fetchone()[0]
        except sqlite3.OperationalError:  # not there yet
            return 0

    while process.poll() is None and stored() < 2:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert "KeyboardInterrupt" in said, said
    kept = stored()
    assert 2 <= kept < 12, kept
    options = dict(vary={"L2_MSHR_ENTRIES": range(8, 20)}, jobs=2, stats=["cycles"])
    rows = mrpb.sweep({"program": "atax", "cut": 16}, db="c.db", **options)
    assert rows == mrpb.sweep({"program": "atax", "cut": 16}, db="fresh.db", **options)
    assert [row["exit"] for row in rows] == [0] * 12


@case
def without_pandas():
    there, sys.modules["pandas"] = sys.modules.get("pandas"), None
    have = mrpb.run(**ATAX, by_pc=True)
    assert have["by_pc"][0]["pc"]
    refused("legal: apt-get install python3-pandas", have.frame, "by_pc")
    refused("legal: apt-get install python3-pandas", mrpb.Table([{"a": 1}]).frame)
    del sys.modules["pandas"]
    if there:
        sys.modules["pandas"] = there


@case
def with_pandas():
    try:
        import pandas
    except ImportError:
        print("skipped: python: data frames: no python3-pandas")
        return
    have = mrpb.run(**ATAX, by_pc=True, interval=500)
    frame = have.frame("intervals")
    assert isinstance(frame, pandas.DataFrame) and len(frame) == len(have["intervals"])
    assert frame["l1d.hits"].sum() == have["l1d"]["hits"] and frame["cycles"].sum() == have["cycles"]
    assert list(have.frame("by_pc")["text"]) == [row["text"] for row in have["by_pc"]]
    assert mrpb.Table([]).frame().empty


@case
def without_the_program():
    kept, os.environ["PATH"] = os.environ["PATH"], "/nowhere"
    from mrpb import _library  # pylint: disable=import-outside-toplevel
    prefix, _library._prefix = _library._prefix, "/nowhere"
    refused("mrpb: No such file or directory; legal: an installation with the program", mrpb.run, "atax")
    os.environ["PATH"], _library._prefix = kept, prefix


left = [name for name in os.listdir(tempfile.gettempdir()) if name.startswith("mrpb-")]
assert not left, left
assert not children()
print(passed, "cases")
