#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang must compile every third C file, with TEST_LONG=1 every one, without a warning, with the
# flags that make gives. Also checks the Makefile's own promises (the user's -j, OPT and CC reach
# the compiler) and the code that gcc makes of wide loops. gcc's warnings fail the build itself
# (make test: WERROR=1).
set -u
cd "$(dirname "$0")/.."
. tests/tier.sh
passed=0 failed=0
check() { # check NAME COMMAND...: silent on success, one line on failure
  local name=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "compilers: $name"; fi
}
llvm=$(make -s show-llvm)
clang=clang-$llvm
flags=$(make -s CC=$clang OPT=-O2 show-flags)
clean() { # clean FILE...
  # shellcheck disable=SC2086
  printf '%s\n' "$@" | xargs -n 20 $clang $flags -Werror -I. -Ibuild -isystem /usr/lib/llvm-$llvm/include \
    -DREADER_NAME=config '-DREADER_FILE="fuzz.conf"' -include tests/fuzz/fuzz.h -fsyntax-only
}
check "clang has flags" test -n "$flags"
# Only the fuzz entry needs a reader's name; one file needs the compiler's name.
clean_plain() {
  # shellcheck disable=SC2086
  printf '%s\n' "$@" | xargs -n 20 $clang $flags -Werror -I. -Ibuild -isystem /usr/lib/llvm-$llvm/include \
    '-DPROVE_COMPILER="gcc"' '-DPROVE_CLANG="clang"' -fsyntax-only
}
files=()
for file in $(git ls-files '*.c' | grep -v '^tests/fuzz/target.c$\|^docs/'); do
  ! sampled 3 || files+=("$file")
done
check "a warning of clang" clean_plain "${files[@]}"
check "a warning of clang in the fuzz entry" clean tests/fuzz/target.c
planted=$(mktemp --suffix .c)
trap 'rm -f "$planted"' EXIT
echo 'enum { TOO_LARGE = 4294967295U }; int unused;' > "$planted"
warned() { ! clean_plain "$planted" 2> /dev/null; }
check "a warning of clang is not noticed" warned

asked() { # asked OPTION... JOBS: `make` uses this number of processes
  local want=${!#}
  [ "$(make -s "${@:1:$#-1}" show-jobs)" = "$want" ]
}
check "-j1 is not honoured" asked -j1 1
check "-j8 is not honoured" asked -j8 8
check "--jobs=3 is not honoured" asked --jobs=3 3
check "without -j it is not the number of processors" asked "$(nproc)"
check "OPT=-O0 leaves another -O" test "$(make -s OPT=-O0 show-flags | grep -o -e '-O[0-3s]' | sort -u)" = -O0
none() { ! make -s "$@" show-flags | grep -q -e "$pattern"; }
pattern=-Werror check "-Werror without being asked" none
pattern=lto check "clang gets gcc's options of the link" none CC=$clang
pattern=lto check "make dev optimises at the link" none DEV=1

# Code that leaves the upper halves of the vector registers in use slows down the old vector
# instructions that follow it.
unclean() { # unclean PROGRAM: functions with 32-byte registers that never clear their upper halves
  objdump -d --no-show-raw-insn "$1" | awk '/^[0-9a-f]+ </ {f = $2} /%ymm/ {wide[f]} /vzero(upper|all)/ {cleared[f]}
    END {for (f in wide) if (!(f in cleared)) print f}'
}
never_unclean() { [ -z "$(unclean build/mrpb)" ]; }
echo 'void f(void) { __asm__ volatile("vpxor %ymm0, %ymm0, %ymm0"); }' > "$planted"
noticed() { gcc -c -o "$planted.o" "$planted" && [ "$(unclean "$planted.o")" = '<f>:' ] && rm "$planted.o"; }
if [ "$(uname -m)" = x86_64 ]; then
  check "a function that leaves the upper halves of vector registers in use" never_unclean
  check "such a function is not noticed" noticed
fi
echo "compilers: $passed passed, $failed failed"
[ "$failed" = 0 ]
