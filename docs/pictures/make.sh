#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The pictures of README.md that show a run, of the seeded bug `mshr-full-despite-drain` in a copy of the MSHR's Verilog.
#   docs/pictures/make.sh mismatch FILE.svg   the report, as a terminal shows it (`make docs`; checked by `make test`)
#   docs/pictures/make.sh wave FILE.png       its wave in GTKWave, under Xvfb (by hand, when the wave's looks have changed)
set -eu
cd "$(dirname "$0")/../.."
. tests/edit.sh
bug=mshr-full-despite-drain
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

part() { sed -n "/^bug  *$bug:/,/^run/s/^$1  *//p" tests/verify/bugs/bugs.txt; }

mkdir "$work/my_rtl" && cp rtl/*.v "$work/my_rtl"
replace_once "$work/my_rtl/mshr.v" "$(part from)" "$(part to)"

typed() { # typed COMMAND...: as a terminal shows it, with what it says, for a reader whose my_rtl lies here
  { echo "\$ $*"; "$@" 2>&1 || true; } | sed "s|$work/||g"
}
session() {
  typed diff rtl/mshr.v "$work/my_rtl/mshr.v"
  typed build/mrpb cosim mshr --set ENTRIES=4 --set MERGES=3 --rtl "$work/my_rtl"
}

# Lines break where a terminal of 100 columns breaks them; the commands and the first difference stand out.
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

# The same run's wave as its save file opens it, in a window that fits a page.
wave() {
  build/mrpb cosim mshr --set ENTRIES=4 --set MERGES=3 --rtl "$work/my_rtl" --no-shrink --vcd "$work/mshr.vcd" > "$work/report" &&
    return 1
  sed -i 's/^\[size\].*/[size] 1180 600/' "$work/mshr.gtkw"
  printf 'gtkwave::/File/Grab_To_File %s\nafter 300\ngtkwave::/File/Quit\n' "$work/wave.png" > "$work/grab.tcl"
  (cd "$work" && timeout 60 xvfb-run -a -s "-screen 0 1300x700x24" \
    gtkwave --rcvar 'hide_sst on' -S grab.tcl mshr.vcd mshr.gtkw > log 2>&1)
  [ -s "$work/wave.png" ]
}

case "${1:-}" in
mismatch) session | draw > "$work/picture.svg" && cp "$work/picture.svg" "$2" ;;
wave) wave && cp "$work/wave.png" "$2" ;;
*) echo "docs/pictures/make.sh: mismatch FILE.svg or wave FILE.png" >&2; exit 2 ;;
esac
