#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The page of a GPU out of its records, tests/data/measured/GPU-STUDY.rec.xz; `make docs` writes it, its check compares it.
#   docs/atlas/make.sh GPU > docs/atlas/GPU.md
set -eu
cd "$(dirname "$0")/../.."
gpu=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
records=(tests/data/measured/"$gpu"-*.rec.xz)
head=$(xz -dc "${records[0]}" | sed -n '2,/^study/p')
item() { sed -n "s/^$1 //p" <<< "$head"; }
printf '# %s\n\n' "$(item gpu)"
printf '%s SMs; driver of CUDA %d.%d; clock %.0f MHz. Each study below is `build/mrpb micro STUDY --measured FILE` on the record that stands beside its name,\n' \
  "$(item sms)" $(($(item driver) / 1000)) $(($(item driver) % 1000 / 10)) "$(item khz)e-3"
printf 'which `build/mrpb micro STUDY --gpu --save FILE` left on that GPU; what the columns are: [../silicon.md](../silicon.md).\n'
for record in "${records[@]}"; do
  study=${record##*/"$gpu"-}
  study=${study%.rec.xz}
  when=$(xz -dc "$record" | sed -n '1,/^study/s/^date //p')
  repeats=$(xz -dc "$record" | sed -n '1,/^study/s/^repeats //p')
  build/mrpb micro "$study" --measured "$record" --markdown "$work/table" -o "$work" > /dev/null 2>&1 || [ $? = 1 ]
  printf '\n## %s\n\n`%s`, %s, %s launch%s a point\n\n' "$study" "$record" "$when" "$repeats" "$([ "$repeats" = 1 ] || echo es)"
  cat "$work/table"
done
