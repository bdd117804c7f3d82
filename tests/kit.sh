#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Modules outside the tree (docs/kit.md), with the installed program alone (make stage): the
# tutorial's commands, typed as they are, in an empty folder; every command on what `mrpb new`
# writes; the two examples; and bad folders and objects.
set -u
cd "$(dirname "$0")/.."
source=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/tier.sh
check() { # check NAME COMMAND...: silent on success, prints the output on failure
  local name=$1
  shift
  if "$@" > "$work/said" 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "kit: $name"; head -20 "$work/said"; fi
}
says() { # says STATUS PATTERN COMMAND...
  local want=$1 pattern=$2 status=0
  shift 2
  "$@" > "$work/out" 2>&1 || status=$?
  cat "$work/out"
  echo "(exit $status)"
  [ "$status" = "$want" ] && { [ -z "$pattern" ] || grep -q -- "$pattern" "$work/out"; }
}
refuses() { # refuses STATUS PATTERN COMMAND...: the same, in one line
  says "$@" && [ "$(wc -l < "$work/out")" = 1 ]
}

cp -a build/stage/usr/local "$work/opt"
sed -i "s#^prefix=.*#prefix=$work/opt#" "$work/opt/lib/pkgconfig/mrpb.pc"
export PATH=$work/opt/bin:$PATH PKG_CONFIG_PATH=$work/opt/lib/pkgconfig HOME=$work/home
unset XDG_CACHE_HOME MRPB_DATA MRPB_MODULE
mkdir -p "$work/home" "$work/tutorial"

# ---- the tutorial, from its page alone ----
commands() { # commands TITLE: the commands of that section of the page
  awk -v title="## $1" '$0 == title {on = 1; next} /^## / {on = 0} on && /^    \$ / {print substr($0, 7)}' "$source/docs/kit.md"
}
. "$source/tests/estimate/library.sh"
first="From nothing to a first matched cycle" every="Every command on it"
check "more than 10 commands to a first matched cycle" test "$(commands "$first" | wc -l)" -ge 1 -a "$(commands "$first" | wc -l)" -le 10
cd "$work/tutorial"
while read -r line; do check "$first: $line" says 0 '' bash -ec "$line"; last=$(cat "$work/out"); done < <(commands "$first")
check "$first: no matched cycle at its end" grep -q '^matched 1000000 cycles, skid .* 9 of 9 bins' <<< "$last"
check "$every: no commands" test "$(commands "$every" | wc -l)" -ge 12
while read -r line; do
  want=0
  # a difference gives exit code 1
  [[ $line != *broken* || $line == cp* || $line == sed* ]] || want=1
  line=${line/#mrpb estimate/mrpb estimate $liberty}
  check "$every: $line" says $want '' bash -ec "$line"
done < <(commands "$every")
check "a wave of a module of one's own" grep -q 'ref_count_q' skid.vcd
check "its save file" test -s skid.gtkw
check "witnesses" says 0 'c, icarus *matched' mrpb cosim --replay skid.vec --with c,verilator,icarus -m skid
check "shrunk" says 1 'shrunk to' mrpb cosim skid -m skid --rtl broken
check "repeat names the folder" grep -q 'repeat.* -m skid cosim --replay' "$work/out"
check "its repeat repeats" says 1 'count_q' bash -c "$(sed -n 's/^  repeat *//p' "$work/out")"
check "a broken line is refuted" says 1 '^refuted skid' mrpb prove skid -m skid --rtl broken
check "a property refuted" says 1 'REFUTED' mrpb properties skid -m skid --rtl broken --set DEPTH=3 --set DATA_W=2
check "explored" says 1 'DIFFERENT' mrpb explore skid -m skid --rtl broken --set DEPTH=2 --set DATA_W=1
check "a size that is none" refuses 2 'ERROR_skid_DEPTH_must_be_1_to_64 (got 65)' mrpb cosim skid -m skid --set DEPTH=65
check "help of it" says 0 'push_valid_i' mrpb help skid -m skid
check "-m before the command" says 0 '^matched 100 cycles' mrpb -m skid cosim skid --cycles 100
check "a path with blanks" says 0 '^matched 100 cycles' bash -ec 'mkdir "a b"; cp -r skid "a b"; make -sC "a b/skid" clean all; mrpb cosim skid -m "a b/skid" --cycles 100'

# ---- the two examples ----
cp -r "$source"/docs/examples/kit/* .
mkdir fresh
figure() { # figure ROW NAME: the page's figure for an example
  awk -F ' *[|] *' -v row="$1" -v column="$([ "$2" = write_buffer ] && echo 3 || echo 4)" '$2 == row {print $column; n = 1} END {if (!n) print "no figure"}' "$source/docs/kit.md"
}
example() { # example NAME "SIZES OF MUTANTS" "TINY SIZES" "SIZES OF A PROOF"...
  local name=$1 middle=$2 tiny=$3 sizes states
  shift 3
  mrpb new "fresh/$name" > /dev/null
  check "$name: its Makefile is what mrpb new writes" diff <(sed 1d "$name/Makefile") "fresh/$name/Makefile"
  check "$name: make" make -C "$name" all check
  check "$name: lockstep" says 0 '^matched 1000000 cycles, .* 13 of 13 bins' mrpb cosim "$name" -m "$name"
  whole || [ "$name" = write_buffer ] || return 0
  for sizes; do check "$name: proof, $sizes" says 0 "^proved $name" mrpb prove "$name" -m "$name" $sizes; done
  check "$name: mutants" says 0 "$(figure "mutants of the Verilog" "$name" | sed 's/:/ mutants:/'), .*: 100.0 %" mrpb mutate "$name" -m "$name" $middle --cycles 50000 --mutants 200
  check "$name: mutants in C" says 0 "$(figure "mutants of C" "$name" | sed 's/:/ mutants:/'), 0 alive: 100.0 %" mrpb mutate "$name" -m "$name" $middle --cycles 20000 --c
  check "$name: properties" says 0 'proved (induction' mrpb properties "$name" -m "$name" $tiny --cover 10
  states=$(figure "every state" "$name")
  check "$name: explored" says 0 " ${states%% *} .* equal " mrpb explore "$name" -m "$name" ${tiny/ADDR_W=3/ADDR_W=2} $([ "$name" = stream_table ] || echo --values wr_data_i=0,255)
  check "$name: estimate" says 0 'longest path' mrpb estimate "$name" -m "$name" $middle $liberty
}
example write_buffer "--set ENTRIES=3 --set ADDR_W=3 --set BYTES=2" "--set ENTRIES=2 --set ADDR_W=1 --set BYTES=1" \
  "" "--set ENTRIES=1 --set ADDR_W=2 --set BYTES=1" "--set ENTRIES=5 --set ADDR_W=4 --set BYTES=8" "--set ENTRIES=8 --set ADDR_W=8"
example stream_table "--set ENTRIES=3 --set ADDR_W=4" "--set ENTRIES=2 --set ADDR_W=3 --set TRUST=1 --set DISTANCE=1" \
  "" "--set ENTRIES=1 --set ADDR_W=2 --set TRUST=1" "--set ENTRIES=3 --set ADDR_W=3 --set TRUST=3 --set DISTANCE=5" "--set ENTRIES=8 --set TRUST=7"

# ---- bad names, places, folders and objects ----
mkdir -p taken locked && chmod 555 locked
for name in string kit priority_encoder bits Skid 9lives a_ a__b '' x mshr module all 'a b' 'a;b' ../.. aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; do
  check "new $name" refuses 2 'mrpb new: ' mrpb new "$name"
done
check "new without a name" refuses 2 'no name given' mrpb new
check "new of two" refuses 2 'one module at a time' mrpb new aa bb
check "new where something is" refuses 2 'exists already' mrpb new taken
check "new in no folder" refuses 2 'No such file' mrpb new nowhere/queue
[ "$(id -u)" = 0 ] || check "new in a folder that cannot be written" refuses 2 'Permission' mrpb new locked/queue
check "new leaves nothing half-written" test -z "$(ls -d -- *.?????? 2> /dev/null | grep -v '^skid')"
check "no folder" refuses 2 'No such file' mrpb cosim skid -m nowhere
check "a file" refuses 2 'legal: a folder' mrpb cosim skid -m skid/skid.c
check "no value" refuses 2 'needs a value' mrpb cosim skid -m
check "twice" refuses 2 'legal: once' mrpb cosim skid -m skid -m skid
check "a command that has no modules" refuses 2 'not an option of this command' mrpb run -m skid
check "another module of it" refuses 2 "unknown module 'ski'; nearest: skid" mrpb cosim ski -m skid
mkdir unbuilt && mrpb new unbuilt/queue > /dev/null
check "not built" refuses 2 'queue.so is missing; build it' mrpb cosim queue -m unbuilt/queue
check "a folder of another name" refuses 2 'is missing' bash -c 'cp -r skid other_name; mrpb cosim other_name -m other_name'
check "another module's object" refuses 2 'is the module skid; legal: other_name' bash -c 'cp skid/skid.so other_name/other_name.so; mrpb cosim other_name -m other_name'

object() { # object C: a folder bad/ with bad.so built from this text
  rm -rf bad && mkdir bad
  echo "$1" | gcc -w -x c -shared -fPIC -I"$work/opt/share/mrpb/cmodel" -I"$work/opt/share/mrpb/tb" -o bad/bad.so -
}
hostile() { # hostile STATUS PATTERN C: every command refuses it
  local command
  object "$3"
  for command in cosim prove ports; do
    sampled 2 || continue
    check "$command: $2" refuses "$1" "$2" mrpb $command bad -m bad
  done
}
head='#include "kit.h"
#include "cosim/stim/stim.h"
'
echo 'no object' > bad.txt
rm -rf bad && mkdir bad && cp bad.txt bad/bad.so
check "no object at all" refuses 2 'bad.so' mrpb cosim bad -m bad
: > bad/bad.so
check "an empty object" refuses 2 'bad.so' mrpb cosim bad -m bad
hostile 2 'has no symbol mrpb_kit' 'int x;'
hostile 2 'built against version 0.0.1' "$head"' const kit_t mrpb_kit = {"0.0.1", sizeof(module_class_t), 0};'
hostile 2 'built against version' "$head"' const kit_t mrpb_kit = {MRPB_VERSION, 8, 0};'
hostile 2 'is the module of no name' "$head"' const kit_t mrpb_kit = {MRPB_VERSION, sizeof(module_class_t), 0};'
hostile 2 'the module table of bad is invalid' "$head"' static const module_class_t c = {.stem = "bad"}; const kit_t mrpb_kit = {MRPB_VERSION, sizeof(module_class_t), &c};'
hostile 2 'crashes (signal 11' '__attribute__((constructor)) static void f(void) { *(volatile int *)8 = 1; }'
hostile 2 'ends the program (exit 0)' '#include <stdlib.h>
__attribute__((constructor)) static void f(void) { exit(0); }'
object '__attribute__((constructor)) static void f(void) { for (;;) __asm__ volatile(""); }'
check "a constructor without an end" refuses 4 's: hung?' mrpb cosim bad -m bad

model() { # model NAME SED: skid with another C model
  rm -rf "$1" && mrpb new "$1" > /dev/null && sed -i "$2" "$1/$1.c" && make -s -C "$1" > /dev/null 2>&1
}
model crash1 's/^  const bool push = .*/  if (self->r.count_q == 3) __builtin_trap();\n&/'
check "a crash in the middle" refuses 2 'a crash in the C code of the module of -m DIR' mrpb cosim crash1 -m crash1
model crash2 's/^  (void)in;/  *(volatile int *)8 = 1;/'
check "a crash in comb" refuses 2 'crashes (signal 11' mrpb cosim crash2 -m crash2
model hang1 's/^  const bool push = .*/  while (self->r.count_q == 3) __asm__ volatile("");\n&/'
check "a loop in the middle" refuses 4 'the C model did not return within 1 s' mrpb cosim hang1 -m hang1 --hang 1
model hang2 's/^  (void)in;/  for (;;) __asm__ volatile("");/'
check "a loop in comb" refuses 4 's: hung?' mrpb cosim hang2 -m hang2
model exit1 's/^  const bool push = .*/  if (self->r.count_q == 3) exit(0);\n&/'
check "a model that ends the program" refuses 2 'it calls exit' mrpb cosim exit1 -m exit1
check "an object older than its source" refuses 2 'wrong0.so is older than wrong0.c; build it: make -C wrong0' bash -c 'mrpb new wrong0 > /dev/null && make -sC wrong0 && touch -d "+1 minute" wrong0/wrong0.c && mrpb cosim wrong0 -m wrong0'
model leaves1 's/^  const bool push = .*/#define TWO 2\n  if (!self->cfg.DEPTH) exit(EXIT_SUCCESS);\n  if (!self->cfg.DEPTH) exit(TWO);\n  if (!self->cfg.DEPTH) abort();\n&/'
check "a mutant that ends the process" says 0 ' 22 killed, 0 with a reason, 0 alive' mrpb mutate leaves1 -m leaves1 --c --cycles 1000
check "a quote in the path" says 0 ' killed' bash -ec 'mkdir "a'"'"'b"; cp -r skid "a'"'"'b"; mrpb mutate skid -m "a'"'"'b/skid" --c --cycles 1000 || true; mrpb mutate skid -m "a'"'"'b/skid" --set DEPTH=2 --mutants 10 --cycles 5000'
model wrong1 's/self->r.count_q + push - pop/self->r.count_q + push/'
check "a wrong model" says 1 '^MISMATCH wrong1' mrpb cosim wrong1 -m wrong1
mrpb new nostim > /dev/null && sed -i 's/^KIT_STIMULUS/static const stim_class_t unused/' nostim/nostim_stim.c && make -s -C nostim > /dev/null 2>&1
check "no stimulus" refuses 2 'has no stimulus' mrpb cosim nostim -m nostim
mrpb new noverilog > /dev/null && make -s -C noverilog && rm noverilog/noverilog.v
check "no Verilog" refuses 2 'noverilog.v' mrpb cosim noverilog -m noverilog
mrpb new lint1 > /dev/null && sed -i 's/^  wire push = .*/&\n  wire [3:0] nobody = 4'"'"'d0;/' lint1/lint1.v && make -s -C lint1
check "a warning names the file of the folder" refuses 2 '^mrpb cosim: lint1/lint1.v:' mrpb cosim lint1 -m lint1
check "make without the installation" says 2 'no cmodel/kit.h there' env PKG_CONFIG_PATH=/nowhere make -C skid
echo "kit: $passed passed, $failed failed"
[ "$failed" = 0 ]
