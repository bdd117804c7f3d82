#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The short list of proofs, and models that must not be proved: a broken line of Verilog, an
# invariant that does not hold or is too weak, C that accesses memory outside an object. Also every
# exit code.
set -u
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

. tests/tier.sh
. tests/case.sh
edit() { # edit FILE SED_COMMAND: a copy of rtl/ with one file changed
  rm -rf "$work/rtl"
  cp -r rtl "$work/rtl"
  sed -i "$2" "$work/rtl/$1"
  cmp -s "rtl/$1" "$work/rtl/$1" && { failed=$((failed + 1)); echo "FAILED: $2 does nothing to $1"; }
}
inv() { # inv STEM SED_COMMAND: a changed copy of its invariant
  sed "$2" "tb/verify/prove/inv/$1.c" > "$work/$1.c"
  cmp -s "tb/verify/prove/inv/$1.c" "$work/$1.c" && { failed=$((failed + 1)); echo "FAILED: $2 does nothing to $1.c"; }
}

prove="build/mrpb prove"
bank="$prove fifo_bank --set QUEUES=3 --set DEPTH=2 --set DATA_W=1"
selector="$prove drain_selector --set QUEUES=3 --set DEPTH=2 --set POLICY=4"
mshr="$prove mshr --set ENTRIES=2 --set MERGES=2 --set ADDR_W=2 --set DATA_W=1"

# ---- broken Verilog: the trace names what differs ----
edit fifo_bank.v 's/tail_q\[i\] == PTR_LAST/tail_q[i] == PTR_ONE - PTR_ONE/'
some_ 2 "pointer that wraps wrongly" 1 '^  differs  tail_q\[[0-9]\] after the edge: C [01], Verilog [01]' $bank --rtl "$work/rtl"
some_ 2 "its inputs" 1 '^  input    srst_ni=1 enq_valid_i=1 ' $bank --rtl "$work/rtl"
edit longest_first.v 's/count > gen_level\[l-1\]/count >= gen_level[l-1]/'
some_ 2 "tie broken the wrong way" 1 'differs  pick_q after the edge: C' $selector --rtl "$work/rtl"
edit mshr.v 's/released) | filled;/{ENTRIES{1'\''b0}}) | filled;/'
some_ 2 "release that leaves ready_q" 1 'differs  ready_q after the edge' $mshr --rtl "$work/rtl"
edit fifo_bank.v 's/tail_q\[i\] <= {PTR_W{1.b0}};/tail_q[i] <= PTR_ONE;/'
some_ 2 "reset to another value" 1 'differs  tail_q\[0\] after a reset: C 0, Verilog 1' $bank --rtl "$work/rtl"
edit priority_encoder.v 's/level == index_bit) high = (some/level == index_bit) high = ~(some/'
some_ 2 "part without a C twin" 1 'differs  index_o' $prove priority_encoder --set WIDTH=5 --rtl "$work/rtl"

# ---- invariants: one that is false, one that is too weak; derived state that differs from C's ----
inv fifo_bank 's/tail_q\[q\] < self->cfg.DEPTH/tail_q[q] < self->cfg.DEPTH - 1/'
some_ 2 "invariant that does not hold" 1 'fails    the invariant does not hold after the edge' $bank --inv "$work/fifo_bank.c"
inv fifo_bank 's/good &= self->r.head_q/good |= self->r.head_q/'
some_ 2 "invariant that is too weak" 1 '^refuted fifo_bank' $bank --inv "$work/fifo_bank.c"
inv drain_selector 's/(self, q) == n/(self, q) >= n/'
some_ 2 "derived state" 1 'does not follow from the registers' $selector --inv "$work/drain_selector.c"
inv drain_selector 's/part\[0\] = .*/part[0] = (private_t){\&self->having[0], 0};/'
some_ 2 "state that nothing accounts for" 1 'changes, but is no register' $selector --inv "$work/drain_selector.c"
inv mshr 's/return self->cfg.ENTRIES + 1/return self->cfg.ENTRIES - 1/'
some_ 2 "bound of a loop too low" 1 'goes on beyond the bound' $mshr --inv "$work/mshr.c"

# ---- illegal C: a user's C model, --c ----
model() { # model STEM SED_COMMAND: a copy of its C model, changed
  mkdir -p "$work/c" && rm -f "$work"/c/*
  sed "$2" "cmodel/$1.c" > "$work/c/$1.c"
  cmp -s "cmodel/$1.c" "$work/c/$1.c" && { failed=$((failed + 1)); echo "FAILED: $2 does nothing to $1.c"; }
}
model fifo_bank 's/mem_q\[e \* depth + r->tail_q\[e\]\]/mem_q[e * depth + r->tail_q[e] + 4096]/'
mv "$work/c/fifo_bank.c" "$work/far.c"
some_ 2 "write outside an object" 1 'fails    a write outside an object \(fifo_bank_edge, far.c:[0-9]+\)' $bank --c "$work/far.c"
model fifo_bank 's/out->full_o = self->r.full_q;/out->full_o = self->r.empty_q;/'
some_ 2 "C file of one's own" 1 '^  differs  full_o: C [0-9], Verilog' $bank --c "$work/c/fifo_bank.c"
some_ 2 "with an invariant of one's own" 1 '^  differs  full_o' $bank --c "$work/c" --inv tb/verify/prove/inv/fifo_bank.c
cp cmodel/fifo_bank.c "$work/c"
some_ 2 "an equal copy" 0 '^proved fifo_bank' $bank --c "$work/c"
model flush_control 's/out->pass_o = /out->pass_o = !/'
some_ 2 "a module without an invariant" 1 '^  differs  pass_o' $prove flush_control --set QUEUES=5 --c "$work/c/flush_control.c"
echo 'fifo_bank QUEUES=3 DEPTH=2 DATA_W=1' > "$work/list.txt"
some_ 2 "--c FILE with a list" 2 'with --list it is a folder' $prove --list "$work/list.txt" --c "$work/far.c"
some_ 2 "no such C file" 2 '^mrpb prove: --c /nowhere.c: cannot be read' $bank --c /nowhere.c
some_ 2 "a folder without models" 2 'no C file in it has the name of one of cmodel/' $bank --c docs
echo '#error this one' > "$work/c/fifo_bank.c"
some_ 2 "a sub-module from the folder" 2 'fifo_bank.c:1:2: error: this one' $prove mrpb --set QUEUES=1 --set DEPTH=1 --set DATA_W=1 --set BLOCKS=1 --set LATENCY=3 --c "$work/c"
echo 'int main(void) { return x; }' > "$work/far.c"
some_ 2 "C that does not compile" 2 "far.c:1:[0-9]+: error: use of undeclared" $bank --c "$work/far.c"

# ---- functions that simulations call besides comb and edge: docs/verify/one_model.md ----
model() { # model STEM SED_COMMAND: its invariant with a changed copy of the C model
  { echo '#define MSHR_BUCKET_W 1'; sed "$2" "cmodel/$1.c"; sed '/^#include "cmodel/d; /^#define MSHR/d' "tb/verify/prove/inv/$1.c"; } > "$work/$1.c"
  sed "$2" "cmodel/$1.c" | cmp -s - "cmodel/$1.c" && { failed=$((failed + 1)); echo "FAILED: $2 does nothing to $1.c"; }
}
prt="$prove prt --set ENTRIES=2 --set LANES=2 --set OFFSET_W=2 --set TAG_W=1 --inv $work/prt.c"
model prt 's/(void)control_outputs(self, in, out);/& if (in->issue_entry_i == out->alloc_entry_o) out->issue_ok_o = 0;/'
some_ 2 "view that gives another output" 1 '^  fails    prt_control: issue_ok_o is not that of comb' $prt
model prt 's/(void)control_outputs(self, in, out);/& out->reply_offset_o[0] = 0;/'
some_ 2 "view that writes more than its own" 1 '^  fails    prt_control writes outputs that are not its own' $prt
model prt 's/^  reset(made);/& made->r.head_q = made->r.left_q[1] = 1;/'
some_ 2 "create that is no reset" 1 '^  fails    prt_create makes another state than a reset' $prt
model prt 's/^static void fast_control(/static void fast_controls(/; s/= fast_control,/= fast_controls,/'
some_ 2 "view that cannot be called" 2 'cmodel/prt.c has no fast_control' $prt
model fifo_bank 's/\*empty = self->r.empty_q;/*empty = self->r.empty_q | self->r.full_q;/'
some_ 2 "levels" 1 '^  fails    fifo_bank_levels: empty_o is not that of comb' $bank --inv "$work/fifo_bank.c"
model mshr 's/drain_outputs(self, decide_leaving(self, false), out);/& out->out_last_o \&= self->r.count_q != self->cfg.ENTRIES;/'
some_ 2 "drain" 1 '^  fails    mshr_drain: out_last_o is not that of comb' \
  $prove mshr --set ENTRIES=1 --set MERGES=2 --set ADDR_W=1 --set DATA_W=1 --inv "$work/mshr.c"
tiny="$prove mrpb --set QUEUES=1 --set DEPTH=1 --set DATA_W=1 --set BLOCKS=1 --set LATENCY=3 --inv $work/mrpb.c"
model mrpb 's/order_err = order_asked(&c) && order_broken(self, &order_in);/order_err = false;/'
some_ 2 "step without its order error" 1 '^  fails    mrpb_step: order_err_o is not that of comb' $tiny
model mrpb 's/  outputs(self, &c, order_err, out);/& if (in->srst_ni \&\& !in->in_valid_i \&\& self->r.held_q == 1) return;/'
some_ 2 "step that leaves another state" 1 '^  fails    mrpb_step leaves another state than edge' $tiny

# ---- wrong input, each with its line ----
edit fifo_bank.v 's/tail_q/end_q/g'
case_ "missing register" 2 'register tail_q, element 0: 0 flip-flops' $bank --rtl "$work/rtl"
edit fifo_bank.v 's/full_o/filled_o/g'
case_ "missing port" 2 'filled_o' $bank --rtl "$work/rtl"
edit fifo_bank.v 's/wire enqueue =/wire enqueue ==/'
case_ "Verilog that does not parse" 2 'fifo_bank\.v:[0-9:]+ .*syntax error' $bank --rtl "$work/rtl"
case_ "no Verilog there" 2 '/nowhere' $bank --rtl /nowhere
case_ "unknown module" 2 "unknown module 'fifobank'; nearest: fifo_bank" $prove fifobank
case_ "unknown parameter" 2 "no parameter 'DEPHT'; nearest: DEPTH" $prove fifo_bank --set DEPHT=2
case_ "size out of range" 2 'fifo_bank_DEPTH_must_be_1_to_64' $prove fifo_bank --set DEPTH=65
case_ "unknown option" 2 "unknown option '--limt'" $prove fifo_bank --limt 3
case_ "no module" 2 'one module or --list' $prove
printf 'fifo_bank DEPTH=2\nfifo_bank WIDTH=2\n' > "$work/list.txt"
printf 'fifo_bank engine=z3\n' > "$work/list.txt"
case_ "wrong engine of a line" 2 "list.txt:1: engine z3: legal: abc cadical both" $prove --list "$work/list.txt"
printf 'fifo_bank DEPTH=2\nfifo_bank WIDTH=2\n' > "$work/list.txt"
case_ "wrong line of a list" 2 "list.txt:2: fifo_bank has no parameter 'WIDTH'" $prove --list "$work/list.txt"

# ---- not decided, and tools that are missing ----
case_ "time limit" 3 '^not decided drain_selector .*: [0-9]+ checks, [1-9][0-9]+ gates: no answer of ABC within 1 s' \
  $prove drain_selector --set POLICY=5 --limit 1
abc_name=$(command -v berkeley-abc yosys-abc | head -n 1)
abc_name=${abc_name##*/}
tools="clang-$(make -s show-llvm) gcc yosys $abc_name cadical verilator iverilog"
# path_without TOOL: $work/bin, a PATH with every tool of the prover except this one
path_without() {
  rm -rf "$work/bin"
  mkdir "$work/bin"
  for t in $tools verilator_bin perl sh timeout as ld; do [ $t = "$1" ] || ln -s "$(command -v $t)" "$work/bin/$t"; done
}
for tool in $tools; do
  path_without $tool
  case_ "no $tool" 5 "${tool/yosys-abc/berkeley-abc}(: not found| is missing)" env PATH="$work/bin" $bank --engine both
done
path_without cadical
case_ "no cadical, and none needed" 0 '^proved .* by ABC' env PATH="$work/bin" $bank

# ---- the second engine: alone, beside the first, and against it ----
case_ "unknown engine" 2 'engine z3: legal: abc cadical both' $bank --engine z3
case_ "cadical proves" 0 '^trusted: .* Yosys, cadical,' $bank --engine cadical
edit fifo_bank.v 's/tail_q\[i\] == PTR_LAST/tail_q[i] == PTR_ONE - PTR_ONE/'
case_ "cadical refutes" 1 '^  differs  tail_q\[[0-9]\] after the edge: C [01], Verilog [01]' \
  $bank --rtl "$work/rtl" --engine cadical
case_ "both refute" 1 '^refuted fifo_bank' $bank --rtl "$work/rtl" --engine both
case_ "time limit of both" 3 '^not decided drain_selector .*no answer of ABC within 1 s; no answer of cadical within 1 s' \
  $prove drain_selector --set POLICY=5 --limit 1 --engine both
fake() { # fake EXIT_CODE TEXT: a cadical that always answers this
  path_without cadical
  printf '#!/bin/sh\nprintf "%%b" "%s"\nexit %s\n' "$2" "$1" > "$work/bin/cadical"
  chmod +x "$work/bin/cadical"
}
faked() { # faked NAME EXIT_CODE PATTERN OPTION...: with the fake
  local name=$1 code=$2 pattern=$3
  shift 3
  case_ "$name" "$code" "$pattern" env PATH="$work/bin:/bin" $bank "$@"
}
fake 20 's UNSATISFIABLE\\n'
faked "cadical denies a case" 6 'internal error: the engines disagree: ABC: something fails, and the graph confirms it; cadical: nothing can fail' \
  --engine both --rtl "$work/rtl"
for f in $(sed -n 's/^kept: //p' "$work/out"); do
  [ -s "$f/miter.icnf" ] && [ -s "$f/miter.aig" ] || { failed=$((failed + 1)); echo "FAILED: the question is not kept"; }
  rm -r "$f"
done
fake 10 's SATISFIABLE\\nv 1 -2 3 0\\n'
faked "cadical has a case that is none" 6 'disagree: ABC: nothing can fail; cadical: cadical names an invalid case' --engine both
rm -rf $(sed -n 's/^kept: //p' "$work/out")
faked "alone, such a case is no refutation" 3 'cadical names an invalid case' --engine cadical
fake 20 'c nothing\\n'
faked "cadical that does not answer" 3 'cadical gave no answer that can be used .exit 20' --engine cadical
fake 0 's UNSATISFIABLE\\n'
faked "an answer with the wrong exit code" 3 'cadical gave no answer that can be used .exit 0' --engine cadical

# ---- progress is for a terminal only; ending a proof ends all its processes ----
quiet=$($bank 2>&1 > /dev/null)
[ -z "$quiet" ] || { failed=$((failed + 1)); echo "FAILED: progress without a terminal: $quiet"; }
slow="$prove drain_selector --set POLICY=5"
printf '%s\n' 'priority_encoder WIDTH=5' 'longest_first QUEUES=5 COUNT_W=2' > "$work/list.txt"
case_ "progress" 3 'drain_selector QUEUES=48 DEPTH=8 POLICY=5 PARITY=0: deciding: ABC, [0-9]+ s of 2' \
  script -qec "stty cols 200; $slow --limit 2" /dev/null
case_ "progress of a list" 0 '[01] of 2; .*building' script -qec "stty cols 200; $prove --list $work/list.txt" /dev/null
children() { cat "/proc/$1/task/$1/children" 2> /dev/null; }
# ended NAME SIGNAL EXIT_CODE: sends the signal to a proof in ABC; no process is left, and no folder
# after the next proof
ended() {
  local pid abc='' folder i code
  $slow > "$work/out" 2>&1 &
  pid=$!
  for ((i = 0; i < 300 && ${#abc} == 0; i++)); do
    for worker in $(children $pid); do abc=$(children "$worker"); done
    [ -n "$abc" ] && [ "$(cat "/proc/${abc%% *}/comm" 2> /dev/null)" = "$abc_name" ] || abc=''
    sleep 0.1
  done
  abc=${abc%% *}
  folder=$(tr '\0' ' ' < "/proc/$abc/cmdline" | grep -oE '[^ ]*/mrpb-prove-[A-Za-z0-9]+' | head -1)
  kill "-$2" $pid
  wait $pid 2> /dev/null
  code=$?
  for ((i = 0; i < 20; i++)); do kill -0 "$abc" 2> /dev/null && sleep 0.1; done
  [ "$2" = KILL ] && $bank > /dev/null
  if [ -n "$abc" ] && [ $code = "$3" ] && ! kill -0 "$abc" 2> /dev/null && [ -n "$folder" ] && [ ! -e "$folder" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $1: exit $code, ABC $abc, folder $folder $(ls -d "$folder")"
  fi
}
ended "Ctrl-C" INT 130
ended "a kill" TERM 143
ended "a hard kill" KILL 137

# ---- what is proved ----
printf '%s\n' 'priority_encoder WIDTH=5' 'longest_first QUEUES=5 COUNT_W=2' > "$work/list.txt"
sed -i 's/$/ engine=cadical/' "$work/list.txt"
case_ "engine of a line" 0 '^proved longest_first .* by cadical' $prove --list "$work/list.txt"
edit longest_first.v 's/count > gen_level\[l-1\]/count >= gen_level[l-1]/'
case_ "list with a refutation" 1 '^1 proved, 1 refuted, 0 not decided' $prove --list "$work/list.txt" --rtl "$work/rtl"
build/check_prove > "$work/check" || { failed=$((failed + 1)); cat "$work/check"; }
tail -1 "$work/check"
$prove --list tests/verify/prove/short.txt --jobs "$(nproc)" --engine both || failed=$((failed + 1))
echo "prove: $passed passed, $failed failed"
[ "$failed" = 0 ]
