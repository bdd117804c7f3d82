# SPDX-License-Identifier: Apache-2.0
# Sourced by tests that count what commands print and how they end; they set work, a folder of their own, and passed=0 failed=0.

case_() { # case_ NAME EXIT_CODE PATTERN COMMAND...: the pattern is in what the command prints
  local name=$1 code=$2 pattern=$3 status
  shift 3
  "$@" > "$work/out" 2>&1
  status=$?
  if [ "$status" = "$code" ] && grep -qE -- "$pattern" "$work/out"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $name: exit $status (expected $code): $(head -c 600 "$work/out")"
  fi
}
some_() { # some_ N NAME EXIT_CODE PATTERN COMMAND...: case_, of N calls the first; of each in the whole test (tier.sh)
  local every=$1
  shift
  ! sampled "$every" || case_ "$@"
}
true_() { # true_ NAME COMMAND...: it succeeds; if not, the end of what the case before it has left in out and err is shown
  local name=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $name"; tail -qn 5 "$work/out" "$work/err" 2> /dev/null; fi
}
