#!/usr/bin/env bash
# Prints the whole cross of sizes, one run a line, for `mrpb cosim --matrix`. Data widths and the like take turns
# along the cross, so that each of their values meets many sizes.
set -eu
sizes=(1 2 3 5 8 16 33 48)
turn=0
pick() { # VARIABLE LIST...
  local -n to=$1
  shift
  local -a list=("$@")
  to=${list[turn % ${#list[@]}]}
}

for q in "${sizes[@]}" 64; do
  for s in 0 1 2; do echo "queue_selector QUEUES=$q SIGNATURE=$s"; done
  for f in 0 1; do echo "flush_control QUEUES=$q FLUSH=$f"; done
done
for d in "${sizes[@]}" 64; do
  for b in "${sizes[@]}" 64; do
    turn=$((turn + 1))
    pick w 51 1 16 33
    echo "order_check DEPTH=$d BLOCKS=$b DATA_W=$w"
  done
done
for q in "${sizes[@]}" 64; do
  for d in "${sizes[@]}" 64; do
    turn=$((turn + 1))
    pick w 64 1 8 33 17
    echo "fifo_bank QUEUES=$q DEPTH=$d DATA_W=$w"
    for p in 0 1 2 3 4 5; do
      echo "drain_selector QUEUES=$q DEPTH=$d POLICY=$p"
      turn=$((turn + 1))
      pick s 1 0 2
      pick f 1 1 1 0
      pick l 5 3 18 4 11
      pick b 8 1 3 64 33 5 48
      pick y 2 1 0 2
      pick w 51 16 1 33 51
      echo "mrpb QUEUES=$q DEPTH=$d POLICY=$p SIGNATURE=$s FLUSH=$f LATENCY=$l BLOCKS=$b BYPASS=$y DATA_W=$w"
    done
  done
done
for e in "${sizes[@]}" 128; do
  for m in 1 2 3 5 8 16 32; do
    turn=$((turn + 1))
    pick a 25 57 2 33
    pick w 16 64 1 24 8
    echo "mshr ENTRIES=$e MERGES=$m ADDR_W=$a DATA_W=$w"
  done
done
for e in "${sizes[@]}" 512; do
  for l in 1 2 3 5 8 16 32; do
    turn=$((turn + 1))
    pick o 7 8 1 3
    pick t 16 64 1 33 8
    echo "prt ENTRIES=$e LANES=$l OFFSET_W=$o TAG_W=$t"
  done
done
