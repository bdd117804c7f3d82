#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rewrites everything that is generated from tables: cmodel/libmrpb.h, docs/config.md, the port
# tables at the end of each module page, the comments at the ports and the costs in the headers of
# rtl/*.v, the crosses in docs/verify/coverage.md, the counts in docs/statistics.md, the options in
# docs/import.md, the verdict in docs/conform/path.md, the fields in docs/json.md, the last table in
# docs/sweep.md, the table in docs/memory/dram.md, the pictures of docs/figures from their CSV
# files, the report and the storeys of docs/pictures, docs/question.md and the pages of docs/atlas
# from their records, and the recorded figures in docs/estimate/logic.md and place.md. `--check`
# changes nothing and fails if something is out of date.
set -eu
cd "$(dirname "$0")/.."
check=${1:-}
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
stale=0

place() { # place NEW FILE; pages are wrapped
  if [[ $2 == *.md ]]; then
    awk -f docs/wrap.awk "$1" > "$new/wrapped"
    mv "$new/wrapped" "$1"
  fi
  if cmp -s "$1" "$2"; then return; fi
  if [ "$check" = --check ]; then
    echo "docs: $2 is out of date; type: make docs"
    stale=1
  else
    cp "$1" "$2"
    echo "wrote $2"
  fi
}

place build/lib/libmrpb.h cmodel/libmrpb.h
build/mrpb help-config --markdown > "$new/config.md"
place "$new/config.md" docs/config.md
for ports in cmodel/ports/*.ports.h; do
  stem=$(basename -s .ports.h "$ports")
  page=docs/modules/$stem.md
  { printf '%s\n\n## Parameters, ports, registers\n\n' "$(sed '/^## Parameters, ports, registers$/,$d' "$page")"
    build/mrpb ports "$stem"; } > "$new/$stem.md"
  place "$new/$stem.md" "$page"
done
page=docs/verify/coverage.md
{ printf '%s\n\n## The crosses\n\n' "$(sed '/^## The crosses$/,$d' "$page")"
  build/mrpb cosim --crosses; } > "$new/coverage.md"
place "$new/coverage.md" "$page"
page=docs/statistics.md
{ printf '%s\n\n## The counts\n\n' "$(sed '/^## The counts$/,$d' "$page")"
  build/mrpb help statistics; } > "$new/statistics.md"
place "$new/statistics.md" "$page"
page=docs/sweep.md
{ sed '/^| key | the peak is | /,$d' "$page"
  tb/studies/sweep/equal.sh; } > "$new/sweep.md"
place "$new/sweep.md" "$page"
page=docs/question.md
{ printf '%s\n\n## The numbers\n\n' "$(sed '/^## The numbers$/,$d' "$page")"
  tests/gpu/question.sh --table tests/question/record.csv; } > "$new/question.md"
place "$new/question.md" "$page"
page=docs/import.md
{ printf '%s\n\n' "$(sed '/^| option /,$d' "$page")"
  build/mrpb import --options; } > "$new/import.md"
place "$new/import.md" "$page"
page=docs/conform/path.md
printf 'tests/conform/path/tiny_cache.sv\n' > "$new/tiny.f"
build/mrpb conform --path -f "$new/tiny.f" --map tests/conform/path/tiny_cache.map --lint off --cycles 200000 --cases "$new" > "$new/verdict"
{ sed '/^<!-- verdict -->$/q' "$page"
  printf '\n'
  sed 's/^/    /' "$new/verdict"
  printf '\n'
  sed -n '/^<!-- \/verdict -->$/,$p' "$page"; } > "$new/path.md"
place "$new/path.md" "$page"
page=docs/json.md
{ printf '%s\n\n' "$(sed '/^### /,$d' "$page")"
  build/mrpb help-json --markdown; } > "$new/json.md"
place "$new/json.md" "$page"
PLOTS=$new docs/atlas/programs.sh > "$new/programs.md"
place "$new/programs.md" docs/atlas/programs.md
for svg in "$new"/counters-*.svg; do place "$svg" "docs/atlas/$(basename "$svg")"; rm "$svg"; done
page=docs/memory/dram.md
{ printf '%s\n\n### The table\n\n' "$(sed '/^### The table$/,$d' "$page")"
  build/mrpb dram --table docs/memory/dram_peers.csv --set DRAM_CHIPS=1 --set DRAM_GROUP_BUG=0 --set DRAM_QUEUE=31 --set DRAM_RETURN_QUEUE=64 \
    --map row,bank,group,column:11; } > "$new/dram.md"
place "$new/dram.md" "$page"
for page in docs/atlas/h*.md; do
  docs/atlas/make.sh "$(basename -s .md "$page")" > "$new/atlas.md"
  place "$new/atlas.md" "$page"
done
for picture in mismatch house; do
  docs/pictures/make.sh $picture "$new/$picture"
  place "$new/$picture" docs/pictures/$picture.svg
done
cp docs/figures/*.csv "$new"
build/mrpb figures --redraw --out "$new"
. tests/recorded.sh
! recorded_ "pictures of docs/figures" "gnuplot 5.4" gnuplot --version ||
  for svg in "$new"/*.svg; do place "$svg" "docs/figures/$(basename "$svg")"; done
mkdir "$new/question"
tests/gpu/question.sh --chart tests/question/record.csv > "$new/question/question.csv"
build/mrpb figures --redraw --from tests/question --out "$new/question"
! recorded_ "picture of docs/question.md" "gnuplot 5.4" gnuplot --version ||
  place "$new/question/question.svg" docs/pictures/question.svg
for svg in docs/figures/*.svg; do
  [ -e "$new/$(basename "$svg")" ] || { echo "docs: $svg: its data have nothing to draw; remove it"; stale=1; }
done

# Prints a line for each module of a file of recorded figures: sizes, area, flip-flops, period.
figures() { # figures FILE
  tr -d '",' < "$1" | awk '$1 == "module:" {m = $2; sizes = ""; on = 1; next}
    $1 == "netlists:" {on = 0; n = $2}
    on && $1 ~ /^(QUEUES|DEPTH|POLICY|ENTRIES|MERGES|LANES):$/ {sizes = sizes " " substr($1, 1, length($1) - 1) "=" $2}
    $1 == "area_um2:" {area = $2} $1 == "flops:" {flops = $2}
    $1 == "period_ns:" {printf "%s%s;%d;%.0f;%d;%.3f;%.3f\n", m, sizes, n, area, flops, $2, 1 / $2}'
}
# The comments at the ports of the Verilog come from the same tables; the cost in a module's header
# comes from the recorded figures.
for verilog in rtl/*.v; do
  stem=$(basename -s .v "$verilog")
  parts=tb/verify/prove/parts/$stem.ports.h # for a module without a C twin
  if [ -e "$parts" ]; then
    sed -nE 's/^(PARAM|INW?|OUTW?)\(([A-Za-z_]+), .*"(.*)"\)$/| `\2` | | | \3 |/p' "$parts"
  elif [ -e "cmodel/ports/$stem.ports.h" ]; then
    build/mrpb ports "$stem"
  else
    continue # a wrapper of SRAMs: docs/modules/sram.md has its tables
  fi > "$new/$stem.table"
  figures tests/estimate/baseline.json | awk -F'[ ;]' -v stem="$stem" '
    $1 == stem {n = NF; sizes = ""; for (i = 2; i <= n - 5; i++) sizes = sizes " " $i
      printf "// Cost:%s: %s ns, %s um2, %s flip-flops (OSU018)\n", sizes, $(n - 1), $(n - 3), $(n - 2)}' > "$new/costs"
  awk -v costs="$new/costs" -f docs/verilog_comments.awk "$new/$stem.table" "$verilog" > "$new/$stem.v"
  place "$new/$stem.v" "$verilog"
done
page=docs/estimate/logic.md
{ printf '%s\n\n## The two scripts, recorded\n\n' "$(sed '/^## The two scripts, recorded$/,$d' "$page")"
  echo "OSU018, typical corner, medians of so many equivalent netlists; written by \`make docs\` from \`tests/estimate/baseline.json\` (script"
  echo "\`speed\`) and \`stock.json\` (\`--abc stock\`), which \`make estimate-check\` measures anew. How much the script matters depends on the"
  echo "library: \`speed\` was written for Nangate 45, which cannot be shipped, and shortens the MRPB's period there by about a fifth. So a period or"
  echo "an fmax means nothing without its script and its library. The default \`--clock\` of 1.15 GHz is no goal at 180 nm."
  echo
  echo "| module | netlists | flops | area um2, speed | stock | period ns, speed | stock | fmax GHz, speed | stock | stock : speed, period |"
  echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
  paste -d';' <(figures tests/estimate/baseline.json) <(figures tests/estimate/stock.json) |
    awk -F';' '$1 != $7 {print "docs: other modules in stock.json than in baseline.json: " $1 > "/dev/stderr"; exit 1}
      {printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %.2f |\n", $1, $2, $4, $3, $9, $5, $11, $6, $12, $11 / $5}'
} > "$new/logic.md"
place "$new/logic.md" "$page"
page=docs/estimate/place.md
{ printf '%s\n\n## Recorded\n\n' "$(sed '/^## Recorded$/,$d' "$page")"
  tr -d '",' < tests/estimate/placed.json | awk -f docs/placed.awk
} > "$new/place.md"
place "$new/place.md" "$page"
page=docs/estimate/energy.md
{ printf '%s\n\n## Recorded\n\n' "$(sed '/^## Recorded$/,$d' "$page")"
  python3 tests/estimate/energy.py tables
} > "$new/energy.md"
place "$new/energy.md" "$page"
page=docs/estimate/l1.md
{ printf '%s\n\n## Recorded\n\n' "$(sed '/^## Recorded$/,$d' "$page")"
  python3 tests/estimate/l1.py tables
} > "$new/l1.md"
place "$new/l1.md" "$page"
if [ "$stale" = 0 ]; then echo "docs: up to date"; else exit 1; fi
