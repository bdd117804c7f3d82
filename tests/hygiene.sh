#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What may be in git, and how a source file begins. Every check starts from `git ls-files`, so that
# untracked files do not matter.
#   tests/hygiene.sh              the tests of this check (each fault planted in a separate tree),
#                                 then this tree
#   tests/hygiene.sh check [DIR]  a tree alone: exit 1 and a line for each fault
set -u
cd "$(dirname "$0")/.." || exit 2
. tests/tier.sh
# bytes; a larger file is a measurement or a build output, which a command can make again
LIMIT=327680

# Files that are given to programs as they are, broken ones among them: data, not sources.
DATA=':!tests/fuzz/corpus' # a pathspec

tracked() { git ls-files -z --cached -- "$@"; } # tracked PATHSPEC...: names that end in 0

# The licence line, in the comment style of each kind of file. Not required of: configurations,
# whose first line is the title that pages show; PTX, whose texts are compared with a compiler's;
# save files, tables and pictures, which commands write; Markdown.
c_like() { tracked '*.c' '*.h' '*.def' "$DATA"; }
either() { tracked '*.cpp' "$DATA"; }
slashes() { tracked '*.v' '*.vh' '*.cu' "$DATA"; }
hashes() { tracked '*.sh' '*.awk' '*Makefile' .ci/run "$DATA"; }
sources() { c_like; either; slashes; hashes; }

lacks_licence() { # lacks_licence COMMENT [OR]: the files on stdin without it in line 1, or in line 2 below a "#!"
  xargs -0r awk -v want="$1" -v or="${2:-$1}" '
    FNR == 1 { at = /^#!/ ? 2 : 1 }
    FNR == at && ($0 == want || $0 == or) { ok[FILENAME] = 1 }
    FNR == 2 { nextfile }
    END { for (i = 1; i < ARGC; i++) if (!(ARGV[i] in ok)) print ARGV[i] }'
}
say() { sed "s|^|hygiene: |; s|\$|: $1|"; } # say FAULT: one line for each file named on stdin

# A picture belongs to a page, under docs/ or at the root, that shows it by its relative path.
unseen() {
  comm -13 <(tracked '*.md' | xargs -0r awk '
      { while (match($0, /(\]\(|src="|srcset=")[^")# ]+\.(svg|png)/)) {
          name = substr($0, RSTART, RLENGTH); $0 = substr($0, RSTART + RLENGTH)
          sub(/^(\]\(|src="|srcset=")/, "", name)
          folder = FILENAME; if (!sub(/\/[^\/]*$/, "/", folder)) folder = ""
          path = folder name
          while (sub(/[^\/]+\/\.\.\//, "", path)) {}
          print path } }' | sort -u) <(tracked '*.svg' '*.png' | tr '\0' '\n' | sort)
}

# A file that a page names as `folder/file` or links to must be in git, or be made by a command and
# so be named by .gitignore. NAME and MODULE are placeholders; the change log may name files that
# are gone.
dangling() { # lines "PAGE names PATH"
  tracked '*.md' ':!CHANGELOG.md' "$DATA" | xargs -0r awk '
    function said(path) {
      sub(/\/$/, "", path)
      while (sub(/[^\/]+\/\.\.(\/|$)/, "", path)) {}
      if (path != "") print FILENAME " names " path }
    { folder = FILENAME
      if (!sub(/\/[^\/]*$/, "/", folder)) folder = ""
      for (text = $0; match(text, /`(cmodel|rtl|tb|tests|configs|docs|waves)\/[A-Za-z0-9_.\/-]*`/); text = substr(text, RSTART + RLENGTH)) {
        path = substr(text, RSTART + 1, RLENGTH - 2)
        if (path !~ /NAME|MODULE/) said(path) }
      for (text = $0; match(text, /\]\([^)# ]+/); text = substr(text, RSTART + RLENGTH)) {
        path = substr(text, RSTART + 2, RLENGTH - 2)
        if (path !~ /^[a-z]+:/) said(folder path) } }' |
    sort -u | awk -v list=<(tracked | tr '\0' '\n') '
      BEGIN { while ((getline file < list) > 0) { there[file]; while (sub(/\/[^\/]*$/, "", file)) there[file] } }
      !($NF in there)' |
    while read -r page names path; do git check-ignore -q "$path" || echo "$page $names $path"; done
}

# A function of a script that also exists in one of the files it sources: from there on, that file's
# own functions call the wrong one.
overridden() { # lines "SCRIPT: FUNCTION"
  local script file from
  tracked '*.sh' | while IFS= read -rd '' script; do
    sed -nE 's/^ *\. +"?([A-Za-z0-9_\/.-]+\.sh)"?.*/\1/p' "$script" | while IFS= read -r from; do
      file=$from
      [ -f "$file" ] || file=$(dirname "$script")/$from
      [ -f "$file" ] || continue
      comm -12 <(grep -oE '^[A-Za-z_]+\(\)' "$script" | sort -u) <(grep -oE '^[A-Za-z_]+\(\)' "$file" | sort -u) |
        sed "s|^|$script: |"
    done
  done
}

each_fault() {
  tracked | xargs -0r stat -c '%s %n' | awk -v limit=$LIMIT '$1 > limit { sub(/^[0-9]+ /, ""); print }' |
    say "larger than $((LIMIT / 1024)) kB"
  tracked | xargs -0r grep -lzaP '\A(\x7fELF|!<arch>\n)' -- | say 'a program, an object, a library or a core dump'
  git ls-files -ci --exclude-per-directory=.gitignore | say 'in git, and named by .gitignore'
  unseen | say 'a picture that no page shows'
  dangling | say 'not in git'
  c_like | lacks_licence '/* SPDX-License-Identifier: Apache-2.0 */' | say 'no /* SPDX-License-Identifier */ at its beginning'
  either | lacks_licence '/* SPDX-License-Identifier: Apache-2.0 */' '// SPDX-License-Identifier: Apache-2.0' |
    say 'no SPDX-License-Identifier in a comment at its beginning'
  slashes | lacks_licence '// SPDX-License-Identifier: Apache-2.0' | say 'no // SPDX-License-Identifier at its beginning'
  hashes | lacks_licence '# SPDX-License-Identifier: Apache-2.0' | say 'no # SPDX-License-Identifier at its beginning'
  sources | xargs -0r grep -lzP '\r\n' -- | say 'lines that end as in DOS'
  sources | xargs -0r grep -lE '[[:blank:]]$' -- | say 'blanks at the end of a line'
  sources | LC_ALL=C.UTF-8 xargs -0r grep -lavx '.*' -- | say 'not UTF-8'
  sources | xargs -0r grep -lE '^(<{7}|>{7}) ' -- | say 'a conflict that was not resolved'
  sources | xargs -0r grep -lE '["=> ]/tmp/' -- | say 'a name in /tmp; legal: below TMPDIR, a test in build/tmp'
  sources | xargs -0r grep -lzP '[^\n]\z' -- | say 'its last line does not end'
  overridden | say 'is also in a file that the script reads'
  tracked 'tb/*.c' 'cmodel/*.c' | xargs -0r grep -lE '\bopen_memstream\(' -- | say 'open_memstream may lose text; legal: memory_file'
}

check() { # check DIR
  (
    cd "$1" && [ "$(git rev-parse --is-inside-work-tree 2> /dev/null)" = true ] ||
      { echo "hygiene: $1: no checkout of git, so nothing can be said about what is in it"; exit 2; }
    [ "$(sources | tr -cd '\0' | wc -c)" -gt 0 ] || { echo "hygiene: $1: no source file is in git"; exit 2; }
    found=$(each_fault)
    [ -z "$found" ] || { echo "$found"; exit 1; }
  )
}

planted() { # planted NAME PATTERN COMMAND: in a clean tree, the change is the only fault reported
  local tree=$work/tree
  sampled 4 || return 0
  rm -rf "$tree" && cp -r "$work/clean" "$tree"
  (cd "$tree" && eval "$3" && git add -A)
  if check "$tree" > "$work/out"; then echo "not noticed" >> "$work/out"; fi
  if [ "$(wc -l < "$work/out")" = 1 ] && grep -qE -- "$2" "$work/out"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $1: $(cat "$work/out")"
  fi
}
clean_tree() { # one file of every kind, and files that look like faults but are legal
  local f
  mkdir -p "$work/clean/tests/fuzz/corpus" "$work/clean/.ci" && cd "$work/clean" && git init -q --template= || return
  for f in a.c a.h a.cpp a.def; do echo '/* SPDX-License-Identifier: Apache-2.0 */' > $f; done
  for f in b.cpp a.v a.vh a.cu; do echo '// SPDX-License-Identifier: Apache-2.0' > $f; done
  for f in a.awk Makefile; do echo '# SPDX-License-Identifier: Apache-2.0' > $f; done
  for f in a.sh .ci/run; do printf '#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n' > $f; done
  printf '/run.gtkw\n/waves/*.vcd\n' > .gitignore
  touch run.gtkw
  printf 'no licence, \xff, \r\n' | tee a.conf a.ptx a.md > tests/fuzz/corpus/a.c
  head -c $LIMIT /dev/zero > large.txt
  printf '/* SPDX-License-Identifier: Apache-2.0 */\n/* \xc3\xa4 <<<<<<< */\n' > 'a name with blanks.c'
  mkdir docs && touch docs/a.svg docs/b.png c.svg d.svg
  printf '![a](docs/a.svg) <img src="docs/b.png"> ![c](c.svg)\n' > README.md
  printf '![d](../d.svg) `tests/` `tests/fuzz/corpus/a.c` `waves/run.vcd` `cmodel/MODULE.c` [a](a.svg) [b](https://b.c) [c](#c)\n' > docs/page.md
  git add .
}
self_test() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  local spdx='SPDX-License-Identifier: Apache-2.0' tmp=/tmp kind
  (clean_tree)
  if check "$work/clean"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: the clean tree"; fi
  planted "a large file" 'large.txt: larger' 'echo >> large.txt'
  planted "a large file with blanks in its name" 'a b\.txt: larger' 'cat large.txt Makefile > "a b.txt"'
  planted "a plot that no page shows" '^hygiene: docs/e\.svg: a picture' 'touch docs/e.svg'
  planted "a plot of that name elsewhere" '^hygiene: docs/c\.svg: a picture' 'touch docs/c.svg'
  planted "a picture no longer shown" '^hygiene: d\.svg: a picture' 'echo no more > docs/page.md'
  planted "a page that names what is not there" '^hygiene: README.md names tests/none\.sh: not' 'echo "see \`tests/none.sh\`" >> README.md'
  planted "a page that names what was a folder" 'page.md names tb/old: not' 'echo "see \`tb/old/\`" >> docs/page.md'
  planted "a link to nothing" 'page.md names docs/other.md: not' 'echo "[other](other.md#there)" >> docs/page.md'
  planted "a link upwards to nothing" 'page.md names NEWS.md: not' 'echo "[news](../NEWS.md)" >> docs/page.md'
  planted "a core dump" '^hygiene: core: a program' 'printf "\177ELF\2\1\1\n" > core'
  planted "a program" 'tests/x\.txt: a program' 'cp /bin/true tests/x.txt'
  planted "a library" 'x: a program' 'printf "!<arch>\nx" > x'
  planted "what .gitignore names" '^hygiene: run\.gtkw: in git' 'git add -f run.gtkw'
  planted "what a .gitignore below names" 'tests/x: in git' 'echo x > tests/.gitignore; touch tests/x; git add -f tests/x'
  for kind in c h cpp def v vh cu sh awk; do
    planted "a .$kind without a licence" "b\\.$kind: no .*SPDX" "echo 'int x;' > tests/b.$kind"
  done
  planted "a Makefile without a licence" 'tests/Makefile: no' 'echo all: > tests/Makefile'
  planted ".ci/run without a licence" 'ci/run: no' 'echo "#!/bin/sh" > .ci/run'
  planted "an empty source" 'b\.c: no' ': > b.c'
  planted "another licence" 'b\.c: no' 'echo "/* SPDX-License-Identifier: MIT */" > b.c'
  planted "the licence too late" 'b\.c: no' "printf '/* b */\n/* $spdx */\n' > b.c"
  planted "the comment of another language" 'b\.v: no' "echo '/* $spdx */' > b.v"
  planted "no licence among many files" 'm\.c: no' "for i in k l n o; do cp a.c \$i.c; done; echo 'int x;' > m.c"
  planted "lines of DOS" 'b\.c: lines' "printf '/* $spdx */\nint x;\r\n' > b.c"
  planted "a blank at a line's end" 'b\.sh: blanks' "printf '# $spdx\ntrue \n' > b.sh"
  planted "a tab at a line's end" 'Makefile: blanks' "printf '\t\n' >> Makefile"
  planted "another coding" 'b\.h: not UTF-8' "printf '/* $spdx */\n/* \344 */\n' > b.h"
  planted "a conflict" 'b\.c: a conflict' "printf '/* $spdx */\n<<<<<<< HEAD\n' > b.c"
  planted "a name in /tmp" 'b\.c: a name in /tmp' "printf '/* $spdx */\nconst char *p = \"$tmp/x\";\n' > b.c"
  planted "a name in /tmp, in a script" 'b\.sh: a name in /tmp' "printf '# $spdx\necho > $tmp/x\n' > b.sh"
  planted "a last line that does not end" 'b\.v: its last' "printf '// $spdx\nwire x;' > b.v"
  planted "a function of a file that is read" 'b\.sh: one\(\): is also' \
    "printf '# $spdx\none() { :; }\n' > c.sh; printf '# $spdx\n. ./c.sh\none() { two; }\n' > b.sh"
  planted "open_memstream" 'tb/b\.c: open_memstream' \
    "mkdir tb; printf '/* $spdx */\nint x = open_memstream(0, 0);\n' > tb/b.c"
  mkdir "$work/none"
  if GIT_CEILING_DIRECTORIES=$work check "$work/none" > "$work/out"; then
    failed=$((failed + 1)); echo "FAILED: a folder without git passes"
  else
    passed=$((passed + 1))
  fi
}

passed=0 failed=0
case "${1:-}" in
check) check "${2:-.}"; exit ;;
'') self_test ;;
*) echo "hygiene.sh: check [DIR], or nothing" >&2; exit 2 ;;
esac
if check .; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
echo "hygiene: $passed passed, $failed failed"
[ "$failed" = 0 ]
