#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Seeded bugs (bugs.txt, rare.txt): each is built into a copy of rtl/. `cosim` must find it within
# 200,000 cycles, or a rare one within 1,000,000, and shrink it to at most 20 transactions, or a
# rare one to the number known to suffice. The shrunk case, and the one kept in tests/cosim/regress,
# must differ again.
#   tests/verify/bugs/run.sh [--jobs N] [NAME...]   all of them, or the named ones
#   tests/verify/bugs/run.sh --short                the first one of each Verilog file, and some
#                                                   rare ones: what `make test` runs
# Prints a line for each: cycles until it was found, transactions of the shrunk case, seconds.
set -eu
cd "$(dirname "$0")/../../.."
. tests/verify/broken.sh

# broken_copy DIR FILE FROM TO: a copy of rtl/ in which TO replaces the only FROM of FILE
broken_copy() {
  mkdir "$1" && cp rtl/*.v "$1" && replace_once "$1/$2.v" "$3" "$4"
}

differs() { # differs VEC RTL: the case shows a difference
  local status=0
  build/mrpb cosim --replay "$1" --rtl "$2" > "$2/log" 2>&1 || status=$?
  [ "$status" = 1 ] || { echo "$1 does not show it (exit $status): $(tail -n 1 "$2/log")"; return 1; }
}

# seek NAME FILE FROM TO CASE LEFT MODULE SIZE...: "CYCLES TRANSACTIONS VEC", or why it failed
seek() {
  local name=$1 dir=$work/$1 status=0 sizes=() cycles transactions vec
  broken_copy "$dir" "$2" "$3" "$4" || return 1
  local case=$5 most=${6:-20} module=$7 most_cycles=200000
  [ -n "$case" ] || most_cycles=1000000
  shift 7
  for s in "$@"; do sizes+=(--set "$s"); done
  build/mrpb cosim "$module" "${sizes[@]}" --rtl "$dir" --cycles "$most_cycles" --regress "$dir/kept" \
    > "$dir/log" 2>&1 || status=$?
  [ "$status" = 1 ] || { echo "not found (exit $status): $(tail -n 1 "$dir/log")"; return 1; }
  cycles=$(sed -n 's/^MISMATCH .*, cycle \([0-9]*\),.*/\1/p' "$dir/log")
  transactions=$(sed -n 's/^  shrunk to *\([0-9]*\) transactions.*/\1/p' "$dir/log")
  vec=$(sed -n 's/^  kept *//p' "$dir/log")
  [ -n "$transactions" ] && [ -n "$vec" ] || { echo "not shrunk: $(grep shrunk "$dir/log")"; return 1; }
  [ "$transactions" -le "$most" ] || { echo "shrunk to $transactions transactions only"; return 1; }
  [ "$(wc -l < "$dir/log")" -le 24 ] || { echo "the report has $(wc -l < "$dir/log") lines"; return 1; }
  [ -z "$case" ] || differs "tests/cosim/regress/$case" "$dir" || return 1
  if [ "${vec##*/}" != "$case" ]; then # not the case that tests/cosim/regress.sh replays
    differs "$vec" "$dir" || return 1
    build/mrpb cosim --replay "$vec" > "$dir/log" 2>&1 || { echo "$vec: rtl/ differs, too"; return 1; }
  fi
  echo "$cycles $transactions $(basename "$vec")"
}

row() { # row NAME "CYCLES TRANSACTIONS VEC" SECONDS
  printf '%-30s %8s %4s %5s   %s\n' "$1" ${2% *} "$3" "${2##* }"
}

[ "${1:-}" != --jobs ] || { jobs=$2; shift 2; }
short='' seen=' '
[ "${1:-}" != --short ] || { short=1; shift; }
wanted=" $* "
known bug tests/verify/bugs "$@"
printf '%-30s %8s %4s %5s   %s\n' bug "cycles" "left" "s" "case"
while IFS= read -r line; do
  value=${line:6}
  case ${line:0:6} in
  "bug   ") name=${value%%:*} case='' left='' cheap='' ;;
  "file  ") file=$value ;;
  "from  ") from=$value ;;
  "to    ") to=$value ;;
  "case  ") case=$value ;;
  "left  ") left=$value ;;
  "cheap ") cheap=$value ;;
  "run   ")
    [ "$#" = 0 ] || [[ $wanted == *" $name "* ]] || continue
    [ -z "$short" ] || [ -n "$cheap" ] || [[ $seen != *" $file "* ]] || continue
    seen+="$file "
    begin "$name" "$file" "$from" "$to" "$case" "$left" $value
    ;;
  esac
done < <(cat tests/verify/bugs/bugs.txt tests/verify/bugs/rare.txt)
finish
echo "bugs: $passed found, $failed failed; most transactions $(cat "$work"/*.ok | awk '$3 > n {n = $3} END {print n + 0}')"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
