#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Plain English on every page: no pattern of tests/prose.txt, and lines of at most 100 columns,
# except in tables, code and pictures. A page that a command writes is wrapped by docs/wrap.awk.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

pages() {
  git ls-files '*.md'
}
# Sentences are checked without code, and with the lines of a paragraph joined.
look() { # look PAGE...: prints each fault, one per line
  awk -F '\t' '
    NR == FNR { if (!/^#/) { pattern[++n] = tolower($1); instead[n] = $2 } next }
    function say(k) { if (match(tolower(text), pattern[k]))
      printf "%s: \"%s\"; write: %s\n", page, substr(text, RSTART > 20 ? RSTART - 20 : 1, RLENGTH + 40), instead[k] }
    function judge(k) { gsub(/`[^`]*`/, "", text); for (k = 1; k <= n; k++) say(k); text = "" }
    FNR == 1 { judge(); page = FILENAME; code = 0 }
    /^```/ { code = !code }
    code || /^    / { next }
    /[^ |:-].*\| *:?---+:? *\|/ { printf "%s:%d: the rows of a table in running text\n", FILENAME, FNR }
    length($0) > 100 && !/^ *\|/ && !/^!\[/ && !/^ *`[^`]*`[.,:;]?$/ { printf "%s:%d: %d columns; legal: 100\n", FILENAME, FNR, length($0) }
    /^$/ || /^ *\|/ || /^#/ { judge() }
    { text = text " " $0 }
    END { judge() }' tests/prose.txt "$@"
}

# an empty or missing page is not read
pages | xargs awk 'FNR == 1 { print FILENAME }' | sort > "$work/read"
mapfile -t all < "$work/read"
look "${all[@]}" > "$work/found"
cat "$work/found"
[ -s "$work/found" ] && failed=$((failed + 1)) || passed=$((passed + 1))

# Tests the check itself: each pattern is noticed, and so is a long line.
notices() { # notices PATTERN TEXT
  printf 'A page.\n\n%s\n' "$2" > "$work/page.md"
  if look "$work/page.md" | grep -qF -- "$1"; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "prose: '$2' is not noticed"
  fi
}
while IFS=$'\t' read -r pattern instead sample; do
  [[ $pattern == \#* ]] || notices "$instead" "It is $sample there."
done < tests/prose.txt
notices "101 columns" "$(printf '%0101d' 0)"
notices "a table in running text" '   | a | b | | --- | --- | | c | d |'
echo "prose: $passed passed, $failed failed"
[ "$failed" = 0 ]
