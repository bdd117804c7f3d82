#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compares the shared library with the shape of the last release in tests/cmodel/libmrpb.so.N.abi:
# everything that a program built with that release relies on must still be there and look the same.
# New functions do not count as a difference, nor does a new field at the end of module_class_t,
# which only the library creates.
# usage: tests/cmodel/abi.sh [--record]
set -eu
cd "$(dirname "$0")/../.."
library=$(readlink -f build/lib/libmrpb.so)
soname=$(objdump -p "$library" | awk '$1 == "SONAME" {print $2}')
recorded=tests/cmodel/$soname.abi
headers=(--header-file cmodel/ports/declare.h)
for h in cmodel/*.h cmodel/sim/sim*.h cmodel/sim/vcd.h; do [[ $h == *_priv.h ]] || headers+=(--header-file "$h"); done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

shape() { # shape LIBRARY: as text
  abidw "${headers[@]}" --exported-interfaces-only --drop-private-types --no-show-locs --no-corpus-path --no-comp-dir-path \
    --no-elf-needed "$1"
}
if [ "${1:-}" = --record ]; then
  shape "$library" > "$work/abi"
  mv "$work/abi" "$recorded"
  echo "wrote $recorded"
  exit 0
fi

# Another compiler or abidw describes the same sources differently in places; only the check itself
# is tested then.
. tests/recorded.sh
if ! recorded_ "$recorded" "12." gcc -dumpfullversion || ! recorded_ "$recorded" "abidw: 2.2" abidw --version; then
  shape "$library" > "$work/recorded"
  recorded=$work/recorded
fi

cat > "$work/allowed" << 'END'
[suppress_type]
  name = module_class_t
  has_data_member_inserted_at = end
END
same() { # same LIBRARY: prints the differences on stdout
  shape "$1" > "$work/shape"
  abidiff --no-added-syms --suppressions "$work/allowed" "$recorded" "$work/shape"
}
same "$library" > "$work/difference" || {
  cat "$work/difference"
  echo "abi: $soname is not what $recorded says: legal: as it was, or SOVERSION (Makefile) one higher and make abi"
  exit 1
}

# Tests the check itself: each of these must be noticed, or not, in a library with one changed
# source line.
passed=1
# changed FILE SED_COMMAND SOURCE...: builds it; SOURCES are those affected by the change
changed() {
  local file=$1 command=$2 source objects=()
  shift 2
  rm -rf "$work/tree" && mkdir "$work/tree"
  cp -r cmodel build/lib/libmrpb.map "$work/tree"
  sed -i "$command" "$work/tree/$file"
  ! cmp -s "$work/tree/$file" "$([ "$file" = libmrpb.map ] && echo build/lib/$file || echo "$file")" ||
    { echo "abi: '$command' changes nothing in $file"; exit 1; }
  for source in cmodel/*.c cmodel/sim/*.c; do
    case " $* " in
    *" $source "*) (cd "$work/tree" && gcc -std=c11 -D_POSIX_C_SOURCE=200809L -g -O1 -w -fPIC -Icmodel -c "$source" -o "${source//\//_}.o")
                   objects+=("$work/tree/${source//\//_}.o") ;;
    *) objects+=("build/pic/${source%.c}.o") ;;
    esac
  done
  gcc -shared -Wl,-soname,"$soname" -Wl,--version-script="$work/tree/libmrpb.map" -o "$work/changed.so" "${objects[@]}"
}
noticed() { # noticed NAME FILE SED_COMMAND SOURCE...
  local name=$1
  shift
  changed "$@"
  if same "$work/changed.so" > /dev/null; then echo "abi: $name is not noticed"; exit 1; fi
  passed=$((passed + 1))
}
unnoticed() {
  local name=$1
  shift
  changed "$@"
  same "$work/changed.so" > "$work/difference" || { cat "$work/difference"; echo "abi: $name is taken for a difference"; exit 1; }
  passed=$((passed + 1))
}
noticed "an input more in the middle of a struct" cmodel/ports/mshr.ports.h 's/^IN(fill_valid_i/IN(planted_i, 1, "planted")\n&/' \
  cmodel/mshr.c cmodel/module.c
noticed "a parameter more at the end of a struct" cmodel/ports/prt.ports.h 's/^IN(srst_ni/PARAM(PLANTED, 0, 0, 1, "planted")\n&/' \
  cmodel/prt.c cmodel/module.c
noticed "a function less" libmrpb.map '/ mshr_drain;/d'
unnoticed "a field more of an opaque struct" cmodel/mshr.c 's/^  mshr_cfg_t cfg;/&\n  int planted;/' cmodel/mshr.c
unnoticed "a field more at the end of module_class_t" cmodel/module.h 's/^} module_class_t;/  int planted;\n&/' cmodel/module.c \
  $(cmodel/modules.sh | sed 's|.*|cmodel/&.c|')
echo "abi: $passed passed, 0 failed"
