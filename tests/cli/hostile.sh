#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Failed allocations, full disks, killed runs (docs/verify/fuzzing.md): no crash, one line, no
# half-written file, no earlier result lost. No check depends on the moment at which a run is
# killed.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/tier.sh
mrpb=build/mrpb
tiny="$mrpb run -c configs/base-s-mrpb.conf --kernel micro-chain-l1 --cut 64"

fail() { # fail WHAT: counts and prints a failure
  failed=$((failed + 1))
  echo "FAILED: $1: $(head -c 300 "$work/err" | tr '\n' '|')"
}

# ---- memory ----
# The numbers 1 .. $1: all of them in the whole test; otherwise the first and the last 8, and fewer
# and fewer in between.
thinned() {
  ! whole || { seq "$1"; return; }
  awk -v n="$1" 'BEGIN {
    for (i = next_one = 1; i <= n; i++) {
      if (i == next_one) next_one = i < 8 ? i + 1 : int(i * 1.6) + 1
      else if (i <= n - 8) continue
      print i } }'
}

# Commands write files to $work/new; $work/ref holds them as they are when nothing fails.
intact() { # intact: every file of $work/new equals the one in $work/ref
  local f
  for f in "$work"/new/*; do
    [ -e "$f" ] || continue
    [ "${f%.part}" = "$f" ] && cmp -s "$f" "$work/ref/${f##*/}" || { echo "${f##*/}"; return 1; }
  done
}

memory() { # memory NAME EXIT COMMAND...: EXIT is that of a run in which nothing fails
  local name=$1 normal=$2 total status
  shift 2
  rm -rf "$work/new" "$work/ref"
  mkdir "$work/new"
  LD_PRELOAD=$PWD/build/fail_malloc.so FAIL_MALLOC_COUNT="$work/count" "$@" > "$work/ref.out" 2> "$work/err"
  status=$?
  total=$(cat "$work/count" 2> /dev/null || echo 0)
  [ "$total" -gt 0 ] || { fail "$name: no allocation was counted: is build/fail_malloc.so there?"; return; }
  mv "$work/new" "$work/ref"
  [ "$status" = "$normal" ] || { fail "$name: exit $status without any failure"; return; }
  for n in $(thinned "$total"); do
    rm -rf "$work/new"
    mkdir "$work/new"
    LD_PRELOAD=$PWD/build/fail_malloc.so FAIL_MALLOC=$n "$@" > "$work/out" 2> "$work/err"
    status=$?
    if grep -qE "^(cannot allocate memory for thread-local data|Fatal glibc error: .*out of memory|terminate called (without an active exception|after throwing an instance of 'std::bad_alloc'))" "$work/err" ||
      { [ "$status" = 127 ] && [ "$(cat "$work/err")" = 'out of memory' ]; }; then
      passed=$((passed + 1)) # ended by the dynamic loader or the C++ run-time library
    elif [ "$status" != "$normal" ] && { [ "$status" != 2 ] && [ "$status" != 5 ] || [ "$(wc -l < "$work/err")" != 1 ]; }; then
      fail "$name, allocation $n of $total: exit $status, $(wc -l < "$work/err") lines"
    elif ! intact > "$work/part"; then
      fail "$name, allocation $n of $total: $(cat "$work/part") is not whole"
    else
      passed=$((passed + 1))
    fi
  done
}

memory "dump-config" 0 $mrpb dump-config -c configs/base-s.conf
memory "import" 0 $mrpb import tests/fuzz/corpus/gpgpusim/four.config -o "$work/new/g.conf"
memory "help-json" 0 $mrpb help-json dram
memory "run" 0 $tiny --json "$work/new/r.json"
memory "run, wave" 0 $tiny --vcd "$work/new/r.vcd" --from 0 --to 200
memory "run, recorded" 0 $tiny --functional --record "$work/new/r.trace.xz"
memory "run, PTX" 0 $mrpb run -c configs/base-s.conf --ptx docs/examples/ptx/reverse.ptx --kernel reverse --grid 1 --block 64 \
  --shared 256 --arg buf:256:iota
memory "run, launch file" 0 $mrpb run -c configs/base-s.conf --launch docs/examples/ptx/convolution.launch
memory "run, trace" 0 $mrpb run -c configs/base-s.conf --trace tests/fuzz/corpus/trace/small.trace.xz
memory "run, Accel-Sim trace" 0 $mrpb run -c configs/base-s.conf --trace tests/fuzz/corpus/traceg/version5.traceg
# The GPU as a library (make stage): the example of docs/library.md.
stage=$PWD/build/stage/usr/local
gcc -std=c11 -o "$work/gpu" docs/examples/library/gpu.c -I"$stage/include" "$stage/lib/libmrpb-gpu.so" -Wl,-rpath,"$stage/lib" ||
  fail "the library's example does not build"
MRPB_DATA=$stage/share/mrpb memory "library" 0 "$work/gpu"
memory "run, trace of gz" 0 $mrpb run -c configs/base-s.conf --trace tests/fuzz/corpus/trace/small.trace.gz
memory "run, trace of zst" 0 $mrpb run -c configs/base-s.conf --trace tests/fuzz/corpus/trace/small.trace.zst
memory "run, ungrouped trace" 0 $mrpb run -c configs/base-s.conf --trace tests/data/trace/tracer6.trace
memory "run, .tracez" 0 $mrpb run -c configs/base-s.conf --trace tests/fuzz/corpus/tracez/small.tracez
memory "run, recorded as .tracez" 0 $mrpb run -c configs/base-s.conf --trace tests/data/trace/tracer5.traceg --record "$work/new/r.tracez"
memory "dram" 0 $mrpb dram tests/fuzz/corpus/dram/dramsim3.trace --json "$work/new/r.json"
memory "dram, exported" 0 $mrpb dram --pattern mix --requests 10 --export "$work/new/r.trace"
$mrpb sweep --kernel micro-chain-l1 --cut 4 -c configs/base-s.conf --vary L1D_WAYS=4,8 --db "$work/m.db" > /dev/null
memory "sweep, listed" 0 $mrpb sweep --kernel micro-chain-l1 --cut 4 -c configs/base-s.conf --vary L1D_WAYS=4,8 --db "$work/m.db" --list
memory "sweep, exported" 0 $mrpb sweep --kernel micro-chain-l1 --cut 4 -c configs/base-s.conf --vary L1D_WAYS=4,8 --db "$work/m.db" \
  --export csv --stat cycles --out "$work/new/m.csv"
memory "replay" 0 $mrpb replay tests/fuzz/corpus/replay/syr2k.txt
memory "ports" 0 $mrpb ports mshr
memory "ptx" 0 $mrpb ptx docs/examples/ptx/reverse.ptx
fifo="fifo_bank --set QUEUES=2 --set DEPTH=2 --set DATA_W=1"
$mrpb cosim $fifo --cycles 1 > /dev/null 2>&1 # builds now; later runs load from the cache
memory "cosim" 0 $mrpb cosim $fifo --cycles 1000 --vcd "$work/new/c.vcd" --record "$work/new/c.vec"
cp "$work/ref/c.vec" "$work/c.vec"
memory "cosim, replayed" 0 $mrpb cosim --replay "$work/c.vec"
memory "explore" 0 $mrpb explore $fifo --states 2000
upset="$mrpb upset $fifo --moments 2 --cycles 50"
$upset > /dev/null 2>&1 # builds
memory "upset" 0 $upset --json "$work/new/u.json" --flips "$work/new/u.csv"
micro="$mrpb micro -o $work/new"
memory "micro" 0 $micro release -c configs/h200.conf --json "$work/new/r.json" --markdown "$work/new/r.md"
memory "micro, Thread-Latency" 0 $micro thread-latency -c configs/m2070.conf --set THREADS_PER_BLOCK=64 # too few: nothing is decided
memory "micro, blocks that do not fit" 0 $micro registers -c configs/gtx280.conf
memory "micro, warps that never end" 0 $micro barriers -c configs/gtx280.conf
memory "micro, textures" 0 $micro patterns -c configs/gtx780.conf
$mrpb micro release -c configs/h200.conf --impl prt=both -o "$work/plots" > /dev/null 2>&1 # builds the Verilog
memory "micro, lockstep" 0 $micro release -c configs/h200.conf --impl prt=both
# `compare` is not tested here: Jansson 2.14's reader itself writes beyond its buffer when an
# allocation fails.

# ---- disk ----
# No file may grow beyond 8 kB: a program that writes more sees an error, as on a full disk.
small_disk() { # small_disk NAME FILE COMMAND...
  local name=$1 file=$2 status
  shift 2
  rm -rf "$work/new"
  mkdir "$work/new"
  echo "an earlier result" > "$file"
  (trap '' XFSZ; ulimit -f 8; exec "$@") > "$work/out" 2> "$work/err"
  status=$?
  if [ "$status" != 2 ] || [ "$(wc -l < "$work/err")" != 1 ]; then
    fail "$name on a full disk: exit $status, $(wc -l < "$work/err") lines"
  elif [ "$(cat "$file")" != "an earlier result" ] || ls "$work"/new/*.part > /dev/null 2>&1; then
    fail "$name on a full disk: the earlier result is lost, or half of the new one is there"
  else
    passed=$((passed + 1))
  fi
}
small_disk "wave" "$work/new/r.vcd" $tiny --vcd "$work/new/r.vcd" --from 0 --to 2000
small_disk "trace" "$work/new/r.trace" $mrpb run -c configs/base-s.conf --kernel atax --cut 2048 --functional --record "$work/new/r.trace"
$mrpb run --functional --kernel atax --cut 8 --record "$work/r.trace" > /dev/null
small_disk ".tracez" "$work/new/kernelslist.g" $mrpb run --functional --kernel atax --cut 64 --record "$work/new/kernelslist.g"
small_disk "trace's temporary file" "$work/new/r.trace.zst" $mrpb run -c configs/base-s.conf --trace "$work/r.trace" --record "$work/new/r.trace.zst"
small_disk "module's wave" "$work/new/c.vcd" $mrpb cosim $fifo --cycles 2000 --vcd "$work/new/c.vcd"
small_disk "plot" "$work/new/h200-release.svg" $mrpb micro release -c configs/h200.conf -o "$work/new"
small_disk "vectors" "$work/new/c.vec" $mrpb cosim $fifo --cycles 9000 --record "$work/new/c.vec"
small_disk "DRAM trace" "$work/new/d.trace" $mrpb dram --pattern mix --requests 10000 --export "$work/new/d.trace"
for option in "--json /dev/full" "--vcd /dev/full --from 0 --to 20" "--record /dev/full"; do
  $tiny $option > "$work/out" 2> "$work/err"
  status=$?
  if [ "$status" = 2 ] && [ "$(wc -l < "$work/err")" = 1 ]; then passed=$((passed + 1)); else fail "$option: exit $status"; fi
done

# A folder of files, or plots with their data: all of a set, or none (on a real small disk, where
# root can make one).
mkdir "$work/small"
if mount -t tmpfs -o size=12k tmpfs "$work/small" 2> /dev/null; then
  trap 'umount "$work/small"; rm -rf "$work"' EXIT
  on_small() { # on_small NAME COMMAND...: only folders are left on the disk
    local name=$1 status
    shift
    "$@" > "$work/out" 2> "$work/err"
    status=$?
    if [ "$status" = 2 ] && [ "$(wc -l < "$work/err")" = 1 ] && [ -z "$(find "$work/small" -type f)" ]; then
      passed=$((passed + 1))
    else
      fail "$name on a small disk: exit $status, left $(cd "$work/small" && find . -type f | tr '\n' ' ')"
    fi
    rm -rf "$work"/small/*
  }
  on_small "activity" $mrpb run -c configs/base-s.conf --kernel atax --cut 4 --activity "$work/small/a"
  on_small "micro" $mrpb micro release -c configs/h200.conf -o "$work/small/m"
  on_small "estimate" $mrpb estimate -c configs/base-s-mrpb.conf --no-logic -o "$work/small/e"
  on_small "cosim, wave" $mrpb cosim $fifo --cycles 2000 --vcd "$work/small/c.vcd"
  on_small "cosim, stimulus" $mrpb cosim $fifo --cycles 9000 --record "$work/small/c.vec"
  on_small "run, wave" $tiny --vcd "$work/small/r.vcd" --from 0 --to 2000
  on_small "run, trace" $mrpb run --functional --kernel atax --cut 2048 --record "$work/small/r.trace"
fi

# ---- input without end ----
: > "$work/empty"
mkdir "$work/folder"
truncate -s 10G "$work/sparse"
head -c 40000000 /dev/zero | tr '\0' x > "$work/line"
mkfifo "$work/pipe"
readers=("cosim --matrix" "prove --list" "properties --list" "explore --list" "mutate --list" "replay" "cosim --replay"
  "cosim mshr --vcd-in" "run --functional --grid 1 --block 1 --ptx" "run -c" "run --functional --launch" "run -c configs/base-s.conf --trace" "micro pchase -c"
  "estimate --no-logic -o $work/e -c" "estimate --no-logic --check" "estimate --no-logic -o $work/e --activity" "dump-config -c" import
  "compare $work/a.json" "cosim --tallied" "sweep --db $work/h.db" "sweep -c configs/base-s.conf --db $work/h.db --trace" "figures --db $work/r.db --out $work/o --page $work/o/p.md --from"
  "run --functional --ptx docs/examples/ptx/reverse.ptx --grid 2 --block 4 --shared 16 --arg")
echo '{"cycles": 1}' > "$work/a.json"
reads() { # reads WHAT FILE LOG COMMAND...: exit 2 and one line, and no hang
  local what=$1 file=$2 log=$3 status
  shift 3
  [ "${*: -1}" != --arg ] || file=buf:@$file
  timeout -k 1 300 "$@" "$file" > /dev/null 2> "$log"
  status=$?
  [ "$status" = 2 ] && [ "$(wc -l < "$log")" = 1 ] || echo "$what, ${*:2}: exit $status, $(wc -l < "$log") lines: $(head -c 200 "$log")"
}
for file in empty folder sparse line /dev/zero /dev/urandom; do
  [ "${file#/}" != "$file" ] || file=$work/$file
  for r in "${readers[@]}"; do
    [ "${file%/*}${r: -5}" != "/dev--arg" ] || continue # a gigabyte is legal
    [ "${file##*/}${r: -5}" != "line--arg" ] || continue
    sampled 3 || continue
    # shellcheck disable=SC2086
    said=$(reads "$file" "$file" "$work/err" $mrpb $r)
    if [ -z "$said" ]; then passed=$((passed + 1)); else fail "$said"; fi
  done
done
rm "$work/sparse" "$work/line"
# Nothing writes into the pipe: each reader waits for a while, all at the same time.
for i in "${!readers[@]}"; do
  # shellcheck disable=SC2086
  reads "a pipe" "$work/pipe" "$work/pipe.$i.err" $mrpb ${readers[$i]} > "$work/pipe.$i" &
done
wait
for i in "${!readers[@]}"; do
  if [ ! -s "$work/pipe.$i" ]; then passed=$((passed + 1)); else fail "$(cat "$work/pipe.$i")"; fi
done
for r in "cosim --matrix" "prove --list" "explore --list" "replay" "cosim --replay" "cosim mshr --vcd-in" "compare $work/a.json"; do
  # shellcheck disable=SC2086
  said=$(reads "a line without end" <(yes x 2> /dev/null | tr -d '\n') "$work/err" $mrpb $r)
  if [ -z "$said" ]; then passed=$((passed + 1)); else fail "$said"; fi
done
for r in "cosim --matrix" "run -c"; do
  # shellcheck disable=SC2086
  said=$(reads "comments without end" <(yes '#' 2> /dev/null) "$work/err" $mrpb $r)
  if [ -z "$said" ]; then passed=$((passed + 1)); else fail "$said"; fi
done
mkfifo "$work/pipe2" # a slow writer is legal
{ sleep 1; echo "fifo_bank QUEUES=2 DEPTH=2 cycles=500"; } > "$work/pipe2" &
if $mrpb cosim --matrix "$work/pipe2" > "$work/out" 2> "$work/err"; then passed=$((passed + 1)); else fail "a list through a pipe"; fi

# ---- Ctrl-C and SIGTERM ----
# Whatever the command does: exit 143 or 130 and no hang; no child and no folder of it is left.
# Verilog that could run forever is not hardware and is refused (docs/verify/lint.md); a C model can
# run forever: tests/base/test_guard.c.
cp -r rtl "$work/spin"
sed -i "s/^endmodule/integer spin; always @(*) begin spin = 1; while (spin != 0) spin = count_q < 5 ? 0 : spin + 2; end\n&/" "$work/spin/mshr.v"
$mrpb cosim mshr --rtl "$work/spin" --hang 1 > "$work/out" 2> "$work/err"
status=$?
if [ "$status" = 2 ] && [ "$(wc -l < "$work/err")" = 1 ] && grep -q "mshr.v:[0-9]*: 'while'" "$work/err"
then passed=$((passed + 1)); else fail "Verilog without end: exit $status"; fi

gone() { # gone COMMAND...: it succeeds within two minutes, which allows for a busy machine
  for _ in $(seq 1200); do
    ! "$@" || return 0
    sleep 0.1
  done
  return 1
}
ended() { ! kill -0 "$1" 2> /dev/null; }
alone() { ! pgrep -s "$1" > "$work/part"; }
ends() { # ends SIGNAL EXIT COMMAND...: runs in its own session
  local signal=$1 code=$2 pid status
  shift 2
  TMPDIR=$work setsid "$@" > "$work/out" 2> "$work/err" &
  pid=$!
  sleep 1
  kill -"$signal" "$pid" 2> /dev/null || { fail "$*: ended before it was told to"; return; }
  gone ended "$pid" || { fail "$signal to $*: hangs"; kill -KILL "$pid"; }
  wait "$pid"
  status=$?
  if [ "$status" != "$code" ] || [ "$(wc -l < "$work/err")" -gt 1 ]; then
    fail "$signal to $*: exit $status"
  elif compgen -G "build/rtl/tmp.$pid.*" > "$work/part" || compgen -G "$work/mrpb-prove-*" > "$work/part"; then
    fail "$signal to $*: left $(cat "$work/part")"
  elif ! gone alone "$pid"; then
    fail "$signal to $*: its child $(head -n 1 "$work/part") is left"
  else
    passed=$((passed + 1))
  fi
}
ends INT 130 $mrpb cosim mshr --cycles 100000000
ends INT 130 $mrpb prove --list tests/verify/prove/all.txt --jobs 2
ends TERM 143 $mrpb cosim mshr --cycles 100000000
ends TERM 143 $mrpb cosim --matrix tests/cosim/matrix.txt --jobs 2
ends TERM 143 $mrpb run -c configs/base-s.conf
ends TERM 143 $mrpb micro all -c configs/h200.conf -o "$work/m"
ends TERM 143 $mrpb prove mrpb
ends TERM 143 $mrpb prove --list tests/verify/prove/all.txt --jobs 2
ends TERM 143 $mrpb properties --jobs 2 --out "$work/prove"
ends TERM 143 $mrpb explore --out "$work/prove"
ends TERM 143 $mrpb upset mrpb --moments 1000000
ends TERM 143 $mrpb mutate mshr --mutants 500
ends TERM 143 $mrpb sweep --kernel atax -c configs/base-s.conf --db "$work/h.db"
ends TERM 143 $mrpb figures --db "$work/r.db" --out "$work/o" --page "$work/o/p.md" --jobs 2
ends TERM 143 $mrpb replay "$work/pipe"
ends TERM 143 $mrpb run --functional --ptx "$work/pipe" --grid 1 --block 1

# ---- killed ----
rm -rf "$work/new" "$work/ref"
mkdir "$work/new"
outputs=(--json "$work/new/r.json" --vcd "$work/new/r.vcd" --from 0 --to 3000 --record "$work/new/r.trace")
$tiny "${outputs[@]}" > /dev/null 2> "$work/err" || fail "the run to be killed"
cp -r "$work/new" "$work/ref"
for after in 0.00 0.01 0.02 0.03 0.05 0.08 0.12 0.18 0.27 0.40 0.60; do
  for f in "$work"/new/*; do echo "an earlier result" > "$f"; done
  { timeout -s KILL "$after" $tiny "${outputs[@]}" > /dev/null; } 2> /dev/null
  for f in r.json r.vcd r.trace; do
    if [ "$(head -c 17 "$work/new/$f")" = "an earlier result" ] || cmp -s "$work/new/$f" "$work/ref/$f"; then
      passed=$((passed + 1))
    else
      fail "killed after $after s: $f is neither the old nor the new one"
    fi
  done
  rm -f "$work"/new/*.part
done

echo "hostile: $passed passed, $failed failed"
[ "$failed" = 0 ]
