#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# l1_top against the contract of a path: no violation at the sizes of l1_top.txt, and each bug of that
# list breaks its clause. --short: one size and two bugs, 200,000 cycles each; else a million.
#   tests/conform/l1_top.sh [--short | NAME...]     sizes and bugs by their names
set -u
cd "$(dirname "$0")/../.."
mrpb=${MRPB:-build/mrpb} list=tests/conform/l1_top.txt maps=docs/conform/maps/path
cycles=1000000
if [ "${1-}" = --short ]; then
  cycles=200000
  set -- a load-store open-store
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
wanted() { # wanted NAME [NAME]...: among the arguments of the script, or there are none
  local name=$1
  shift
  [ $# = 0 ] || [[ " $* " == *" $name "* ]]
}

# conform SIZE RTL_DIR: what mrpb says of the Verilog there, in $work/said
conform() {
  local row set=() value bus=8 log2
  row=$(sed -n "s/^size $1 //p" $list)
  for value in ${row%%;*}; do
    set+=(--set "$value")
    [[ $value != BUS=* ]] || bus=${value#BUS=}
  done
  for ((log2 = 0; 1 << log2 < bus; log2++)); do :; done
  { grep -v '^out a[rw]_size_o' $maps/l1_top.map
    printf "out a%s_size_o = 3'd%s\n" r "$log2" w "$log2"
    for value in ${row#*;}; do echo "param ${value%=*} = ${value#*=}"; done; } > "$work/l1_top.map"
  printf '%s\n' "$2"/*.v "$PWD/$maps/l1_top_path.v" > "$work/l1_top.f"
  "$mrpb" conform --path -f "$work/l1_top.f" --map "$work/l1_top.map" --lint off --cases "$work" --cycles "$cycles" "${set[@]}" \
    > "$work/said" 2>&1
}

while read -r size; do
  wanted "$size" "$@" || continue
  if conform "$size" "$PWD/rtl"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "l1_top: size $size: $(head -1 "$work/said")"; fi
done < <(sed -nE 's/^size ([a-z]+) .*/\1/p' $list)

while IFS= read -r line; do
  key=${line%% *} value=${line#"$key"}
  value=${value#"${value%%[! ]*}"}
  case $key in
  bug) name=${value%%:*} ;;
  file) file=$value ;;
  from) from=$value ;;
  to) to=$value ;;
  run)
    wanted "$name" "$@" || continue
    rm -rf "$work/rtl" && mkdir "$work/rtl" && cp rtl/*.v "$work/rtl"
    text=$(< "rtl/$file.v")
    printf '%s\n' "${text/"$from"/"$to"}" > "$work/rtl/$file.v"
    conform "${value% *}" "$work/rtl"
    if grep -q "^VIOLATED .*(${value#* })" "$work/said"; then passed=$((passed + 1)); else
      failed=$((failed + 1))
      echo "l1_top: $name: not found in clause ${value#* }: $(head -1 "$work/said")"
    fi
    ;;
  esac
done < $list
echo "l1_top: $passed passed, $failed failed"
[ "$failed" = 0 ]
