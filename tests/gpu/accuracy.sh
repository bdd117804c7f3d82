#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Cycles of this tree beside those of the reference (GPGPU-Sim 3.2.0), in four settings:
# tests/data/accuracy.csv, and docs/accuracy.md, the page made from it.
#   tests/gpu/accuracy.sh            measures every row (make accuracy, minutes), writes both files
#   tests/gpu/accuracy.sh --check    the page matches the file, and so do the rows of short runs,
#                                    measured anew (make test)
#   tests/gpu/accuracy.sh --all      every row, measured anew, matches the file; writes nothing
#                                    (make bench)
# ACCURACY_CSV and ACCURACY_PAGE name other files.
set -eu
cd "$(dirname "$0")/../.."
csv=${ACCURACY_CSV:-tests/data/accuracy.csv}
page=${ACCURACY_PAGE:-docs/accuracy.md}
short=60000 # most cycles, with the defaults, of a row that --check measures anew

# One run: `build/mrpb run` with these options; writes JSON to $json.
simulate() { # simulate CONFIG KERNEL SIZE CUT STEPS SET OPTION...
  local config=$1 kernel=$2 size=$3 cut=$4 steps=$5 set=$6
  shift 6
  [ "$size" = - ] || set -- "$@" --size "$size"
  [ "$cut" = - ] || set -- "$@" --cut "$cut"
  [ "$steps" = - ] || set -- "$@" --steps "$steps"
  [ "$set" = - ] || set -- "$@" --set "$set"
  build/mrpb run -c "configs/$config.conf" --kernel "$kernel" --json "$json" "$@" > /dev/null
}
cycles() {
  simulate "$@"
  awk '/"cycles":/ {gsub(/[^0-9]/, ""); print; exit}' "$json"
}

# options GROUP SETTING: the options of that setting; rows of `clang` run clang's text, as the
# reference did
options() {
  local text=(--model B)
  case $1 in clang | atax | sched) text=(--model C) ;; step | latency | rodinia) text=() ;; esac
  case $2 in
    defaults) ;;
    text) echo "${text[@]}" ;;
    order) echo "${text[@]}" --set MEMORY_ORDER=reference ;;
    clocks) echo "${text[@]}" --set MEMORY_ORDER=reference --set CLOCKS=exact ;;
  esac
}

# One figure on one line: row, setting, value, CPU seconds. The value of `step` is the SM cycles of
# an iteration in the second half of a loop; that of a latency is the mean from the access to the
# LDST unit's response FIFO.
one() { # one ROW SETTING GROUP CONFIG KERNEL SIZE CUT STEPS SET
  local row=$1 setting=$2 group=$3 value start seconds a b
  shift 3
  json=$(mktemp)
  trap 'rm -f "$json"' EXIT
  # shellcheck disable=SC2046
  case $group in
    step) a=$(cycles "$1" "$2" - 256 - - $(options "$group" "$setting"))
          b=$(cycles "$1" "$2" - 512 - - $(options "$group" "$setting"))
          value=$(awk -v a="$a" -v b="$b" 'BEGIN {printf "%.6g", (b - a) / 256}') ;;
    latency) simulate "$@" $(options "$group" "$setting")
             value=$(sed -n 's/.*"read_latency": *\([0-9.]*\).*/\1/p' "$json" | awk '{printf "%.7g", $1}') ;;
    *) value=$(cycles "$@" $(options "$group" "$setting")) ;;
  esac
  times > "$json" # not in a pipe: that would be another process with other children
  seconds=$(tail -n 1 "$json" | tr 'ms' '  ' | awk '{print 60 * $1 + $2}')
  echo "$row $setting $value $seconds"
}
if [ "${1:-}" = --one ]; then shift; one "$@"; exit; fi

# ---- rows: group, config, kernel, size, cut, steps, other key, reference's figure; - for none ----
rows() {
  cat << 'END'
clang base-s atax - 128 - - 2249186
clang base-l atax - 128 - - 1523113
clang fa-s atax - 128 - - 492203
clang base-s syrk - 32 - - 2499323
clang base-s gemm - 32 - - 335375
clang base-s 2dconv 512 - - - -
clang base-l 2dconv 512 - - - -
clang fa-s 2dconv 512 - - - -
clang base-s 3dconv - - 2 - -
clang base-l 3dconv - - 2 - -
clang fa-s 3dconv - - 2 - -
atax base-s atax - - - - 35871717
atax base-s-mrpb atax - - - - -
atax base-s-mrpb atax - 128 - - -
atax base-s-mrpb syrk - 8 - - -
sched base-s atax - - - SCHEDULER=gto 22350000
sched base-s atax - 128 - SCHEDULER=gto -
sched base-s syrk - 32 - SCHEDULER=gto -
sched base-s gemm - 32 - SCHEDULER=gto -
sched base-s gesummv - 64 - - -
sched base-s gesummv - 64 - SCHEDULER=gto -
sched base-s syr2k - 16 - - -
sched base-s syr2k - 16 - SCHEDULER=gto -
sched base-s 2mm - 16 - - -
sched base-s 2mm - 16 - SCHEDULER=gto -
step base-s micro-chain-l1 - - - - 44
step base-s micro-chain-l2 - - - - 154
step base-s micro-chain-dram - - - - 270
step base-s micro-lines-1 - - - - 49
step base-s micro-lines-8 - - - - 56
step base-s micro-lines-16 - - - - 64
step base-s micro-lines-32 - - - - 80
step base-s micro-stride-1k - - - - 342
step base-s micro-stride-4k - - - - 1074
step fa-s micro-stride-4k - - - - 80
latency base-s micro-chain-l2 - 256 - - 134.5
latency base-s micro-chain-dram - 4096 - - 243
END
  grep -v '^/' tests/data/reference.def | tr -d '{}"' |
    awk -F', *' '{for (i = 3; i <= 5; i++) if ($i == 0) $i = "-"
      print ($2 ~ /^(fdtd|atax|bicg|mvt|gesummv|gemm|2mm|3mm|syrk|syr2k|2dconv|3dconv)$/ ? "text" : "rodinia"), $1, $2, $3, $4, $5, "-", $6 + 0}'
}

settings() { # settings GROUP CUT: full-length runs take minutes, and are made in two settings only
  case $1-$2 in
    step-* | latency-*) echo defaults order ;;
    atax-- | sched--) echo defaults order ;;
    *) echo defaults text order clocks ;;
  esac
}

# ---- measuring ----
measure() { # rows on stdin -> lines of `one`
  local i=0 group config kernel size cut steps set ref s
  while read -r group config kernel size cut steps set ref; do
    i=$((i + 1))
    for s in $(settings "$group" "$cut"); do echo "$i $s $group $config $kernel $size $cut $steps $set"; done
  done | xargs -P "$(nproc)" -L 1 "$0" --one
}

table() { # table ROWS FIGURES -> CSV
  awk '
    BEGIN {n = split("defaults text order clocks", name); print "group,config,kernel,size,cut,steps,set,reference,defaults,text,order,clocks"}
    NR == FNR {v[$1, $2] = $3; cpu[$1, $2] = $4; next}
    {line = $1; for (i = 2; i <= 8; i++) line = line "," $i
     for (i = 1; i <= n && ((FNR, name[4]) in v); i++) sum[name[i]] += cpu[FNR, name[i]] # rows with all four
     for (i = 1; i <= n; i++) line = line "," ((FNR, name[i]) in v ? v[FNR, name[i]] : "-")
     print line}
    END {printf "seconds,-,-,-,-,-,-,-"; for (i = 1; i <= n; i++) printf ",%.0f", sum[name[i]]; print ""}' "$2" "$1"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page_of() { # page_of CSV: writes $work/page
  awk -f tests/gpu/accuracy.awk "$1" > "$work/long"
  awk -f docs/wrap.awk "$work/long" > "$work/page"
}
case ${1:-} in
  "")
    rows > "$work/rows"
    measure < "$work/rows" > "$work/figures"
    table "$work/rows" "$work/figures" > "$work/csv"
    page_of "$work/csv"
    cp "$work/csv" "$csv"
    cp "$work/page" "$page"
    echo "wrote $csv and $page" ;;
  --check | --all)
    page_of "$csv"
    cmp -s "$work/page" "$page" || { echo "$page is not the page of $csv; type: make accuracy" >&2; exit 1; }
    rows | tr ' ' ',' > "$work/keys"
    sed '1d;/^seconds,/d' "$csv" > "$work/lines"
    cut -d, -f1-8 "$work/lines" | cmp -s - "$work/keys" || { echo "$csv has other rows than tests/gpu/accuracy.sh; type: make accuracy" >&2; exit 1; }
    awk -F, -v all="${1#--check}" -v short="$short" '(all != "" || (($1 ~ /clang|text|rodinia/) && $9 <= short) || $1 == "step")' \
      "$work/lines" > "$work/some"
    [ -s "$work/some" ] || { echo "no row to measure"; exit 1; }
    cut -d, -f1-8 "$work/some" | tr ',' ' ' > "$work/rows"
    measure < "$work/rows" > "$work/figures"
    table "$work/rows" "$work/figures" | sed '1d;/^seconds,/d' > "$work/now"
    diff "$work/some" "$work/now" > "$work/diff" || {
      { echo "cycles have changed (recorded <, measured >); type: make accuracy"
        grep '^[<>]' "$work/diff"; } >&2
      exit 1
    }
    echo "accuracy: $(wc -l < "$work/some") of $(wc -l < "$work/lines") rows measured, all as recorded" ;;
  *) echo "tests/gpu/accuracy.sh $1: legal: nothing, --check or --all" >&2; exit 2 ;;
esac
