#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that programs print what pages show: each block that docs/outputs.txt names, against its
# command. The lines of the block must come in their order; the command may print more between them.
# Numbers of seconds may differ, and so may that of the states in which a proved program was compared:
# at least 100000, how many depends on the model's structure.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

plain() { sed -E 's/[0-9.]+ s\b/N s/g; s/equal in 1[0-9]{5} states/equal in N states/; s/[[:blank:]]+/ /g; s/^ //; s/ $//'; }
block() { # block PAGE BEGINNING: that block, without its indentation
  BEGINNING="    $2" awk 'index($0, ENVIRON["BEGINNING"]) == 1 {on = 1} on && !/^    /{exit} on' "$1" | plain
}
follows() { # follows SHOWN PRINTED: the first line of SHOWN that PRINTED lacks at its place
  awk 'FNR == NR {line[++n] = $0; next}
    {
      while (at < n) {
        at++; k = split($0, part, / ?\.\.\. ?/); rest = line[at]; good = 1
        if (k == 1) good = rest == $0
        else for (i = 1; i <= k && good; i++) {
          from = part[i] == "" ? 1 : index(rest, part[i]); good = from > 0 && (i > 1 || from == 1)
          rest = substr(rest, from + length(part[i]))
        }
        if (good) next
      }
      print; exit
    }' "$2" "$1"
}

while IFS= read -r entry; do
  [[ $entry != '#'* ]] || continue
  page=${entry%% | *} rest=${entry#* | }
  beginning=${rest%% | *} command=${rest#* | }
  block "$page" "$beginning" > "$work/shown"
  bash -c "${command//W\//$work/}" 2>&1 | plain > "$work/printed"
  missing=$([ -s "$work/shown" ] && follows "$work/shown" "$work/printed" || echo "no such block")
  if [ -z "$missing" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'docs: %s: "%s": not what the command prints: %s\n' "$page" "$beginning" "$missing"
    tail -n 30 "$work/printed" | sed 's/^/  | /'
  fi
done < docs/outputs.txt
echo "outputs on pages: $passed as printed, $failed not"
[ "$failed" = 0 ]
