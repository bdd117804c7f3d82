#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The page of a GPU out of its records, tests/data/measured/GPU-STUDY.rec.xz, with the model's curves beside its; `make docs` writes it,
# its check compares it.
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
  build/mrpb micro "$study" --measured "$record" --markdown "$work/table" -o "$work/chip" > /dev/null 2>&1 || [ $? = 1 ]
  printf '\n## %s\n\n`%s`, %s, %s launch%s a point\n\n' "$study" "$record" "$when" "$repeats" "$([ "$repeats" = 1 ] || echo es)"
  cat "$work/table"
done

printf '\n## The model beside it\n\nEach point of the curves above that `configs/h200.conf` has, too: how far the model is from the chip, of the chip.\n\n'
printf '| curve | points | mean %% | worst %% | where |\n| --- | ---: | ---: | ---: | --- |\n'
for study in thread-latency acceptance saturation; do
  build/mrpb micro "$study" -c configs/h200.conf -o "$work/model" > /dev/null 2>&1 || [ $? = 1 ]
done
for chip in "$work"/chip/*.csv; do
  curve=$(basename -s .csv "$chip")
  curve=${curve#"$gpu"-}
  [ ! -e "$work/model/h200-$curve.csv" ] || awk -v curve="$curve" '
    { at = match($0, /,[^,]*,[^,]*$/); key = substr($0, 1, at); split(substr($0, at + 1), xy, ","); key = key xy[1] }
    FNR == 1 || key ~ /variance/ || xy[2] + 0 == 0 { next }
    FNR == NR { model[key] = xy[2]; next }
    key in model { e = 100 * (model[key] - xy[2]) / xy[2]; if (e < 0) e = -e
      n++; sum += e; if (e > worst) { worst = e; where = key; of = xy[2]; is = model[key] } }
    END { gsub(/"/, "", where); sub(/,([^,]*)$/, " at&", where); sub(/ at,/, " at ", where)
      if (n) printf "| %s | %d | %.1f | %.1f | %s: %g, the model %g |\n", curve, n, sum / n, worst, where, of, is }
  ' "$work/model/h200-$curve.csv" "$chip"
done
