#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Errors of a handshake (holds.txt): each is built into a copy of rtl/, and every property that its
# line `fails` names must be refuted. `cosim` must find it within 200,000 cycles.
#   tests/verify/bugs/holds.sh [--jobs N] [NAME...]   all of them, or the named ones
#   tests/verify/bugs/holds.sh --short                those with a line `cheap`, without `cosim`:
#                                                     what `make test` runs
# Prints a line for each: the cycle in which `cosim` finds it, and each property with the cycle in
# which it fails.
set -eu
cd "$(dirname "$0")/../../.."
. tests/verify/broken.sh

# seek NAME FILE FROM TO PROPERTIES MODULE SIZE...: the cycles, or why it is not found
seek() {
  local dir=$work/$1 properties=$5 module=$6 status=0 sizes=() cycle cycles=-
  mkdir "$dir" && cp rtl/*.v "$dir" && replace_once "$dir/$2.v" "$3" "$4" || return 1
  shift 6
  for s in "$@"; do sizes+=(--set "$s"); done
  if [ -z "$short" ]; then
    build/mrpb cosim "$module" "${sizes[@]}" --rtl "$dir" --cycles 200000 --no-shrink > "$dir/log" 2>&1 || status=$?
    cycles=$(sed -n 's/^MISMATCH .*, cycle \([0-9]*\),.*/\1/p' "$dir/log")
    [ "$status" = 1 ] && [ -n "$cycles" ] || { echo "cosim does not find it (exit $status): $(tail -n 1 "$dir/log")"; return 1; }
  fi
  for property in $properties; do
    status=0
    build/mrpb properties "$module" "${sizes[@]}" --rtl "$dir" --only "$property" --depth 14 --out "$dir" > "$dir/log" 2>&1 || status=$?
    cycle=$(sed -n "s/^  fails   $property, in cycle \([0-9]*\).*/\1/p" "$dir/log")
    [ "$status" = 1 ] && [ -n "$cycle" ] ||
      { echo "$property is not refuted (exit $status): $(grep -v '^module and size' "$dir/log" | head -n 2)"; return 1; }
    cycles+=" $property $cycle"
  done
  echo "$cycles"
}

row() { # row NAME "CYCLE PROPERTY CYCLE ..." SECONDS
  printf '%-30s %4s %8s   %s\n' "$1" "$3" "${2%% *}" "${2#* }"
}

[ "${1:-}" != --jobs ] || { jobs=$2; shift 2; }
short=''
[ "${1:-}" != --short ] || { short=1; shift; }
wanted=" $* "
known bug tests/verify/bugs "$@"
printf '%-30s %4s %8s   %s\n' bug s cosim "property, cycle"
while IFS= read -r line; do
  value=${line:6}
  case ${line:0:6} in
  "bug   ") name=${value%%:*} fails='' cheap='' ;;
  "file  ") file=$value ;;
  "from  ") from=$value ;;
  "to    ") to=$value ;;
  "fails ") fails=$value ;;
  "cheap ") cheap=$value ;;
  "run   ")
    [ "$#" = 0 ] || [[ $wanted == *" $name "* ]] || continue
    [ -z "$short" ] || [ -n "$cheap" ] || continue
    begin "$name" "$file" "$from" "$to" "$fails" $value
    ;;
  esac
done < tests/verify/bugs/holds.txt
finish
echo "handshake bugs: $passed refuted, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
