#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests what `make site` finds: a small tree passes; each planted fault gives one line, and exit 1.
set -u
cd "$(dirname "$0")/.."
make=$PWD/docs/site/make.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/case.sh

fresh() { # a tree with one page of each sort, in $work/tree
  rm -rf "$work/tree" && mkdir -p "$work"/tree/{docs/part,cmodel,tb/x}
  cd "$work/tree" || exit 1
  printf '# Home\n\n[index](docs/README.md)\n' > README.md
  printf '# C\n' > CHANGELOG.md
  printf 'int a < b;\n' > cmodel/a.c
  touch tb/x/one.h docs/p.svg
  printf '%s\n' '# Index' '' '[c](../CHANGELOG.md)' '' '## Reference: all' '' '| page | what |' '| --- | --- |' \
    '| [part/](part/README.md) | a part |' > docs/README.md
  printf '%s\n' '# Part: one' '' 'See [b](b.md#two-words), [a](../../cmodel/a.c), [x](../../tb/x/).' '' '![p](../p.svg)' '' \
    '1. one' '   - below' '' '| a | b |' '| --- | --- |' '| `c\|d` | e |' > docs/part/README.md
  printf '# B\n\n## Two words\n' > docs/part/b.md
}
site() { "$make" "$work/tree" "$work/built"; }
holds() { # holds PAGE TEXT: a page of the site has the text
  true_ "$1: $2" grep -qF -- "$2" "$work/built/site/$1"
}

fresh
case_ "a tree" 0 '^site: [0-9]+ links on 8 pages lead somewhere$' site
holds index.html '<h2>Reference</h2>'
holds docs/part/index.html '<a href="b.html#two-words">'
holds docs/part/index.html '<a href="b.html">B</a>'
holds docs/part/index.html 'src="../p.svg"'
holds docs/part/index.html '<code>c|d</code>'
holds docs/part/index.html '<li>below</li>'
holds cmodel/a.c.html 'int a &lt; b;'
holds tb/x/index.html '<a href="one.h.html">'
holds search/search_index.json 'two-words'

fresh
echo '# New' > docs/new.md
case_ "a page that no index lists" 1 '^site: docs/new.md is not in docs/README.md, nor linked from a page that is$' site
true_ "one line" test "$(wc -l < "$work/out")" = 1

fresh
lines=0
planted() { # planted FILE LINK WHY TEXT: the text makes the file's link a dead one
  echo "$4" >> "$1"
  echo "site: $1 links to $2: $3" >> "$work/expected"
  lines=$((lines + 1))
}
planted docs/part/b.md gone.md "no such file" '[x](gone.md)'
planted README.md tb/gone.c "no such file" '[x](tb/gone.c)'
planted README.md ../x.c "no such file" '[x](../x.c)'
planted docs/part/README.md b.html#three "no such heading" '[x](b.md#three)'
planted CHANGELOG.md '#three' "no such heading" '[x](#three)'
planted docs/part/b.md q.svg "no such file" '![x](q.svg)'
planted CHANGELOG.md https://x.org/x.js "of another site" $'\n<script src="https://x.org/x.js"></script>\n'
planted docs/p.svg https://x.org/a "of another site" '<svg><image href="https://x.org/a"/></svg>'
case_ "dead links" 1 '^site: ' site
true_ "$lines dead links, a line each" cmp -s <(sort "$work/expected") <(sort "$work/out")
echo "site: $passed passed, $failed failed"
[ "$failed" = 0 ]
