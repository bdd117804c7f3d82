#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copies the examples of docs/adapters.md into a folder and builds them against an installation
# (make stage) with the page's own commands: they must print what the page shows. Then checks that
# wrong versions are noticed, and compares Python's results with `mrpb run --json`.
set -u
cd "$(dirname "$0")/.."
source=$PWD stage=$PWD/build/stage/usr/local
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/tier.sh
passed=0 failed=0
check() { # check NAME COMMAND...
  local name=$1
  shift
  if "$@" > "$work/said" 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "adapters: $name"; head -30 "$work/said"; fi
}
# The stage is an installation that was moved: pkg-config is told its place, and so is every program
# that looks for configurations.
mkdir "$work/bin" "$work/home"
printf '#!/bin/sh\nexec /usr/bin/pkg-config --define-prefix "$@"\n' > "$work/bin/pkg-config"
chmod +x "$work/bin/pkg-config"
export PATH=$work/bin:$stage/bin:$PATH PKG_CONFIG_PATH=$stage/lib/pkgconfig LD_LIBRARY_PATH=$stage/lib MRPB_DATA=$stage/share/mrpb
export PYTHONPATH=$stage/lib/python$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')/dist-packages PYTHONDONTWRITEBYTECODE=1 SC_COPYRIGHT_MESSAGE=DISABLE HOME=$work/home
cp -r "$stage/share/doc/mrpb/examples" "$work/examples"
cd "$work/examples/adapters" || exit 1

# The page's commands, and the output that it shows below each; a command continues on the next line
# after a backslash.
page=$source/docs/adapters.md
awk -v to="$work/step" '
  /^    \$ / { n++; file = sprintf("%s%02d", to, n); print substr($0, 7) > (file ".sh"); printf "" > (file ".out"); on = 1
               more = /\\$/; next }
  on && more && /^    / { print substr($0, 5) > (file ".sh"); more = /\\$/; next }
  on && /^    / { print substr($0, 5) > (file ".out"); next }
  { on = 0 }' "$page"
typed() { # typed STEP: the command does what the page says; notes about its own work are ignored
  bash -e "$1.sh" > "$1.all" 2> "$1.err" || { cat "$1.all" "$1.err"; return 1; }
  [ ! -s "$1.out" ] || diff "$1.out" <(grep -vE '^- (.*[$]finish$|S i m u l a t i o n|Verilator: )|: [$]finish called at ' "$1.all")
}
steps=0
for step in "$work"/step*.sh; do
  step=${step%.sh}
  check "$(head -n 1 "$step.sh" | cut -c1-100)" typed "$step"
  steps=$((steps + 1))
done
check "only $steps commands are on the page" test "$steps" -ge 16

# The wave of the SystemC simulation must be as the page describes it.
wave=$(grep -l -- '--vcd-in' "$work"/step*.sh)
check "what the page says of the wave" diff <(sed -n 's/^    \(matched 5004.*\|mshr.vcd: .*\|c, verilator .*\)/\1/p' "$page") "${wave%.sh}.all"
short_enough() { [ "$(wc -l < "$1")" -le 150 ]; }
for f in "$source"/docs/examples/adapters/*; do check "$f has more than 150 lines" short_enough "$f"; done

# Wrong versions: the SystemC module loses an input at the edge; a wrong line of the Verilog; other
# ports.
. "$source/tests/edit.sh"
cp -r "$work/examples" "$work/wrong" && cd "$work/wrong/adapters" || exit 1
replace_once ../library/module_systemc.h 'cls->edge(self, now.data());' 'now[3] = 0; cls->edge(self, now.data());'
lost() {
  c++ -std=c++17 -I../library mshr_systemc.cpp $(pkg-config --cflags --libs mrpb) -lsystemc -o lost && ./lost ../../examples/adapters/run.vec lost.vcd || return 1
  mrpb cosim mshr --set ENTRIES=5 --set MERGES=3 --vcd-in lost.vcd
  [ $? = 1 ]
}
check "an input lost in SystemC is not noticed" lost
differs() { # differs RTL...
  iverilog -g2005 -y "$1" -o wrong.vvp mshr_bench.v mshr_vpi.v && vvp -n -M../../examples/adapters -mmodel_vpi wrong.vvp | grep '^cycle [0-9]*: Verilog'
}
mkdir rtl && cp "$MRPB_DATA"/rtl/*.v rtl && sed -i 's/(ready_q & ~released)/ready_q/' rtl/mshr.v
check "wrong Verilog beside the C model is not noticed" differs rtl
refused() { # refused PATTERN SED_COMMAND: changes the module that the C model replaces
  sed "$2" mshr_vpi.v > other.v
  iverilog -g2005 -y "$MRPB_DATA/rtl" -o other.vvp mshr_bench.v other.v && vvp -n -M../../examples/adapters -mmodel_vpi other.vvp > other.out 2>&1
  grep "$1" other.out
}
check "a port of another width is taken" refused 'other width than in libmrpb: port req_data_i' 's/\[DATA_W-1:0\]  req_data_i/[DATA_W:0] req_data_i/'
check "a module that is not there is taken" refused 'no module of libmrpb: mhsr' 's/"mshr"/"mhsr"/'

# Runs every module of the library by VPI, with the header of its Verilog, beside that Verilog:
# random inputs, all outputs.
cat > beside.py <<'END'
import mrpb
import re
import sys

stem, rtl = sys.argv[1:]
m = mrpb.Module(stem)
header = re.sub(r"//.*", "", open(f"{rtl}/{stem}.v").read())
header = header[header.index(f"module {stem} "):]
header = header[:header.index(");") + 2].replace("output wire", "output reg")
clocked = "clk_i" in header
model = header.replace(f"module {stem} ", "module model ", 1) + f'\n  initial $mrpb_model("{stem}");\nendmodule\n'
ports = [f".{n}({n})" for n in m.inputs] + [".clk_i(clk_i)"] * clocked
sides = {side: ", ".join(ports + [f".{n}({side}_{n})" for n in m.outputs]) for side in ("v", "c")}
lines = ["module bench;", "  reg clk_i = 0; integer n = 0;"]
lines += [f"  reg [{w - 1}:0] {n} = 0;" for n, w in m.inputs.items()]
lines += [f"  wire [{w - 1}:0] v_{n}, c_{n};" for n, w in m.outputs.items()]
lines += [f"  {stem} u_v({sides['v']});", f"  model u_c({sides['c']});", "  initial repeat (3000) begin"]
for name, width in m.inputs.items():
    words = ", ".join(["$random"] * ((width + 31) // 32))
    value = "(n > 1) & (n % 500 != 0)" if name == "srst_ni" else f"{{{words}}}"
    lines.append(f"    {name} = {value};")
same = " && ".join(f"v_{n} === c_{n}" for n in m.outputs)
lines += ["    #5;", f"    if (n > 2 && !({same})) begin $display(\"cycle %0d differs\", n); $finish; end",
          "    clk_i = 1; #5; clk_i = 0; n = n + 1;", "  end", '  initial #40000 $display("%0d cycles equal", n);', "endmodule"]
print(model + "\n".join(lines))
END
beside() { # beside STEM
  python3 beside.py "$1" "$MRPB_DATA/rtl" > "beside_$1.v" && iverilog -g2005 -y "$MRPB_DATA/rtl" -s bench -o "$1.vvp" "beside_$1.v" &&
    vvp -n -M../../examples/adapters -mmodel_vpi "$1.vvp" > "$1.out" 2>&1
  cat "$1.out"
  [ "$(cat "$1.out")" = '3000 cycles equal' ]
}
for stem in $(basename -s .ports.h "$source"/cmodel/ports/*.ports.h); do
  ! sampled 2 || check "$stem by VPI" beside "$stem"
done

# C++: the same with other standards and compilers, and with the static library.
llvm=$(make -s -C "$source" show-llvm)
for c in "g++ -std=c++14" "g++ -std=c++17" "g++ -std=c++20" "clang++-$llvm -std=c++11" "clang++-$llvm -std=c++20"; do
  sampled 2 || continue
  check "$c" $c -Wall -Wextra -Wpedantic -Werror -fsyntax-only gpu.cpp dram.cpp $(pkg-config --cflags mrpb-gpu)
done
static() {
  g++ -std=c++11 -o static dram.cpp $(pkg-config --cflags mrpb-gpu) "$stage/lib/libmrpb-gpu.a" $(pkg-config --static --libs-only-l mrpb-gpu | sed s/-lmrpb-gpu//) &&
    ! ldd static | grep libmrpb && ./static | cmp - "$work/dram.out"
}
(cd ../../examples/adapters && ./dram > "$work/dram.out")
check "the static library in C++" static

# Python: the results that `mrpb run --json` writes, and errors.
check "mrpb run" mrpb run -c base-s-mrpb --kernel mvt --cut 1 --check --json run.json
cp "$source"/docs/examples/ptx/saxpy.{launch,ptx} .
check "mrpb run of in-order cores" mrpb run -c h200 --kernel mvt --cut 1 --json hopper.json
check "mrpb run --launch" mrpb run -c base-s --launch saxpy.launch --let n=512 --json launch.json
sed 's/2\.5 \* x/2.6 * x/' saxpy.launch > wrong.launch
cat > same.py <<'END'
import json
import math
import mrpb

def same(a, b, at):
    if isinstance(a, dict):
        assert a.keys() == b.keys(), (at, a.keys() ^ b.keys())
        for k in a: same(a[k], b[k], f"{at}.{k}")
    elif isinstance(a, list):
        assert len(a) == len(b), at
        for k, (x, y) in enumerate(zip(a, b)): same(x, y, f"{at}.{k}")
    else:
        assert a == b or (isinstance(b, float) and math.isclose(a, b, rel_tol=1e-8)), (at, a, b)

def refused(call, part):
    try: call()
    except mrpb.Error as e: assert part in str(e), e
    else: raise AssertionError("taken: " + part)

class Dram:
    """DRAMsim3's functions in Python: an answer in the next clock."""
    def __init__(self): self.queue, self.reads = [], 0
    def tck(self): return 1.0
    def transaction_bytes(self): return 128
    def will_accept(self, address, is_write): return len(self.queue) < 8
    def add(self, address, is_write):
        self.queue.append((address, is_write))
        return True
    def tick(self):
        for address, is_write in self.queue:
            (self.write_done if is_write else self.read_done)(address)
            self.reads += not is_write
        self.queue = []

def library(config, file, checked):
    """The library's results are those that the program has written, but for what the program was told."""
    with open(file) as f: wanted = json.load(f)
    for k in "mrpb_version kernel cut size steps model acc_reload config_hash".split(): del wanted[k]
    gpu = mrpb.Gpu(config)
    gpu.program("mvt", cut=1)
    if checked: gpu.checked()
    same(gpu.run(), wanted, "")

library("base-s-mrpb", "run.json", True)
library("h200", "hopper.json", False)
refused(lambda: mrpb.Gpu("h200", DRAM_CL=3), "DRAM_CL is a key of flits")
gpu = mrpb.Gpu("base-s-mrpb", SMS=2)
gpu.program("mvt", cut=1)
dram = Dram()
gpu.connect_dram(dram)
gpu.checked()
gpu.wave("python.vcd", sm=1, last=99)
assert gpu.run()["dram"]["reads"] == dram.reads > 100
with open("launch.json") as f: wanted = json.load(f)
gpu = mrpb.Gpu("base-s")
gpu.launch_file("saxpy.launch", n=512)
have = gpu.run()
assert have["cycles"] == wanted["cycles"]
same(have["l1d"], wanted["l1d"], "")
gpu = mrpb.Gpu("base-s")
gpu.launch_file("wrong.launch")
refused(gpu.run, "wrong.launch:7: y[0] is ")
refused(lambda: mrpb.Gpu("base-s").launch_file("saxpy.launch", n="x"), "legal: a number")
class Cores:
    """One core: ten reads of lines that follow each other, one after the other."""
    def __init__(self, gpu): self.gpu, self.came, self.sent = gpu, [], 0
    def reply(self, core, number): self.came.append((core, number))
    def tick(self, cycle):
        if self.sent < 10 and len(self.came) == self.sent:
            self.sent += self.gpu.request(1, 128 * self.sent, id_=self.sent)
        if len(self.came) == 10: self.gpu.pause()

gpu = mrpb.Gpu("base-s", SMS=2)
cores = Cores(gpu)
gpu.connect_cores(cores)
assert gpu.step(100000) and cores.came == [(1, i) for i in range(10)] and gpu.results()["l2"]["reads"] == 10
assert "$enddefinitions" in open("python.vcd").read()
refused(lambda: gpu.request(2, 0), "core 2; legal: 0 to 1")
refused(lambda: mrpb.Module("mhsr"), "no module mhsr; legal: ")
refused(lambda: mrpb.Module("mshr", ENTRYS=1), "has no parameter ENTRYS")
refused(lambda: mrpb.Module("mshr").comb(req_adr_i=1), "has no input req_adr_i")
refused(lambda: mrpb.Module("mshr").comb(req_valid_i=2), "req_valid_i = 0x2: the port has 1 bits")
refused(lambda: mrpb.run("atex"), "atax")
refused(lambda: mrpb.cosim("mhsr"), "mhsr")
refused(lambda: mrpb.Gpu("base-s").run(), "nothing to run")
gpu = mrpb.Gpu("base-s")
gpu.program("mvt", cut=1)
dram.tick = lambda: 1 / 0
gpu.connect_dram(dram)
try: gpu.run()
except ZeroDivisionError: pass
else: raise AssertionError("what a function raises is lost")
wide = mrpb.Module("prt")
assert all(v == 0 for v in mrpb.Module("mshr").cycle(srst_ni=0).values() if v != 1)
assert set(mrpb.modules()) >= {"mrpb", "mshr", "prt"}
for name in mrpb.modules():
    m = mrpb.Module(name)
    m.cycle()
    m.registers()
END
check "Python's results are those of mrpb run" /usr/bin/python3 same.py
check "the folder imports with another python3, too" python3 -c 'import mrpb; assert mrpb.version()'
echo "adapters: $passed passed, $failed failed"
[ "$failed" = 0 ]
