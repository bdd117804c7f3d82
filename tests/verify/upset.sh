#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `mrpb upset`: what is typed wrong; a module with and without a detector; one table against Icarus;
# and the tables of docs/verify/upset.md, which must be up to date. --write writes them instead.
#   tests/verify/upset.sh [--write]
set -u
cd "$(dirname "$0")/../.."
here=$PWD
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

# ---- a module with a detector: a second count, beside count_q ----
(cd "$work" && "$here/build/mrpb" new guarded > out 2>&1)
guarded=$work/guarded
edit() { # edit FILE SED_EXPRESSION: changes the file
  sed -i.old -E "$2" "$guarded/$1"
  ! cmp -s "$guarded/$1" "$guarded/$1.old" || { failed=$((failed + 1)); echo "FAILED: $1 is as before: $2"; }
}
edit guarded.ports.h '/^PARAM\(DATA_W/a PARAM(PARITY, 0, 0, 1, "1 error_o works, 0 it is 0")'
edit guarded.ports.h '/^OUT\(count_o/a OUT(error_o, 1, "the two counts differ")'
edit guarded.ports.h '/^REG\(8, count_q/a REG(8, second_q, CNT_W(P(DEPTH)), "the same as count_q")'
edit guarded.v 's/(parameter integer DATA_W = 8) /\1, parameter integer PARITY = 0/'
edit guarded.v 's/^( *output wire \[.*count_o)$/\1, output wire error_o/'
edit guarded.v 's/^( *reg \[CNT_W-1:0\] +)count_q;$/&\n\1second_q;/'
edit guarded.v 's/^( *)count_q( *<= \{.*)$/&\n\1second_q\2/'
edit guarded.v 's/^( *if \(p.*) count_q <= count_q (. CNT_ONE;)$/\1 begin count_q <= count_q \2 second_q <= second_q \2 end/'
edit guarded.v 's/^( *)assign count_o .*$/&\n\1assign error_o = (PARITY != 0) \&\& (count_q != second_q);/'
edit guarded.c 's/^( *)out->count_o = .*$/&\n\1out->error_o = 0;/'
edit guarded.c 's/^( *)self->r.count_q = .*$/&\n\1self->r.second_q = self->r.count_q;/'
make -C "$guarded" KIT="$here" > "$work/err" 2>&1
guard="$upset guarded -m $guarded --moments 4 --cycles 100"
case_ "an upset without parity is silent, and no error" 0 '^count_q +3 +12 ' $guard --bits count_q
case_ "none is detected" 0 '^count_q.* - +- +- +- +12 100% +- +-' $guard --bits count_q
case_ "with parity all are detected" 0 '^count_q.* - +- +- +12 100% +- +- +-' $guard --bits count_q --set PARITY=1
case_ "so are those of the detector" 0 '^second_q.* - +- +- +12 100% +- +- +-' $guard --bits second_q --set PARITY=1
case_ "a register without a detector" 1 '^guarded: [0-9]+ silent upsets .* although PARITY is 1' $guard --set PARITY=1
$guard --set PARITY=1 --json "$work/guarded.json" > "$work/out" 2>&1
true_ "as JSON" python3 -c 'import json, sys
t = json.load(open(sys.argv[1]))
r = {x["register"]: x for x in t["registers"]}
assert t["silent"] == sum(x["wrong"] + x["lost"] + x["hang"] for x in r.values()) > 0
assert all(r[n]["detected"] == r[n]["flips"] == 12 for n in ("count_q", "second_q"))
assert all(r[n]["detected"] == 0 for n in ("head_q", "tail_q", "data_q"))' "$work/guarded.json"

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
