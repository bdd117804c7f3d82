#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lints every module of rtl/ (or of the directory given) with Verilator, Icarus and Yosys, without
# waivers, at sizes made from the ranges in cmodel/ports/*.ports.h, and checks that each tool
# refuses every parameter one below and one above its range, with its token.
# usage: tests/verilog/lint.sh [RTL_DIRECTORY]     exit 0 all passed, 1 something failed, 2 cannot
# run
set -u
shopt -s extglob
cd "$(dirname "$0")/../.." || exit 2
rtl=${1:-rtl}
for tool in verilator iverilog yosys; do
  command -v "$tool" > /dev/null || { echo "lint.sh: $tool is not installed" >&2; exit 2; }
done
[ -d "$rtl" ] || { echo "lint.sh: no directory $rtl" >&2; exit 2; }
sources=("$rtl"/*.v)
passed=0 failed=0 out=
. tests/tier.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Warnings count by name: the kinds that lockstep and proofs count, from one list. Other kinds come
# from newer versions, and newer versions end with a report.
kinds=$(sed -n '/static const char list\[\]/,/;/s/^ *"\(.*\)".*/\1/p' tb/verilog/said.c | tr -d '\n')
[[ $kinds == *" WIDTH "* ]] || { echo "lint.sh: no list of warnings in tb/verilog/said.c" >&2; exit 2; }
complaints() { # the warnings of Verilator that count
  local line
  while IFS= read -r line; do
    case $line in
    "%Error: Exiting due to"*) ;;
    "%Error"*) echo "$line" ;;
    "%Warning-"*) line=${line#%Warning-}; [[ $kinds == *" ${line%%:*} "* ]] && echo "%Warning-$line" ;;
    esac
  done
  return 0
}

# Each tool takes MODULE NAME=VALUE..., writes its output to $out, and returns 0 if it accepts the
# design.
run_verilator() {
  local top=$1 status=0; shift
  out=$(verilator --lint-only -Wall -Wno-fatal -fno-const-bit-op-tree -y "$rtl" --top-module "$top" \
        "${@/#/-G}" "$rtl/$top.v" 2>&1) || status=$?
  out=$(complaints <<< "$out")
  return $status
}
run_iverilog() {
  local top=$1; shift
  out=$(iverilog -g2005 -Wall -y "$rtl" -s "$top" -o "$work/lint.vvp" "${@/#/-P$top.}" "$rtl/$top.v" 2>&1)
}
# -defer elaborates only what the top needs, each chparam once more; -1 is in two's complement,
# since Yosys has no minus here
run_yosys() {
  local top=$1 set='' p v; shift
  for p in "$@"; do
    v=${p#*=}
    [ "$v" = -1 ] && v="32'b$(printf '1%.0s' {1..32})"
    set+=" -set ${p%%=*} $v"
  done
  set=${set:+chparam$set $top;}
  out=$(env -u HOME yosys -q -p "read_verilog -defer ${sources[*]/#$rtl\/$top.v/}; read_verilog $rtl/$top.v; $set
        hierarchy -check -top $top; proc; check -assert" 2>&1)
}

report() { # report STATUS TEXT: counts it; prints a failure with the tool's output
  if [ "$1" = 0 ]; then passed=$((passed + 1)); return; fi
  failed=$((failed + 1))
  echo "FAILED: $2"
  head -n 6 <<< "${out:-(no output)}" | cut -c1-200 | sed 's/^/    /'
}

# one line of NAME=VALUE... per size: defaults, smallest, largest, odd ones, every choice
legal_sizes() {
  local odd=(1 2 3 5 33) kinds=1 line k i v
  ! whole || kinds=4
  local line_min='' line_max=''
  for i in "${!names[@]}"; do
    line_min+="${names[i]}=${mins[i]} " line_max+="${names[i]}=${maxs[i]} "
  done
  echo ""                       # the defaults
  echo "$line_min"
  echo "$line_max"
  for ((k = 1; k <= kinds; k++)); do
    line=
    for i in "${!names[@]}"; do
      v=${odd[(k + i) % 5]}
      [ "$v" -gt "${maxs[i]}" ] && v=$((mins[i] + v % (maxs[i] - mins[i] + 1)))
      [ "$v" -lt "${mins[i]}" ] && v=$((mins[i] + v))
      line+="${names[i]}=$v "
    done
    echo "$line"
  done
  for i in "${!names[@]}"; do   # a choice rather than a size: every value, at the last odd sizes
    [ $((maxs[i] - mins[i])) -le 5 ] || continue
    for ((v = mins[i]; v <= maxs[i]; v++)); do echo "${line/${names[i]}=+([0-9])/${names[i]}=$v}"; done
  done
}

small_others() { # NAME: the other parameters at their minimum, to be quick
  local i
  for i in "${!names[@]}"; do [ "${names[i]}" = "$1" ] || printf '%s=%s ' "${names[i]}" "${mins[i]}"; done
}

for ports in cmodel/ports/*.ports.h; do
  stem=$(basename "$ports" .ports.h)
  names=() mins=() maxs=()
  while IFS=', ' read -r name _ min max; do
    names+=("$name") mins+=("$min") maxs+=("$max")
  done < <(sed -n 's/^PARAM(\([A-Z_0-9]*\), *\([0-9]*\), *\([0-9]*\), *\([0-9]*\),.*/\1 \2 \3 \4/p' "$ports")
  [ "${#names[@]}" = "$(grep -c '^PARAM(' "$ports")" ] || { echo "lint.sh: cannot read $ports" >&2; exit 2; }
  mapfile -t sizes < <(legal_sizes)
  for tool in verilator iverilog yosys; do
    before=$failed accepted=${#sizes[@]} refused=0
    for size in "${sizes[@]}"; do
      read -ra set <<< "$size"
      "run_$tool" "$stem" ${set[@]+"${set[@]}"} && [ -z "$out" ]
      report $? "$tool $stem ${size:-defaults}: it should be accepted without a word"
    done
    for i in "${!names[@]}"; do
      read -ra set <<< "$(small_others "${names[i]}")"
      token="ERROR_${stem}_${names[i]}_must_be_${mins[i]}_to_${maxs[i]}"
      for v in $((mins[i] - 1)) $((maxs[i] + 1)); do
        refused=$((refused + 1))
        ! "run_$tool" "$stem" "${names[i]}=$v" ${set[@]+"${set[@]}"} && grep -qw "$token" <<< "$out"
        report $? "$tool $stem ${names[i]}=$v: it should be refused with $token"
      done
    done
    printf '%-10s %-15s %2d sizes accepted, %2d refused, %d failed\n' "$tool" "$stem" \
      "$accepted" "$refused" $((failed - before))
  done
done
echo "rtl lint: $passed checks passed, $failed failed"
[ "$failed" = 0 ]
