#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make micro`: micro.sh [--record DOCS] JOBS FOLDER GPU...: runs every study that was published
# about these GPUs, JOBS GPUs at a time, into FOLDER: a page for each GPU with its table and the
# plots of shown.txt, and README.md about all of them; data and the other plots are beside them.
# --record: also writes the pages and the plots that they show, and nothing else, to DOCS. Exit 1 if
# a deduction missed its configuration.
set -eu
shown=$(dirname "$0")/shown.txt docs=
if [ "$1" = --record ]; then docs=$2; shift 2; fi
jobs=$1 out=$2
shift 2
mkdir -p "$out"

title() { # title GPU: the first line of its configuration
  sed -n '1s/^# //p' "configs/$1.conf"
}

plots() { # plots GPU: the plots that are shown, below their sentences
  local name says
  printf '\n## Plots\n'
  while read -r name says; do
    [ -e "$out/$name.svg" ] || { echo "$shown: $name: no study drew it" >&2; return 2; }
    printf '\n%s\n\n![%s](%s.svg)\n' "$says" "$name" "$name"
  done < <(grep "^$1-" "$shown")
  printf '\nEvery other curve behind the table: `make micro` draws it, with its data, into `build/micro`.\n'
}

page() { # page GPU: the program's table, and a page around it
  local status=0
  build/mrpb micro all -c "configs/$1.conf" -o "$out" --markdown "$out/$1.md" > "$out/$1.txt" 2>&1 || status=$?
  if [ "$status" -gt 1 ]; then
    tail -n 1 "$out/$1.txt" >&2
    return "$status"
  fi
  {
    printf '# %s: %s\n\n' "$1" "$(title "$1")"
    printf 'Written by `make micro`, do not edit. [What the columns mean](README.md).\n\n'
    cat "$out/$1.md"
    plots "$1"
  } > "$out/$1.page"
  awk -f docs/wrap.awk "$out/$1.page" > "$out/$1.md"
  rm "$out/$1.page"
  echo "$out/$1.md"
  return "$status"
}

count() { # count COLUMN WORD FILE: rows of the table with this word
  awk -F ' *[|] *' -v c="$1" -v w="$2" '$(c + 1) == w {n++} END {print n + 0}' "$3"
}

index() { # index GPU...
  printf '# What the studies found\n\nWritten by `make micro`, do not edit. Each page has what was **deduced** from the measured numbers alone, what the model was\n'
  printf '**configured** to be, and what the **publication** says: `000`, `002` Lashgar, Salehi, Baniasadi; `003` Mei, Zhao, Liu, Chu;\n'
  printf '`004` Papadopoulou, Sadooghi-Alvandi, Wong; "measured": two H200s, November 2026.\n\n'
  printf 'A number stands alone where it is exact; else `4 to 6`, `at least 64`, or `not decided`, with the reason. **Origin**: `key`, the\n'
  printf 'instrument reads back what keys set; `table`, the sequences of `tb/gpu/inorder/ops.def`, fitted to what was published on the GT200;\n'
  printf '`emerges`, no key sets it.\n\n'
  printf '| GPU | | deduced as configured | not decided | deduced otherwise | as published | otherwise than published | key | table | emerges |\n'
  printf '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n'
  for gpu in "$@"; do
    [ -s "$out/$gpu.md" ] || continue
    f=$out/$gpu.md
    printf '| [%s](%s.md) | %s | %d | %d | %d | %d | %d | %d | %d | %d |\n' "$gpu" "$gpu" "$(title "$gpu")" \
      $(($(count 5 equal "$f") + $(count 5 within "$f"))) "$(count 5 'not decided' "$f")" "$(count 5 differs "$f")" \
      $(($(count 7 equal "$f") + $(count 7 within "$f"))) "$(count 7 differs "$f")" \
      "$(count 8 key "$f")" "$(count 8 table "$f")" "$(count 8 emerges "$f")"
  done
}

export out shown
export -f page plots title
status=0
printf '%s\0' "$@" | xargs -0 -P "$jobs" -I{} bash -eu -c 'page "$1"' page {} || status=1
index "$@" > "$out/README.page"
awk -f docs/wrap.awk "$out/README.page" > "$out/README.md"
rm "$out/README.page"
echo "$out/README.md"
if [ -n "$docs" ]; then
  mkdir -p "$docs"
  rm -f "$docs"/*.svg "$docs"/*.md
  cp "$out/README.md" "$docs"
  for gpu in "$@"; do
    cp "$out/$gpu.md" "$docs"
    sed -n "s|^\($gpu-[^ ]*\) .*|$out/\1.svg|p" "$shown" | xargs cp -t "$docs"
  done
  echo "$docs/README.md"
fi
exit "$status"
