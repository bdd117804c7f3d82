#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The texts of model C are clang's: compiles tests/data/polybench.cu with sizes as constants, and
# compares it, instruction by instruction, with the texts under tb/workload/programs/polybench/ with
# the same numbers in their braces.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/recorded.sh
recorded_ "the texts of model C" "clang version 14" clang-14 --version || exit 0

# compile NAME N K: as for the reference's runs; with an arch as old as sm_20, clang 14 warns of the
# CUDA version
compile() {
  clang-14 -x cuda -nocudainc -nocudalib --cuda-device-only --cuda-gpu-arch=sm_20 -O3 -fno-unroll-loops \
    "-D$1" "-DN=$2" "-DK=$3" -S -o - tests/data/polybench.cu 2> "$work/err" || cat "$work/err"
}
fold() { # fold FILE N K
  local n=$2 log=0
  while [ $((1 << log)) -lt "$n" ]; do log=$((log + 1)); done
  sed -e "s/{N}/$n/g; s/{N-1}/$((n - 1))/g; s/{N+1}/$((n + 1))/g; s/{-N}/-$n/g; s/{4N}/$((4 * n))/g; s/{NN}/$((n * n))/g" \
    -e "s/{-NN}/-$((n * n))/g; s/{4NN}/$((4 * n * n))/g; s/{logN}/$log/g; s/{2logN}/$((2 * log))/g; s/{4K}/$((4 * $3))/g" "$1"
}
code() { sed 's,//.*,,; s/[ \t][ \t]*$//' | grep -v '^$'; }

check() { # check NAME FILE N K
  local text=tb/workload/programs/polybench/$2.c.ptx
  if fold "$text" "$3" "$4" | code > "$work/ours" && compile "$1" "$3" "$4" | code > "$work/clangs" &&
    [ -s "$work/clangs" ] && cmp -s "$work/ours" "$work/clangs"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $text with N = $3, K = $4 is not what clang 14 writes:"
    diff "$work/ours" "$work/clangs" | head -n 8
  fi
}

for nk in 8:3 8:8 128:128 256:32; do # from the smallest legal size on
  for p in CONV2D:2dconv CONV3D:3dconv MM:mm GEMM:gemm SYRK:syrk SYR2K:syr2k ATAX:atax BICG:bicg MVT:mvt GESUMMV:gesummv FDTD:fdtd; do
    check "${p%:*}" "${p#*:}" "${nk%:*}" "${nk#*:}"
  done
done
for p in ATAX:atax CONV2D:2dconv GEMM:gemm; do check "${p%:*}" "${p#*:}" 8192 100; done
check CONV3D 3dconv 512 512
[ "$(ls tb/workload/programs/polybench/*.c.ptx | wc -l)" = 11 ] || { failed=$((failed + 1)); echo "FAILED: a text of model C that is not compared here"; }
# tests/data/gemm-512-32.ptx is the text that the reference ran, as clang wrote it.
fold tb/workload/programs/polybench/gemm.c.ptx 512 32 | code > "$work/ours"
code < tests/data/gemm-512-32.ptx | cmp -s - "$work/ours" && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAILED: gemm is not tests/data/gemm-512-32.ptx"; }
echo "folded: $passed passed, $failed failed"
[ "$failed" = 0 ]
