#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tb/verilog/shim/reroll.awk: in Verilator's code of four modules it finds every form that docs/cosim.md
# lists, and what it writes leaves the same state as Verilator's, from random registers and inputs.
# A form that differs in one place stays as it is.
#   reroll.sh [MODULE]...
set -eu
cd "$(dirname "$0")/../.."
work=$PWD/build/tmp/reroll.$$
mkdir -p "$work"
trap 'rm -r "$work"' EXIT
include=$(verilator --getenv VERILATOR_ROOT)/include
[ -f "$include/verilated.h" ] || include=/usr/share/verilator/include
runs=20000

# What must be found: pattern and how often at least.
expected() { # MODULE
  case $1 in
  mshr) echo rtl_runtime_equal 1 rtl_runtime_selected 3 ;;
  prt) echo rtl_runtime_ones 3 ;;
  fifo_bank) echo 'switch.(__builtin_ctzll' 1 rtl_value1.__builtin 1 rtl_value2.__builtin 1 ;;
  mrpb) echo 'switch.(__builtin_ctzll' 2 rtl_value3.__builtin 1 rtl_runtime_equal 1 ;;
  esac
}

reroll() { LC_ALL=C awk -f tb/verilog/shim/reroll.awk "$1"; }
functions() { sed -n '/^VL_INLINE_OPT void Vdut___024root___\(ico\|nba\)_sequent__TOP__0(.*{$/,/^}/p' "$1"; }

# Statements for every member of the class: random bits in its width, or a copy of what has no meaning
# after a function: a temporary.
members() { # HEADER
  sed -nE 's/^ *VL_(IN|OUT|IN8|OUT8|IN16|OUT16|IN64|OUT64)\((&?)([a-zA-Z_0-9]+),([0-9]+),0\);/\3 \4/p
    s/^ *[CSIQ]Data\/\*([0-9]+):0\*\/ ([A-Za-z_0-9]+);/\2 \1/p
    s/^ *VlUnpacked<[CSIQ]Data\/\*([0-9]+):0\*\/, [0-9]+> ([A-Za-z_0-9]+);/\2 \1/p' "$1" |
    while read -r name msb; do
      case $name in
      *Vlvbound*) echo "TEMPORARY($name)" ;;
      __V*Count | __V*Continue | __Vtrig*) ;;
      *) echo "MEMBER($name, $((msb + 1)))" ;;
      esac
    done
}

program() { # DIR
  cat << 'END'
#include "rtl_runtime.h"
#include "Vdut___024root.h"
#include <cstdio>
#include <cstdlib>
namespace theirs {
#include "theirs.inc"
}
namespace ours {
#include "ours.inc"
}
static QData seed = 88172645463325252ULL;
static QData random64() { seed ^= seed << 13; seed ^= seed >> 7; return seed ^= seed << 17; }
// Few bits set, most bits set, equal values and any value.
template <class T> static void fill(T &v, int width) {
  const QData mode = random64() & 7;
  QData r = random64();
  if (mode < 3) r &= random64() & random64();
  if (mode == 3) r = 0;
  if (mode == 4) r |= random64() | random64();
  v = static_cast<T>(r & rtl_runtime_all(width));
}
template <class T, std::size_t N> static void fill(VlUnpacked<T, N> &v, int width) {
  for (std::size_t k = 0; k < N; k++) fill(v[k], width);
  if (random64() & 1) for (std::size_t k = 1; k < N; k++) if (random64() & 1) v[k] = v[0];
}
alignas(64) static char a[sizeof(Vdut___024root)], b[sizeof(Vdut___024root)];
int main(int, char **argv) {
  Vdut___024root &x = *reinterpret_cast<Vdut___024root *>(a), &y = *reinterpret_cast<Vdut___024root *>(b);
  for (int run = 0; run < atoi(argv[1]); run++) {
#define MEMBER(name, width) fill(x.name, width);
#define TEMPORARY(name)
#include "members.inc"
#undef TEMPORARY
#undef MEMBER
    if (run & 1) x.srst_ni = 1;
    std::memcpy(b, a, sizeof a);
    theirs::Vdut___024root___ico_sequent__TOP__0(&x); ours::Vdut___024root___ico_sequent__TOP__0(&y);
    theirs::Vdut___024root___nba_sequent__TOP__0(&x); ours::Vdut___024root___nba_sequent__TOP__0(&y);
#define MEMBER(name, width) if (std::memcmp(&x.name, &y.name, sizeof x.name) != 0) return std::printf("run %d: %s differs\n", run, #name), 1;
#define TEMPORARY(name) std::memcpy(&y.name, &x.name, sizeof x.name);
#include "members.inc"
#undef TEMPORARY
#undef MEMBER
    if (std::memcmp(a, b, sizeof a) != 0) return std::printf("run %d: the states differ\n", run), 1;
  }
}
END
}

fail() { echo "reroll: $*" >&2; exit 1; }

# The forms, altered: what is no longer the form must not be taken for it.
altered() { # MODULE
  case $1 in
  mshr)
    echo 's/<< 0x1eU\)/<< 0x1dU)/'
    echo 's/\[0xcU\]/[0xdU]/'
    echo 's/>>[ \n]*0xaU\)\)\)\)/>> 0xbU))))/'
    echo 's/\[0U\][ \n]*==/[0U] !=/'
    echo 's/(addr_q[ \n]*\[[0-9a-fx]+U\][ \n]*)==/\1!=/g'
    ;;
  prt)
    echo 's/>>[ \n]*0x1eU\)/>>0x1dU)/'
    echo 's/0x3fU[ \n]*&/0xfU\&/'
    echo 's/0x3fU([ \n]*&[ \n]*\(\(IData\)\(__Vfunc_prt__DOT__lanes__0)/0xfU\1/g'
    ;;
  fifo_bank)
    echo 's/DOT__up[ \n]*>>[ \n]*9U/DOT__up>>0xaU/'
    echo 's/=[ \n]*(__Vdlyvval__[a-zA-Z_0-9]*tail_q__)v7;/=\1v8;/'
    echo 's/DOT__down\)\)/DOT__up))/'
    echo 's/(else if \(\(1U[ \n]*&[ \n]*\(\(IData\)\(\(vlSelf->fifo_bank__DOT__down[ \n]*>>[ \n]*)5U/\16U/'
    echo 's/vlSelf->fifo_bank__DOT__empty_q[ \n]*=/vlSelf->fifo_bank__DOT__up = 0xffffffffULL; &/'
    ;;
  mrpb)
    echo 's/more_q[ \n]*\[3U\]/more_q[4U]/'
    echo 's/step__2__shrink\)\)/step__2__grow))/'
    echo 's/__v5[ \n]*=[ \n]*1U/__v6=1U/'
    ;;
  esac
}

# Whether both programs leave the same state, for Verilator's text on standard input.
same() { # MODULE DIR
  cat > "$2/all.txt"
  reroll "$2/all.txt" > "$2/rerolled.txt"
  functions "$2/all.txt" > "$2/theirs.inc"
  functions "$2/rerolled.txt" > "$2/ours.inc"
  g++ -std=c++14 -O1 -faligned-new -w -I"$2" -Itb/verilog/shim -I"$include" -I"$include/vltstd" -o "$2/main" "$2/main.cpp" \
    -Wl,--unresolved-symbols=ignore-all || fail "$1: does not compile"
  "$2/main" $runs || fail "$1: not the same"
}

check() { # MODULE
  local dir=$work/$1 pattern times edit
  mkdir "$dir"
  verilator --cc -O3 -fno-const-bit-op-tree --x-assign unique --x-initial unique --assert --no-timing --flatten \
    --prefix Vdut --Mdir "$dir" -Wno-fatal -Wno-lint -Wno-style --top-module "$1" -Irtl "rtl/$1.v"
  members "$dir/Vdut___024root.h" > "$dir/members.inc"
  program > "$dir/main.cpp"
  cat "$dir"/Vdut___024root__DepSet*[0-9].cpp > "$dir/verilators"
  same "$1" "$dir" < "$dir/verilators"
  expected "$1" | xargs -n 1 | paste - - | while IFS=$'\t' read -r pattern times; do
    [ "$(grep -c "$pattern" "$dir/ours.inc")" -ge "$times" ] || fail "$1: $pattern: not found $times times"
  done
  altered "$1" | while IFS= read -r edit; do
    sed -zE "$edit" "$dir/verilators" > "$dir/altered"
    ! cmp -s "$dir/verilators" "$dir/altered" || fail "$1: $edit: nothing altered"
    same "$1: $edit" "$dir" < "$dir/altered"
  done
  echo "reroll: $1: the same state in $runs runs, also of altered forms"
}

for module in "${@:-mshr prt fifo_bank mrpb}"; do
  for one in $module; do check "$one"; done
done
