#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `--json -` of every command that has --json: standard output holds JSON and nothing else, the same
# as the file; text for people goes to standard error. Also checks the JSON of cosim.
#   [MRPB=build/mrpb] tests/cli/json.sh
set -u
cd "$(dirname "$0")/../.."
mrpb=${MRPB:-build/mrpb}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/case.sh

# A short call of each command. A command that has --json and is missing here fails.
declare -A call=(
  [run]="run -c configs/base-s.conf --kernel micro-chain-l1 --cut 4"
  [dram]="dram --pattern stream --requests 64"
  [micro]="micro release -c configs/h200.conf -o $work/plots"
  [config]="config diff configs/base-s.conf configs/base-l.conf"
  [report]="report"
  [cosim]="cosim queue_selector --cycles 1000"
  [upset]="upset drain_selector --set QUEUES=3 --set DEPTH=2 --moments 2 --cycles 50"
  [streams]="streams tests/verify/streams/elastic.v --map tests/verify/streams/elastic.map --ref tests/verify/streams/fifo.v --ref-map tests/verify/streams/fifo.map --hold fault_i=8"
)
for c in $("$mrpb" help | sed -nE 's/^  ([a-z-]+) .*/\1/p'); do
  "$mrpb" help "$c" | grep -q -- '^  --json' || continue
  [ -n "${call[$c]-}" ] || { case_ "$c has --json: no call of it here" 0 . false; continue; }
  words=(${call[$c]})
  "$mrpb" "${words[@]}" --json "$work/file.json" > "$work/people" 2>&1
  status=$?
  "$mrpb" "${words[@]}" --json - > "$work/out" 2> "$work/err"
  true_ "$c: the same exit code" test $? = "$status" -a "$status" -le 1
  true_ "$c: JSON and nothing else" python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["mrpb_version"]' "$work/out"
  true_ "$c: as the file" cmp -s "$work/out" "$work/file.json"
  true_ "$c: the rest on standard error" cmp -s "$work/err" <(grep -v "^wrote $work/file.json" "$work/people")
  "$mrpb" "${words[@]}" --json - > "$work/stream.json" 2> /dev/null # standard output is a file: no other name for it
  true_ "$c: into a file" cmp -s "$work/stream.json" "$work/file.json"
  [ -e ./- ] && true_ "$c: a file called -" false
  case_ "$c: a full disk" 2 'cannot be written' bash -c '"$@" --json - > /dev/full' _ "$mrpb" "${words[@]}"
done
true_ "some were tried" test "$passed" -ge 36
case_ "an error leaves it empty" 2 '^mrpb run: .*MSHR_ENTRIE' "$mrpb" run -c configs/base-s.conf --set MSHR_ENTRIE=4 --json -
"$mrpb" run -c configs/base-s.conf --set MSHR_ENTRIE=4 --json - > "$work/out" 2> /dev/null
true_ "really empty" test ! -s "$work/out"

# ---- the JSON of cosim ----
says() { # says NAME PYTHON: an expression over the runs r[0], r[1], ... in $work/c.json
  true_ "cosim: $1" python3 -c "import json, sys; r = json.load(open(sys.argv[1]))['runs']; assert $2, r" "$work/c.json"
}
size="--set ENTRIES=2 --set MERGES=2 --set ADDR_W=3 --set DATA_W=2"
"$mrpb" cosim mshr $size --cycles 1000 --record "$work/r.vec" --json "$work/c.json" > "$work/out" 2>&1
says "one run" 'len(r) == 1 and r[0]["module"] == "mshr" and r[0]["parameters"] == {"ENTRIES": 2, "MERGES": 2, "ADDR_W": 3, "DATA_W": 2, "STORES": 0, "READ_REG": 0, "PARITY": 0}'
says "what it compared" 'r[0]["verdict"] == "matched" and r[0]["cycles"] == 1000 and r[0]["seed"] == 1 and r[0]["witnesses"] == ["c", "verilator"]'
says "of how many" '(r[0]["outputs"], r[0]["of_outputs"], r[0]["registers"], r[0]["of_registers"]) == (14, 14, 14, 14) and r[0]["assumptions"] == []'
"$mrpb" cosim --replay "$work/r.vec" --with c,verilator,icarus --json "$work/c.json" > "$work/out" 2>&1
says "pairs" '[(p["witnesses"], p["matched"], p["cycles"]) for p in r[0]["pairs"]] == [(["c", "verilator"], True, 1004), (["c", "icarus"], True, 1004), (["verilator", "icarus"], True, 1004)]'
# A wrong count: the first difference, and the kept case.
cp -r rtl "$work/rtl"
sed 's/assign count_o *= *count_q;/assign count_o = count_q ^ 1;/' rtl/mshr.v > "$work/rtl/mshr.v"
true_ "the error is planted" bash -c '! cmp -s "$1" "$2"' _ rtl/mshr.v "$work/rtl/mshr.v"
"$mrpb" cosim mshr $size --cycles 1000 --rtl "$work/rtl" --regress "$work/cases" --json "$work/c.json" > "$work/out" 2>&1
true_ "a difference is exit 1" test $? = 1
says "where it differs" 'r[0]["verdict"] == "different" and r[0]["difference"]["kind"] == "output" and r[0]["difference"]["name"] == "count_o"'
says "both values" 'int(r[0]["difference"]["c"], 16) ^ int(r[0]["difference"]["rtl"], 16) == 1'
says "the case that is kept" '__import__("os").path.exists(r[0]["kept"])'
"$mrpb" cosim mshr $size --vcd-in nothing.vcd --json "$work/none.json" > "$work/out" 2>&1
true_ "wrong input writes nothing" test $? = 2 -a ! -e "$work/none.json"
case_ "not of a matrix" 2 '--json needs a run' "$mrpb" cosim --matrix tests/cosim/quick.txt --json -

echo "json: $passed passed, $failed failed"
[ "$failed" = 0 ]
