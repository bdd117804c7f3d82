#!/usr/bin/env bash
# Cycles of this tree beside the reference's (GPGPU-Sim 3.2.0), the table of docs/accuracy.md. Exit 1 if a row is
# more than 5 % off.
set -eu
cd "$(dirname "$0")/.."
bad=0

cycles() { # cycles CONFIG KERNEL CUT [OPTION...]
  local config=$1 kernel=$2 cut=$3
  shift 3
  build/mrpb run -c "configs/$config.conf" --kernel "$kernel" --model B --cut "$cut" --json build/accuracy.json "$@" > /dev/null
  awk '/"cycles":/ {gsub(/[^0-9]/, ""); print; exit}' build/accuracy.json
}

row() { # row WHAT REFERENCE MEASURED
  awk -v w="$1" -v r="$2" -v m="$3" 'BEGIN {d = 100 * (m - r) / r; printf "| %-62s | %9s | %10.9g | %+5.2f %% |\n", w, r, m, d;
    exit (d > 5 || d < -5)}' || bad=1
}

echo "| run | reference | this tree | difference |"
echo "| --- | --- | --- | --- |"
row "atax, cut to 128, Base-S (cycles)" 2249186 "$(cycles base-s atax 128)"
row "atax, cut to 128, Base-L (cycles)" 1523113 "$(cycles base-l atax 128)"
row "atax, cut to 128, FA-S (cycles)" 492203 "$(cycles fa-s atax 128)"
row "syrk, cut to 32, Base-S (cycles)" 2499323 "$(cycles base-s syrk 32)"
# gemm's cycles move by several percent with its text: this is what clang 14 writes for sm_20 with the sizes as constants.
build/mrpb run -c configs/base-s.conf --ptx tests/data/gemm-512-32.ptx --kernel gemm_kernel --grid 16,64 --block 32,8 \
  --arg buf:1048576:rand --arg buf:1048576:rand --arg buf:1048576:rand --set MEMORY_ORDER=reference --json build/gemm.json > /dev/null
row "gemm, cut to 32, Base-S (cycles)" 335375 "$(awk '/"cycles":/ {gsub(/[^0-9]/, ""); print; exit}' build/gemm.json)"

step() { # step WHAT REFERENCE CONFIG KERNEL: SM cycles an iteration of the loop, in its second half
  local a b
  a=$(cycles "$3" "$4" 256)
  b=$(cycles "$3" "$4" 512)
  row "$1" "$2" "$(awk -v a="$a" -v b="$b" 'BEGIN {print (b - a) / 256}')"
}
step "one warp, dependent loads, L1D hit (cycles a step)" 44 base-s micro-chain-l1
step "one warp, dependent loads, L2 hit" 154 base-s micro-chain-l2
step "one warp, dependent loads, DRAM row hit" 270 base-s micro-chain-dram
step "one warp, 32 lanes in 1 line, hits" 49 base-s micro-lines-1
step "one warp, 32 lanes in 8 lines, hits" 56 base-s micro-lines-8
step "one warp, 32 lanes in 16 lines, hits" 64 base-s micro-lines-16
step "one warp, 32 lanes in 32 lines, hits" 80 base-s micro-lines-32
step "one warp, stride 1 KB (8 lines in each of 4 sets)" 342 base-s micro-stride-1k
step "one warp, stride 4 KB (32 lines in one set)" 1074 base-s micro-stride-4k
step "one warp, stride 4 KB, fully associative" 80 fa-s micro-stride-4k

latency() { # latency KERNEL CUT: mean SM cycles from the access to the LDST unit's response FIFO
  cycles base-s "$1" "$2" > /dev/null
  sed -n 's/.*"read_latency": *\([0-9.]*\).*/\1/p' build/accuracy.json
}
row "access to response FIFO, L2 hits (256 steps, 16 of them cold)" 134.5 "$(latency micro-chain-l2 256)"
row "access to response FIFO, DRAM row hits" 243 "$(latency micro-chain-dram 4096)"
[ "$bad" = 0 ]
