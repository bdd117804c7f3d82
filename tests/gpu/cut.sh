# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts that measure the 28 programs, cut as for `make figures QUICK=1`, in several
# ways each: answer.sh, l1_path.sh. They set `csv` and `page`, define `write_page`, have an empty
# folder `work`, and call `ways` for the row that `--one` names.

# A row, CONFIG,PROGRAM,OPTIONS and the cycles in each way: the arguments that it adds.
ways() { # ways CONFIG PROGRAM OPTION VALUE WAY...
  local line="$1,$2,$3 $4" run="-c configs/$1.conf --kernel $2 $3 $4" way
  json=$(mktemp)
  trap 'rm -f "$json"' EXIT
  shift 4
  for way; do
    # shellcheck disable=SC2086
    build/mrpb run $run $way --json "$json" > /dev/null
    line="$line,$(awk '/"cycles":/ {gsub(/[^0-9]/, ""); print; exit}' "$json")"
  done
  echo "$line"
}

rows() { # rows CONFIG...: CONFIG PROGRAM OPTION VALUE of each
  local config
  for config; do
    awk -v c="$config" '!/^#/ && NF {print c, $1, $4, $5}' configs/figures/programs.list
  done
}

measure() { # measure COLUMNS CONFIG...: rows on stdin -> a table, sorted as programs.list is
  local header=$1
  shift
  xargs -P "$(nproc)" -L 1 "$0" --one > "$work/lines"
  echo "config,program,options,$header"
  rows "$@" | while read -r config program _; do grep "^$config,$program," "$work/lines" || true; done
}

# The page is that of the file, and rows of at most SHORT cycles are as recorded.
check_short() { # check_short NAME SHORT COLUMNS CONFIG...
  local name=$1 short=$2 header=$3
  shift 3
  write_page | diff "$page" - || { echo "$name: $page is not that of $csv; type: tests/gpu/$name.sh"; exit 1; }
  awk -F, -v short="$short" '{for (i = 4; i <= NF; i++) if (NR > 1 && $i > short) next; print}' "$csv" > "$work/known"
  [ "$(wc -l < "$work/known")" -gt 4 ] || { echo "$name: too few short rows in $csv"; exit 1; }
  rows "$@" | awk -F'[, ]' 'NR == FNR {k[$1, $2]; next} ($1, $2) in k' "$work/known" - | measure "$header" "$@" > "$work/new"
  diff "$work/known" "$work/new" || { echo "$name: cycles have changed (recorded <, measured >); type: tests/gpu/$name.sh"; exit 1; }
  echo "$name: $(($(wc -l < "$work/known") - 1)) of $(($(wc -l < "$csv") - 1)) rows measured, all as recorded"
}

# For awk: a ratio as a change in percent, and the suite of a program.
# shellcheck disable=SC2034
cut_awk='
  function percent(x) {return sprintf("%+.1f %%", 100 * (x - 1))}
  function suite(p) {return p ~ /^(2dconv|2mm|3dconv|3mm|fdtd|gemm|atax|bicg|gesummv|mvt|syr2k|syrk)$/ ? "PolyBench" : "Rodinia"}'
