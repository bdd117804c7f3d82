#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mrpb streams: modules that send the same at other times match; planted faults of order, loss,
# doubling and payload are found and named; wrong maps are refused (docs/verify/streams.md).
set -u
cd "$(dirname "$0")/../../.." || exit 1
mrpb=${MRPB:-build/mrpb} here=tests/verify/streams
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/case.sh
fifo=($mrpb streams $here/elastic.v --map $here/elastic.map --ref $here/fifo.v --ref-map $here/fifo.map)
mshr=($mrpb streams $here/slow_mshr.v rtl/mshr.v rtl/one_hot_encoder.v rtl/priority_encoder.v --map $here/slow_mshr.map
  --set ENTRIES=4 --set MERGES=3 --set ADDR_W=6 --set DATA_W=8)

case_ "a FIFO two cycles later" 0 '^matched 10[0-9]{4} cycles, elastic and fifo, 2 streams' "${fifo[@]}"
true_ "in order" grep -qE '^  stream      out: [0-9]{5} items compared in order, later than fifo by -?[0-9]+ / -?[0-9.]+ / [0-9]+ cycles' "$work/out"
true_ "its latency is two cycles more at least" grep -qE '^  latency     out after in: fifo 1 / .*, elastic 3 / ' "$work/out"
true_ "what is left out" grep -q '^  left out    outputs level$' "$work/out"
case_ "another seed" 0 '^matched .* seed 7$' "${fifo[@]}" --seed 7 --cycles 30000
case_ "our MSHR with random extra latency" 0 '^matched .* slow_mshr and mshr in C, 3 streams' "${mshr[@]}"
true_ "by tag" grep -qE '^  stream      answer: [0-9]{4,} items compared by tag, later than mshr in C by ' "$work/out"
true_ "lines are answers" grep -qE '^  stream      line: [0-9]{4,} items taken, each an answer$' "$work/out"

while read -r number kind what; do
  case $number in "#"*) continue ;; esac
  run=("${fifo[@]}" --hold fault_i=$number)
  [ "$number" -lt 15 ] || run=("${mshr[@]}" --hold store_addr_i=$number)
  case_ "fault $number: $what" 1 "^MISMATCH (elastic|slow_mshr), stream (out|answer), item [0-9]+: ${kind/_/ }\$" "${run[@]}" --no-shrink
done < $here/faults.txt
case_ "what was expected, what came, and when" 1 '^  expected    0x[0-9a-f]{3}, as fifo in cycle [0-9]+$' "${fifo[@]}" --hold fault_i=8
true_ "what came" grep -qE '^  came        0x[0-9a-f]{3} from elastic in cycle [0-9]+$' "$work/out"
true_ "the command again" grep -qE '^  repeat      .* streams .* --hold fault_i=8 --seed 1 --cycles 100000$' "$work/out"
case_ "doubled: which one again" 1 'which is item [0-9]+ again \(cycle [0-9]+\)$' "${fifo[@]}" --hold fault_i=4

# Shortened. Fault 8 needs the value 0x5a, which leaves three cycles after it has entered; fault 1 the
# item number 37, fault 4 number 20, from 0 on. The first 4 cycles are the reset.
case_ "one item" 1 '^  shortened   [0-9]+ items in [0-9]+ cycles to 1 in 0, in [0-9]+ runs$' "${fifo[@]}" --hold fault_i=8 --vcd "$work/short.vcd" --json "$work/short.json"
true_ "what passes" grep -qE '^ {15}4  fifo: in 0x[01]5a \| elastic: in 0x[01]5a$' "$work/out"
true_ "where it breaks" grep -qE '^  -> {11}7  fifo: - \| elastic: out 0x[01]5b$' "$work/out"
true_ "its wave" test "$(awk '/^\$var.* mismatch /{ id = $4 } /^#/{ t = $1 } $0 == "1" id { print t }' "$work/short.vcd")" = "#70"
true_ "both sides are in it" test "$(grep -cE '^\$scope module (reference|design) ' "$work/short.vcd")" = 2
true_ "and a save file" test -s "$work/short.gtkw"
true_ "and JSON" test "$(jq -c '[.matched, .mismatch.kind, .mismatch.stream, .shorter.items, .shorter.cycles, .shorter.mismatch.came_cycle]' "$work/short.json")" = '[false,"payload","out",1,0,7]'
case_ "38 items" 1 '^  shortened   .* cycles to 38 in 0, in ' "${fifo[@]}" --hold fault_i=1
case_ "21 items" 1 '^  shortened   .* cycles to 21 in 0, in ' "${fifo[@]}" --hold fault_i=4
case_ "a stall of sixteen cycles, and a turned order" 1 '^  shortened   .* to 5 in 18, in ' "${fifo[@]}" --hold fault_i=7
true_ "the same mismatch" grep -qE '^  expected    0x[01]03, as fifo in cycle [0-9]+$' "$work/out"
strict=1 case_ "a wave of nothing" 2 'vcd shows the shortened mismatch; legal: without --no-shrink' "${fifo[@]}" --no-shrink --vcd "$work/x.vcd"

# A bound on the latency.
bound() { sed "s/latency=measured/latency=$1/" $here/elastic.map > "$work/bound.map"; }
bounded() { "$mrpb" streams $here/elastic.v --map "$work/bound.map" --ref $here/fifo.v --ref-map $here/fifo.map; }
bound 40
case_ "within a bound" 0 'in order, each at most 40 cycles late$' bounded
bound 1
case_ "two cycles are more than one" 1 '^MISMATCH elastic, stream out, item [0-9]+: late$' bounded

# What is refused.
refused() { # refused NAME PATTERN LINE...: the map of the elastic FIFO with other lines
  { grep -v '^stream' $here/elastic.map; printf '%s\n' "${@:3}"; } > "$work/x.map"
  strict=1 case_ "$1" 2 "$2" "$mrpb" streams $here/elastic.v --map "$work/x.map" --ref $here/fifo.v --ref-map $here/fifo.map
}
in='stream in valid=push ready=!full payload=word' out='stream out valid=empty_n ready=pop payload=out'
refused "no stream that leaves" 'no stream that leaves, so nothing to compare' "$in"
refused "another width" 'x.map:5: stream out: leaves, payload of 5 bits, tag of 0; in the other map leaves, 9, 0' "$in" "${out%out}level"
refused "another name" "3 streams, the other map 2|2 streams, the other map 2 with a 'in'" "${in/stream in/stream enter}" "$out"
refused "no such port" "x.map:4: 'pusch' is no port that streams can use; nearest: push" "${in/push/pusch}" "$out"
refused "without valid" 'x.map:5: valid= is missing; legal: stream NAME' "$in" 'stream out payload=out'
refused "an unknown key" "x.map:5: 'redy'; legal: stream NAME" "$in" "${out/ready/redy}"
refused "a ready that is an output" "x.map:5: 'out' leaves, so its ready is an input" "$in" "${out/=pop/=full}"
refused "of a stream that leaves" 'x.map:5: of=out: legal: a stream that enters' "$in" "$out of=out"
refused "a latency that is no number" 'x.map:5: latency=soon; legal: ' "$in" "$out latency=soon"
refused "assume" 'x.map:6: assume, late, when, after compare cycles' "$in" "$out" 'assume in_i == 0'
refused "served, but it leaves" 'x.map:6: serve out: legal: a stream that enters' "$in" "$out" 'serve out when push'
strict=1 case_ "no reference" 2 'which reference\? legal: a line `module OURS`' "$mrpb" streams $here/elastic.v --map $here/elastic.map
strict=1 case_ "no map" 2 'which streams\? legal: --map FILE' "$mrpb" streams $here/elastic.v
strict=1 case_ "held, but in a stream" 2 'hold push=1: legal: an input that no stream uses' "${fifo[@]}" --hold push=1
strict=1 case_ "too large to hold" 2 'hold fault_i=32: legal: 0 to 31' "${fifo[@]}" --hold fault_i=32
strict=1 case_ "no such input" 2 'hold fault=3: no such input' "${fifo[@]}" --hold fault=3
strict=1 case_ "lockstep of streams" 2 'slow_mshr.map:6: a stream has no cycles to compare; legal: in a map for `mrpb streams`' \
  "$mrpb" cosim mshr $here/slow_mshr.v rtl/mshr.v rtl/one_hot_encoder.v rtl/priority_encoder.v --map $here/slow_mshr.map --cycles 100
for map in elastic fifo; do sed '/^stream out/s/valid=\([a-z_]*\)/valid=(\1 \&\& !\1)/' $here/$map.map > "$work/$map.map"; done
strict=1 case_ "nothing passes" 2 'stream out: no item passed, so nothing was compared' "$mrpb" streams $here/elastic.v --map "$work/elastic.map" \
  --ref $here/fifo.v --ref-map "$work/fifo.map" --cycles 3000

# `after`: a bank that shows ones until it has been read, where ours shows zeros.
sed 's/^module fifo_bank /module my_bank /; s/^  assign deq_data_o = rdata;/  reg read;\
  always @(posedge clk_i) read <= srst_ni \&\& (read || deq_valid_i \&\& deq_ready_o);\
  assign deq_data_o = read ? rdata : {DATA_W{1'"'b1"'}};/' rtl/fifo_bank.v > "$work/my_bank.v"
printf '%s\n' 'module fifo_bank' 'top my_bank' 'after deq_valid_i && deq_ready_o : deq_data_o' > "$work/after.map"
sed '/^after/d' "$work/after.map" > "$work/always.map"
bank() { "$mrpb" "$1" fifo_bank "$work/my_bank.v" rtl/sram_split.v rtl/sram_1rw.v rtl/sram_1r1w.v rtl/sram_code.v --map "$work/$2.map" --set QUEUES=3 --set DEPTH=2 --set DATA_W=4 --lint off "${@:3}"; }
case_ "before the first read" 1 '^MISMATCH fifo_bank, cycle [0-9]+, outputs' bank cosim always --cycles 20000 --no-shrink
case_ "after the first read" 0 '^matched 20000 cycles, fifo_bank .*, 6 of 6 outputs' bank cosim after --cycles 20000
true_ "assumed" grep -qE '^  assuming    deq_data_o: looked at only after deq_valid_i && deq_ready_o \([0-9]+ cycles\)$' "$work/out"
strict=1 case_ "a proof begins anywhere" 2 'after.map:3: after: legal: in a run' bank prove after
echo "streams: $passed passed, $failed failed"
[ "$failed" = 0 ]
