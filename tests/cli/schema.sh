#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `mrpb help-json`: the schema is valid, and every kind of JSON file that commands write matches it
# (schema.py).
#   [MRPB=build/mrpb] tests/cli/schema.sh
set -u
cd "$(dirname "$0")/../.."
mrpb=${MRPB:-build/mrpb}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/case.sh
. tests/estimate/library.sh
made=() # KIND=FILE

write() { # write KIND EXIT COMMAND...: the command writes the file @
  local kind=$1 code=$2 file=$work/${#made[@]}.json
  shift 2
  "${@//@/$file}" > "$work/out" 2> "$work/err"
  true_ "$kind: $*" test $? = "$code" -a -s "$file"
  made+=("$kind=$file")
}
size=(--set ENTRIES=2 --set MERGES=2 --set ADDR_W=3 --set DATA_W=2)
write run 0 "$mrpb" run -c configs/base-s.conf --launch docs/examples/ptx/histogram.launch --by-pc "$work/pc.csv" --by-buffer "$work/buffer.csv" --json @
write run 0 "$mrpb" run -c configs/base-s-mrpb.conf --launch tests/data/stale.launch --check --interval 500 --maps --interval-stacks "$work/stacks.csv" --by-pc "$work/pc.csv" --by-buffer "$work/buffer.csv" --json @
write run 0 "$mrpb" run -c configs/base-s.conf --kernel micro-chain-l1 --cut 4 --impl mshr=both --json @
write run_in_order 0 "$mrpb" run -c configs/h200.conf --kernel atax --cut 2 --json @
write run_in_order 0 "$mrpb" run -c configs/h200.conf --set MRPB=1 --kernel atax --cut 2 --interval 500 --profile --json @
write run_in_order 0 "$mrpb" run -c configs/h200.conf --launch docs/examples/ptx/histogram.launch --by-pc "$work/pc.csv" --json @
write run_in_order 0 "$mrpb" run -c configs/m2070.conf --kernel micro-chain-l1 --cut 4 --impl mshr=both --json @
printf 'include base-s\ninclude h200\nMEMORY = flits\nSMS = 8\nCLUSTER = 8\n' > "$work/flits.conf"
printf 'include h200\ninclude base-s-mrpb\nCORE = pipeline\nMEMORY = ports\nCLUSTER = 7\n' > "$work/ports.conf"
write run_in_order_flits 0 "$mrpb" run -c "$work/flits.conf" --launch docs/examples/ptx/histogram.launch --check --interval 500 --interval-stacks "$work/stacks.csv" --by-pc "$work/pc.csv" --by-buffer "$work/buffer.csv" --json @
write run_in_order_flits 0 "$mrpb" run -c "$work/flits.conf" --set MRPB=1 --kernel atax --cut 2 --impl prt=both --interval 500 --profile --json @
write run_ports 0 "$mrpb" run -c "$work/ports.conf" --kernel atax --cut 2 --check --interval 500 --profile --json @
write run_ports 0 "$mrpb" run -c "$work/ports.conf" --set MRPB=0 --launch docs/examples/ptx/histogram.launch --impl mshr=both --by-pc "$work/pc.csv" --json @
sed '/^buffer y/a loose y' docs/examples/ptx/saxpy.launch > "$work/loose.launch"
cp docs/examples/ptx/saxpy.ptx "$work"
LD_LIBRARY_PATH=build/fake write run_gpu 0 "$mrpb" run --gpu --launch "$work/loose.launch" --json @
"$mrpb" run -c configs/base-s-mrpb.conf --kernel micro-chain-l1 --cut 4 --activity "$work/act" > /dev/null
made+=("activity=$work/act/activity.json")
write dram 0 "$mrpb" dram --pattern stream --requests 64 --json @
write dram 0 "$mrpb" dram tests/fuzz/corpus/dram/dramsim3.trace --json @
write micro 0 "$mrpb" micro release -c configs/h200.conf -o "$work/plots" --json @
write micro 0 "$mrpb" micro registers -c configs/gtx280.conf -o "$work/plots" --json @
write config 1 "$mrpb" config diff base-s base-s-mrpb --json @
write config 0 "$mrpb" config diff base-s base-s --json @
write cosim 0 "$mrpb" cosim queue_selector mshr --cycles 1000 --record "$work" --json @
made+=("vectors=$work/mshr.json")
write cosim 0 "$mrpb" cosim --replay "$work/mshr.vec" --with c,verilator,icarus --json @
# A wrong table, and one that Verilator stops.
cp -r rtl "$work/rtl"
sed 's/assign count_o *= *count_q;/assign count_o = count_q ^ 1;/' rtl/mshr.v > "$work/rtl/mshr.v"
write cosim 1 "$mrpb" cosim mshr "${size[@]}" --cycles 1000 --rtl "$work/rtl" --regress "$work/cases" --json @
made+=("vectors=$(ls "$work"/cases/*.json)")
write cosim 1 "$mrpb" cosim --replay "$(ls "$work"/cases/*.vec)" --rtl "$work/rtl" --json @
sed 's/^endmodule/always @(posedge clk_i) if (count_o != 0) $stop;\n&/' rtl/mshr.v > "$work/rtl/mshr.v"
write cosim 1 "$mrpb" cosim mshr "${size[@]}" --cycles 1000 --rtl "$work/rtl" --regress "$work/cases2" --json @
"$mrpb" cosim mshr "${size[@]}" --cycles 100 --vcd "$work/wave.vcd" > /dev/null
write cosim 0 "$mrpb" cosim mshr "${size[@]}" --vcd-in "$work/wave.vcd" --json @
write cosim 0 "$mrpb" cosim mshr --set ENTRIES=4 --set MERGES=2 --set ADDR_W=5 --set DATA_W=3 --cycles 300 -f tests/verilog/design/plain_table.f \
  --map tests/verilog/design/plain_table.map --lint off --json @
streams=("$mrpb" streams tests/verify/streams/elastic.v --map tests/verify/streams/elastic.map --ref tests/verify/streams/fifo.v --ref-map tests/verify/streams/fifo.map)
write streams 0 "${streams[@]}" --cycles 3000 --json @
write streams 1 "${streams[@]}" --hold fault_i=8 --json @
sed 's/^  always @(posedge clk) begin/&\n    if (pop \&\& out == 9) $stop;/' tests/verify/streams/elastic.v > "$work/elastic.v"
write streams 1 "$mrpb" streams "$work/elastic.v" "${streams[@]:3}" --json @
write upset 0 "$mrpb" upset drain_selector --set QUEUES=3 --set DEPTH=2 --moments 2 --cycles 50 --json @
"$mrpb" sweep -c configs/base-s.conf --kernel micro-chain-l1 --cut 4 --vary MSHR_ENTRIES=2,4 --vary MRPB_POLICY=fixed,longest \
  --db "$work/s.db" > "$work/out" 2>&1
write sweep 0 "$mrpb" sweep -c configs/base-s.conf --kernel micro-chain-l1 --cut 4 --vary MSHR_ENTRIES=2,4,8 --vary MRPB_POLICY=fixed,longest \
  --db "$work/s.db" --export json --out @
"$mrpb" estimate --no-logic -c configs/base-s-mrpb.conf -o "$work/estimate" > /dev/null
made+=("estimate=$work/estimate/estimate.json")
# A program that answers for every array what CACTI 7.0 answers for a CAM; tables that are quick to
# synthesize.
mkdir "$work/cacti"
printf '#!/bin/sh\ncat << END\n%s\nEND\n' '---------- CACTI (version 7.0.3DD Prerelease of Aug, 2012), Uniform Cache Access SRAM Model
    Access time (ns): 0.124858
    Cycle time (ns):  0.0839964
    Total dynamic associative search energy per access (nJ): 0.00266224
    Total dynamic read energy per access (nJ): 0.000960517
    Total dynamic write energy per access (nJ): 0.00130973
    Total leakage power of a bank (mW): 0.54574
    Total gate leakage power of a bank (mW): 0.042523
    Cache height x width (mm): 0.0522564 x 0.0868954
	CAM search delay (ns): 0.282534' > "$work/cacti/cacti"
chmod +x "$work/cacti/cacti"
# shellcheck disable=SC2086
"$mrpb" estimate $liberty --energy -c configs/base-s-mrpb.conf --set MRPB_QUEUES=4 --set MRPB_DEPTH=2 --set MSHR_ENTRIES=4 --set MSHR_MERGES=2 \
  --set PRT_ENTRIES=2 --cacti "$work/cacti/cacti" --kernel micro-chain-l1 --cut 2 -o "$work/logic" > "$work/out" 2> "$work/err"
true_ "an estimate with logic, CACTI and activity" test $? = 0
made+=("estimate=$work/logic/estimate.json")
"$mrpb" run -c configs/base-s.conf --kernel atax --cut 1 --json "$work/shown.json" > /dev/null
write report 0 "$mrpb" report "$work/shown.json" --sweep "$work/s.db" --estimate "$work/estimate/estimate.json" --json @
"$mrpb" help-json > "$work/schema.json"
# What no short run shows: a range that a study has published or a configuration contains, an end of
# a range; C whose fast function differs from comb and edge; the alternatives of --study, ABC's own
# script; the banks of ports.
true_ "files as the schema says" python3 tests/cli/schema.py "$work/schema.json" "${made[@]}" \
  '-run_ports.maps.banks*' '-run_in_order.maps.banks*' '-micro.rows[].'{configured,published}.{from,to} '-cosim.runs[].difference.function' \
  '-estimate.sections.logic.libraries[].'{alternatives,longest_over_fixed,abc}'*' \
  '-estimate.sections.logic.libraries[].totals[].'{memories_mm2,all_mm2,l1_mm2}

case_ "of one command" 0 '"title": "mrpb run --gpu --json FILE"' "$mrpb" help-json run
true_ "and no other" test "$(grep -c '"title": "mrpb dram' "$work/out")" = 0
case_ "one that writes none" 2 "'prove': not a command that writes JSON; legal: run, dram, micro, config, cosim, upset, streams, sweep, estimate, report" "$mrpb" help-json prove
# A command with --json has a schema.
for c in $("$mrpb" help | sed -nE 's/^  ([a-z-]+) .*/\1/p'); do
  "$mrpb" help "$c" | grep -q -- '^  --json' || continue
  case_ "$c" 0 '"unit"' "$mrpb" help-json "$c"
done

echo "schema: $passed passed, $failed failed"
[ "$failed" = 0 ]
