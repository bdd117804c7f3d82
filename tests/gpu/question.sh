#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The campaign of docs/question.md: what reordering and bypassing before the L1D are worth on a
# Hopper. Programs and launch files on a twelfth of an H200 (tests/question/sms11.conf), with L1Ds
# of four sizes, without an MRPB and with many. Not part of make test.
#   tests/gpu/question.sh [--only WORKLOAD]... [--design NAME]... [--part I/N] RECORD
#                                            runs what RECORD (CSV) lacks; a part: one workload in N
#   tests/gpu/question.sh --whole ... RECORD    on all 132 SMs, with twelve times the work
#   tests/gpu/question.sh --table RECORD        the numbers of the page
#   tests/gpu/question.sh --chart RECORD        the data of its picture (tests/question/question.fig)
set -u
cd "$(dirname "$0")/../.." || exit 2
machine=tests/question/sms11.conf whole= only=() named=() part=0 parts=1 mode=run
while [[ ${1:-} == --* ]]; do
  case $1 in
  --only) only+=("$2"); shift ;;
  --design) named+=("$2"); shift ;;
  --part) part=${2%/*} parts=${2#*/}; shift ;;
  --whole) machine=configs/h200.conf whole=1 ;;
  --table | --chart) mode=${1#--} ;;
  *) echo "question.sh: $1: legal: --only --design --part --whole --table --chart" >&2; exit 2 ;;
  esac
  shift
done
record=${1:?RECORD} mrpb=${MRPB:-build/mrpb} # MRPB: another program

# The workloads: NAME, options on a twelfth, options on the whole GPU, whose work is twelve times as
# large. A program whose size has a limit keeps it.
workloads() {
  awk -F'|' -v whole="$whole" '!/^#/ { o = $2; if (whole && $3) o = $3; print $1 "|" o }' tests/question/workloads.list
}

# NAME|L1D SIZES|KEYS of each design. An L1D of n KB has 2 n lines in each of its 4 sets.
designs() {
  cat << 'END'
none|28 248 124 60|
mrpb|28 248|MRPB=1 MRPB_QUEUES=64
bypass-only|28|MRPB=1 MRPB_REORDER=0
reorder-only|28|MRPB=1 MRPB_QUEUES=64 MRPB_BYPASS=off
any|28|L1D_ORDER=any PRT_ORDER=any
signature|28|MRPB=1 MRPB_QUEUES=64 BYPASS_POLICY=signature
contention|28|MRPB=1 MRPB_QUEUES=64 BYPASS_POLICY=contention
block|28|MRPB=1 MRPB_QUEUES=64 MRPB_SIGNATURE=block
sub-core|28|MRPB=1 MRPB_QUEUES=64 MRPB_SIGNATURE=sub-core
deep|28|MRPB=1 MRPB_QUEUES=64 MRPB_DEPTH=64
deep-only|28|MRPB=1 MRPB_QUEUES=64 MRPB_DEPTH=64 MRPB_BYPASS=off
greedy|28|MRPB=1 MRPB_QUEUES=64 MRPB_POLICY=greedy-fixed
longest|28|MRPB=1 MRPB_QUEUES=64 MRPB_POLICY=greedy-longest
any-mrpb|28|MRPB=1 MRPB_QUEUES=64 L1D_ORDER=any PRT_ORDER=any
lines|28|SECTORS=0
mrpb|60 124|MRPB=1 MRPB_QUEUES=64
signature|248|MRPB=1 MRPB_QUEUES=64 BYPASS_POLICY=signature
any|248|L1D_ORDER=any PRT_ORDER=any
END
}

# The counts of a run as the end of a row.
counts() {
  awk '$1 == "cycles" { cycles = $2 }
    /^  L1D reads/ { hits = $3; misses = $5; joined = $7 }
    /^  L1D refusals/ { gsub(",", ""); no_line = $5 }
    /^  MRPB / { bypasses = $NF }
    /^  L2 / { l2 = $3 + $5; dram = $5 }
    END { if (cycles) print cycles "," hits "," misses "," joined "," no_line "," bypasses + 0 "," l2 "," dram }'
}

run() {
  [ -f "$record" ] || echo "workload,l1_kb,design,cycles,l1_hits,l1_misses,l1_joined,l1_no_line,bypasses,l2_reads,dram_reads" > "$record"
  while IFS='|' read -r name sizes keys; do
    [ ${#named[@]} = 0 ] || [[ " ${named[*]} " == *" $name "* ]] || continue
    n=0
    while IFS='|' read -r workload options; do
      n=$((n + 1))
      [ $((n % parts)) = "$part" ] || continue
      [ ${#only[@]} = 0 ] || [[ " ${only[*]} " == *" $workload "* ]] || continue
      for kb in $sizes; do
        grep -q "^$workload,$kb,$name," "$record" && continue
        set=("--set" "L1D_WAYS=$((2 * kb))")
        for k in $keys; do set+=("--set" "$k"); done
        # shellcheck disable=SC2086
        row=$("$mrpb" run -c "$machine" --as-driver "${set[@]}" $options 2> /dev/null | counts)
        if [ -n "$row" ]; then echo "$workload,$kb,$name,$row" >> "$record"; else echo "question.sh: $workload $kb $name: no result" >&2; fi
      done
    done < <(workloads)
  done < <(designs)
}

# Speeds of each workload: cycles without an MRPB over those of a design. COLUMNS are `TITLE=KB DESIGN
# KB`, the last the L1D of the run without an MRPB, separated by commas. Only workloads in which a
# column is 2 % off 1; geometric means of the columns that every workload of a group has.
speeds() { # speeds COLUMNS [RECORD]
  awk -F, -v columns="$1" '
    function speed(w, kb, design, over) {
      return (w "," kb "," design) in cycles ? cycles[w "," over ",none"] / cycles[w "," kb "," design] : 0 }
    function number(x) { return x ? sprintf("%.2f", x) : "" }
    FILENAME ~ /programs.list$/ { split($0, f, / +/); if (f[1] !~ /^#/) { order[++n] = f[1]; group[f[1]] = f[2] } next }
    FNR > 1 { cycles[$1 "," $2 "," $3] = $4 }
    END {
      m = split(columns, column, ",")
      line = "| workload |"; rule = "| --- |"
      for (c = 1; c <= m; c++) {
        line = line " " substr(column[c], 1, index(column[c], "=") - 1) " |"
        rule = rule " ---: |"
        sub(/^[^=]*=/, "", column[c])
      }
      print line "\n" rule
      for (i = 1; i <= n; i++) {
        w = order[i]; off = 0; row = "| " w " |"
        for (c = 1; c <= m; c++) {
          split(column[c], k, " ")
          x = speed(w, k[1], k[2], k[3])
          if (x && (x > 1.02 || x < 1 / 1.02)) off = 1
          if (x) { sum[group[w] c] += log(x); have[group[w] c]++ }
          row = row " " number(x) " |"
        }
        of[group[w]]++
        if (off) print row; else same = same (same ? ", " : "") w
      }
      for (g = 1; g <= 2; g++) {
        name = g == 1 ? "paper" : "modern"
        if (have[name 1] < of[name]) continue
        row = "| mean, " name " (" of[name] ") |"
        for (c = 1; c <= m; c++)
          row = row " " (have[name c] == of[name] ? number(exp(sum[name c] / of[name])) : "") " |"
        print row
      }
      if (have["paper" 1] == of["paper"]) print "\nWithin 2 % in every column, as far as it was run: " same "."
    }' tests/question/programs.list "${2:-$record}"
}

# Where the reads of some workloads went at 28 KB: per cent of the lines looked up.
reads() {
  echo "| workload | L1D | design | cycles | hits, % of lines | bypasses, % | refused for no line | L2 reads | DRAM reads |"
  echo "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
  awk -F, '$1 ~ /^(atax|gesummv|hash_join|kms|spmv_scalar)$/ &&
    ($2 == 28 && $3 ~ /^(none|mrpb|bypass-only|reorder-only|deep-only)$/ || $2 == 248 && $3 == "none") {
      lines = $5 + $6 + $7 + $9
      printf "| %s | %s KB | %s | %d | %.1f | %.1f | %d | %d | %d |\n", $1, $2, $3, $4, 100 * $5 / lines, 100 * $9 / lines, $8, $10, $11 }' "$record" |
    sort -t'|' -k2,2 -k3,3n -k4,4
}

table() {
  echo "What pays. Speeds over no MRPB at 28 KB; the last column over no MRPB at 248 KB."
  echo
  speeds "MRPB=28 mrpb 28,bypass only=28 bypass-only 28,reorder only=28 reorder-only 28,any order=28 any 28,whole lines=28 lines 28,60 KB=60 none 28,124 KB=124 none 28,248 KB=248 none 28,248 KB: MRPB=248 mrpb 248"
  echo
  echo "Variants of the MRPB, over no MRPB with the same L1D: 28 KB if the column says nothing else."
  echo
  speeds "as above=28 mrpb 28,queue a block=28 block 28,a sub-core=28 sub-core 28,64 deep=28 deep 28,64 deep reorder only=28 deep-only 28,greedy=28 greedy 28,longest=28 longest 28,any order=28 any-mrpb 28,policy signature=28 signature 28,policy contention=28 contention 28,60 KB=60 mrpb 60,124 KB=124 mrpb 124,248 KB signature=248 signature 248"
  echo
  echo "Where the reads went."
  echo
  reads
}

# The rows of mrpb figures: programs in their order, the points of question.fig, then the base.
chart() {
  awk -F, '
    FILENAME ~ /programs.list$/ { split($0, f, / +/); if (f[1] !~ /^#/) { order[++n] = f[1]; group[f[1]] = f[2] } next }
    FNR > 1 { cycles[$1 "," $2 "," $3] = $4 }
    END {
      print "program,base,group,type,point,config_hash,cycles,thread_instructions,ratio"
      split("28,mrpb;248,none;28,none", design, ";")
      split("MRPB, 28 KB;no MRPB, 248 KB;base", point, ";")
      for (i = 1; i <= n; i++)
        for (d = 1; d <= 3; d++) {
          c = cycles[order[i] "," design[d]]
          printf "%s,s,%s,-,\"%s\",-,%d,0,%.6f\n", order[i], group[order[i]], point[d], c, cycles[order[i] ",28,none"] / c
        }
    }' tests/question/programs.list "$record"
}

$mode
