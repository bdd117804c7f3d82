#!/usr/bin/env bash
# `make test`: every check in turn, each with its log under build/logs; the first failure shows its log and
# stops. The C test runner comes last, so that its closing line ends the output.
set -eu
cd "$(dirname "$0")/.."
logs=build/logs
mkdir -p "$logs"
jobs=$(nproc)

step() { # step NAME COMMAND...
  local name=$1 start=$SECONDS
  shift
  printf '%-40s ' "$name"
  if "$@" > "$logs/$name.log" 2>&1; then
    printf 'ok  %4d s   %s\n' $((SECONDS - start)) "$(tail -n 1 "$logs/$name.log" | cut -c1-80)"
  else
    local status=$?
    printf 'FAILED (exit %d); the end of %s/%s.log:\n' "$status" "$logs" "$name"
    tail -n 40 "$logs/$name.log"
    exit 1
  fi
}

export CK_DEFAULT_TIMEOUT=600
step layout         tests/layout.sh
step rtl-lint       tests/rtl/lint.sh
step lockstep       build/mrpb cosim --matrix tests/cosim/matrix.txt --jobs "$jobs"
step docs           docs/generate.sh --check
step waves          tests/waves.sh
step examples       tests/examples.sh
step command-line   tests/cli.sh
step sanitizers     env CK_FORK=no CK_EXCLUDE_TAGS=long build/san/check_all
step valgrind       env CK_FORK=no CK_EXCLUDE_TAGS="long heavy" valgrind --quiet --error-exitcode=9 --leak-check=full \
                    --errors-for-leak-kinds=definite,possible build/check_all
exec build/check_all
