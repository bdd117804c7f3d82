#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make install` (build/stage, made by `make stage`), moved elsewhere and read-only, with the source
# tree out of reach: the programs run, compare and prove from any folder. Then a copied build/mrpb,
# the legal values of MRPB_DATA and of the cache's place, the manual pages and the completion, and
# uninstall.
set -u
cd "$(dirname "$0")/.."
source=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
check() { # check NAME COMMAND...: silent on success, prints the output on failure
  local name=$1
  shift
  if "$@" > "$work/said" 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "install: $name"; head -20 "$work/said"; fi
}
says() { # says STATUS PATTERN COMMAND...
  local want=$1 pattern=$2 status=0
  shift 2
  "$@" > "$work/out" 2>&1 || status=$?
  cat "$work/out"
  echo "(exit $status)"
  [ "$status" = "$want" ] && grep -q -- "$pattern" "$work/out"
}

# ---- what is where ----
stage=$source/build/stage
check "nothing is installed outside of the prefix" test "$(cd "$stage" && find . -type f -o -type l | grep -cv '^\./usr/local/')" = 0
check "libmrpb-gpu does not know its prefix" grep -q /usr/local/share/mrpb "$stage/usr/local/lib/libmrpb-gpu.so"
check "libmrpb-gpu names the source tree" test "$(grep -c "$source" "$stage/usr/local/lib/libmrpb-gpu.so" "$stage/usr/local/lib/libmrpb-gpu.a" | grep -cv ':0$')" = 0
check "the .pc names another prefix" grep -qx 'prefix=/usr/local' "$stage/usr/local/lib/pkgconfig/mrpb.pc"
for program in mrpb mrpb-prove; do
  check "$program names the source tree" test "$(grep -c "$source" "$stage/usr/local/bin/$program")" = 0
  check "$program does not know its prefix" grep -q /usr/local/share/mrpb "$stage/usr/local/bin/$program"
done
check "a file that only tests need is installed" test -z "$(find "$stage/usr/local/share/mrpb" -name 'test_*')"

# ---- elsewhere, read-only, alone ----
mkdir -p "$work/home" "$work/elsewhere" "$work/copied"
cp -a "$stage/usr/local" "$work/opt"
cp build/mrpb "$work/copied/mrpb"
# A separate name space: the source tree is empty there, and the installation cannot be written.
alone() {
  HOME=$work/home PATH=$work/opt/bin:$PATH "${space[@]}" bash -c '
    mount -t tmpfs none "$1" && mount --bind "$2/opt" "$2/opt" && mount -o remount,ro,bind "$2/opt" || exit 99
    cd "$2/elsewhere" && [ ! -e "$1/Makefile" ] && ! touch "$2/opt/x" 2> /dev/null || exit 99
    shift 2
    unset XDG_CACHE_HOME MRPB_DATA
    "$@"' alone "$source" "$work" "$@"
}
space=(unshare -m)
alone true 2> /dev/null || space=(unshare -rm)
if alone true 2> /dev/null; then
  check "run" says 0 '^  cycles ' alone mrpb run -c base-s --kernel atax --cut 4
  check "run, its path" says 0 '^  cycles ' alone mrpb run -c configs/base-s-mrpb.conf --kernel atax --cut 4
  check "no such configuration" says 2 'nowhere.*No such file' alone mrpb run -c nowhere --kernel atax --cut 4
  check "cosim" says 0 '^matched 2000 cycles, queue_selector' alone mrpb cosim queue_selector --cycles 2000
  check "cosim again" says 0 '^matched 2000 cycles, queue_selector' alone mrpb cosim queue_selector --cycles 2000
  check "prove" says 0 '^proved queue_selector' alone mrpb prove queue_selector
  check "ports" says 0 'req_addr_i' alone mrpb help mshr
  check "no home" says 2 'legal: XDG_CACHE_HOME' alone env -u HOME mrpb cosim queue_selector --cycles 10
  check "a home that cannot be written" says 2 'cannot write the cache' alone env HOME="$work/opt" mrpb cosim queue_selector --cycles 10
  check "something was built in the folder itself" test -z "$(ls "$work/elsewhere")"
  check "the cache is not in ~/.cache/mrpb" test -d "$work/home/.cache/mrpb/rtl"
  where="read-only and alone"
else
  where="NOT hidden from the source tree: unshare -m is not allowed here"
  check "run" says 0 '^  cycles ' env HOME="$work/home" "$work/opt/bin/mrpb" run -c base-s --kernel atax --cut 4
fi

# ---- a copy of the program, and folders named by the environment ----
elsewhere() { (cd "$work/elsewhere" && HOME=$work/home "$@"); }
check "a copied build/mrpb" says 0 '^matched 100 cycles' elsewhere "$work/copied/mrpb" cosim queue_selector --cycles 100
check "a copied build/mrpb proves" says 0 '^proved queue_selector' elsewhere "$work/copied/mrpb" prove queue_selector
mkdir "$work/data" && cp -r "$work/opt/share/mrpb/." "$work/data"
sed -i '0,/^SMS *=.*/s//SMS = 13/' "$work/data/configs/base-s.conf"
check "MRPB_DATA" says 0 '^SMS *= 13' elsewhere env MRPB_DATA="$work/data" "$work/copied/mrpb" dump-config -c base-s
check "MRPB_DATA, relative" says 0 '^SMS *= 13' elsewhere env MRPB_DATA=../data "$work/copied/mrpb" dump-config -c base-s
check "MRPB_DATA is wrong" says 5 'MRPB_DATA=/nowhere' elsewhere env MRPB_DATA=/nowhere "$work/copied/mrpb" cosim queue_selector --cycles 10
check "a file of the folder goes first" says 2 'legal' elsewhere bash -c 'echo nonsense > base-s; "$0" dump-config -c base-s' "$work/copied/mrpb"

# ---- a cache of the user's own ----
cp docs/examples/path/cache.cpp "$work/elsewhere"
check "mrpb_path.h is found" elsewhere g++ -shared -fPIC -I "$work/opt/include" cache.cpp -o cache.so
check "the cache conforms" says 0 '^conforms for 2000 cycles' elsewhere "$work/copied/mrpb" conform --path --so ./cache.so --set LINE=32 --cycles 2000

# ---- pages and completion ----
page=$stage/usr/local/share/man/man1/mrpb.1
commands=$(build/mrpb help | sed -n 's/^mrpb \([a-z-]*\).*/\1/p')
for c in $commands; do
  check "mrpb(1) lacks $c" grep -q "^\.SS mrpb $c" "$page"
  for o in $(build/mrpb "$c" --help | sed -n 's/^  \(-[a-z-]*\) .*/\1/p'); do
    check "mrpb(1) lacks $c $o" grep -qF "\\fB${o//-/\\-}\\fR" <(sed -n "/^\.SS mrpb $c/,/^\.S[SH] mrpb [^ ]*$/p" "$page")
  done
done
check "libmrpb(3) lacks functions" test "$(grep -cFf <(sed 's/$/(/' build/lib/public.txt) "$stage/usr/local/share/man/man3/libmrpb.3")" -ge 114
check "libmrpb-gpu(3) lacks functions" test "$(grep -cFf <(sed 's/$/(/' build/lib/gpu-public.txt) "$stage/usr/local/share/man/man3/libmrpb-gpu.3")" -ge 28
completes() { # completes WANTED WORD...: the last word is completed
  local wanted=$1
  shift
  bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mrpb; echo " ${COMPREPLY[*]} "' \
    "$stage/usr/local/share/bash-completion/completions/mrpb" mrpb "$@" | grep -q -- " $wanted "
}
check "completes a command" completes cosim cos
check "completes a module" completes queue_selector cosim que
check "completes an option" completes --cycles cosim --cyc
check "completes a kernel" completes atax run --kernel at
check "completes a word of a list" completes B run --model B
check "completes a file" completes Makefile run -c Makef
check "help --man and a topic" says 2 'legal: a topic, --man or --bash' build/mrpb help --man mshr

# ---- uninstall ----
cp -a "$stage" "$work/whole"
touch "$work/whole/usr/local/lib/other" "$work/whole/usr/local/bin/other"
check "uninstall" make --no-print-directory uninstall prefix=/usr/local DESTDIR="$work/whole"
check "what uninstall leaves" test "$(cd "$work/whole" && find . -type f -o -type l | sort | tr '\n' ' ')" = "./usr/local/bin/other ./usr/local/lib/other "
check "uninstall without a prefix" says 2 'legal: a folder' make --no-print-directory uninstall prefix= DESTDIR="$work/whole"
check "uninstall of a folder of others" says 2 'legal: folders called mrpb' make --no-print-directory uninstall docdir=/usr/share/doc DESTDIR="$work/whole"
check "uninstall left others alone" test -e "$work/whole/usr/local/bin/other"
echo "install: $passed passed, $failed failed, $where"
[ "$failed" = 0 ]
