#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Needs a machine with a GPU and Nsight Compute, as root: runs the launches of a set of counters.list
# under ncu, each with cold caches, and writes OUT/counters-GPU-SET.csv, a line a launch, for
# `mrpb silicon` (docs/silicon.md). After SECONDS no further program starts.
#   tests/silicon/counters.sh OUT FOLDER OF PROGRAMS before|after|modern [SECONDS]
set -u
cd "$(dirname "$0")/../.." || exit 2
out=$1 mrpb=$2/mrpb set=$3 limit=${4:-330}
metrics=gpu__time_duration.sum,sm__cycles_elapsed.max,sm__cycles_active.avg,smsp__inst_executed.sum,smsp__thread_inst_executed.sum
metrics+=,sm__warps_active.avg.per_cycle_active
for op in ld ld_hit st atom red; do
  m=l1tex__t_sectors_pipe_lsu_mem_global_op_${op%_hit}
  case $op in
    ld_hit) metrics+=,${m}_lookup_hit.sum ;;
    ld | st) metrics+=,${m/sectors/requests}.sum,$m.sum ;;
    *) metrics+=,${m/sectors/requests}.sum ;;
  esac
done
metrics+=,l1tex__data_pipe_lsu_wavefronts_mem_shared.sum,l1tex__m_xbar2l1tex_read_bytes.sum
metrics+=,lts__t_sectors_op_read.sum,lts__t_sectors_op_read_lookup_hit.sum,lts__t_sectors_op_write.sum
metrics+=,lts__t_sectors_srcunit_tex.sum,lts__t_sectors_srcunit_tex_lookup_hit.sum,dram__bytes_read.sum,dram__bytes_write.sum
for stall in long_scoreboard lg_throttle; do
  metrics+=,smsp__average_warps_issue_stalled_${stall}_per_issue_active.ratio
done
metrics+=,launch__registers_per_thread,launch__shared_mem_config_size,launch__shared_mem_per_block_static
metrics+=,launch__shared_mem_per_block_dynamic,launch__waves_per_multiprocessor
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
case $gpu in *H100*) short=h100 ;; *H200*) short=h200 ;; *) short=$(echo "$gpu" | tr -cd 'A-Za-z0-9') ;; esac
mkdir -p "$out"
csv=$out/counters-$short-$set.csv raw=$out/raw-$short-$set.txt
: > "$raw"
head=yes
failed=0
# Every kernel but `nothing` and `spin`, which `mrpb run --gpu` launches itself.
while read -r in name most options; do
  [ "$in" = "$set" ] || continue
  [ $SECONDS -lt "$limit" ] || { echo "$name: left out, no time"; failed=$((failed + 1)); continue; }
  start=$SECONDS
  # shellcheck disable=SC2086 # options are several words
  LC_ALL=C timeout 120 ncu --clock-control none --cache-control all --csv --page raw --print-units base --metrics "$metrics" \
    --target-processes application-only --kernel-name-base function --kernel-name 'regex:^([^ns]|n[^o]|s[^p]|sp[^i])' --launch-count "$most" \
    "$mrpb" run --gpu $options > "$out/one" 2>&1 < /dev/null
  status=$?
  { echo "=== $name: exit $status, $((SECONDS - start)) s"; cat "$out/one"; } >> "$raw"
  grep '^"' "$out/one" | awk -v gpu="$gpu" -v set="$set" -v run="$name" -v head="$head" -v metrics="$metrics" '
    { gsub(/^"|"$/, ""); n = split($0, f, /","/) }
    $1 ~ /^ID/ && !names { for (i = 1; i <= n; i++) at[f[i]] = i; names = 1; wanted = split(metrics, m, ",")
      if (head == "yes") { printf "set,gpu,run,state,launch,kernel,block,grid"
        for (i = 1; i <= wanted; i++) { s = m[i]; sub(/\.sum$/, "", s); printf ",%s", s }
        print "" }
      next }
    f[1] !~ /^[0-9]+$/ { next }
    { printf "%s,%s,%s,cold,%d,%s,\"%s\",\"%s\"", set, gpu, run, launch++, f[at["Kernel Name"]], f[at["Block Size"]], f[at["Grid Size"]]
      for (i = 1; i <= wanted; i++) { v = (m[i] in at) ? f[at[m[i]]] : ""; gsub(/,/, "", v); printf ",%s", v }
      print "" }' > "$out/lines"
  [ "$head" != yes ] || [ ! -s "$out/lines" ] || { : > "$csv"; head=no; }
  cat "$out/lines" >> "$csv"
  found=$(grep -vc '^set,' "$out/lines")
  [ "$status" = 0 ] && [ "$found" != 0 ] || failed=$((failed + 1))
  printf '%-18s exit %d, %2d launches, %3d s: %s\n' "$name" $status "$found" $((SECONDS - start)) "$(grep -v '^"' "$out/one" | grep -v '^==' | tail -n 1)"
done < tests/silicon/counters.list
rm -f "$out/one" "$out/lines"
gzip -9f "$raw"
echo "counters: $(grep -vc '^set,' "$csv") launches on $gpu, $failed programs failed, $SECONDS s"
[ "$failed" = 0 ]
