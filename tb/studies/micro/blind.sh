#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make micro-blind`: blind.sh JOBS FOLDER CONFIGS [FIRST]: makes CONFIGS hidden GPUs, with seeds
# from FIRST (1) on. Each is a configuration of configs/ with random keys, and one study measures it
# without seeing the keys (`mrpb micro --hidden`); JOBS run at a time. Prints the wrong rows with
# the command that repeats them, and the counts. Exit 1 if a row called exact was wrong, or if more
# than one row in a hundred was wrong.
set -eu
jobs=$1 out=$2 configs=$3 first=${4:-1}
mkdir -p "$out"
export out
gpus=(m2070 k20 gtx560ti gtx780 gtx280 h200)
studies=(thread-latency pchase patterns shared acceptance release saturation l2-copy memory constants instructions pipelines
  registers divergence barriers latency lines lrc)

one() { # one SEED GPU STUDY: the command, and then what it found
  local status=0
  echo "build/mrpb micro $3 -c configs/$2.conf --hidden $1" > "$out/$1.txt"
  timeout 300 build/mrpb micro "$3" -c "configs/$2.conf" --hidden "$1" -o "$out/plots-$1" >> "$out/$1.txt" 2>&1 || status=$?
  rm -rf "$out/plots-$1"
  echo "status: $status" >> "$out/$1.txt"
}
export -f one

rm -f "$out"/*.txt
for ((s = first; s < first + configs; s++)); do
  printf '%s %s %s\0' "$s" "${gpus[(s + s / 10) % 6]}" "${studies[(s + s / 60) % 18]}"
done | xargs -0 -P "$jobs" -I{} bash -euc 'one $1' one {}

cat "$out"/*.txt | awk '
  /^build\/mrpb micro/ { command = $0; next }
  /^hidden: [0-9]+ right/ { right += $2; open += $4; wrong += $7; exact += $9; ran++; next }
  /^wrong: / { if (command != said) print command; said = command; print "  " $0 }
  /^status: / && $2 > 1 { stopped++; print command; print "  stopped: " last }
  { last = $0 }
  END {
    all = right + open + wrong
    printf "%d hidden GPUs: %d rows: %d right, %d not decided, %d wrong (%.2f %%), %d of them called exact; %d studies stopped with a message\n",
      ran + stopped, all, right, open, wrong, all ? 100 * wrong / all : 0, exact, stopped
    exit exact > 0 || wrong * 100 > all }'
