#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How long programs take on 1, 2, 4, 8 and 16 threads, as far as this host has processors: wall time,
# median of REPEAT runs, all ways in turn. Each run's counts must be those of one thread.
#   tests/bench/threads.sh [--repeat N] [--loaded] [--page] [PROGRAM...]
# --loaded: every processor also runs something else. --page: the table goes into docs/threads.md, one
# for each number of processors.
set -u
cd "$(dirname "$0")/../.."
page=docs/threads.md repeat=5 into='' loaded='' only=()
threads=(1) mrpb=${MRPB:-build/mrpb}
while [ $# != 0 ]; do
  case $1 in
  --repeat) repeat=$2 && shift ;;
  --loaded) loaded=1 ;;
  --page) into=$page ;;
  *) only+=("$1") ;;
  esac
  shift
done
for t in 2 4 8 16; do [ "$t" -gt "$(nproc)" ] || threads+=("$t"); done
rows() {
  cat << 'END'
base-s gemm --cut 128
base-s 2dconv --size 2048
base-s 3dconv --size 128
base-s hs --size 512
base-s syr2k --cut 128
base-s atax --cut 512
base-s-mrpb atax --cut 512
h200 gemm --cut 64
END
}
work=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null; rm -rf "$work"' EXIT
for ((i = 0; loaded && i < $(nproc); i++)); do while :; do :; done & done

once() { # once THREADS CONFIG PROGRAM OPTION VALUE: milliseconds
  local from to
  from=$(date +%s%N)
  "$mrpb" run -c "configs/$2.conf" --kernel "$3" "$4" "$5" --threads "$1" --json "$work/$1.json" > "$work/said" 2>&1 || {
    echo "$*: $(tail -1 "$work/said")" >&2
    exit 2
  }
  to=$(date +%s%N)
  cmp -s "$work/1.json" "$work/$1.json" || { echo "$*: other counts than on one thread" >&2; exit 1; }
  echo $(((to - from) / 1000000))
}
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
measure() { # measure CONFIG PROGRAM OPTION VALUE
  local t i line="| $1 | $2 $3 $4 |" one=''
  for ((i = 0; i < repeat; i++)); do
    for t in "${threads[@]}"; do once "$t" "$@" >> "$work/times.$t" || exit; done
  done
  for t in "${threads[@]}"; do
    ms=$(median < "$work/times.$t")
    one=${one:-$ms}
    line+=$(awk -v ms="$ms" -v one="$one" -v t="$t" 'BEGIN { printf t == 1 ? " %.2f |" : " %.2f (%.2f) |", ms / 1000, one / ms }')
    rm "$work/times.$t"
  done
  echo "$line"
}
table() {
  echo "$(lscpu | sed -n 's/^Model name: *//p' | head -1), $(nproc) processors, load $(cut -d' ' -f1 /proc/loadavg) at the beginning${loaded:+, each with other work}; median of $repeat runs:"
  echo
  printf '| configuration | program | 1 thread, s |'
  printf ' %s |' "${threads[@]:1}"
  printf '\n| --- | --- |%s\n' "$(printf ' ---: |%.0s' "${threads[@]}")"
  while read -r config program option value; do
    [ ${#only[@]} = 0 ] || [[ " ${only[*]} " == *" $program "* ]] || continue
    measure "$config" "$program" "$option" "$value" < /dev/null || exit
  done < <(rows)
}
if [ -z "$into" ]; then
  table
else
  table > "$work/table" || exit
  awk -v n="$(nproc)" -v table="$work/table" '
    function put(  line) { print "<!-- speed " n " -->"; while ((getline line < table) > 0) print line; print "<!-- /speed -->"; put_it = 1 }
    $0 == "<!-- speed " n " -->" { put(); old = 1 }
    $0 == "<!-- speed end -->" && !put_it { put(); print "" }
    !old { print }
    $0 == "<!-- /speed -->" { old = 0 }' "$page" > "$work/page" || exit
  cat "$work/page" > "$page"
fi
