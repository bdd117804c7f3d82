#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Needs a machine with a GPU and the CUDA toolkit: compares the latencies that study `latency` finds
# with those that a CUDA program finds on the same GPU (docs/silicon.md). Exit 1 if two differ by
# more than one in fifty, or if the study has none. The median of all reads of the DRAM, which may
# lie anywhere between those of its halves, is not compared.
#   tests/silicon/cuda.sh OUT [FOLDER OF PROGRAMS, default build]
set -eu
cd "$(dirname "$0")/../.."
out=$1 mrpb=${2:-build}/mrpb
mkdir -p "$out"
nvcc -O2 -std=c++14 -arch=native -o "$out/latency" tests/silicon/latency.cu
"$mrpb" micro latency --gpu --repeats 9 -o "$out/plots" > "$out/latency.txt"
env -u LD_LIBRARY_PATH "$out/latency" > "$out/cuda.txt"
awk -v gpu="$(head -n 1 "$out/latency.txt")" '
  FNR == NR { v = $NF; sub(/ [^ ]*$/, ""); cuda[$0] = v; name[++n] = $0; next }
  { for (i = 1; i <= n; i++) if (index($0, name[i] "  ") == 1 && match($0, / cycles +[0-9]+/)) {
      split(substr($0, RSTART, RLENGTH), part, / +/); study[name[i]] = part[3] } }
  END {
    print gpu
    printf "%-32s %8s %8s\n", "", "study", "CUDA"
    for (i = 1; i <= n; i++) {
      k = name[i]
      if (!(k in study)) {
        printf "%-32s %8s %8s\n", k, "-", cuda[k]
        bad = bad || k ~ /^(L1D hit|L2 hit|DRAM)$/
        continue
      }
      off = (study[k] - cuda[k]) / cuda[k]
      if (k !~ /median/) bad = bad || off > 0.02 || off < -0.02
      printf "%-32s %8s %8s  %+.1f %%\n", k, study[k], cuda[k], 100 * off
    }
    exit bad
  }' "$out/cuda.txt" "$out/latency.txt"
