#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The models in Python: a module cycle by cycle, lockstep with the Verilog, whole runs, a kernel of one's own, and a
memory and instructions of one's own. After `make install`: python3 runs.py"""

import array
import ctypes

import mrpb

# A module: two reads of one line; what was driven goes through the Verilog, too.
mshr = mrpb.Module("mshr", ENTRIES=5, MERGES=3)
entry = mshr.cycle(req_valid_i=1, req_addr_i=0x1234, req_data_i=7)["req_entry_o"]
again = mshr.cycle(req_valid_i=1, req_addr_i=0x1234, req_data_i=8)
print(f"entry {entry} allocated; the second read {'merges' if again['req_merge_o'] else 'allocates'}")
print("registers:", {name: mshr.registers()[name] for name in ("valid_q", "len_q")})
mshr.cycle(fill_valid_i=1, fill_entry_i=entry)
while (out := mshr.cycle(out_ready_i=1))["out_valid_o"]:
    print("read", out["out_data_o"], "leaves")
mshr.save("python.vec")
print("the same in Verilog:", mrpb.replay("python.vec", ("c", "verilator", "icarus"))["pairs"])

# Lockstep with random inputs.
report = mrpb.cosim("mshr", {"ENTRIES": 5, "MERGES": 3}, cycles=20000)
print("lockstep:", {name: report[name] for name in ("matched", "cycles", "outputs", "registers")})

# Whole runs: dicts, as `mrpb run --json` writes them.
for policy in "fixed", "longest":
    result = mrpb.run("atax", "base-s-mrpb", {"MRPB_POLICY": policy}, cut=4)
    first = result["kernels"][0]
    print(policy, result["cycles"], "cycles,", result["l1d"]["misses_with_bypasses"], "misses;", first["name"], first["cycles"],
          "cycles,", first["l1d"]["misses_with_bypasses"], "misses")

# A kernel of one's own, in steps.
PTX = """
.version 3.2
.target sm_20
.address_size 64
.visible .entry scale(.param .u64 v, .param .f32 f) {
  .reg .b32 %r<5>; .reg .b64 %rd<4>; .reg .f32 %f<3>;
  ld.param.u64 %rd1, [v]; ld.param.f32 %f1, [f];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2;
  ld.global.f32 %f2, [%rd3]; mul.f32 %f2, %f2, %f1; st.global.f32 [%rd3], %f2; ret; }
"""
gpu = mrpb.Gpu("base-s", SMS=2)
gpu.ptx(PTX)
v = gpu.alloc(array.array("f", range(1024)))
gpu.launch("scale", 8, 128, v, ctypes.c_float(3))
while gpu.step(200):
    print("cycle", gpu.cycles)
print("v[100] =", array.array("f", gpu.read(v, 4096))[100], "after", gpu.cycles, "cycles")


class Memory:
    """Behind the L1s: answers after 50 cycles."""

    def __init__(self, gpu):
        self.gpu, self.waiting, self.now, self.reads = gpu, [], 0, 0

    def accept(self, number, address, size, sm, is_write):
        self.waiting.append((self.now + 50, number))
        self.reads += not is_write
        return True

    def tick(self, cycle):
        self.now = cycle
        while self.waiting and self.waiting[0][0] <= cycle:
            self.gpu.reply(self.waiting.pop(0)[1])


def warp(block, number):
    """Eight loads of a line each, all of which an addition waits for."""
    for i in range(8):
        line = 0x80000000 + 0x10000 * block + 0x1000 * number + 128 * i
        yield mrpb.Instruction("load", dst=1 + i, bytes=4, address=[line + 4 * lane for lane in range(32)])
    yield mrpb.Instruction("alu", dst=9, src=range(1, 5))
    yield mrpb.Instruction("alu", dst=10, src=range(5, 9))


gpu = mrpb.Gpu("base-s", SMS=2)
memory = Memory(gpu)
gpu.connect_memory(memory)
gpu.stream([(4, 64, warp)])
result = gpu.run()
print(result["cycles"], "cycles,", result["sm"]["loads"], "loads,", memory.reads, "reads of the memory")
try:
    mrpb.Gpu("base-s", SMS=400)
except mrpb.Error as error:
    print("refused:", error)
