#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves the contract for correct tables and refutes it for planted bugs, each at its size in
# proofs.txt: docs/conform/README.md shows the verdicts.
#   tests/conform/proofs.sh [--write] [NAME]...    the named bugs or tables, or all (minutes)
set -u
cd "$(dirname "$0")/../.."
mrpb=${MRPB:-build/mrpb}
tables=tests/conform/tables page=docs/conform/README.md write=
[ "${1:-}" = --write ] && write=1 && shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

sources() { # sources TABLE: its files, its map
  case $1 in
    mshr) echo "rtl/mshr.v rtl/one_hot_encoder.v rtl/priority_encoder.v docs/conform/maps/mshr.map" ;;
    prt) echo "rtl/prt.v rtl/one_hot_encoder.v rtl/priority_encoder.v docs/conform/maps/prt.map" ;;
    *) echo "$tables/$1.[sv]* $tables/$1.map" | sed "s|$tables/$1.\[sv\]\*|$(ls $tables/"$1".*v)|" ;;
  esac
}
plant() { # plant BUG FILE: puts the bug into the copy
  sed -e "$(awk -F'|' -v bug="$1" '$2 == bug' tests/conform/bugs.txt | cut -d'|' -f4-)" "$2" > "$work/$(basename "$2")"
  ! cmp -s "$2" "$work/$(basename "$2")" && echo "$work/$(basename "$2")"
}
verdict() { # verdict TABLE BUG SIZE...
  local files map said
  read -r -a files <<< "$(sources "$1")"
  map=${files[-1]}
  unset 'files[-1]'
  [ -z "$2" ] || files=("$(plant "$2" "${files[0]}")")
  printf '%s\n' "${files[@]/#/}" | sed "s|^[^/]|$PWD/&|" > "$work/x.f"
  said=$("$mrpb" conform --prove --map "$map" -f "$work/x.f" --lint off ${3:+$(printf ' --set %s' $3)} 2>&1)
  case $said in
    *REFUTED*) sed -n 's/^  fails   \(.*\), in cycle \(.*\)/refuted: \1, cycle \2/p' <<< "$said" ;;
    *) grep -o 'proved (all cycles)\|holds to depth [0-9]*\|not decided' <<< "$said" || tail -n 1 <<< "$said" ;;
  esac
}

while IFS='|' read -r table sizes bug expected; do
  read -r table <<< "$table"; read -r sizes <<< "$sizes"; read -r bug <<< "$bug"; read -r expected <<< "$expected"
  case $table in '' | '#'*) continue ;; esac
  [ $# = 0 ] || case " $* " in *" ${bug:-$table} "*) ;; *) continue ;; esac
  got=$(verdict "$table" "$bug" "$sizes")
  printf '| %s | %s | %s | %s |\n' "$table" "$sizes" "$bug" "$got" | tee -a "$work/rows"
  if [ "$got" = "$expected" ]; then passed=$((passed + 1)); else
    echo "conform proofs: expected: $expected"
    failed=$((failed + 1))
  fi
done < tests/conform/proofs.txt

if [ $# = 0 ]; then
  sed '/^<!-- proofs -->/,/^<!-- end -->/d' "$page" > "$work/rest"
  awk -v rows="$work/rows" '
    /^<!-- proofs -->/ { print; print "| table | size | bug | verdict |"; print "| --- | --- | --- | --- |"; while ((getline line < rows) > 0) print line; inside = 1 }
    /^<!-- end -->/ { inside = 0 }
    !inside && !/^<!-- proofs -->/' "$page" > "$work/page"
  [ -n "$write" ] && cp "$work/page" "$page"
  diff "$page" "$work/page" || { echo "conform proofs: $page is stale; tests/conform/proofs.sh --write mends it"; failed=$((failed + 1)); }
fi
echo "conform proofs: $passed passed, $failed failed"
[ "$failed" = 0 ]
