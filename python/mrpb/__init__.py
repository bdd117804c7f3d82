# SPDX-License-Identifier: Apache-2.0
"""The models of mrpb in Python, through the installed libraries and programs; nothing else is needed.

    import mrpb
    mshr = mrpb.Module("mshr", ENTRIES=4)           # a module, cycle by cycle
    out = mshr.cycle(srst_ni=1, req_valid_i=1, req_addr_i=7)
    result = mrpb.run("atax", "base-s-mrpb", cut=4)  # a whole run, as a dict
    rows = mrpb.sweep("atax", "base-s-mrpb", vary={"MRPB_DEPTH": [4, 8]}, db="my.db", jobs=2)
    report = mrpb.cosim("mshr", {"ENTRIES": 4})      # C model and Verilog in lockstep

Errors are mrpb.Error. docs/python.md is a page of recipes, docs/adapters.md has the rest.
"""

from ._library import Error, version
from .gpu import Gpu, Instruction
from .lockstep import cosim, replay
from .module import Module, modules
from .runs import run, sweep
from .tables import Result, Table

__all__ = ["Error", "Gpu", "Instruction", "Module", "Result", "Table", "cosim", "modules", "replay",
           "run", "sweep", "version"]
