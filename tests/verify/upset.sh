#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `mrpb upset`: what is typed wrong; a module with and without a detector; one table against Icarus;
# and the tables of docs/verify/upset.md, which must be up to date. --write writes them instead.
#   tests/verify/upset.sh [--write]
set -u
cd "$(dirname "$0")/../.."
page=docs/verify/upset.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/case.sh

# ---- the page ----
table() { # table MODULE [OPTION]...
  printf '\n### %s\n\n' "$*"
  build/mrpb upset "$@" --markdown
}
generated() {
  printf '## The answers of each module\n\n'
  build/mrpb upset --answers
  printf '\n## Every register\n\n'
  echo 'Per cent of the flips of each register, at the default sizes, which are those of the paper:'
  echo '16 moments, windows of 1000 cycles, at most 8 words of an array at a moment. In the last line'
  echo 'every bit has the same weight.'
  for module in prt mshr mrpb; do
    table $module
    ! build/mrpb ports $module | grep -q '^| `PARITY`' || table $module --set PARITY=1
  done
}
{ printf '%s\n\n' "$(sed '/^## The answers of each module$/,$d' $page)"
  generated; } > "$work/page.md"
if [ "${1:-}" = --write ]; then
  cp "$work/page.md" $page
  echo "wrote $page"
  exit
fi
true_ "$page is out of date; type: tests/verify/upset.sh --write" cmp "$work/page.md" $page

# ---- what is typed wrong ----
upset="build/mrpb upset"
export strict=1
case_ "no module" 2 'no module given' $upset
case_ "two modules" 2 'one module at a time' $upset mshr prt
case_ "an unknown module" 2 "unknown module 'mshrs'; nearest: mshr" $upset mshrs
case_ "no registers" 2 'flush_control: has no registers; legal: ' $upset flush_control
case_ "an unknown register" 2 '--bits valid: mshr has no such register; nearest: valid_q' $upset mshr --bits valid
case_ "a size" 2 'ENTRIES_must_be_1_to_128' $upset mshr --set ENTRIES=0
case_ "a parameter" 2 "no parameter 'ENTRIS'; nearest: ENTRIES" $upset mshr --set ENTRIS=2
case_ "no moments" 2 '--moments 0: legal: 1 to ' $upset mshr --moments 0
case_ "a window that always contains a reset" 2 '--cycles 30000: the stimulus of drain_selector resets in every window' \
  $upset drain_selector --set QUEUES=2 --set DEPTH=2 --cycles 30000
case_ "one file for two" 2 'a.json' $upset mshr --json "$work/a.json" --flips "$work/a.json"
case_ "a file that cannot be written" 2 'none/a.csv' $upset mshr --flips "$work/none/a.csv"
cp -r rtl "$work/rtl"
sed 's/assign count_o *= *count_q;/assign count_o = count_q ^ 1;/' rtl/mshr.v > "$work/rtl/mshr.v"
case_ "Verilog that is wrong without an upset" 1 'C model and Verilog differ without an upset; .mrpb cosim mshr. shows where' \
  $upset mshr --set ENTRIES=2 --set MERGES=2 --rtl "$work/rtl"
unset strict

# ---- one table against Icarus ----
sizes="--set QUEUES=3 --set DEPTH=2 --set POLICY=3"
window=40
$upset drain_selector $sizes --moments 4 --cycles $window --flips "$work/flips.csv" > "$work/out"
build/mrpb cosim drain_selector $sizes --cycles 20000 --record "$work/run.vec" > "$work/out"
sed '1,/^cycles /d' "$work/run.vec" > "$work/inputs"
iverilog -g2005 -o "$work/witness" -DSYNTHESIS -DWINDOW=$window -s witness -y rtl \
  tests/verify/upset_witness.v > "$work/err" 2>&1
tail -n +2 "$work/flips.csv" | tr ',' ' ' > "$work/flips"
(cd "$work" && vvp -n witness > said)
true_ "Icarus had something to say" test "$(wc -l < "$work/flips")" = "$(grep -c . "$work/said")" -a -s "$work/said"
true_ "Icarus agrees about every flip" diff "$work/flips" "$work/said"
outcomes=$(cut -d' ' -f5 "$work/said" | sort -u | wc -l)
true_ "several outcomes: $outcomes" test "$outcomes" -ge 4

echo "upset: $passed passed, $failed failed; $(wc -l < "$work/flips") flips as in Icarus, $outcomes outcomes"
[ "$failed" = 0 ]
