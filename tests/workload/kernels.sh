#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The kernels of docs/examples/ptx: runs each launch file on Base-S with data checked, and beside a
# GPU (the model: build/fake); its comparisons must hold. If clang 14 is installed, the PTX must be
# what it writes for the source; if clang 19 is, its PTX must give the same values. The last line
# says which of the two were found.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
mrpb=build/mrpb
export LD_LIBRARY_PATH=build/fake
good() { passed=$((passed + 1)); }
bad() { failed=$((failed + 1)); echo "FAILED: $1"; }

holds() { # holds NAME HOW COMMAND...: comparisons were made, and held
  local name=$1 how=$2
  shift 2
  if "$@" > "$work/out" 2>&1 && grep -qE '[1-9][0-9]* comparisons? held$' "$work/out"; then good; else
    bad "$name, $how: $(tail -n 1 "$work/out" | head -c 400)"
  fi
}

for file in docs/examples/ptx/*.launch; do
  name=$(basename -s .launch "$file")
  grep -q "^| \`$name\` |" docs/examples/ptx/README.md || bad "docs/examples/ptx/README.md lacks $name"
  holds "$name" timed $mrpb run -c configs/base-s.conf --launch "$file" --check
  holds "$name" "on a GPU" $mrpb run --gpu --launch "$file"
done

sources() { for source in docs/examples/ptx/*.cu; do [ ! -e "${source%.cu}.launch" ] || basename -s .cu "$source"; done; }
clangs=
. tests/recorded.sh
if recorded_ "the texts of docs/examples/ptx" "clang version 14" clang-14 --version; then
  clangs=", clang 14"
  for name in $(sources); do
    if docs/examples/ptx/compile.sh "docs/examples/ptx/$name.cu" > "$work/ptx" 2> "$work/out" && cmp -s "$work/ptx" "docs/examples/ptx/$name.ptx"; then good; else
      bad "$name.ptx is not what clang 14 writes of $name.cu; docs/examples/ptx/compile.sh writes it: $(head -n 1 "$work/out")"
    fi
  done
fi
if command -v clang-19 > "$work/out"; then
  clangs="$clangs, clang 19"
  mkdir "$work/19"
  for name in $(sources); do
    cp "docs/examples/ptx/$name.launch" "$work/19"
    CLANG=clang-19 docs/examples/ptx/compile.sh "docs/examples/ptx/$name.cu" > "$work/19/$name.ptx" 2> "$work/out" ||
      bad "$name.cu: clang 19: $(head -n 1 "$work/out")"
    holds "$name" "of clang 19" $mrpb run --functional --launch "$work/19/$name.launch"
  done
fi

# A wrong kernel is noticed: the last step of the sum is left out, so the numbers differ from the
# host's.
sed 's/^\(\tadd\.f32 \t*%f[0-9]*, \)\(%f[0-9]*\), %f[0-9]*;/\1\2, 0f00000000;/' docs/examples/ptx/reduce.ptx > "$work/reduce.ptx"
cp docs/examples/ptx/reduce.launch "$work"
$mrpb run --functional --launch "$work/reduce.launch" > "$work/out" 2>&1
if [ $? = 1 ] && grep -qE '^mrpb run: .*/reduce\.launch:[0-9]+: part\[0\] is .*, expected .*; 20 of 20 differ$' "$work/out"; then good; else
  bad "a wrong sum is not noticed: $(cat "$work/out")"
fi
echo "kernels$clangs: $passed passed, $failed failed"
[ "$failed" = 0 ]
