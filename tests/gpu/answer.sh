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

configs=(base-s-mrpb base-l-mrpb)
columns=0,1,2
. tests/gpu/cut.sh
if [ "${1:-}" = --one ]; then shift; ways "$@" '--set MRPB_ANSWER=0' '--set MRPB_ANSWER=1' '--set MRPB_ANSWER=2'; exit; fi

# Changes in percent, of the geometric mean of the ratios.
write_page() {
  awk -F, "$cut_awk"'
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
    rows "${configs[@]}" | measure "$columns" "${configs[@]}" > "$work/csv"
    cp "$work/csv" "$csv"
    write_page > "$page"
    ;;
  --check)
    check_short answer "$short" "$columns" "${configs[@]}"
    ;;
  *) echo "usage: tests/gpu/answer.sh [--check]"; exit 2 ;;
esac
