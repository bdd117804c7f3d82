#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Needs a machine with a GPU (docs/silicon.md): runs the 28 programs, small and at full size, the
# launch files of docs/examples/ptx, every opcode, pairs and triples of them, and checks the
# messages when a GPU hangs, faults, computes something else or is in use. Writes texts to OUT; the
# last line says how many failed.
#   tests/silicon/gpu.sh OUT [FOLDER OF PROGRAMS, default build]
set -u
cd "$(dirname "$0")/../.." || exit 2
out=$1 mrpb=${2:-build}/mrpb opcodes=${2:-build}/opcodes
passed=0 failed=0
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One line: what runs, its exit code, seconds in all, and the last line of its output.
line() { # line NAME TABLES OPTION...
  local name=$1 tables=$2 start=$SECONDS status
  shift 2
  "$mrpb" run --gpu "$@" > "$work/log" 2>&1
  status=$?
  cat "$work/log" >> "$tables"
  printf '%-16s exit %d, %3d s:%s\n' "$name" $status $((SECONDS - start)) "$(tail -n 1 "$work/log")"
}
count() { # count NAME: how many were equal
  local bad
  bad=$(grep -vc ' exit 0,' "$out/$1.txt")
  echo "$1: $(grep -c ' exit 0,' "$out/$1.txt") equal, $bad not"
  failed=$((failed + bad))
}
launches() { # launches NAME: the kernels of docs/examples/ptx
  local file
  for file in docs/examples/ptx/*.launch; do
    line "$(basename -s .launch "$file")" "$out/$1-tables.txt" --launch "$file"
  done > "$out/$1.txt"
  count "$1"
}
programs() { # programs NAME [SIZE]
  local k size
  for k in $("$mrpb" help --bash | sed -n 's/^_mrpb_kernels="\(.*\)"/\1/p'); do
    size=${2-}
    case $k in micro-*) [ -z "$size" ] || continue ;; esac
    [ "$k" != bt ] || [ -z "$size" ] || size=256
    line "$k" "$out/$1-tables.txt" --kernel "$k" ${size:+--size "$size"}
  done > "$out/$1.txt"
  count "$1"
}

kernel() { # kernel NAME BODY: a text of one kernel, whose argument is in %rd1
  printf '.version 6.0\n.target sm_50\n.address_size %s\n.visible .entry k(.param .u64 p) {\n' "${bits:-64}"
  printf '  .reg .pred %%p;\n  .reg .b64 %%rd<4>;\n  ld.param.u64 %%rd1, [p];\n%b  ret;\n}\n' "$2"
} > "$work/$1.ptx"

expect() { # expect NAME EXIT PATTERN OPTION...: one line that matches, within half a minute
  local name=$1 want=$2 pattern=$3 status
  shift 3
  timeout 30 "$mrpb" run "${gpu:---gpu}" "$@" > "$work/log" 2>&1
  status=$?
  { echo "$name: exit $status"; cat "$work/log"; } >> "$out/errors.txt"
  if [ $status = "$want" ] && grep -q "$pattern" "$work/log" && [ "$(wc -l < "$work/log")" = 1 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "errors: $name: exit $status, not $want and '$pattern'"
  fi
}

# Without timing the executor's clock stays at 0: only a GPU leaves this loop.
clock='  mov.u64 %rd2, %clock64;\n  setp.eq.u64 %p, %rd2, 0;\n  @%p ret;\n'
kernel hangs "${clock}AGAIN:\n  ld.volatile.global.u64 %rd3, [%rd1];\n  setp.ne.u64 %p, %rd3, 1;\n  @%p bra AGAIN;\n"
kernel faults "$clock  mov.u64 %rd3, 4096;\n  st.global.u64 [%rd3], %rd2;\n"
kernel clock '  mov.u64 %rd2, %clock64;\n  st.global.u64 [%rd1+8], %rd2;\n'
bits=32 kernel narrow ''
one() { echo --ptx "$work/$1.ptx" --grid 1 --block 1 --arg buf:64; }

programs small 64
programs full
launches launches
for what in '' --sequences; do
  "$opcodes" $what > "$out/opcodes$what.txt" 2>&1
  status=$?
  tail -n 1 "$out/opcodes$what.txt"
  [ $status = 0 ] || failed=$((failed + 1))
done
: > "$out/errors.txt"
expect "another value" 1 'launch 1, k: the byte at 0x80000008, p + 8' $(one clock)
expect "a text that is refused" 2 "the driver's compiler" $(one narrow)
expect "a launch that does not end" 2 'k: did not end within 2 s' $(one hangs) --hang 2
expect "an address that is not there" 2 'k: CUDA_ERROR_ILLEGAL_ADDRESS' $(one faults)
timeout 30 "$mrpb" run --gpu $(one hangs) --hang 6 > /dev/null 2>&1 &
sleep 3
expect "two at once" 2 'another mrpb uses it' --kernel atax --size 64
wait
gpu=--gpu=63 expect "no such GPU" 2 "no such GPU; legal: 0 to" --kernel atax --size 64
timeout -s INT 4 "$mrpb" run --gpu $(one hangs) > "$work/log" 2>&1
status=$?
{ echo "Ctrl-C: exit $status (124: timeout's own)"; cat "$work/log"; } >> "$out/errors.txt"
grep -q 'interrupted' "$work/log" || { failed=$((failed + 1)); echo "errors: Ctrl-C is not said"; }
echo "errors: $passed as they should be"
echo "silicon: $failed failed"
[ "$failed" = 0 ]
