#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make netlists`: broken netlists of five modules, none of which may be proved; then the verdicts at
# the sizes of sizes.txt with each library: OSU018 and the Liberty files of a folder.
#   tests/verify/prove/netlists/all.sh [--write] [FOLDER]
#   --write: puts both into docs/verify/netlist.md
# The results stay in build/netlists/. PART=broken or PART=NAME (of a library) does one part of it;
# PART=page only writes the page.
set -u
cd "$(dirname "$0")/../../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 write=
[ "${1:-}" = --write ] && write=1 && shift
. tests/case.sh
. tests/estimate/library.sh
. tests/verify/prove/netlists/make.sh
libraries=("$library")
if [ -n "${1:-}" ]; then
  for f in "$1"/*.lib "$1"/*.lib.gz; do [ -e "$f" ] && libraries+=("$f"); done
fi
kept=build/netlists
mkdir -p $kept
part() { [ -z "${PART:-}" ] || [ "$PART" = "$1" ]; }

# shellcheck disable=SC2046
prove() { # prove LIBRARY MODULE SIZE...: of $work/net.v
  local from=$1 module=$2
  shift 2
  build/mrpb prove "$module" $(sets "$@") --netlist "$work/net.v" --liberty "$from" --limit "${LIMIT:-20}"
}

break_all() { # break_all MODULE SIZE...
  local module=$1 kind pick status refuted=0 open=0
  shift
  estimated "$work/good.v" "$library" "$module" "$@" || { echo "FAILED: no netlist of $module"; failed=$((failed + 1)); return; }
  while read -r kind pick; do
    case $kind in '#'* | '') continue ;; esac
    broken "$kind" "$pick" "$work/good.v" "$work/net.v" || continue
    prove "$library" "$module" "$@" > "$work/out" 2>&1
    status=$?
    if [ $status = 1 ] && grep -q '^refuted ' "$work/out"; then
      refuted=$((refuted + 1))
    elif [ $status = 3 ] && grep -q '^not decided .*: .' "$work/out"; then
      open=$((open + 1))
    else
      failed=$((failed + 1))
      echo "FAILED: $module, $kind $pick: exit $status: $(head -c 300 "$work/out")"
    fi
  done < tests/verify/prove/netlists/broken.txt
  passed=$((passed + refuted + open))
  echo "| \`$module\` $* | $((refuted + open)) | $refuted | $open |" | tee -a $kept/broken.md
}
if part broken; then
  rm -f $kept/broken.md
  break_all fifo_bank QUEUES=3 DEPTH=2 DATA_W=2
  break_all drain_selector QUEUES=4 DEPTH=4 POLICY=4
  break_all prt ENTRIES=3 LANES=2 OFFSET_W=2 TAG_W=2
  break_all mshr ENTRIES=2 MERGES=2 ADDR_W=2 DATA_W=2
  break_all lane_table ENTRIES=4 LANES=4
fi

for from in "${libraries[@]}"; do
  name=$(library_of "$from")
  part "$name" || continue
  rm -f "$kept/table.$name.md"
  while read -r module sizes; do
    # shellcheck disable=SC2086
    if estimated "$work/net.v" "$from" "$module" $sizes; then
      prove "$from" "$module" $sizes > "$work/out" 2>&1
      status=$?
      verdict=$(head -1 "$work/out")
      case $verdict in
        proved*"gates = Verilog"*) verdict="proved, in two halves" ;;
        proved*) verdict="proved" ;;
        *) verdict=$(echo "${verdict%% "$module"*}: ${verdict#*: }" | sed 's/ cycles: .*/ cycles/; s/ in [0-9]* s: .*//') ;;
      esac
      case $status in 0 | 3) passed=$((passed + 1)) ;; *) failed=$((failed + 1)) ;; esac
    else
      verdict="no netlist" failed=$((failed + 1))
    fi
    echo "| \`$module\` $sizes | $name | ${verdict:0:160} |" | tee -a "$kept/table.$name.md"
  done < tests/verify/prove/netlists/sizes.txt
done

if [ -n "$write" ]; then
  page=docs/verify/netlist.md
  {
    sed '/^<!-- make netlists -->$/q' $page
    printf '\n| netlist | broken | refuted | not decided |\n| --- | ---: | ---: | ---: |\n'
    cat $kept/broken.md
    printf '\n| module | library | verdict |\n| --- | --- | --- |\n'
    cat $kept/table.*.md
    echo
    sed -n '/^<!-- end -->$/,$p' $page
  } > "$work/page.md"
  cp "$work/page.md" $page
fi
echo "netlists: $passed passed, $failed failed"
[ $failed = 0 ]
