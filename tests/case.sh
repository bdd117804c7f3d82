# SPDX-License-Identifier: Apache-2.0
# Sourced by tests that count what commands print and how they end; they set work, a folder of their own, and passed=0 failed=0.

# case_ NAME EXIT_CODE PATTERN COMMAND...: the pattern is in what the command prints; with strict=1, in the one line
# that it prints on stderr.
case_() {
  local name=$1 code=$2 pattern=$3 said=$work/out status
  shift 3
  if [ -n "${strict:-}" ]; then
    said=$work/err
    "$@" > "$work/out" 2> "$said"
  else
    "$@" > "$said" 2>&1
  fi
  status=$?
  if [ "$status" = "$code" ] && grep -qE -- "$pattern" "$said" && { [ -z "${strict:-}" ] || [ "$(wc -l < "$said")" = 1 ]; }; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $name: exit $status (expected $code): $(head -c 600 "$said")"
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
