#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests `make bench` beside an earlier build, in a separate tree with fake programs and a clock that
# reports what they say: a slower build gives a marked line, noise does not.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/case.sh

# ---- the tree ----
mkdir -p "$work/tree/tests/bench" "$work/tree/tests/gpu" "$work/tree/tests/studies" "$work/tree/build/bench" "$work/home"
export HOME=$work/home GIT_CONFIG_NOSYSTEM=1
cp tests/bench/bench.sh "$work/tree/tests/bench"
printf '#!/bin/sh\necho accuracy\n' > "$work/tree/tests/gpu/accuracy.sh"
printf '#!/bin/sh\necho page\n' > "$work/tree/tests/studies/report.sh"
# program FILE SECONDS [NS [INSTS]]: a program whose run takes SECONDS, with such a speed of kernel
# and device
program() {
  mkdir -p "$(dirname "$1")/bench"
  printf '#!/bin/sh\n# takes %s\necho "$*" >> "%s/ran"\nfor a; do [ "$a" != fail ] || exit 3; done\n' "$2" "$work" > "$1"
  echo 'while [ $# -gt 0 ]; do [ "$1" != --json ] || echo "  \"cycles\": 1000000," > "$2"; shift; done' >> "$1"
  printf '#!/bin/sh\necho ns\necho model\necho "pipe 10                        -      %s                 2.00"\n' "${3:-4.00}" > "$(dirname "$1")/bench/sim"
  printf '#!/bin/sh\necho "  GPU"\necho "  configs/m2070.conf       P-chase                %s   371.12   (0.025 s)"\n' "${4:-8.00}" > "$(dirname "$1")/bench/device"
  printf '#!/bin/sh\necho ".traceg;%s"\n' "${4:-8.00}" > "$(dirname "$1")/bench/trace"
  chmod +x "$1" "$(dirname "$1")"/bench/*
}
# The time that the program reports, doubled each time that `noise` has a line; that line is
# removed. A timeline costs twice as much again.
cat > "$work/clock" << 'END'
#!/bin/sh
here=${0%/*} twice=1 more=1
"$@" > /dev/null || exit
case $1 in */tree/build/mrpb) who=now ;; *) who=then ;; esac
case $* in *' --timeline '*) who=with more=2 ;; esac
echo $who >> "$here/order"
if [ -s "$here/noise" ]; then read -r twice < "$here/noise"; sed -i 1d "$here/noise"; fi
sed -n "s/^# takes //p" "$1" | awk -v t="$((twice * more))" '{ print t * $1 }'
END
chmod +x "$work/clock" "$work"/tree/tests/*/*.sh
bench() { # bench [NAME=VALUE]...
  env ROUNDS=1 BENCH_CLOCK="$work/clock" "$@" "$work/tree/tests/bench/bench.sh"
}
losses() { grep -c 'LOSS$' "$work/out"; }

# ---- the last bench ----
build=$work/tree/build/mrpb
(cd "$work/tree" && git init -q && echo build/ > .gitignore && git add . && git -c user.name=a -c user.email=a@b commit -qm first)
program "$build" 2.00
case_ "the first bench" 0 '^against: nothing; this build is kept for the next bench' bench
true_ "has figures" grep -qE '^  base-s  +0\.50$' "$work/out"
true_ "keeps the build" cmp "$build" "$work/tree/build/bench/last/build/mrpb"
true_ "and its tree" test -e "$work/tree/build/bench/last/tests/bench/bench.sh"
case_ "the same again" 0 '^against: nothing' bench
program "$build" 2.20
case_ "a tenth slower" 0 '^  base-s  +0\.45 +0\.50 +0\.909   LOSS$' bench
rows=$(wc -l < "$work/tree/build/bench/table")
true_ "in seconds" grep -qE '^  h200  +2\.20 +2\.00 +0\.909   LOSS$' "$work/out"
true_ "in each row but those of other programs" test "$(losses)" = $((rows - 4))
true_ "and in the sum" grep -qE "^$((rows - 4)) of $rows rows are more than 3 % slower than the last bench, [0-9a-f]* at 20" "$work/out"
case_ "the same build again: against the one before it" 0 '0\.909   LOSS$' bench
program "$build" 2.20 4.40
case_ "a slower kernel is no new program" 0 '^  pipe 10, event-driven  +4\.40 +4\.00 +0\.909   LOSS$' bench
program "$build" 2.24 4.00
case_ "2 % slower is no loss" 0 "^0 of $rows rows are" bench
true_ "but a ratio" grep -qE '^  base-s .* 0\.982$' "$work/out"
case_ "MARGIN=1" 0 'LOSS$' bench MARGIN=1
program "$build" 1.12
case_ "twice as fast" 0 '^  base-s .* 2\.000$' bench
true_ "is no loss" test "$(losses)" = 0
program "$build" 1.12 4.00 6.00
case_ "fewer instructions" 0 '^  m2070, P-chase  +6\.00 +8\.00 +0\.750   LOSS$' bench

# ---- noise, order ----
program "$build" 1.12
: > "$work/order"
printf '1\n1\n2\n1\n1\n1\n' > "$work/noise" # the second run of `then` and one of `now`
case_ "one pair of three" 0 "^  base-s .* 1\.000$" bench ROUNDS=3 ROWS="^gpu base-s$" AGAINST="$work/tree/build/bench/last/build/mrpb"
true_ "each is the first in turn" test "$(tr '\n' ' ' < "$work/order")" = "now then then now now then "

# ---- this build against itself ----
: > "$work/order"
printf '1\n1\n2\n1\n1\n1\n' > "$work/noise"
case_ "instruments" 0 '^  gemm base-s --timeline F  +2\.00   \(target 2\)$' bench ROUNDS=3 ROWS="^instruments gemm base-s --timeline"
true_ "with and without are the first in turn" test "$(tr '\n' ' ' < "$work/order")" = "with now now with with now "
true_ "are no losses" test "$(losses)" = 0
case_ "need no other build" 0 '^  srad base-s --interval 1000 --json F  +1\.00   \(target 1\.3\)$' bench AGAINST=none ROWS=^instruments
true_ "programs and instruments" test "$(grep -c '(target [0-9.]*)$' "$work/out")" = 25

# ---- others ----
program "$work/other/mrpb" 1.00
case_ "a program" 0 '^  base-s .* 0\.893   LOSS$' bench AGAINST="$work/other/mrpb"
printf '#!/bin/sh\n# takes 1.00\n[ "$1" != cosim ]\n' > "$work/other/mrpb"
case_ "one that cannot do it" 0 '^  mrpb  +2\.68 +-$' bench AGAINST="$work/other/mrpb" ROWS=lockstep
true_ "is no loss" test "$(losses)" = 0
case_ "none" 0 '^against: nothing$' bench AGAINST=none
case_ "ROWS" 0 '^against: ' bench ROWS='gpu base-l$'
true_ "one of them" test "$(wc -l < "$work/tree/build/bench/table")" = 1
case_ "not a revision" 2 '^bench: AGAINST=v9: legal: a revision' bench AGAINST=v9
case_ "rounds" 2 'ROUNDS=x: legal' bench ROUNDS=x
case_ "a margin" 2 'MARGIN=-1: legal' bench MARGIN=-1

# ---- a revision ----
cp "$build" "$work/tree/program"
printf 'build:\n\tmkdir -p build\n\tcp program build/mrpb\n\techo built >> build/times\nbuild/bench/%%:\n\tfalse\n' > "$work/tree/Makefile"
(cd "$work/tree" && git add . && git -c user.name=a -c user.email=a@b commit -qm second && git tag v1)
program "$build" 1.40
case_ "a tag" 0 '^against: v1, [0-9a-f]* of 20' bench AGAINST=v1
true_ "is built" test -s "$work"/tree/build/bench/*/build/times
true_ "and is faster" grep -qE '^  base-s .* 0\.800   LOSS$' "$work/out"
printf 'build:\n\tfalse\n' > "$work/tree/Makefile"
(cd "$work/tree" && git add . && git -c user.name=a -c user.email=a@b commit -qm third)
case_ "one that cannot be built" 2 'AGAINST=HEAD cannot be built' bench AGAINST=HEAD
sed -i '2s/.*/exit 3/' "$build"
case_ "this build fails" 2 '^bench: lockstep mshr' bench
echo "loss: $passed passed, $failed failed"
[ "$failed" = 0 ]
