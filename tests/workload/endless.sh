#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs that never end, in `mrpb run` without timing, with timing, recorded,
# and beside a GPU (the model: build/fake): one line, the documented exit code, and soon.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
mrpb=build/mrpb

ends() { # ends NAME EXIT PATTERN COMMAND...: within 100 s, with one line on stderr
  local name=$1 code=$2 pattern=$3 status
  shift 3
  timeout 100 "$@" > "$work/out" 2> "$work/err"
  status=$?
  if [ "$status" = "$code" ] && grep -qE -- "$pattern" "$work/err" && [ "$(wc -l < "$work/err")" = 1 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $name: exit $status (expected $code): $(head -c 600 "$work/err")"
  fi
}

text() { # text NAME BODY: %r1 the thread, %rd1 the buffer
  printf '.version 6.0\n.target sm_50\n.address_size 64\n.visible .entry k(.param .u64 p) {\n  .reg .pred %%p<3>;\n' > "$work/$1.ptx"
  printf '  .reg .b32 %%r<8>;\n  .reg .b64 %%rd<4>;\n  mov.u32 %%r1, %%tid.x;\n  ld.param.u64 %%rd1, [p];\n%b  ret;\n}\n' "$2" >> "$work/$1.ptx"
}
run() { # run NAME BLOCKS THREADS: the options
  echo "$mrpb run --ptx $work/$1.ptx --grid $2 --block $3 --arg buf:64"
}

# A lock: lanes of one warp, as nvcc writes `while (atomicCAS(lock, 0, 1) != 0)`.
text lock 'AGAIN:\n  atom.global.cas.b32 %r2, [%rd1], 0, 1;\n  setp.ne.u32 %p1, %r2, 0;\n  @%p1 bra AGAIN;\n  ld.global.u32 %r3, [%rd1+4];\n  add.u32 %r3, %r3, 1;\n  st.global.u32 [%rd1+4], %r3;\n  atom.global.exch.b32 %r4, [%rd1], 0;\n'
line='^mrpb run: k: warp [0-9]+ of block [0-9]+ repeats the loop of lines 11 to 13 for ever: no warp that has begun changes memory any more; lanes 0x00000001 of the warp wait behind it for lanes 0xfffffffe$'
ends "a lock" 4 "$line" $(run lock 2 64) --functional
ends "a lock, with timing" 4 "$line" $(run lock 2 64) -c configs/base-s.conf
ends "a lock, recorded" 4 "$line" $(run lock 2 64) -c configs/base-s-mrpb.conf --record "$work/t.xz"
ends "a lock, checked" 4 "$line" $(run lock 2 64) -c configs/base-s.conf --check
LD_LIBRARY_PATH=build/fake ends "a lock, beside a GPU" 2 "$line" $(run lock 2 64) --gpu
# One thread for each warp: a lock that works, with timing and without.
$(run lock 8 1) -c configs/base-s.conf --dump "0:$work/d" > /dev/null 2>&1
[ "$(od -An -td4 -j4 -N4 "$work/d" | tr -d ' ')" = 8 ] && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAILED: 8 warps"; }

# A flag of the next block: with timing both are there, without they run one after the other.
text flag '  mov.u32 %r3, %ctaid.x;\n  setp.eq.u32 %p2, %r3, 1;\n  @%p2 st.global.u32 [%rd1], 1;\nAGAIN:\n  ld.volatile.global.u32 %r2, [%rd1];\n  setp.eq.u32 %p1, %r2, 0;\n  @%p1 bra AGAIN;\n'
ends "a flag of the next block" 4 'repeats the loop of lines 14 to 16 for ever: no warp that has begun changes memory any more$' $(run flag 2 32) --functional

# It counts its turns, and it writes: by the time limit.
text counts '  mov.u64 %rd2, 0;\nAGAIN:\n  add.u64 %rd2, %rd2, 1;\n  ld.volatile.global.u32 %r2, [%rd1];\n  setp.eq.u32 %p1, %r2, 0;\n  @%p1 bra AGAIN;\n  st.global.u64 [%rd1+8], %rd2;\n'
ends "a counter" 4 'of lines 12 to 15 [0-9]+ times: no warp that has begun changes memory any more$|^mrpb run: k: block 0 did not end within 2 s; given up$' $(run counts 1 32) --functional --hang 2
text writes 'AGAIN:\n  add.u32 %r1, %r1, 1;\n  st.global.u32 [%rd1], %r1;\n  bra AGAIN;\n'
ends "stores" 4 '^mrpb run: k: block 0 did not end within 1 s; given up$' $(run writes 1 1) --functional --hang 1
LD_LIBRARY_PATH=build/fake ends "stores, beside a GPU" 2 '^mrpb run: k: block 0 did not end within 1 s; given up$' $(run writes 1 1) --gpu --hang 1

echo "programs that never end: $passed passed, $failed failed"
[ "$failed" = 0 ]
