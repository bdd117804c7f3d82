#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The kernels of docs/examples/ptx: each launch file on Base-S with data checked, and beside a GPU (of the model: build/fake); what its
# comparisons say holds. The PTX is what clang 14 writes of the source beside it, where there is a clang 14.
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
if command -v clang-14 > "$work/out"; then
  for source in docs/examples/ptx/*.cu; do
    name=$(basename -s .cu "$source")
    [ -e "docs/examples/ptx/$name.launch" ] || continue
    if docs/examples/ptx/compile.sh "$source" > "$work/ptx" 2> "$work/out" && cmp -s "$work/ptx" "docs/examples/ptx/$name.ptx"; then good; else
      bad "$name.ptx is not what clang 14 writes of $name.cu; docs/examples/ptx/compile.sh writes it: $(head -n 1 "$work/out")"
    fi
  done
fi

# A wrong kernel is noticed: the last step of the sum is left out; the host's numbers are others.
sed 's/^\(\tadd\.f32 \t*%f[0-9]*, \)\(%f[0-9]*\), %f[0-9]*;/\1\2, 0f00000000;/' docs/examples/ptx/reduce.ptx > "$work/reduce.ptx"
cp docs/examples/ptx/reduce.launch "$work"
$mrpb run --functional --launch "$work/reduce.launch" > "$work/out" 2>&1
if [ $? = 1 ] && grep -qE '^mrpb run: .*/reduce\.launch:[0-9]+: part\[0\] is .*, expected .*; 20 of 20 differ$' "$work/out"; then good; else
  bad "a wrong sum is not noticed: $(cat "$work/out")"
fi
echo "kernels: $passed passed, $failed failed"
[ "$failed" = 0 ]
