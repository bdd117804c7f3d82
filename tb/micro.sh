#!/usr/bin/env bash
# `make micro`: micro.sh JOBS GPU...: every study that was published about these GPUs, JOBS of them at a time; plots, data and
# one page of tables in build/micro. Exit 1 if a deduction missed its configuration.
set -eu
jobs=$1
shift
out=build/micro
mkdir -p "$out"
status=0
one='build/mrpb micro all -c "configs/$1.conf" -o "$0" --markdown "$0/$1.md" > "$0/$1.txt" 2>&1 || { s=$?; tail -n 1 "$0/$1.txt"; exit $s; }; echo "$1: $0/$1.txt"'
printf '%s\n' "$@" | xargs -P "$jobs" -I{} bash -c "$one" "$out" {} || status=1
{
  printf '# What the studies found\n\nWritten by `make micro`. What the columns mean: docs/micro/README.md.\n'
  for gpu in "$@"; do
    [ -s "$out/$gpu.md" ] || continue
    printf '\n## %s\n\n%s\n\n' "$gpu" "$(sed -n '1s/^# //p' "configs/$gpu.conf")"
    cat "$out/$gpu.md"
  done
} > "$out/results.md"
echo "$out/results.md"
exit "$status"
