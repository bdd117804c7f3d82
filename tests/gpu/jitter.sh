#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Verilog that answers alone in an SM, under JITTER and in the checking mode: the correct tables
# break no rule, and each table that answers twice, never or late (jitter.txt) is found.
#   tests/gpu/jitter.sh             one of each kind, some 10^5 cycles: what `make test` runs
#   tests/gpu/jitter.sh --all       every table of the list, 10^7 cycles: `make jitter`
set -u
cd "$(dirname "$0")/../.."
. tests/edit.sh
mrpb=${MRPB:-build/mrpb}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 cycles=0
all=${1:-}
small="$mrpb run -c configs/base-s-mrpb.conf --set MSHR_ENTRIES=8 --set MSHR_MERGES=4 --set PRT_ENTRIES=8
  --set MRPB_QUEUES=8 --set MRPB_DEPTH=4 --set MRPB_BYPASS=all --set SMS=4 --kernel syr2k --cut 1"

true_() { # true_ NAME COMMAND...
  local name=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $name"
  fi
}
field() { awk -v name="$1" '$1 == name {print $2}' "$2"; } # field NAME LOG: of a report

# right COMMAND...: the tables of rtl/, alone, in all SMs: no violation, and the same cycles as the
# C models
right() {
  "$@" > "$work/c.log" 2>&1 || { cat "$work/c.log"; return 1; }
  "$@" --impl mrpb=rtl,mshr=rtl,prt=rtl --impl-sm all > "$work/log" 2>&1 || { tail -n 3 "$work/log"; return 1; }
  grep -q 'no violation' "$work/log" || { echo "not checked: $*"; return 1; }
  [ "$(field cycles "$work/log")" = "$(field cycles "$work/c.log")" ] || { echo "other cycles: $*"; return 1; }
  cycles=$((cycles + $(field cycles "$work/log")))
}

# wrong NAME FILE FROM TO SAYS: exit 1, and a line with SAYS
wrong() {
  local dir=$work/$1 status=0
  mkdir "$dir" && cp rtl/*.v "$dir" && replace_once "$dir/$2.v" "$3" "$4" || return 1
  $small --set JITTER=40 --impl "$2=rtl" --rtl "$dir" > "$dir/log" 2>&1 || status=$?
  [ "$status" = 1 ] && grep -q "$5" "$dir/log" && return 0
  echo "$1: exit $status: $(tail -n 1 "$dir/log")"
  return 1
}

short=' mshr-lost prt-late mrpb-duplicated '
while IFS= read -r line; do
  value=${line:6}
  case ${line:0:6} in
  "bug   ") name=${value%%:*} ;;
  "file  ") file=$value ;;
  "from  ") from=$value ;;
  "to    ") to=$value ;;
  "says  ") [ -z "$all" ] && [[ $short != *" $name "* ]] || true_ "$name is found" wrong "$name" "$file" "$from" "$to" "$value" ;;
  esac
done < tests/gpu/jitter.txt

true_ "the right tables" right $small --set JITTER=40
seed=2
while [ -n "$all" ] && [ "$failed" = 0 ] && [ "$cycles" -lt 10000000 ]; do
  for jitter in 5 20 40 60 80 100; do
    for more in MRPB_BYPASS=all SCHEDULER=gto MRPB_FLUSH=0 MRPB_POLICY=greedy-longest; do
      true_ "JITTER=$jitter JITTER_SEED=$seed $more" right $small --set JITTER=$jitter --set JITTER_SEED=$seed --set $more
    done
    seed=$((seed + 1))
  done
done
echo "jitter: $passed checks passed, $failed failed, $cycles cycles without a violation"
[ "$failed" = 0 ]
