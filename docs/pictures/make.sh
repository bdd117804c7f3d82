#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes pictures. Those of README.md show a run with the seeded bug `mshr-full-despite-drain` in a
# copy of the MSHR's Verilog; the picture of docs/house.md shows the storeys of its table, which
# must be those of tests/storeys.txt.
#   docs/pictures/make.sh mismatch FILE.svg   the report, as a terminal shows it (`make docs`;
#                                             checked by `make test`)
#   docs/pictures/make.sh house FILE.svg      the storeys (the same)
#   docs/pictures/make.sh wave FILE.png       its wave in GTKWave, under Xvfb (by hand, when the
#                                             wave's looks have changed)
set -eu
cd "$(dirname "$0")/../.."
. tests/edit.sh
bug=mshr-full-despite-drain
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

part() { sed -n "/^bug  *$bug:/,/^run/s/^$1  *//p" tests/verify/bugs/bugs.txt; }

broken_copy() {
  mkdir "$work/my_rtl" && cp rtl/*.v "$work/my_rtl" && replace_once "$work/my_rtl/mshr.v" "$(part from)" "$(part to)"
}

# typed COMMAND...: the command and its output, as a terminal shows them to a reader whose my_rtl is
# here
typed() {
  { echo "\$ $*"; "$@" 2>&1 || true; } | sed "s|$work/||g"
}
session() {
  typed diff rtl/mshr.v "$work/my_rtl/mshr.v"
  typed build/mrpb cosim mshr --set ENTRIES=4 --set MERGES=3 --rtl "$work/my_rtl"
}

# Lines break as in a terminal of 100 columns; the commands and the first difference are
# highlighted.
draw() {
  awk -v columns=100 '
    function escape(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); gsub(/>/, "\\&gt;", s); return s }
    function put(s, class) { line[++n] = "<text" class " x=\"16\" y=\"" 17 * n + 16 "\">" escape(s) "</text>" }
    { class = /^\$ / ? " class=\"typed\"" : /^MISMATCH|^  first |^  ->/ ? " class=\"first\"" : ""
      do { put(substr($0, 1, columns), class); $0 = substr($0, columns + 1) } while ($0 != "") }
    END {
      height = 17 * n + 32
      print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 872 " height "\" font-family=\"monospace\" font-size=\"14\" xml:space=\"preserve\">"
      print "<title>A report of a difference between the C model and the Verilog</title>"
      print "<style>text { fill: #d4d8dd; white-space: pre } .typed { fill: #8fd18f } .first { fill: #ffb454 }</style>"
      print "<rect width=\"872\" height=\"" height "\" rx=\"8\" fill=\"#1c2128\"/>"
      for (i = 1; i <= n; i++) print line[i]
      print "</svg>" }'
}

# The wave of the same run, as its save file opens it, in a window that fits a page.
wave() {
  build/mrpb cosim mshr --set ENTRIES=4 --set MERGES=3 --rtl "$work/my_rtl" --no-shrink --vcd "$work/mshr.vcd" > "$work/report" &&
    return 1
  sed -i 's/^\[size\].*/[size] 1180 600/' "$work/mshr.gtkw"
  printf 'gtkwave::/File/Grab_To_File %s\nafter 300\ngtkwave::/File/Quit\n' "$work/wave.png" > "$work/grab.tcl"
  (cd "$work" && timeout 60 xvfb-run -a -s "-screen 0 1300x700x24" \
    gtkwave --rcvar 'hide_sst on' -S grab.tcl mshr.vcd mshr.gtkw > log 2>&1)
  [ -s "$work/wave.png" ]
}

# A bar for each row of the table "| storey | what it is for |", the highest first, in the order of
# the table.
house() {
  sed -n '/^| storey |/,/^$/s/^| `\([^`]*\)` | \(.*\) |$/\1\t\2/p' docs/house.md > "$work/rows"
  sed -nE 's#^(cmodel|tb/[a-z]+).*#\1#p' tests/storeys.txt | uniq | tac > "$work/storeys"
  cut -f1 "$work/rows" | diff "$work/storeys" - > "$work/diff" ||
    { echo "docs/house.md: other storeys, or another order, than tests/storeys.txt" >&2; cat "$work/diff" >&2; return 1; }
  awk -F'\t' '
    function escape(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); return s }
    { gsub(/`/, "")
      y = 16 + 30 * (NR - 1); own = $1 == "cmodel"
      bar[NR] = "<rect class=\"" (own ? "own" : "bar") "\" x=\"56\" y=\"" y "\" width=\"800\" height=\"26\" rx=\"4\"/>" \
        "<text class=\"room\" x=\"68\" y=\"" y + 18 "\">" $1 "</text><text class=\"says\" x=\"174\" y=\"" y + 18 "\">" escape($2) "</text>" }
    END {
      height = 30 * NR + 28
      print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 872 " height "\" font-family=\"sans-serif\" font-size=\"13\">"
      print "<title>The storeys: a folder includes what stands below it, never what stands above</title>"
      print "<style>.bar { fill: #ffffff; stroke: #8c959f } .own { fill: #fff1d6; stroke: #b45309; stroke-width: 2 }"
      print ".room { font-family: monospace; font-weight: bold; fill: #1f2328 } .says { fill: #424a53 }</style>"
      print "<rect width=\"872\" height=\"" height "\" rx=\"8\" fill=\"#f6f8fa\"/>"
      for (i = 1; i <= NR; i++) print bar[i]
      print "<path d=\"M28 20 V" height - 34 "\" stroke=\"#0550ae\" stroke-width=\"2\"/>"
      print "<path d=\"M22 " height - 36 " h12 l-6 12 z\" fill=\"#0550ae\"/>"
      print "<text class=\"says\" transform=\"translate(44 " height / 2 ") rotate(-90)\" text-anchor=\"middle\">includes</text>"
      print "</svg>" }' "$work/rows"
}

case "${1:-}" in
mismatch | wave) broken_copy ;;
esac
case "${1:-}" in
house) house > "$work/picture.svg" && cp "$work/picture.svg" "$2" ;;
mismatch) session | draw > "$work/picture.svg" && cp "$work/picture.svg" "$2" ;;
wave) wave && cp "$work/wave.png" "$2" ;;
*) echo "docs/pictures/make.sh: mismatch or house FILE.svg, or wave FILE.png" >&2; exit 2 ;;
esac
