#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make test`: runs every check, as many in parallel as there are processors, the longest first.
# Each writes its log to build/logs and prints a line when it ends: the seconds it took, and those
# of a processor. After a failure the others go on; the ends of the failed logs come last, and the
# exit status is 1. Without a failure, the C test runner's closing line ends the output. Of many
# similar cases only some run; with TEST_LONG=1 (make test-long) all do.
#   tests/all.sh [JOBS]
set -eu
cd "$(dirname "$0")/.."
. tests/tier.sh
logs=build/logs
mkdir -p "$logs"
jobs=${1:-$(nproc)}
unset MAKEFLAGS MFLAGS MAKELEVEL # the makes of the steps must not use our jobserver
TIMEFORMAT='%U %S'
declare -A name=() start=() # of each running process
failed=()

finish_one() { # waits until one process ends
  local id status=0 log took
  wait -n -p id || status=$?
  log=$logs/${name[$id]}.log took=$((SECONDS - start[$id]))
  if [ "$status" != 0 ]; then
    printf '%-20s FAILED (exit %d) after %d s: %s\n' "${name[$id]}" "$status" "$took" "$log"
    failed+=("${name[$id]}")
  else
    printf '%-20s ok  %4d s %4.0f s   %s\n' "${name[$id]}" "$took" \
      "$(awk '{print $1 + $2}' "$logs/${name[$id]}.time")" "$(tail -n 1 "$log" | cut -c1-84)"
  fi
  unset "name[$id]" "start[$id]"
}

step() { # step NAME COMMAND...: starts as soon as a processor is free
  local called=$1
  shift
  while [ "${#name[@]}" -ge "$jobs" ]; do finish_one; done
  { time "$@" > "$logs/$called.log" 2>&1 < /dev/null; } 2> "$logs/$called.time" &
  name[$!]=$called start[$!]=$SECONDS
}

finish_all() {
  while [ "${#name[@]}" -gt 0 ]; do finish_one; done
}

# Each step has its own process group, which can be ended as a whole.
set -m
clean_up() {
  local id
  for id in "${!name[@]}"; do kill -- "-$id" 2> /dev/null || true; done
  rm -rf "$places"
}

sanitizers() {
  CK_FORK=no CK_EXCLUDE_TAGS="long $(whole || echo heavy)" build/san/check_all
}
memory_errors() {
  CK_FORK=no CK_EXCLUDE_TAGS="long heavy" RUN_BELOW="$(whole || echo tests/cmodel tests/parts tests/base tests/gpu)" valgrind --quiet --error-exitcode=9 --leak-check=full \
    --errors-for-leak-kinds=definite,possible build/check_all
}

lockstep() {
  rm -rf build/tally
  sed -n "$(whole && echo p || echo '/^# make test-long/q;p')" tests/cosim/matrix.txt > build/matrix.txt
  build/mrpb cosim --matrix build/matrix.txt --jobs "$jobs" --tally build/tally && build/mrpb cosim --tallied build/tally
}

# Programs leave files only in this run's folders, which must be empty at the end; nothing else
# outside build/ may change.
places=$(mktemp -d)
trap clean_up EXIT
trap 'exit 130' INT TERM
mkdir "$places/home" "$places/tmp"
export HOME=$places/home TMPDIR=$places/tmp
step unharmed-check tests/unharmed.sh
finish_all
tests/unharmed.sh record "$places/state"

# Timeouts catch hangs; a busy machine must not trigger them.
export CK_DEFAULT_TIMEOUT=600 CK_TIMEOUT_MULTIPLIER=10
step version        tests/version.sh
step hygiene        tests/hygiene.sh
step layout         tests/layout.sh
step compilers      tests/compilers.sh
step rtl-reading    tests/verilog/reading.sh
step lockstep       lockstep
step sanitizers     sanitizers
step valgrind       memory_errors
step runner         build/check_all
step hostile        tests/cli/hostile.sh
step command-line   tests/cli/cli.sh
step json           tests/cli/json.sh
step schema         tests/cli/schema.sh
step traces         tests/cli/trace.sh
step prove          tests/verify/prove/prove.sh
step prove-door     tests/verify/prove/door.sh
step netlists       tests/verify/prove/netlist.sh
step door           tests/door.sh
step verdict        tests/verdict.sh
step constructs     tests/verilog/design/constructs.sh
step twice          tests/verilog/twice.sh
step reroll         tests/verilog/reroll.sh
step streams        tests/verify/streams/streams.sh
step align          tests/verify/align/align.sh
step foreign-bugs   tests/verilog/design/bugs.sh
step in-order       tests/gpu/inorder.sh
step accuracy       tests/gpu/accuracy.sh --check
step answer         tests/gpu/answer.sh --check
step l1-path        tests/gpu/l1_path.sh --check
step mutate         tests/verify/mutate/mutate.sh
step unequal        tests/verify/prove/unequal/run.sh
step waves          tests/cosim/waves.sh
step rtl-lint       tests/verilog/lint.sh
step rtl-sram       tests/verilog/sram.sh
step prove-c        tests/verify/prove/prove_c.sh
step object         tests/verify/prove/object.sh
step regress        tests/cosim/regress.sh 1
step fast-bugs      build/mrpb mutate --bugs tests/verify/bugs/fast.txt
step properties     build/mrpb properties --short --jobs 1
step explore        build/mrpb explore --short
step theorem        tests/verify/theorem.sh --short
step upset          tests/verify/upset.sh
step estimate       tests/estimate/estimate.sh
step estimate-activity tests/estimate/estimate_activity.sh
step estimate-own   tests/estimate/own.sh
step export         tests/export/export.sh
step config         tests/config/config.sh
step import         tests/config/import.sh
step micro          tests/studies/micro.sh
step rates          tests/studies/rates.sh
step micro-gpu      tests/silicon/micro.sh
step silicon-beside tests/studies/silicon.sh
step sweep          tests/studies/sweep.sh
step report         tests/studies/report.sh
step reproduce      tests/studies/reproduce.sh
step bench          tests/bench/loss.sh
step seeded-bugs    tests/verify/bugs/run.sh --short
step odd-bugs       tests/verify/bugs/odd.sh --short
step handshakes     tests/verify/handshakes.sh
step handshake-bugs tests/verify/bugs/holds.sh --short
step determinism    tests/gpu/determinism.sh
step intervals      tests/gpu/intervals.sh
step profile        tests/gpu/profile.sh
step timeline       tests/gpu/timeline.sh
step jitter         tests/gpu/jitter.sh
step threads        tests/gpu/threads.sh
step folded         tests/workload/folded.sh
step as-driver      tests/workload/as_driver.sh
step kernels        tests/workload/kernels.sh
step examples       tests/examples.sh
step run-gpu        tests/silicon/run.sh
step modern         tests/silicon/modern.sh
step endless        tests/workload/endless.sh
step adapters       tests/adapters.sh
step python         tests/python.sh
step library        tests/cmodel/library.sh
step install        tests/install.sh
step kit            tests/kit.sh
step conform        tests/conform/conform.sh
step path           tests/conform/path.sh
step path-wild      tests/conform/path_wild.sh
step path-l1        tests/conform/l1_top.sh --short
step path-bugs      tests/conform/path_bugs.sh --short
step public-paths   tests/conform/public_paths.sh
step docs           docs/generate.sh --check
step prose          tests/prose.sh
step tutorials      tests/tutorials.sh
step outputs        docs/outputs.sh
finish_all
tests/unharmed.sh compare "$places/state" || failed+=(unharmed)
if [ "${#failed[@]}" != 0 ]; then
  for called in "${failed[@]}"; do
    [ ! -e "$logs/$called.log" ] || { echo "---- the end of $logs/$called.log:"; tail -n 40 "$logs/$called.log"; }
  done
  echo "make test: failed: ${failed[*]}"
  exit 1
fi
grep -hs '^skipped: ' "$logs"/*.log | sort -u || true
tail -n 1 "$logs/runner.log"
