#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What it costs that the L1D answers the MRPB later (MRPB_ANSWER): the 28 programs, cut as for
# `make figures QUICK=1`, on Base-S and Base-L with the final MRPB: tests/data/answer.csv, and
# docs/answer.md, the page made from it.
#   tests/gpu/answer.sh            measures every row (minutes), writes both files
#   tests/gpu/answer.sh --check    the page matches the file, and so do the rows of short runs,
#                                  measured anew (make test)
set -eu
cd "$(dirname "$0")/../.."
csv=tests/data/answer.csv
page=docs/answer.md
short=45000 # most cycles of a row that --check measures anew

# One row: CONFIG,PROGRAM,OPTIONS and the cycles with each answer.
one() { # one CONFIG PROGRAM OPTION VALUE
  local line="$1,$2,$3 $4" answer
  json=$(mktemp)
  trap 'rm -f "$json"' EXIT
  for answer in 0 1 2; do
    build/mrpb run -c "configs/$1.conf" --kernel "$2" "$3" "$4" --set "MRPB_ANSWER=$answer" --json "$json" > /dev/null
    line="$line,$(awk '/"cycles":/ {gsub(/[^0-9]/, ""); print; exit}' "$json")"
  done
  echo "$line"
}
if [ "${1:-}" = --one ]; then shift; one "$@"; exit; fi

rows() { # CONFIG PROGRAM OPTION VALUE
  local config
  for config in base-s-mrpb base-l-mrpb; do
    awk -v c="$config" '!/^#/ && NF {print c, $1, $4, $5}' configs/figures/programs.list
  done
}

measure() { # rows on stdin -> a table, sorted as programs.list is
  xargs -P "$(nproc)" -L 1 "$0" --one > "$work/lines"
  echo "config,program,options,0,1,2"
  rows | while read -r config program _; do grep "^$config,$program," "$work/lines" || true; done
}

# Changes in percent, of the geometric mean of the ratios.
write_page() {
  awk -F, '
    function percent(x) {return sprintf("%+.1f %%", 100 * (x - 1))}
    function suite(p) {return p ~ /^(2dconv|2mm|3dconv|3mm|fdtd|gemm|atax|bicg|gesummv|mvt|syr2k|syrk)$/ ? "PolyBench" : "Rodinia"}
    NR == FNR {if (FNR > 1) {n[$1]++; m[$1, suite($2)]++
      for (a = 1; a <= 2; a++) {all[$1, a] += log($(4 + a) / $4); sum[$1, suite($2), a] += log($(4 + a) / $4)}}
      next}
    FNR == 1 {
      print "# What a later answer of the L1D costs\n"
      print "Written by `tests/gpu/answer.sh` from `tests/data/answer.csv`; do not edit. `make test` fails if the"
      print "page is not that of the file, or a short run has other cycles.\n"
      print "With `MRPB_ANSWER` = 2 the L1D has synchronous tag SRAMs: it answers two cycles after the MRPB has"
      print "presented a request ([sm.md](sm.md), \"With the MRPB\"). The programs are the 28 of the MRPB paper,"
      print "cut as by `make figures QUICK=1`. The figures are SM cycles, and their change against"
      print "`MRPB_ANSWER` = 0, where less is better.\n"
      print "| mean change of the cycles | programs | answer 1 cycle later | 2 cycles later |"
      print "| --- | --- | --- | --- |"
      split("base-s-mrpb base-l-mrpb", cfg, " ")
      for (c = 1; c <= 2; c++) {
        printf "| %s | all %d | %s | %s |\n", cfg[c], n[cfg[c]], percent(exp(all[cfg[c], 1] / n[cfg[c]])), percent(exp(all[cfg[c], 2] / n[cfg[c]]))
        split("PolyBench Rodinia", s, " ")
        for (i = 1; i <= 2; i++)
          printf "| %s | %s, %d | %s | %s |\n", cfg[c], s[i], m[cfg[c], s[i]], percent(exp(sum[cfg[c], s[i], 1] / m[cfg[c], s[i]])), percent(exp(sum[cfg[c], s[i], 2] / m[cfg[c], s[i]]))
      }
      print "\n| configuration | program | options | cycles | 1 cycle later | 2 cycles later |"
      print "| --- | --- | --- | --- | --- | --- |"
      next}
    {printf "| %s | %s | %s | %d | %s | %s |\n", $1, $2, $3, $4, percent($5 / $4), percent($6 / $4)}' "$csv" "$csv"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case ${1:-} in
  '')
    rows | measure > "$work/csv"
    cp "$work/csv" "$csv"
    write_page > "$page"
    ;;
  --check)
    write_page | diff "$page" - || { echo "answer: $page is not that of $csv; type: tests/gpu/answer.sh"; exit 1; }
    awk -F, -v short=$short 'NR == 1 || ($4 <= short && $5 <= short && $6 <= short)' "$csv" > "$work/known"
    [ "$(wc -l < "$work/known")" -gt 4 ] || { echo "answer: too few short rows in $csv"; exit 1; }
    rows | awk -F'[, ]' 'NR == FNR {k[$1, $2]; next} ($1, $2) in k' "$work/known" - | measure > "$work/new"
    diff "$work/known" "$work/new" || { echo "answer: cycles have changed (recorded <, measured >); type: tests/gpu/answer.sh"; exit 1; }
    echo "answer: $(($(wc -l < "$work/known") - 1)) of $(($(wc -l < "$csv") - 1)) rows measured, all as recorded"
    ;;
  *) echo "usage: tests/gpu/answer.sh [--check]"; exit 2 ;;
esac
