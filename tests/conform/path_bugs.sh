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
page=docs/conform/caches.md into=
files=()
if [ "${1-}" = --page ]; then
  into=$page
  shift
  for file in "$@"; do files+=("$(realpath "$file")"); done
  set --
fi
cd "$(dirname "$0")/../.."
. tests/conform/planted.sh
if [ ${#files[@]} != 0 ]; then
  into_page $page "${files[@]}"
  exit
fi
mrpb=${MRPB:-build/mrpb}
caches=tests/conform/path/caches
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

conform() { # conform WORK ARG...: what mrpb says of the cache with the bug
  local work=$1
  shift
  timeout 1800 "$mrpb" conform --path --cycles 10000000 --map "$work/x.map" -f "$work/x.f" --lint off "$@" > "$work/said" 2>&1
}
plant() { # plant FILE SCRIPT SIZES: a list with the changed file in place of its own, and a map
  $caches/map.sh "$cache" $3 > "$work/x.map"
  sed -e "$2" "$caches/$1" > "$work/$1"
  for part in lanes.v "$cache.v"; do
    if [ "$part" = "$1" ]; then echo "$work/$part"; else echo "$caches/$part"; fi
  done > "$work/x.f"
  ! cmp -s "$caches/$1" "$work/$1"
}

line
while IFS='|' read -r file name kind clauses sizes script; do
  case $file in '' | \#*) continue ;; esac
  [ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
  cache=${name%%-*}_cache shrink=() seconds=- found=- left=-
  case $kind in long:*) shrink=(--no-shrink) ;; esac
  : > "$work/why"
  if plant "$file" "$script" "${sizes#-}"; then judge "$work" "$clauses" "${shrink[@]}"; else echo "its script changes nothing" > "$work/why"; fi
  line "$name" "${found:--}" "${left:--}" "$seconds" "$kind" | tee -a "$work/table"
  if [ -s "$work/why" ]; then
    echo "path bugs: $name: $(tail -n 1 "$work/why")"
    failed=$((failed + 1))
  else
    passed=$((passed + 1))
  fi
done < $caches/bugs.txt
echo "path bugs: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ] || exit 1
[ -z "$into" ] || into_page $into "$work/table"
