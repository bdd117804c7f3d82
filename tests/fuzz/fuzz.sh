#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make fuzz`: runs each reader's target in turn on a copy of its corpus. Usage: fuzz.sh SECONDS
# [READER...]
set -u
cd "$(dirname "$0")/../.."
seconds=$1
shift
build=build/fuzz found=build/fuzz/found status=0
mkdir -p "$found"
for reader in "$@"; do
  corpus=$build/corpus/$reader
  mkdir -p "$corpus"
  cp tests/fuzz/corpus/"$reader"/* "$corpus/"
  before=$(find "$found" -name "$reader-*" | wc -l)
  log=$build/$reader.log
  "$build/fuzz-$reader" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -max_len=65536 \
    -print_final_stats=1 -artifact_prefix="$found/$reader-" "$corpus" > "$log" 2>&1
  code=$?
  printf '%-10s exit %d  %9s runs  corpus %5d  covered %s  findings %d\n' "$reader" "$code" \
    "$(sed -n 's/stat::number_of_executed_units: *//p' "$log")" "$(find "$corpus" -type f | wc -l)" \
    "$(grep -o 'cov: [0-9]*' "$log" | tail -1 | cut -c6-)" \
    "$(($(find "$found" -name "$reader-*" | wc -l) - before))"
  if [ "$code" != 0 ]; then
    status=1
    grep -m 3 -E 'ERROR|runtime error|broken promise|SUMMARY' "$log" || tail -3 "$log"
  fi
done
rm -f /dev/shm/*-fuzz.*
exit $status
