#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs on model and chip side by side.
#   docs/atlas/programs.sh > docs/atlas/programs.md   makes the page from the recorded counts, and its plots
#   docs/atlas/programs.sh --run [JOBS]               runs the launches on the models and records their counts first
# The chips' counts are tests/data/measured/counters-GPU.csv (tests/silicon/counters.sh), the models'
# tests/data/measured/model-GPU.csv, of configs/GPU.conf. `make docs` makes the page; its check compares it.
set -eu
cd "$(dirname "$0")/../.."
data=tests/data/measured mrpb=${MRPB:-build/mrpb} # MRPB: another program, such as that of build/carry
plots=${PLOTS:-docs/atlas}
gpus=()
for file in "$data"/counters-*.csv; do
  gpu=${file#"$data"/counters-}
  gpus+=("${gpu%.csv}")
done

# ---- the runs: each in a process of its own, their counts in the order of the list ----
if [ "${1-}" = --run ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  for gpu in "${gpus[@]}"; do
    [ -f "configs/$gpu.conf" ] || continue
    awk -F '[, ]+' -v gpu="$gpu" 'FNR == NR { if (FNR > 1) split($0, field, ","); measured[field[3]] = 1; next }
      !/^#/ && $2 in measured { print gpu, $2 }' "$data/counters-$gpu.csv" tests/silicon/counters.list
  done > "$work/all"
  # shellcheck disable=SC2016
  xargs -P "${2:-$(nproc)}" -L 1 sh -c '"$0" silicon -c configs/$3.conf --measured "$1/counters-$3.csv" --only "$4" --save "$2/$3-$4.csv"' \
    "$mrpb" "$data" "$work" < "$work/all"
  for gpu in $(cut -d ' ' -f 1 "$work/all" | uniq); do
    awk -v gpu="$gpu" -v work="$work" '$1 == gpu {print work "/" gpu "-" $2 ".csv"}' "$work/all" | xargs awk 'FNR > 1 || NR == 1' > "$work/$gpu.csv"
    cp "$work/$gpu.csv" "$data/model-$gpu.csv"
  done
  exit
fi

# ---- the page ----
cat << 'END'
# Programs on model and chip

This page shows launch by launch how far the cycles of a Hopper's model are from those of the chip.
It is for architects who want to know which results of `mrpb run -c configs/h200.conf` they can
trust. `docs/atlas/programs.sh` writes it from recorded counts; [../silicon.md](../silicon.md) says
how they are made. No launch that was measured is left out.

| word | meaning |
| --- | --- |
| cycles | on the chip `sm__cycles_elapsed.max` of Nsight Compute, clocks as they are, all caches flushed before each launch; on the model from the first cycle of the launch to its last, with an empty L2 |
| error | (model - chip) / chip, in percent; a class has the mean and the median of its absolute values |
| over 10 us | on the chip; shorter launches are mostly the launch itself |
| memory-bound | of the scheduler cycles that have a warp, more than half wait for the load/store unit, its table, lines of the L1D, or data from L1, L2 or DRAM, by the model's own account ([../statistics.md](../statistics.md#scheduler-cycles)) |
| measured | `before`: while the model was made; `after`: when it was done; `modern`: kernels that were written and measured when its later parts were done |
| correlation | of the logarithms of the cycles |
| L1 sectors, L2 sectors | of 32 bytes: those that the L1s got; those that the SMs read and wrote in the L2 |
| PTX / SASS | warp instructions of the model, which runs PTX, over those of the chip |

Each GPU has three tables: the errors by class; the ten kernels of launches over 10 us with the
largest errors, each by its longest launch, with what else differs; and every launch. If only the
cycles differ, the model does the same work in another time. The model moves loads forward as ptxas
does ([../ptx.md](../ptx.md#as-driver)); if instructions differ, ptxas has also unrolled, joined or
left out what the PTX has. The last column has the largest parts of the model's scheduler cycles
that have a warp.
END
for gpu in "${gpus[@]}"; do
  [ -f "$data/model-$gpu.csv" ] || continue
  name=$(sed -n '2s/^[^,]*,\([^,]*\),.*/\1/p' "$data/counters-$gpu.csv")
  # shellcheck disable=SC2016
  printf '\n## %s\n\n`%s/counters-%s.csv` beside `%s/model-%s.csv`, which is of `configs/%s.conf`.\n\n' "$name" "$data" "$gpu" "$data" "$gpu" "$gpu"
  printf '![cycles of the model over those of the chip, both logarithmic](counters-%s.svg)\n\n' "$gpu"
  "$mrpb" silicon --measured "$data/counters-$gpu.csv" --model "$data/model-$gpu.csv" -o "$plots"
done
rm -f "$plots"/counters-*.csv # the tables above have the same numbers
