#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `mrpb report`: the page in headless Chromium at 1280 and 390 pixels (tests/studies/report.js
# inspects and operates it), its commands as typed, and its bytes.
#   tests/studies/report.sh                    part of make test
#   tests/studies/report.sh --bench            how long a page with a sweep of 1,000 points takes to
#                                              open; nothing passes or fails
#   tests/studies/report.sh --shots FOLDER     pictures of the page: both widths, both themes
set -eu
cd "$(dirname "$0")/../.."
mrpb=build/mrpb
work=$(mktemp -d)
trap 'rm -rf "$work" 2> /dev/null || true' EXIT
fail() { echo "report: $*" >&2; exit 1; }

# Chromium leaves its files in $work.
browser() { # browser OPTION...
  mkdir -p "$work/home" "$work/tmp"
  HOME=$work/home TMPDIR=$work/tmp XDG_CONFIG_HOME=$work/home XDG_CACHE_HOME=$work/home XDG_RUNTIME_DIR=$work/home \
    timeout -k 5 600 chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-crash-reporter --no-first-run \
    --disable-background-networking --host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir="$work/profile" \
    --allow-file-access-from-files --hide-scrollbars --enable-logging=stderr "$@" 2> "$work/said" < /dev/null
}

# A sweep as `mrpb sweep --export csv` writes it, N points; every 31st has failed.
sweep() { # sweep N
  awk -v n="$1" 'BEGIN {
    print "program,configuration,MRPB_DEPTH,MRPB_POLICY,MRPB_LATENCY,exit,cycles,ipc,l1d.misses,l1d.mshr.mean"
    split("atax gesummv syrk 2dconv", program); split("fixed longest robin fixed_greedy longest_greedy robin_greedy", policy)
    for (i = 0; i < n; i++) {
      cycles = 1000000 + (i * 7919) % 500000
      printf "--kernel %s --cut 16,%016x,%d,%s,%d,", program[i % 4 + 1], i, 2 ^ (int(i / 4) % 7), policy[int(i / 28) % 6 + 1], 3 + int(i / 168) % 6
      if (i % 31 == 30) print "4,,,,"; else printf "0,%d,%.4f,%d,%.3f\n", cycles, 1e6 / cycles, cycles / 50 - 20000, i % 30
    } }'
}

# The page with its errors caught, followed by `report.js` or a clock.
instrument() { # instrument PAGE SCRIPT
  awk -v script="$2" '{ print } /^<head>$/ { print "<script>const errors = []; addEventListener(\"error\", e => errors.push(e.message));</script>" }
    /^<\/body>$/ { print "<script>"; while ((getline line < script) > 0) print line; print "</script>" }' "$1"
}

sweep 1000 > "$work/sweep.csv"
$mrpb estimate --no-logic -c configs/base-s-mrpb.conf -o "$work/estimate" > /dev/null
# Two bars that have not run yet: a campaign in progress.
cp -r docs/figures "$work/figures"
sed -i -E '/^(atax|hs),l,.*"CCWS-SWL"/s/,[^,]*,[^,]*,[^,]*$/,nan,nan,nan/' "$work/figures/fig14.csv"
# Runs: of one program without and with an MRPB, and two of in-order cores.
seen=(--profile --interval 400)
$mrpb run -c configs/base-s.conf --kernel atax --cut 2 "${seen[@]}" --json "$work/plain_run.json" > /dev/null
$mrpb run -c configs/base-s-mrpb.conf --kernel atax --cut 2 "${seen[@]}" --json "$work/queues.json" > /dev/null
$mrpb run -c configs/h200.conf --kernel gemm --size 64 "${seen[@]}" --json "$work/hopper.json" > /dev/null
# A text whose compiler said where its instructions come from.
mkdir "$work/loc"
cp docs/examples/ptx/saxpy.launch "$work/loc"
sed -e 's|^\.address_size.*|&\n.file 1 "/home/me/saxpy.cu"|' -e 's/^\tld\.param\.u32 .*/\t.loc 1 3 7\n&/' -e 's/^\tld\.param\.f32 .*/\t.loc 1 5 3\n&/' docs/examples/ptx/saxpy.ptx > "$work/loc/saxpy.ptx"
$mrpb run -c configs/h200.conf --launch "$work/loc/saxpy.launch" "${seen[@]}" --json "$work/source.json" > /dev/null
runs=("$work/plain_run.json" "$work/queues.json" "$work/hopper.json" "$work/source.json")
page=("${runs[@]}" --figures "$work/figures" --sweep "$work/sweep.csv" --estimate "$work/estimate/estimate.json")
$mrpb report "${page[@]}" --out "$work/page.html" > /dev/null

if [ "${1:-}" = --bench ]; then
  echo 'document.body.offsetHeight; document.title = `opened in ${Math.round(performance.now())} ms`;' > "$work/clock.js"
  instrument "$work/page.html" "$work/clock.js" > "$work/clock.html"
  for _ in 1 2 3 4 5; do
    browser --window-size=1280,900 --dump-dom "file://$work/clock.html" | sed -n 's/.*<title>opened in \([0-9]*\) ms.*/\1/p'
  done | sort -n | awk '{v[NR] = $1} END {printf "  %-44s %5.2f s (target 2)\n", "page with a sweep of 1,000 points, to open", v[int((NR + 1) / 2)] / 1000}'
  exit
fi

frames() { # frames PAGE HEIGHT WIDTH...: the page in windows of these widths, side by side
  local page=$1 height=$2 width
  shift 2
  echo '<!DOCTYPE html><html><body style="margin:0;display:flex">'
  for width in "$@"; do echo "<iframe src=\"$page\" style=\"border:0;width:${width}px;height:${height}px\"></iframe>"; done
}

if [ "${1:-}" = --shots ]; then
  mkdir -p "$2"
  for theme in light dark; do
    sed "s/^let theme = .*/let theme = \"$theme\";/" "$work/page.html" > "$work/$theme.html"
    for width in 1280 390; do
      frames "$theme.html" 16000 "$width" > "$work/frame.html"
      browser --window-size="$width,16000" --virtual-time-budget=5000 --screenshot="$work/shot.png" "file://$work/frame.html" > /dev/null
      cp "$work/shot.png" "$2/report-$width-$theme.png"
    done
  done
  exit
fi

# ---- the page, inspected and operated ----
instrument "$work/page.html" tests/studies/report.js > "$work/test.html"
{
  frames test.html 900 1280 390
  cat << 'END'
<pre id="results"></pre>
<script>
addEventListener("load", () => {
  document.getElementById("results").textContent = [...document.querySelectorAll("iframe")].map(f => {
    const test = f.contentDocument.getElementById("test");
    return (test ? test.textContent : "FAILED  the test itself").replace(/^/gm, f.clientWidth + ": ");
  }).join("\n") + "\nend";
});
</script>
END
} > "$work/both.html"
browser --window-size=1700,900 --dump-dom "file://$work/both.html" > "$work/dom" || fail "chromium: $(tail -n 3 "$work/said")"
sed -n '/<pre id="results">/,/^end/p' "$work/dom" | sed 's/.*<pre id="results">//' > "$work/results"
grep -q '^end' "$work/results" || fail "no results: $(grep CONSOLE "$work/said" | head -n 3)"
if grep FAILED "$work/results" >&2; then exit 1; fi
if grep CONSOLE "$work/said" >&2; then fail "the page said something on the console"; fi
checks=$(grep -c ': ok ' "$work/results")
[ "$checks" -gt 100 ] || fail "$checks checks only"

# ---- the same bytes from any folder, and none of them name this folder ----
$mrpb report "${page[@]}" --out "$work/again.html" > /dev/null
cmp "$work/page.html" "$work/again.html"
$mrpb report --out "$work/plain.html" > /dev/null
for word in "$PWD" "$work"; do ! grep -qF -- "$word" "$work/plain.html" || fail "'$word' stands in the page"; done
! grep -oE '(src|href)="[^#"][^"]*"|@import|url\([^)]*\)' "$work/plain.html" || fail "the page wants other files"

# ---- commands of the page reproduce its numbers ----
$mrpb report --json "$work/data.json" > /dev/null
# CYCLES COMMAND of each bar, and of each row of accuracy that has all four settings
awk '/"accuracy": \{/ {exit}
  /"command": "/ {command = $0; sub(/.*"command": "/, "", command); sub(/",?$/, "", command)}
  /"cycles": [0-9]/ {gsub(/[^0-9]/, ""); print $0, command}' "$work/data.json" | sort -n -u > "$work/bars"
awk '/"modules": \{/ {exit} /"accuracy": \{/ {on = 1}
  on && /"values": \[/ {in_values = 1; n = 0; next} on && /"commands": \[/ {in_commands = 1; m = 0; next} /\]/ {in_values = in_commands = 0}
  in_values {gsub(/[ ,]/, ""); value[++n] = $0}
  in_commands {m++; gsub(/^ *"|",?$/, ""); if (value[m] != "null") print value[m], $0}' "$work/data.json" | sort -n > "$work/rows"
[ "$(wc -l < "$work/bars")" -gt 200 ] && [ "$(wc -l < "$work/rows")" -gt 150 ] || fail "few commands in the data"
{
  grep -v 'for v in' "$work/bars" | head -n 1
  grep -e '--set MRPB=1' "$work/bars" | head -n 1
  head -n 1 "$work/rows"
  grep -e '--model B' "$work/rows" | head -n 1
  grep -e 'CLOCKS=exact' "$work/rows" | head -n 1
} > "$work/typed"
ran=0
while read -r cycles command; do
  eval "$command --json \"$work/run.json\"" > /dev/null < /dev/null
  is=$(awk '/"cycles":/ {gsub(/[^0-9]/, ""); print; exit}' "$work/run.json")
  [ "$is" = "$cycles" ] || fail "$command: $is cycles; the page says $cycles"
  ran=$((ran + 1))
done < "$work/typed"

# A point of a sweep: if its hash is that of a configuration with its keys, its command is known;
# otherwise it is not.
$mrpb run -c configs/base-l-mrpb.conf --kernel gesummv --cut 1 --set MRPB_DEPTH=4 --json "$work/run.json" > /dev/null
hash=$(sed -n 's/.*"config_hash": "\(.*\)".*/\1/p' "$work/run.json")
printf '%s\n' 'program,configuration,MRPB_DEPTH,exit,cycles' "--kernel gesummv --cut 1,$hash,4,0,1" "--kernel gesummv --cut 1,$hash,5,0,1" > "$work/one.csv"
$mrpb report --sweep "$work/one.csv" --json "$work/one.json" > /dev/null
sed '1,/"sweeps":/d' "$work/one.json" | grep '"command":' | sed 's/^ *//; s/,$//' > "$work/known"
printf '%s\n' '"command": "build/mrpb run -c configs/base-l-mrpb.conf --kernel gesummv --cut 1 --set MRPB_DEPTH=4"' '"command": null' | cmp - "$work/known"

# A store: every point has a command that reproduces its cycles; the page of the store has the same
# data as the page of its export.
swept=(--kernel gesummv --cut 1 -c configs/base-s-mrpb.conf --set MRPB_LATENCY=4 --vary MRPB_DEPTH=4,16 --vary MRPB_POLICY=fixed,longest --db "$work/my.db")
$mrpb sweep "${swept[@]}" > /dev/null
$mrpb report --sweep "$work/my.db" --json "$work/store.json" > /dev/null
sed '1,/"sweeps":/d' "$work/store.json" | sed -n 's/^ *"command": "\(build.*\)"$/\1/p;s/^ *"command": "\(build.*\)",$/\1/p' > "$work/known"
[ "$(wc -l < "$work/known")" = 4 ] || fail "commands of a store: $(cat "$work/known")"
command=$(grep -e '--set MRPB_DEPTH=16' "$work/known" | grep -e '--set MRPB_POLICY=longest' | grep -e '--set MRPB_LATENCY=4')
eval "$command --json \"$work/run.json\"" > /dev/null
is=$(awk '/"cycles":/ {gsub(/[^0-9]/, ""); print; exit}' "$work/run.json")
$mrpb sweep "${swept[@]}" --export csv --stat cycles | grep -q ",16,longest,0,$is\$" || fail "$command: $is cycles; the store has others"
echo "report: $checks checks in Chromium at two widths, $ran of its commands typed: the same cycles"
