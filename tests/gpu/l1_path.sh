#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The L1 of the Verilog in the SMs (--impl l1): the 28 programs, cut as for `make figures QUICK=1`,
# on Base-S with the final MRPB, with the reference's timing and with the Verilog's, data
# checked: tests/data/l1_path.csv, and docs/l1_path.md, the page made from it.
#   tests/gpu/l1_path.sh            measures every row (half an hour), writes both files
#   tests/gpu/l1_path.sh --page     writes the page from the file
#   tests/gpu/l1_path.sh --check    the page matches the file, and so do the rows of short runs,
#                                   measured anew; what is refused (make test)
set -eu
cd "$(dirname "$0")/../.."
csv=tests/data/l1_path.csv
page=docs/l1_path.md
short=100000 # most cycles of a row that --check measures anew

# One row: CONFIG,PROGRAM,OPTIONS and the cycles with each timing.
one() { # one CONFIG PROGRAM OPTION VALUE
  local line="$1,$2,$3 $4" l1
  json=$(mktemp)
  trap 'rm -f "$json"' EXIT
  for l1 in '' '--impl l1=c --check'; do
    # shellcheck disable=SC2086
    build/mrpb run -c "configs/$1.conf" --kernel "$2" "$3" "$4" $l1 --json "$json" > /dev/null
    line="$line,$(awk '/"cycles":/ {gsub(/[^0-9]/, ""); print; exit}' "$json")"
  done
  echo "$line"
}
if [ "${1:-}" = --one ]; then shift; one "$@"; exit; fi

rows() { # CONFIG PROGRAM OPTION VALUE
  local config
  for config in base-s-mrpb; do
    awk -v c="$config" '!/^#/ && NF {print c, $1, $4, $5}' configs/figures/programs.list
  done
}

measure() { # rows on stdin -> a table, sorted as programs.list is
  xargs -P "$(nproc)" -L 1 "$0" --one > "$work/lines"
  echo "config,program,options,reference,l1_top"
  rows | while read -r config program _; do grep "^$config,$program," "$work/lines" || true; done
}

# Changes in percent, of the geometric mean of the ratios.
write_page() {
  awk -F, '
    function percent(x) {return sprintf("%+.1f %%", 100 * (x - 1))}
    function suite(p) {return p ~ /^(2dconv|2mm|3dconv|3mm|fdtd|gemm|atax|bicg|gesummv|mvt|syr2k|syrk)$/ ? "PolyBench" : "Rodinia"}
    NR == FNR {if (FNR > 1) {n[$1]++; m[$1, suite($2)]++; all[$1] += log($5 / $4); sum[$1, suite($2)] += log($5 / $4)}
      next}
    FNR == 1 {
      print "# The cycles of the L1 in Verilog\n"
      print "Written by `tests/gpu/l1_path.sh` from `tests/data/l1_path.csv`; do not edit. `make test` fails"
      print "if the page is not that of the file, or a short run has other cycles.\n"
      print "With `--impl l1=c`, `rtl` or `both` the module l1_top is the L1 of every SM, with the timing of the"
      print "Verilog ([sm.md](sm.md#the-l1-of-the-verilog)). The programs are the 28 of the MRPB paper, cut as"
      print "by `make figures QUICK=1`. The figures are SM cycles with the timing of the reference and with that"
      print "of the Verilog, where less is better. Every load and store of the second run was checked"
      print "(`--check`). Why some programs of Rodinia take much longer has not been looked into.\n"
      print "| mean change of the cycles | programs | |"
      print "| --- | --- | --- |"
      split("base-s-mrpb", cfg, " ")
      for (c = 1; c in cfg; c++) {
        if (!n[cfg[c]]) continue
        printf "| %s | all %d | %s |\n", cfg[c], n[cfg[c]], percent(exp(all[cfg[c]] / n[cfg[c]]))
        split("PolyBench Rodinia", s, " ")
        for (i = 1; i <= 2; i++)
          if (m[cfg[c], s[i]]) printf "| %s | %s, %d | %s |\n", cfg[c], s[i], m[cfg[c], s[i]], percent(exp(sum[cfg[c], s[i]] / m[cfg[c], s[i]]))
      }
      print "\n| configuration | program | options | reference | l1_top | change |"
      print "| --- | --- | --- | --- | --- | --- |"
      next}
    {printf "| %s | %s | %s | %d | %d | %s |\n", $1, $2, $3, $4, $5, percent($5 / $4)}' "$csv" "$csv"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case ${1:-} in
  '')
    rows | measure > "$work/csv"
    cp "$work/csv" "$csv"
    write_page > "$page"
    ;;
  --page) write_page > "$page" ;;
  --check)
    passed=0 failed=0
    set +e
    . tests/case.sh
    run="build/mrpb run -c configs/base-s-mrpb.conf --kernel gemm --cut 2"
    case_ "ways" 2 'ERROR_l1_top_WAYS_must_be_1_to_8' build/mrpb run -c configs/fa-s.conf --kernel gemm --cut 2 --impl l1=c
    case_ "with a part" 2 'l1= alone' $run --impl l1=c,mshr=rtl
    case_ "with a file of requests" 2 'legal: without --impl l1' $run --impl l1=c --requests "$work/r"
    case_ "in order" 2 'CORE = pipeline' build/mrpb run -c configs/h200.conf --kernel gemm --size 64 --impl l1=c
    set -e
    write_page | diff "$page" - || { echo "l1_path: $page is not that of $csv; type: tests/gpu/l1_path.sh"; exit 1; }
    awk -F, -v short=$short 'NR == 1 || ($4 <= short && $5 <= short)' "$csv" > "$work/known"
    [ "$(wc -l < "$work/known")" -gt 4 ] || { echo "l1_path: too few short rows in $csv"; exit 1; }
    rows | awk -F'[, ]' 'NR == FNR {k[$1, $2]; next} ($1, $2) in k' "$work/known" - | measure > "$work/new"
    diff "$work/known" "$work/new" || { echo "l1_path: cycles have changed (recorded <, measured >); type: tests/gpu/l1_path.sh"; exit 1; }
    echo "l1_path: $passed passed, $failed failed; $(($(wc -l < "$work/known") - 1)) of $(($(wc -l < "$csv") - 1)) rows measured, all as recorded"
    [ "$failed" = 0 ]
    ;;
  *) echo "usage: tests/gpu/l1_path.sh [--page | --check]"; exit 2 ;;
esac
