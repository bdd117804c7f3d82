#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make bench`: measures speed and accuracy of this tree, as medians of several runs, beside an
# earlier build in the same minutes: docs/bench.md. Nothing passes or fails; the targets are printed
# beside the figures.
#   AGAINST   a revision, a program, or none; the default is the last other build that was measured
#   ROWS      an extended regular expression that selects rows "SECTION NAME"; the default is all
#   ROUNDS    pairs of runs of the whole programs (5); the short ones run three times as often
#   MARGIN    per cent by which a row may be slower before it counts as a loss (3)
# BENCH_CLOCK, for tests: a command that says what the command that follows it costs.
set -eu
cd "$(dirname "$0")/../.."
top=$PWD out=$PWD/build/bench
mkdir -p "$out"
rounds=${ROUNDS:-5} margin=${MARGIN:-3}
fail() { echo "bench: $*" >&2; exit 2; }
[[ $rounds =~ ^[1-9][0-9]?$ ]] || fail "ROUNDS=$rounds: legal: 1 to 99"
[[ $margin =~ ^[0-9]+(\.[0-9]+)?$ ]] || fail "MARGIN=$margin: legal: per cent"

# ---- the two builds: a folder with the tree, the program, its benchmarks ----
use() { # use now|then
  tree=$top mrpb=$top/build/mrpb benches=$out
  [ "$1" = now ] || tree=$then_tree mrpb=$then_mrpb benches=$then_benches
}
takes_tree() { # takes_tree FOLDER: a whole tree and what was built in it
  then_tree=$1 then_mrpb=$1/build/mrpb then_benches=$1/build/bench
}
# A revision is built once, with the options of this make, and is kept.
build_revision() { # build_revision REVISION
  local id
  id=$(git rev-parse --verify --quiet "$1^{commit}") || fail "AGAINST=$1: legal: a revision, a program, none"
  local folder=$out/$id
  if [ ! -d "$folder" ]; then
    rm -rf "$folder.part" && mkdir "$folder.part"
    git archive "$id" | tar -x -C "$folder.part"
    mv "$folder.part" "$folder"
  fi
  make --no-print-directory -C "$folder" -j"$(nproc)" build > "$out/log" 2>&1 || fail "AGAINST=$1 cannot be built: $(tail -n 1 "$out/log")"
  # older trees lack some
  make --no-print-directory -C "$folder" -j"$(nproc)" build/bench/sim build/bench/device build/bench/trace >> "$out/log" 2>&1 || true
  takes_tree "$folder"
  against="$1, $(git log -1 --format='%h of %cs' "$id")"
}
choose() { # choose: the earlier build, its name in $against; empty for none
  local kept
  against=
  if [ "${AGAINST:-}" = none ]; then return; fi
  if [ -f "${AGAINST:-}" ] && [ -x "$AGAINST" ]; then
    against=$AGAINST then_tree=$top then_mrpb=$(realpath "$AGAINST") then_benches=$(dirname "$then_mrpb")/bench
  elif [ -n "${AGAINST:-}" ]; then
    build_revision "$AGAINST"
  else
    for kept in last before; do
      if [ ! -e "$out/$kept/label" ] || cmp -s build/mrpb "$out/$kept/build/mrpb"; then continue; fi
      takes_tree "$out/$kept"
      against=$(cat "$out/$kept/label")
      break
    done
  fi
}
# Keeps this build and the tree that it reads for the next bench. The previous one is kept too, in
# case this build is measured again.
keep() {
  local new=$out/new f
  if cmp -s build/mrpb "$out/last/build/mrpb"; then return; fi
  rm -rf "$new" && mkdir -p "$new/build/bench"
  { git ls-files -z --cached --others --exclude-standard 2> /dev/null || find . -path ./build -prune -o -type f -print0; } | while IFS= read -r -d '' f; do
    if [ -e "$f" ]; then printf '%s\0' "$f"; fi
  done | tar -c --null -T - | tar -x -C "$new"
  cp build/mrpb "$new/build"
  for f in sim device trace; do [ ! -e "$out/$f" ] || cp "$out/$f" "$new/build/bench"; done
  echo "the last bench, $(git describe --always --dirty 2> /dev/null || build/mrpb --version) at $(date '+%F %H:%M')" > "$new/label"
  rm -rf "$out/before"
  if [ -e "$out/last" ]; then mv "$out/last" "$out/before"; fi
  mv "$new" "$out/last"
}

# ---- measuring: one run of one build, lines NAME;VALUE ----
seconds() { # seconds COMMAND...: CPU seconds of one run; fails if the run fails
  local times
  if [ -n "${BENCH_CLOCK:-}" ]; then "$BENCH_CLOCK" "$@"; return; fi
  times=$( { TIMEFORMAT=${counted:-%U %S}; time "$@" > /dev/null 2>> "$out/err"; } 2>&1 ) || return
  awk '{print $1 + $2}' <<< "$times"
}
row() { # row NAME VALUE-IN-AWK SECONDS [CYCLES]
  awk -v n="$1" -v s="$3" -v cycles="${4:-0}" "BEGIN { if (s > 0) printf \"%s;%.6g\n\", n, $2 }"
}
lockstep() {
  local s
  # shellcheck disable=SC2086
  s=$(seconds "$mrpb" cosim $1 --cycles 3000000 --seed 1) && row "$1" '3 / s' "$s"
}
kernel() {
  "$benches/sim" | awk 'NR > 2 {name = substr($0, 1, 22); sub(/ *$/, "", name); split(substr($0, 23), v, " ")
    printf "%s, event-driven;%s\n%s, static;%s\n", name, v[2], name, v[3]}'
}
gpu() {
  local s
  s=$(seconds "$mrpb" run -c "configs/$1.conf" --kernel atax --cut 128 --json "$out/run.json") &&
    row "$1" 'cycles / s / 1e6' "$s" "$(sed -n 's/^  "cycles": \([0-9]*\),*$/\1/p' "$out/run.json")"
}
memory() {
  local kb
  kb=$(${BENCH_CLOCK:-/usr/bin/time -f %M} "$mrpb" run -c configs/base-s-mrpb.conf --kernel atax --cut 128 2>&1 > /dev/null) && row "peak memory, MB" 's / 1024' "$kb"
}
device() {
  "$benches/device" 1 configs/m2070.conf configs/gtx560ti.conf configs/h200.conf |
    awk '/configs/ {sub("configs/", ""); sub(/\.conf/, ""); name = substr($0, 1, index($0, $(NF - 3)) - 1); gsub(/^ *| *$/, "", name); gsub(/  +/, ", ", name)
      printf "%s;%s\n", name, $(NF - 3)}'
}
traces() {
  "$benches/trace"
}
micro() {
  local s
  s=$(seconds "$mrpb" micro all -c "configs/$1.conf" -o "$out/micro") && row "$1" s "$s"
}

# ---- both builds, run by run ----
once() { # once BUILD FUNCTION ARGUMENT: one run, appended to $out/BUILD.rows
  use "$1"
  (cd "$tree" && "$2" "$3") >> "$out/$1.rows" 2>> "$out/err" || [ "$1" = then ] || fail "$2 $3: $(tail -n 1 "$out/err")"
}
# Prints a line for each row: the medians, and the median of the ratios of the pairs, above 1 where
# this build is faster.
table() { # table BETTER: `higher` or `lower` values are better
  awk -F';' -v better="$1" -v margin="$margin" -v against="$against" '
    function median(v, n,   i, j, t) {
      for (i = 2; i <= n; i++) for (j = i; j > 1 && v[j] < v[j - 1]; j--) { t = v[j]; v[j] = v[j - 1]; v[j - 1] = t }
      return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2 }
    FNR == 1 { file++ }
    { k = ++count[file, $1]; value[file, $1, k] = $2 + 0; if (file == 1 && k == 1) name[++rows] = $1 }
    END {
      for (r = 1; r <= rows; r++) {
        n = count[1, name[r]]; m = count[2, name[r]]
        for (i = 1; i <= n; i++) now[i] = value[1, name[r], i]
        for (i = 1; i <= m; i++) was[i] = value[2, name[r], i]
        for (i = 1; i <= m && m == n; i++) ratio[i] = better == "higher" ? now[i] / was[i] : was[i] / now[i]
        printf "  %-44s %9.2f", name[r], median(now, n)
        if (against != "" && (m != n || n == 0)) printf " %9s", "-"
        else if (against != "") {
          x = median(ratio, n)
          printf " %9.2f %8.3f%s", median(was, m), x, x < 1 - margin / 100 ? "   LOSS" : "" }
        printf "\n" } }' "$out/now.rows" "$out/then.rows" | tee -a "$out/table"
}
wanted() { [[ $1 =~ ${ROWS:-} ]]; }
section() { # section TITLE
  title="== $1"
}
head_line() { # prints the title of a section before its first row
  [ -n "$title" ] || return 0
  echo "$title"
  if [ -n "$against" ]; then printf '  %-44s %9s %9s %8s\n' '' now then ratio; fi
  title=
}
pairs() { # pairs ROUNDS BETTER SECTION FUNCTION NAME
  local i
  wanted "$3 $5" || return 0
  head_line
  : > "$out/now.rows"
  : > "$out/then.rows"
  for i in $(seq "$1"); do # each build goes first equally often
    if [ -z "$against" ]; then once now "$4" "$5"
    elif [ $((i % 2)) = 1 ]; then once now "$4" "$5"; once then "$4" "$5"
    else once then "$4" "$5"; once now "$4" "$5"; fi
  done
  table "$2"
}

# ---- this build against itself, with and without an instrument ----
cost() { # cost with|without...: runs $command so, and appends its user seconds to those rows
  local which added counted=%U
  for which in "$@"; do
    added=()
    [ "$which" = without ] || added=("${options[@]}")
    seconds "${command[@]}" "${added[@]}" >> "$out/$which.rows" || fail "${command[*]} ${added[*]}: $(tail -n 1 "$out/err")"
  done
}
instrument() { # instrument CONFIG PROGRAM TARGET OPTIONS: each F among the options is a file
  local i word command options=() name="${2%% *} $1 $4"
  wanted "instruments $name" || return 0
  if [ -n "$title" ]; then echo "$title"; title=; fi
  read -ra command <<< "$mrpb run -c configs/$1.conf --kernel $2"
  for word in $4; do
    [ "$word" != F ] || word=$out/seen${#options[@]}.json
    options+=("$word")
  done
  : > "$out/with.rows"
  : > "$out/without.rows"
  for i in $(seq "$rounds"); do # each goes first equally often
    if [ $((i % 2)) = 1 ]; then cost with without; else cost without with; fi
  done
  paste "$out/with.rows" "$out/without.rows" | awk '$2 > 0 {print $1 / $2}' | sort -g |
    awk -v name="$name" -v target="$3" '{ratio[NR] = $1}
      END {if (NR) printf "  %-54s %6.2f   (target %s)\n", name, (ratio[int((NR + 1) / 2)] + ratio[int(NR / 2) + 1]) / 2, target}'
  rm -f "$out"/seen*.json
}

: > "$out/err"
: > "$out/table"
choose
echo "against: ${against:-nothing$([ -n "${AGAINST:-}" ] || echo "; this build is kept for the next bench, or name one: AGAINST=REVISION")}"

section "lockstep: M cycles a CPU second, every output and register compared (target 3.0)"
for line in "mshr --set ENTRIES=32 --set MERGES=8" "fifo_bank --set QUEUES=48 --set DEPTH=8" \
            "mrpb" "prt --set ENTRIES=44" "drain_selector --set POLICY=0" "drain_selector --set POLICY=4"; do
  for build in now ${against:+then}; do # the first run builds the Verilog
    use $build
    # shellcheck disable=SC2086
    ! wanted "lockstep $line" || [ -n "${BENCH_CLOCK:-}" ] || (cd "$tree" && "$mrpb" cosim $line --cycles 1000 > /dev/null 2>> "$out/err") || [ $build = then ]
  done
  pairs $((3 * rounds)) higher lockstep lockstep "$line"
done

if wanted kernel; then
  echo "== kernel against SystemC (targets: event-driven 3x, static 8x)"
  "$out/sim" "$out/systemc" $((3 * rounds))
  section "kernel: ns per activation"
  [ -z "$against" ] || [ ! -x "$then_benches/sim" ] || pairs "$rounds" lower kernel kernel ''
fi

section "whole GPU: M cycles a CPU second, atax cut to 128, one core (target 0.3)"
for config in base-s base-s-mrpb base-l base-l-mrpb; do pairs "$rounds" higher gpu gpu $config; done
[ ! -x /usr/bin/time ] || pairs 1 lower gpu memory memory

section "GPU of the micro-benchmarks: M warp instructions a CPU second, one core"
pairs "$rounds" higher device device ''
section "traces: M warp instructions a CPU second, read, checked and packed (target 1.0)"
pairs "$rounds" higher trace traces ''
section "all micro-benchmarks of a GPU: CPU seconds"
for gpu in m2070 k20 gtx560ti gtx780 gtx280 h200; do pairs 3 lower micro micro $gpu; done

section "instruments: user time, times that of the same run without"
use now
while read -r config program; do
  instrument "$config" "$program" 1.3 "--interval 1000 --json F"
  instrument "$config" "$program" 1.3 "--interval 1000 --interval-stacks F"
  instrument "$config" "$program" 1.3 "--by-pc F --by-buffer F"
  instrument "$config" "$program" 1.3 "--interval 1000 --maps --json F"
  instrument "$config" "$program" 2 "--timeline F"
done << 'END'
base-s gemm --cut 32
base-s-mrpb atax --cut 256
base-s-mrpb syr2k --cut 24
base-s srad --size 384
h200 gemm --cut 24
END

if wanted page; then
  echo "== the report's page"
  tests/studies/report.sh --bench
fi
if wanted accuracy; then
  echo "== cycles against the reference: docs/accuracy.md, every row measured anew"
  tests/gpu/accuracy.sh --all
fi

keep
if [ -n "$against" ]; then
  echo "$(grep -c 'LOSS$' "$out/table" || true) of $(wc -l < "$out/table") rows are more than $margin % slower than $against"
fi
