#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Plants the bugs of tests/conform/bugs.txt, one at a time: each must be found and shrunk to at most
# 20 transactions. Bugs marked `long` are not shrunk.
#   tests/conform/bugs.sh [NAME]...    the named ones; without a name all of them (minutes)
set -u
cd "$(dirname "$0")/../.."
mrpb=${MRPB:-build/mrpb}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
printf '%-24s %-12s %13s %8s\n' bug clause transactions seconds
while IFS='|' read -r file name what command; do
  case $file in '' | \#*) continue ;; esac
  [ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
  sed -e "$command" "tests/conform/tables/$file" > "$work/$file"
  echo "$work/$file" > "$work/x.f"
  start=$(date +%s%N)
  if cmp -s "tests/conform/tables/$file" "$work/$file"; then
    echo "conform bugs: $name: its command changes nothing"
    failed=$((failed + 1))
    continue
  fi
  most=20 shrink=
  case $what in long:*) most=999999999 shrink=--no-shrink ;; esac
  timeout 120 "$mrpb" conform $shrink --map "tests/conform/tables/${file%.*}.map" -f "$work/x.f" --lint off --cases "$work/cases" > "$work/said" 2>&1
  rc=$?
  took=$(awk "BEGIN { printf \"%.1f\", ($(date +%s%N) - $start) / 1e9 }")
  clause=$(sed -n 's/^VIOLATED .*(\(.*\)), cycle.*/\1/p' "$work/said")
  left=$(sed -n 's/^  shrunk to   \([0-9]*\) transactions.*/\1/p' "$work/said")
  printf '%-24s %-12s %13s %8s\n' "$name" "${clause:--}" "${left:--}" "$took"
  again=1
  case_file=$(sed -n 's/^  kept  *//p' "$work/said")
  [ -z "$case_file" ] || { "$mrpb" conform --map "tests/conform/tables/${file%.*}.map" -f "$work/x.f" --lint off --replay "$case_file" > /dev/null 2>&1; again=$?; }
  if [ $rc = 1 ] && [ "${left:-$most}" -le $most ] && [ "$again" = 1 ]; then
    passed=$((passed + 1))
  else
    echo "conform bugs: $name: exit $rc, $(tail -n 1 "$work/said" | cut -c 1-120)"
    failed=$((failed + 1))
  fi
done < tests/conform/bugs.txt
echo "conform bugs: $passed passed, $failed failed"
[ "$failed" = 0 ]
