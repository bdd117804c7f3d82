#!/usr/bin/env bash
# Writes anew what is made from tables: docs/config.md, the port tables at the end of each module page, the
# save files waves/<stem>.gtkw, the crosses in docs/verify/coverage.md, the table in docs/memory/dram.md, and the pictures of docs/figures from their CSV files. `--check` changes nothing and fails if something is out of date.
set -eu
cd "$(dirname "$0")/.."
check=${1:-}
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
stale=0

place() { # place NEW FILE
  if cmp -s "$1" "$2"; then return; fi
  if [ "$check" = --check ]; then
    echo "docs: $2 is out of date; type: make docs"
    stale=1
  else
    cp "$1" "$2"
    echo "wrote $2"
  fi
}

build/mrpb help-config --markdown > "$new/config.md"
place "$new/config.md" docs/config.md
for ports in cmodel/ports/*.ports.h; do
  stem=$(basename -s .ports.h "$ports")
  page=docs/modules/$stem.md
  { printf '%s\n\n## Parameters, ports, registers\n\n' "$(sed '/^## Parameters, ports, registers$/,$d' "$page")"
    build/mrpb ports "$stem"; } > "$new/$stem.md"
  place "$new/$stem.md" "$page"
  build/mrpb cosim "$stem" --save-file "$new/$stem.gtkw"
  place "$new/$stem.gtkw" "waves/$stem.gtkw"
done
page=docs/verify/coverage.md
{ printf '%s\n\n## The crosses\n\n' "$(sed '/^## The crosses$/,$d' "$page")"
  build/mrpb cosim --crosses; } > "$new/coverage.md"
place "$new/coverage.md" "$page"
page=docs/memory/dram.md
{ printf '%s\n\n### The table\n\n' "$(sed '/^### The table$/,$d' "$page")"
  build/mrpb dram --table docs/memory/dram_peers.csv --set DRAM_CHIPS=1 --set DRAM_GROUP_BUG=0 --set DRAM_QUEUE=31 --set DRAM_RETURN_QUEUE=64 \
    --map row,bank,group,column:11; } > "$new/dram.md"
place "$new/dram.md" "$page"
cp docs/figures/*.csv "$new"
build/mrpb figures --redraw --out "$new"
for svg in "$new"/*.svg; do place "$svg" "docs/figures/$(basename "$svg")"; done
for svg in docs/figures/*.svg; do
  [ -e "$new/$(basename "$svg")" ] || { echo "docs: $svg: its data have nothing to draw; remove it"; stale=1; }
done
if [ "$stale" = 0 ]; then echo "docs: up to date"; else exit 1; fi
