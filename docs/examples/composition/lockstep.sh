#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compares two VCD files of the same design: every signal that both have, in every clock cycle, with
# its value just before the rising edge of clk_i. Names count from TOP on; a signal of more than 64
# bits in one file is NAME_w0, NAME_w1 ... in the other.
# usage: lockstep.sh TOP A.vcd B.vcd [FROM [LEAST]]   from cycle FROM on (4: after the reset), at
#                                                     least LEAST signals (1)
set -eu
top=$1 a=$2 b=$3 from=${4:-4} least=${5:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

table() { # table VCD: "CYCLE NAME VALUE" wherever a value changes from one cycle to the next
  awk -v top="$top" -v from="$from" '
    function set(name, value,    w) {
      sub(/^0+/, "", value)
      if (value == "") value = "0"
      next_value[name] = value
    }
    function put(id, value,    i, n, name, w, v) {
      if (id == clock && value == "1") edge = 1
      n = split(names[id], list, " ")
      for (i = 1; i <= n; i++) {
        name = list[i]
        if (width[id] <= 64) { set(name, value); continue }
        v = value
        while (length(v) < width[id]) v = (v ~ /^[xz]/ ? substr(v, 1, 1) : "0") v
        for (w = 0; w * 64 < width[id]; w++) set(name "_w" w, w * 64 + 64 <= width[id] ? \
            substr(v, width[id] - 64 * w - 63, 64) : substr(v, 1, width[id] - 64 * w))
      }
    }
    function end_step(    n) {
      if (edge) {
        cycle++
        for (n in dirty) if (now[n] != shown[n] && cycle >= from) { print cycle, n, now[n]; shown[n] = now[n]; delete dirty[n] }
        edge = 0
      }
      for (n in next_value) { if (now[n] != next_value[n]) { now[n] = next_value[n]; dirty[n] = 1 } delete next_value[n] }
    }
    $1 == "$scope" { depth++; if (inside || $3 == top) { if (inside) path = path $3 "."; inside++; } next }
    $1 == "$upscope" { if (inside) { inside--; if (inside) sub(/[^.]*\.$/, "", path) } next }
    $1 == "$var" && inside {
      if (seen[path $5]++) next
      names[$4] = names[$4] " " path $5; width[$4] = $3 + 0
      if (path == "" && $5 == "clk_i") clock = $4
      next
    }
    /^#/ { end_step(); next }
    /^[01xz]/ { if (substr($1, 2) in width) put(substr($1, 2), substr($1, 1, 1)); next }
    /^b/ { if ($2 in width) put($2, substr($1, 2)); next }
    END { end_step(); print "cycles", cycle }' "$1"
}

table "$a" > "$work/a.all"
table "$b" > "$work/b.all"
for side in a b; do awk '$1 != "cycles" {print $2}' "$work/$side.all" | sort -u > "$work/$side.names"; done
comm -12 "$work/a.names" "$work/b.names" > "$work/names"
n=$(wc -l < "$work/names")
for side in a b; do
  awk 'NR == FNR {both[$1] = 1; next} $1 == "cycles" || ($2 in both)' "$work/names" "$work/$side.all" | sort -k1,1n -k2,2 > "$work/$side.table"
done
if ! difference=$(diff "$work/a.table" "$work/b.table"); then
  echo "lockstep: $a and $b differ: cycle, signal, value (< $a, > $b)"
  printf '%s\n' "$difference" | grep '^[<>]' | sort -s -k2,2n | head -10
  exit 1
fi
if [ "$n" -lt "$least" ]; then
  echo "lockstep: only $n signals in both files; at least $least are wanted"
  exit 1
fi
echo "lockstep: $n signals equal in $(awk '$1 == "cycles" {print $2}' "$work/a.all") cycles"
