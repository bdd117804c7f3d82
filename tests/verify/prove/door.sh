#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A design from elsewhere, with a map, proved and mutated: docs/verify/door.md. A proved design must
# be refuted when one of its lines is broken; what the map leaves open is not decided.
set -u
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
table=tests/verilog/design/plain_table
map=$table.map list=$table.f

. tests/tier.sh
. tests/case.sh
changed() { # changed FILE SED_COMMAND: a copy with the change, $work/FILE
  sed "$2" "$1" > "$work/$(basename "$1")"
  cmp -s "$1" "$work/$(basename "$1")" && { failed=$((failed + 1)); echo "FAILED: $2 does nothing to $1"; }
}
broken() { # broken SED_COMMAND: the table with one line changed
  changed $table.sv "$1"
  echo "$work/plain_table.sv" > "$work/list.f"
  list=$work/list.f
}
prove() { build/mrpb prove mshr --set ENTRIES=2 --set MERGES=2 --set ADDR_W=2 --set DATA_W=1 -f "$list" --map "$map" "$@"; }

case_ "all states" 0 '^proved mshr ENTRIES=2 .*, 10 of 14 outputs and 11 of 14 registers, ' prove
case_ "from a reset" 0 '^proved mshr .* for 6 cycles from a reset, 10 of 14 outputs and 0 of 14 registers, 12 of 47 bits: ' prove --depth 6
case_ "our own, from a reset" 0 '^proved fifo_bank .* for 5 cycles from a reset' \
  build/mrpb prove fifo_bank --set QUEUES=3 --set DEPTH=2 --set DATA_W=1 --depth 5

# ---- broken lines ----
broken 's/n_hit != READS/n_hit != READS - 1/'
some_ 2 "a list that is full too early" 1 'differs  cycle [0-9]: req_ready_o: C 1, Verilog 0' prove --depth 6
some_ 2 "the same in any state" 1 'differs  (req_|len_q)' prove
broken 's/fill \&\& !known};/fill};/'
some_ 2 "every fill is an error" 1 'differs  cycle [0-9]: fill_err_o: C 0, Verilog 1' prove --depth 6
broken 's/turn_n <= 0;//'
some_ 2 "no reset of a counter" 1 'differs  order_len_q after a reset' prove
broken 's/      turn_first <= next_line(turn_first, 1);//'
some_ 2 "a ring that does not turn" 1 'differs  order_head_q after the edge' prove
broken 's/always_ff @(posedge clk) if (!arst)/always_ff @(negedge clk) if (!arst)/'
some_ 2 "the other edge" 2 '' prove
list=$table.f

# ---- the map ----
changed $map '/ head_q/d'
map=$work/plain_table.map
some_ 2 "a register that no line names" 3 'no line of the map names 2 flip-flops of the design \(first' prove
some_ 2 "which nothing needs from a reset" 0 '^proved' prove --depth 4
changed $table.map 's/ready_q = filled/ready_q = !filled/'
some_ 2 "inverted, which it is not" 1 'differs  ready_q after' prove
changed $table.map 's/order_head_q = turn_first/order_head_q = leaver/'
some_ 2 "no register" 2 "plain_table.map:[0-9]+: 'leaver' is not a register" prove
changed $table.map 's/^late .*//'
some_ 2 "an output that is not late" 3 'flip-flops of the design \((answer|wake)' prove
map=$table.map
some_ 2 "of another module" 2 'is module mshr of ours; this is prt' build/mrpb prove prt -f $list --map <(cat $map; echo module mshr)
some_ 2 "what Yosys does not read" 2 'Yosys: tests/verilog/design/miss_table.sv:[0-9]+: ERROR: syntax error' \
  build/mrpb prove mshr -f tests/verilog/design/miss_table.f --map tests/verilog/design/miss_table.map
some_ 2 "the same for mutants" 2 'Yosys: tests/verilog/design/miss_table.sv:[0-9]+: ERROR: syntax error' \
  build/mrpb mutate mshr -f tests/verilog/design/miss_table.f --map tests/verilog/design/miss_table.map

# ---- properties ----
small="--set ENTRIES=2 --set MERGES=2 --set ADDR_W=2 --set DATA_W=1"
properties() { # shellcheck disable=SC2086
  build/mrpb properties mshr $small -f "$list" --map "$map" "$@"
}
some_ 2 "properties" 0 ' proved \(all cycles\) ' properties --depth 6
some_ 2 "which need a register" 0 'left out, for outputs and registers that the map leaves out: inv_shape inv_drain inv_line inv_read .* store_silent_without_hit$' properties --depth 3
some_ 2 "each situation is reached" 0 ' proved \(all cycles\) ' properties --depth 3 --cover 14
some_ 2 "some cycles" 0 ' holds to depth 6 ' properties --depth 6 --induction 0
some_ 2 "of outputs alone" 0 'left out, .* one_entry_per_line .* allocates_next_free$' properties --depth 3 --outputs-only
broken 's/n_hit != READS/n_hit != READS - 1/'
some_ 2 "a list that is full too early" 1 '^  fails   refuses_merge_iff_full, in cycle' properties --depth 6
some_ 2 "repeats" 1 "^  repeat  .* --depth [0-9]+ --induction 0 -f $work/list.f --map $table.map$" properties --depth 6
broken "s/reads\[at_hit\] <= n_hit + 1'b1/reads[at_hit] <= n_hit/"
some_ 2 "a merge that is not counted" 1 '^  fails   ' properties --depth 8 --outputs-only
list=$table.f
some_ 2 "without a module" 2 'your own design is one module; legal: MODULE' build/mrpb properties -f $list --map $map

# ---- what a map assumes about the surroundings ----
broken 's/if (fill && known) filled/if (fill \&\& known \&\& !read_valid) filled/'
some_ 2 "a fill beside a read is lost" 1 'differs  ready_q' prove
{ cat $map; echo 'assume !(req_valid_i && fill_valid_i)'; } > "$work/shy.map"
map=$work/shy.map
some_ 2 "where neither comes beside the other" 0 'assuming    always: !\(req_valid_i && fill_valid_i\)$' prove
some_ 2 "the same from a reset" 0 'assuming    always: !\(req_valid_i && fill_valid_i\)$' prove --depth 6
some_ 2 "properties keep to it" 0 ' proved \(all cycles\) ' properties --depth 6
# shellcheck disable=SC2086
some_ 2 "mutants do not" 2 'shy.map:[0-9]+: assume: .* legal: a map without it$' build/mrpb mutate mshr $small -f "$list" --map "$map"
map=$table.map
some_ 2 "without the line" 1 '^  fails  ' properties --depth 6
list=$table.f

# ---- mutants ----
# shellcheck disable=SC2086
case_ "mutants" 0 ' 6 mutants: [0-9]+ killed, [0-9]+ proved equivalent, 0 alive, 0 not decided: 100.0 %' \
  build/mrpb mutate mshr $small --set MERGES=1 -f $list --map $map --mutants 6 --cycles 10000

echo "door: $passed passed, $failed failed"
[ "$failed" = 0 ]
