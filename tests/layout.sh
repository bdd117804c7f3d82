#!/usr/bin/env bash
# The house rules that a script can see: one stem everywhere, file and function sizes, no mutable globals.
set -u
cd "$(dirname "$0")/.."
passed=0 failed=0
check() { # check NAME COMMAND...: silent success, one line on failure
  local name=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "layout: $name"; fi
}

stems=$(basename -s .ports.h cmodel/ports/*.ports.h)
for s in $stems; do
  for f in rtl/$s.v cmodel/$s.h cmodel/$s.c tests/test_$s.c docs/modules/$s.md waves/$s.gtkw; do
    check "module $s lacks $f" test -f "$f"
  done
done

short_enough() { [ "$(wc -l < "$1")" -le "$2" ]; }
for f in $(git ls-files '*.c' '*.h' '*.cpp'); do check "$f has more than 500 lines" short_enough "$f" 500; done
for f in rtl/*.v; do check "$f has more than 300 lines" short_enough "$f" 300; done

# A function starts at a brace that ends an unindented line and ends at the next unindented brace.
long_functions() {
  awk 'FNR == 1 {start = 0}
       /^[A-Za-z].*\) \{$/ || (/^ .*\) \{$/ && prev ~ /^[A-Za-z].*[,(]$/) {start = FNR}
       /^\}/ && start {if (FNR - start > 60) {print "layout: " FILENAME ":" start ": function of " FNR - start " lines"; bad = 1}; start = 0}
       {prev = $0} END {exit bad}' "$@"
}
check "functions of more than 60 lines" long_functions $(git ls-files '*.c')

# Symbols in .data or .bss would be state outside an instance (.data.rel.ro is constant once loaded).
no_globals() {
  local found
  found=$(objdump -t build/libmrpb.a build/libtb.a | grep -E ' O (\.data|\.bss|\.tbss|\.tdata|\*COM\*)' | grep -v '\.data\.rel\.ro')
  [ -z "$found" ] || { echo "$found"; return 1; }
}
check "mutable globals in the library" no_globals

# A tool that makes its output executable or writes it anew does so to a device, too, if it may.
check "a tool writes to a device" test -z "$(git grep -nE -e '-o *"?/dev/' -- '*.sh' '*.c' '*.py' Makefile)"

check "a generated file is in git" test -z "$(git ls-files | grep -v '^tests/fuzz/corpus/' | grep -E '\.(vcd|fst|o|so|a|vvp)$|^build/')"
echo "layout: $passed passed, $failed failed"
[ "$failed" = 0 ]
