#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# mrpb align and mrpb run --requests: runs of both kinds of cores, a wave and a run, a drift that is
# written into a file, wrong input (docs/align.md). The planted drifts are in tests/verify/test_align.c.
set -u
cd "$(dirname "$0")/../../.." || exit 1
mrpb=${MRPB:-build/mrpb} here=tests/verify/align
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/case.sh
gather=(--ptx docs/examples/ptx/gather.ptx --kernel gather --grid 16 --block 128 --arg buf:65536 --arg buf:65536:rand --arg buf:65536:iota --arg 16384)
recorded() { # recorded NAME CONFIG OPTION...: the requests of a run
  "$mrpb" run -c "configs/$2.conf" "${gather[@]}" --requests "$work/$1.csv" "${@:3}" > "$work/$1.txt"
}
align() { "$mrpb" align "$@"; }

# ---- a run: every line of a load or store is a request, and recording changes nothing -------------------
lines=$(recorded a base-s && awk -F, '!/^[#w]/' "$work/a.csv" | wc -l)
for config in base-s base-s-mrpb k20 h100; do
  "$mrpb" run -c configs/$config.conf "${gather[@]}" > "$work/plain.txt"
  recorded $config $config
  true_ "$config: the report is the same" cmp "$work/plain.txt" "$work/$config.txt"
  true_ "$config: as many requests" test "$(awk -F, '!/^[#w]/' "$work/$config.csv" | wc -l)" = "$lines"
  true_ "$config: each has an answer" test "$(grep -c ',-,' "$work/$config.csv")" = 0
  case_ "$config: aligned with itself" 0 "^aligned: $lines pairs of requests, 0 differ\$" align "$work/$config.csv" "$work/$config.csv"
done
recorded bypass base-s-mrpb --set MSHR_ENTRIES=2 --set MRPB_BYPASS=all
true_ "some bypass" grep -q ',bypass,' "$work/bypass.csv"
true_ "and have their answers" test "$(grep -c ',-,' "$work/bypass.csv")" = 0
true_ "loads as the run counts them" test "$(grep -vcE '^#|^who|,store,' "$work/a.csv")" = "$("$mrpb" run -c configs/base-s.conf "${gather[@]}" --json - 2> /dev/null | jq '[.kernels[].l1d | .hits + .misses + .pending_hits] | add')"

# Each of 64 warps stores one line. Pipeline cores wait for the L2, which is more than 100 cycles away;
# in-order cores for nobody.
for config in base-s base-s-mrpb k20 h100; do
  true_ "$config: 64 stores" test "$(grep -c ',store,' "$work/$config.csv")" = 64
done
true_ "acknowledged by the L2" test "$(awk -F, '$3 == "store" && $5 - $4 < 100' "$work/base-s.csv" | wc -l)" = 0
true_ "done at once" test "$(awk -F, '$3 == "store" && $5 != $4 + $6' "$work/k20.csv" | wc -l)" = 0

# ---- another latency of the L2: the first request that begins equal and ends later -------------
recorded slow base-s --set L2_ROP_LATENCY=127
case_ "a slower L2" 1 '^DIFFERENT: ' align "$work/a.csv" "$work/slow.csv"
true_ "something is first" grep -qE '^  first       [0-9.]+ 0x[0-9a-f]+: ' "$work/out"
recorded k20-fast k20 --set L2_LATENCY=$(($(sed -n 's/^L2_LATENCY *= *\([0-9]*\).*/\1/p' configs/k20.conf) - 3))
case_ "a faster L2 on in-order cores" 1 '^  first       [0-9.]+ 0x[0-9a-f]+: answered [0-9]+ cycles? (earlier|later)$' align "$work/k20.csv" "$work/k20-fast.csv"

# ---- a drift that is written into a file -----------------------------------------------------
row=$(($(wc -l < "$work/a.csv") / 2))
awk -F, -v OFS=, -v row=$row 'NR == row { $5 += 4 } { print }' "$work/a.csv" > "$work/late.csv"
who=$(sed -n "${row}s/,.*//p" "$work/a.csv") address=$(sed -n "${row}s/^[^,]*,\([^,]*\),.*/\1/p" "$work/a.csv")
case_ "four cycles" 1 "^  first       $who $address: answered 4 cycles later\$" align "$work/a.csv" "$work/late.csv"
true_ "one differs" grep -q "^DIFFERENT: $lines pairs of requests, 1 differ\$" "$work/out"
true_ "what the structures held" grep -qE '^  held        b: mshr [0-9]+, prt 0, miss_queue [0-9]+, mrpb 0$' "$work/out"
true_ "in flight" grep -qE '^  in flight   a: [0-9.]+ 0x[0-9a-f]+ [a-z]+, since cycle [0-9]+$' "$work/out"
true_ "the histogram" test "$(awk '/latency by kind/ { on = 1; next } on { n += $(NF - 13); later += $(NF - 10) } END { print n, later }' "$work/out")" = "$lines 1"
sed '1,2!s/^[^,]*,/-,/' "$work/late.csv" > "$work/nobody.csv"
case_ "nobody is known: in one order" 1 "^DIFFERENT: $lines pairs of requests, 1 differ\$" align "$work/a.csv" "$work/nobody.csv"
sed "$((row - 2)),$((row - 1))d" "$work/a.csv" > "$work/lost.csv"
case_ "two are missing" 1 'late.csv: |lost.csv: [0-9]+ requests, 0 of them without a partner$' align "$work/a.csv" "$work/lost.csv"
true_ "they have no partner" grep -q "a.csv: $lines requests, 2 of them without a partner" "$work/out"
true_ "the first of them is named" grep -qE "^  first       $(sed -n "$((row - 2)),$((row - 1))p" "$work/a.csv" | sort -t, -sk4,4n | awk -F, 'NR == 1 { print $1, $2 }'): in a only\$" "$work/out"
awk -F, -v OFS=, -v row=$row 'NR == row { $5 = "-" } { print }' "$work/a.csv" > "$work/never.csv"
case_ "one is never answered" 1 "^  first       $who $address: answered in b only\$" align "$work/never.csv" "$work/a.csv"
true_ "and nothing else" grep -q "^DIFFERENT: $lines pairs of requests, 1 differ\$" "$work/out"
sed 's/,[0-9]*\(,[0-9]*,[0-9]*,[0-9]*,[0-9]*,[0-9]*\)$/,-\1/' "$work/a.csv" > "$work/unknown.csv"
case_ "answers that a side does not know" 0 "^aligned: $lines pairs" align "$work/a.csv" "$work/unknown.csv"
sed 's/$/\r/' "$work/a.csv" > "$work/crlf.csv"
case_ "lines that end with a carriage return" 0 "^aligned: $lines pairs" align "$work/a.csv" "$work/crlf.csv"
awk -F, -v OFS=, 'NR > 2 { $4 += 100; $5 += 100 } { print }' "$work/a.csv" > "$work/shifted.csv"
case_ "shifted" 0 '^aligned: ' align "$work/a.csv" "$work/shifted.csv" --shift -100
case_ "only some kinds" 0 '^aligned: 1?[0-9]+ pairs' align "$work/a.csv" "$work/a.csv" --kinds merge,hit
true_ "no miss among them" test "$(grep -cE '^  miss ' "$work/out")" = 0

# ---- a wave and a run -------------------------------------------------------------------------
recorded wave base-s --vcd "$work/run.vcd" --vcd-sm 1
awk -F, '/^[#w]/ || $1 ~ /^1\./' "$work/wave.csv" > "$work/sm1.csv"
misses=$(grep -cE ',(miss|merge),' "$work/sm1.csv")
case_ "a wave and a run" 0 "^aligned: $misses pairs of requests, 0 differ$" align "$work/run.vcd" "$work/sm1.csv" --map $here/mshr.map --kinds miss,merge --accepted
case_ "the same of one SM among all" 0 "^aligned: $misses pairs of requests, 0 differ$" align "$work/wave.csv" "$work/run.vcd" --map $here/mshr.map --who 1. --kinds miss,merge --accepted
awk -F, -v OFS=, '$3 == "merge" && !done { $3 = "miss"; done = 1 } { print }' "$work/sm1.csv" > "$work/other.csv"
case_ "a merge that is called a miss" 1 '^  first       - 0x[0-9a-f]+: a merge, there a miss$' align "$work/run.vcd" "$work/other.csv" --map $here/mshr.map --kinds miss,merge --accepted
strict=1 case_ "a wave without a map" 2 'run.vcd: no file of requests; legal: ' align "$work/run.vcd" "$work/sm1.csv"
sed 's/mshr.req_valid_i/mshr.req_walid_i/' $here/mshr.map > "$work/bad.map"
strict=1 case_ "a name that the wave has not" 2 "bad.map: no scope has all names: '" align "$work/run.vcd" "$work/sm1.csv" --map "$work/bad.map"
sed '/^stream answer/d' $here/mshr.map > "$work/bad.map"
strict=1 case_ "no answers" 2 'bad.map: legal: a clock, and two streams' align "$work/run.vcd" "$work/sm1.csv" --map "$work/bad.map"
strict=1 case_ "no such scope" 2 "no scope 'top.x'" align "$work/run.vcd" "$work/sm1.csv" --map $here/mshr.map --scope top.x

# ---- what is refused --------------------------------------------------------------------------
bad() { # bad NAME PATTERN LINE...: a file of requests with these lines
  printf '%s\n' '# mrpb-requests 1' "${@:3}" > "$work/bad.csv"
  strict=1 case_ "$1" 2 "$2" align "$work/bad.csv" "$work/a.csv"
}
names=who,address,kind,begin,end,waited
bad "no request" 'bad.csv: no request' "$names"
bad "no column" 'bad.csv:2: no column waited; legal: ' who,address,kind,begin,end
bad "a column again" 'bad.csv:2: column who again' "$names,who"
bad "too few" 'bad.csv:3: 5 columns; legal: 6' "$names" 0,1,hit,4,5
bad "too many" 'bad.csv:3: more than 6 columns' "$names" 0,1,hit,4,5,0,7
bad "no number" "bad.csv:3: begin 'x'; legal: a number" "$names" 0,1,hit,x,5,0
bad "an end before its begin" 'bad.csv:3: it ends in cycle 3, before it begins' "$names" 0,1,hit,4,3,0
bad "it waited too long" 'bad.csv:3: it waited 9 cycles of 1' "$names" 0,1,hit,4,5,9
bad "not in order" 'bad.csv:4: accepted in cycle 7, after one of 0 in cycle 9; legal: in the order' "$names" 0,1,hit,4,12,5 0,2,hit,7,9,0
bad "a level above 32 bits" 'bad.csv:3: mshr 4294967296; legal: up to 4294967295' "$names,mshr" 0,1,hit,4,5,0,4294967296
printf '# mrpb-requests 1\n%s\n0,1,hit,4,5,0\n0,2,hi' "$names" > "$work/cut.csv"
strict=1 case_ "cut off" 2 'cut.csv:4: the last line is cut off' align "$work/cut.csv" "$work/a.csv"
bad "nothing in common" 'no request of one is in the other' "$names" 0.0.0,nowhere,hit,4,5,0
strict=1 case_ "one file" 2 '1 files; legal: two' align "$work/a.csv"
strict=1 case_ "no such file" 2 'nowhere.csv: ' align "$work/nowhere.csv" "$work/a.csv"
strict=1 case_ "without timing" 2 'requests .*need the memory path' "$mrpb" run "${gather[@]}" --functional --requests "$work/x.csv"
true_ "no file is left" test ! -e "$work/x.csv" -a ! -e "$work/x.csv.part"
echo "align: $passed passed, $failed failed"
[ "$failed" = 0 ]
