#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the page of a GPU from its records, tests/data/measured/GPUx-STUDY.rec.xz of each board x that has
# a record of study latency, with the model's curves beside theirs. `make docs` writes the page, and its check compares it.
#   docs/atlas/make.sh GPU > docs/atlas/GPU.md
set -eu
cd "$(dirname "$0")/../.."
gpu=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
boards=()
for file in tests/data/measured/"$gpu"?-latency.rec.xz; do
  board=${file%-latency.rec.xz}
  boards+=("${board: -1}")
done
record() { echo "tests/data/measured/$gpu$1-$2.rec.xz"; } # record BOARD STUDY
sum_of() { sha256sum "$(record "$1" "$2")" | cut -c1-16; } # sum_of BOARD STUDY: the first 16 digits
others() { # others STUDY: which boards, if they are not those of study latency
  local board uuid
  for board in "${boards[@]}"; do
    uuid=$(xz -dc "$(record "$board" "$1")" | sed -n '1,/^study/s/^uuid //p')
    [ "$uuid" = "$(head_of "$board" uuid)" ] || printf '; board %s is another one: %s' "$board" "$uuid"
  done
}
head_of() { xz -dc "$(record "$1" latency)" | sed -n "1,/^study/s/^$2 //p"; } # head_of BOARD ITEM

# ---- the results of the studies, for both boards ----
printf '# %s\n\n' "$(head_of a gpu)"
printf '%s SMs. %s boards:\n\n| board | GPU | date | driver, CUDA | clock, MHz |\n| --- | --- | --- | --- | ---: |\n' "$(head_of a sms)" "${#boards[@]}"
for board in "${boards[@]}"; do
  driver=$(head_of "$board" driver)
  printf '| %s | %s | %s | %d.%d | %.0f |\n' "$board" "$(head_of "$board" uuid)" "$(head_of "$board" date)" \
    $((driver / 1000)) $((driver % 1000 / 10)) "$(head_of "$board" khz)e-3"
done
printf '\nEach study below is `build/mrpb micro STUDY --measured FILE` on the record that stands beside its name, which `build/mrpb micro STUDY --gpu --save FILE`\n'
printf 'left on that GPU; what the columns are: [../silicon.md](../silicon.md). The tables are of board a; where another board says something else, that follows.\n'
for file in tests/data/measured/"$gpu"a-*.rec.xz; do
  study=${file##*/"$gpu"a-}
  study=${study%.rec.xz}
  for board in "${boards[@]}"; do
    build/mrpb micro "$study" --measured "$(record "$board" "$study")" --markdown "$work/$board" -o "$work/$board-plots" > /dev/null 2>&1 || [ $? = 1 ]
  done
  repeats=$(xz -dc "$file" | sed -n '1,/^study/s/^repeats //p')
  printf '\n## %s\n\n`%s` (sha256 %s%s), %s launch%s a point%s\n\n' "$study" "$file" "$(sum_of a "$study")" "$(for board in "${boards[@]:1}"; do printf '; board %s %s' "$board" "$(sum_of "$board" "$study")"; done)" \
    "$repeats" "$([ "$repeats" = 1 ] || echo es)" "$(others "$study")"
  cat "$work/a"
  for board in "${boards[@]:1}"; do
    awk -F' [|] ' -v board="$board" 'FNR == NR { a[$1] = $3; next }
      FNR > 2 && (!($1 in a) || a[$1] != $3) { if (!n++) print "\n| board " board " | deduced | board a |\n| --- | ---: | ---: |"
        print $1 " | " $3 " | " ($1 in a ? a[$1] : "not measured") " |" }
      END { if (!n) print "\nBoard " board ": the same." }' "$work/a" "$work/$board"
  done
done

# ---- the model ----
printf '\n## The model beside it\n\nPoint by point, how far the model is from the chip, of the chip. The model is `configs/h200.conf` with the latencies that study `latency` has found on\n'
printf 'that board (`--export mrpb:FILE`); nothing else of it is from these boards, and nothing from the curves below.\n\n'
printf '| curve | board | points | mean %% | worst %% | where |\n| --- | --- | ---: | ---: | ---: | --- |\n'
for board in "${boards[@]}"; do
  build/mrpb micro latency --measured "$(record "$board" latency)" --export "mrpb:$work/$board.conf" -o "$work/none" > /dev/null 2>&1 || [ $? = 1 ]
  for study in thread-latency acceptance saturation; do
    build/mrpb micro "$study" -c "$work/$board.conf" -o "$work/$board-model" > /dev/null 2>&1 || [ $? = 1 ]
  done
done
for chip in "$work"/a-plots/*.csv; do
  curve=$(basename -s .csv "$chip")
  curve=${curve#"$gpu"-}
  for board in "${boards[@]}"; do
    [ ! -e "$work/$board-model/$board-$curve.csv" ] || awk -v curve="$curve" -v board=$board '
      { at = match($0, /,[^,]*,[^,]*$/); key = substr($0, 1, at); split(substr($0, at + 1), xy, ","); key = key xy[1] }
      FNR == 1 || key ~ /variance/ || xy[2] + 0 == 0 { next }
      FNR == NR { model[key] = xy[2]; next }
      key in model { e = 100 * (model[key] - xy[2]) / xy[2]; if (e < 0) e = -e
        n++; sum += e; if (e > worst) { worst = e; where = key; of = xy[2]; is = model[key] } }
      END { gsub(/"/, "", where); sub(/,([^,]*)$/, " at&", where); sub(/ at,/, " at ", where)
        if (n) printf "| %s | %s | %d | %.1f | %.1f | %s: %g, the model %g |\n", curve, board, n, sum / n, worst, where, of, is }
    ' "$work/$board-model/$board-$curve.csv" "$work/$board-plots/$gpu-$curve.csv"
  done
done | tee "$work/curves"
awk -F' [|] ' '{ n += $3; sum += $3 * $4; if ($5 > worst) worst = $5 }
  END { printf "\nAll %d points: %.1f %% in the mean, %.1f %% at worst.\n", n, sum / n, worst }' "$work/curves"
