#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# l1_top against the contract of a path, by the list l1_top.txt: no violation at its sizes, a million
# cycles each, and each of its bugs is found in its clause, or by lockstep, in 60 s of CPU time, with at
# most 20 transactions, and again when its case is played.
#   tests/conform/l1_top.sh [NAME...]           sizes and bugs by their names; else all of them
#   tests/conform/l1_top.sh --short             one size, 200,000 cycles, and three bugs
#   tests/conform/l1_top.sh --cycles N [SIZE..] no bugs: N cycles in all, at the sizes of `campaign`
#   tests/conform/l1_top.sh --page              all bugs, and their table into docs/conform/l1_top.md
#   tests/conform/l1_top.sh --page FILE...      what earlier runs have printed, into that page
# Before these: --jobs J: so many at a time (1); --seed S: the first seed of the sizes (1).
set -u
page=docs/conform/l1_top.md into='' files=() want=1 total='' cycles=1000000 seed=1 chosen=() short=''
while [ $# != 0 ]; do
  case $1 in
  --jobs) want=$2 && shift ;;
  --seed) seed=$2 && shift ;;
  --cycles) total=$2 && shift ;;
  --short) short=1 cycles=200000 chosen=(a control-load-store tags-fill-evict store-buffer-strobe) ;;
  --page) into=$page ;;
  *) if [ -n "$into" ]; then files+=("$(realpath "$1")"); else chosen+=("$1"); fi ;;
  esac
  shift
done
cd "$(dirname "$0")/../.."
. tests/conform/planted.sh
if [ ${#files[@]} != 0 ]; then
  into_page $page "${files[@]}"
  exit
fi
. tests/verify/broken.sh
jobs=$want
mrpb=${MRPB:-build/mrpb} list=tests/conform/l1_top.txt maps=docs/conform/maps/path
for name in "${chosen[@]}"; do
  grep -qE "^(size +$name |bug +$name:)" $list || { echo "$name: neither a size nor a bug of $list" >&2; exit 2; }
done
wanted() { # wanted NAME: it was chosen, or nothing was
  [ ${#chosen[@]} = 0 ] || [[ " ${chosen[*]} " == *" $1 "* ]]
}

# prepare WORK SIZE RTL: list, map and sizes of the interface
prepare() {
  local row value bus=8 log2
  row=$(sed -n "s/^size $2 //p" $list)
  [ -n "$row" ] || { echo "$list has no size $2"; return 1; }
  [ -z "$total" ] || row=${row/ PATIENCE=1024/} # of the map; with less, requests that never end are found sooner
  for value in ${row%%;*}; do
    [[ $value != BUS=* ]] || bus=${value#BUS=}
  done
  for ((log2 = 0; 1 << log2 < bus; log2++)); do :; done
  { grep -v '^out a[rw]_size_o' $maps/l1_top.map
    printf "out a%s_size_o = 3'd%s\n" r "$log2" w "$log2"
    for value in ${row#*;}; do echo "param ${value%=*} = ${value#*=}"; done; } > "$1/l1_top.map"
  printf '%s\n' "$3"/*.v "$PWD/$maps/l1_top_path.v" > "$1/l1_top.f"
  printf -- '--set %s ' ${row%%;*} > "$1/sizes"
}

# conform WORK ARG...: what mrpb says of the Verilog in WORK, in WORK/said
conform() {
  local work=$1
  shift
  if [ -e "$work/lockstep" ]; then
    [ "$1" = --replay ] || set -- $(< "$work/lockstep") "${@/--cases/--regress}"
    timeout 1800 "$mrpb" cosim --rtl "$work/rtl" "$@"
  else
    timeout 86400 "$mrpb" conform --path -f "$work/l1_top.f" --map "$work/l1_top.map" --lint off $(< "$work/sizes") "$@"
  fi > "$work/said" 2>&1
}

# What tests/verify/broken.sh runs: a size, or a bug.
seek() {
  local dir=$work/$1
  mkdir "$dir" && : > "$dir/why"
  if [ "$2" = size ]; then size "$dir" "${@:3}"; else bug "$dir" "${@:3}"; fi
}
size() { # size DIR SIZE CYCLES SEED
  prepare "$1" "$2" "$PWD/rtl" || return 1
  conform "$1" --cycles "$3" --seed "$4" --cases build/cases || { cat "$1/said"; return 1; }
  sed -nE 's/^(conforms for [0-9]+ cycles).*(seed [0-9]+).*/\1, \2/p; s/^  (requests|memory) +//p' "$1/said"
}
bug() { # bug DIR FILE FROM TO KIND SIZE CLAUSES, or ... lockstep "MODULE PARAMETER=VALUE..."
  mkdir "$1/rtl" && cp rtl/*.v "$1/rtl" && replace_once "$1/rtl/$2.v" "$3" "$4" || return 1
  local seconds=- found=- left=- clauses=$7 most=10000000
  if [ "$6" = lockstep ]; then
    clauses=lockstep most=1000000
    echo "$7" | sed 's/ / --set /g' > "$1/lockstep"
  else
    prepare "$1" "$6" "$1/rtl" || return 1
  fi
  judge "$1" "$clauses" --cycles $most
  [ ! -s "$1/why" ] || { tail -n 1 "$1/why"; return 1; }
  echo "$found $left $seconds $5"
}
row() { # row NAME SAID SECONDS: the line of a bug, or what a size has run
  local found left seconds kind
  case $2 in
  conforms*) echo "size $1: ${2//$'\n'/; }" ;;
  *) read -r found left seconds kind <<< "$2" && line "$1" "$found" "$left" "$seconds" "$kind" ;;
  esac
}

sizes=$(sed -nE 's/^size +([a-z]+) .*/\1/p' $list) parts=1
if [ -n "$total" ]; then
  # Parts of a size, with seeds of their own, keep all jobs busy to the end.
  [ ${#chosen[@]} = 0 ] && sizes=$(sed -n 's/^campaign  *//p' $list) || sizes=${chosen[*]}
  parts=5
  cycles=$((total / (parts * $(wc -w <<< "$sizes"))))
fi
[ -n "$into" ] || for size in $sizes; do
  wanted "$size" || continue
  for ((part = 1; part <= parts; part++)); do
    begin "$size$([ $parts = 1 ] || echo -$part)" size "$size" "$cycles" "$seed"
    seed=$((seed + 1000000))
  done
done
[ -n "$total" ] || [ -n "$short" ] || line
[ -n "$total" ] || while IFS= read -r text; do
  key=${text%% *} value=${text#"$key"}
  value=${value#"${value%%[! ]*}"}
  case $key in
  bug) name=${value%%:*} ;;
  kind) kind=$value ;;
  file) file=$value ;;
  from) from=$value ;;
  to) to=$value ;;
  run) ! wanted "$name" || begin "$name" bug "$file" "$from" "$to" "$kind" "${value%% *}" "${value#* }" ;;
  esac
done < $list
finish
[ -z "$total" ] || echo "l1_top: $((cycles * (passed + failed))) cycles at $(wc -w <<< "$sizes") sizes"
echo "l1_top: $passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" != 0 ] || exit 1
[ -z "$into" ] || into_page $page "$work"/*.ok
