#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The logic estimate on small modules: a report, recorded figures with every verdict on them, and
# tools that are missing, too old, or fail with exit status 0. No figure checked here depends on a
# tool alone.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
mrpb=$PWD/build/mrpb

. tests/case.sh
. tests/estimate/library.sh
estimate="$mrpb estimate $liberty --no-prove"

# ---- the proof of a netlist: docs/verify/netlist.md ----
proof="$mrpb estimate queue_selector --set QUEUES=3 $liberty"
case_ "a netlist is proved" 0 'memories um2 \| netlist = C model \|' $proof
case_ "and the row says so" 0 '^\| queue_selector .*\| proved \|$' $proof
case_ "or that it was not asked for" 0 '^\| queue_selector .*\| not proved: --no-prove \|$' $proof --no-prove
mkdir "$work/wrong"
cp rtl/*.v "$work/wrong"
sed -i 's/remainder = {1.b0, id} %/remainder = {1'"'"'b0, id ^ 6'"'"'d1} %/' "$work/wrong/queue_selector.v"
case_ "the error is planted" 1 'differ' cmp rtl/queue_selector.v "$work/wrong/queue_selector.v"
case_ "a wrong netlist is refuted" 0 '^\| queue_selector .*\| refuted' $proof --rtl "$work/wrong"

# ---- nothing on standard output before a failure ----
case_ "a library that is not there" 2 '/nowhere\.lib: cannot read' $mrpb estimate mshr --liberty /nowhere.lib
true_ "is all that is said" [ "$(wc -l < "$work/out")" = 1 ]

# ---- recorded figures ----
cat > "$work/base.json" << 'END'
{"modules": [{"module": "drain_selector", "netlists": 2, "parameters": {"QUEUES": 4, "DEPTH": 2}},
             {"module": "fifo_bank", "netlists": 1, "parameters": {"QUEUES": 3, "DEPTH": 2, "DATA_W": 4}}]}
END
check="$estimate --check $work/base.json"
case_ "nothing recorded yet is stale" 1 '^STALE' $check
case_ "recording" 0 '2 modules recorded' $estimate --record "$work/base.json"
cp "$work/base.json" "$work/good.json"
case_ "what was recorded holds" 0 '^ok +drain_selector' $check

figure() { # figure NAME FACTOR: records that figure of the first module as another
  awk -v name="\"$1\":" -v factor="$2" '$1 == name && !seen {seen = 1; v = $2; sub(/,$/, "", v)
    printf "%s %.6f%s\n", $1, v * factor, ($2 ~ /,$/) ? "," : ""; next} {print}' \
    "$work/good.json" > "$work/base.json"
}
figure area_um2 0.94
case_ "6 % more area is a regression" 1 '^REGRESSION +drain_selector .*area_um2.*\+6\.' $check
case_ "and says how to record it" 1 'estimate --record .*base\.json' $check
figure period_ns 0.94
case_ "a longer period is a regression" 1 '^REGRESSION .*period_ns' $check
figure area_um2 0.96
case_ "4 % is none" 0 '^ok ' $check
figure area_um2 1.07
case_ "an improvement that is not recorded fails too" 1 '^IMPROVED +drain_selector .*area_um2' $check
sed 's/"yosys": "0/"yosys": "1/' "$work/good.json" > "$work/base.json"
case_ "another Yosys is stale" 1 '^STALE .*yosys was' $check
sed 's/"liberty_hash": "./"liberty_hash": "x/' "$work/good.json" > "$work/base.json"
case_ "another Liberty file is stale" 1 '^STALE .*liberty_hash was' $check
sed 's/"flow_hash": "./"flow_hash": "x/' "$work/good.json" > "$work/base.json"
case_ "another flow is stale" 1 '^STALE .*flow_hash was' $check
sed 's/"module": "fifo_bank"/"module": "fifo_bnak"/' "$work/good.json" > "$work/base.json"
case_ "unknown module" 2 "module 2: .*'fifo_bnak'; nearest: fifo_bank" $check
sed 's/"QUEUES": 4/"QUEUES": 400/' "$work/good.json" > "$work/base.json"
case_ "illegal size" 2 'drain_selector_QUEUES_must_be_1_to_64' $check
echo '{' > "$work/base.json"
case_ "a broken file" 2 'base\.json:.*legal: a baseline file' $check
cp "$work/good.json" "$work/base.json"

# A worse Verilog is noticed: a remainder that nothing needs, in a flag on which nothing else
# depends.
mkdir "$work/rtl"
cp rtl/*.v "$work/rtl"
sum='(8'"'"'d1 * more_q[0] * more_q[1] + 8'"'"'d1 * more_q[2] * more_q[3])'
sed -i "s/assign add_drop_o = .*/assign add_drop_o = add_valid_i ^ ($sum % 8'd7 == 8'd3);/" "$work/rtl/drain_selector.v"
case_ "the edit took place" 1 'differ' cmp rtl/drain_selector.v "$work/rtl/drain_selector.v"
case_ "a worse Verilog is a regression" 1 '^REGRESSION +drain_selector' $check --rtl "$work/rtl"

# ---- modules without cells, without flip-flops, without logic ----
# A remainder by a power of two is wires, one by 1 is a constant; a table of one entry has neither
# pointer nor search.
cat > "$work/small.json" << 'END'
{"modules": [{"module": "queue_selector", "netlists": 2, "parameters": {"QUEUES": 1}},
             {"module": "queue_selector", "netlists": 1, "parameters": {"QUEUES": 8}},
             {"module": "queue_selector", "netlists": 1, "parameters": {"QUEUES": 16, "SIGNATURE": 0}},
             {"module": "queue_selector", "netlists": 1, "parameters": {"QUEUES": 32, "SIGNATURE": 2}},
             {"module": "queue_selector", "netlists": 1, "parameters": {"QUEUES": 64}},
             {"module": "flush_control", "netlists": 1, "parameters": {"QUEUES": 1, "FLUSH": 0}},
             {"module": "drain_selector", "netlists": 1, "parameters": {"QUEUES": 1, "DEPTH": 1}},
             {"module": "fifo_bank", "netlists": 1, "parameters": {"QUEUES": 1, "DEPTH": 1, "DATA_W": 1}}]}
END
case_ "modules of wires recorded" 0 '8 modules recorded' $estimate --record "$work/small.json"
case_ "and held" 0 '^ok +queue_selector .*QUEUES=64' $estimate --check "$work/small.json"
case_ "and none of them off" 0 '^none$' sh -c '"$@" | grep -vE "^ok" || echo none' - $estimate --check "$work/small.json"
sed -i 's/"area_um2": 0.0/"area_um2": 80.0/' "$work/small.json"
case_ "wires in place of cells are an improvement" 1 '^IMPROVED +queue_selector' $estimate --check "$work/small.json"
small="$estimate -c configs/base-s-mrpb.conf --set MRPB_QUEUES=2 --set MRPB_DEPTH=2 --set MSHR_ENTRIES=2 --set MSHR_MERGES=2 --set PRT_ENTRIES=2 -o $work/small"
case_ "a report with a module of wires" 0 'small/report\.md' $small
case_ "again, from the cache" 0 'small/report\.md' $small
case_ "which says so" 0 'queue_selector is wires alone: no cells, no delay' cat "$work/small/report.md"
case_ "and has its netlist" 0 'endmodule' cat "$work/small/logic/$library_name/queue_selector/net.v"
case_ "nothing is stated, so nothing closes" 0 'mshr: \*\*(no verdict|does not close)\*\* at corner [a-z]*: without wires ' cat "$work/small/report.md"
case_ "no period through a memory without a time" 0 'prt: offset_q \| register file.* not known \| .*no path goes through it' cat "$work/small/report.md"
case_ "which script" 0 "ABC with this project's script for speed" cat "$work/small/report.md"
case_ "a register file is no SRAM" 0 'prt: offset_q \| register file, read without a clock' cat "$work/small/report.md"
case_ "alternatives with and without cells" 0 'vary/report\.md' $estimate -c configs/base-s-mrpb.conf --vary MRPB_QUEUES=1,2 \
  --set MRPB_DEPTH=2 --set MSHR_ENTRIES=2 --set MSHR_MERGES=2 --set PRT_ENTRIES=2 -o "$work/vary"
case_ "each with its line" 0 'queue_selector, MRPB_QUEUES=1 is wires alone' cat "$work/vary/report.md"
stated="--input-delay 0.1 --output-delay 0.1 --uncertainty 0.05 --wire 2 --sram-access 0.5"
case_ "a slow clock, and all that is stated" 0 'small/report\.md' $small --clock 0.05 $stated
case_ "closes" 0 'mshr: \*\*closes\*\* at corner [a-z]*: without wires [0-9.]+ ns left, with wires [0-9.]+ ns left \(.*, `.*` to `.*`, [0-9.]+ ns\)\. .*Netlist = C model: ' cat "$work/small/report.md"
case_ "but for the L1, whose time is not stated" 0 'mrpb: \*\*no verdict\*\* .* Not stated: `--l1-answer`' cat "$work/small/report.md"
case_ "what is left for the L1" 0 '^\| mrpb, ANSWER 0 \| [a-z]* \| 0 \| [0-9.]+ \| not stated \| [0-9.]+ \|' cat "$work/small/report.md"
case_ "an L1 that is too slow" 0 'small/report\.md' $small --clock 0.05 $stated --l1-answer 21
case_ "does not close" 0 "mrpb: \*\*does not close\*\* .*with wires [0-9.]+ ns short \(by way of the L1, " cat "$work/small/report.md"
case_ "the stock script" 0 'small/report\.md' $small --abc stock
case_ "said in the report" 0 "ABC with Yosys' own script" cat "$work/small/report.md"
case_ "unknown script" 2 '--abc fast: legal: speed, stock' $small --abc fast
case_ "a baseline of the other script is stale" 1 '^STALE' $check --abc stock

# ---- libraries and corners ----
# The delays of a copy are twice those of the library: so are all paths, without wires.
corner=$work/slow.lib
awk '/(cell_rise|cell_fall|rise_transition|fall_transition|_constraint) *\(/ { on = 1 }
  on && match($0, /"[^"]*"/) { n = split(substr($0, RSTART + 1, RLENGTH - 2), v, ","); out = ""
    for (i = 1; i <= n; i++) out = out (i > 1 ? ", " : "") 2 * v[i]
    $0 = substr($0, 1, RSTART) out substr($0, RSTART + RLENGTH - 1) }
  /}/ { on = 0 } { print }' "$library" > "$corner"
one="$estimate queue_selector --set QUEUES=5"
sed -i 's/typical/slow/g' "$corner"
case_ "a corner" 0 '^\| queue_selector \| .* \| 0\.7 \| - \| - \| - \|' $one --corner "$corner"
case_ "is slower" 0 '^2 rows, slower$' sh -c '"$@" | awk -F"|" "/^\\| queue_selector.*input to an output/ && \$4 == 0 { n++; slower = \$8 > before; before = \$8 }
  END { print n \" rows, \" (slower ? \"slower\" : \"not slower\") }"' - $one --corner "$corner"
case_ "wires are slower" 0 '^slower$' sh -c '"$@" | awk -F"|" "/^\\| queue_selector.*input to an output/ { slower = \$8 > before; before = \$8 }
  END { print slower ? \"slower\" : \"not slower\" }"' - $one --wire 20
case_ "no wire is no slower" 0 '^same$' sh -c '"$@" | awk -F"|" "/^\\| queue_selector.*input to an output/ { same = \$8 == before; before = \$8 }
  END { print same ? \"same\" : \"not the same\" }"' - $one --wire 0
sed 's/cell (INVX1)/cell (OTHER)/; s/typical/other/g' "$library" > "$work/other.lib"
case_ "a corner without a cell" 2 '--corner .*other\.lib: no cell INVX1' $one --corner "$work/other.lib"
case_ "a corner twice" 2 '--corner .*: corner [a-z]* again; legal: each corner once' $one --corner "$library"
case_ "a corner of two libraries" 2 '--corner: the corner of which library' $mrpb estimate queue_selector --liberty "$library" --liberty "$library" --corner "$corner"
gzip -c "$library" > "$work/cells.lib.gz"
rows() { "$mrpb" estimate queue_selector --set QUEUES=5 --liberty "$1" | grep '^|' > "$2"; } # of a library
rows "$library" "$work/plain.rows"
rows "$work/cells.lib.gz" "$work/gz.rows"
case_ "a compressed library is the same" 0 '^same$' sh -c 'cmp "$1" "$2" && echo same' - "$work/plain.rows" "$work/gz.rows"
# Every second cell in a file of its own, without the templates that the first file has.
awk '/^ *cell *\(/ { n++; on = n % 2 == 0 } !on || n == 0' "$library" > "$work/first.lib"
[ "$(tail -c 3 "$work/first.lib" | tr -d '\n ')" = "}" ] || echo "}" >> "$work/first.lib"
awk '/^ *cell *\(/ { n++ } n == 0 || n % 2 == 0' "$library" > "$work/second.lib"
[ "$(grep -c '{' "$work/second.lib")" = "$(grep -c '}' "$work/second.lib")" ] || echo "}" >> "$work/second.lib"
rows "$work/first.lib,$work/second.lib" "$work/two.rows"
case_ "two files are one library" 0 '^same$' sh -c 'cmp "$1" "$2" && echo same' - "$work/plain.rows" "$work/two.rows"
case_ "a cell in both" 2 'cell [A-Z0-9]* is in another file of the library, too' $one --liberty "$library,$work/second.lib"
sed -E 's/(nom_voltage|voltage) : [0-9.]+/\1 : 1.1/' "$work/second.lib" > "$work/cold.lib"
case_ "another corner in the second file" 2 'cold\.lib: process 1, 1\.1 V, 25 C; legal: process 1, 1\.8 V' $one --liberty "$work/first.lib,$work/cold.lib"
case_ "without a cell" 0 '^0$' sh -c '"$@" > /dev/null && { grep -c "NAND3X1 " "$0"/small2/logic/*/mshr/net.v || true; }' "$work" $estimate -c configs/base-s.conf --set MSHR_ENTRIES=2 --set MSHR_MERGES=2 --dont-use 'NAND3*' -o "$work/small2"
case_ "without all inverters" 2 'no inverter among its' $one --dont-use 'INV*'

# Tables of one entry in every section, with the power of their logic: arrays of one word, and nets
# with other names.
case_ "one of everything, with activity" 0 'one/report\.md' $estimate -c configs/base-s-mrpb.conf --set MRPB_QUEUES=1 --set MRPB_DEPTH=1 \
  --set MSHR_ENTRIES=1 --set MSHR_MERGES=1 --set PRT_ENTRIES=1 --set SMS=1 --kernel micro-lines-1 --cut 8 --activity-sm 0 -o "$work/one"
case_ "and its power" 0 '`mshr`, [a-z0-9_]*, base-s-mrpb \| [0-9.]*[1-9]' cat "$work/one/report.md"

# A folder of the cache whose result was lost (killed between two files, a full disk) is made anew.
for f in build/estimate/cache/queue_selector.*; do echo '{' > "$f/result.json"; done
case_ "a result that cannot be read" 0 'small/report\.md' $small

# ---- input ----
est="$mrpb estimate -c configs/base-s.conf -o $work/est"
[ -z "$liberty" ] || case_ "the default library is not there" 2 'osu018_stdcells\.lib: not there; .*--liberty FILE$' $est
case_ "no such Liberty file" 2 '/nowhere\.lib: cannot read: No such file' $est --liberty /nowhere.lib
case_ "not a Liberty file" 2 'README\.md:1: no .library' $est --liberty README.md
sed '/^ *cell (NAND2X1)/,/^ *cell (NAND3X1)/{/^ *cell (NAND3X1)/!d}' "$library" > "$work/no_nand.lib"
case_ "no NAND2 in it" 2 'no 2-input NAND among its [1-9][0-9]* cells' $est --liberty "$work/no_nand.lib"
head -n $(($(wc -l < "$library") / 3)) "$library" > "$work/half.lib"
case_ "half a file" 2 'half\.lib:[0-9]+: (the file ends inside a group|arguments without an end)' $est --liberty "$work/half.lib"
case_ "clock" 2 '--clock 0: legal: above 0' $est --clock 0
[ ! -e "$work/est/report.md" ] || { failed=$((failed + 1)); echo "FAILED: a report without its logic"; }

# ---- tools ----
mkdir "$work/bin"
tool() { # tool NAME BODY: a fake tool, found before the real one
  rm -f "$work/bin"/*
  printf '#!/bin/sh\n%s\n' "$2" > "$work/bin/$1"
  chmod +x "$work/bin/$1"
}
with="env PATH=$work/bin:$PATH"
tool sta 'echo 1.9.0'
case_ "OpenSTA too old" 2 'sta 1\.9\.0: too old; needed: 2\.0\.17 or later' $with $check
tool yosys 'echo "Yosys 0.9 (git sha1 1979e0b)"'
case_ "Yosys too old" 2 'yosys 0\.9 .*: too old; needed: 0\.23' $with $check
tool yosys 'exit 3'
case_ "a Yosys that fails at once" 2 'yosys: ended with exit code 3' $with $check
tool berkeley-abc 'echo hello'
case_ "no version" 2 'berkeley-abc: .* does not say a version' $with $check
case_ "no tool at all" 2 'yosys: not found; install the package yosys' env PATH=/nowhere $check

# Errors of tools that exit with 0. The recorded hash of the tool would be stale first, so a new
# file is recorded.
echo '{"modules": [{"module": "queue_selector", "netlists": 1, "parameters": {"QUEUES": 5}}]}' > "$work/new.json"
record="$estimate --record $work/new.json"
tool sta 'case $* in *version*) echo 2.0.17;; *fo4.tcl*) exec /usr/bin/sta "$@";; *) echo "Error: net.v line 3, syntax error";; esac'
case_ "an error of OpenSTA with exit status 0" 2 'sta: Error: net\.v line 3, syntax error' $with $record
tool sta 'case $* in *version*) echo 2.0.17;; *fo4.tcl*) exec /usr/bin/sta "$@";; esac'
case_ "an OpenSTA that says nothing" 2 'sta: ended with exit code 0 before its end' $with $record
tool yosys 'case $* in -V) exec /usr/bin/yosys -V;; esac'
case_ "a Yosys that does nothing" 2 'yosys: ended without an error and without a netlist' $with $record

# A memory whose shape differs from the registers' list is not a macro, and is not turned into
# flip-flops silently either.
sed -i 's/reg \[WIDTH-1:0\]  mem_q \[0:WORDS-1\]/(* mem2reg *) &/' "$work/rtl/sram_1r1w.v"
echo '{"modules": [{"module": "fifo_bank", "netlists": 1, "parameters": {"QUEUES": 3, "DEPTH": 2, "DATA_W": 4}}]}' > "$work/new.json"
case_ "an SRAM that is none" 2 'u_mem.mem_q of the Verilog is no memory of 6 words x 4 bits' $record --rtl "$work/rtl"


# Without the register behind its read, the array is another memory, and the storage table is wrong.
cp rtl/*.v "$work/rtl"
sed -i 's/assign rdata = .*/assign rdata = mem_q[raddr_i];/' "$work/rtl/sram_1r1w.v"
case_ "an SRAM that is read without a clock" 2 'u_mem.mem_q of the Verilog is read without a clock; the tables of storage say SRAM' $record --rtl "$work/rtl"

echo "estimate: $passed passed, $failed failed"
[ "$failed" = 0 ]
