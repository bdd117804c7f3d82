#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A short run of `mrpb mutate`: a few mutants of one module, in Verilog and in C; and a weak run
# must be reported as weak.
set -u
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# case_ NAME EXIT_CODE PATTERN ARGUMENT...: the output matches, and the exit code is as given
case_() {
  local name=$1 code=$2 pattern=$3 status
  shift 3
  build/mrpb mutate "$@" > "$work/out" 2>&1
  status=$?
  if [ "$status" = "$code" ] && grep -qE -- "$pattern" "$work/out"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $name: exit $status (expected $code): $(tail -n 3 "$work/out")"
  fi
}

printf 'flush_control QUEUES=3 FLUSH=1\nflush_control QUEUES=3 FLUSH=0\norder_check DEPTH=3 BLOCKS=3 DATA_W=3\n' > "$work/list"
# With CHECK every input is legal; without, a mutant may need one that breaks the rules.
prt="prt --set ENTRIES=3 --set LANES=4 --set OFFSET_W=3 --set TAG_W=4 --set CHECK=1"
case_ "Verilog: killed or proved equivalent" 0 '32 mutants: [23][0-9] killed, [1-9] proved equivalent, 0 alive, 0 not decided: 100' \
  $prt --mutants 32 --cycles 2000000 # the rarest: state that a reset must not change
case_ "C: a list, killed at one of the sizes" 0 '^mutation: 2 modules, ' --list "$work/list" --mutants 12 --c
case_ "survivors are named" 1 'alive +[0-9]+ .* [a-z_]+\.v:[0-9]+\.[0-9]+.* not decided' $prt --mutants 32 --seconds 0
mkdir "$work/bin" && printf '#!/bin/sh\necho "Networks are equivalent so far."\necho "Property UNDECIDED.  Time =     0.00 sec"\n' > "$work/bin/berkeley-abc"
chmod +x "$work/bin/berkeley-abc"
PATH=$work/bin:$PATH case_ "a tool that gives up at once is quoted" 1 \
  'alive .* not decided \(berkeley-abc: Property UNDECIDED\.  Time =     0\.00 sec\)' $prt --mutants 32
PATH=$work/bin:$PATH case_ "and proves nothing" 1 ' killed, 0 proved equivalent, 0 alive, [1-9]' $prt --mutants 32
mkdir "$work/rtl" && cp rtl/*.v "$work/rtl/"
sed -i 's/(reply_left == LANE_NONE)/(reply_left != LANE_NONE)/' "$work/rtl/prt.v"
case_ "Verilog that is wrong as it is" 2 'without a mutant does not match' $prt --mutants 4 --rtl "$work/rtl"
case_ "no such module" 2 "unknown module 'mshs'; nearest: mshr" mshs
case_ "no module" 2 'legal: one module, or --list FILE' --mutants 5
case_ "no such list" 2 '/nowhere: No such file' --list /nowhere

# ---- lists of single errors: docs/verify/one_model.md ----
bug() { printf 'bug   %s: a test\nfile  %s\nfrom  %s\nto    %s\nrun   %s\n' "$@" > "$work/bugs"; }
bug found cmodel/fifo_bank.c '*full = self->r.full_q;' '*full = 0;' 'fifo_bank QUEUES=3 DEPTH=2'
case_ "a view that is wrong" 0 '^found .*function|^found .*full_o' --bugs "$work/bugs" --cycles 2000
bug same cmodel/fifo_bank.c '*full = self->r.full_q;' '*full = self->r.full_q + 0;' 'fifo_bank QUEUES=3 DEPTH=2'
case_ "an error that is none" 1 '^same +NOT FOUND' --bugs "$work/bugs" --cycles 2000
bug gone cmodel/fifo_bank.c '*fill = self->r.full_q;' '*full = 0;' 'fifo_bank'
case_ "a line that is gone" 2 'bugs:1: cmodel/fifo_bank.c no longer has: \*fill' --bugs "$work/bugs"
bug twice cmodel/fifo_bank.c 'self->r.empty_q' '0' 'fifo_bank'
case_ "a line that is there twice" 2 'has this twice' --bugs "$work/bugs"
bug wrong cmodel/fifo_bank.c '*full = self->r.full_q;' '*full = ;' 'fifo_bank QUEUES=3 DEPTH=2'
case_ "no C" 2 'bugs:1: this is not C' --bugs "$work/bugs"
bug where cmodel/fifobank.c 'x' 'y' 'fifo_bank'
case_ "no such file" 2 'cmodel/fifobank.c: cannot be read' --bugs "$work/bugs"
bug what cmodel/fifo_bank.c '*full = self->r.full_q;' '*full = 0;' 'fifo_bank DEPHT=2'
case_ "no such size" 2 "no parameter 'DEPHT'; nearest: DEPTH" --bugs "$work/bugs"
echo 'bog   x' > "$work/bugs"
case_ "no line of a list" 2 'bugs:1: legal: bug, file, from, to or run' --bugs "$work/bugs"
: > "$work/bugs"
case_ "an empty list" 2 'bugs: no bug in it' --bugs "$work/bugs"
case_ "a folder for a list" 2 'mrpb mutate: ' --bugs "$work"
case_ "bugs of a module" 2 'legal with it: --short' mshr --bugs "$work/bugs"
case_ "short without bugs" 2 'with --bugs FILE' mshr --short

echo "mutate: $passed passed, $failed failed"
[ "$failed" = 0 ]
