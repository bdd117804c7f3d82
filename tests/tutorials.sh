#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tutorials exactly as written: every `    $ ` command of docs/tutorials/NAME.md, and of
# docs/integration.md, in order, in one shell per page, in a scratch folder whose build, configs, docs and rtl are links to this
# tree. The output that a page shows below a command must be complete: times may differ; a line
# `...` matches any lines, and a `...` within a line any text. An exit status other than 0 must be
# shown by `echo $?` in the next command. Where a tool has another version than on the page, its
# counts are not compared; an estimate is left out where the default cells are missing. Both are
# named.
#   tests/tutorials.sh [NAME...]     the named pages, or all
set -u
cd "$(dirname "$0")/.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
unset MRPB_DATA MRPB_MODULE XDG_CACHE_HOME
export HOME=$work # yosys keeps a history there
. tests/recorded.sh
counts=
recorded_ "tutorials: the checks and gates of a proof" "Yosys 0.23" yosys -V || counts='s/[0-9]+ checks, [0-9]+ gates/C checks, G gates/'

# NNN.sh is command NNN, and NNN.want is the output that the page shows below it. A command
# continues on the next line after a backslash. An empty line ends a block, unless more of the block
# follows.
split_page() { # split_page PAGE FOLDER
  awk -v to="$2" '
    function show(line) { for (; empty > 0; empty--) print "" > want; print line > want }
    /^    \$ / { file = sprintf("%s/%03d", to, ++n); want = file ".want"; printf "" > want; printf "" > (file ".sh")
                 on = 1; empty = 0; more = 1; line = substr($0, 7) }
    on && more { if (!/^    \$ /) line = substr($0, 5)
                 print line > (file ".sh"); more = line ~ /\\$/; next }
    on && /^$/ { empty++; next }
    on && /^    / { show(substr($0, 5)); next }
    { on = 0 }' "$1"
}

# One shell runs all commands: variables, the folder and $? persist.
write_script() { # write_script FOLDER
  local step
  echo 'tutorial_status=0'
  for step in "$1"/*.sh; do
    step=${step%.sh}
    printf 'exec > %s 2>&1\n(exit $tutorial_status)\n' "$step.all"
    cat "$step.sh"
    printf 'tutorial_status=$?\necho $tutorial_status > %s\n' "$step.status"
  done
}

# plain FOLDER: removes what differs from run to run (the tree's path, seconds), from system to
# system (versions, counts), and with a model's structure (in how many states, of at least 100000, a
# proved program was compared)
plain() {
  sed -E "s#($1|$root)/##g; s/[0-9]+(\.[0-9]+)? s\>/T s/g; s/equal in 1[0-9]{5} states/equal in N states/
    s/by Verilator [^,]* in ([0-9]+) cycles, Icarus [0-9.]+ in/by Verilator in \1 cycles, Icarus in/; s/clang-[0-9]+/clang-N/; $counts"
}

like() { # like WANT HAVE: WANT accounts for every line of HAVE
  awk '
    function same(want, have,   part, n, i, at) {
      n = split(want, part, /\.\.\./)
      if (n < 2) return want == have
      if (substr(have, 1, length(part[1])) != part[1]) return 0
      have = substr(have, length(part[1]) + 1)
      for (i = 2; i < n; i++) {
        if (!(at = index(have, part[i])) && part[i] != "") return 0
        have = substr(have, at + length(part[i])) }
      return length(have) >= length(part[n]) && substr(have, length(have) - length(part[n]) + 1) == part[n] }
    FNR == NR { want[++w] = $0; next }
    { have[++h] = $0 }
    END {
      for (i = j = 1; i <= w; i++) {
        if (want[i] ~ /^ *\.\.\.$/) { gap = 1; continue }
        while (gap && j <= h && !same(want[i], have[j])) j++
        if (j > h || !same(want[i], have[j])) {
          print "line " i " of the page: " want[i]; print "printed:" (j > h ? " nothing more" : " " have[j]); exit 1 }
        gap = 0
        j++ }
      if (j <= h && !gap) { print "printed beyond what the page shows: " have[j]; exit 1 } }' "$1" "$2"
}

# judge STEP NEXT_STEP FOLDER: the output and exit status of the command are as on the page
judge() {
  local status
  status=$(cat "$1.status" 2> /dev/null) || { echo "not reached"; return 1; }
  if [ "$status" = 2 ] && grep -q '^mrpb estimate: .*: not there; .* name a library: --liberty FILE$' "$1.all"; then
    echo "skipped: tutorials: $(head -n 1 "$1.sh"): the default cells are not here"
    return 3
  fi
  plain "$3" < "$1.want" > "$1.w"
  plain "$3" < "$1.all" > "$1.h"
  [ ! -s "$1.want" ] || like "$1.w" "$1.h" || return 1
  [ "$status" = 0 ] || grep -qx 'echo \$?' "$2.sh" 2> /dev/null || { echo "exit $status"; tail -n 5 "$1.all"; return 1; }
}

page_of() { # page_of NAME
  [ -f "docs/tutorials/$1.md" ] && echo "docs/tutorials/$1.md" || echo "docs/$1.md"
}

try() { # try NAME
  local page steps=$work/$1.steps here=$work/$1 link step
  page=$(page_of "$1")
  if grep -q '/osu018_stdcells.lib' "$page" docs/examples/"$1"/*.tcl 2> /dev/null && [ ! -e /usr/share/qflow/tech/osu018/osu018_stdcells.lib ]; then
    echo "skipped: tutorials: $page: the default cells are not here"
    return
  fi
  mkdir "$steps" "$here"
  for link in build configs docs rtl; do ln -s "$root/$link" "$here/$link"; done
  split_page "$page" "$steps"
  write_script "$steps" > "$work/$1.sh"
  (cd "$here" && bash "$work/$1.sh" < /dev/null)
  local all=("$steps"/*.sh)
  for step in "${!all[@]}"; do
    judge "${all[step]%.sh}" "$(p=${all[step + 1]:-}; echo "${p%.sh}")" "$here" > "$work/said"
    case $? in
    0) passed=$((passed + 1)) ;;
    3) cat "$work/said" ;;
    *)
      failed=$((failed + 1))
      echo "tutorials: $page: $(head -n 1 "${all[step]}" | cut -c1-100)"
      sed 's/^/  /' "$work/said"
      ;;
    esac
  done
}

[ $# -gt 0 ] || set -- $(basename -s .md docs/tutorials/*.md) integration
for name in "$@"; do
  page=$(page_of "$name")
  [ -f "$page" ] || { echo "tutorials: no docs/tutorials/$name.md" >&2; exit 2; }
  grep -q '^    \$ ' "$page" || { echo "tutorials: $page: no command" >&2; exit 2; }
  try "$name"
done
echo "tutorials: $passed commands as on their pages, $failed not"
[ "$failed" = 0 ]
