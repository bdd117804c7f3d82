#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make cov`: what the tests cover. It reports the crosses from the normal co-simulations, and lines
# of C and of Verilog, in one report. It fails if a cell without a reason is empty, or if a folder's
# coverage is below its floor in tests/cosim/floors.txt. Everything is under build/cov; an
# interrupted or failed run leaves the last report as it was.
set -u
cd "$(dirname "$0")/.."
jobs=$(nproc)
cov=build/cov
fail() { echo "cov: $*" >&2; exit 2; }

rm -rf "$cov/tally" "$cov/lines"
find "$cov" -name '*.gcda' -delete
echo "crosses of tests/cosim/matrix.txt ..."
build/mrpb cosim --matrix tests/cosim/matrix.txt --jobs "$jobs" --tally "$cov/tally" > "$cov/matrix.log" 2>&1 \
  || { tail -5 "$cov/matrix.log" >&2; exit 1; }
echo "lines: tests/cosim/cover.txt ..."
"$cov/mrpb" cosim --matrix tests/cosim/cover.txt --cycles 20000 --jobs "$jobs" --line-coverage "$cov/lines" > "$cov/cover.log" 2>&1 \
  || { tail -5 "$cov/cover.log" >&2; exit 1; }
echo "lines: the C tests ..."
CK_FORK=no CK_DEFAULT_TIMEOUT=3600 CK_EXCLUDE_TAGS="long heavy" "$cov/check_all" > "$cov/check.log" 2>&1 \
  || { tail -5 "$cov/check.log" >&2; exit 1; }

lcov --quiet --capture --directory "$cov" --base-directory . --no-external --output-file "$cov/c.info" > "$cov/lcov.log" 2>&1 \
  || fail "lcov: $(tail -1 "$cov/lcov.log")"
verilator_coverage --write-info "$cov/rtl.info" "$cov"/lines/*.dat > "$cov/lcov.log" 2>&1 \
  || fail "verilator_coverage: $(tail -1 "$cov/lcov.log")"
lcov --quiet --add-tracefile "$cov/c.info" --add-tracefile "$cov/rtl.info" --output-file "$cov/both.info" > "$cov/lcov.log" 2>&1 &&
  lcov --quiet --extract "$cov/both.info" "$PWD/cmodel/*" "$PWD/rtl/*" "$PWD/tb/*" --output-file "$cov/all.info" > "$cov/lcov.log" 2>&1 \
  || fail "lcov: $(tail -1 "$cov/lcov.log")"
rm -rf "$cov/html.new"
genhtml --quiet --prefix "$PWD" --title "MRPB, MSHR, PRT" --output-directory "$cov/html.new" "$cov/all.info" > "$cov/genhtml.log" 2>&1 \
  || fail "genhtml: $(tail -1 "$cov/genhtml.log")"
rm -rf "$cov/html" && mv "$cov/html.new" "$cov/html"

echo
build/mrpb cosim --tallied "$cov/tally"
status=$?
echo
# Coverage of each folder beside its floor; a folder without a floor has no minimum.
awk -v root="$PWD/" '
  FNR == NR {if ($1 !~ /^#/ && NF == 2) floor[$1] = $2; next}
  /^SF:/ {f = substr($0, 4); sub(root, "", f); n = split(f, p, "/"); name = n > 2 ? p[1] "/" p[2] : p[1]}
  /^DA:/ {split($0, d, ","); all[name]++; hit[name] += d[2] > 0}
  END {
    for (name in all) {
      c = 100 * hit[name] / all[name]
      low = name in floor && c < floor[name]
      bad += low
      printf("%-14s %6d of %6d lines  %5.1f %%  floor %s%s\n", name, hit[name], all[name], c,
        name in floor ? floor[name] " %" : "none", low ? "  FAILED" : "") | "sort"
    }
    for (name in floor) if (!(name in all)) {print(name ": a floor, but no lines") | "sort"; bad++}
    close("sort")
    exit bad > 0
  }' tests/cosim/floors.txt "$cov/all.info" || status=1
echo "report: $cov/html/index.html"
exit $status
