#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# FIFOs of the public library verilog-axis against one another and against fifo.v, and our MSHR with
# random extra latency against our C model: the table of docs/verify/streams.md. DIR is a folder with
# axis_fifo.v and axis_srl_fifo.v (github.com/alexforencich/verilog-axis, rtl/).
#   [MRPB=build/mrpb] tests/verify/streams/public.sh DIR [CYCLES] [--write]
set -eu
cd "$(dirname "$0")/../../.."
mrpb=${MRPB:-build/mrpb} here=tests/verify/streams library=${1:?a folder with axis_fifo.v} cycles=${2:-1000000}
page=docs/verify/streams.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

axis_map() { # axis_map TOP PARAM=VALUE...: the map of one of their FIFOs
  printf 'top %s\nclock clk\nreset rst high sync\n' "$1"
  for p in "${@:2}" ID_ENABLE=1 DEST_ENABLE=1; do echo "param ${p%%=*} = ${p##*=}"; done
  echo "in s_axis_tkeep = 1'd1"
  [ "$1" = axis_srl_fifo ] || echo "in pause_req = 1'd0"
  echo 'stream in valid=s_axis_tvalid ready=s_axis_tready payload={s_axis_tuser, s_axis_tdest, s_axis_tid, s_axis_tlast, s_axis_tdata}'
  echo 'stream out valid=m_axis_tvalid ready=m_axis_tready payload={m_axis_tuser, m_axis_tdest, m_axis_tid, m_axis_tlast, m_axis_tdata} of=in latency=measured'
}
axis_map axis_fifo DEPTH=64 RAM_PIPELINE=3 > "$work/deep.map"
axis_map axis_fifo DEPTH=64 RAM_PIPELINE=3 OUTPUT_FIFO_ENABLE=1 > "$work/output.map"
axis_map axis_fifo DEPTH=16 RAM_PIPELINE=1 > "$work/small.map"
axis_map axis_srl_fifo DEPTH=32 > "$work/srl.map"
sed 's/^clock/param DATA_W = 25\n&/' $here/fifo.map > "$work/plain.map"

row() { # row DESIGN REFERENCE COMMAND...: a row of the table
  local out=$work/out rc=0
  "$mrpb" streams "${@:3}" --cycles "$cycles" > "$out" 2>&1 || rc=$?
  sed -nE "s/^  stream +(out|answer): ([0-9]+) items compared (in order|by tag).*/\2 \3/p" "$out" > "$work/items"
  sed -nE 's/^  latency .*: .* ([0-9]+) \/ .*, .* ([0-9]+) \/ .*/\2, reference \1/p' "$out" > "$work/latency"
  [ $rc = 0 ] || { cat "$out" >&2; echo "$1: exit $rc" >&2; exit 1; }
  read -r n how < "$work/items"
  echo "| $1 | $2 | matched, $(sed ':a;s/\B[0-9]\{3\}\>/,&/;ta' <<< "$n") items $how | $(cat "$work/latency") |"
}

# shellcheck disable=SC2016 # Markdown, no commands
table() {
  printf '| design | reference | result | least latency |\n| --- | --- | --- | --- |\n'
  local fifo=$library/axis_fifo.v
  row '`axis_fifo`, `DEPTH` 64, `RAM_PIPELINE` 3' '`axis_fifo`, `DEPTH` 16, `RAM_PIPELINE` 1' "$fifo" --map "$work/deep.map" --ref "$fifo" --ref-map "$work/small.map"
  row 'the same with `OUTPUT_FIFO_ENABLE`' 'the same' "$fifo" --map "$work/output.map" --ref "$fifo" --ref-map "$work/small.map"
  row '`axis_fifo`, `DEPTH` 64, `RAM_PIPELINE` 3' '`fifo.v`, 8 places' "$fifo" --map "$work/deep.map" --ref $here/fifo.v --ref-map "$work/plain.map"
  row '`axis_srl_fifo`, `DEPTH` 32' '`fifo.v`, 8 places' "$library/axis_srl_fifo.v" --map "$work/srl.map" --ref $here/fifo.v --ref-map "$work/plain.map"
  row '`elastic.v`, 16 places' '`fifo.v`, 8 places' $here/elastic.v --map $here/elastic.map --ref $here/fifo.v --ref-map $here/fifo.map
  row '`slow_mshr.v`, `ENTRIES` 4, `MERGES` 3' '`mshr` in C' $here/slow_mshr.v rtl/mshr.v rtl/one_hot_encoder.v rtl/priority_encoder.v \
    --map $here/slow_mshr.map --set ENTRIES=4 --set MERGES=3 --set ADDR_W=6 --set DATA_W=8
}

table > "$work/table.md"
cat "$work/table.md"
if [ "${3:-}" = --write ]; then
  awk -v new="$work/table.md" '/^\| design \| reference/ { while ((getline line < new) > 0) print line; skip = 1 }
    !/^\|/ { skip = 0 } !skip' $page > "$work/page.md"
  cp "$work/page.md" $page
fi
