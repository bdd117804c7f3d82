#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Plants the bugs of tests/conform/path/caches/bugs.txt, one at a time: each must be found in one of its
# clauses, in 60 s of CPU time, shrunk to at most 20 transactions, and break the same clause when its
# case is played again.
#   tests/conform/path_bugs.sh [--short | NAME...]    five, or the named ones; else all of them (minutes)
#   tests/conform/path_bugs.sh --page                 all of them, into docs/conform/caches.md
#   tests/conform/path_bugs.sh --page FILE...         what earlier runs have printed, into that page
set -u
[ "${1-}" != --short ] || set -- queue-evict-before-refill queue-beat-lost-write queue-flush-in-flight replay-store-full-table replay-store-beside-fill
page=docs/conform/caches.md
rows() { # rows FILE...: the table of what was printed, and a line about all of it
  cat "$@" | awk '$1 ~ /^(queue|replay)-/ {
      kind = $0; for (i = 0; i < 4; i++) sub(/^[^ ]+ +/, "", kind); sub(/^long: /, "", kind)
      row[++n] = "| " $1 " | " kind " | " $2 " | " $3 " | " $4 " |"
      kinds += !seen[kind]++
      if ($4 > slow) slow = $4
      if ($3 > long) long = $3
    }
    END {
      printf "%d bugs of %d kinds: the slowest takes %s s, the longest case has %d transactions.\n\n", n, kinds, slow, long
      print "| bug | kind | clause | transactions | CPU s |"
      print "| --- | --- | --- | ---: | ---: |"
      for (i = 1; i <= n; i++) print row[i]
    }'
}
into_page() { # into_page FILE...
  local new
  new=$(mktemp)
  { sed '/^<!-- bugs -->$/q' $page; rows "$@"; sed -n '/^<!-- \/bugs -->$/,$p' $page; } > "$new"
  cat "$new" > $page
  rm "$new"
}

into=
if [ "${1-}" = --page ]; then
  into=$page
  shift
  if [ $# != 0 ]; then
    files=()
    for file in "$@"; do files+=("$(realpath "$file")"); done
    cd "$(dirname "$0")/../.." && into_page "${files[@]}"
    exit
  fi
fi
cd "$(dirname "$0")/../.."
mrpb=${MRPB:-build/mrpb}
caches=tests/conform/path/caches
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
TIMEFORMAT='%U %S'

conform() { # conform ARGS...: what mrpb says of the cache with the bug
  timeout 1800 "$mrpb" conform --path --cycles 10000000 --map "$work/x.map" -f "$work/x.f" --lint off "$@" > "$work/said" 2>&1
}
clause() { # the clause that is broken
  sed -n 's/^VIOLATED .*(\(.*\)), cycle.*/\1/p' "$work/said"
}
plant() { # plant FILE SCRIPT SIZES: a list with the changed file in place of its own, and a map
  $caches/map.sh "$cache" $3 > "$work/x.map"
  sed -e "$2" "$caches/$1" > "$work/$1"
  for part in lanes.v "$cache.v"; do
    if [ "$part" = "$1" ]; then echo "$work/$part"; else echo "$caches/$part"; fi
  done > "$work/x.f"
  ! cmp -s "$caches/$1" "$work/$1"
}
judge() { # judge CLAUSES: why the bug in place counts as not found, or nothing
  local rc=0
  if { time conform "${shrink[@]}" --cases "$work/cases"; } 2> "$work/time"; then rc=0; else rc=$?; fi
  seconds=$(tail -n 1 "$work/time" | awk '{ printf "%.1f", $1 + $2 }')
  found=$(clause)
  left=$(sed -n 's/^  shrunk to   \([0-9]*\) transactions.*/\1/p' "$work/said")
  case_file=$(sed -n 's/^  kept  *//p' "$work/said")
  [ $rc = 1 ] || { echo "exit $rc, $(tail -n 1 "$work/said" | cut -c 1-120)" > "$work/why"; return; }
  case " $1 " in *" $found "*) ;; *) echo "clause $found instead of $1" > "$work/why"; return ;; esac
  [ "${left:-0}" -le 20 ] || echo "$left transactions" > "$work/why"
  awk "BEGIN { exit $seconds <= 60 }" && echo "$seconds s" > "$work/why"
  conform --replay "$case_file"
  [ "$(clause)" = "$found" ] || echo "played again: $(head -n 1 "$work/said" | cut -c 1-120)" > "$work/why"
}

printf '%-30s %-10s %12s %8s  %s\n' bug clause transactions 'CPU s' kind
while IFS='|' read -r file name kind clauses sizes script; do
  case $file in '' | \#*) continue ;; esac
  [ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
  cache=${name%%-*}_cache shrink=() seconds=- found=- left=- case_file=
  case $kind in long:*) shrink=(--no-shrink) ;; esac
  : > "$work/why"
  if plant "$file" "$script" "${sizes#-}"; then judge "$clauses"; else echo "its script changes nothing" > "$work/why"; fi
  printf '%-30s %-10s %12s %8s  %s\n' "$name" "${found:--}" "${left:--}" "$seconds" "$kind" | tee -a "$work/table"
  if [ -s "$work/why" ]; then
    echo "path bugs: $name: $(tail -n 1 "$work/why")"
    failed=$((failed + 1))
  else
    passed=$((passed + 1))
  fi
done < $caches/bugs.txt
echo "path bugs: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ] || exit 1
[ -z "$into" ] || into_page "$work/table"
