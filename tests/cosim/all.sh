#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the whole cross of sizes, one run per line, for `mrpb cosim --matrix`. Data widths and the
# like rotate along the cross, so that each of their values meets many sizes.
set -eu
sizes=(1 2 3 5 8 16 33 48)
turn=0
pick() { # LIST...: the next one in rotation
  local -a list=("$@")
  echo "${list[turn % ${#list[@]}]}"
}

for q in "${sizes[@]}" 64; do
  for s in 0 1 2; do echo "queue_selector QUEUES=$q SIGNATURE=$s"; done
  for f in 0 1; do echo "flush_control QUEUES=$q FLUSH=$f"; done
done
for d in "${sizes[@]}" 64; do
  for b in "${sizes[@]}" 64; do
    turn=$((turn + 1))
    w=$(pick 51 1 16 33)
    echo "order_check DEPTH=$d BLOCKS=$b DATA_W=$w"
  done
done
for q in "${sizes[@]}" 64; do
  for d in "${sizes[@]}" 64; do
    turn=$((turn + 1))
    w=$(pick 64 1 8 33 17)
    echo "fifo_bank QUEUES=$q DEPTH=$d DATA_W=$w"
    for p in 0 1 2 3 4 5; do
      echo "drain_selector QUEUES=$q DEPTH=$d POLICY=$p"
      turn=$((turn + 1))
      s=$(pick 1 0 2)
      f=$(pick 1 1 1 0)
      l=$(pick 5 3 18 4 11)
      b=$(pick 8 1 3 64 33 5 48)
      y=$(pick 2 1 0 2)
      w=$(pick 51 16 1 33 51)
      a=$(pick 0 2 1 0 4 0 3)
      echo "mrpb QUEUES=$q DEPTH=$d POLICY=$p SIGNATURE=$s FLUSH=$f LATENCY=$l BLOCKS=$b BYPASS=$y DATA_W=$w ANSWER=$a"
    done
  done
done
for e in "${sizes[@]}" 128; do
  for m in 1 2 3 5 8 16 32; do
    turn=$((turn + 1))
    a=$(pick 25 57 2 33)
    w=$(pick 16 64 1 24 8)
    t=$(pick 0 1)
    echo "mshr ENTRIES=$e MERGES=$m ADDR_W=$a DATA_W=$w STORES=$t"
  done
done
for l in 1 2 3 5 8 16 32; do
  for w in 1 2 5 8 32; do
    turn=$((turn + 1))
    s=$(pick 1 4 7 32)
    a=$(pick 25 1 3 36)
    i=$(pick 23 64 1)
    for r in 0 1; do echo "coalescer LANES=$l WORDS=$w SECTORS=$s ADDR_W=$a INFO_W=$i ORDER=$r PARITY=$((turn % 2))"; done
  done
done
for e in "${sizes[@]}" 512; do
  for l in 1 2 3 5 8 16 32; do
    turn=$((turn + 1))
    o=$(pick 7 8 1 3)
    t=$(pick 16 64 1 33 8)
    for r in 0 1; do echo "prt ENTRIES=$e LANES=$l OFFSET_W=$o TAG_W=$t ORDER=$r CHECK=$((turn % 2))"; done
    echo "lane_check ENTRIES=$e LANES=$l"
    echo "lane_table ENTRIES=$e LANES=$l PARITY=$((turn % 2))"
  done
done
for d in "${sizes[@]}"; do
  for w in 1 3 32 33 65 1079; do
    turn=$((turn + 1))
    f=$(pick 0 1 9 64 33)
    echo "reg_fifo DATA_W=$w DEPTH=$d FIND_W=$f PARITY=$((turn % 2))"
  done
done
for e in "${sizes[@]}" 128; do
  for b in 1 3 4 32; do
    turn=$((turn + 1))
    y=$(pick 1 4 5 33 128)
    l=$(pick 128 1 14 1024)
    w=$(pick 8 1 3 32)
    i=$(pick 8 6 2 16)
    echo "line_fill MSHRS=$e BYPASSES=$y LINES=$l BEATS=$b BUS_WORDS=$w ID_W=$i PARITY=$((turn % 2))"
  done
done
