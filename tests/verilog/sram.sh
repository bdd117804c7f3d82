#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The SRAM wrappers (docs/modules/sram.md): the lints at many sizes, all forms against a reference of
# ten lines, what the codes promise as proofs, the macros of the page in their place, and planted
# errors, each of which one of these checks must find.
set -u
cd "$(dirname "$0")/../.."
for tool in verilator iverilog yosys; do
  command -v "$tool" > /dev/null || { echo "sram.sh: $tool is not installed" >&2; exit 2; }
done
bench=tests/verilog/sram page=docs/modules/sram.md
. tests/tier.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
check() { # check NAME COMMAND...: passes if it exits with 0
  local name=$1
  shift
  if "$@" > "$work/out" 2>&1; then passed=$((passed + 1)); return; fi
  failed=$((failed + 1))
  echo "FAILED: $name: $(head -c 600 "$work/out")"
}
refused() { ! "$@"; }
refused_as() { # refused_as PATTERN COMMAND...: it fails, and says why
  local pattern=$1
  shift
  ! "$@" > "$work/why" 2>&1 && grep -q -- "$pattern" "$work/why" || { cat "$work/why"; return 1; }
}

# ---- the lints ----
verilate() { # verilate MODULE NAME=VALUE...: without a word
  local top=$1 said
  shift
  said=$(verilator --lint-only -Wall -fno-const-bit-op-tree -y rtl --top-module "$top" "${@/#/-G}" "rtl/$top.v" 2>&1) && [ -z "$said" ]
  local status=$?
  echo "$said"
  return $status
}
icarus() {
  local top=$1 said
  shift
  said=$(iverilog -g2005 -Wall -y rtl -s "$top" -o "$work/lint.vvp" "${@/#/-P$top.}" "rtl/$top.v" 2>&1) && [ -z "$said" ]
  local status=$?
  echo "$said"
  return $status
}
synthesize() { # Yosys, several sizes in one process
  local script='' set top=$1 p
  shift
  for set in "$@"; do
    script+="design -reset; read_verilog -defer rtl/sram_*.v; chparam"
    for p in $set; do script+=" -set ${p%%=*} ${p#*=}"; done
    script+=" $top; hierarchy -check -top $top; proc; check -assert; "
  done
  env -u HOME yosys -q -p "$script"
}
for top in sram_1r1w sram_1rw sram_split; do
  sizes=("WORDS=1 WIDTH=1 CODE=2" "WORDS=384 WIDTH=64 CODE=0" "WORDS=6 WIDTH=5 CODE=1" "WORDS=33 WIDTH=57 CODE=2")
  for size in "${sizes[@]}"; do
    check "verilator $top $size" verilate "$top" $size
    check "iverilog $top $size" icarus "$top" $size
  done
  check "yosys $top" synthesize "$top" "${sizes[@]}"
  for bad in WORDS=0:1_to_65536 WORDS=65537:1_to_65536 WIDTH=0:1_to_64 WIDTH=65:1_to_64 CODE=-1:0_to_2 CODE=3:0_to_2; do
    set=${bad%:*} token=ERROR_${top}_${bad%%=*}_must_be_${bad#*:}
    check "verilator refuses $top $set with its token" refused_as "$token" verilate "$top" "$set"
    check "iverilog refuses $top $set with its token" refused_as "$token" icarus "$top" "$set"
  done
done
for width in 1 2 4 5 11 12 26 27 57 58 64; do
  for code in 1 2; do
    check "verilator sram_code $width $code" verilate sram_code WIDTH=$width CODE=$code
    check "iverilog sram_code $width $code" icarus sram_code WIDTH=$width CODE=$code
  done
done

# ---- all forms against the reference ----
awk '/^```verilog/ { on = 1; next } /^```/ { on = 0 } on' "$page" > "$work/macros.v"
equal_icarus() { # equal_icarus RTL [OPTION...] [FILE...]
  local rtl=$1
  shift
  iverilog -g2005 -y "$rtl" -s equal -o "$work/equal.vvp" "$@" $bench/equal.v &&
    vvp "$work/equal.vvp" | tee "$work/said" && grep -qx equal "$work/said"
}
equal_verilator() {
  rm -rf "$work/vl"
  verilator --binary -Wno-fatal -Wno-lint -Wno-style -fno-const-bit-op-tree -CFLAGS -O0 -y rtl --top-module equal \
    -Mdir "$work/vl" "$@" $bench/equal.v > "$work/build" 2>&1 || { tail -n 5 "$work/build"; return 1; }
  "$work/vl/Vequal" | tee "$work/said" && grep -qx equal "$work/said"
}
check "all forms are equal, Icarus" equal_icarus rtl
check "all forms are equal, Verilator" equal_verilator
# A macro powers up as anything: the reads of the first words must come after their writes.
sed 's/^endmodule/  integer i;\n  initial begin rdata_o = 0; for (i = 0; i < WORDS; i = i + 1) word[i] = 0; end\n&/' "$work/macros.v" > "$work/zero.v"
check "the macros of the page" equal_icarus rtl -DSRAM_BLACK_BOX "$work/zero.v"
check "they are used" grep -q sram_1r1w_macro "$work/equal.vvp"
check "a flow without macros stops" refused equal_icarus rtl -DSRAM_BLACK_BOX
! whole || check "the macros of the page, Verilator" equal_verilator +define+SRAM_BLACK_BOX "$work/zero.v"

# ---- flipped bits in the memory itself ----
flips() { # flips RTL CODE WORDS
  iverilog -g2005 -y "$1" -s flips -Pflips.CODE="$2" -o "$work/flips.vvp" $bench/flips.v &&
    vvp "$work/flips.vvp" | tee "$work/said" && grep -qx "$3 words as expected" "$work/said"
}
# 9 or 13 bits: 45 or 91 pairs, a bit with itself included. Parity reads 4 words of a pair of one bit
# and 3 of another, SECDED 4 of each.
check "one flipped bit, parity" flips rtl 1 $((9 * 4 + 36 * 3))
check "one and two flipped bits, SECDED" flips rtl 2 $((91 * 4))

# ---- the codes: proofs for every word ----
bits() { case $1 in 1) echo 3 ;; 8) echo 5 ;; 16) echo 6 ;; 64) echo 8 ;; esac }
promises() { # promises RTL CODE WIDTH...
  local rtl=$1 code=$2 width lemma script=''
  shift 2
  for width in "$@"; do
    for lemma in linear shown zero; do
      script+="design -reset; read_verilog -defer $rtl/sram_code.v $bench/code.v; "
      script+="chparam -set WIDTH $width -set CODE $code -set CODE_W $([ "$code" = 1 ] && echo 1 || bits "$width") $lemma; "
      script+="hierarchy -check -top $lemma; proc; flatten; opt; sat -verify -prove ok 1 $lemma; "
    done
  done
  env -u HOME yosys -q -p "$script"
}
check "SECDED corrects every flipped bit and detects every two" promises rtl 2 1 8 16 64
check "parity detects every flipped bit" promises rtl 1 1 8 16 64

# ---- what tools make of it ----
inferred() { # inferred CODE MEMORIES: what Yosys keeps as memories, behavioural and on an ice40
  env -u HOME yosys -p "read_verilog -defer -DSYNTHESIS rtl/sram_1r1w.v rtl/sram_code.v; chparam -set CODE $1 sram_1r1w
    hierarchy -check -top sram_1r1w; proc; flatten; opt; memory -nomap; opt_clean; select -assert-count $2 t:\$mem_v2"
}
check "one memory" inferred 0 1
check "a second one for the check bits" inferred 2 2
block_rams() { env -u HOME yosys -p "read_verilog -defer rtl/sram_1rw.v rtl/sram_code.v; chparam -set CODE 0 sram_1rw; synth_ice40 -top sram_1rw; select -assert-count 8 t:SB_RAM40_4K; select -assert-none t:SB_DFF*"; }
check "block RAMs of an ice40, as the page says" block_rams

# ---- planted errors: each is found by the check that is named ----
plant() { # plant WHAT FILE FROM TO CHECK...: the check fails on a copy of rtl/ with the change
  local what=$1 file=$2 from=$3 to=$4
  shift 4
  rm -rf "$work/rtl"
  mkdir "$work/rtl"
  cp rtl/sram_*.v "$work/rtl"
  [ "$(grep -cF -- "$from" "$work/rtl/$file")" = 1 ] || { failed=$((failed + 1)); echo "FAILED: $file has not one line '$from'"; return; }
  FROM=$from TO=$to perl -pi -e 's/\Q$ENV{FROM}\E/$ENV{TO}/' "$work/rtl/$file"
  local why='^differs after'
  [ "$1" = promises ] && why='proof did fail'
  [ "$1" = flips ] && why='words not as expected'
  check "not found: $what" refused_as "$why" "$@"
}
plant "a read of the new word" sram_1r1w.v 'rdata_q <= mem_q[raddr_i];' \
  'rdata_q <= (write_i && waddr_i == raddr_i) ? wdata_i : mem_q[raddr_i];' equal_icarus "$work/rtl"
plant "no hold" sram_1r1w.v 'if (read_i) begin' "if (1'b1) begin" equal_icarus "$work/rtl"
plant "no hold over a write" sram_1rw.v 'if (enable_i && !write_i) begin' 'if (enable_i) begin' equal_icarus "$work/rtl"
plant "a write that is forgotten beside a read" sram_split.v 'write_q <= write_i;' 'write_q <= write_i && !read_i;' equal_icarus "$work/rtl"
plant "a write before the read" sram_split.v 'second_i ? raddr_i : waddr_q' 'second_i ? waddr_i : waddr_q' equal_icarus "$work/rtl"
plant "check bits that are not read" sram_1r1w.v 'rcode_q <= code_q[raddr_i];' 'rcode_q <= code_q[waddr_i];' flips "$work/rtl" 2 $((91 * 4))
plant "two equal columns" sram_code.v 'place = data_bit + r + 2;' 'place = data_bit + r + 2 - (data_bit == 5);' promises "$work/rtl" 2 8
plant "columns with an even number of ones" sram_code.v '(ones % 2 == 0)' "1'b0" promises "$work/rtl" 2 8
plant "a bit without parity" sram_code.v "(CODE == 1) ? 1'b1" '(CODE == 1) ? (data_bit != 3)' promises "$work/rtl" 1 8
plant "an error without a flip" sram_code.v 'assign error_o     = |syndrome;' "assign error_o     = |syndrome || &rdata_i;" promises "$work/rtl" 1 8

echo "sram: $passed passed, $failed failed"
[ "$failed" = 0 ]
