#!/usr/bin/env bash
# `make test`: every check in turn, each with its log under build/logs; the first failure shows its log and
# stops. The C test runner comes last, so that its closing line ends the output.
set -eu
cd "$(dirname "$0")/.."
logs=build/logs
mkdir -p "$logs"
jobs=$(nproc)

report() { # report LOG STATUS SECONDS: the rest of a step's line; a failure ends everything
  if [ "$2" = 0 ]; then
    printf 'ok  %4d s   %s\n' "$3" "$(tail -n 1 "$1" | cut -c1-80)"
  else
    printf 'FAILED (exit %d); the end of %s:\n' "$2" "$1"
    tail -n 40 "$1"
    exit 1
  fi
}

step() { # step NAME COMMAND...
  local name=$1 start=$SECONDS status=0
  shift
  printf '%-40s ' "$name"
  "$@" > "$logs/$name.log" 2>&1 || status=$?
  report "$logs/$name.log" "$status" $((SECONDS - start))
}

# Functions that each keep one core busy; a line as each of them ends.
side_by_side() { # side_by_side FUNCTION...
  local -A name
  local id status start=$SECONDS
  printf '%s, side by side\n' "$*"
  for f in "$@"; do
    "$f" > "$logs/$f.log" 2>&1 &
    name[$!]=$f
  done
  trap 'kill $(jobs -pr) 2> /dev/null || true; rm -rf "$places"' EXIT # when one fails, or on an interrupt
  for _ in "$@"; do
    status=0
    wait -n -p id || status=$?
    printf '%-40s ' "  ${name[$id]}"
    report "$logs/${name[$id]}.log" "$status" $((SECONDS - start))
  done
  trap 'rm -rf "$places"' EXIT
}

sanitizers() {
  CK_FORK=no CK_EXCLUDE_TAGS=long exec build/san/check_all
}
valgrind() {
  CK_FORK=no CK_EXCLUDE_TAGS="long heavy" exec valgrind --quiet --error-exitcode=9 --leak-check=full \
    --errors-for-leak-kinds=definite,possible build/check_all
}

# What programs leave behind goes to folders of this run, which must be empty at the end; nothing else outside build/ may change.
places=$(mktemp -d)
trap 'rm -rf "$places"' EXIT
mkdir "$places/home" "$places/tmp"
export HOME=$places/home TMPDIR=$places/tmp
step unharmed-check tests/unharmed.sh
tests/unharmed.sh record "$places/state"

export CK_DEFAULT_TIMEOUT=600
step layout         tests/layout.sh
step rtl-lint       tests/rtl/lint.sh
step rtl-reading    tests/rtl/reading.sh
rm -rf build/tally
step lockstep       build/mrpb cosim --matrix tests/cosim/matrix.txt --jobs "$jobs" --tally build/tally
step crosses        build/mrpb cosim --tallied build/tally
step regress        tests/regress.sh "$jobs"
step seeded-bugs    tests/bugs/run.sh --short
step fast-bugs      build/mrpb mutate --bugs tests/bugs/fast.txt
step determinism    tests/determinism.sh
step properties     build/mrpb properties --short --jobs "$jobs"
step explore        build/mrpb explore --short
step docs           docs/generate.sh --check
step accuracy       tests/accuracy.sh --check
step folded         tests/folded.sh
step waves          tests/waves.sh
step examples       tests/examples.sh
step command-line   tests/cli.sh
step estimate       tests/estimate.sh
step hostile        tests/hostile.sh
step micro          tests/micro.sh
step estimate-activity tests/estimate_activity.sh
step mutate         tests/mutate.sh
step prove          tests/prove.sh
step prove-c        tests/prove_c.sh
step unequal        tests/prove/unequal/run.sh
side_by_side sanitizers valgrind
status=0
build/check_all || status=$?
tests/unharmed.sh compare "$places/state" || status=1
exit "$status"
