#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `mrpb silicon`: tables and errors on counts made up here; a recorded launch runs again; what is
# refused. That docs/atlas/programs.md matches its records is checked by docs/generate.sh.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/case.sh
silicon="build/mrpb silicon"
data=tests/data/measured

# ---- four launches: 20 % and 10 % too long, 50 % too short, equal; the last one is short ----
chip() { # chip SET RUN LAUNCH NS CYCLES STATE
  echo "$1,G,$2,$6,$3,k,\"(1, 1, 1)\",$4,$5,100,64,16,1536,80,20,3200,800"
}
{
  echo "set,gpu,run,state,launch,kernel,block,gpu__time_duration,sm__cycles_elapsed.max,smsp__inst_executed,l1tex__t_sectors_pipe_lsu_mem_global_op_ld,l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit,l1tex__m_xbar2l1tex_read_bytes,lts__t_sectors_srcunit_tex,lts__t_sectors_srcunit_tex_lookup_hit,dram__bytes_read,dram__bytes_write"
  chip before a 0 20000 1000 cold
  chip before a 1 20000 2000 cold
  chip before a 1 20000 7 warm
  chip after b 0 20000 4000 cold
  chip after b 1 5000 500 cold
} > "$work/chip.csv"
parts="stack.issue stack.scoreboard stack.units stack.fetch stack.constants stack.shared stack.lsu stack.table stack.lines stack.l1 stack.l2 stack.dram stack.barrier"
model() { # model RUN LAUNCH CYCLES ISSUE DRAM: the other parts 0
  echo "$1,$2,k,9999,$3,125,64,1536,1536,512,1024,3000,200,$4,0,0,0,0,0,0,0,0,0,0,$5,0"
}
{
  echo "run,launch,kernel,scheduler_cycles,cycles,warp_instructions,sm.load_sectors,l2.asked_bytes,l2.read_bytes,l2.read_hit_bytes,l2.write_bytes,dram.read_bytes,dram.write_bytes,${parts// /,}"
  model b 1 500 10 90
  model a 0 1200 10 90
  model a 1 2200 49 51
  model b 0 2000 51 49
} > "$work/model.csv"
both() { $silicon --measured "$work/chip.csv" --model "$work/model.csv" "$@"; }
row() { # row TEXT: a line of the tables, blanks at its ends aside
  true_ "$1" grep -qF -- "$1" "$work/out"
}
case_ "four launches" 0 'correlation' both -o "$work/plots"
# (20 + 10) / 2; the sectors of the L2 are 1536 / 32 + 1024 / 32 = 80; 3200 bytes of 4000.
row '| memory-bound, over 10 us | before | 2 | 15.0 | 15.0 | +20.0 | 1 | - | 0.0 | 20.0 |'
true_ "none of the others" test "$(grep -c '^| memory-bound' "$work/out")" = 2
# (20 + 10 + 50) / 3, the middle one of 10, 20, 50
row '| all over 10 us | both | 3 | 26.7 | 20.0 | -50.0 | 1 |'
row '| all | both | 4 | 20.0 | 15.0 | -50.0 | 2 |'
# PTX / SASS 125 / 100; hits 16 of 64, and 64 - 48 of 64; 20 of 80, and (512 + 1024) / 2560
row '| before | a | 0 | `k` | 20.0 | 1000 | 1200 | +20 | memory | 1.25 | 25, 25 | +0 | 25, 60 | +0 | 0.00, 0.00 | 0.00, 0.00 | dram 90, issue 10 |'
row '| after | b | 0 | `k` | 20.0 | 4000 | 2000 | -50 |  | 1.25 |'
row '| b | `k` | -50 | instructions +25 %, DRAM bytes -20 % | issue 51, dram 49 |'
true_ "the worst: the longest of each kernel" test "$(grep -cE '^\| [ab] \| `k`' "$work/out")" = 2
true_ "every launch" test "$(grep -cE '^\| (before|after) \|' "$work/out")" = 4
true_ "the plot has them" test "$(grep -cE '^"?(memory-bound|others)"?,' "$work/plots/chip.csv")" = 4 -a -s "$work/plots/chip.svg"
cp "$work/out" "$work/out.first"
sed 's/^after,G,b,cold,1,/modern,G,b,cold,1,/' "$work/chip.csv" > "$work/three.csv"
case_ "three sets" 0 'correlation' $silicon --measured "$work/three.csv" --model "$work/model.csv"
row '| all | all | 4 | 20.0 | 15.0 | -50.0 | 2 |'
row '| all | modern | 1 | 0.0 |'
true_ "into a file" both --markdown "$work/page.md"
true_ "the same tables" cmp "$work/out.first" "$work/page.md"

# ---- a recorded launch again ----
true_ "on the model" $silicon -c configs/h200.conf --measured $data/counters-h200.csv --only hs --only hs-u --save "$work/again.csv"
true_ "as recorded; else: docs/atlas/programs.sh --run" test "$(wc -l < "$work/again.csv")" = 4
while IFS= read -r line; do
  true_ "as recorded: ${line%%,*}; else: docs/atlas/programs.sh --run" grep -qxF -- "$line" $data/model-h200.csv
done < "$work/again.csv"
measured() { grep '^[^,]*,[^,]*,[^,]*,cold,' "$1" | cut -d, -f3,5 | sort; }
recorded() { sed 1d "$1" | cut -d, -f1,2 | sort; }
for gpu in h100 h200; do
  [ -e $data/model-$gpu.csv ] || continue
  true_ "$gpu: all that was measured ran" test "$(measured $data/counters-$gpu.csv)" = "$(recorded $data/model-$gpu.csv)"
done

# ---- what is refused ----
one_line() { # one_line NAME PATTERN COMMAND...
  local name=$1 pattern=$2
  shift 2
  case_ "$name" 2 "^mrpb silicon: .*$pattern" "$@"
  true_ "$name: in one line" test "$(wc -l < "$work/out")" = 1
}
one_line "no counts" 'legal: --measured FILE' $silicon
one_line "no model" 'legal: one of them' $silicon --measured "$work/chip.csv"
one_line "two models" 'legal: one of them' both -c configs/h200.conf
one_line "no place for counts" 'legal: with --save FILE' $silicon --measured "$work/chip.csv" -c configs/h200.conf
one_line "--only without a run" 'legal: with -c FILE' both --only a
one_line "the GPU of the paper" 'legal: CORE = in-order, MEMORY = ports' $silicon --measured "$work/chip.csv" -c configs/base-s.conf --save "$work/x"
one_line "no such run" 'counters.list: no run of' $silicon --measured "$work/chip.csv" -c configs/h200.conf --save "$work/x"
one_line "no file" 'there-is-none' $silicon --measured "$work/there-is-none" --model "$work/model.csv"
true_ "nothing half written" test ! -e "$work/x"
changed() { # changed NAME PATTERN FILE SED: the file with a change
  local chip=$work/chip.csv model=$work/model.csv
  sed "$4" "$work/$3" > "$work/changed.csv"
  [ "$3" = chip.csv ] && chip=$work/changed.csv || model=$work/changed.csv
  one_line "$1" "$2" $silicon --measured "$chip" --model "$model"
}
changed "a column missing" "changed.csv:1: no column 'dram__bytes_read'" chip.csv '1s/dram__bytes_read/other/'
changed "no number" "changed.csv:3: sm__cycles_elapsed.max 'many'; legal: a number" chip.csv '3s/,2000,/,many,/'
changed "a field too many" 'changed.csv:2: 18 fields; legal: 17' chip.csv '2s/$/,1/'
changed "a quote without end" 'changed.csv:6: 0 fields; legal: 17' chip.csv '6s/)"/)/'
changed "a launch that did not run" 'chip.csv:3: launch 1 of a is not in' model.csv '/^a,1,/d'
changed "of another kernel" 'chip.csv:2: launch 0 of a is of k, but of j in' model.csv 's/^a,0,k/a,0,j/'
changed "an empty file" 'changed.csv:1: no names' model.csv d
echo "ill line" > "$work/list"
one_line "a line of the list" 'list:1: legal: SET RUN LAUNCHES' $silicon --measured "$work/chip.csv" -c configs/h200.conf --list "$work/list" --save "$work/x"

echo "silicon: $passed passed, $failed failed"
[ "$failed" = 0 ]
