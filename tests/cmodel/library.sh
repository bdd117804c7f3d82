#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The libraries as others see them. The headers must compile without a warning in every language
# that includes them, and equal the types of the tables. The shared libraries, and likewise the
# static ones, must export the symbols of their headers and no others.
set -u
cd "$(dirname "$0")/../.."
stage=build/stage/usr/local
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
check() { # check NAME COMMAND...: silent on success
  local name=$1
  shift
  if "$@" > "$work/said" 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "library: $name"; head -20 "$work/said"; fi
}

# ---- the header ----
warnings=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wundef -Werror -fsyntax-only -I"$stage/include")
printf '#include <libmrpb.h>\n#include <libmrpb.h>\nint main(void) { return 0; }\n' > "$work/mrpb.c"
printf '#include <libmrpb.h>\nint main() { sim_t *s = sim_create(); sim_module(s, SIM_TOP, "m"); return 0; }\n' > "$work/mrpb.cpp"
printf '#include <libmrpb-gpu.h>\n#include <libmrpb-gpu.h>\nint main(void) { return 0; }\n' | tee "$work/mrpb-gpu.c" > "$work/mrpb-gpu.cpp"
llvm=$(make -s show-llvm)
for library in mrpb mrpb-gpu; do
  for c in gcc clang-$llvm; do
    for std in c11 c17; do check "$library: $c -std=$std" $c -std=$std "${warnings[@]}" -Wstrict-prototypes "$work/$library.c"; done
  done
  for c in g++ clang++-$llvm; do
    for std in 98 11 14 17 20; do check "$library: $c -std=c++$std" $c -std=c++$std "${warnings[@]}" "$work/$library.cpp"; done
  done
done
cat > "$work/sigs.cpp" << 'END'
#include <libmrpb.h>
void f(sim_t *s, sim_proc_t p, sim_sig_t a, sim_sig_t b);
void f(sim_t *s, sim_proc_t p, sim_sig_t a, sim_sig_t b) { sim_reads(s, p, SIM_SIGS(a, b)); sim_writes(s, p, SIM_NO_SIGS); }
END
for c in g++ clang++-$llvm; do check "$c SIM_SIGS" $c -std=c++11 "${warnings[@]}" "$work/sigs.cpp"; done
check "cmodel/libmrpb.h is not what make docs writes" cmp cmodel/libmrpb.h "$stage/include/libmrpb.h"
check "the header names a type or macro twice" test -z "$(sed -n 's/^} \([a-z_0-9]*_t\);$/\1/p' "$stage/include/libmrpb.h" | sort | uniq -d)"

# ---- structs against tables: a program with the library's table and the header's types ----
{
  echo '#include <libmrpb.h>'
  echo '#include <stdio.h>'
  echo '#include <string.h>'
  echo 'static int bad;'
  echo 'static void at(const char *s, const module_port_t *p, unsigned n, const char *f, size_t o) {'
  echo '  for (unsigned i = 0; i < n; i++) if (!strcmp(p[i].name, f)) { if (p[i].word * 8u == o) return; break; }'
  echo '  bad = 1; printf("%s.%s\n", s, f); }'
  echo 'int main(void) { module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS]; uint32_t cfg[MODULE_MAX_PARAMS]; const module_class_t *c;'
  for s in $(basename -s .ports.h cmodel/ports/*.ports.h); do
    echo "c = module_class(\"$s\"); module_defaults(c, cfg); c->ports(cfg, in, out);"
    echo "if (sizeof(${s}_in_t) != 8 * c->in_words || sizeof(${s}_out_t) != 8 * c->out_words || sizeof(${s}_cfg_t) != 4 * c->n_params) bad = 1, puts(\"$s\");"
    sed -n "s/^IN[W]*(\([a-z0-9_]*\),.*/at(\"$s\", in, c->n_in, \"\1\", offsetof(${s}_in_t, \1));/p
            s/^OUT[W]*(\([a-z0-9_]*\),.*/at(\"$s\", out, c->n_out, \"\1\", offsetof(${s}_out_t, \1));/p
            s/^PARAM(\([A-Z_]*\),.*/if (module_param_index(c, \"\1\") * 4 != (int)offsetof(${s}_cfg_t, \1)) bad = 1, puts(\"$s.\1\");/p" \
      "cmodel/ports/$s.ports.h"
  done
  echo 'return bad; }'
} > "$work/layout.c"
check "compiles against the static library" gcc -std=c11 -o "$work/layout" "$work/layout.c" -I"$stage/include" "$stage/lib/libmrpb.a"
check "a struct of the header is not the table's" "$work/layout"
check "more than a hundred fields were compared" test "$(grep -c '^at(' "$work/layout.c")" -ge 100

# ---- symbols ----
# Takes what the header declares from the compiler, not from the script that makes the list of
# exports.
# symbols LIBRARY LEAST NEEDED: the shared library may need the libraries that the pattern NEEDED
# matches
symbols() {
  local library=$1 so=$stage/lib/lib$1.so a=$stage/lib/lib$1.a n soname
  gcc -std=c11 -fsyntax-only -aux-info "$work/aux" "$work/$library.c" -I"$stage/include"
  sed -n "/lib$library"'\.h:[0-9]*:NC/s/^[^(]* \**\([a-z0-9_]*\) (.*/\1/p' "$work/aux" | LC_ALL=C sort -u > "$work/declared"
  nm -D --defined-only "$so" | awk '$2 != "A" {sub("@.*", "", $3); print $3}' | LC_ALL=C sort > "$work/exported"
  nm -g --defined-only "$a" | awk 'NF == 3 {print $3}' | LC_ALL=C sort > "$work/archived"
  n=$(wc -l < "$work/declared")
  check "$library: only $n functions in the header" test "$n" -ge "$2"
  check "$library: the shared library has not the symbols of the header" diff "$work/declared" "$work/exported"
  check "$library: the static library has not the symbols of the header" diff "$work/declared" "$work/archived"
  check "$library: a symbol that is not a function is exported" test -z "$(nm -D --defined-only "$so" | awk '$2 != "A" && $2 != "T"')"
  check "$library: a variable that may change" test -z "$(objdump -t "build/lib/lib$library.a" | grep -E ' O (\.data|\.bss|\.tbss|\.tdata|\*COM\*)' | grep -v '\.data\.rel\.ro')"
  soname=$(objdump -p "$so" | awk '$1 == "SONAME" {print $2}')
  check "soname $soname leads to no file" test -e "$stage/lib/$soname"
  check "$library needs more than $3" test -z "$(objdump -p "$so" | awk -v may="^lib($3)[.]so" '$1 == "NEEDED" && $2 !~ may')"
  exported+="${exported:+, }$n functions exported as $soname"
}
exported=
symbols mrpb 100 c
# Configurations, and compressed traces.
symbols mrpb-gpu 28 'c|m|inih|lzma|z|zstd'
tests/cmodel/abi.sh > "$work/abi" || { cat "$work/abi"; failed=$((failed + 1)); }
tail -n 1 "$work/abi"
echo "library: $passed passed, $failed failed; $exported"
[ "$failed" = 0 ]
