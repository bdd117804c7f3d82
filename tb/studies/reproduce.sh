#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make reproduce`: makes everything that commands have written into git again below
# build/reproduce, and compares it byte for byte. Prints a line for each file that differs, with its
# first different line, and exits with 1.
#   reproduce.sh [--program NAME]... [--from DIR] [--docs DIR] [--into DIR] [NAME]... [-- OPTION...]
# NAME: an experiment, in place of all. --program: only the rows of this program. --from: the folder
# of the experiments. --docs: what is compared with: figures.md and figures/. OPTION: how `mrpb
# figures` makes its runs. docs/experiments.md explains it.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD mrpb=$PWD/build/mrpb
from=configs/figures docs=docs into=build/reproduce jobs=1 names=() programs=() only=() options=()

while [ $# -gt 0 ]; do
  case $1 in
    --program) programs+=("${2:?}") only+=(--program "$2"); shift ;;
    --from | --docs | --into) declare "${1#--}=${2:?}"; shift ;;
    --) shift; options=("$@"); break ;;
    -*) echo "reproduce.sh $1: legal: --program, --from, --docs, --into, --" >&2; exit 2 ;;
    *) names+=("$1") ;;
  esac
  shift
done
for i in "${!options[@]}"; do [ "${options[i]}" != --jobs ] || jobs=${options[i + 1]:-1}; done
all=$([ $((${#programs[@]} + ${#names[@]})) -gt 0 ] || echo 1) # everything is made
mkdir -p "$into" || exit 2
from=$(realpath "$from") docs=$(realpath "$docs") into=$(realpath "$into")
made=$into/docs
equal=0 different=0 broken=0
[ "$made" != "$docs" ] || { echo "reproduce.sh --into $into: legal: another folder than that of the committed files" >&2; exit 2; }

# ---- comparing ----
# The first line in which two files differ, from shortly before the first different byte.
first_line() { # first_line COMMITTED MADE
  LC_ALL=C awk -v a="$1" -v b="$2" 'function part(text, at) { return "\"" (at > 20 ? "..." : "") substr(text, at > 20 ? at - 20 : 1, 80) "\"" }
    BEGIN {
      while (++n) {
        in_a = (getline x < a) > 0; in_b = (getline y < b) > 0
        if (!in_a || !in_b || x "" != y "") break }
      for (at = 1; in_a && in_b && substr(x, at, 1) == substr(y, at, 1); at++);
      printf "%d: committed %s, made %s\n", n, in_a ? part(x, at) : "the end", in_b ? part(y, at) : "the end" }'
}
differs() { # differs WHAT
  different=$((different + 1))
  echo "differs: $1"
}
compare() { # compare NAME COMMITTED MADE
  if [ ! -e "$2" ] && [ ! -e "$3" ]; then return; fi # nothing to draw
  if [ ! -e "$2" ]; then differs "$1: made, and not committed"
  elif [ ! -e "$3" ]; then differs "$1: committed, and not made"
  elif cmp -s "$2" "$3"; then equal=$((equal + 1))
  else differs "$1:$(first_line "$2" "$3")"; fi
}
fails() { # fails WHAT: WHAT could not be made
  broken=$((broken + 1))
  echo "failed: $1"
}

# ---- the figures ----
experiments() { # names, one a line
  if [ "${#names[@]}" -gt 0 ]; then printf '%s\n' "${names[@]}"; else basename -as .fig "$from"/*.fig; fi
}
# Uses only runs of this very program: runs of another build are in another file, and are not
# trusted.
figures() { # figures OPTION...
  "$mrpb" figures --from "$from" --db "$into/$(sha256sum < "$mrpb" | cut -c1-16).db" --out "$made/figures" --page "$made/figures.md" "$@"
}
make_figures() {
  local status=0
  figures "${names[@]}" "${only[@]}" "${options[@]}" || status=$?
  # its message has been seen; after Ctrl-C the same command continues
  [ "$status" -lt 2 ] || exit "$status"
  [ "$status" = 0 ] || fails "runs of the figures, see above"
  # The page is written from all of them: an experiment that has not run is not compared.
  [ "${#names[@]}" = 0 ] || [ "${#programs[@]}" -gt 0 ] || figures --plot-only || exit
}

section() { # section NAME PAGE: the part of the page that has this experiment's data
  awk -v link="/$1.csv)" 'function end() { if (index(text, link)) printf "%s", text; text = "" }
    /^## / { end() } { text = text $0 "\n" } END { end() }' "$2" 2> /dev/null
}
compare_page() {
  local name
  if [ -n "$all" ]; then
    compare docs/figures.md "$docs/figures.md" "$made/figures.md"
  else
    for name in $(experiments); do
      section "$name" "$docs/figures.md" > "$into/committed.md"
      section "$name" "$made/figures.md" > "$into/made.md"
      compare "docs/figures.md, $name" "$into/committed.md" "$into/made.md"
    done
  fi
}
compare_figures() {
  local file
  for file in $(experiments | sed 's/.*/&.csv &.svg/') $([ -z "$all" ] || ls "$docs/figures"); do echo "$file"; done |
    grep -E '\.(csv|svg)$' | LC_ALL=C sort -u > "$into/files"
  while read -r file; do compare "docs/figures/$file" "$docs/figures/$file" "$made/figures/$file"; done < "$into/files"
  compare_page
}

# ---- some programs ----
# Their rows, and every picture drawn again from the committed data.
rows() { # rows FILE
  awk -F, -v names="${programs[*]}" 'BEGIN { n = split(names, p, " "); for (i = 1; i <= n; i++) wanted[p[i]] }
    NR == 1 || $1 in wanted' "$1"
}
compare_rows() {
  local name
  mkdir -p "$into/redrawn"
  for name in $(experiments); do
    [ -e "$docs/figures/$name.csv" ] || { differs "docs/figures/$name.csv: made, and not committed"; continue; }
    rows "$docs/figures/$name.csv" > "$into/committed.csv"
    rows "$made/figures/$name.csv" > "$into/made.csv"
    compare "docs/figures/$name.csv, rows of ${programs[*]}" "$into/committed.csv" "$into/made.csv"
    cp "$docs/figures/$name.csv" "$into/redrawn"
    "$mrpb" figures --from "$from" --redraw --out "$into/redrawn" "$name" || { fails "docs/figures/$name.svg"; continue; }
    compare "docs/figures/$name.svg" "$docs/figures/$name.svg" "$into/redrawn/$name.svg"
  done
}

# ---- everything else ----
# The report of the committed data, and that of the new data, each from its own folder.
report() { # report FOLDER OUT
  (cd "$1" && "$mrpb" report --from "$from" --figures docs/figures --published docs/figures.md --out "$2" > "$into/log") || fails "the report in $1"
}
compare_report() {
  local root
  root=$(dirname "$docs")
  [ "$(basename "$docs")" = docs ] || return
  [ ! -d "$root/tests" ] || ln -sfn "$root/tests" "$into/tests"
  [ ! -d "$docs/micro" ] || ln -sfn "$docs/micro" "$made/micro"
  report "$root" "$into/committed.html"
  report "$into" "$into/report.html"
  compare report.html "$into/committed.html" "$into/report.html"
  echo "report.html: sha256 $(sha256sum < "$into/report.html" | cut -d' ' -f1)"
}
compare_studies() { # compares the pages of `make micro`; a missed deduction is on its page
  local gpus file page=docs/micro/results/README.md
  gpus=$(sed -nE 's/^\| \[([a-z0-9]+)\]\(.*/\1/p' $page)
  # shellcheck disable=SC2086
  tb/studies/micro/micro.sh "$jobs" "$into/studies" $gpus > "$into/log" 2>&1 || tail -n 1 "$into/log"
  for file in docs/micro/results/*; do compare "$file" "$file" "$into/studies/$(basename "$file")"; done
}
# Each of these commands prints itself what has changed.
checked() { # checked COMMAND...
  if "$@" > "$into/log" 2>&1; then equal=$((equal + 1)); else
    different=$((different + 1))
    sed 's/^/differs: /' "$into/log"
  fi
}

make_figures
if [ "${#programs[@]}" -gt 0 ]; then compare_rows; else compare_figures; fi
if [ -n "$all" ]; then
  compare_report
  if [ "$docs" = "$top/docs" ]; then
    checked docs/generate.sh --check
    checked tests/gpu/accuracy.sh --all
    compare_studies
  fi
fi
echo "reproduce: $equal as committed, $different different, $broken failed"
[ "$different$broken" = 00 ]
