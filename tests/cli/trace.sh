#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Traces from the command line (docs/trace.md): runs its table of replays; the same replay from
# every format; the samples of Accel-Sim's tracers; and the messages for a pipe, a full disk and a
# bad file.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/case.sh
mrpb=build/mrpb
on="-c configs/base-s.conf"

cycles() { sed -n 's/^  cycles  *//p'; }
replayed() { $mrpb run $on --trace "$1" 2> "$work/err" | cycles; } # replayed FILE

# ---- the table ----
rows=0
while IFS='|' read -r _ program executed again _; do
  rows=$((rows + 1))
  program=${program//[\` ]/ } executed=${executed// /} again=${again// /}
  # shellcheck disable=SC2086
  true_ "$program: cycles" test "$($mrpb run $on --kernel $program --record "$work/k.trace" | cycles)" = "$executed"
  true_ "$program: cycles, replayed" test "$(replayed "$work/k.trace")" = "$again"
  $mrpb run $on --trace "$work/k.trace" --record "$work/kernelslist.g" > "$work/out" 2> "$work/err"
  true_ "$program: as Accel-Sim 2.0's files" test "$(replayed "$work/kernelslist.g")" = "$again"
done < <(grep -E '^\| `[a-z0-9-]+ --cut' docs/trace.md)
true_ "docs/trace.md has rows" test "$rows" -ge 4

# ---- formats ----
$mrpb run $on --kernel gesummv --cut 4 --record "$work/t.trace" > "$work/out"
want=$(replayed "$work/t.trace")
true_ "a replay has cycles" test "${want:-0}" -gt 0
for end in trace.xz trace.gz trace.zst tracez; do
  $mrpb run $on --kernel gesummv --cut 4 --record "$work/t.$end" > "$work/out" 2> "$work/err"
  true_ "the same from .$end" test "$(replayed "$work/t.$end")" = "$want"
done
true_ "from what xz, gzip and zstd pack" test "$(xz -9 < "$work/t.trace" > "$work/a" && replayed "$work/a") $(gzip -9 < "$work/t.trace" > "$work/a" &&
  replayed "$work/a") $(zstd -q --ultra -22 < "$work/t.trace" > "$work/a" && replayed "$work/a")" = "$want $want $want"
true_ "from a pipe" test "$(zstd -q < "$work/t.trace" | replayed /dev/stdin)" = "$want"
true_ "what it needs of a disk is gone" test -z "$(ls "${TMPDIR:-/tmp}"/mrpb-trace-* 2> /dev/null)"

# ---- the samples of tracers 3 to 6 ----
for sample in tests/data/trace/tracer*; do true_ "$sample" test "$(replayed "$sample")" = 804; done
true_ "a list of them" test "$(replayed tests/data/trace/kernelslist.g)" -gt $((4 * 500))

# ---- refused traces ----
head -c 3000 "$work/t.trace.zst" > "$work/cut"
case_ "zstd, cut off" 2 'cut:[0-9]+: the zst data is damaged or cut off' $mrpb run $on --trace "$work/cut"
head -c 3000 "$work/t.trace.gz" > "$work/cut"
case_ "gzip, cut off" 2 'cut:[0-9]+: the gz data is damaged or cut off' $mrpb run $on --trace "$work/cut"
printf '\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00' > "$work/cut" # a frame's head
case_ "a window of 2 GB" 2 'cut:1: more than 128 MB are needed to decompress it' $mrpb run $on --trace "$work/cut"
head -c 900 "$work/t.tracez" > "$work/cut.tracez"
case_ ".tracez, cut off" 2 'cut\.tracez: the index at byte' $mrpb run $on --trace "$work/cut.tracez"
case_ ".tracez, more than a launch" 2 'a \.tracez holds one kernel launch' $mrpb run $on --kernel atax --cut 1 --record "$work/a.tracez"
true_ "and nothing is written" test ! -e "$work/a.tracez" -a ! -e "$work/a.tracez.part"
mkfifo "$work/p.tracez"
case_ ".tracez into a pipe" 2 'p\.tracez: no regular file; legal' timeout 10 $mrpb run $on --kernel gesummv --cut 1 --record "$work/p.tracez"
case_ "no place for the temporary file" 2 'a temporary file in /nonexistent cannot be made' env TMPDIR=/nonexistent $mrpb run $on --trace "$work/t.trace"

echo "trace: $passed passed, $failed failed"
[ "$failed" = 0 ]
