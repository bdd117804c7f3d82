# SPDX-License-Identifier: Apache-2.0
# Wraps the paragraphs of a generated page that have a line of more than 100 columns. Tables, code,
# headings and pictures stay as they are, and no line ends within `code` or begins like a list.
#   awk -f docs/wrap.awk PAGE

function add(piece) {
  if (line != "" && length(line) + 1 + length(piece) > 100) {
    print line
    line = hang piece
  } else {
    line = line == "" ? lead piece : line " " piece
  }
}
function flush(   i, n, word, piece, ticks) {
  if (!lines) return
  if (!long) {
    for (i = 1; i <= lines; i++) print kept[i]
  } else {
    n = split(text, word, " ")
    line = piece = ""
    for (i = 1; i <= n; i++) {
      piece = piece == "" ? word[i] : piece " " word[i]
      ticks = gsub(/`/, "`", piece)
      if (ticks % 2 == 0 && word[i + 1] !~ /^([0-9]+\.|[-+*#])$/) {
        add(piece)
        piece = ""
      }
    }
    if (piece != "") add(piece)
    print line
  }
  lines = long = 0
  text = ""
}
/^```/ { flush(); code = !code; print; next }
code || /^$/ || /^ *\|/ || /^#/ || /^!\[/ || /^<!--/ || /^    / { flush(); print; next }
/^ *([-*]|[0-9]+\.) / { flush() }
{
  if (!lines) {
    match($0, /^ *(([-*]|[0-9]+\.) +)?/)
    lead = substr($0, 1, RLENGTH)
    hang = sprintf("%" RLENGTH "s", "")
    text = substr($0, RLENGTH + 1)
  } else {
    text = text " " $0
  }
  kept[++lines] = $0
  if (length($0) > 100) long = 1
}
END { flush() }
