# SPDX-License-Identifier: Apache-2.0
# Rewrites a Verilog module with a comment at each parameter and port and the recorded costs in its
# header.
#   awk -v costs=FILE -f docs/verilog_comments.awk TABLE MODULE.v
# TABLE is the output of `mrpb ports MODULE`; FILE has the lines of the header (may be empty). This
# program owns, and replaces, the comments that stand alone between the module's name and the end of
# its ports, and the header lines from "// Cost:" on.
FNR == NR {
  n = split($0, cell, " *\\| *")
  if (cell[2] ~ /^`[A-Za-z_0-9]+`$/ && n > 5) doc[substr(cell[2], 2, length(cell[2]) - 2)] = cell[5]
  next
}
function say(text,    words, count, i, line) { # at most 100 columns
  count = split(text, words, " ")
  line = "  //"
  for (i = 1; i <= count; i++) {
    if (length(line) + 1 + length(words[i]) > 100) {
      print line
      line = "  //"
    }
    line = line " " words[i]
  }
  print line
}
/^`default_nettype none/ {
  while ((getline line < costs) > 0) print line
  costing = 0
}
/^\/\/ Cost:/ {costing = 1}
costing && /^\/\// {next}
/^module / {inside = 1}
inside && /^ *\/\// {next}
inside && /^  (parameter|input|output) / {
  name = /^  parameter/ ? $3 : $NF
  sub(/,$/, "", name)
  if (name in doc) say(doc[name])
  else {
    print "docs/verilog_comments.awk: " FILENAME ": " name " is in no table" > "/dev/stderr"
    exit 1
  }
}
/^\);/ {inside = 0}
{print}
