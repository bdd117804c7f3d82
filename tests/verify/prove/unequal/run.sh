#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Pairs of a C model and its Verilog that are equal except for one rare case (*.txt beside this
# file, one for each kind). None may be proved: each is refuted (exit 1) or refused (exit 2), and
# the output names the case.
#   tests/verify/prove/unequal/run.sh [--jobs N] [NAME...]   one of each kind (make test-long: all),
#                                                            or the named ones
# A pair is a block of lines:
#   pair   its name, and what is wrong
#   edit   the file that is changed, of rtl/ or cmodel/; then
#   from   text that occurs once in it, and
#   to     its replacement (\n is a new line); repeated for each change
#   equal  module and sizes at which the pair is proved all the same (optional)
#   prove  module and sizes at which it must not be proved
#   says   exit code and a pattern of the output
set -eu
cd "$(dirname "$0")/../../../.."
. tests/verify/broken.sh
. tests/tier.sh

prove() { # prove NAME MODULE SIZE...: the changed copies against each other
  local dir=$work/$1 module=$2 sizes=()
  shift 2
  for s in "$@"; do sizes+=(--set "$s"); done
  build/mrpb prove "$module" "${sizes[@]}" --rtl "$dir/rtl" --c "$dir/cmodel" --limit 120 > "$dir/log" 2>&1
}

seek() { # seek NAME: the verdict, or why it failed
  local name=$1 dir=$work/$1 status=0 i said
  mkdir "$dir" && cp -r rtl cmodel "$dir"
  for i in "${!edits[@]}"; do
    replace_once "$dir/${edits[i]}" "$(printf '%b' "${froms[i]}")" "$(printf '%b' "${tos[i]}")" || return 1
  done
  if [ -n "$equal" ]; then
    prove "$name" $equal || { echo "not proved at $equal (exit $?): $(tail -n 1 "$dir/log")"; return 1; }
  fi
  prove "$name" $sizes || status=$?
  said=$(grep -E "^(  (fails|differs) |mrpb )" "$dir/log" | head -n 1)
  [[ $status =~ ^${says%% *}$ ]] || { echo "exit $status: $(tail -n 3 "$dir/log")"; return 1; }
  grep -qE -- "${says#* }" "$dir/log" || { echo "exit $status, but it says: $(tail -n 3 "$dir/log")"; return 1; }
  [ "$status" = 1 ] && printf 'refuted  ' || printf 'refused  '
  echo "$said" | sed 's/^ *//; s/^mrpb prove: //; s#/tmp/[^ :]*/##g' | cut -c1-100
}

row() { # row NAME VERDICT SECONDS
  printf '%-24s %s\n' "$1" "$2"
}

[ "${1:-}" != --jobs ] || { jobs=$2; shift 2; }
known pair tests/verify/prove/unequal "$@"
wanted=" $* " kinds=0 seen=
for list in tests/verify/prove/unequal/*.txt; do
  kinds=$((kinds + 1)) equal='' edits=() froms=() tos=()
  while IFS= read -r line; do
    value=${line:6}
    case ${line:0:6} in
    "pair  ") name=${value%%:*} equal='' edits=() froms=() tos=() ;;
    "edit  ") edits+=("$value") ;;
    "from  ") froms+=("$value") ;;
    "to    ") tos+=("$value") ;;
    "equal ") equal=$value ;;
    "prove ") sizes=$value ;;
    "says  ")
      says=$value
      if [ "$#" = 0 ]; then # one of a kind, or all
        whole || [ "$seen" != "$list" ] || continue
      else
        [[ $wanted == *" $name "* ]] || continue
      fi
      seen=$list
      begin "$name"
      ;;
    esac
  done < "$list"
done
finish
echo "unequal: $passed of $((passed + failed)) refuted or refused, of $kinds kinds"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
