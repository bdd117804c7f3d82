#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the PTX texts of ZLUDA's tests and compares what they write with what those tests expect.

    tests/workload/zluda.py CHECKOUT [NAME ...]

CHECKOUT is a checkout of github.com/vosen/ZLUDA; nothing of it is in this repository. Each test of
ptx/src/test/spirv_run/mod.rs is a kernel of one block with a buffer to read and one to write. One
line for each that is not equal; exit 1 if a value differs, 2 if there is nothing to run.
"""

import os
import re
import struct
import subprocess
import sys
import tempfile

TESTS = "ptx/src/test/spirv_run"
LIMITS = {"max_value()": "MAX", "min_value()": "MIN"}
FORMAT = {"f16": "e", "f32": "f", "f64": "d"}


def integer(kind, word):
    """The bits of u8 to i64: a number, or a limit of its type."""
    bits, signed = int(kind[1:]), kind[0] == "i"
    if word in ("MAX", "MIN"):
        top = 1 << (bits - 1 if signed else bits)
        return top - 1 if word == "MAX" else (-top if signed else 0)
    return int(word.replace("_", ""), 0)


def real(word):
    words = {"NAN": "nan", "INFINITY": "inf", "NEG_INFINITY": "-inf", "PI": "3.14159265358979"}
    return float(words.get(word, word.replace("_", "")))


def pack(kind, value):
    """The bytes in memory of a value of a Rust type."""
    if kind in FORMAT:
        return struct.pack("<" + FORMAT[kind], value)
    size = int(kind[1:]) // 8
    return (value & (1 << 8 * size) - 1).to_bytes(size, "little")


def element(text):
    """(type or None, value or bytes) of a Rust expression as those tests have them."""
    text = text.replace("half::", "").replace("std::f32::consts::", "f32::")
    found = re.fullmatch(r"(\w+)::from_bits\((\w+)\)", text)
    if found:
        kind = found[1]
        size = int(kind[1:]) // 8
        number = re.sub(r"u(16|32|64)$", "", found[2])
        return kind, int(number.replace("_", ""), 0).to_bytes(size, "little")
    found = re.fullmatch(r"f16::(\w+)\.to_bits\(\)", text)
    if found:
        return "u16", pack("f16", real(found[1]))
    found = re.fullmatch(r"(f16)::from_f(?:32|64)\((.+)\)", text)
    if found:
        return found[1], real(found[2])
    found = re.fullmatch(r"(\w+)::([\w()]+)(?: / (\d+)f32)?", text)
    if found:
        word = LIMITS.get(found[2], found[2])
        if found[1] in FORMAT:
            return found[1], real(word) / int(found[3] or 1)
        return found[1], integer(found[1], word)
    found = re.fullmatch(r"(-?(?:0x[\da-fA-F_]+?|0b[01_]+?|[\d_.]+?))_*([iu](?:8|16|32|64)|f32|f64)?", text)
    if not found:
        raise ValueError(text)
    kind, number = found[2], found[1]
    if kind in FORMAT or (kind is None and "." in number):
        return kind, real(number)
    return kind, integer(kind or "i64", number)


def array(text):
    """(type, bytes) of a Rust array: all its elements have the type that one of them names."""
    text = re.sub(r"//[^\n]*", "", text).strip().strip("[]")
    elements = [element(e.strip()) for e in text.split(",") if e.strip()]
    kind = next((k for k, _ in elements if k), None)
    if kind is None:
        kind = "f64" if isinstance(elements[0][1], float) else "i32"
    return kind, b"".join(v if isinstance(v, bytes) else
                          pack(kind, float(v) if kind in FORMAT else v) for _, v in elements)


def tests(source):
    """(name, folder, input or None, output) of each test with an output."""
    source = re.sub(r"(?m)^\s*//.*$", "", source)
    pattern = r"(?m)^test_ptx(_with_32|_warp)?!\(\s*(\w+)\s*((?:,\s*\[[^]]*\]\s*)+)(?:,\s*)?\);"
    for kind, name, rest in re.findall(pattern, source):
        arrays = [array(a) for a in re.findall(r"\[[^]]*\]", rest)]
        given = None if kind == "_warp" else arrays[0]
        yield name, "", given, arrays[-1]
        if kind == "_with_32":
            yield name, "32", given, arrays[-1]


def run(mrpb, path, name, given, size, block):
    """What the kernel writes, or the line that says why it does not run."""
    with tempfile.TemporaryDirectory() as folder:
        launch, out = os.path.join(folder, "t.launch"), os.path.join(folder, "out")
        lines = [f'ptx "{path}"', f"buffer to u8[{size}]"]
        if given is not None:
            values = ", ".join(str(b) for b in given)
            lines.append(f"buffer from u8[{len(given)}] = {{{values}}}")
        with open(path, encoding="utf-8") as f:
            head = re.search(r"\.entry[^{]*", f.read())[0]
        names = ["from" if given is not None else "to", "to"]
        arguments = ", ".join(names[: head.count(".param")])
        lines.append(f"launch {name}({arguments}) grid 1 block {block} shared 1024")
        lines.append(f'write to to "{out}"')
        with open(launch, "w", encoding="ascii") as f:
            f.write("\n".join(lines) + "\n")
        said = subprocess.run([mrpb, "run", "--functional", "--launch", launch],
                              capture_output=True, text=True, timeout=600, check=False)
        if said.returncode:
            return None, (said.stderr.strip().splitlines() or [f"exit {said.returncode}"])[-1]
        with open(out, "rb") as f:
            return f.read(), ""


def same(kind, got, expected):
    """Equal as Rust's == has it: 0 is -0."""
    if kind not in FORMAT:
        return got == expected
    form = f"<{len(got) // struct.calcsize(FORMAT[kind])}{FORMAT[kind]}"
    return struct.unpack(form, got) == struct.unpack(form, expected)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = os.path.abspath(os.path.join(sys.argv[1], TESTS))
    mrpb = os.environ.get("MRPB", "build/mrpb")
    with open(os.path.join(folder, "mod.rs"), encoding="utf-8") as f:
        found = [t for t in tests(f.read()) if not sys.argv[2:] or t[0] in sys.argv[2:]]
    count = {"equal": 0, "refused": 0, "different": 0}
    for name, below, given, (kind, expected) in found:
        path = os.path.join(folder, below, name + ".ptx")
        block = 64 if given is None else 1
        got, why = run(mrpb, path, name, given and given[1], len(expected), block)
        if got is None:
            verdict = "refused"
        else:
            verdict = "equal" if same(kind, got, expected) else "different"
            why = f"{got[:32].hex()}, expected {expected[:32].hex()}"
        count[verdict] += 1
        if verdict != "equal":
            print(f"{os.path.join(below, name)}: {verdict}: {why}")
    print(", ".join(f"{n} {what}" for what, n in count.items()), f"of {len(found)}")
    sys.exit(1 if count["different"] else 0 if found else 2)


if __name__ == "__main__":
    main()
