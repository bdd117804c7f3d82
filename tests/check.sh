#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make check`: the quick part of `make test`, in under a minute: layout and format, the suites
# without their long cases, 20 rows in lockstep. It always runs all three parts; the last line says
# how many failed.
#   tests/check.sh BUILD [JOBS]     with the programs and libraries in the folder BUILD
set -u
cd "$(dirname "$0")/.."
build=$1 jobs=${2:-$(nproc)} failed=0
logs=$build/logs
mkdir -p "$logs"

# Timeouts catch hangs; a busy machine must not trigger them.
suites() { CK_EXCLUDE_TAGS="long heavy" CK_DEFAULT_TIMEOUT=60 CK_TIMEOUT_MULTIPLIER=10 "$build/check_all"; }
lockstep() { "$build/mrpb" cosim --matrix tests/cosim/quick.txt --cycles 20000 --jobs "$jobs"; }
layout() { BUILD=$build JOBS=$jobs tests/layout.sh; }

set -m
trap 'kill -- $(jobs -p | sed s/^/-/) 2> /dev/null; exit 130' INT TERM
declare -A id=() status=()
end_of() { # end_of PART: waits for it, once
  [ -z "${status[$1]:-}" ] || return 0
  wait "${id[$1]}"
  status[$1]=$?
}
for part in lockstep suites layout; do
  $part > "$logs/$part.log" 2>&1 < /dev/null &
  id[$part]=$!
  [ "$jobs" -gt 1 ] || end_of $part
done
for part in layout suites lockstep; do
  end_of $part
  if [ "${status[$part]}" = 0 ]; then
    printf '%-10s ok      %s\n' $part "$(tail -n 1 "$logs/$part.log" | cut -c1-90)"
  else
    failed=$((failed + 1))
    printf '%-10s FAILED; the end of %s:\n' $part "$logs/$part.log"
    tail -n 30 "$logs/$part.log"
  fi
done
echo "check: $((3 - failed)) passed, $failed failed"
[ "$failed" = 0 ]
