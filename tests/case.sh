# SPDX-License-Identifier: Apache-2.0
# Sourced by tests that check what commands print and how they end. They set `work`, their own
# folder, and passed=0 failed=0.

# case_ NAME EXIT_CODE PATTERN COMMAND...: the pattern matches what the command prints; with
# strict=1, it matches the one line that it prints on stderr.
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
# some_ N NAME EXIT_CODE PATTERN COMMAND...: case_ for the first of N calls; for each in the whole
# test (tier.sh)
some_() {
  local every=$1
  shift
  ! sampled "$every" || case_ "$@"
}
# true_ NAME COMMAND...: it succeeds; if not, prints the end of the out and err of the previous case
true_() {
  local name=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $name"; tail -qn 5 "$work/out" "$work/err" 2> /dev/null; fi
}
