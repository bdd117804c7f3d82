#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the files of `mrpb export` strictly, and says what is wrong with them.
  read.py pins DIR MODULE   black box, LEF, Liberty and netlist have the same pins
  read.py lists DIR MODULE  the lists of files: .f, .core, Bender.yml, manifest, macros.csv
  read.py saif DIR MODULE   both runs: times add up, and what the ports did is the same
  read.py top DIR MODULE    prints a module `top` that contains the module alone
"""
import json
import os
import re
import sys


def fail(text):
    sys.exit("read.py: " + text)


def text_of(*path):
    with open(os.path.join(*path), encoding="ascii") as f:
        return f.read()


# ---- pins: {"name[3]": "input"} ----

def bits(name, direction, width):
    return {f"{name}[{i}]" if width > 1 else name: direction for i in range(width)}


def verilog_ports(text, module):
    """Of a header with declarations: [(name, direction, width)]."""
    head = re.search(r"module %s \((.*?)\);" % module, text, re.S)
    ports = []
    for part in head.group(1).split(","):
        m = re.fullmatch(r"\s*(input|output)\s+wire (?:\[(\d+):0\] )?(\w+)\s*", part)
        if not m:
            fail(f"black box: {part!r}")
        ports.append((m[3], m[1], int(m[2] or 0) + 1))
    return ports


def netlist_pins(text, module):
    """Of the declarations that Yosys writes below the header."""
    names = re.search(r"module %s\((.*?)\);" % module, text, re.S)[1].replace("\n", " ")
    pins = {}
    for name in (n.strip() for n in names.split(",")):
        m = re.search(r"^  (input|output) (?:\[(\d+):0\] )?%s;$" % name, text, re.M)
        pins.update(bits(name, m[1], int(m[2] or 0) + 1))
    return pins


def lef_pins(text, module):
    """A LEF of one macro: every statement is known, every pin is within the outline."""
    tokens = re.sub(r"#.*", "", text).split()
    at, pins, size, shapes = 0, {}, None, []

    def take(*want):
        nonlocal at
        got = tokens[at:at + len(want)]
        at += len(want)
        for w, g in zip(want, got):
            if w is not None and w != g:
                fail(f"LEF: {g!r} where {w!r} belongs")
        return got

    take("VERSION", "5.7", ";", "BUSBITCHARS", '"[]"', ";", "DIVIDERCHAR", '"/"', ";")
    take("UNITS", "DATABASE", "MICRONS", "1000", ";", "END", "UNITS", "MACRO", module)
    take("CLASS", "BLOCK", ";", "FOREIGN", module, "0.000", "0.000", ";", "ORIGIN", "0.000", "0.000", ";")
    got = take("SIZE", None, "BY", None, ";")
    size = float(got[1]), float(got[3])
    take("SYMMETRY", "X", "Y", "R90", ";")
    while tokens[at] == "PIN":
        name = take("PIN", None)[1]
        direction = take("DIRECTION", None, ";")[1]
        use = take("USE", None, ";")[1]
        if name in pins or direction not in ("INPUT", "OUTPUT") or (use == "CLOCK") != (name == "clk_i"):
            fail(f"LEF: pin {name}")
        take("PORT", "LAYER", None, ";")
        x0, y0, x1, y1 = (float(n) for n in take("RECT", None, None, None, None, ";")[1:5])
        if not (0 <= x0 < x1 <= size[0] + 1e-6 and 0 <= y0 < y1 <= size[1] + 1e-6):
            fail(f"LEF: pin {name} is not within the outline")
        if not (x0 == 0 or y0 == 0 or abs(x1 - size[0]) < 1e-6):
            fail(f"LEF: pin {name} is not on an edge")
        for a0, b0, a1, b1 in shapes:
            if x0 < a1 and a0 < x1 and y0 < b1 and b0 < y1:
                fail(f"LEF: pin {name} is on another")
        shapes.append((x0, y0, x1, y1))
        take("END", "END", name)
        pins[name] = direction.lower()
    take("END", module, "END", "LIBRARY")
    if at != len(tokens):
        fail("LEF: text behind its end")
    return pins


def liberty_groups(text):
    """Nested lists: (name, argument, attributes, groups)."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    words = re.findall(r'"[^"]*"|[\w.+-]+(?:\[[\d:]+\])?|[(){};:,]', text)
    at = 0

    def group():
        nonlocal at
        name, argument = words[at], []
        at += 2
        while words[at] != ")":
            argument.append(words[at])
            at += 1
        at += 1
        if words[at] == ";":
            at += 1
            return name, argument, None, None
        if words[at] != "{":
            fail(f"Liberty: {words[at]!r} behind {name}")
        at += 1
        attributes, groups = {}, []
        while words[at] != "}":
            if words[at + 1] == ":":
                attributes[words[at]] = words[at + 2].strip('"')
                if words[at + 3] != ";":
                    fail(f"Liberty: {words[at]} has no semicolon")
                at += 4
            else:
                groups.append(group())
        at += 1
        return name, argument, attributes, groups

    root = group()
    if at != len(words):
        fail("Liberty: text behind its end")
    return root


def liberty_pins(text, module):
    library = liberty_groups(text)
    types = {g[1][0]: int(g[2]["bit_width"]) for g in library[3] if g[0] == "type"}
    cell = [g for g in library[3] if g[0] == "cell"]
    if len(cell) != 1 or cell[0][1] != [module] or float(cell[0][2]["area"]) < 0:
        fail("Liberty: not one cell of the module's name")
    pins = {}
    for name, argument, attributes, groups in cell[0][3]:
        if attributes.get("direction") == "internal":
            continue
        width = types[attributes["bus_type"]] if name == "bus" else 1
        if name == "bus":
            if groups[0][1] != [f"{argument[0]}[{width - 1}:0]"]:
                fail(f"Liberty: bus {argument[0]} and its pins differ")
            if attributes["direction"] != groups[0][2]["direction"]:
                fail(f"Liberty: directions of {argument[0]}")
            attributes = groups[0][2]
        if float(attributes["capacitance"]) < 0:
            fail(f"Liberty: capacitance of {argument[0]}")
        pins.update(bits(argument[0], attributes["direction"], width))
    return pins


def pins(folder, module):
    box = {}
    for name, direction, width in verilog_ports(text_of(folder, module + "_bb.v"), module):
        box.update(bits(name, direction, width))
    others = {module + ".lef": lef_pins(text_of(folder, module + ".lef"), module),
              "gates/" + module + ".v": netlist_pins(text_of(folder, "gates", module + ".v"), module)}
    for name in sorted(os.listdir(os.path.join(folder, "lib"))):
        others["lib/" + name] = liberty_pins(text_of(folder, "lib", name), module)
    for name, have in others.items():
        for pin in sorted(set(box) | set(have)):
            if box.get(pin) != have.get(pin):
                fail(f"{name}: pin {pin} is {have.get(pin)}, in the black box {box.get(pin)}")
    print(f"{len(box)} pins agree in {1 + len(others)} files")


# ---- lists ----

def yaml(text):
    """The part of YAML that is used: maps and lists by indent, scalars, one-line maps."""
    lines = [l for l in text.split("\n") if l.strip() and not l.strip().startswith("#")]
    at = 0

    def scalar(word):
        word = word.strip()
        if word.startswith("{") and word.endswith("}"):
            return dict(p.split(": ") for p in word[1:-1].split(", "))
        if word.startswith('"') and word.endswith('"') and '"' not in word[1:-1]:
            return word[1:-1]
        if not re.fullmatch(r"[\w./-]+", word):
            fail(f"YAML: {word!r} needs quotes")
        return word

    def block(indent):
        nonlocal at
        value = None
        while at < len(lines):
            line = lines[at]
            here = len(line) - len(line.lstrip(" "))
            if "\t" in line or here < indent:
                break
            if here > indent:
                fail(f"YAML: indent of {line!r}")
            body = line[indent:]
            if body.startswith("- "):
                value = [] if value is None else value
                if re.match(r"- [\w./-]+:( |$)", body) and not re.match(r"- [\w./-]+: \{", body):
                    lines[at] = " " * (indent + 2) + body[2:]
                    value.append(block(indent + 2))
                else:
                    at += 1
                    m = re.fullmatch(r"- ([\w./-]+): (\{.*\})", body)
                    value.append({m[1]: scalar(m[2])} if m else scalar(body[2:]))
            else:
                value = {} if value is None else value
                key, colon, rest = body.partition(":")
                if not colon or not re.fullmatch(r"[\w]+", key) or key in value:
                    fail(f"YAML: {line!r}")
                at += 1
                value[key] = scalar(rest) if rest.strip() else block(
                    len(lines[at]) - len(lines[at].lstrip(" ")))
        return value

    return block(0)


def only(value, legal, what):
    for key in value:
        if key not in legal:
            fail(f"{what}: no key {key!r} in its format")


def lists(folder, module):
    files = text_of(folder, module + ".f").split()
    if sorted(files) != sorted("rtl/" + n for n in os.listdir(os.path.join(folder, "rtl"))):
        fail(".f: not the files of rtl/")
    core = text_of(folder, module + ".core")
    if not core.startswith("CAPI=2:\n"):
        fail(".core: its first line is not CAPI=2:")
    core = yaml(core.split("\n", 1)[1])
    only(core, ("name", "description", "filesets", "parameters", "targets"), ".core")
    if not re.fullmatch(r"\w+:\w+:%s:\d+\.\d+\.\d+" % module, core["name"]):
        fail(".core: name")
    if core["filesets"]["rtl"]["files"] != files:
        fail(".core: other files than the list")
    for name, fileset in core["filesets"].items():
        only(fileset, ("files", "file_type", "depend"), f".core: {name}")
        for entry in fileset["files"]:
            path = entry if isinstance(entry, str) else list(entry)[0]
            if not os.path.isfile(os.path.join(folder, path)):
                fail(f".core: {path} is not there")
    for name, target in core["targets"].items():
        only(target, ("filesets", "toplevel", "default_tool", "parameters", "tools"), f".core: {name}")
        for fileset in target["filesets"]:
            if fileset not in core["filesets"]:
                fail(f".core: no fileset {fileset}")
    manifest = json.loads(text_of(folder, "manifest.json"))
    for name, parameter in core["parameters"].items():
        only(parameter, ("datatype", "default", "paramtype"), f".core: {name}")
        if int(parameter["default"]) != manifest["parameters"][name]:
            fail(f".core: default of {name}")
    bender = yaml(text_of(folder, "Bender.yml"))
    only(bender, ("package", "sources"), "Bender.yml")
    if bender["package"] != {"name": module} or bender["sources"][0]["files"] != files:
        fail("Bender.yml: other files than the list")
    for group in bender["sources"]:
        only(group, ("files", "target", "include_dirs", "defines"), "Bender.yml")
    there = sorted(os.path.relpath(os.path.join(d, n), folder) for d, _, ns in os.walk(folder) for n in ns)
    if sorted(manifest["files"]) != there:
        fail("manifest.json: not the files of the folder")
    rows = [line.split(",") for line in text_of(folder, "macros.csv").strip().split("\n")]
    if any(len(row) != len(rows[0]) for row in rows):
        fail("macros.csv: columns")
    print(f"{len(files)} sources, {len(there)} files, {len(rows) - 1} memories")


# ---- activity ----

def saif_nets(text):
    """{path: (t0, t1, tx, tc)} of all nets, and the duration."""
    words = re.findall(r'"[^"]*"|[()]|[^\s()"]+', re.sub(r"\\(.)", r"\1", text))

    def parse():
        stack = [[]]
        for word in words:
            if word == "(":
                stack.append([])
            elif word == ")":
                done = stack.pop()
                stack[-1].append(done)
            else:
                stack[-1].append(word)
        if len(stack) != 1:
            fail("SAIF: parentheses")
        return stack[0][0]

    root, nets, duration = parse(), {}, 0

    def walk(group, path):
        for part in group:
            if not isinstance(part, list):
                continue
            if part[0] == "INSTANCE":
                walk(part[2:], path + [part[1]])
            if part[0] == "NET":
                for net in part[1:]:
                    values = dict((n[0], int(n[1])) for n in net[1:])
                    nets["/".join(path + [net[0]])] = values
    if root[0] != "SAIFILE":
        fail("SAIF: no SAIFILE")
    for part in root[1:]:
        if part[0] == "DURATION":
            duration = int(part[1])
    walk(root, [])
    return nets, duration


def saif(folder, module):
    runs = {}
    for kind in ("rtl", "gates"):
        nets, duration = saif_nets(text_of(folder, "sim", f"{module}_{kind}.saif"))
        for name, v in nets.items():
            if v["T0"] + v["T1"] + v["TX"] != duration:
                fail(f"{kind}: times of {name} are not the run's")
        runs[kind] = nets
    ports = [module + "/" + n + (f"[{i}]" if w > 1 else "")
             for n, _, w in verilog_ports(text_of(folder, module + "_bb.v"), module) for i in range(w)]
    for port in ports:
        a, b = runs["rtl"][port], runs["gates"][port]
        unknown = abs(a["TX"] - b["TX"])  # before the first reset, or the first read of a memory
        if abs(a["T1"] - b["T1"]) > unknown or abs(a["TC"] - b["TC"]) > (unknown > 0):
            fail(f"{port}: {runs['rtl'][port]} in the Verilog, {runs['gates'][port]} at gates")
    if not any(runs["gates"][p]["TC"] for p in ports if p.endswith("_o") or "_o[" in p):
        fail("no output changes in the run")
    print(f"{len(ports)} ports alike, {len(runs['rtl'])} nets of the Verilog, {len(runs['gates'])} of gates")


def top(folder, module):
    ports = verilog_ports(text_of(folder, module + "_bb.v"), module)
    print("module top (" + ", ".join(p[0] for p in ports) + ");")
    for name, direction, width in ports:
        print(f"  {direction} " + (f"[{width - 1}:0] " if width > 1 else "") + name + ";")
    print(f"  {module} u_block (" + ", ".join(f".{p[0]}({p[0]})" for p in ports) + ");\nendmodule")


if len(sys.argv) != 4 or sys.argv[1] not in ("pins", "lists", "saif", "top"):
    sys.exit(__doc__)
{"pins": pins, "lists": lists, "saif": saif, "top": top}[sys.argv[1]](sys.argv[2], sys.argv[3])
