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

configs=(base-s-mrpb)
columns=reference,l1_top
. tests/gpu/cut.sh
if [ "${1:-}" = --one ]; then shift; ways "$@" '' '--impl l1=c --check'; exit; fi

# Changes in percent, of the geometric mean of the ratios.
write_page() {
  awk -F, "$cut_awk"'
    NR == FNR {if (FNR > 1) {n[$1]++; m[$1, suite($2)]++; all[$1] += log($5 / $4); sum[$1, suite($2)] += log($5 / $4)}
      next}
    FNR == 1 {
      print "# The cycles of the L1 in Verilog\n"
      print "With `--impl l1=c`, `rtl` or `both` the module l1_top is the L1 of every SM, with the timing of the"
      print "Verilog ([sm.md](sm.md#the-l1-of-the-verilog)):\n"
      print "    build/mrpb run -c configs/base-s-mrpb.conf --kernel 2dconv --size 64 --impl l1=both\n"
      print "This compares C model and Verilog in one SM, `--impl-sm all` in every SM. The first run builds the"
      print "Verilog, which takes a minute of CPU time.\n"
      print "The programs are the 28 of the MRPB paper, cut as by `make figures QUICK=1`, on Base-S with the MRPB."
      print "*Model* is the own L1 of the SM, which has the timing of GPGPU-Sim. The figures are SM cycles, where"
      print "less is better. Every load and store of the runs with l1_top was checked (`--check`).\n"
      print "The L1 of the Verilog makes a load wait while a store of its line is in flight, and a store while"
      print "its line is fetched, because AXI does not order reads and writes. The interconnect of the model keeps"
      print "them in order. What this costs each program has not been measured by itself.\n"
      print "| programs | mean change of the cycles |"
      print "| --- | --- |"
      split("base-s-mrpb", cfg, " ")
      for (c = 1; c in cfg; c++) {
        if (!n[cfg[c]]) continue
        printf "| all %d | %s |\n", n[cfg[c]], percent(exp(all[cfg[c]] / n[cfg[c]]))
        split("PolyBench Rodinia", s, " ")
        for (i = 1; i <= 2; i++)
          if (m[cfg[c], s[i]]) printf "| %s, %d | %s |\n", s[i], m[cfg[c], s[i]], percent(exp(sum[cfg[c], s[i]] / m[cfg[c], s[i]]))
      }
      print "\n| program | options | model | l1_top | change |"
      print "| --- | --- | --- | --- | --- |"
      next}
    {printf "| %s | %s | %d | %d | %s |\n", $2, $3, $4, $5, percent($5 / $4)}
    END {print "\nWritten by `tests/gpu/l1_path.sh` from `tests/data/l1_path.csv`; do not edit. `make test` fails if the"
      print "page is not that of the file, or a short run has other cycles."}' "$csv" "$csv" | awk -f docs/wrap.awk
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case ${1:-} in
  '')
    rows "${configs[@]}" | measure "$columns" "${configs[@]}" > "$work/csv"
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
    check_short l1_path "$short" "$columns" "${configs[@]}"
    echo "l1_path: $passed passed, $failed failed"
    [ "$failed" = 0 ]
    ;;
  *) echo "usage: tests/gpu/l1_path.sh [--page | --check]"; exit 2 ;;
esac
