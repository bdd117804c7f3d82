#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which sums of products ptxas contracts, and which `mrpb run --contract` does: random kernels of
products and sums, counted in the code that ptxas makes and in what mrpb says. Needs ptxas, so it is
not part of `make test`. docs/ptx.md, "Contraction"

    tests/silicon/contract.py [--kernels N] [--seed S] [--arch sm_90]"""

import argparse
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

FUSED = {"f32": 0x023, "f64": 0x02B}
BYTES = {"f32": 4, "f64": 8}


def fused_in(cubin, opcode):
    """Instructions with this opcode in each kernel: 16 bytes each, the opcode in the low 9 bits."""
    data = open(cubin, "rb").read()
    at = struct.unpack_from("<Q", data, 0x28)[0]
    n, names = struct.unpack_from("<HH", data, 0x3C)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, at + 64 * i) for i in range(n)]
    count = {}
    for s in sections:
        start = sections[names][4] + s[0]
        name = data[start : data.index(b"\0", start)].decode()
        if name.startswith(".text."):
            code = range(s[4], s[4] + s[5], 16)
            count[name[6:]] = sum(struct.unpack_from("<Q", data, i)[0] & 0x1FF == opcode for i in code)
    return count


def kernel(rng, name, kind):
    """Products and sums of four inputs and of each other; what nothing uses is stored."""
    lines, values, used = [], [1, 2, 3, 4], set()
    recent = []
    for k in range(rng.randint(2, 9)):
        pool = recent if recent and rng.random() < 0.6 else values
        a, b = rng.choice(pool), rng.choice(values)
        if rng.random() < 0.5:
            a, b = b, a
        op = rng.choice(["mul", "mul", "add", "sub"])
        rounding = ".rn" if rng.random() < 0.12 else ""
        to = 5 + k
        lines.append(f"  {op}{rounding}.{kind} %v{to}, %v{a}, %v{b};")
        used |= {a, b}
        values.append(to)
        recent = (recent + [to])[-3:]
    extra = {v for v in values[4:] if rng.random() < 0.1}
    size = BYTES[kind]
    text = f".visible .entry {name}(.param .u64 p) {{\n  .reg .{kind} %v<20>; .reg .b64 %rd<2>;\n"
    text += "  ld.param.u64 %rd1, [p];\n"
    for i in range(4):
        text += f"  ld.global.{kind} %v{i + 1}, [%rd1+{256 + size * i}];\n"
    text += "\n".join(lines) + "\n"
    for i, v in enumerate(v for v in values[4:] if v not in used or v in extra):
        text += f"  st.global.{kind} [%rd1+{size * i}], %v{v};\n"
    return text + "  ret;\n}\n"


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument("--kernels", type=int, default=200)
    parse.add_argument("--seed", type=int, default=1)
    parse.add_argument("--arch", default="sm_90")
    parse.add_argument("--mrpb", default="build/mrpb")
    o = parse.parse_args()
    rng = random.Random(o.seed)
    head = f".version 8.6\n.target {o.arch}\n.address_size 64\n"
    equal = differs = 0
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "t")
        for kind, opcode in FUSED.items():
            texts = {f"k{i}": kernel(rng, f"k{i}", kind) for i in range(o.kernels)}
            with open(path + ".ptx", "w") as f:
                f.write(head + "".join(texts.values()))
            subprocess.run(["ptxas", "-arch", o.arch, path + ".ptx", "-o", path + ".o"], check=True)
            there = fused_in(path + ".o", opcode)
            for name, text in texts.items():
                with open(path + ".ptx", "w") as f:
                    f.write(head + text)
                run = [o.mrpb, "run", "--functional", "--contract", "--ptx", path + ".ptx"]
                run += ["--grid", "1", "--block", "1", "--arg", "buf:512"]
                said = subprocess.run(run, capture_output=True, text=True, check=True).stderr
                here = int(re.search(r"sums of products that are fma: (\d+)", said).group(1))
                if here == there[name]:
                    equal += 1
                    continue
                differs += 1
                print(f"{kind}: ptxas {there[name]}, mrpb {here}:\n{text}")
    print(f"contraction: {equal} kernels equal, {differs} differ")
    return differs > 0


if __name__ == "__main__":
    sys.exit(main())
