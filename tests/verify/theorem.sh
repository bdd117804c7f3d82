#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The theorem of l1_top (docs/modules/l1_top.md): induction over the Verilog of the whole path, with
# written invariants (tests/verify/theorem/*.vh). Needs yosys and berkeley-abc, and with --z3 also
# yosys-smtbmc and z3.
#
#   tests/verify/theorem.sh [--short] [--first] [--z3] [--bugs] [--rtl DIR] [--depth N] [--part PART]
#
# --first    the first size alone
# --short    --first --part back
# --z3       asks the second engine too
# --bugs     each bug of bugs.txt must be refuted, in place of the proof
# --depth N  no induction: every assertion in the first N cycles
# --part P   stores, back, names, order or moves alone
#
# Circuits and logs stay in the folder that THEOREM_OUT names; without it they are removed.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=tests/verify/theorem rtl=rtl out=${THEOREM_OUT:-$(mktemp -d)}
[ -n "${THEOREM_OUT:-}" ] || trap 'rm -rf "$out"' EXIT
first='' z3='' bugs='' depth=0 only=''
while [ $# -gt 0 ]; do
  case $1 in
  --short) first=1 only=back ;;
  --first) first=1 ;;
  --z3) z3=1 ;;
  --bugs) bugs=1 ;;
  --rtl) rtl=$2 && shift ;;
  --depth) depth=$2 && shift ;;
  --part) only=$2 && shift ;;
  *)
    echo "theorem.sh: $1: legal: --short --first --z3 --bugs --rtl DIR --depth N --part PART" >&2
    exit 2
    ;;
  esac
  shift
done

# What each part removes from l1_top (whatever is removed may do anything), and its macros.
parts_of=(stores back names order moves)
cut_of() {
  case $1 in
  back) echo u_coalescer u_mrpb u_prt u_lane_table u_store_buffer u_flight u_align u_response ;;
  stores)
    echo u_prt u_lane_table u_tags u_mshr u_bypass u_read u_fill u_data u_reply u_align u_response
    ;;
  *) echo u_store_buffer u_flight ;;
  esac
}
files_of() {
  case $1 in
  stores) echo stores.vh sends.vh ;;
  back) echo back.vh ;;
  names) printf '%s\n' "\`define F_FRONT" "back.vh front.vh" ;;
  order) printf '%s\n' "\`define F_FRONT" "\`define F_WITNESS" "back.vh front.vh order.vh" ;;
  moves) printf '%s\n' "\`define F_FRONT" "back.vh front.vh moves.vh" ;;
  esac
}
proved="tags mshr reg_fifo prt lane_table coalescer mrpb line_align"

# copy DIR PART RTL: the Verilog with the properties of its parts and the invariants of this part.
# The two things that prt takes for granted of its inputs are asserted here.
copy() {
  local f m text
  rm -rf "$1" && mkdir -p "$1"
  for f in "$3"/*.v; do
    m=$(basename "$f" .v)
    {
      sed '/^endmodule/,$d' "$f"
      [ ! -e "rtl/formal/${m}_view.vh" ] || cat "rtl/formal/${m}_view.vh"
      [ ! -e "$here/${m}_view.vh" ] || cat "$here/${m}_view.vh"
      if [ "$m" = l1_top ]; then
        while read -r text; do
          case $text in
          '`'*) echo "$text" ;;
          *) for x in $text; do cat "$here/$x"; done ;;
          esac
        done < <(files_of "$2")
      elif [[ " $proved " = *" $m "* ]]; then
        sed 's/assume (!(f_reply/reply_is_whole: assert (!(f_reply/
             s/assume (!(f_ask/asks_its_lanes: assert (!(f_ask/
             /: cover (/d' "rtl/formal/${m}_props.vh"
        [ ! -e "$here/${m}_after.vh" ] || cat "$here/${m}_after.vh"
      fi
      echo endmodule
      echo '`default_nettype wire'
    } > "$1/$m.v"
  done
}

# build DIR PART SIZES: e.aig and job.smt2
build() {
  local p x
  {
    echo "read_verilog -formal -DSYNTHESIS -defer $1/*.v"
    echo -n "hierarchy -check -top l1_top"
    for p in $3; do echo -n " -chparam ${p%=*} ${p#*=}"; done
    printf '\nrename -top l1_top\n'
    for x in $(cut_of "$2"); do echo "delete l1_top/$x"; done
    echo "proc
flatten
setundef -undriven -anyseq
opt_clean
memory -nordff -nomap
memory_map
opt_clean
async2sync
dffunmap
opt_clean"
    [ -z "$z3" ] || echo "write_smt2 -wires $1/job.smt2"
    echo "setattr -unset keep
opt -fast
techmap
opt -fast
dffunmap
abc -g AND -fast
opt_clean
delete -output o:*
opt_clean
tee -q -o $1/list.txt select -list t:\$assert
write_aiger -I -B -L -zinit -no-startoffset $1/e.aig"
  } > "$1/job.ys"
  env -u HOME yosys -q -l "$1/yosys.log" -s "$1/job.ys" > "$1/yosys.out" 2>&1 && return 0
  tail -2 "$1/yosys.out"
  return 1
}

# bounded DIR N: every assertion in the first N cycles
bounded() {
  berkeley-abc -c "read_aiger $1/e.aig; fold; strash; dc2; scorr -C 100; bmc3 -F $2" \
    > "$1/bounded.log" 2>&1
  grep -q "No output asserted in $2 frames" "$1/bounded.log"
}
# Induction: over at most two steps, for `moves` over six, since what stands still must do so for
# some cycles. The base are the cycles before.
steps_of() { if [ "$1" = moves ]; then echo 6; else echo 2; fi; }
induction() { # DIR PART
  local n
  n=$(steps_of "$2")
  berkeley-abc -c "read_aiger $1/e.aig; fold; strash; bmc3 -F $((n + 1))" > "$1/base.log" 2>&1
  grep -q "No output asserted in $((n + 1)) frames" "$1/base.log" || return 1
  berkeley-abc -c "read_aiger $1/e.aig; fold; strash; orpos; ind -F $n" > "$1/step.log" 2>&1
  grep -q "Networks are equivalent" "$1/step.log" || return 1
  [ -n "$z3" ] || return 0
  yosys-smtbmc -s z3 --unroll --noprogress -t $((n + 1)) "$1/job.smt2" > "$1/z3_base.log" &&
    yosys-smtbmc -s z3 --unroll --noprogress -i -t "$n" "$1/job.smt2" > "$1/z3_step.log"
}

failed=0 begun=$SECONDS
one() { # PART SIZES
  local dir=$out/$1 said
  copy "$dir" "$1" "$rtl"
  build "$dir" "$1" "$2" || { echo "FAILED: theorem: $1 cannot be built" && failed=1 && return 0; }
  if [ "$depth" -gt 0 ]; then
    if bounded "$dir" "$depth"; then said="holds for $depth cycles"; else said=REFUTED; fi
  elif induction "$dir" "$1"; then
    said="proved (ABC${z3:+, z3})"
  else
    said="NOT PROVED"
  fi
  case $said in REFUTED | NOT*) failed=1 ;; esac
  printf '%-6s %4u assertions  %-24s %5us  %s\n' \
    "$1" "$(wc -l < "$dir/list.txt")" "$said" $((SECONDS - begun)) "$2"
}

# A bug: PART DEPTH FILE SED-SCRIPT; its BMC must refute an assertion.
plant() {
  local part=$1 cycles=$2 file=$3 change=$4 dir=$out/bug size cycle
  size=$(grep -m 1 '^[A-Z]' "$here/sizes.txt")
  rm -rf "$out/rtl" && cp -r rtl "$out/rtl"
  sed -i -E "$change" "$out/rtl/$file"
  if cmp -s "rtl/$file" "$out/rtl/$file"; then
    echo "FAILED: bug in $file changes nothing: $change" && failed=1 && return 0
  fi
  copy "$dir" "$part" "$out/rtl"
  if ! build "$dir" "$part" "$size"; then
    echo "FAILED: bug in $file cannot be built" && failed=1 && return 0
  fi
  if bounded "$dir" "$cycles" || ! grep -q "was asserted in frame" "$dir/bounded.log"; then
    echo "FAILED: survives: $file: $change" && failed=1
  else
    cycle=$(sed -nE 's/.*asserted in frame ([0-9]+).*/\1/p' "$dir/bounded.log" | head -1)
    echo "refuted in cycle $cycle: $part: $file: $change"
  fi
}

mkdir -p "$out"
if [ -n "$bugs" ]; then
  while IFS='|' read -r part cycles file change; do
    case $part in '#'* | '') continue ;; esac
    plant "$part" "$cycles" "$file" "$change"
  done < "$here/bugs.txt"
  exit $failed
fi
while read -r size; do
  case $size in '#'* | '') continue ;; esac
  for part in "${parts_of[@]}"; do
    [ -z "$only" ] || [ "$only" = "$part" ] || continue
    one "$part" "$size"
  done
  [ -z "$first" ] || break
done < "$here/sizes.txt"
exit $failed
