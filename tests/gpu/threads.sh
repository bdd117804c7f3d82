#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# GPUs in threads, and one GPU on threads: every count equals that of a lone GPU on one thread, and
# there is no data race under the thread sanitizer (make TSAN=1 build/tsan/threads build/tsan/apart).
set -u
cd "$(dirname "$0")/../.."
program=build/tsan/threads
passed=0 failed=0
check() { # check NAME COMMAND...
  local name=$1
  shift
  if "$@" > build/tsan/said 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "threads: $name"; head -40 build/tsan/said; fi
}
export TSAN_OPTIONS="halt_on_error=1 exitcode=66"
check "GPUs in threads" "$program"
check "a GPU on threads" build/tsan/apart
found() { "$program" race; [ $? = 66 ] && grep -q 'data race' build/tsan/said; }
check "a data race is not noticed" found
echo "threads: $passed passed, $failed failed"
[ "$failed" = 0 ]
